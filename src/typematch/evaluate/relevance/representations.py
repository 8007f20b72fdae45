"""Text representations of an operation: those that have been published, and ours.

A representation gives the texts of an operation that are embedded and searched; of several, the
best one counts.  The index stores ``text_fields.operation_fields``, which measured best; the others
are baselines (``evaluate socbench``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from typematch.index.entries.operation_dependencies import PropertyNames, field_names
from typematch.index.text.text_fields import (
    NO_ENRICHMENT,
    Enrichment,
    operation_fields,
)
from typematch.index.text.verbalize import signature_words
from typematch.index.text.words import split_identifier
from typematch.ir.declaration import Declarations
from typematch.ir.entry import Entry
from typematch.ir.render import render
from typematch.ir.types import Array, Intersection, Object, Reference, Type, Union

_DEEPEST = 8  # nested objects
_MAX_LEAVES = 400  # of one operation
_CHUNK = 100  # words of a chunk
_OVERLAP = 20  # words that two chunks share


@dataclass(frozen=True, slots=True)
class OperationSource:
    """An operation, the declarations of its types, and its enrichment."""

    entry: Entry
    declarations: Declarations
    enrichment: Enrichment = NO_ENRICHMENT


Representation = Callable[[OperationSource], Sequence[str]]


def indexed_text(source: OperationSource) -> Sequence[str]:
    """Return the text that the index stores."""
    texts = operation_fields(source.entry, field_names(source.entry, _members(source)))
    return (" ".join(part for part in texts if part),)


def full_text(source: OperationSource) -> Sequence[str]:
    return ("\n".join((*_head(source), *_parameters(source), *_leaves(source))),)


def head_fields(source: OperationSource) -> Sequence[str]:
    """Title, verb, path, summary, description."""
    return ("\n".join((source.entry.service, *_head(source))),)


def without_schemas(source: OperationSource) -> Sequence[str]:
    """Head and parameters, without the schemas of body and response."""
    return ("\n".join((*_head(source), *_parameters(source))),)


def identifiers(source: OperationSource) -> Sequence[str]:
    """Path, operationId and the names of parameters and properties, split into words."""
    entry = source.entry
    path = entry.endpoint.path if entry.endpoint else ""
    said = (path, entry.name, *field_names(entry, _members(source)))
    return (" ".join(word for name in said for word in split_identifier(name)),)


def leaf_chunks(source: OperationSource) -> Sequence[str]:
    """A line for each leaf of parameters and response, ten lines in a text."""
    lines = [*_head(source), *_leaves(source)]
    return ["\n".join(lines[start : start + 10]) for start in range(0, len(lines), 10)]


def word_chunks(source: OperationSource) -> Sequence[str]:
    """Overlapping chunks of a fixed number of words."""
    words = full_text(source)[0].split()
    step = _CHUNK - _OVERLAP
    starts = range(0, max(len(words) - _OVERLAP, 1), step)
    return [" ".join(words[start : start + _CHUNK]) for start in starts]


def type_sentence(source: OperationSource) -> Sequence[str]:
    """The operation's types in English words."""
    signature = source.entry.signatures[0] if source.entry.signatures else None
    said = "" if signature is None else signature_words(signature.type.calls[0])
    return (f"{' '.join(split_identifier(source.entry.name))}: {said}",)


def summary(source: OperationSource) -> Sequence[str]:
    return (source.enrichment.summary,) if source.enrichment.summary else ()


def questions(source: OperationSource) -> Sequence[str]:
    return source.enrichment.questions


REPRESENTATIONS: Mapping[str, Representation] = {
    "ours": indexed_text,
    "full": full_text,
    "fields": head_fields,
    "thin": without_schemas,
    "names": identifiers,
    "leaves": leaf_chunks,
    "tokens": word_chunks,
    "words": type_sentence,
    "summary": summary,
    "question": questions,
}
# Representations whose rankings are fused by reciprocal rank.
COMBINED = ("fields", "names", "words", "leaves")
MODEL_WRITTEN = frozenset(("summary", "question"))


def _members(source: OperationSource) -> PropertyNames:
    """Return a function from a declaration's key to the names of its properties."""

    def names_of(key: str) -> Sequence[str]:
        declared = source.declarations.get(key)
        if declared is None or not isinstance(declared.type, Object):
            return ()
        return [prop.name for prop in declared.type.properties]

    return names_of


def _head(source: OperationSource) -> Iterator[str]:
    entry = source.entry
    yield entry.http or entry.name
    if entry.doc is not None:
        yield entry.doc.text


def _parameters(source: OperationSource) -> Iterator[str]:
    for signature in source.entry.signatures[:1]:
        for parameter in signature.parameters:
            if parameter.name != "body":
                yield f"{parameter.name}: {render(parameter.resolved)}"
    if source.entry.doc is not None:
        yield from (text for name, text in source.entry.doc.tags if name == "param")


def _leaves(source: OperationSource) -> Iterator[str]:
    if not source.entry.signatures:
        return
    call = source.entry.signatures[0].type.calls[0]
    found = [
        *(
            line
            for parameter in call.parameters
            for line in _leaf(parameter.type, parameter.name, source, 0, ())
        ),
        *_leaf(call.returns, "result", source, 0, ()),
    ]
    yield from found[:_MAX_LEAVES]


def _leaf(
    t: Type, path: str, source: OperationSource, depth: int, seen: tuple[str, ...]
) -> Iterator[str]:
    """Yield ``path.to.leaf: type`` for every leaf of a type; recursive types are cut."""
    if depth > _DEEPEST:
        return
    match t:
        case Object(properties) if properties:
            for prop in properties:
                yield from _leaf(prop.type, f"{path}.{prop.name}", source, depth + 1, seen)
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
