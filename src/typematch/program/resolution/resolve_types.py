"""Put declarations in the place of names: from a module as written to the fragments it contributes.

Types are walked once for each scope that they stand in; a node met again is answered from memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeVar, cast

from typematch.ir.constructors import object_type, restore
from typematch.ir.intern import InternedNode, intern
from typematch.ir.module import DeclarationStatement, Module
from typematch.ir.types import (
    Array,
    Intersection,
    Intrinsic,
    Literal,
    Named,
    Object,
    Property,
    Reference,
    Type,
    TypeOf,
    TypeParameter,
    Union,
    UniqueSymbol,
    Var,
)
from typematch.program.resolution.declaration_merging import Fragment
from typematch.program.resolution.module_summary import declared_name, path_text
from typematch.program.resolution.symbol_tables import ScopePart, key_in, target_key

if TYPE_CHECKING:
    from typematch.program.resolution.symbols import Program

N = TypeVar("N", bound=InternedNode)

_LEAVES = frozenset((Intrinsic, Literal, Var))
# As in `type Uppercase<S extends string> = intrinsic`, where no type has that name.
_INTRINSIC_BODY = Named(("intrinsic",))
_ARRAYS = {"global#Array": False, "global#ReadonlyArray": True}


class TypeNameResolver:
    """One file's types, bound."""

    def __init__(self, program: Program, file: str) -> None:
        self.program = program
        self.file = file
        self._converters: dict[int, Callable[[Any], Any]] = {}

    def convert(self, part: ScopePart, node: N) -> N:
        """Return ``node``, written in scope ``part``, with its names resolved."""
        converter = self._converters.get(id(part))
        if converter is None:
            converter = self._converters[id(part)] = _converter(self.program, part)
        return cast(N, converter(node))

    def scopes(
        self, module: Module
    ) -> Iterator[tuple[ScopePart, tuple[DeclarationStatement, ...]]]:
        """Yield every scope of the file with what it declares, outer before inner."""
        parts = [self.program.file_part(self.file), *self.program.inner_parts(self.file)]
        written = [module.scope]
        for scope in written:
            written.extend(scope.scopes)
        waiting = list(zip(parts, written, strict=True))
        for part, scope in waiting:
            self.program.table(part.container)
            yield part, scope.declarations
            for position, declared in enumerate(scope.declarations):
                if declared.body is not None:
                    waiting.append((part.bodies[position], declared.body))

    def fragments(self, module: Module) -> tuple[Fragment, ...]:
        """Return what the file contributes, outer scopes first."""
        found: list[Fragment] = []
        for part, declarations in self.scopes(module):
            for position, declared in enumerate(declarations):
                found.append(self._fragment(part, position, declared, len(found)))
                found.extend(self._enum_members(part, declared, len(found)))
            if part.outer is None or part.skeleton.kind == "ambient":
                found.extend(self._module(part, len(found)))
        return tuple(found)

    def _module(self, part: ScopePart, position: int) -> Iterator[Fragment]:
        members = self.program.part_members(part)
        if members and "#" not in part.container:
            name = part.container.strip('"')
            key = target_key(part.container)
            yield Fragment(key, name, "namespace", self.file, position, members=members)

    def _fragment(
        self, part: ScopePart, index: int, declared: DeclarationStatement, position: int
    ) -> Fragment:
        name = declared_name(declared)
        key = part.key(name)
        owner = key if declared.kind == "class" else ""
        members: tuple[tuple[str, str], ...] = ()
        if declared.body is not None:
            members = self.program.part_members(part.bodies[index])
        elif declared.enum_members:
            members = tuple((item.name, key_in(key, item.name)) for item in declared.enum_members)
        return Fragment(
            key=key,
            name=name,
            kind=declared.kind,
            file=self.file,
            position=position,
            type_parameters=self._type_parameters(part, declared.type_parameters),
            type_parameter_names=declared.type_parameter_names,
            type=self._own(part, declared.type, key, owner),
            extends=tuple(self._heritage(part, declared, base) for base in declared.extends),
            value=self._own(part, declared.value, key, owner),
            members=tuple(sorted(members)),
            abstract=declared.abstract,
        )

    def _enum_members(
        self, part: ScopePart, declared: DeclarationStatement, position: int
    ) -> Iterator[Fragment]:
        key = part.key(declared_name(declared))
        for offset, member in enumerate(declared.enum_members):
            yield Fragment(
                key=key_in(key, member.name),
                name=member.name,
                kind="enum-member",
                file=self.file,
                position=position + offset,
                type=member.value,
            )

    def _type_parameters(
        self, part: ScopePart, parameters: Sequence[TypeParameter]
    ) -> tuple[TypeParameter, ...]:
        return tuple(self.convert(part, parameter) for parameter in parameters)

    def _heritage(self, part: ScopePart, declared: DeclarationStatement, base: Type) -> Type:
        """Return what a declaration extends.

        The name of a class may be that of a constant that makes instances.
        """
        bound = self.convert(part, base)
        if isinstance(bound, Named) and declared.kind == "class":
            found = self.program.resolve(part, path_text(bound, "v"))
            if found is not None:
                return TypeOf(Reference(target_key(found.target)), found.rest, bound.arguments)
        return bound

    def _own(self, part: ScopePart, written: Type | None, key: str, owner: str) -> Type | None:
        """Return a declaration's own type: private members know their class, symbols their name."""
        if written is None:
            return None
        if isinstance(written, UniqueSymbol):
            return UniqueSymbol(key)
        bound = self.convert(part, written)
        if bound is _INTRINSIC_BODY:
            return Intrinsic("intrinsic")
        if not isinstance(bound, Object):
            return bound
        properties = [_owned(member, key, owner) for member in bound.properties]
        if all(new is old for new, old in zip(properties, bound.properties, strict=True)):
            return bound
        return Object(tuple(properties), bound.calls, bound.constructs, bound.indexes)


