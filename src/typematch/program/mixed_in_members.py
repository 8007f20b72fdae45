"""Members that a class inherits from object types without a name, as from a mixin.

``class Connection extends Queryable(Emitter)`` inherits the members of the object type that the
result of ``Queryable`` constructs.  No other declaration has them.
"""

from __future__ import annotations

from collections.abc import Iterator

from typematch.ir.constructors import (
    intersection_members,
    is_call_result,
    replace_bound_variables,
)
from typematch.ir.declaration import Declaration
from typematch.ir.module import DeclarationStatement, Member
from typematch.ir.render import render
from typematch.ir.type_parts import Property
from typematch.ir.types import UNKNOWN, Object, Reference, Tuple, Type, TypeOf, Var
from typematch.program.type_expansion import DeclaredTypes

_MAX_CALLS = 8  # nested in an ``extends`` clause


def mixed_in_members(
    key: str, statement: DeclarationStatement, declared: DeclaredTypes
) -> Iterator[Member]:
    """Yield the members of a class from the unnamed object types that it extends.

    Args:
        key: of the class.
        statement: that declares it; for any other statement there are none.
    """
    declaration = declared.declarations.get(key)
    if statement.kind != "class" or declaration is None:
        return
    properties: dict[str, Property] = {}
    for object_type in _mixed_in_types(declaration, declared):
        for property_ in object_type.properties:
            properties.setdefault(property_.name, property_)
    own = declaration.type.properties if isinstance(declaration.type, Object) else ()
    overridden = {property_.name for property_ in own}
    for name, property_ in properties.items():
        if name not in overridden and property_.visibility == "public":
            yield member_of_property(property_, statement)


def _mixed_in_types(declaration: Declaration, declared: DeclaredTypes) -> Iterator[Object]:
    for base in declaration.extends:
        for constructor in _constructors(base, declared, _MAX_CALLS):
            for instance in declared.constructed(constructor):
                yield from object_parts(instance)


def member_of_property(property_: Property, statement: DeclarationStatement) -> Member:
    """Return a property as a member of the declaration that has it."""
    name, type_ = property_.name, property_.type
    if property_.method:
        return Member("method", name, type_, statement.line)
    readonly, mark = "readonly " if property_.readonly else "", "?" if property_.optional else ""
    text = f"{readonly}{name}{mark}: {render(type_, names=(statement.type_parameter_names,))}"
    return Member("property", name, type_, statement.line, text, readonly=property_.readonly)


def _constructors(base: Type, declared: DeclaredTypes, calls: int) -> Iterator[Type]:
    """Yield the types, without names of their own, whose instances a class extends."""
    if is_call_result(base):
        yield from _results(base, declared, calls) if calls else ()
    elif isinstance(base, TypeOf) and isinstance(base.target, Reference) and not base.path:
        # The compiler writes ``const C_base: { new (): ... } & ...`` for an expression.  What has
        # a name in it, or is an argument of a type, has entries of its own.
        constant = declared.declarations.get(base.target.target)
        if constant is not None and constant.kind == "const" and constant.value is not None:
            yield from object_parts(constant.value)


def _results(call: Reference, declared: DeclaredTypes, calls: int) -> Iterator[Type]:
    """Yield the parts of the result of a call; for a type parameter, of what is passed for it."""
    callee, arguments, _ = call.arguments
    passed = arguments.elements if isinstance(arguments, Tuple) else ()
    for signature in declared.signatures(callee)[:1]:
        for part in intersection_members(signature.returns):
            if not isinstance(part, Var):
                yield replace_bound_variables(part, UNKNOWN)
                continue
            for parameter, argument in zip(signature.parameters, passed, strict=False):
                if parameter.type is part:
                    yield from _constructors(argument.type, declared, calls - 1)


def object_parts(t: Type) -> Iterator[Object]:
    """Yield the object types without a name among the members of an intersection."""
    return (part for part in intersection_members(t) if isinstance(part, Object))
