"""Check what a plan says of data: may this part of a result be given as that argument?

A place in a type is a path of names, ``songs[].id`` or ``body.songId``: of a list the items are
meant, and of a promise what it promises.  Where a name leads nowhere, or types say nothing, it
stays open whether the data fits.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from typematch.ir.constructors import closed, promised, union
from typematch.ir.entry import Entry
from typematch.ir.render import render
from typematch.ir.types import (
    ANY,
    UNANNOTATED,
    UNDEFINED,
    UNKNOWN,
    VOID,
    Array,
    IndexedAccess,
    Type,
    Union,
)
from typematch.ir.types import Literal as LiteralType
from typematch.match.strictness import Strictness
from typematch.match.verdict import Fit, Undecided
from typematch.search.score.scoring import TypeScorers

if TYPE_CHECKING:
    from typematch.index.store import Store

Verdict = Literal["fits", "does not fit", "not known"]

_NAME = re.compile(r"[A-Za-z_$][\w$]*")
# What speaks of a result as a whole.
_WHOLE = frozenset(("result", "response", "return", "returns", "value", "item", "items"))
_SAYS_NOTHING = frozenset((ANY, UNKNOWN, UNANNOTATED))


@dataclass(frozen=True, slots=True)
class DataFlowVerdict:
    """``said``: of which types, or why it is not known."""

    verdict: Verdict
    said: str


class DataFlowChecker:
    """Judges data that goes from entry to entry of one store."""

    def __init__(self, store: Store) -> None:
        self._relation = TypeScorers(store, Strictness.ASSIGNABLE).relation

    def check(self, source: Entry, gives: str, target: Entry, takes: str) -> DataFlowVerdict:
        """Return whether ``gives`` of what ``source`` returns may be ``takes`` of ``target``."""
        apart = self._relation.reducer.apart
        given = apart(lambda: list(self._results(source, _NAME.findall(gives))))
        taken = apart(lambda: list(self._arguments(target, _NAME.findall(takes))))
        if given is None or taken is None:
            return DataFlowVerdict("not known", "these types take too much work to follow")
        if not given:
            return DataFlowVerdict(
                "not known", f"{source.name} gives nothing that is called {gives}"
            )
        if not taken:
            return DataFlowVerdict(
                "not known", f"{target.name} takes nothing that is called {takes}"
            )
        said = f"{render(given[0])} to {render(taken[0])}"
        undecided = False
        for one in given:
            for other in taken:
                verdict = self._relation.assign(closed(one, ANY), closed(other, ANY))
                if isinstance(verdict, Fit):
                    return DataFlowVerdict("fits", f"{render(one)} to {render(other)}")
                undecided = undecided or isinstance(verdict, Undecided)
        return DataFlowVerdict("not known" if undecided else "does not fit", said)

    def _results(self, entry: Entry, path: Sequence[str]) -> Iterator[Type]:
        for signature in entry.signatures:
            yield from self._at(signature.returned, path)
            if path and path[0] in _WHOLE:
                yield from self._at(signature.returned, path[1:])

    def _arguments(self, entry: Entry, path: Sequence[str]) -> Iterator[Type]:
        for signature in entry.signatures:
            for parameter in signature.parameters:
                if path[:1] == [parameter.name]:
                    yield from self._at(parameter.resolved, path[1:])
                elif path:  # a field of the body, which is often called by its name alone
                    yield from self._at(parameter.resolved, path)

    def _at(self, found: Type, path: Sequence[str]) -> Iterator[Type]:
        """Yield the type at a path of names, if there is one that says something."""
        normal = self._relation.reducer.normal
        whole = normal(found)
        inside = _present(promised(whole) or whole)
        if not path:
            if inside not in _SAYS_NOTHING:
                yield inside
            return
        for one in (inside, _items(normal(inside))):
            part = normal(IndexedAccess(one, LiteralType("string", path[0])))
            if part not in _SAYS_NOTHING:
                yield from self._at(part, path[1:])
                return


def _items(found: Type) -> Type:
    return found.element if isinstance(found, Array) else found


def _present(found: Type) -> Type:
    """Return a type without ``undefined``: a plan may rely on what is usually there."""
    if not isinstance(found, Union):
        return found
    there = [one for one in found.members if one not in (UNDEFINED, VOID)]
    return union(there) if there else found
