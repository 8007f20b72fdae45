"""Construct signatures of classes: declared ones, or those of the base class."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from typematch.ir.constructors import is_base_value
from typematch.ir.declaration import Declaration
from typematch.ir.intern import replace_fields
from typematch.ir.type_parts import Signature
from typematch.ir.types import THIS, Object, Reference, Type, TypeOf, Var
from typematch.program.open_variables import close_variables
from typematch.program.reduction.instantiate import fill_missing_type_arguments
from typematch.program.reduction.resolved_members import add_modifier
from typematch.program.reduction.skolemize import instantiate_signature, skolems_for

if TYPE_CHECKING:
    from typematch.program.reduction.reduce import Reducer


class BaseConstructor(NamedTuple):
    """The value that a class extends, and the type arguments of the ``extends`` clause.

    The arguments may mention the type parameters of the class.
    """

    side: Object
    arguments: tuple[Type, ...]


def base_constructor(r: Reducer, declaration: Declaration) -> BaseConstructor | None:
    """Return what a class extends: getBaseConstructorTypeOfClass; None if that is unknown."""
    base = declaration.base
    arguments: tuple[Type, ...] = ()
    if isinstance(base, TypeOf):
        value: Type = TypeOf(base.target, base.path)
        arguments = base.arguments
    elif isinstance(base, Reference) and not is_base_value(base):
        if not _has_value(r, base.target, declaration.key):
            return None
        value = TypeOf(Reference(base.target))
        arguments = base.arguments
    elif base is None or base.loose_depth:
        return None
    else:
        value = base
    r.count_step()
    members = r.members_of(r.normal(value))
    side = Object(tuple(members), members.calls, members.constructs, members.indexes)
    return BaseConstructor(side, arguments)


def _has_value(r: Reducer, key: str, derived: str) -> bool:
    """Whether ``key`` is a class, or an interface with a constant of its name: ``Error``."""
    declaration = r.declaration(key)
    return declaration is not None and declaration.has_value and key != derived


def construct_signatures(
    r: Reducer,
    declaration: Declaration,
    declared: Sequence[Signature],
    base: BaseConstructor | None,
) -> list[Signature]:
    """Return the construct signatures of a class, with its type parameters as their own.

    Without ``declared`` ones they are those of the base: getDefaultConstructSignatures.
    """
    parameters = declaration.type_parameters
    instance = Reference(declaration.key, tuple(Var(0, i) for i in range(len(parameters))))
    signatures = []
    for signature in declared or _inherited_signatures(r, declaration, base):
        construct = replace_fields(signature, returns=instance, type_parameters=parameters)
        if declaration.abstract:
            construct = add_modifier(construct, "abstract")
        signatures.append(add_modifier(construct, "method"))
    return signatures


def _inherited_signatures(
    r: Reducer, declaration: Declaration, base: BaseConstructor | None
) -> list[Signature]:
    """Return the signatures of a class without declared ones, its own type parameters open."""
    if base is None or not base.side.constructs:
        return [Signature((), THIS)]
    skolems = skolems_for(r, declaration.type_parameters)
    arguments = [r.instantiate(argument, skolems) for argument in base.arguments]
    indices = {skolem: index for index, skolem in enumerate(skolems)}
    inherited = (with_type_arguments(r, signature, arguments) for signature in base.side.constructs)
    return [
        close_variables(_without_abstract(signature), indices)
        for signature in inherited
        if signature is not None
    ]


def with_type_arguments(
    r: Reducer, signature: Signature, arguments: Sequence[Type]
) -> Signature | None:
    """Return a signature instantiated with type arguments, missing ones filled in.

    None if it takes fewer or needs more of them: hasCorrectTypeArgumentArity.
    """
    parameters = signature.type_parameters
    needed = [index for index, parameter in enumerate(parameters) if parameter.default is None]
    if not max(needed, default=-1) < len(arguments) <= len(parameters):
        return None
    filled = fill_missing_type_arguments(parameters, arguments, r.normal)
    return instantiate_signature(r, signature, filled)


def _without_abstract(signature: Signature) -> Signature:
    """Return a base class's construct signature without ``abstract``: it is not inherited."""
    modifiers = " ".join(word for word in signature.modifier.split() if word != "abstract")
    return replace_fields(signature, modifier=modifiers)
