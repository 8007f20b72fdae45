"""The parameters of a call with as many arguments as the query has, and edits of a call."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from typematch.ir.intern import replace_fields
from typematch.ir.type_parts import Parameter, Signature
from typematch.ir.types import ANY, NEVER, UNKNOWN, VOID, Array, Free, Tuple, Type
from typematch.match.edit_kinds import (
    ACCEPTS_ANY_TYPE,
    ARGUMENT_SUPPLIED,
    ARGUMENT_UNUSED,
    IS_ANY,
    ORDER_CHANGED,
    WIDER_PARAMETER,
    Edit,
    EditKind,
)
from typematch.match.edits.argument_assignment import LEFT_OUT, SUPPLIED, ArgumentAssignment
from typematch.match.edits.instantiation_edits import (
    bare_edit,
    bare_type_parameters,
    type_parameter_uses,
)
from typematch.match.edits.query_signature import QuerySignature, result_type
from typematch.match.edits.subtyping_edits import mentions_any
from typematch.program.reduction.instantiate import instantiate


@dataclass(frozen=True, slots=True)
class CallLayout:
    """An overload's parameters, a rest parameter repeated as often as the query needs.

    Attributes:
        outer_count: how many leading type parameters belong to the enclosing class.
    """

    signature: Signature
    parameters: tuple[Parameter, ...]
    returns: Type
    outer_count: int = 0

    def instantiated(self, type_arguments: Sequence[Type]) -> CallLayout:
        """Return the layout with ``type_arguments`` for the signature's type parameters."""
        parameters = tuple(instantiate(parameter, type_arguments) for parameter in self.parameters)
        return CallLayout(
            self.signature, parameters, instantiate(self.returns, type_arguments), self.outer_count
        )


def with_array_for_rest(signature: Signature, query: QuerySignature) -> Signature | None:
    """Return the signature with its rest parameter as a parameter that takes an array.

    None without a rest parameter of an array type, and for a query that has one itself.
    """
    rest = signature.parameters[-1] if signature.parameters else None
    if rest is None or not rest.rest or query.has_rest:
        return None
    array = array_for_rest(rest.type, query)
    if array is None:
        return None
    parameters = (*signature.parameters[:-1], Parameter(rest.name, array))
    return replace_fields(signature, parameters=parameters)


def has_non_array_rest(signature: Signature) -> bool:
    """Whether the last parameter is a rest parameter whose type is not an array."""
    last = signature.parameters[-1] if signature.parameters else None
    return last is not None and last.rest and not isinstance(last.type, Array)


def is_compared_whole(signature: Signature, query: QuerySignature) -> bool:
    """Whether a rest parameter has no positions, so that the whole signatures are compared, too."""
    return query.has_rest or has_non_array_rest(signature)


def array_for_rest(rest: Type, query: QuerySignature) -> Type | None:
    """Return the type of an array that can be spread into a rest parameter of type ``rest``.

    A spread only reads the array: it is readonly if an argument of the query is.
    """
    if not isinstance(rest, Array):
        return None
    arguments = (argument.type for argument in query.skolemized.parameters)
    readonly = any(isinstance(t, Array | Tuple) and t.readonly for t in arguments)
    return Array(rest.element, readonly)


def required_positions(
    parameters: Sequence[Parameter], accepts_void: Callable[[Type], bool]
) -> list[bool]:
    """Return for each parameter whether an argument must be passed.

    Trailing parameters that accept ``void`` may be left out (getMinArgumentCount).
    """
    required = [not parameter.optional for parameter in parameters]
    for position in reversed(range(len(parameters))):
        if required[position]:
            if not accepts_void(parameters[position].type):
                break
            required[position] = False
    return required


def predicates_agree(candidate: Signature, query: Signature) -> bool:
    """Whether ``candidate`` is a type guard if the query is one, and likewise for assertions."""
    if query.predicate is None:
        return True
    return (
        candidate.predicate is not None and candidate.predicate.asserts == query.predicate.asserts
    )


