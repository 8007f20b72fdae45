"""Say what a document needs: its interfaces, each with the methods that somebody must have.

Types that the document itself declares are put in place of their names: whoever implements them has
names of his own.  Where a type contains itself, anything does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from typematch.ir.constructors import restore, union
from typematch.ir.declaration import Declaration
from typematch.ir.intern import InternedNode, rebuild
from typematch.ir.lift import standing_alone
from typematch.ir.render import render
from typematch.ir.types import (
    ANY,
    THIS,
    UNDEFINED,
    Intersection,
    Object,
    Property,
    Reference,
    Type,
    Union,
)
from typematch.program.reduction.instantiate import instantiate

_KINDS = ("interface", "class", "alias")
_DEEPEST = 12  # declarations inside declarations; what lies deeper may be anything


@dataclass(frozen=True, slots=True)
class NeededMethod:
    """A method as a function type with one call, closed; ``text`` is its signature."""

    name: str
    type: Object
    variables: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True)
class RequiredInterface:
    """An interface that is asked for; ``fields`` are its other members, which nothing compares."""

    name: str
    methods: tuple[NeededMethod, ...]
    fields: tuple[str, ...] = ()


def needed_in(declared: Mapping[str, Declaration], whole: str) -> tuple[RequiredInterface, ...]:
    """Return what must be implemented, in order of name.

    Functions that stand alone are together one interface, called ``whole``.  Types that only say
    what methods take and give are none: they have no methods.
    """
    inline = _Inline(declared)
    found = []
    functions: list[NeededMethod] = []
    for declaration in declared.values():
        if declaration.kind == "function" and isinstance(declaration.value, Object):
            functions += _methods(declaration.name, declaration.value, (), inline)
        if declaration.kind in _KINDS:
            needed = _needed(declaration, inline)
            found += [needed] if needed.methods else []
    if functions:
        found.append(RequiredInterface(whole, tuple(functions)))
    return tuple(sorted(found, key=lambda one: one.name))


def _needed(declaration: Declaration, inline: _Inline) -> RequiredInterface:
    methods: list[NeededMethod] = []
    fields: list[str] = []
    names = declaration.type_parameter_names
    for member in inline.members(declaration):
        made = _methods(member.name, _callable(member.type), names, inline)
        methods += made
        if not made:
            fields.append(member.name)
    return RequiredInterface(declaration.name, tuple(methods), tuple(fields))


def _callable(t: Type) -> Type:
    """Return the function of a member that may be left out."""
    if isinstance(t, Union):
        rest = [one for one in t.members if one is not UNDEFINED]
        return rest[0] if len(rest) == 1 else t
    return t


def _methods(name: str, t: Type, names: Sequence[str], inline: _Inline) -> list[NeededMethod]:
    """Return a method for each overload of a function; none of anything else."""
    if not isinstance(t, Object) or not t.calls or t.properties:
        return []
    made = []
    for call in t.calls:
        alone, count = standing_alone(inline.type(Object(calls=(call,))))
        [signature] = alone.calls
        own = len(signature.type_parameters) - count
        variables = (*names[:count], *(f"T{place}" for place in range(own)))
        made.append(NeededMethod(name, alone, variables, f"{name}: {render(alone)}"))
    return made


class _Inline:
    def __init__(self, declared: Mapping[str, Declaration]) -> None:
        self._declared = declared
        self._open: list[str] = []

    def members(self, declaration: Declaration) -> list[Property]:
        """Return the own members of an interface, and those of what it extends."""
        found: dict[str, Property] = {}
        if isinstance(declaration.type, Object):
            found = {
                one.name: one
                for one in declaration.type.properties
                if one.visibility == "public" and one.name != "constructor"
            }
        for base in declaration.extends:
            if isinstance(base, Reference) and base.target not in self._open:
                above = self._declared.get(base.target)
                if above is not None:
                    self._open.append(base.target)
                    for one in self.members(above):
                        found.setdefault(one.name, one)
                    self._open.pop()
        return sorted(found.values(), key=lambda one: one.name)

    def type(self, t: Object) -> Object:
        changed = self._node(t)
        assert isinstance(changed, Object)
        return changed

    def _node(self, node: InternedNode) -> InternedNode:
        if node is THIS:
            return ANY  # whoever implements it
        if isinstance(node, Reference) and node.target in self._declared:
            return self._declaration(node)
        return restore(rebuild(node, lambda part, _: self._node(part)))

    def _declaration(self, node: Reference) -> Type:
        declaration = self._declared[node.target]
        if node.target in self._open or len(self._open) >= _DEEPEST:
            return ANY
        if declaration.kind == "enum":
            members = [self._declared.get(key) for _, key in declaration.members]
            values = [one.type for one in members if one is not None and one.type is not None]
            return union(values) if values else ANY
        if declaration.type is None:
            return ANY
        body: Type = declaration.type
        if declaration.extends:
            body = Object(
                tuple(self.members(declaration)),
                *((body.calls, body.constructs, body.indexes) if isinstance(body, Object) else ()),
            )
        if declaration.type_parameters:
            given = [ANY if one.loose else one for one in node.arguments]
            rest = len(declaration.type_parameters) - len(given)
            body = instantiate(body, [*given, *([ANY] * rest)])
        self._open.append(node.target)
        made = self._node(body)
        self._open.pop()
        return _merged(made)


def _merged(node: InternedNode) -> Type:
    """Return an intersection of objects as one object, where it is nothing else."""
    assert isinstance(node, Type)
    if not isinstance(node, Intersection):
        return node
    objects = [one for one in node.members if isinstance(one, Object) and not one.calls]
    if len(objects) < len(node.members):
        return node
    found = {one.name: one for part in objects for one in part.properties}
    return Object(
        tuple(found[name] for name in sorted(found)),
        indexes=tuple(index for part in objects for index in part.indexes),
    )
