"""The candidate as an adapter sees it: its signature with the type arguments of the match."""

from __future__ import annotations

from typematch.adapt.identifiers import lower_camel
from typematch.adapt.model import AdapterScope, MatchedCall
from typematch.adapt.query import AdaptedQuery
from typematch.ir.constructors import bound_indices
from typematch.ir.intern import replace_fields
from typematch.ir.lift import close_over_container, lift_signature
from typematch.ir.rest_parameters import with_positional_parameters
from typematch.ir.type_parts import Parameter, Signature, TypeParameter
from typematch.ir.types import ANY, UNKNOWN, Array, Reference, Tuple, Type
from typematch.match.edit_kinds import ALIAS_FOLLOWED, CURRIED, RECEIVER_FIRST
from typematch.match.edits.instantiation_edits import has_preset_value, matched_type_arguments
from typematch.program.reduction.instantiate import instantiate

# A signature that is the query's up to names has no edits for its type parameters.
_OF_SAME_TYPE = frozenset((ALIAS_FOLLOWED, CURRIED, RECEIVER_FIRST))


class MatchedCandidate:
    """The overload that matched; a receiver that the query passes is its first parameter.

    Attributes:
        entry: the entry of the overload.
        has_receiver: the query passes the receiver.
        parameters: with the type parameters of the declaration.
    """

    def __init__(self, match: MatchedCall, scope: AdapterScope) -> None:
        self.entry = match.entry
        receivers = [edit.a for edit in match.edits if edit.kind is RECEIVER_FIRST]
        self._receiver = next((t for t in receivers if isinstance(t, Type)), None)
        self.has_receiver = self._receiver is not None
        self._match = match
        self._signature = self._closed_signature()
        self._own_count = len(match.entry.signatures[match.overload].type_parameters)
        self._declaration = scope.get(self.entry.declaration)
        self._type_arguments: list[Type] = []
        self.parameters = self._signature.parameters

    def infer(self, query: AdaptedQuery) -> None:
        """Set the type arguments to those of the match, in the variables of ``query``."""
        matched = matched_type_arguments(self._signature, self._match.edits)
        values = [query.with_own_variables(value) for value in matched]
        own = [variable.variable for variable in query.variables]
        is_same_type = all(edit.kind in _OF_SAME_TYPE for edit in self._match.edits)
        self._type_arguments = [*own] if is_same_type and len(own) == len(values) else values

    def parameter_hints(self) -> dict[int, str]:
        """Return the candidate's name for each argument of the query, by index."""
        hints = {}
        names = [parameter.name for parameter in self.parameters]
        # The first argument of the query is passed in the second call.
        first = int(any(edit.kind is CURRIED for edit in self._match.edits))
        for position, source in enumerate(self._match.assignment):
            name = names[min(position, len(names) - 1)] if names else ""
            if source >= 0 and not is_destructured(name):
                hints[source + first] = name
        return hints

    # With the type arguments of the match ------------------------------------------------------

    @property
    def own_type_arguments(self) -> list[Type]:
        """Those of the overload's own type parameters; unknown where none was inferred."""
        return self._type_arguments[len(self._type_arguments) - self._own_count :]

    @property
    def has_undetermined(self) -> bool:
        """Whether an own type parameter has a value that the arguments do not determine.

        Its default or its constraint needs none; nor does ``unknown``.
        """
        passed = enumerate(self._match.assignment)
        types = [self._declared(position) for position, source in passed if source >= 0]
        determined = frozenset[int]().union(*map(bound_indices, types))
        values = self._type_arguments
        return any(
            index not in determined
            and values[index] is not UNKNOWN
            and not has_preset_value(self._signature.type_parameters[index], index, values)
            for index in range(len(values) - self._own_count, len(values))
        )

    def _declared(self, position: int) -> Type:
        return self.parameters[min(position, len(self.parameters) - 1)].type

    @property
    def returns(self) -> Type:
        return self._instantiated(self._signature.returns)

    @property
    def this(self) -> Type:
        return self._instantiated(self._signature.this or ANY)

    @property
    def receiver(self) -> Type:
        return ANY if self._receiver is None else self._instantiated(self._receiver)

    def is_rest(self, position: int) -> bool:
        """Return whether an argument at ``position`` is one of a rest parameter."""
        return position >= len(self.parameters) - 1 and self.parameters[-1].rest

    def parameter(self, position: int) -> Parameter:
        """Return the parameter of an argument; of a rest parameter, one element."""
        parameter = self.parameters[min(position, len(self.parameters) - 1)]
        t = self._instantiated(parameter.type)
        if parameter.rest:
            t = t.element if isinstance(t, Array) else ANY
        return replace_fields(parameter, type=t)

    @property
    def has_rest(self) -> bool:
        return bool(self.parameters) and self.parameters[-1].rest

    @property
    def rest_type(self) -> Type:
        """The type of the last parameter, which is a rest parameter."""
        return self._instantiated(self.parameters[-1].type)

    def required_rest(self, position: int) -> Parameter | None:
        """Return a rest parameter that needs arguments: its type is a tuple that is not empty."""
        if not self.is_rest(position):
            return None
        rest = self.parameters[-1]
        t = self._instantiated(rest.type)
        is_required = isinstance(t, Tuple) and any(e.kind == "required" for e in t.elements)
        return replace_fields(rest, type=t) if is_required else None

    @property
    def instance(self) -> Reference:
        """The class whose member the candidate is; any for type arguments that do not matter."""
        return Reference(self.entry.declaration, tuple(self._class_arguments()))

    def _class_arguments(self) -> list[Type]:
        count = 0 if self._declaration is None else len(self._declaration.type_parameters)
        known = self._type_arguments[: min(count, len(self.entry.outer))]
        arguments = [ANY if value is UNKNOWN else value for value in known]
        return arguments + [ANY] * (count - len(arguments))

    def _closed_signature(self) -> Signature:
        """Return the overload under one binder, its receiver first if the query passes it."""
        function = self.entry.signatures[self._match.overload].type
        if self._receiver is None:
            return close_over_container(function)[0].calls[0]
        outer = (TypeParameter(),) * argument_count(self._receiver)
        call = with_positional_parameters(function.calls[0])
        lifted = lift_signature(call, outer, self._receiver)
        first = Parameter(lower_camel(self.entry.container), self._receiver)
        return replace_fields(lifted, parameters=(first, *lifted.parameters))

    def _instantiated(self, t: Type) -> Type:
        return instantiate(t, self._type_arguments)


def is_destructured(name: str) -> bool:
    """Return whether a parameter has a pattern instead of a name."""
    return name[:1] in ("{", "[")


def argument_count(receiver: Type) -> int:
    """Return the number of type arguments of a receiver: of a class, an interface or an array."""
    match receiver:
        case Reference(_, arguments):
            return len(arguments)
        case Array():
            return 1
        case _:
            return 0
