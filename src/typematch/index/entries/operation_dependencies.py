"""Nouns that an operation requires as inputs and provides as results.

``GET /playlists/{playlist_id}/tracks`` requires a playlist; ``GET /me/playlists``, which returns
playlists, provides one.  Nouns are in the singular.  Required nouns come from parameters that
identify something, provided ones from the result type and the path.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from typematch.index.text.verbs import READ_VERBS, SAFE_METHODS
from typematch.index.text.words import singular, split_identifier
from typematch.ir.declaration import is_global
from typematch.ir.entry import Entry
from typematch.ir.types import Array, Intersection, Object, Reference, Type, Union

# From the key of a declaration to the names of its properties.
PropertyNames = Callable[[str], Sequence[str]]

# Words in names of parameters that mean an identifier, not the thing identified.
_IDENTIFIERS = frozenset(
    ("id", "ids", "key", "code", "number", "uuid", "guid", "name", "uri", "uris", "slug", "ref",
     "identifier", "identifiers")
)  # fmt: skip
_MAX_DEPTH = 4  # of nested types


@dataclass(frozen=True, slots=True)
class OperationDependencies:
    """Nouns in the singular, in order."""

    requires: tuple[str, ...] = ()
    provides: tuple[str, ...] = ()


def dependencies_of(entry: Entry, members: PropertyNames) -> OperationDependencies:
    """Return the nouns of an operation; none for any other entry."""
    if entry.kind != "operation":
        return OperationDependencies()
    requires = (
        _required_by_path(entry.endpoint.path) if entry.endpoint else _required_by_parameters(entry)
    )
    provides = _provided(entry, members) if _is_read_only(entry) else ()
    return OperationDependencies(tuple(dict.fromkeys(requires)), tuple(dict.fromkeys(provides)))


def field_names(entry: Entry, members: PropertyNames) -> tuple[str, ...]:
    """Return the names of the properties of an operation's parameters and result."""
    if not entry.signatures:
        return ()
    call = entry.signatures[0].type.calls[0]
    inputs = (
        name for parameter in call.parameters for name in _properties(parameter.type, members, 0)
    )
    return tuple(dict.fromkeys((*inputs, *_properties(call.returns, members, 0))))


def _is_read_only(entry: Entry) -> bool:
    if entry.endpoint is not None:
        return entry.endpoint.method.upper() in SAFE_METHODS
    return split_identifier(entry.name)[:1] in [(verb,) for verb in READ_VERBS]


def _required_by_path(path: str) -> Iterator[str]:
    segments = [segment for segment in path.split("/") if segment]
    for index, segment in enumerate(segments):
        if not segment.startswith("{"):
            continue
        nouns = [word for word in split_identifier(segment) if word not in _IDENTIFIERS]
        if not nouns and index:
            # `/artists/{id}`: the segment before names the thing identified.
            nouns = list(split_identifier(segments[index - 1]))
        if nouns:
            yield singular(nouns[-1])


def _required_by_parameters(entry: Entry) -> Iterator[str]:
    for parameter in entry.signatures[0].parameters if entry.signatures else ():
        words = split_identifier(parameter.name)
        if not parameter.optional and len(words) > 1 and words[-1] in ("id", "ids", "uuid"):
            yield singular(words[-2])


def _provided(entry: Entry, members: PropertyNames) -> Iterator[str]:
    if entry.endpoint is not None:
        literal = [part for part in entry.endpoint.path.split("/") if part and part[0] != "{"]
        yield from (
            singular(word) for word in split_identifier(literal[-1] if literal else "")[-1:]
        )
    for signature in entry.signatures[:1]:
        result = signature.type.calls[0].returns
        for name in _type_names(result, 0):
            yield from (singular(word) for word in split_identifier(name))
        for name in _properties(result, members, 0):
            yield from (singular(word) for word in split_identifier(name)[-1:])


def _type_names(t: Type, depth: int) -> Iterator[str]:
    """Yield the names of the declared types in a result type, not of those inside them."""
    if depth > _MAX_DEPTH:
        return
    match t:
        case Reference(target, arguments):
            if not is_global(target):
                yield target.rpartition("#")[2].rpartition(".")[2]
            for argument in arguments:
                yield from _type_names(argument, depth + 1)
        case Array(element):
            yield from _type_names(element, depth + 1)
        case Union(parts) | Intersection(parts):
            for part in parts:
                yield from _type_names(part, depth + 1)
        case _:
            pass


def _properties(t: Type, members: PropertyNames, depth: int) -> Iterator[str]:
    """Yield the names of a type's properties; of an array, those of its elements."""
    if depth > _MAX_DEPTH:
        return
    match t:
        case Object(properties):
            yield from (member.name for member in properties)
        case Reference(target, arguments):
            # Of a global such as a promise only the type arguments count.
            yield from () if is_global(target) else members(target)
            for argument in arguments:
                yield from _properties(argument, members, depth + 1)
        case Array(element):
            yield from _properties(element, members, depth + 1)
        case Union(parts) | Intersection(parts):
            for part in parts:
                yield from _properties(part, members, depth + 1)
        case _:
            pass