def _owned(member: Property, key: str, owner: str) -> Property:
    private = owner and (member.visibility != "public" or member.name.startswith("#"))
    symbol = isinstance(member.type, UniqueSymbol) and not member.type.declaration
    if not private and not symbol:
        return member
    return Property(
        member.name,
        UniqueSymbol(key_in(key, member.name)) if symbol else member.type,
        member.optional,
        member.readonly,
        member.method,
        member.visibility,
        owner if private else member.owner,
        member.write,
    )


def _converter(program: Program, part: ScopePart) -> Callable[[InternedNode], InternedNode]:
    """Return the function that resolves the names of types written in ``part``."""
    memory: dict[InternedNode, InternedNode] = {}

    def convert(node: InternedNode) -> InternedNode:
        kind = type(node)
        if kind in _LEAVES:
            return node
        found = memory.get(node)
        if found is None:
            if kind is Named:
                found = named(cast(Named, node))
            elif kind is TypeOf:
                found = value(cast(TypeOf, node))
            else:
                found = rebuilt(node, kind)
            memory[node] = found
        return found

    def rebuilt(node: InternedNode, kind: type[InternedNode]) -> InternedNode:
        fields: dict[str, Any] = {}
        for name in kind.parts:
            old = getattr(node, name)
            if old.__class__ is tuple:
                parts = tuple([convert(item) for item in old])
                if parts != old:
                    fields[name] = parts
            elif old is not None:
                new = convert(old)
                if new is not old:
                    fields[name] = new
        if kind is Property and cast(Property, node).name.startswith("@?"):
            fields["name"] = computed(cast(Property, node).name)
        if not fields:
            return node
        names = kind.__match_args__
        filled: list[Any] = [fields[n] if n in fields else getattr(node, n) for n in names]
        if kind is Object:
            # A resolved computed name may stand elsewhere in the order.
            return object_type(*filled)
        made = intern(kind, tuple(filled))
        return restore(made) if kind is Union or kind is Intersection else made

    def named(node: Named) -> InternedNode:
        arguments = tuple([cast(Type, convert(item)) for item in node.arguments])
        found = program.resolve(part, path_text(node, "t"))
        if found is None:
            lone = node.module is None and len(node.path) == 1 and len(arguments) == 1
            if lone and f"global#{node.path[0]}" in _ARRAYS:
                return Array(arguments[0], _ARRAYS[f"global#{node.path[0]}"])
            return Named(node.path, arguments, node.module)
        if found.target in _ARRAYS and len(arguments) == 1:
            return Array(arguments[0], _ARRAYS[found.target])
        return Reference(found.target, arguments)

    def value(node: TypeOf) -> InternedNode:
        arguments = tuple([cast(Type, convert(item)) for item in node.arguments])
        if not isinstance(node.target, Named):
            return TypeOf(cast(Type, convert(node.target)), node.path, arguments)
        found = program.resolve(part, path_text(node.target, "v"))
        if found is None:
            return TypeOf(node.target, node.path, arguments)
        path = (*found.rest, *node.path)
        return TypeOf(Reference(target_key(found.target)), path, arguments)

    def computed(name: str) -> str:
        found = program.resolve(part, f"v:{name[2:]}")
        if found is None:
            return name
        return f"@@{'.'.join((target_key(found.target), *found.rest))}"

    return convert
