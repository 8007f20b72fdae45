"""Reads JSON or YAML into plain values, within limits, with the lines of the outer keys.

JSON is read by the standard library.  YAML is built from libyaml's events: PyYAML's constructor is
recursive (deep nesting ends the process) and follows YAML 1.1, where ``no`` is false and dates are
not text; OpenAPI requires the values of JSON.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from typematch.ir.literals import well_formed_json

TEXT_SPECIFIER = "text:"  # prefix of a specifier: a file whose text is part of this document
MAX_DOCUMENT_NESTING = 200
MAX_VALUES = 5_000_000  # values of a document after its aliases are expanded
_LINES_KEPT = 3  # levels of mappings whose keys have a recorded line

Pointer: TypeAlias = tuple[str, ...]

_BOM = "\ufeff"
_INTEGER = re.compile(r"[-+]?(?:0|[1-9][0-9]*)\Z", re.ASCII)
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?\Z", re.ASCII)
_CONSTANTS: dict[str, Any] = {
    "": None, "~": None, "null": None, "Null": None, "NULL": None,
    "true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False,
}  # fmt: skip


class DocumentError(Exception):
    """A text is not a valid document; the message has the reason and the place."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """The value of a document: mappings with string keys, lists, strings, numbers, booleans, None.

    Attributes:
        lines: lines of the keys of the outer mappings, counted from 1.
        duplicate_keys: (line, key) of keys that a mapping has twice; the last one counts.
        is_json: whether it was read as JSON, where a string is on one line.
        text: the document's text if ``is_json``.
    """

    value: Any
    lines: dict[Pointer, int] = field(default_factory=dict)
    duplicate_keys: tuple[tuple[int, str], ...] = ()
    is_json: bool = False
    text: str = ""


def load(text: bytes, name: str) -> Loaded:
    """Return the value of a document; ``name`` ends in ``.json`` or in a suffix of YAML.

    Raises:
        DocumentError: it cannot be read, or exceeds ``MAX_DOCUMENT_NESTING`` or ``MAX_VALUES``.
    """
    decoded = decode(text)
    if not decoded.strip():
        raise DocumentError("the file is empty")
    if decoded.lstrip()[0] in "{[" or name.endswith(".json"):
        try:
            return _json(decoded)
        except json.JSONDecodeError as error:
            if name.endswith(".json"):
                place = f"line {error.lineno}, column {error.colno}"
                raise DocumentError(f"invalid JSON at {place}: {error.msg}") from error
    return _yaml(decoded)


def decode(text: bytes) -> str:
    """Return the text of a file in UTF-8, or in UTF-16 with a byte order mark.

    Raises:
        DocumentError: it has another encoding.
    """
    try:
        if text.startswith((b"\xff\xfe", b"\xfe\xff")):
            return text.decode("utf-16")
        return text.decode("utf-8").removeprefix(_BOM)
    except UnicodeDecodeError as error:
        raise DocumentError(f"the text is not UTF-8 at byte {error.start}") from error


# JSON ---------------------------------------------------------------------------------------------


def _json(text: str) -> Loaded:
    duplicate_keys: list[str] = []

    def mapping(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(pairs)
        if len(made) < len(pairs):
            counts = Counter(key for key, _ in pairs)
            duplicate_keys.extend(key for key, count in counts.items() if count > 1)
        return made

    try:
        value = json.loads(well_formed_json(text), object_pairs_hook=mapping)
    except RecursionError as error:
        raise DocumentError(f"nested deeper than {MAX_DOCUMENT_NESTING} levels") from error
    except ValueError as error:
        if isinstance(error, json.JSONDecodeError):
            raise
        raise DocumentError(f"a number is too long: {error}") from error
    _check_depth(value)
    finder = _JsonKeyLines(text)
    twice = tuple((finder.line(key), key) for key in duplicate_keys)
    return Loaded(value, finder.lines(value), twice, True, text)


def _check_depth(value: Any) -> None:
    level, layer = 0, [value]
    while layer:
        level += 1
        if level > MAX_DOCUMENT_NESTING:
            raise DocumentError(f"nested deeper than {MAX_DOCUMENT_NESTING} levels")
        layer = [inner for outer in layer for inner in _nested_containers(outer)]


def _nested_containers(value: Any) -> Iterator[Any]:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return (inner_value for inner_value in inner if isinstance(inner_value, dict | list))


class _JsonKeyLines:
    """Finds the lines of keys, which the standard library does not report, by text search."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._offset = 0
        self._line = 1

    def lines(self, value: Any) -> dict[Pointer, int]:
        found: dict[Pointer, int] = {}
        if "\n" in self._text:
            self._visit(value, (), found)
        return found

    def line(self, key: str) -> int:
        at = self._text.find(f"{json.dumps(key)}")
        return self._text.count("\n", 0, max(at, 0)) + 1

    def _visit(self, value: Any, at: Pointer, found: dict[Pointer, int]) -> None:
        if len(at) >= _LINES_KEPT:
            return
        for position, item in enumerate(value if isinstance(value, list) else ()):
            self._visit(item, (*at, str(position)), found)
        for key, inner in value.items() if isinstance(value, dict) else ():
            match = self._find(key)
            if match < 0:
                continue
            self._line += self._text.count("\n", self._offset, match)
            self._offset = match
            found[*at, key] = self._line
            self._visit(inner, (*at, key), found)

    def _find(self, key: str) -> int:
        for quoted_key in (json.dumps(key, ensure_ascii=False), json.dumps(key)):
            pattern = re.compile(re.escape(quoted_key) + r"\s*:")
            match = pattern.search(self._text, self._offset)
            if match:
                return match.start()
        return -1


# YAML ---------------------------------------------------------------------------------------------


