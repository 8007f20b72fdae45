"""Check a model's claims about an entry against its types.

A model may write "takes a string" about a function that does not.  The sentence is parsed as an
English query, and its high-confidence constraints are tested with the relation.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from typematch.ir.constructors import promise_value_type, replace_bound_variables
from typematch.ir.entry import Entry, EntryParameter
from typematch.ir.types import ANY, Array, Type
from typematch.query.english.sentence_constraints import read_sentence, sure_constraints
from typematch.query.model import TypeValue
from typematch.query.signature.letters import letters_as_wildcards
from typematch.search.prepare.name_resolution import resolve_type
from typematch.search.score.scoring import TypeScorers

if TYPE_CHECKING:
    from typematch.index.store import Store


class ClaimChecker:
    """Checks claims about the entries of one store; ``scorers`` must belong to that store."""

    def __init__(self, store: Store, scorers: TypeScorers) -> None:
        self._store = store
        self._scorers = scorers

    def contradicts(self, sentence: str, entry: Entry) -> bool:
        """Whether ``sentence`` claims a parameter or result type that ``entry`` does not have.

        Low-confidence constraints and unknown type names never count as contradictions.
        """
        if not sentence or not entry.signatures:
            return False
        return any(
            not self._holds(constraint.key, value.type, entry)
            for constraint in sure_constraints(read_sentence(sentence, self._store))
            if constraint.key in ("param", "returns") and not constraint.negated
            for value in constraint.values
            if isinstance(value, TypeValue)
        )

    def _holds(self, key: str, claimed: Type, entry: Entry) -> bool:
        resolved = resolve_type(letters_as_wildcards(claimed), self._store)
        if resolved.notices:  # an unknown type name: the claim cannot be checked
            return True
        readings = [replace_bound_variables(reading, ANY) for reading in resolved.readings]
        if key == "param":
            arguments = [
                _argument_type(parameter)
                for signature in entry.signatures
                for parameter in signature.parameters
            ]
            return self._any_assignable(
                readings, [replace_bound_variables(argument, ANY) for argument in arguments]
            )
        results = [
            result
            for signature in entry.signatures
            for result in _result_types(signature.return_type)
        ]
        return self._any_assignable(
            [replace_bound_variables(result, ANY) for result in results], readings
        )

    def _any_assignable(self, sources: Sequence[Type], targets: Sequence[Type]) -> bool:
        return any(
            self._scorers.is_assignable(source, target) for source in sources for target in targets
        )


def _argument_type(parameter: EntryParameter) -> Type:
    """Return the type of one argument: the element type of a rest parameter."""
    type_ = parameter.resolved
    return type_.element if parameter.rest and isinstance(type_, Array) else type_


def _result_types(returned: Type) -> Sequence[Type]:
    """Return the result type, and the awaited type of a promise: a claim may mean either."""
    awaited = promise_value_type(returned)
    return (returned,) if awaited is None else (returned, awaited)
