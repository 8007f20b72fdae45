"""Fold entries that differ only in where they are declared into the first of them.

Generated typings repeat a member in dozens of interfaces: ``delete_branch_on_merge?: boolean``
occurs twelve times in one package.  The first is listed and says how many others there are.
Functions and methods of several classes are alternatives, so a few of them are listed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from typematch.search.fuse.ranked import RankedEntry

_MAX_CALLABLE = 3  # of one form; of fields and constants one is listed


def fold_repetitions(
    ranked: Sequence[RankedEntry], forms: Mapping[int, tuple[object, ...]]
) -> list[RankedEntry]:
    """Return the entries without those that repeat earlier ones of the same clause.

    Entries repeat each other if kind, name, type and first sentence are equal.  An entry without
    a type or a signature, such as a class, repeats none.

    Args:
        forms: by entry number, as ``Store.forms`` returns them.
    """
    listed: dict[tuple[object, ...], list[int]] = {}
    folded: list[RankedEntry] = []
    for entry in ranked:
        form = forms[entry.summary.number]
        _, _, type_, _, *functions = form
        if type_ is not None or functions:
            same = listed.setdefault((entry.clause, *form), [])
            if len(same) >= (_MAX_CALLABLE if entry.summary.callable else 1):
                first = folded[same[0]]
                folded[same[0]] = replace(first, repetitions=first.repetitions + 1)
                continue
            same.append(len(folded))
        folded.append(entry)
    return folded
