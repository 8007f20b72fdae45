"""Makes TypeScript identifiers from the names of services, operations, parameters and schemas."""

from __future__ import annotations

import re

_WORD = re.compile(r"[^\W_]+")
_NOT_IN_IDENTIFIERS = re.compile(r"[^\w$]+")
# Names that generated types mention; a schema must not shadow them.
_RESERVED = frozenset(
    (
        "Array", "Promise", "any", "bigint", "boolean", "never", "null", "number", "object",
        "string", "symbol", "undefined", "unknown", "void", "default",
    )
)  # fmt: skip


def service_name(title: str, fallback: str) -> str:
    """Return a title as an identifier: ``Energy Insights API`` becomes ``EnergyInsightsAPI``."""
    name = "".join(word[:1].upper() + word[1:] for word in _WORD.findall(title))
    if not name and fallback:
        return service_name(fallback, "")
    return f"Api{name}" if not name or name[0].isdigit() else name


def operation_name(method: str, path: str) -> str:
    """Return a name for an operation without an id.

    ``GET /users/{id}/orders`` becomes ``getUsersByIdOrders``.
    """
    words = [method.lower()]
    for segment in path.split("/"):
        named = _WORD.findall(segment)
        words += ["by", *named] if segment.startswith("{") else named
    return words[0] + "".join(word[:1].upper() + word[1:] for word in words[1:])


def name_from_text(name: str) -> str:
    """Return a display name as an identifier: ``Get a user`` becomes ``getAUser``; may be empty."""
    words = _WORD.findall(name)
    joined = "".join(word[:1].upper() + word[1:] for word in words)
    joined = joined[:1].lower() + joined[1:] if len(words) > 1 or joined[1:].islower() else joined
    return f"_{joined}" if joined[:1].isdigit() else joined


def identifier(name: str) -> str:
    """Return ``name`` as an identifier: ``page[size]`` becomes ``pageSize``, ``X-Id`` ``XId``."""
    if name.isidentifier():
        return name
    first, *others = _WORD.findall(name) or ["_"]
    joined = first + "".join(word[:1].upper() + word[1:] for word in others)
    return f"_{joined}" if joined[0].isdigit() else joined


class TypeNames:
    """Unique names of types."""

    def __init__(self) -> None:
        self._taken = {*_RESERVED}

    def unique(self, preferred: str) -> str:
        """Return ``preferred`` as an identifier, with a number if it is taken: ``User_2``."""
        name = _NOT_IN_IDENTIFIERS.sub("_", preferred).strip("_") or "Schema"
        if name[0].isdigit():
            name = f"_{name}"
        number, free = 2, name
        while free in self._taken:
            number, free = number + 1, f"{name}_{number}"
        self._taken.add(free)
        return free
