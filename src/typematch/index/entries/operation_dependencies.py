"""Say which things an operation needs before it can be called, and which it gives.

``GET /playlists/{playlist_id}/tracks`` needs a playlist; ``GET /me/playlists``, which answers with
playlists, gives one.  Things are nouns in the singular.  What is needed is read from parameters
that identify something, what is given from the type of the answer and from the path.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from typematch.index.text.words import singular, split_identifier
from typematch.ir.entry import Entry
from typematch.ir.types import Array, Intersection, Object, Reference, Type, Union

# Returns the names of the properties that the declaration of a key has.
Members = Callable[[str], Sequence[str]]

# Words of a parameter's name that say only that it identifies something.
_IDENTIFIERS = frozenset(
    ("id", "ids", "key", "code", "number", "uuid", "guid", "name", "uri", "uris", "slug", "ref",
     "identifier", "identifiers")
)  # fmt: skip
_READING = ("get", "list", "find", "search", "fetch", "read", "load", "query", "lookup")
_SAFE = frozenset(("GET", "HEAD"))
_DEEPEST = 4  # types inside types that are looked through


@dataclass(frozen=True, slots=True)
class OperationDependencies:
    """Nouns in the singular, in order."""

    needs: tuple[str, ...] = ()
    gives: tuple[str, ...] = ()


def supplies_of(entry: Entry, members: Members) -> OperationDependencies:
    """Return what an operation needs and gives; nothing for any other entry."""
    if entry.kind != "operation":
        return OperationDependencies()
    needs = _needs_of_path(entry.endpoint.path) if entry.endpoint else _needs_of_call(entry)
    gives = _gives(entry, members) if _only_reads(entry) else ()
    return OperationDependencies(tuple(dict.fromkeys(needs)), tuple(dict.fromkeys(gives)))


def field_names(entry: Entry, members: Members) -> tuple[str, ...]:
    """Return the names of what an operation takes, and of the properties of its answer."""
    if not entry.signatures:
        return ()
    call = entry.signatures[0].type.calls[0]
    taken = (name for one in call.parameters for name in _properties(one.type, members, 0))
    return tuple(dict.fromkeys((*taken, *_properties(call.returns, members, 0))))


def _only_reads(entry: Entry) -> bool:
    if entry.endpoint is not None:
        return entry.endpoint.method.upper() in _SAFE
    return split_identifier(entry.name)[:1] in [(word,) for word in _READING]


def _needs_of_path(path: str) -> Iterator[str]:
    segments = [segment for segment in path.split("/") if segment]
    for place, segment in enumerate(segments):
        if not segment.startswith("{"):
            continue
        said = [word for word in split_identifier(segment) if word not in _IDENTIFIERS]
        if not said and place:
            # `/artists/{id}`: what stands before it says of what.
            said = list(split_identifier(segments[place - 1]))
        if said:
            yield singular(said[-1])


def _needs_of_call(entry: Entry) -> Iterator[str]:
    for one in entry.signatures[0].parameters if entry.signatures else ():
        words = split_identifier(one.name)
        if not one.optional and len(words) > 1 and words[-1] in ("id", "ids", "uuid"):
            yield singular(words[-2])


def _gives(entry: Entry, members: Members) -> Iterator[str]:
    if entry.endpoint is not None:
        literal = [part for part in entry.endpoint.path.split("/") if part and part[0] != "{"]
        yield from (
            singular(word) for word in split_identifier(literal[-1] if literal else "")[-1:]
        )
    for signature in entry.signatures[:1]:
        answer = signature.type.calls[0].returns
        for name in _types_named(answer, 0):
            yield from (singular(word) for word in split_identifier(name))
        for name in _properties(answer, members, 0):
            yield from (singular(word) for word in split_identifier(name)[-1:])


def _types_named(t: Type, depth: int) -> Iterator[str]:
    """Yield the names of the declared types that an answer is made of, not those inside them."""
    if depth > _DEEPEST:
        return
    match t:
        case Reference(target, arguments):
            if not target.startswith("global#"):
                yield target.rpartition("#")[2].rpartition(".")[2]
            for one in arguments:
                yield from _types_named(one, depth + 1)
        case Array(element):
            yield from _types_named(element, depth + 1)
        case Union(parts) | Intersection(parts):
            for part in parts:
                yield from _types_named(part, depth + 1)
        case _:
            pass


def _properties(t: Type, members: Members, depth: int) -> Iterator[str]:
    """Yield the names of a type's own properties, those of an array's items for an array."""
    if depth > _DEEPEST:
        return
    match t:
        case Object(properties):
            yield from (one.name for one in properties)
        case Reference(target, arguments):
            # A promise is not what it promises.
            yield from () if target.startswith("global#") else members(target)
            for one in arguments:
                yield from _properties(one, members, depth + 1)
        case Array(element):
            yield from _properties(element, members, depth + 1)
        case Union(parts) | Intersection(parts):
            for part in parts:
                yield from _properties(part, members, depth + 1)
        case _:
            pass
