"""Infer the type of a call from the types of its arguments (the checker's resolveCall).

The type is ``unannotated`` where it depends on an argument of unknown type, on a type parameter
that nothing determines, or on what surrounds the call.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from typematch.ir.constructors import constituents, widened
from typematch.ir.type_parts import Element, Signature
from typematch.ir.types import (
    ANY,
    THIS,
    UNANNOTATED,
    UNKNOWN,
    Array,
    Conditional,
    Free,
    IndexedAccess,
    Intersection,
    KeyOf,
    Literal,
    Template,
    Tuple,
    Type,
    Union,
)
from typematch.match.inference.argument_types import (
    ArgumentTypes,
    is_known_argument,
    lacks_type_arguments,
    may_be_fresh,
)
from typematch.match.inference.infer_types import InferenceContext
from typematch.match.inference.inference_variables import inference_variables
from typematch.match.inference.type_arguments import inferred_types
from typematch.match.parameter_lists import ParameterList, parameter_list, parameter_type_at
from typematch.program.reduction.skolemize import instantiate_signature
from typematch.program.reduction.unions import is_enum_member, primitive_of

if TYPE_CHECKING:
    from typematch.match.assignability.relation import Relation

_ARGUMENTS = ("argument", "widened")
_MAX_CALLS = 16  # calls around each other, also of other constants


def call_result(rel: Relation, callee: Type, arguments: Sequence[Type], use: str) -> Type:
    """Return the type of a call; ``unannotated`` if it is unknown.

    Args:
        arguments: their types, as ``ir.constructors.call_result_type`` has them.
        use: as there.

    Raises:
        LimitReached: a limit of ``program.reduction.limits`` was reached.
    """
    call = (callee, tuple(arguments))
    if call in rel.calls_in_progress or len(rel.calls_in_progress) >= _MAX_CALLS:
        raise _CallLimitReached
    is_outermost = not rel.calls_in_progress
    rel.calls_in_progress.add(call)
    try:
        return _resolved_call(rel, callee, arguments, use)
    except _CallLimitReached:
        if is_outermost:
            return UNANNOTATED
        raise
    finally:
        rel.calls_in_progress.discard(call)


class _CallLimitReached(Exception):  # noqa: N818
    """Calls are circular or nested too deeply.

    It ends the outermost call: the types of those inside are not remembered as unknown.
    """


def _resolved_call(rel: Relation, callee: Type, arguments: Sequence[Type], use: str) -> Type:
    if isinstance(callee, IndexedAccess) and lacks_type_arguments(rel, callee.object):
        return UNANNOTATED
    function = rel.reducer.normal(callee)
    if function is ANY or isinstance(function, Union):
        return UNANNOTATED
    signatures = rel.reducer.members_of(function).calls
    fitting = [signature for signature in signatures if _accepts(rel, signature, len(arguments))]
    known = [is_known_argument(rel, argument) for argument in arguments] if fitting else []
    results: set[Type] = set()
    for signature in fitting:
        attempt = _Call(rel, signature, arguments, list(known), use)
        result = attempt.result()
        if result is not None:
            results.add(result)
            if attempt.is_exact:
                break  # the checker chooses it, or one before it
    return results.pop() if len(results) == 1 else UNANNOTATED


def _accepts(rel: Relation, signature: Signature, count: int) -> bool:
    """Whether a signature takes ``count`` arguments (hasCorrectArity)."""
    parameters = parameter_list(rel, _opened(rel, signature)[0])
    most = len(parameters.fixed)
    return parameters.min_arguments <= count and (parameters.rest is not None or count <= most)


def _opened(rel: Relation, signature: Signature) -> tuple[Signature, tuple[Free, ...]]:
    """Return a signature with variables for its type parameters."""
    if not signature.type_parameters:
        return signature, ()
    variables = inference_variables(rel, signature)
    return instantiate_signature(rel.reducer, signature, variables), variables


class _Call:
    """A call with one of the signatures.

    Attributes:
        known: whether each argument is known.
        is_exact: whether the arguments are also subtypes of the parameters: the checker tries all
            overloads with that relation before it tries assignability (chooseOverload).
    """

    __slots__ = ("arguments", "is_exact", "known", "rel", "signature", "use")

    def __init__(
        self,
        rel: Relation,
        signature: Signature,
        arguments: Sequence[Type],
        known: list[bool],
        use: str,
    ) -> None:
        self.rel = rel
        self.signature = signature
        self.arguments = arguments
        self.known = known
        self.use = use
        self.is_exact = False

    def result(self) -> Type | None:
        """Return the result; None if the arguments do not fit, ``unannotated`` if it is unknown."""
        rel = self.rel
        opened, variables = _opened(rel, self.signature)
        parameters = parameter_list(rel, opened)
        constant = [p.const for p in self.signature.type_parameters]
        context = ArgumentTypes(
            rel, frozenset(v for v, const in zip(variables, constant, strict=True) if const)
        )
        typed: list[Type] = []
        for i, argument in enumerate(self.arguments):
            parameter = parameter_type_at(parameters, i)
            type_ = context.of_argument(argument, parameter) if self.known[i] else None
            self.known[i] = type_ is not None
            typed.append(argument if type_ is None else type_)
        outcomes = {
            self._outcome(opened, variables, variant, context)
            for variant in self._variants(typed, parameters)
        }
        return outcomes.pop() if len(outcomes) == 1 else UNANNOTATED

    def _variants(
        self, arguments: Sequence[Type], parameters: ParameterList
    ) -> Iterator[Sequence[Type]]:
        """Yield the arguments as they may be given for a rest parameter that is no array.

        The element types of the rest parameter decide whether literals are widened
        (getSpreadArgumentType).
        """
        fixed, rest = len(parameters.fixed), parameters.non_array_rest
        if rest is None:
            yield arguments
            return
        constraint = self.rel.reducer.constraint(rest) if isinstance(rest, Free) else None
        yield [*arguments[:fixed], *map(widened, arguments[fixed:])]
        if not isinstance(constraint, Array) or constraint.element not in (ANY, UNKNOWN):
            yield arguments

    def _outcome(
        self,
        opened: Signature,
        variables: tuple[Free, ...],
        typed: Sequence[Type],
        context: ArgumentTypes,
    ) -> Type | None:
        rel, called = self.rel, opened
        parameters = parameter_list(rel, opened)
        if variables:
            if context.constant and parameters.non_array_rest is not None:
                return UNANNOTATED
            inferred = self._type_arguments(opened, variables, typed, context)
            if inferred is None:
                return UNANNOTATED
            called = instantiate_signature(rel.reducer, self.signature, inferred)
            parameters = parameter_list(rel, called)
        pairs = list(_pairs(typed, parameters, self.known))
        if any(known and not rel.assignable(given, wanted) for given, wanted, known in pairs):
            return None
        self.is_exact = all(self.known) and all(self._is_exact(s, t) for s, t, _ in pairs)
        return self._returned(called.returns, bool(variables))

    def _is_exact(self, source: Type, target: Type) -> bool:
        s, t = self.rel.reducer.normal(source), self.rel.reducer.normal(target)
        if s is t or t is ANY or t is UNKNOWN:
            return True
        primitive = primitive_of(self.rel.reducer, s) is not None
        return primitive and not is_enum_member(self.rel.reducer, s)

    def _returned(self, returns: Type, is_generic: bool) -> Type:
        if THIS in returns.free:
            return UNANNOTATED
        if self.use == "variable" and is_generic and may_be_fresh(self.rel, returns):
            return UNANNOTATED  # it is widened if it is the type of a literal
        return returns

    def _type_arguments(
        self,
        opened: Signature,
        variables: tuple[Free, ...],
        arguments: Sequence[Type],
        types: ArgumentTypes,
    ) -> tuple[Type, ...] | None:
        """Return the type arguments of a call; None if its result depends on an unknown one."""
        rel, returns = self.rel, opened.returns
        parameters = parameter_list(rel, opened)
        context = InferenceContext(rel, variables)
        undetermined: set[Type] = set()
        given: set[Type] = set()
        positions: list[Type] = []
        for argument, parameter, known in _pairs(arguments, parameters, self.known):
            positions.append(parameter)
            given |= parameter.free
            if known:
                context.infer(argument, parameter)
            else:
                undetermined |= parameter.free
        literals = {argument for argument in self.arguments if isinstance(argument, Literal)}
        changed = types.changed
        for variable in variables:
            info = context.info(variable)
            if not info.candidates and not info.contra_candidates:
                # In an argument, inference from the parameter may determine it.
                from_context = self.use in _ARGUMENTS and variable in returns.free
                if variable in given or from_context:
                    undetermined.add(variable)
                continue
            fresh = [t for t in info.candidates if may_be_fresh(rel, t)]
            if variable in types.constant or not fresh or _keeps(rel, variable, returns):
                continue
            top_level = {_at_top_level(rel, t, variable) for t in positions if variable in t.free}
            if top_level == {False}:
                continue
            if len(top_level) > 1 or not literals.issuperset(fresh):
                return None  # whether the type of a constant is widened depends on its declaration
            changed = True
            info.candidates[:] = list(dict.fromkeys(map(widened, info.candidates)))
        depends = not returns.free.isdisjoint(variables)
        if changed and depends and self.use == "argument":
            return None  # the parameter may keep the literal types
        if not _closure(rel, undetermined, variables, self.signature).isdisjoint(returns.free):
            return None
        return inferred_types(rel, self.signature, variables, context)


def _closure(
    rel: Relation, undetermined: set[Type], variables: Sequence[Free], signature: Signature
) -> set[Type]:
    """Return ``undetermined`` with the variables whose constraint or default depends on one."""
    known = set(undetermined)
    if not known:
        return known
    parts: list[tuple[Free, frozenset[Type]]] = []
    for variable, parameter in zip(variables, signature.type_parameters, strict=True):
        default = parameter.default
        free = frozenset() if default is None else rel.reducer.instantiate(default, variables).free
        constraint = rel.reducer.constraint(variable)
        parts.append((variable, free if constraint is None else free | constraint.free))
    for _ in variables:
        known |= {variable for variable, free in parts if not known.isdisjoint(free)}
    return known


def _pairs(
    arguments: Sequence[Type], parameters: ParameterList, known: Sequence[bool]
) -> Iterator[tuple[Type, Type, bool]]:
    """Yield each argument with its parameter, and whether it is known.

    Those of a rest parameter that is no array come as one tuple (getSpreadArgumentType).
    """
    rest = parameters.non_array_rest
    count = len(arguments) if rest is None else len(parameters.fixed)
    for i, argument in enumerate(arguments[:count]):
        parameter = parameter_type_at(parameters, i)
        if parameter is not None:
            yield argument, parameter, known[i]
    if rest is not None:
        elements = tuple(map(Element, arguments[count:]))
        yield Tuple(elements), rest, all(known[count:])


def _keeps(rel: Relation, variable: Free, returns: Type) -> bool:
    """Whether literals inferred for a type parameter keep their types (getCovariantInference)."""
    constraint = rel.reducer.constraint(variable)
    return _is_primitive(rel, constraint) or _at_top_level(rel, returns, variable)


def _is_primitive(rel: Relation, constraint: Type | None) -> bool:
    """Whether a constraint lets literals keep their types (hasPrimitiveConstraint)."""
    if constraint is None:
        return False
    return any(
        isinstance(part, KeyOf | Template | Literal) or primitive_of(rel.reducer, part) is not None
        for part in constituents(rel.reducer.normal(constraint))
    )


def _at_top_level(rel: Relation, t: Type, variable: Free, depth: int = 3) -> bool:
    """Whether a type is a variable, or a union or branch with it (isTypeParameterAtTopLevel)."""
    match rel.reducer.normal(t):
        case Union(members) | Intersection(members):
            return any(_at_top_level(rel, member, variable, depth) for member in members)
        case Conditional(_, _, yes, no):
            branches: Iterable[Type] = (yes, no) if depth else ()
            return any(_at_top_level(rel, branch, variable, depth - 1) for branch in branches)
        case reduced:
            return reduced is variable
