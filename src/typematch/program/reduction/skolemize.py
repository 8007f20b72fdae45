"""Instantiation of generic signatures and declarations with skolems, type arguments or ``any``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, TypeVar, cast

from typematch.ir.intern import InternedNode, is_binder, nodes_of, rebuild
from typematch.ir.type_parts import Signature, TypeParameter
from typematch.ir.types import ANY, THIS, Free, Type, Var
from typematch.program.reduction.instantiate import Substitution

if TYPE_CHECKING:
    from typematch.program.reduction.reduce import Reducer

N = TypeVar("N", bound=InternedNode)


def skolems_for(r: Reducer, parameters: tuple[TypeParameter, ...]) -> tuple[Free, ...]:
    """Return the skolems of a binder, the same ones for equal type parameters."""
    skolems = r.skolems_by_binder.get(parameters)
    if skolems is None:
        skolems = tuple([r.fresh_variable("T") for _ in parameters])
        r.skolems_by_binder[parameters] = skolems
        _set_constraints(r, skolems, parameters)
    return skolems


def skolemized(r: Reducer, signature: Signature, other: Signature | None = None) -> Signature:
    """Return a generic signature with skolems for its type parameters.

    They are the first skolems that occur neither in the signature nor in ``other``. An inner binder
    never gets the skolems of an outer one, and a recursive method leads back to the pair of types
    that is already being compared.
    """
    if not signature.type_parameters:
        return signature
    used = signature.free
    if other is not None:
        used = used | other.free
    key = (signature, used)
    instantiated = r.skolemized.get(key)
    if instantiated is None:
        skolems = fresh_skolems(r, signature.type_parameters, used)
        instantiated = r.skolemized[key] = instantiate_signature(r, signature, skolems)
    return instantiated


def fresh_skolems(
    r: Reducer, parameters: tuple[TypeParameter, ...], used: frozenset[Type]
) -> tuple[Free, ...]:
    """Return the first group of skolems for a binder that has none of ``used``."""
    groups = r.skolem_groups.setdefault(tuple([p.constraint for p in parameters]), [])
    for group in groups:
        if used.isdisjoint(group):
            return group
    group = tuple([r.fresh_variable("T") for _ in parameters])
    groups.append(group)
    _set_constraints(r, group, parameters)
    return group


def _set_constraints(
    r: Reducer, skolems: tuple[Free, ...], parameters: tuple[TypeParameter, ...]
) -> None:
    """Set the constraints of new skolems.

    The skolems are cached before: reducing a constraint may ask for those of its own binder.
    """
    for skolem, parameter in zip(skolems, parameters, strict=True):
        constraint = effective_constraint(parameter)
        if constraint is not None:
            r.constraints[skolem] = r.instantiate(constraint, skolems)


def instantiate_signature(r: Reducer, signature: Signature, arguments: Sequence[Type]) -> Signature:
    """Return a generic signature with ``arguments`` for its type parameters."""
    if not signature.type_parameters:
        return signature
    parameters = signature.type_parameters
    substitution = Substitution(tuple(arguments), {}, r.normal, parameters, r.count_nodes)
    this = signature.this
    predicate = signature.predicate
    return Signature(
        substitution.apply_all(signature.parameters, 0),
        substitution.apply(signature.returns),
        (),
        None if this is None else substitution.apply(this),
        None if predicate is None else substitution.apply(predicate),
        signature.modifier,
    )


def erasure(r: Reducer, signature: Signature) -> Signature:
    """Return a generic signature with ``any`` for its type parameters: getErasedSignature."""
    if not signature.type_parameters:
        return signature
    erased = r.erasures.get(signature)
    if erased is None:
        arguments = (ANY,) * len(signature.type_parameters)
        erased = r.erasures[signature] = instantiate_signature(r, signature, arguments)
    return erased


def member_substitution(r: Reducer, arguments: tuple[Type, ...], this: Type) -> Substitution:
    """Return the substitution for the members of a generic declaration with receiver ``this``."""
    return Substitution(arguments, {THIS: this}, r.normal, (), r.count_nodes)


def effective_constraint(parameter: TypeParameter) -> Type | None:
    """Return the constraint of a type parameter; ``extends any`` counts as none."""
    return None if parameter.constraint is ANY else parameter.constraint


def at_binder(t: Type, variables: Sequence[Free]) -> Type | None:
    """Return ``t`` as part of a binder of ``variables``: ``keyof T`` is ``KeyOf(Var(0, 0))``.

    None if it mentions other variables, or binds some itself.
    """
    if t.loose_depth or not t.free <= frozenset(variables) or any(map(is_binder, nodes_of(t))):
        return None
    return _with_bound_variables(t, {variable: i for i, variable in enumerate(variables)})


def _with_bound_variables(node: N, indices: Mapping[Free, int]) -> N:
    if isinstance(node, Free):
        return cast(N, Var(0, indices[node]))
    if not node.free:
        return node
    return rebuild(node, lambda part, _: _with_bound_variables(part, indices))
