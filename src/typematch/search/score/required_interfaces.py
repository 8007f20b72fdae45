"""Read the interfaces that a document requires, each with its methods.

References to the document's own declarations are replaced by their bodies, because an
implementation declares its own types.  Recursive references become ``any``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from typematch.ir.constructors import renormalize, union
from typematch.ir.declaration import Declaration, Declarations
from typematch.ir.intern import InternedNode, rebuild, replace_fields
from typematch.ir.lift import close_over_container
from typematch.ir.render import render
from typematch.ir.type_parts import Property
from typematch.ir.types import ANY, THIS, UNDEFINED, Intersection, Object, Reference, Type, Union
from typematch.program.reduction.instantiate import instantiate

_KINDS = ("interface", "class", "alias")
_MAX_DEPTH = 12  # nested declarations; deeper ones become any


@dataclass(frozen=True, slots=True)
class RequiredMethod:
    """A method to be implemented.

    Attributes:
        type: a closed function type with one call signature.
        variables: the names of its type parameters.
        text: its name and signature.
    """

    name: str
    type: Object
    variables: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True)
class RequiredInterface:
    """An interface to be implemented; ``fields`` are its other members, which are not compared."""

    name: str
    methods: tuple[RequiredMethod, ...]
    fields: tuple[str, ...] = ()


def required_interfaces(
    declarations: Mapping[str, Declaration], document: str, outside: Declarations | None = None
) -> tuple[RequiredInterface, ...]:
    """Return the interfaces with methods, in order of name.

    Args:
        declarations: of the document, by key.
        document: its name, which becomes the name of an interface of all its free functions.
        outside: has the interfaces that those of the document extend.
    """
    inline = _Inline(declarations, outside)
    interfaces = []
    functions: list[RequiredMethod] = []
    for declaration in declarations.values():
        if declaration.kind == "function" and isinstance(declaration.value, Object):
            functions += _methods(declaration.name, declaration.value, (), inline)
        if declaration.kind in _KINDS:
            interface = _interface(declaration, inline)
            interfaces += [interface] if interface.methods else []
    if functions:
        interfaces.append(RequiredInterface(document, tuple(functions)))
    return tuple(sorted(interfaces, key=lambda interface: interface.name))


def _interface(declaration: Declaration, inline: _Inline) -> RequiredInterface:
    methods: list[RequiredMethod] = []
    fields: list[str] = []
    names = declaration.type_parameter_names
    for member in inline.members(declaration):
        overloads = _methods(member.name, _without_undefined(member.type), names, inline)
        methods += overloads
        if not overloads:
            fields.append(member.name)
    return RequiredInterface(declaration.name, tuple(methods), tuple(fields))


def _without_undefined(t: Type) -> Type:
    """Return the function type of an optional method."""
    if isinstance(t, Union):
        rest = [member for member in t.members if member is not UNDEFINED]
        return rest[0] if len(rest) == 1 else t
    return t


def _methods(name: str, t: Type, names: Sequence[str], inline: _Inline) -> list[RequiredMethod]:
    """Return a method for each overload of a function type; none for any other type.

    Args:
        names: of the type parameters of the interface.
    """
    if not isinstance(t, Object) or not t.calls or t.properties:
        return []
    methods = []
    for call in t.calls:
        function, outer_count = close_over_container(inline.function(Object(calls=(call,))))
        [signature] = function.calls
        own_count = len(signature.type_parameters) - outer_count
        variables = (*names[:outer_count], *(f"T{index}" for index in range(own_count)))
        methods.append(RequiredMethod(name, function, variables, f"{name}: {render(function)}"))
    return methods


class _Inline:
    """Replaces references to a document's own declarations by their bodies."""

    def __init__(
        self, declarations: Mapping[str, Declaration], outside: Declarations | None
    ) -> None:
        self._declarations = declarations
        self._outside = outside
        self._open: list[str] = []  # keys of the declarations around the current node

    def members(self, declaration: Declaration) -> list[Property]:
        """Return the public members of an interface, inherited ones included, by name."""
        members: dict[str, Property] = {}
        if isinstance(declaration.type, Object):
            members = {
                member.name: member
                for member in declaration.type.properties
                if member.visibility == "public" and member.name != "constructor"
            }
        for base in declaration.extends:
            if isinstance(base, Reference) and base.target not in self._open:
                base_declaration = self._declaration(base.target)
                if base_declaration is not None:
                    self._open.append(base.target)
                    for member in self.members(base_declaration):
                        inherited = _instantiated(member, base, base_declaration)
                        members.setdefault(member.name, inherited)
                    self._open.pop()
        return sorted(members.values(), key=lambda member: member.name)

    def _declaration(self, key: str) -> Declaration | None:
        declaration = self._declarations.get(key)
        if declaration is None and self._outside is not None:
            return self._outside.get(key)
        return declaration

    def function(self, t: Object) -> Object:
        inlined = self._node(t)
        assert isinstance(inlined, Object)
        return inlined

    def _node(self, node: InternedNode) -> InternedNode:
        if node is THIS:
            return ANY  # the type of the implementation
        if isinstance(node, Reference) and node.target in self._declarations:
            return self._body(node)
        return renormalize(rebuild(node, lambda part, _: self._node(part)))

    def _body(self, reference: Reference) -> Type:
        declaration = self._declarations[reference.target]
        if reference.target in self._open or len(self._open) >= _MAX_DEPTH:
            return ANY
        if declaration.kind == "enum":
            return self._enum(declaration)
        if declaration.type is None:
            return ANY
        body: Type = declaration.type
        if declaration.extends:
            body = Object(
                tuple(self.members(declaration)),
                *((body.calls, body.constructs, body.indexes) if isinstance(body, Object) else ()),
            )
        if declaration.type_parameters:
            arguments = [
                ANY if argument.loose_depth else argument for argument in reference.arguments
            ]
            missing = len(declaration.type_parameters) - len(arguments)
            body = instantiate(body, [*arguments, *([ANY] * missing)])
        self._open.append(reference.target)
        inlined = self._node(body)
        self._open.pop()
        return _merged(inlined)

    def _enum(self, declaration: Declaration) -> Type:
        """Return the union of an enum's member types; ``any`` if none is known."""
        members = [self._declarations.get(key) for _, key in declaration.members]
        types = [
            member.type for member in members if member is not None and member.type is not None
        ]
        return union(types) if types else ANY


def _instantiated(member: Property, base: Reference, declaration: Declaration) -> Property:
    """Return an inherited member with the type arguments of the base interface."""
    count = len(declaration.type_parameters)
    if not count:
        return member
    arguments = [*base.arguments, *([ANY] * count)][:count]
    return replace_fields(member, type=instantiate(member.type, arguments))


def _merged(node: InternedNode) -> Type:
    """Merge an intersection of plain object types to one object type."""
    assert isinstance(node, Type)
    if not isinstance(node, Intersection):
        return node
    objects = [member for member in node.members if isinstance(member, Object) and not member.calls]
    if len(objects) < len(node.members):
        return node
    properties = {property_.name: property_ for part in objects for property_ in part.properties}
    return Object(
        tuple(properties[name] for name in sorted(properties)),
        indexes=tuple(index for part in objects for index in part.indexes),
    )
