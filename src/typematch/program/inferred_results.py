"""Checks the results that the reader infers from function bodies.

The reader writes the result of a call as ``ReturnType<typeof f>``, and a property as ``T["name"]``,
without knowing the declarations.  ``ReturnType`` is the result of a call only if ``f`` has one
signature, or several with one result, and no type argument decides about it.  What is not known is
``unannotated``.
"""

from __future__ import annotations

from typing import cast

from typematch.ir.constructors import (
    is_call_result,
    own_property,
    promise_value_type,
    renormalize,
    union,
)
from typematch.ir.declaration import GLOBAL_SCOPE
from typematch.ir.intern import InternedNode, children, nodes_of, rebuild
from typematch.ir.type_parts import Signature
from typematch.ir.types import (
    THIS,
    UNANNOTATED,
    UNDEFINED,
    UNREADABLE,
    Array,
    IndexedAccess,
    Intrinsic,
    Literal,
    Named,
    Object,
    Reference,
    Tuple,
    Type,
    TypeOf,
    Union,
    Var,
)
from typematch.program.type_expansion import DeclaredTypes

_MAX_CALLS = 8  # calls that lead from one result to the next
_UTILITIES = ("ReturnType", "Awaited", "NonNullable")
_WRAPPERS = {"bigint": "BigInt"}
_COMPUTED = Union | Array | Tuple | IndexedAccess


def known_signature(signature: Signature, declared: DeclaredTypes) -> Signature:
    """Return a signature whose result was inferred, with ``unannotated`` for what is not known."""
    returns = known_result(signature.returns, declared)
    if returns is signature.returns:
        return signature
    return Signature(
        signature.parameters,
        returns,
        signature.type_parameters,
        signature.this,
        signature.predicate,
        signature.modifier,
    )


def known_result(t: Type, declared: DeclaredTypes, calls: int = _MAX_CALLS) -> Type:
    """Return an inferred result with the results of calls in place of ``ReturnType``."""
    utility, argument = _utility(t)
    if utility == "ReturnType":
        return _call_result(argument, declared, calls)
    if utility is not None:
        return _of_utility(t, utility, argument, declared, calls)
    match t:
        case IndexedAccess(object_type, Literal("string", name)):
            return _property(object_type, name, declared, calls)
        case Reference(target, ()) if _needs_arguments(target, declared):
            return UNANNOTATED
        case TypeOf(target):
            value = declared.expand_once(t) if isinstance(target, Reference) else None
            if value is not None and is_call_result(value):
                value = declared.expand_once(value)
            is_known = value is not None and not isinstance(value, Literal) and _is_known(value)
            return t if is_known or target is THIS else UNANNOTATED
        case _:
            rebuilt = cast(Type, renormalize(_checked_parts(t, declared, calls)))
            parts = children(rebuilt) if isinstance(rebuilt, _COMPUTED) else ()
            return UNANNOTATED if UNANNOTATED in parts else rebuilt


def _checked_parts(node: InternedNode, declared: DeclaredTypes, calls: int) -> InternedNode:
    """Return ``node`` with each type in it checked, also those of signatures and properties."""

    def checked(part: InternedNode, _crossed: int) -> InternedNode:
        if isinstance(part, Type):
            return known_result(part, declared, calls)
        return _checked_parts(part, declared, calls)

    return rebuild(node, checked)


def _utility(t: Type) -> tuple[str | None, Type]:
    """Return the name and the argument of ``ReturnType``, ``Awaited`` or ``NonNullable``."""
    match t:
        case Named((name,), (argument,), None) if name in _UTILITIES:
            return name, argument
        case Reference(target, (argument,)) if target.removeprefix(GLOBAL_SCOPE) in _UTILITIES:
            return target.removeprefix(GLOBAL_SCOPE), argument
        case _:
            return None, t


def _call_result(callee: Type, declared: DeclaredTypes, calls: int) -> Type:
    if not calls:
        return UNANNOTATED
    function = callee
    if isinstance(callee, IndexedAccess):
        function = known_result(callee, declared, calls - 1)
        if function is UNANNOTATED:
            return UNANNOTATED
    results = {
        signature.returns if not _depends_on_call(signature) else UNANNOTATED
        for signature in declared.signatures(function)
    }
    if len(results) != 1:
        return UNANNOTATED
    [result] = results
    return known_result(result, declared, calls - 1)


def _depends_on_call(signature: Signature) -> bool:
    """Whether the result depends on type arguments, or on the receiver."""
    if signature.type_parameters and signature.returns.loose_depth:
        return True
    return _mentions_this(signature.returns)


def _of_utility(t: Type, utility: str, argument: Type, declared: DeclaredTypes, calls: int) -> Type:
    known = known_result(argument, declared, calls)
    if known is UNANNOTATED:
        return UNANNOTATED
    if utility == "Awaited":
        value = promise_value_type(declared.expand(known))
        if value is not None:
            return value
    if isinstance(t, Reference):
        return Reference(t.target, (known,))
    return Named((utility,), (known,))


def _property(object_type: Type, name: str, declared: DeclaredTypes, calls: int) -> Type:
    known = known_result(object_type, declared, calls)
    if known is UNANNOTATED or isinstance(known, Var | Union):
        return UNANNOTATED
    if known is THIS:
        return IndexedAccess(THIS, Literal("string", name))
    if isinstance(known, Object):
        own = own_property(known, name)
        if own is None or not _is_known(own.type):
            return UNANNOTATED
        return union((own.type, UNDEFINED)) if own.optional else own.type
    apparent = _apparent(known)
    type_ = declared.expand_once(IndexedAccess(apparent, Literal("string", name)))
    if type_ is None or not _is_known(type_):
        return UNANNOTATED
    if apparent is not known and not type_.loose_depth:
        return type_
    return IndexedAccess(apparent, Literal("string", name))


def _needs_arguments(target: str, declared: DeclaredTypes) -> bool:
    """Whether a declaration without type arguments is no type; ``new X(a)`` infers them."""
    declaration = declared.declarations.get(target)
    if declaration is None:
        return False
    parameters = declaration.type_parameters
    return (declaration.kind == "class" and bool(parameters)) or any(
        parameter.default is None for parameter in parameters
    )


def _apparent(t: Type) -> Type:
    """Return the interface of the library that has the members of a primitive or an array."""
    match t:
        case Array(element, readonly):
            name = "global#ReadonlyArray" if readonly else "global#Array"
            return Reference(name, (element,))
        case Intrinsic("string" | "number" | "boolean" | "bigint" as name):
            return Reference(f"global#{_WRAPPERS.get(name, name.capitalize())}")
        case _:
            return t


def _is_known(t: Type) -> bool:
    return not any(
        node in (UNANNOTATED, UNREADABLE) or is_call_result(node) for node in nodes_of(t)
    )


def _mentions_this(t: Type) -> bool:
    pending: list[InternedNode] = [t]
    while pending:
        node = pending.pop()
        if node is THIS:
            return True
        if not isinstance(node, Object):
            pending.extend(children(node))
    return False
