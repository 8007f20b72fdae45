"""Say an operation in each of the ways that have been published, and in ours.

A recipe makes of an operation the texts that are embedded and searched: one, or several of which
the best counts.  ``views.operation_views`` is what the index holds, because it was measured best;
the others are here to measure it against (``evaluate socbench``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from typematch.index.entries.operation_dependencies import Members, field_names
from typematch.index.text.text_views import NOTHING_TOLD, Enrichment, columns, operation_views
from typematch.index.text.verbalize import say_signature
from typematch.index.text.words import split_identifier
from typematch.ir.declaration import Declarations
from typematch.ir.entry import Entry
from typematch.ir.render import render
from typematch.ir.types import Array, Intersection, Object, Reference, Type, Union

_DEEPEST = 8  # objects inside objects
_MOST_LEAVES = 400  # of one operation
_CHUNK = 100  # words of a text of fixed size, and how many it shares with the next one
_OVERLAP = 20


@dataclass(frozen=True, slots=True)
class Source:
    """An operation, what its types refer to, and what a model said of it."""

    entry: Entry
    declarations: Declarations
    told: Enrichment = NOTHING_TOLD


Recipe = Callable[[Source], Sequence[str]]


def ours(source: Source) -> Sequence[str]:
    """Return what the index holds of an operation, in one text."""
    views = operation_views(source.entry, field_names(source.entry, _members(source)))
    return (" ".join(part for part in columns(views) if part),)


def full(source: Source) -> Sequence[str]:
    return ("\n".join((*_head(source), *_parameters(source), *_leaves(source))),)


def fields(source: Source) -> Sequence[str]:
    """Title, verb, path, summary, description."""
    return ("\n".join((source.entry.service, *_head(source))),)


def thin(source: Source) -> Sequence[str]:
    """Everything but bodies and answers."""
    return ("\n".join((*_head(source), *_parameters(source))),)


def names(source: Source) -> Sequence[str]:
    """Path, operationId and the names of parameters and properties, split into words."""
    entry = source.entry
    path = entry.endpoint.path if entry.endpoint else ""
    said = (path, entry.name, *field_names(entry, _members(source)))
    return (" ".join(word for name in said for word in split_identifier(name)),)


def leaves(source: Source) -> Sequence[str]:
    """A line for each leaf of what is taken and answered, ten in a text."""
    lines = [*_head(source), *_leaves(source)]
    return ["\n".join(lines[start : start + 10]) for start in range(0, len(lines), 10)]


def tokens(source: Source) -> Sequence[str]:
    """Texts of a fixed number of words, each sharing some with the next."""
    words = full(source)[0].split()
    step = _CHUNK - _OVERLAP
    starts = range(0, max(len(words) - _OVERLAP, 1), step)
    return [" ".join(words[start : start + _CHUNK]) for start in starts]


def words(source: Source) -> Sequence[str]:
    """Return the sentence that is made from the types."""
    signature = source.entry.signatures[0] if source.entry.signatures else None
    said = "" if signature is None else say_signature(signature.type.calls[0])
    return (f"{' '.join(split_identifier(source.entry.name))}: {said}",)


def summary(source: Source) -> Sequence[str]:
    return (source.told.summary,) if source.told.summary else ()


def question(source: Source) -> Sequence[str]:
    return source.told.questions


RECIPES: Mapping[str, Recipe] = {
    "ours": ours,
    "full": full,
    "fields": fields,
    "thin": thin,
    "names": names,
    "leaves": leaves,
    "tokens": tokens,
    "words": words,
    "summary": summary,
    "question": question,
}
# What one ranking is made of by agreement of several: the sum of their reciprocal ranks.
CRAFT = ("fields", "names", "words", "leaves")
FROM_A_MODEL = frozenset(("summary", "question"))


def _members(source: Source) -> Members:
    """Return what looks up the names of the properties that a declaration has."""

    def names_of(key: str) -> Sequence[str]:
        declared = source.declarations.get(key)
        if declared is None or not isinstance(declared.type, Object):
            return ()
        return [one.name for one in declared.type.properties]

    return names_of


def _head(source: Source) -> Iterator[str]:
    entry = source.entry
    yield entry.http or entry.name
    if entry.doc is not None:
        yield entry.doc.text


def _parameters(source: Source) -> Iterator[str]:
    for signature in source.entry.signatures[:1]:
        for one in signature.parameters:
            if one.name != "body":
                yield f"{one.name}: {render(one.resolved)}"
    if source.entry.doc is not None:
        yield from (text for name, text in source.entry.doc.tags if name == "param")


def _leaves(source: Source) -> Iterator[str]:
    if not source.entry.signatures:
        return
    call = source.entry.signatures[0].type.calls[0]
    found = [
        *(line for one in call.parameters for line in _leaf(one.type, one.name, source, 0, ())),
        *_leaf(call.returns, "result", source, 0, ()),
    ]
    yield from found[:_MOST_LEAVES]


def _leaf(t: Type, path: str, source: Source, depth: int, seen: tuple[str, ...]) -> Iterator[str]:
    """Yield ``path.to.leaf: type`` for every leaf of a type; one that contains itself ends."""
    if depth > _DEEPEST:
        return
    match t:
        case Object(properties) if properties:
            for one in properties:
                yield from _leaf(one.type, f"{path}.{one.name}", source, depth + 1, seen)
        case Array(element):
            yield from _leaf(element, f"{path}[]", source, depth + 1, seen)
        case Union(parts) | Intersection(parts) if any(_is_deep(part) for part in parts):
            for part in parts:
                yield from _leaf(part, path, source, depth + 1, seen)
        case Reference("global#Promise", arguments):
            for part in arguments:
                yield from _leaf(part, path, source, depth + 1, seen)
        case Reference(target) if target not in seen:
            declared = source.declarations.get(target)
            if declared is not None and declared.type is not None:
                yield from _leaf(declared.type, path, source, depth + 1, (*seen, target))
        case _:
            yield f"{path}: {render(t)}"


def _is_deep(t: Type) -> bool:
    return isinstance(t, Object | Array | Reference)
