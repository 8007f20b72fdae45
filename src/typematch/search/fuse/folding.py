"""Fold entries that differ only in where they are declared into the first of them.

Generated typings repeat a member in dozens of interfaces: ``delete_branch_on_merge?: boolean``
occurs twelve times in one package.  The first is listed and says how many others there are.
Functions and methods of several classes are alternatives, so a few of them are listed.

Packages also ship one module in several formats (``client.d.mts`` beside ``client.d.ts``, ``esm/``
beside ``cjs/``, ``client.src.d.ts`` beside ``client.d.ts``), or all modules once more in one file,
and export all of them.  Their declarations are copies of each other.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from typematch.index.store import EntrySummary, RepetitionKey, Store
from typematch.package_names import without_module_format
from typematch.search.fuse.ranked import RankedEntry

_MAX_CALLABLE = 3  # that repeat each other; of fields and constants one is listed
# In an id: the module, and the number of a name that occurs more than once.
_MODULE, _NUMBER = re.compile(r"^.*:"), re.compile(r"~\d+")


class Repetitions(NamedTuple):
    """What tells which of some entries repeat each other.

    Attributes:
        keys: by number, of the entries that share kind and name with another.
        signatures: by number, of those that share package, kind and qualified name.
    """

    keys: Mapping[int, RepetitionKey]
    signatures: Mapping[int, str]


def read_repetitions(summaries: Sequence[EntrySummary], store: Store) -> Repetitions:
    """Return what ``fold_repetitions`` needs to know about these entries."""
    repeated = _sharing(summaries, _name)
    numbers = [summary.number for summary in _sharing(repeated, _name_in_module)]
    signatures = [entry.signature for entry in store.entries(numbers)] if numbers else []
    return Repetitions(
        store.repetition_keys(summary.number for summary in repeated),
        dict(zip(numbers, signatures, strict=True)),
    )


def fold_repetitions(ranked: Sequence[RankedEntry], repetitions: Repetitions) -> list[RankedEntry]:
    """Return the entries without those that repeat earlier ones of the same clause.

    Entries repeat each other if kind, name, type and first sentence are equal.  An entry without
    a type or a signature, such as a class, repeats none.  Entries of two formats of one module
    repeat each other in any case, and so do entries of two modules of a package whose qualified
    name, text and first sentence are equal; the one with the shorter id is listed.
    """
    keys, signatures = repetitions
    listed: dict[tuple[str, RepetitionKey], list[int]] = {}
    places: dict[tuple[object, ...], int] = {}
    folded: list[RankedEntry] = []
    for entry in ranked:
        key = keys.get(entry.summary.number)
        if key is None:
            folded.append(entry)
            continue
        own_places = [(entry.clause, *place) for place in _places(entry, key, signatures)]
        copy = next((places[place] for place in own_places if place in places), None)
        same = listed.setdefault((entry.clause, key), []) if key.is_typed else []
        if copy is not None and folded[copy].summary.path != entry.summary.path:
            folded[copy] = _merge_copies(folded[copy], entry)
        elif len(same) >= (_MAX_CALLABLE if entry.summary.callable else 1):
            first = folded[same[0]]
            folded[same[0]] = first._replace(repetitions=first.repetitions + 1)
        else:
            same.append(len(folded))
            for place in own_places:
                places.setdefault(place, len(folded))
            folded.append(entry)
    return folded


def _sharing(
    summaries: Sequence[EntrySummary], property_of: Callable[[EntrySummary], object]
) -> list[EntrySummary]:
    """Return the entries with a property that another entry has, too."""
    properties = [property_of(summary) for summary in summaries]
    counts = Counter(properties)
    return [
        summary for summary, found in zip(summaries, properties, strict=True) if counts[found] > 1
    ]


def _places(
    entry: RankedEntry, key: RepetitionKey, signatures: Mapping[int, str]
) -> Iterator[tuple[object, ...]]:
    """Yield what copies of a declaration have in common."""
    summary = entry.summary
    path = without_module_format(summary.path)
    yield summary.package, path, summary.line, summary.kind, summary.name
    signature = signatures.get(summary.number)
    if signature is not None and (key.is_typed or key.summary is not None):
        yield *_name_in_module(summary), signature, key.summary


def _name(summary: EntrySummary) -> tuple[str, str]:
    return summary.kind, summary.name


def _name_in_module(summary: EntrySummary) -> tuple[str, str, str]:
    """Return package, kind and qualified name of an entry, without its module."""
    name = summary.id[len(summary.package) + 1 :]
    return summary.package, summary.kind, _NUMBER.sub("", _MODULE.sub("", name))


def _merge_copies(first: RankedEntry, other: RankedEntry) -> RankedEntry:
    """Return the copy with the shorter id, in the rank of the first."""
    shown = min(first, other, key=lambda entry: len(entry.summary.id))
    return shown._replace(fused_score=first.fused_score, repetitions=first.repetitions + 1)
