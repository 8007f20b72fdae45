"""Options objects: packing query arguments into one, and the properties that may be spread.

In the query ``(f: (x: A) => B, xs: A[], concurrency: number) => B[]`` the parameter names carry
meaning: a candidate may take ``concurrency`` as the property of that name of one of its parameters,
as in ``map(xs, f, { concurrency: 2 })``.
"""

from __future__ import annotations

from collections.abc import Iterator

from typematch.ir.constructors import constituents
from typematch.ir.type_parts import Parameter, Property
from typematch.ir.types import Intersection, Object, Reference, Type
from typematch.match.edit_kinds import PACKED, Edit
from typematch.match.edits.call_layout import CallLayout
from typematch.match.edits.query_signature import QuerySignature
from typematch.program.reduction.reduce import Reducer

_MAX_SPREAD_PROPERTIES = 5


def spreadable_properties(parameter: Parameter) -> tuple[Property, ...]:
    """Return the properties that ``SPREAD`` passes one by one; none unless it is a plain object."""
    t = parameter.type
    if not isinstance(t, Object) or t.calls or t.constructs or t.indexes:
        return ()
    if parameter.optional or parameter.rest or len(t.properties) > _MAX_SPREAD_PROPERTIES:
        return ()
    return t.properties


class OptionsObjectRewrites:
    """Finds parameters with properties named as query arguments; property names are memoized."""

    def __init__(self, reducer: Reducer) -> None:
        self._reducer = reducer
        self._names: dict[Type, frozenset[str]] = {}

    def rewrites(
        self, layout: CallLayout, query: QuerySignature
    ) -> Iterator[tuple[QuerySignature, Edit]]:
        """Yield the query with some arguments packed into one, and the edit for that.

        Args:
            layout: the candidate's, with ``any`` for its type parameters.
        """
        index_by_name = {
            argument.name: position
            for position, argument in enumerate(query.skolemized.parameters)
            if not argument.rest
        }
        for position, parameter in enumerate(layout.parameters):
            packed = [
                index
                for name, index in index_by_name.items()
                if name in self._property_names(parameter.type)
            ]
            if not parameter.rest and packed:
                names = ", ".join(query.skolemized.parameters[index].name for index in packed)
                edit = Edit(
                    PACKED, f"$.parameters[{position}]", names, parameter.name, len(packed) - 1
                )
                yield query.with_packed_arguments(packed, parameter.name), edit

    def _property_names(self, t: Type) -> frozenset[str]:
        """Return the property names of ``t``; none if a limit is reached."""
        known = self._names.get(t)
        if known is None:
            names = self._reducer.with_own_budget(lambda: frozenset(self._iter_property_names(t)))
            known = self._names[t] = names or frozenset()
        return known

    def _iter_property_names(self, t: Type) -> Iterator[str]:
        for member in constituents(self._reducer.normal(t)):
            if isinstance(member, Object | Reference | Intersection):
                members = self._reducer.members_of(member)
                if not (members.calls or members.constructs):
                    yield from members.names
