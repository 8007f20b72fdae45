"""Say a type in English: ``(xs: T[], n?: number) => Map<string, T[]>`` takes a list of T.

The words are those with which people ask, not those of the compiler, and only words: what is said
here is searched, never read back.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TypeAlias

from typematch.index.text.words import split_identifier
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
    Signature,
    Template,
    Tuple,
    Type,
    TypeOf,
    Union,
    Var,
)

Names: TypeAlias = tuple[tuple[str, ...], ...]

_DEEPEST = 4  # types inside types that are still said
_MOST = 6  # members of a union, a tuple, an object that are said
_SILENT = frozenset(("any", "unknown", "unannotated", "unreadable", "intrinsic", "this"))
_INTRINSICS = {
    "void": "nothing",
    "never": "never",
    "object": "object",
    "symbol": "symbol",
    "bigint": "bigint integer",
    "_": "",
    "...": "",
}
# What a global is, in the words people ask with; ``{}`` is where its arguments are said.
_GENERICS = {
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
_KEYED = frozenset(("Map", "ReadonlyMap", "WeakMap", "Record"))


def say_signature(call: Signature, names: Sequence[str] = (), outer: Sequence[str] = ()) -> str:
    """Return "takes a list of T and a size, returns a list of lists of T".

    Args:
        names: of the signature's type parameters; ``outer`` of those around it.
    """
    stack: Names = (tuple(outer), tuple(names)) if call.type_parameters else (tuple(outer),)
    taken = [_parameter(one.name, one.type, stack) for one in call.parameters]
    said = f"takes {' and '.join(taken)}" if taken else "takes nothing"
    if call.predicate is not None:
        narrowed = call.predicate.type
        what = "" if narrowed is None else _say(narrowed, stack, 1)
        verb = "asserts" if call.predicate.asserts else "type guard tells whether"
        return f"{said}, {verb} it is {what}".rstrip()
    return f"{said}, returns {_say(call.returns, stack, 0) or 'anything'}"


def say_type(t: Type, names: Sequence[str] = ()) -> str:
    """Return a type in words, empty where there is nothing to say; ``names`` of its variables."""
    return _say(t, (tuple(names),), 0)


def _parameter(name: str, t: Type, names: Names) -> str:
    words = " ".join(split_identifier(name))
    said = _say(t, names, 0)
    return said if not words or words == said else f"{said} {words}".strip()


@lru_cache(maxsize=20_000)
def _say(t: Type, names: Names, depth: int) -> str:
    if depth > _DEEPEST:
        return ""
    match t:
        case Intrinsic(name):
            return "" if name in _SILENT else _INTRINSICS.get(name, name)
        case Literal(_, text):
            return " ".join(split_identifier(text)[:_MOST])
        case Template():
            return "string"
        case Array(element):
            return _filled("list of {}", _say(element, names, depth + 1))
        case Tuple(elements):
            return _tuple([_say(one.type, names, depth + 1) for one in elements[:_MOST]])
        case Union(members):
            return _union(members, names, depth)
        case Intersection(members):
            return " and ".join(_some(members, names, depth))
        case Object():
            return _object(t, names, depth)
        case Var(level, index):
            return _variable(level, index, names)
        case Reference(target, arguments):
            return _reference(target.rpartition("#")[2], arguments, names, depth)
        case Named(path, arguments):
            return _reference(".".join(path), arguments, names, depth)
        case KeyOf(inner):
            return _filled("key of {}", _say(inner, names, depth + 1))
        case IndexedAccess(object_, _):
            return _filled("value of {}", _say(object_, names, depth + 1))
        case Mapped():
            return "object"
        case Conditional(_, _, yes, no):
            return " or ".join(dict.fromkeys(_some((yes, no), (*names, ()), depth)))
        case TypeOf(target):
            return _say(target, names, depth + 1)
        case _:
            return ""


def _some(types: Sequence[Type], names: Names, depth: int) -> list[str]:
    said = (_say(one, names, depth + 1) for one in types[:_MOST])
    return [one for one in said if one]


def _filled(pattern: str, inner: str) -> str:
    return pattern.format(inner) if inner else pattern.partition(" of {}")[0].partition(" {}")[0]


def _tuple(elements: Sequence[str]) -> str:
    head = "pair" if len(elements) == 2 else "tuple"
    inner = " and ".join(one for one in elements if one)
    return f"{head} of {inner}" if inner else head


def _union(members: Sequence[Type], names: Names, depth: int) -> str:
    """Say alternatives; ``undefined`` and ``null`` last, as one speaks."""
    said = list(dict.fromkeys(_some(members, names, depth)))
    last = [one for one in said if one in ("undefined", "null")]
    return " or ".join([*(one for one in said if one not in last), *last])


def _object(t: Object, names: Names, depth: int) -> str:
    calls = t.calls or t.constructs
    if calls:
        return _function(calls[0], names, depth)
    if t.indexes and not t.properties:
        key, value = t.indexes[0].key, t.indexes[0].type
        inner = " to ".join(_some((key, value), names, depth))
        return _filled("record object dictionary from {}", inner) if inner else "object"
    fields = [" ".join(split_identifier(one.name)) for one in t.properties[:_MOST]]
    return f"object with {' and '.join(fields)}" if fields else "object"


def _function(call: Signature, names: Names, depth: int) -> str:
    stack = (*names, ()) if call.type_parameters else names
    taken = _some([one.type for one in call.parameters], stack, depth)
    head = "function"
    if call.predicate is not None:
        head = "type guard predicate function"
    elif isinstance(call.returns, Intrinsic) and call.returns.name == "boolean":
        head = "comparator function" if len(taken) > 1 else "predicate function"
    elif isinstance(call.returns, Intrinsic) and call.returns.name == "void":
        head = "callback function"
    inner = " and ".join(taken)
    result = _say(call.returns, stack, depth + 1)
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
    said = _some(arguments, names, depth)
    pattern = _GENERICS.get(name)
    if pattern is None:
        head = " ".join(split_identifier(name))
        return f"{head} of {' and '.join(said)}" if said else head
    inner = (" to " if name in _KEYED else " and ").join(said)
    if "{}" in pattern and not inner:
        return pattern.partition(" of {}")[0].partition(" from {}")[0].partition(" {}")[0]
    return pattern.format(inner)
