"""Write the adapter of a match: an expression of the query's type that calls the candidate."""

from __future__ import annotations

from itertools import chain

from typematch.adapt.call_writer import CallWriter, CodeContext
from typematch.adapt.callee import callee_of
from typematch.adapt.candidate import MatchedCandidate
from typematch.adapt.expressions import Expression, arrow
from typematch.adapt.model import Adapter, AdapterScope, MatchedCall, TypeQueries
from typematch.adapt.query import AdaptedQuery
from typematch.adapt.type_text import mentions_variables
from typematch.ir.types import Object
from typematch.match.edit_kinds import (
    ACCEPTS_ANY_TYPE,
    ALIAS_FOLLOWED,
    CONSTRAINED,
    CONTAINS_ANY,
    INSTANTIATED,
    IS_ANY,
    MISMATCHED,
    NARROWER_RESULT,
    NOT_ANNOTATED,
    OPTIONAL_LEFT_OUT,
    OPTIONAL_SUPPLIED,
    RENAMED,
    SPECIALISED,
    WIDER_PARAMETER,
)

# With these edits alone the compiler assigns the function itself.
_ASSIGNABLE_AS_IT_IS = frozenset(
    (
        *(ACCEPTS_ANY_TYPE, ALIAS_FOLLOWED, CONTAINS_ANY, INSTANTIATED, IS_ANY, NARROWER_RESULT),
        *(NOT_ANNOTATED, OPTIONAL_LEFT_OUT, OPTIONAL_SUPPLIED, RENAMED, WIDER_PARAMETER),
    )
)


def write_adapter(match: MatchedCall, scope: AdapterScope, queries: TypeQueries) -> Adapter | None:
    """Return the adapter of a match; None if its edits do not say how to call the candidate.

    Args:
        queries: answers questions about types.
    """
    if match.overload >= len(match.entry.signatures):
        return None
    if any(edit.kind is MISMATCHED for edit in match.edits):
        return None
    return _AdapterWriter(match, scope, queries).write()


class _AdapterWriter(CallWriter):
    def __init__(self, match: MatchedCall, scope: AdapterScope, queries: TypeQueries) -> None:
        context = CodeContext(scope, queries)
        # The callee comes first: its import keeps its name, and parameters and types that have the
        # same name get a number.
        callee = callee_of(match.entry, scope, context.imports)
        candidate = MatchedCandidate(match, scope)
        query = AdaptedQuery(match, context.names, candidate.parameter_hints())
        for variable in query.variables:
            queries.declare(variable.variable, variable.constraint)
        candidate.infer(query)
        super().__init__(match, context, callee, candidate, query)
        self._undeclared: list[str] = []

    def write(self) -> Adapter | None:
        if not self._is_written():
            return None
        if self._is_assignable_as_it_is():
            assert self.callee.function is not None
            code = self.callee.function
        else:
            code = self._arrow()
        notes = [
            edit.sentence for edit in self.match.edits if edit.kind in (SPECIALISED, CONSTRAINED)
        ]
        entry = self.match.entry
        if not self.callee.is_reachable:
            self._undeclared.append(entry.qualified_name)
        if entry.visibility != "public":
            notes.append(f"{entry.qualified_name} is {entry.visibility}")
        return self.context.adapter(
            code, self.query, is_async=self.is_async, notes=notes, undeclared=self._undeclared
        )

    def _is_written(self) -> bool:
        """Whether code has the type of the match: the function itself, or a call."""
        return self._is_assignable_as_it_is() or self.is_callable()

    def _is_assignable_as_it_is(self) -> bool:
        """Whether the function itself has the query's type."""
        # A call may be resolved to an overload before the one that matches.
        is_ambiguous = self.match.overload > 0 or CONTAINS_ANY in self.kinds
        is_single = len(self.match.entry.signatures) == 1
        return (
            self.callee.is_value
            and self.kinds <= _ASSIGNABLE_AS_IT_IS
            and (is_single or is_ambiguous or not self.match.assignment)
            and not self.query.has_ellipsis
            and not self._passes_undefined_to_rest()
            and self.takes_known_rest()
            and (is_single or self._are_overloads_assignable())
        )

    def _are_overloads_assignable(self) -> bool:
        """Whether all overloads together have the query's type.

        The compiler compares several with ``any`` for their type parameters (signaturesRelatedTo):
        it may refuse a set of which it calls one.
        """
        calls = chain.from_iterable(
            signature.type.calls for signature in self.match.entry.signatures
        )
        overloads = Object(calls=tuple(calls))
        return self.context.queries.is_assignable(overloads, self.match.query)

    def _passes_undefined_to_rest(self) -> bool:
        """Whether an optional argument becomes an element of a rest parameter."""
        arguments, _ = self.query.arguments(self.match.edits)
        return any(
            source >= 0 and arguments[source].optional and self.candidate.is_rest(position)
            for position, source in enumerate(self.match.assignment)
        )

    def _arrow(self) -> Expression:
        body = self.body()
        hoisted = self.context.conversions.hoisted
        if hoisted:
            body = Expression(f"{{ {' '.join(hoisted)} return {body.text}; }}")
        is_annotated = not self.context.holes and any(
            mentions_variables(t) for t in self.context.conversions.written_types
        )
        is_guard = self.query.predicate is not None
        types = self.context.types if is_annotated or is_guard else None
        return arrow(
            self.query.parameters_text(types),
            body,
            type_parameters=self.query.type_parameters_text(types) if types else "",
            returns=self.query.result_text(types) if types and is_guard else "",
            is_async=self.is_async,
        )