def layout_for(signature: Signature, query: QuerySignature, outer_count: int = 0) -> CallLayout:
    """Return the layout of a call with as many arguments as the query has."""
    parameters = list(signature.parameters)
    rest = parameters[-1] if parameters and parameters[-1].rest else None
    if rest is not None and isinstance(rest.type, Array) and not query.has_rest:
        parameters.pop()
        element = Parameter(rest.name, rest.type.element, optional=True)
        parameters += [element] * max(0, len(query.skolemized.parameters) - len(parameters))
    parameters = [
        Parameter(parameter.name, parameter.type, True, parameter.rest)
        if parameter.rest
        else parameter
        for parameter in parameters
    ]
    returns = signature.returns if query.skolemized.predicate is None else result_type(signature)
    return CallLayout(signature, tuple(parameters), returns, outer_count)


def order_edits(query: QuerySignature, assignment: ArgumentAssignment) -> list[Edit]:
    if assignment.keeps_query_order:
        return []
    names = [
        query.skolemized.parameters[source].name or f"#{source + 1}"
        for source in assignment.sources
        if source >= 0
    ]
    return [Edit(ORDER_CHANGED, "$.parameters", ", ".join(names))]


def unused_argument_edits(query: QuerySignature, assignment: ArgumentAssignment) -> list[Edit]:
    return [
        unused_argument_edit(argument, position)
        for position, argument in enumerate(query.skolemized.parameters)
        if position not in assignment.sources
    ]


def unused_argument_edit(argument: Parameter, position: int) -> Edit:
    return Edit(ARGUMENT_UNUSED, "$.parameters", argument.name or f"argument #{position + 1}")


def uninformative_edits(
    signature: Signature, query: QuerySignature, assignment: ArgumentAssignment
) -> list[Edit]:
    """Charge for bare type parameters that take arguments of which the query states the type."""
    edits = []
    for position, kind in bare_type_parameters(signature):
        source = assignment.sources[position] if position < len(assignment.sources) else LEFT_OUT
        if source >= 0:
            argument = query.skolemized.parameters[source].type
            if not isinstance(argument, Free) and argument is not ANY:
                edits.append(bare_edit(signature, position, kind))
    return edits


def receiver_edits(signature: Signature, query: QuerySignature, supplied: int) -> list[Edit]:
    """Charge for a ``this`` parameter as for one more missing argument."""
    if not requires_this(signature, query):
        return []
    return [Edit(ARGUMENT_SUPPLIED, "$.this", "this", extra_units=supplied)]


def requires_this(signature: Signature, query: QuerySignature) -> bool:
    this = signature.this
    return query.skolemized.this is None and this not in (None, ANY, UNKNOWN, VOID)


def withheld_any_edits(
    layout: CallLayout, query: QuerySignature, assignment: ArgumentAssignment
) -> list[Edit]:
    """Charge ``IS_ANY`` for supplied parameters that accept anything an argument could fill.

    It could be an unused argument, or one that an optional parameter takes.  Otherwise supplying
    such a parameter would cost less than pairing it with an argument.
    """
    pairs = list(zip(layout.parameters, assignment.sources, strict=True))
    needed = sum(source >= 0 and not parameter.optional for parameter, source in pairs)
    available = len(query.skolemized.parameters) - needed
    any_parameters = [
        Edit(IS_ANY, f"$.parameters[{position}]", parameter.name)
        for position, (parameter, source) in enumerate(pairs)
        if source == SUPPLIED and (parameter.type is ANY or parameter.type is UNKNOWN)
    ]
    bare_parameters = [
        Edit(IS_ANY, f"$.parameters[{position}]", layout.parameters[position].name)
        for position, kind in bare_type_parameters(layout.signature)
        if kind is IS_ANY
        and position < len(assignment.sources)
        and assignment.sources[position] == SUPPLIED
    ]
    return [*any_parameters, *bare_parameters][:available]


def whole_signature_charges(signature: Signature, expected: Type) -> list[EditKind]:
    """Return the charges for a signature that fits only as a whole: itself and type parameters.

    No argument is assigned, so the values of its type parameters are unknown.

    Args:
        expected: the result type of the query; ``never`` says nothing of any other.
    """
    is_never = signature.returns is NEVER and expected is not NEVER
    whole = IS_ANY if is_never or mentions_any(signature) else WIDER_PARAMETER
    return [
        whole,
        *(IS_ANY if uses == 1 else ACCEPTS_ANY_TYPE for uses in type_parameter_uses(signature)),
    ]
