"""Call signatures of types written as names: ``const f: Fn``, ``typeof g``, ``Fn | undefined``."""

from __future__ import annotations

from itertools import chain

from typematch.ir.declaration import Declarations
from typematch.ir.type_parts import Signature
from typematch.ir.types import (
    NULL,
    THIS,
    UNDEFINED,
    Free,
    IndexedAccess,
    Intersection,
    Object,
    Reference,
    Type,
    Union,
    VariableKind,
)
from typematch.program.open_variables import close_variables, open_variables
from typematch.program.type_expansion import DeclaredTypes, instantiate_body
from typematch.program.union_signature import union_signature

# Their methods that return functions are not call signatures of their own.
_WITHOUT_OWN_SIGNATURES = frozenset(("global#Function", "global#Object"))


def call_signatures_of(
    t: Type, declared: DeclaredTypes, container: str = ""
) -> tuple[Signature, ...]:
    """Return the call signatures of a type, overloads in order; empty if it is not callable.

    ``undefined`` and ``null`` in a union are ignored.

    Args:
        container: the key of the declaration that binds the variables of an open type, and that
            ``this`` refers to.
    """
    variables: dict[int, Free] = {}
    type_ = open_variables(t, variables) if t.loose_depth else t
    if t is THIS:
        type_ = _this_type(container, variables, declared.declarations)
    elif isinstance(t, IndexedAccess) and t.object is THIS:
        type_ = IndexedAccess(_this_type(container, variables, declared.declarations), t.index)
    elif isinstance(type_, Free):
        type_ = _constraint(container, type_, variables, declared.declarations)
    signatures = declared.signatures(type_)
    if not variables:
        return signatures
    indices = {variable: index for index, variable in variables.items()}
    return tuple(close_variables(signature, indices) for signature in signatures)


def _this_type(key: str, variables: dict[int, Free], declarations: Declarations) -> Type:
    """Return the type of ``this`` in ``key``: the declaration applied to its own variables."""
    declaration = declarations.get(key)
    if declaration is None:
        return THIS
    count = len(declaration.type_parameters)
    variables.update((index, Free(VariableKind.DECLARATION, index)) for index in range(count))
    return Reference(key, tuple(variables[index] for index in range(count)))


def _constraint(
    key: str, variable: Free, variables: dict[int, Free], declarations: Declarations
) -> Type:
    """Return the constraint of a type parameter of ``key``, or the variable without one."""
    declaration = declarations.get(key)
    index = variable.serial
    if declaration is None or index >= len(declaration.type_parameters):
        return variable
    constraint = declaration.type_parameters[index].constraint
    if constraint is None:
        return variable
    return open_variables(constraint, variables) if constraint.loose_depth else constraint


def find_signatures(t: Type, steps: int, declared: DeclaredTypes) -> tuple[Signature, ...]:
    """Return the call signatures of a type; ``DeclaredTypes.signatures`` caches them.

    Args:
        steps: how many expansions and base types may lead to a signature.
    """
    match declared.expand(t, steps):
        case Object() as object_type:
            return object_type.calls
        case Union(members):
            callable_members = [member for member in members if member not in (UNDEFINED, NULL)]
            return union_signature(
                [declared.signatures(member, steps - 1) for member in callable_members]
            )
        case Intersection(members):
            calls = (declared.signatures(member, steps - 1) for member in members)
            return tuple(dict.fromkeys(chain.from_iterable(calls)))
        case Reference(target, arguments) if target not in _WITHOUT_OWN_SIGNATURES:
            return _declared_signatures(target, arguments, steps, declared)
        case _:
            return ()


def _declared_signatures(
    target: str, arguments: tuple[Type, ...], steps: int, declared: DeclaredTypes
) -> tuple[Signature, ...]:
    """Return the call signatures of a class or interface, its own before inherited ones."""
    declaration = declared.declarations.get(target)
    if declaration is None or not declaration.is_class_or_interface:
        return ()
    signatures: list[Signature] = []
    if isinstance(declaration.type, Object):
        body = instantiate_body(declaration, declaration.type, arguments)
        signatures.extend(body.calls if isinstance(body, Object) else ())
    for base in declaration.extends:
        if declaration.kind == "class" and not isinstance(base, Reference):
            continue  # a value: instances have what it constructs, not its own calls
        base_type = instantiate_body(declaration, base, arguments)
        signatures.extend(declared.signatures(base_type, steps - 1))
    return tuple(dict.fromkeys(signatures))
