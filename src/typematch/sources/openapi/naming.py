"""Give services, operations, parameters and schemas names that TypeScript can write."""

from __future__ import annotations

import re
from collections.abc import Iterable

_WORD = re.compile(r"[^\W_]+")
_NOT_IN_IDENTIFIERS = re.compile(r"[^\w$]+")
# What types of our own making mention; a schema may not hide it.
_RESERVED = frozenset(
    (
        "Array", "Promise", "any", "bigint", "boolean", "never", "null", "number", "object",
        "string", "symbol", "undefined", "unknown", "void", "default",
    )
)  # fmt: skip


def service_name(title: str, otherwise: str) -> str:
    """Return a title as one word: ``Energy Insights API`` is ``EnergyInsightsAPI``."""
    name = "".join(word[:1].upper() + word[1:] for word in _WORD.findall(title))
    if not name and otherwise:
        return service_name(otherwise, "")
    return f"Api{name}" if not name or name[0].isdigit() else name


def operation_name(method: str, path: str) -> str:
    """Return a name for an operation without one.

    ``GET /users/{id}/orders`` is called ``getUsersByIdOrders``.
    """
    words = [method.lower()]
    for segment in path.split("/"):
        named = _WORD.findall(segment)
        words += ["by", *named] if segment.startswith("{") else named
    return words[0] + "".join(word[:1].upper() + word[1:] for word in words[1:])


def spoken_name(name: str) -> str:
    """Return a name for people as one word: ``Get a user`` is ``getAUser``; empty without words."""
    words = _WORD.findall(name)
    made = "".join(word[:1].upper() + word[1:] for word in words)
    made = made[:1].lower() + made[1:] if len(words) > 1 or made[1:].islower() else made
    return f"_{made}" if made[:1].isdigit() else made


def identifier(name: str) -> str:
    """Return ``name`` as an identifier: ``page[size]`` is ``pageSize``, ``X-Id`` is ``XId``."""
    if name.isidentifier():
        return name
    first, *others = _WORD.findall(name) or ["_"]
    made = first + "".join(word[:1].upper() + word[1:] for word in others)
    return f"_{made}" if made[0].isdigit() else made


class TypeNames:
    """Names of types, each given out once."""

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self._taken = {*taken, *_RESERVED}

    def give(self, wanted: str) -> str:
        """Return ``wanted``, or as much of it as an identifier can say, told apart by a number."""
        name = _NOT_IN_IDENTIFIERS.sub("_", wanted).strip("_") or "Schema"
        if name[0].isdigit():
            name = f"_{name}"
        number, free = 2, name
        while free in self._taken:
            number, free = number + 1, f"{name}_{number}"
        self._taken.add(free)
        return free
