"""Hold what a model says of a function against its types.

A model may call a function "takes a string" when it does not.  Its sentence is read as a search
reads a sentence, and what that says for sure is asked of the relation.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from typematch.ir.constructors import closed, promised
from typematch.ir.entry import Entry, EntryParameter
from typematch.ir.types import ANY, Array, Type
from typematch.query.english.sentence_constraints import read_phrases, sure_constraints
from typematch.query.model import TypeValue
from typematch.search.prepare.name_resolution import resolve_type
from typematch.search.score.scoring import TypeScorers

if TYPE_CHECKING:
    from typematch.index.store import Store


class ClaimChecker:
    """What types say of the entries of one store; ``judges`` are of that store."""

    def __init__(self, store: Store, judges: TypeScorers) -> None:
        self._store = store
        self._judges = judges

    def contradict(self, sentence: str, entry: Entry) -> bool:
        """Whether ``sentence`` says something of the types of ``entry`` that is not so.

        What is not said for certain, and what names no type here, contradicts nothing.
        """
        if not sentence or not entry.signatures:
            return False
        return any(
            not self._holds(one.key, value.type, entry)
            for one in sure_constraints(read_phrases(sentence, self._store))
            if one.key in ("param", "returns") and not one.negated
            for value in one.values
            if isinstance(value, TypeValue)
        )

    def _holds(self, key: str, claimed: Type, entry: Entry) -> bool:
        resolved = resolve_type(claimed, self._store)
        if resolved.notices:  # a name that is found nowhere: nothing can be said
            return True
        readings = [closed(one, ANY) for one in resolved.readings]
        if key == "param":
            places = [_place(one) for each in entry.signatures for one in each.parameters]
            return self._any(readings, [closed(place, ANY) for place in places])
        results = [form for each in entry.signatures for form in _results(each.returned)]
        return self._any([closed(form, ANY) for form in results], readings)

    def _any(self, sources: Sequence[Type], targets: Sequence[Type]) -> bool:
        return any(self._judges.assigns(one, other) for one in sources for other in targets)


def _place(parameter: EntryParameter) -> Type:
    """Return what one argument must be: of a rest parameter an element."""
    found = parameter.resolved
    return found.element if parameter.rest and isinstance(found, Array) else found


def _results(returned: Type) -> Sequence[Type]:
    """Return a result as it is, and awaited where it is a promise: both are said."""
    inner = promised(returned)
    return (returned,) if inner is None else (returned, inner)
