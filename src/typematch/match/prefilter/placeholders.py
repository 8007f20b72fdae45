"""Signatures with placeholders for their type parameters, for comparisons without inference."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from typematch.ir.constructors import constituents
from typematch.ir.intern import InternedNode, children
from typematch.ir.type_parts import Signature
from typematch.ir.types import (
    ANY,
    NUMBER,
    STRING,
    SYMBOL,
    UNKNOWN,
    Free,
    KeyOf,
    Mapped,
    Reference,
    Type,
    VariableKind,
)
from typematch.match.assignability.relation import Relation
from typematch.match.prefilter.deferred_types import UNBOUNDED, is_placeholder
from typematch.match.prefilter.undetermined_parameters import UndeterminedParameters
from typematch.program.reduction.instantiate import instantiate
from typematch.program.reduction.skolemize import instantiate_signature

_KEY_TYPES = frozenset((STRING, NUMBER, SYMBOL))


class Placeholders:
    """Placeholders and the signatures that have them, memoized.

    Args:
        relation: its limits bound the reductions.
        head: returns the head of a type; None if it is unknown.
        alias_body: returns the declared body of a type, aliases followed.
    """

    def __init__(
        self,
        relation: Relation,
        *,
        head: Callable[[Type], Type | None],
        alias_body: Callable[[Type], Type],
    ) -> None:
        self._relation = relation
        self._head = head
        self._alias_body = alias_body
        self._placeholders: dict[tuple[Type, ...], Free] = {}
        self._bounds: dict[Type, tuple[Type, ...]] = {}
        self._substituted: dict[tuple[Signature, bool], Signature] = {}
        self._undetermined = UndeterminedParameters(relation.reducer.declarations)
        self._undetermined_by_signature: dict[Signature, Mapping[int, Type]] = {}

    def substitute(self, signature: Signature, query: Signature | None = None) -> Signature:
        """Return ``signature`` with placeholders for its type parameters.

        A placeholder stands for any type within its bounds (``bounds``).

        Args:
            query: what the signature is compared with.  Type parameters that no inference from it
                determines have their values.
        """
        if not signature.type_parameters:
            return signature
        values = self._undetermined_values(signature) if query is not None else {}
        if values and (query is None or not self._undetermined.are_known_for(query)):
            values = {}
        key = (signature, bool(values))
        instantiated = self._substituted.get(key)
        if instantiated is None:
            instantiated = self._instantiate_with_placeholders(signature, values)
            self._substituted[key] = instantiated
        return instantiated

    def _undetermined_values(self, signature: Signature) -> Mapping[int, Type]:
        values = self._undetermined_by_signature.get(signature)
        if values is None:
            values = self._undetermined.values(signature)
            self._undetermined_by_signature[signature] = values
        return values

    def _instantiate_with_placeholders(
        self, signature: Signature, values: Mapping[int, Type]
    ) -> Signature:
        placeholders: list[Type] = [UNBOUNDED] * len(signature.type_parameters)
        for i, parameter in enumerate(signature.type_parameters):
            if i in values:
                placeholders[i] = values[i]
                continue
            bounds = [parameter.constraint or UNKNOWN]
            if parameter.default is not None:
                bounds.append(parameter.default)
            if bounds[0] is not UNKNOWN or ANY in bounds:
                placeholders[i] = self._placeholder(
                    tuple(instantiate(bound, placeholders) for bound in bounds)
                )
        instantiated = self._instantiated(signature, placeholders)
        keys = set(self._mapped_type_keys(instantiated.parameters))
        if keys.isdisjoint(placeholders):
            return instantiated
        # Keys inferred from an object without properties are never, whatever their constraint.
        arguments = [UNBOUNDED if argument in keys else argument for argument in placeholders]
        return self._instantiated(signature, arguments)

    def _instantiated(self, signature: Signature, arguments: Sequence[Type]) -> Signature:
        """Return ``signature`` with type arguments; unchanged if a limit is reached."""
        instantiated = self._relation.within_limits(
            lambda: instantiate_signature(self._relation.reducer, signature, arguments)
        )
        return signature if instantiated is None else instantiated

    def _mapped_type_keys(self, nodes: Iterable[InternedNode]) -> Iterator[Type]:
        """Yield the placeholders that are keys of mapped types in ``nodes``."""
        for node in nodes:
            keys: tuple[Type, ...] = ()
            if isinstance(node, Mapped):
                keys = (node.keys,)
            elif isinstance(node, Reference) and isinstance(self._alias_body(node), Mapped):
                keys = node.arguments
            for key in keys:
                if is_placeholder(key) and self._constrains_to_keys(
                    (self.bounds(key) or (UNKNOWN,))[0]
                ):
                    yield key
            yield from self._mapped_type_keys(children(node))

    def _constrains_to_keys(self, constraint: Type) -> bool:
        if constraint.__class__ is KeyOf:
            return True
        head = self._head(constraint)
        return head is not None and _KEY_TYPES.issuperset(constituents(head))

    def _placeholder(self, bounds: tuple[Type, ...]) -> Free:
        placeholder = self._placeholders.get(bounds)
        if placeholder is None:
            serial = 1 + len(self._placeholders)
            placeholder = self._placeholders[bounds] = Free(
                VariableKind.PLACEHOLDER, serial, "some type"
            )
            self._bounds[placeholder] = bounds
        return placeholder

    @property
    def any_or_other(self) -> Free:
        """The placeholder of a type parameter that may be ``any``, whatever is compared."""
        return self._placeholder((UNKNOWN, ANY))

    def bounds(self, placeholder: Type) -> tuple[Type, ...] | None:
        """Return a placeholder's constraint, then its default if any; None for other types."""
        return self._bounds.get(placeholder)
