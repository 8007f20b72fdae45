"""Fold entries that differ only in where they are declared into the first of them.

Generated typings repeat a member in dozens of interfaces: ``delete_branch_on_merge?: boolean``
occurs twelve times in one package.  The first is listed and says how many others there are.
Functions and methods of several classes are alternatives, so a few of them are listed.

Packages also ship one module in several formats (``client.d.mts`` beside ``client.d.ts``, ``esm/``
beside ``cjs/``, ``client.src.d.ts`` beside ``client.d.ts``) and export all of them.  Their
declarations are copies of each other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from typematch.index.store import EntrySummary, RepetitionKey
from typematch.package_names import without_module_format
from typematch.search.fuse.ranked import RankedEntry

_MAX_CALLABLE = 3  # that repeat each other; of fields and constants one is listed


def repeatable(ranked: Sequence[RankedEntry]) -> list[int]:
    """Return the numbers of the entries whose kind and name another entry has, too."""
    kinds_of_names = Counter((entry.summary.kind, entry.summary.name) for entry in ranked)
    return [
        entry.summary.number
        for entry in ranked
        if kinds_of_names[entry.summary.kind, entry.summary.name] > 1
    ]


def fold_repetitions(
    ranked: Sequence[RankedEntry], keys: Mapping[int, RepetitionKey]
) -> list[RankedEntry]:
    """Return the entries without those that repeat earlier ones of the same clause.

    Entries repeat each other if kind, name, type and first sentence are equal.  An entry without
    a type or a signature, such as a class, repeats none.  Entries of two formats of one module
    repeat each other in any case; the one with the shorter id is listed.

    Args:
        keys: of the entries that ``repeatable`` returns.
    """
    listed: dict[tuple[str, RepetitionKey], list[int]] = {}
    places: dict[tuple[object, ...], int] = {}
    folded: list[RankedEntry] = []
    for entry in ranked:
        key = keys.get(entry.summary.number)
        if key is None:
            folded.append(entry)
            continue
        place = (entry.clause, *_place(entry.summary))
        copy = places.get(place)
        same = listed.setdefault((entry.clause, key), []) if key.is_typed else []
        if copy is not None and folded[copy].summary.path != entry.summary.path:
            folded[copy] = _merge_copies(folded[copy], entry)
        elif len(same) >= (_MAX_CALLABLE if entry.summary.callable else 1):
            first = folded[same[0]]
            folded[same[0]] = first._replace(repetitions=first.repetitions + 1)
        else:
            same.append(len(folded))
            places.setdefault(place, len(folded))
            folded.append(entry)
    return folded


def _place(summary: EntrySummary) -> tuple[object, ...]:
    """Return where an entry is declared, whatever the format of the module."""
    path = without_module_format(summary.path)
    return summary.package, path, summary.line, summary.kind, summary.name


def _merge_copies(first: RankedEntry, other: RankedEntry) -> RankedEntry:
    """Return the copy with the shorter id, in the rank of the first."""
    shown = min(first, other, key=lambda entry: len(entry.summary.id))
    return shown._replace(fused_score=first.fused_score, repetitions=first.repetitions + 1)
