"""The constructor of a class that declares none: ``new A()``, or that of the class it extends."""

from __future__ import annotations

from typematch.ir.constructors import is_base_value
from typematch.ir.declaration import Declaration
from typematch.ir.intern import replace_fields
from typematch.ir.module import DeclarationStatement, Member, Overload
from typematch.ir.render import render
from typematch.ir.type_parts import Signature
from typematch.ir.types import Object, Reference, Type, TypeOf
from typematch.program.type_expansion import DeclaredTypes

_MAX_BASES = 50


def implicit_constructor(
    key: str, statement: DeclarationStatement, declared: DeclaredTypes
) -> Member | None:
    """Return the constructor of a class without a declared one: getDefaultConstructSignatures.

    None if there is none to call: the class is abstract, the inherited constructor is not public,
    or what the class extends is not known.

    Args:
        key: of the class.
        statement: that declares it; for any other statement there is none.
    """
    declaration = declared.declarations.get(key)
    if statement.kind != "class" or declaration is None or declaration.abstract:
        return None
    if _declares_constructor(declaration) or not _has_known_base(declaration, declared, _MAX_BASES):
        return None
    static_side = declared.reduced(TypeOf(Reference(key)))
    constructs = static_side.constructs if isinstance(static_side, Object) else ()
    overloads = tuple(_overload(construct, statement) for construct in constructs)
    if not overloads or any(_is_hidden(construct) for construct in constructs):
        return None
    type_ = Object(constructs=tuple(overload.signature for overload in overloads))
    return Member("constructor", "constructor", type_, statement.line, overloads=overloads)


def _declares_constructor(declaration: Declaration) -> bool:
    return isinstance(declaration.value, Object) and bool(declaration.value.constructs)


def _is_hidden(construct: Signature) -> bool:
    return not {"private", "protected"}.isdisjoint(construct.modifier.split())


def _has_known_base(declaration: Declaration, declared: DeclaredTypes, steps: int) -> bool:
    """Whether what a class extends, if anything, has known construct signatures."""
    base = declaration.base
    if base is None:
        return True
    if is_base_value(base):
        return _has_constructors(base, declared)
    extended = declared.declarations.get(base.target) if isinstance(base, Reference) else None
    if extended is None or not steps:
        return False
    if extended.kind == "class":
        return _declares_constructor(extended) or _has_known_base(extended, declared, steps - 1)
    # An interface with a constant of its name: ``Error``.
    return _has_constructors(TypeOf(Reference(extended.key)), declared)


def _has_constructors(value: Type, declared: DeclaredTypes) -> bool:
    """Whether a value that a class extends has known construct signatures."""
    bare = TypeOf(value.target, value.path) if isinstance(value, TypeOf) else value
    return bool(declared.constructed(declared.reduced(bare) or bare))


def _overload(construct: Signature, statement: DeclarationStatement) -> Overload:
    """Return a construct signature as it would be written in the body of the class."""
    signature = replace_fields(construct, type_parameters=(), modifier="")
    names = (statement.type_parameter_names,) if statement.type_parameter_names else ()
    return Overload(
        signature,
        f"new {render(Object(calls=(signature,)), names=names)}",
        parameters=tuple(render(item.type, names=names) for item in signature.parameters),
        returns=render(signature.returns, names=names),
        line=statement.line,
    )
