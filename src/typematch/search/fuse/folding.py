"""Fold entries that differ only in where they are declared into the first of them.

Generated typings repeat a member in dozens of interfaces: ``delete_branch_on_merge?: boolean``
occurs twelve times in one package.  The first is listed and says how many others there are.
Functions and methods of several classes are alternatives, so a few of them are listed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from typematch.search.fuse.ranked import RankedEntry

_MAX_CALLABLE = 3  # of one form; of fields and constants one is listed


def repeatable(ranked: Sequence[RankedEntry]) -> list[int]:
    """Return the numbers of the entries whose kind and name another entry has, too."""
    kinds_of_names = Counter((entry.summary.kind, entry.summary.name) for entry in ranked)
    return [
        entry.summary.number
        for entry in ranked
        if kinds_of_names[entry.summary.kind, entry.summary.name] > 1
    ]


def fold_repetitions(
    ranked: Sequence[RankedEntry], forms: Mapping[int, tuple[object, ...]]
) -> list[RankedEntry]:
    """Return the entries without those that repeat earlier ones of the same clause.

    Entries repeat each other if kind, name, type and first sentence are equal.  An entry without
    a type or a signature, such as a class, repeats none.

    Args:
        forms: of the entries that ``repeatable`` returns, as ``Store.forms`` returns them.
    """
    listed: dict[tuple[object, ...], list[int]] = {}
    folded: list[RankedEntry] = []
    for entry in ranked:
        form = forms.get(entry.summary.number)
        if form is not None and _is_typed(form):
            same = listed.setdefault((entry.clause, *form), [])
            if len(same) >= (_MAX_CALLABLE if entry.summary.callable else 1):
                first = folded[same[0]]
                folded[same[0]] = replace(first, repetitions=first.repetitions + 1)
                continue
            same.append(len(folded))
        folded.append(entry)
    return folded


def _is_typed(form: tuple[object, ...]) -> bool:
    _, _, type_, _, *functions = form
    return type_ is not None or bool(functions)