def _yaml(text: str) -> Loaded:
    # Imported where there is YAML to read.
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    builder = _YamlBuilder()
    try:
        for event in yaml.parse(text, Loader=loader):
            builder.handle(event)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = f" at line {mark.line + 1}, column {mark.column + 1}" if mark else ""
        what = error.problem or error.context or "it cannot be read"
        raise DocumentError(f"invalid YAML{place}: {what}") from error
    except yaml.YAMLError as error:
        raise DocumentError(f"invalid YAML: {' '.join(str(error).split())}") from error
    value = builder.value
    _check_aliases(value)
    return Loaded(value, builder.lines, tuple(builder.duplicate_keys))


_NOTHING = object()


class _YamlBuilder:
    """Builds values from YAML events with an explicit stack."""

    def __init__(self) -> None:
        self.value: Any = None
        self.lines: dict[Pointer, int] = {}
        self.duplicate_keys: list[tuple[int, str]] = []
        self._open: list[dict[str, Any] | list[Any]] = []
        self._keys: list[Any] = []
        self._path: list[str | None] = []  # the key that each open value stands under
        self._anchors: dict[str, Any] = {}
        self._documents = 0

    def handle(self, event: Any) -> None:
        kind = type(event).__name__
        if kind == "ScalarEvent":
            value = _scalar(event)
            if event.anchor:
                self._anchors[event.anchor] = value
            self._put(value, event)
        elif kind in ("MappingStartEvent", "SequenceStartEvent"):
            self._begin({} if kind == "MappingStartEvent" else [], event)
        elif kind in ("MappingEndEvent", "SequenceEndEvent"):
            self._open.pop()
            self._keys.pop()
            self._path.pop()
        elif kind == "AliasEvent":
            if event.anchor not in self._anchors:
                line = event.start_mark.line + 1
                raise DocumentError(f"invalid YAML at line {line}: no anchor &{event.anchor}")
            self._put(self._anchors[event.anchor], event)
        elif kind == "DocumentStartEvent":
            self._documents += 1
            if self._documents > 1:
                line = event.start_mark.line + 1
                raise DocumentError(f"a second YAML document begins at line {line}; one is read")

    def _begin(self, container: dict[str, Any] | list[Any], event: Any) -> None:
        if len(self._open) >= MAX_DOCUMENT_NESTING:
            line = event.start_mark.line + 1
            raise DocumentError(f"nested deeper than {MAX_DOCUMENT_NESTING} levels at line {line}")
        if event.anchor:
            self._anchors[event.anchor] = container
        self._path.append(self._current_key())
        self._put(container, event)
        self._open.append(container)
        self._keys.append(_NOTHING)

    def _current_key(self) -> str | None:
        """Return the key, or index, of the next value."""
        if not self._open:
            return None
        holder = self._open[-1]
        if isinstance(holder, list):
            return str(len(holder))
        return self._keys[-1] if isinstance(self._keys[-1], str) else None

    def _put(self, value: Any, event: Any) -> None:
        if not self._open:
            self.value = value
            return
        holder = self._open[-1]
        if isinstance(holder, list):
            holder.append(value)
            return
        key = self._keys[-1]
        if key is _NOTHING:
            self._keys[-1] = self._key(value, holder, event)
            return
        self._keys[-1] = _NOTHING
        if key == "<<" and _is_merge(value):
            for mapping in value if isinstance(value, list) else [value]:
                for name, inner in mapping.items():
                    holder.setdefault(name, inner)
            return
        holder[key] = value

    def _key(self, value: Any, holder: dict[str, Any], event: Any) -> str:
        line = event.start_mark.line + 1
        if isinstance(value, dict | list) or not isinstance(value, Hashable):
            raise DocumentError(f"the key at line {line} is not a string")
        # The source text of the key: 200 and yes are names here.
        key = event.value if type(event).__name__ == "ScalarEvent" else _text(value)
        if key in holder and key != "<<":
            self.duplicate_keys.append((line, key))
        if len(self._open) <= _LINES_KEPT:
            outer = [key for key in self._path[1:] if key is not None]
            if len(outer) == len(self._open) - 1:
                self.lines[*outer, key] = line
        return str(key)


def _is_merge(value: Any) -> bool:
    return isinstance(value, dict) or (
        isinstance(value, list) and all(isinstance(item, dict) for item in value)
    )


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _scalar(event: Any) -> Any:
    """Return the value of a scalar by the core schema of YAML 1.2."""
    text: str = event.value
    if not event.implicit[0]:
        return text
    if text in _CONSTANTS:
        return _CONSTANTS[text]
    if _INTEGER.match(text):
        return int(text) if len(text) < 4_000 else float(text)
    if _FLOAT.match(text):
        return float(text)
    return text


def _check_aliases(value: Any) -> None:
    """Check that aliases are not circular and expand to at most ``MAX_VALUES`` values."""
    sizes: dict[int, int] = {}
    waiting: list[tuple[Any, bool]] = [(value, False)]
    inside: set[int] = set()
    while waiting:
        node, done = waiting.pop()
        if not isinstance(node, dict | list) or (id(node) in sizes and not done):
            continue
        parts = list(node.values()) if isinstance(node, dict) else node
        if done:
            inside.discard(id(node))
            sizes[id(node)] = 1 + sum(sizes.get(id(part), 1) for part in parts)
            if sizes[id(node)] > MAX_VALUES:
                raise DocumentError(f"the YAML aliases expand to more than {MAX_VALUES:,} values")
            continue
        if id(node) in inside:
            raise DocumentError("a YAML alias contains itself")
        inside.add(id(node))
        waiting.append((node, True))
        waiting.extend((part, False) for part in parts)
