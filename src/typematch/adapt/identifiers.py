"""Names in TypeScript code: member access, string literals, names that are not used yet."""

from __future__ import annotations

import re

from typematch.ir.render import is_identifier
from typematch.ir.reserved_words import RESERVED

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z0-9]+")
_NOT_IN_IDENTIFIER = re.compile(r"[^\w$]+")


def member_access(receiver: str, name: str) -> str:
    """Return the code that reads a property; ``name`` is a display name (``[Symbol.iterator]``)."""
    if is_identifier(name) or name.startswith("#"):
        return f"{receiver}.{name}"
    if name.startswith("[") and name.endswith("]"):
        return f"{receiver}{name}"
    return f"{receiver}[{string_literal(name)}]"


def string_literal(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return '"' + escaped.replace("\r", "\\r") + '"'


def lower_camel(name: str) -> str:
    """Return a name for a value of the type ``name``: ``readStream`` for ``fs.ReadStream``."""
    last = name.rpartition(".")[2]
    capitals = re.match(r"[A-Z]+(?![a-z])|[A-Z]", last)
    if capitals is None:
        return last
    return capitals[0].lower() + last[capitals.end() :]


def split_words(name: str) -> list[str]:
    """Return the words of an identifier in their order: ``find``, ``Book`` of ``findBook``."""
    return _WORD.findall(name)


class UniqueNames:
    """Names of one scope; each is given out once."""

    def __init__(self) -> None:
        self._used: set[str] = set()

    def reserve(self, name: str) -> None:
        self._used.add(name)

    def global_name(self, name: str) -> str:
        """Return the code for a global: with ``globalThis`` if the scope has another ``name``."""
        return f"globalThis.{name}" if name.partition(".")[0] in self._used else name

    def unique(self, wanted: str) -> str:
        """Return ``wanted`` made an identifier, with a number or an underscore if it is taken."""
        name = _NOT_IN_IDENTIFIER.sub("_", wanted).strip("_") or "value"
        if not is_identifier(name):
            name = f"_{name}"
        if name in RESERVED:
            name = f"{name}_"
        count, unique = 1, name
        while unique in self._used:
            count += 1
            unique = f"{name}{count}"
        self._used.add(unique)
        return unique
