"""Hand over arguments as parts of an options object: ``map(xs, f, { concurrency: 2 })``.

Who types ``(f: (x: A) => B, xs: A[], concurrency: number) => B[]`` names what he wants to say; a
function that has a property of that name in one of its parameters may take it there.
"""

from __future__ import annotations

from collections.abc import Iterator

from typematch.ir.constructors import constituents
from typematch.ir.types import Intersection, Object, Reference, Type
from typematch.match.edit_kinds import GATHERED, Edit
from typematch.match.edits.call_layout import CallLayout
from typematch.match.edits.query_signature import QuerySignature
from typematch.program.reduction.reduce import Reducer


class OptionsObjectRewrites:
    """What the parameters of found functions may hold, by name; what is learnt is kept."""

    def __init__(self, reducer: Reducer) -> None:
        self._reducer = reducer
        self._names: dict[Type, frozenset[str]] = {}

    def ways(
        self, call: CallLayout, asked: QuerySignature
    ) -> Iterator[tuple[QuerySignature, Edit]]:
        """Yield the query with some arguments put into one object, and what that costs.

        ``call`` is the found function's, with ``any`` for its type parameters.
        """
        named = {one.name: i for i, one in enumerate(asked.rigid.parameters) if not one.rest}
        for i, place in enumerate(call.places):
            parts = [j for name, j in named.items() if name in self._parts(place.type)]
            if not place.rest and parts:
                names = ", ".join(asked.rigid.parameters[j].name for j in parts)
                edit = Edit(GATHERED, f"$.parameters[{i}]", names, place.name, len(parts) - 1)
                yield asked.gathered(parts, place.name), edit

    def _parts(self, t: Type) -> frozenset[str]:
        """Return the names of the properties that an object of that type may have."""
        found = self._names.get(t)
        if found is None:
            names = self._reducer.apart(lambda: frozenset(self._properties(t)))
            found = self._names[t] = names or frozenset()
        return found

    def _properties(self, t: Type) -> Iterator[str]:
        for member in constituents(self._reducer.normal(t)):
            if isinstance(member, Object | Reference | Intersection):
                shape = self._reducer.shape(member)
                if not (shape.calls or shape.constructs):
                    yield from shape.names
