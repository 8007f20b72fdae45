"""Conditional types: the branch taken, inference of ``infer`` variables, and simplification."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from typematch.ir.constructors import constituents, intersection, union
from typematch.ir.intern import InternedNode, children
from typematch.ir.type_parts import Element, Parameter
from typematch.ir.types import (
    ANY,
    NEVER,
    STRING,
    UNKNOWN,
    Array,
    Conditional,
    Free,
    Reference,
    Template,
    Tuple,
    Type,
)
from typematch.program.reduction.generic import is_generic
from typematch.program.reduction.instantiate import instantiate
from typematch.program.reduction.skolemize import effective_constraint, skolems_for

if TYPE_CHECKING:
    from typematch.program.reduction.reduce import Reducer


def reduce_conditional(r: Reducer, t: Conditional) -> Type:
    """Return the branch that ``t`` takes, not necessarily reduced; getConditionalType.

    ``t``, with its check type reduced, if it is deferred.
    """
    check = r.normal(t.check)
    if t.distributive:
        if check is NEVER:
            return NEVER
        members = constituents(check)
        if len(members) > 1:
            # The type parameter has been substituted: replace its replacement in the branches.
            return union([r.normal(_with_check(r, t, member)) for member in members])
    if r.oracle is None:
        return _decide_without_oracle(r, t, check)
    plain_tuples = _are_plain_tuples(check, t.extends)
    if _is_deferred(r, check, plain_tuples):
        return _defer(t, check)
    inferred = _infer(r, t, check)
    extends = r.normal(r.instantiate(t.extends, inferred) if t.infer else t.extends)
    if _is_deferred(r, extends, plain_tuples):
        return _defer(t, check)
    return _branch(r, t, check, extends, inferred)


def _with_check(r: Reducer, t: Conditional, member: Type) -> Type:
    """Return ``t`` for one member of a distributed union."""
    check = t.check
    if isinstance(check, Free):
        return r.replace(t, {check: member})  # type: ignore[no-any-return]
    return Conditional(member, t.extends, t.yes, t.no, t.infer, False)


def _defer(t: Conditional, check: Type) -> Type:
    if check is t.check:
        return t
    return Conditional(check, t.extends, t.yes, t.no, t.infer, t.distributive)


def _decide_without_oracle(r: Reducer, t: Conditional, check: Type) -> Type:
    """Take the true branch for equal closed types, or if the extends type is ``unknown``."""
    if not t.infer:
        extends_type = r.normal(t.extends)
        if extends_type in (ANY, UNKNOWN) or (
            check is extends_type and check is not ANY and not check.free
        ):
            return t.yes
    return _defer(t, check)


def _are_plain_tuples(check: Type, extends: Type) -> bool:
    """Whether both are tuples of one length, all required: the idiom that prevents distribution."""
    if not isinstance(check, Tuple) or not isinstance(extends, Tuple):
        return False
    all_required = all(e.kind == "required" for e in (*check.elements, *extends.elements))
    return all_required and len(check.elements) == len(extends.elements)


def _is_deferred(r: Reducer, t: Type, compare_elements: bool) -> bool:
    if is_generic(t):
        return True
    if compare_elements and isinstance(t, Tuple):
        return any(is_generic(r.normal(element.type)) for element in t.elements)
    return False


def _infer(r: Reducer, t: Conditional, check: Type) -> tuple[Type, ...]:
    """Return the inferred type of each ``infer`` variable.

    A variable without an inference gets its constraint, or ``unknown``.
    """
    if not t.infer or r.oracle is None:
        return ()
    variables = skolems_for(r, t.infer)
    target = r.instantiate(t.extends, variables)
    inferred = r.oracle.infer(variables, check, target)
    defaults = infer_defaults(r, t)
    arguments = tuple([b if a is None else a for a, b in zip(inferred, defaults, strict=True)])
    for constraint, argument in zip(_constraints(r, t), arguments, strict=True):
        if constraint is None:
            continue
        constraint_type = r.replace(constraint, dict(zip(variables, arguments, strict=True)))
        if not r.oracle.assignable(argument, constraint_type):
            # An inference outside its constraint is replaced by it, which makes the check fail.
            arguments = tuple(constraint_type if a is argument else a for a in arguments)
    return arguments


def simplify_conditional(r: Reducer, t: Conditional) -> Type:
    """Return a deferred conditional type that only keeps or drops its check type, if it is decided.

    ``T extends U ? T : never`` is ``T`` if everything is assignable to ``U``, and ``never`` if
    nothing is both; conversely for ``T extends U ? never : T``.  Implements
    getSimplifiedConditionalType, which the checker applies in comparisons only: the keys of a
    mapped type stay deferred.
    """
    keeps = t.no is NEVER and t.yes is t.check
    drops = t.yes is NEVER and t.no is t.check
    if t.infer or not (keeps or drops) or r.oracle is None:
        return t
    check, extends = r.normal(t.check), r.normal(t.extends)
    if extends in (ANY, UNKNOWN) or r.oracle.assignable(
        restrictive(r, check), restrictive(r, extends)
    ):
        return check if keeps else NEVER
    if r.normal(intersection((check, extends))) is NEVER:
        return NEVER if keeps else check
    return t


def partial_inferences(r: Reducer, t: Conditional) -> tuple[Type, ...]:
    """Return the type of each ``infer`` variable of a deferred conditional type.

    Nothing is inferred from a check type that is itself deferred.
    """
    check = r.normal(t.check)
    if r.oracle is None or _is_deferred(r, check, _are_plain_tuples(check, t.extends)):
        return infer_defaults(r, t)
    return _infer(r, t, check)


def infer_defaults(r: Reducer, t: Conditional) -> tuple[Type, ...]:
    """Return the constraint of each ``infer`` variable, ``unknown`` without one."""
    return tuple(UNKNOWN if constraint is None else constraint for constraint in _constraints(r, t))


def _constraints(r: Reducer, t: Conditional) -> tuple[Type | None, ...]:
    """Return the constraint of each ``infer`` variable, as written or implied by its positions."""
    key = (t.extends, t.infer)
    constraints = r.implied_constraints.get(key)
    if constraints is None:
        variables = skolems_for(r, t.infer)
        target = r.instantiate(t.extends, variables)
        constraints = r.implied_constraints[key] = tuple(
            [
                r.constraints.get(variable) or _implied_constraint(r, target, variable)
                for variable in variables
            ]
        )
    return constraints


def _implied_constraint(r: Reducer, node: InternedNode, variable: Free) -> Type | None:
    """Return the constraint implied by the positions of an ``infer`` variable.

    ``string`` in a template, an array in a spread, the constraint of ``Foo``'s parameter in
    ``Foo<infer T>``; getImpliedConstraint.
    """
    implied = list(_implied_constraints(r, node, variable))
    return intersection(implied) if implied else None


def _implied_constraints(r: Reducer, node: InternedNode, variable: Free) -> Iterator[Type]:
    if variable not in node.free:
        return
    if isinstance(node, Template) and variable in node.types:
        yield STRING
    elif _is_spread(node, variable):
        yield Array(UNKNOWN)
    elif isinstance(node, Reference) and variable in node.arguments:
        declared = r.declaration(node.target)
        parameters = () if declared is None else declared.type_parameters
        for parameter, argument in zip(parameters, node.arguments, strict=False):
            constraint = effective_constraint(parameter)
            if argument is variable and constraint is not None and declared is not None:
                yield instantiate(constraint, r.type_arguments(declared, node.arguments))
    for part in children(node):
        yield from _implied_constraints(r, part, variable)


def _is_spread(node: InternedNode, variable: Free) -> bool:
    if isinstance(node, Element):
        return node.kind == "variadic" and node.type is variable
    return isinstance(node, Parameter) and node.rest and node.type is variable


def _branch(
    r: Reducer, t: Conditional, check: Type, extends: Type, arguments: tuple[Type, ...]
) -> Type:
    oracle = r.oracle
    assert oracle is not None
    accepts_all = extends in (ANY, UNKNOWN)
    if not accepts_all and (
        check is ANY or not oracle.assignable(permissive(r, check), permissive(r, extends))
    ):
        return (
            union((r.normal(_true_branch(r, t, arguments)), r.normal(t.no)))
            if check is ANY
            else t.no
        )
    if accepts_all or oracle.assignable(restrictive(r, check), restrictive(r, extends)):
        return _true_branch(r, t, arguments)
    return _defer(t, check)


def _true_branch(r: Reducer, t: Conditional, arguments: tuple[Type, ...]) -> Type:
    """Return the true branch with the inferences, instantiated on demand: it may be recursive."""
    return r.instantiate(t.yes, arguments) if t.infer else t.yes


def permissive(r: Reducer, t: Type) -> Type:
    """Return ``t`` with ``any`` for every variable: not assignable then means never assignable."""
    variables = t.free
    return r.replace(t, dict.fromkeys(variables, ANY)) if variables else t


def restrictive(r: Reducer, t: Type) -> Type:
    """Return ``t`` with unconstrained variables: assignable then means always assignable."""
    replacements: dict[Type, Type] = {}
    for variable in t.free:
        if r.constraints.get(variable) is not None:
            replacements[variable] = r.without_constraint(variable)
    return r.replace(t, replacements) if replacements else t
