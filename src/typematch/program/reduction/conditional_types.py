"""Decide conditional types, and infer what ``infer`` stands for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from typematch.ir.constructors import constituents, intersection, union
from typematch.ir.intern import InternedNode, children
from typematch.ir.types import (
    ANY,
    NEVER,
    STRING,
    UNKNOWN,
    Array,
    Conditional,
    Element,
    Free,
    Parameter,
    Reference,
    Template,
    Tuple,
    Type,
)
from typematch.program.reduction.generic import is_generic
from typematch.program.reduction.instantiate import instantiate
from typematch.program.reduction.skolemize import constraint_in, variables_for

if TYPE_CHECKING:
    from typematch.program.reduction.reduce import Reducer


def conditional(r: Reducer, t: Conditional) -> Type:
    """Return the branch that ``t`` takes, perhaps not reduced yet.

    ``t`` itself where that is open.
    """
    check = r.normal(t.check)
    if t.distributive:
        if check is NEVER:
            return NEVER
        members = constituents(check)
        if len(members) > 1:
            # The variable is long gone: what stood in its place is replaced in the branches.
            return union([r.normal(_at(r, t, member)) for member in members])
    if r.judge is None:
        return _decide_alone(r, t, check)
    tuples = _same_tuples(check, t.extends)
    if _is_open(r, check, tuples):
        return _deferred(t, check)
    arguments = _inferred(r, t, check)
    extends = r.normal(instantiate(t.extends, arguments, normal=r.normal) if t.infer else t.extends)
    if _is_open(r, extends, tuples):
        return _deferred(t, check)
    return _branch(r, t, check, extends, arguments)


def _at(r: Reducer, t: Conditional, member: Type) -> Type:
    old = t.check
    if isinstance(old, Free):
        return r.replace(t, {old: member})  # type: ignore[no-any-return]
    return Conditional(member, t.extends, t.yes, t.no, t.infer, False)


def _deferred(t: Conditional, check: Type) -> Type:
    if check is t.check:
        return t
    return Conditional(check, t.extends, t.yes, t.no, t.infer, t.distributive)


def _decide_alone(r: Reducer, t: Conditional, check: Type) -> Type:
    """Take a branch without a judge where it is plain.

    The same type on both sides, or ``unknown``.
    """
    if not t.infer:
        extends = r.normal(t.extends)
        if extends in (ANY, UNKNOWN) or (check is extends and check is not ANY and not check.free):
            return t.yes
    return _deferred(t, check)


def _same_tuples(check: Type, extends: Type) -> bool:
    """Return whether both sides are tuples of one plain length.

    The idiom that stops distribution.
    """
    if not isinstance(check, Tuple) or not isinstance(extends, Tuple):
        return False
    plain = all(e.kind == "required" for e in (*check.elements, *extends.elements))
    return plain and len(check.elements) == len(extends.elements)


def _is_open(r: Reducer, t: Type, tuples: bool) -> bool:
    if is_generic(t):
        return True
    if tuples and isinstance(t, Tuple):
        return any(is_generic(r.normal(element.type)) for element in t.elements)
    return False


def _inferred(r: Reducer, t: Conditional, check: Type) -> tuple[Type, ...]:
    """Return what each ``infer`` variable is.

    Its constraint (or ``unknown``) where nothing says.
    """
    if not t.infer or r.judge is None:
        return ()
    variables = variables_for(r, t.infer)
    target = instantiate(t.extends, variables, normal=r.normal)
    found = r.judge.infer(variables, check, target)
    known = uninferred(r, t)
    final = tuple([b if a is None else a for a, b in zip(found, known, strict=True)])
    for constraint, argument in zip(_constraints(r, t), final, strict=True):
        if constraint is None:
            continue
        bound = r.replace(constraint, dict(zip(variables, final, strict=True)))
        if not r.judge.assignable(argument, bound):
            # Outside its constraint, the condition fails: the constraint itself never fits.
            final = tuple(bound if a is argument else a for a in final)
    return final


def simplified(r: Reducer, t: Conditional) -> Type:
    """Return what an open condition comes to anyway that only keeps or drops what it checks.

    ``T extends U ? T : never`` is ``T`` where everything fits ``U``, and ``never`` where nothing
    is both; ``T extends U ? never : T`` the other way round.  The compiler sees that when it
    compares types, not in what they are made of: such keys of a mapped type stay open.
    """
    keeps = t.no is NEVER and t.yes is t.check
    drops = t.yes is NEVER and t.no is t.check
    if t.infer or not (keeps or drops) or r.judge is None:
        return t
    check, extends = r.normal(t.check), r.normal(t.extends)
    if extends in (ANY, UNKNOWN) or r.judge.assignable(
        restrictive(r, check), restrictive(r, extends)
    ):
        return check if keeps else NEVER
    if r.normal(intersection((check, extends))) is NEVER:
        return NEVER if keeps else check
    return t


def inferred_so_far(r: Reducer, t: Conditional) -> tuple[Type, ...]:
    """Return what each ``infer`` variable is while the condition is open.

    Nothing is inferred from what hangs on a variable itself.
    """
    check = r.normal(t.check)
    if r.judge is None or _is_open(r, check, _same_tuples(check, t.extends)):
        return uninferred(r, t)
    return _inferred(r, t, check)


def uninferred(r: Reducer, t: Conditional) -> tuple[Type, ...]:
    """Return what each ``infer`` variable is while nothing says: its constraint, or ``unknown``."""
    return tuple(UNKNOWN if one is None else one for one in _constraints(r, t))


def _constraints(r: Reducer, t: Conditional) -> tuple[Type | None, ...]:
    """Return the constraint of each ``infer`` variable, as written or as its places imply."""
    key = (t.extends, t.infer)
    found = r.implied.get(key)
    if found is None:
        variables = variables_for(r, t.infer)
        target = instantiate(t.extends, variables, normal=r.normal)
        found = r.implied[key] = tuple(
            [r.constraints.get(one) or _implied(r, target, one) for one in variables]
        )
    return found


def _implied(r: Reducer, node: InternedNode, variable: Free) -> Type | None:
    """Return the constraint that the places of an ``infer`` imply.

    Text in a template, an array where spread, in ``Foo<infer T>`` what ``Foo`` asks for.
    """
    implied = list(_implications(r, node, variable))
    return intersection(implied) if implied else None


def _implications(r: Reducer, node: InternedNode, variable: Free) -> Iterator[Type]:
    if variable not in node.free:
        return
    if isinstance(node, Template) and variable in node.types:
        yield STRING
    elif _spreads(node, variable):
        yield Array(UNKNOWN)
    elif isinstance(node, Reference) and variable in node.arguments:
        declared = r.declaration(node.target)
        parameters = () if declared is None else declared.type_parameters
        for parameter, argument in zip(parameters, node.arguments, strict=False):
            constraint = constraint_in(parameter)
            if argument is variable and constraint is not None and declared is not None:
                yield instantiate(constraint, r.arguments(declared, node.arguments))
    for part in children(node):
        yield from _implications(r, part, variable)


def _spreads(node: InternedNode, variable: Free) -> bool:
    if isinstance(node, Element):
        return node.kind == "variadic" and node.type is variable
    return isinstance(node, Parameter) and node.rest and node.type is variable


def _branch(
    r: Reducer, t: Conditional, check: Type, extends: Type, arguments: tuple[Type, ...]
) -> Type:
    judge = r.judge
    assert judge is not None
    sure = extends in (ANY, UNKNOWN)
    if not sure and (
        check is ANY or not judge.assignable(permissive(r, check), permissive(r, extends))
    ):
        return union((r.normal(_yes(r, t, arguments)), r.normal(t.no))) if check is ANY else t.no
    if sure or judge.assignable(restrictive(r, check), restrictive(r, extends)):
        return _yes(r, t, arguments)
    return _deferred(t, check)


def _yes(r: Reducer, t: Conditional, arguments: tuple[Type, ...]) -> Type:
    """Return the first branch with what was inferred; built only when taken, as it may recur."""
    return instantiate(t.yes, arguments, normal=r.normal) if t.infer else t.yes


def permissive(r: Reducer, t: Type) -> Type:
    """Return ``t`` with every variable as ``any``: what does not fit then, never fits."""
    free = t.free
    return r.replace(t, dict.fromkeys(free, ANY)) if free else t


def restrictive(r: Reducer, t: Type) -> Type:
    """Return ``t`` with every variable free of its constraint: what fits then, always fits."""
    bound: dict[Type, Type] = {}
    for variable in t.free:
        if r.constraints.get(variable) is not None:
            bound[variable] = r.unbound(variable)
    return r.replace(t, bound) if bound else t
