"""Types in English words, for the full-text index.

``(xs: T[], n?: number) => Map<string, T[]>`` becomes "takes list of T xs and number n, returns map
from string to list of T".  The words are those of queries, not of the compiler; the text is
searched, never parsed.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TypeAlias

from typematch.index.text.words import split_identifier
from typematch.ir.type_parts import Signature
from typematch.ir.types import (
    Array,
    Conditional,
    IndexedAccess,
    Intersection,
    Intrinsic,
    KeyOf,
    Literal,
    Mapped,
    Named,
    Object,
    Reference,
    Template,
    Tuple,
    Type,
    TypeOf,
    Union,
    Var,
)

Names: TypeAlias = tuple[tuple[str, ...], ...]

_MAX_DEPTH = 4  # of nested types
_MAX_MEMBERS = 6  # of a union, tuple or object
# Type parameters of a signature whose names are known.  The names are part of a memo's key, so that
# the words of n parameters would take n hashes of n names.
_MAX_NAMES = 64
_OMITTED = frozenset(("any", "unknown", "unannotated", "unreadable", "intrinsic", "this"))
_INTRINSICS = {
    "void": "nothing",
    "never": "never",
    "object": "object",
    "symbol": "symbol",
    "bigint": "bigint integer",
    "_": "",
    "...": "",
}
# Words for global types; ``{}`` stands for the type arguments.
_PATTERNS = {
    "Array": "list of {}",
    "ReadonlyArray": "list of {}",
    "Promise": "promise of {}",
    "PromiseLike": "promise of {}",
    "Map": "map from {}",
    "ReadonlyMap": "map from {}",
    "WeakMap": "map from {}",
    "Set": "set of {}",
    "ReadonlySet": "set of {}",
    "Record": "record object dictionary from {}",
    "Iterable": "iterable of {}",
    "Iterator": "iterator of {}",
    "IterableIterator": "iterator of {}",
    "AsyncIterable": "async iterable stream of {}",
    "AsyncIterator": "async iterator of {}",
    "AsyncIterableIterator": "async iterator of {}",
    "Partial": "partial {}",
    "Readonly": "readonly {}",
    "RegExp": "regular expression",
    "Function": "function",
}
_MAP_TYPES = frozenset(("Map", "ReadonlyMap", "WeakMap", "Record"))


def signature_words(call: Signature, names: Sequence[str] = (), outer: Sequence[str] = ()) -> str:
    """Return "takes a list of T and a size, returns a list of lists of T".

    Args:
        names: of the signature's type parameters.
        outer: names of the container's type parameters.
    """
    enclosing = tuple(outer[:_MAX_NAMES])
    stack: Names = (enclosing, tuple(names[:_MAX_NAMES])) if call.type_parameters else (enclosing,)
    parameters = [
        _parameter(parameter.name, parameter.type, stack) for parameter in call.parameters
    ]
    taken = f"takes {' and '.join(parameters)}" if parameters else "takes nothing"
    if call.predicate is not None:
        narrowed = call.predicate.type
        narrowed_words = "" if narrowed is None else _words(narrowed, stack, 1)
        verb = "asserts" if call.predicate.asserts else "type guard tells whether"
        return f"{taken}, {verb} it is {narrowed_words}".rstrip()
    return f"{taken}, returns {_words(call.returns, stack, 0) or 'anything'}"


def type_words(t: Type, names: Sequence[str] = ()) -> str:
    """Return a type in words, empty for ``any`` and the like; ``names`` of its type variables."""
    return _words(t, (tuple(names[:_MAX_NAMES]),), 0)


def _parameter(name: str, t: Type, names: Names) -> str:
    words = " ".join(split_identifier(name))
    type_text = _words(t, names, 0)
    return type_text if not words or words == type_text else f"{type_text} {words}".strip()


@lru_cache(maxsize=20_000)
def _words(t: Type, names: Names, depth: int) -> str:
    if depth > _MAX_DEPTH:
        return ""
    match t:
        case Intrinsic(name):
            return "" if name in _OMITTED else _INTRINSICS.get(name, name)
        case Literal(_, text):
            return " ".join(split_identifier(text)[:_MAX_MEMBERS])
        case Template():
            return "string"
        case Array(element):
            return _fill("list of {}", _words(element, names, depth + 1))
        case Tuple(elements):
            return _tuple(
                [_words(element.type, names, depth + 1) for element in elements[:_MAX_MEMBERS]]
            )
        case Union(members):
            return _union(members, names, depth)
        case Intersection(members):
            return " and ".join(_words_of(members, names, depth))
        case Object():
            return _object(t, names, depth)
        case Var(level, index):
            return _variable(level, index, names)
        case Reference(target, arguments):
            return _reference(target.rpartition("#")[2], arguments, names, depth)
        case Named(path, arguments):
            return _reference(".".join(path), arguments, names, depth)
        case KeyOf(inner):
            return _fill("key of {}", _words(inner, names, depth + 1))
        case IndexedAccess(object_, _):
            return _fill("value of {}", _words(object_, names, depth + 1))
        case Mapped():
            return "object"
        case Conditional(_, _, yes, no):
            return " or ".join(dict.fromkeys(_words_of((yes, no), (*names, ()), depth)))
        case TypeOf(target):
            return _words(target, names, depth + 1)
        case _:
            return ""


def _words_of(types: Sequence[Type], names: Names, depth: int) -> list[str]:
    texts = (_words(t, names, depth + 1) for t in types[:_MAX_MEMBERS])
    return [text for text in texts if text]


def _fill(pattern: str, inner: str) -> str:
    return pattern.format(inner) if inner else pattern.partition(" of {}")[0].partition(" {}")[0]


def _tuple(elements: Sequence[str]) -> str:
    head = "pair" if len(elements) == 2 else "tuple"
    inner = " and ".join(element for element in elements if element)
    return f"{head} of {inner}" if inner else head


def _union(members: Sequence[Type], names: Names, depth: int) -> str:
    """Return the members joined by "or", ``undefined`` and ``null`` last."""
    texts = list(dict.fromkeys(_words_of(members, names, depth)))
    last = [text for text in texts if text in ("undefined", "null")]
    return " or ".join([*(text for text in texts if text not in last), *last])


def _object(t: Object, names: Names, depth: int) -> str:
    calls = t.calls or t.constructs
    if calls:
        return _function(calls[0], names, depth)
    if t.indexes and not t.properties:
        key, value = t.indexes[0].key, t.indexes[0].type
        inner = " to ".join(_words_of((key, value), names, depth))
        return _fill("record object dictionary from {}", inner) if inner else "object"
    fields = [" ".join(split_identifier(field.name)) for field in t.properties[:_MAX_MEMBERS]]
    return f"object with {' and '.join(fields)}" if fields else "object"


def _function(call: Signature, names: Names, depth: int) -> str:
    stack = (*names, ()) if call.type_parameters else names
    taken = _words_of([parameter.type for parameter in call.parameters], stack, depth)
    head = "function"
    if call.predicate is not None:
        head = "type guard predicate function"
    elif isinstance(call.returns, Intrinsic) and call.returns.name == "boolean":
        head = "comparator function" if len(taken) > 1 else "predicate function"
    elif isinstance(call.returns, Intrinsic) and call.returns.name == "void":
        head = "callback function"
    inner = " and ".join(taken)
    result = _words(call.returns, stack, depth + 1)
    return " ".join(
        part
        for part in (head, inner and f"from {inner}", result and f"to {result}")
        if part and not (part == "to nothing" or part == "to boolean")
    )


def _variable(level: int, index: int, names: Names) -> str:
    if level < len(names) and index < len(names[-1 - level]):
        return names[-1 - level][index]
    return ""


def _reference(path: str, arguments: Sequence[Type], names: Names, depth: int) -> str:
    name = path.rpartition(".")[2]
    argument_words = _words_of(arguments, names, depth)
    pattern = _PATTERNS.get(name)
    if pattern is None:
        head = " ".join(split_identifier(name))
        return f"{head} of {' and '.join(argument_words)}" if argument_words else head
    inner = (" to " if name in _MAP_TYPES else " and ").join(argument_words)
    if "{}" in pattern and not inner:
        return pattern.partition(" of {}")[0].partition(" from {}")[0].partition(" {}")[0]
    return pattern.format(inner)
