"""Resolves the names in the types of a file, and builds the fragments of its declarations."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeVar, cast

from typematch.ir.constructors import ARRAYS, object_type, renormalize
from typematch.ir.intern import InternedNode, intern
from typematch.ir.module import JSX_RUNTIME, DeclarationStatement, Module
from typematch.ir.type_parts import Property, TypeParameter
from typematch.ir.types import (
    Array,
    Intersection,
    Intrinsic,
    Named,
    Object,
    Reference,
    Type,
    TypeOf,
    Union,
    UniqueSymbol,
)
from typematch.program.resolution.declaration_merging import Fragment
from typematch.program.resolution.module_summary import LEAF_CLASSES, declared_name, path_text
from typematch.program.resolution.symbol_tables import ScopePart, key_in, target_key

if TYPE_CHECKING:
    from typematch.program.resolution.symbols import Program

N = TypeVar("N", bound=InternedNode)

# The body of `type Uppercase<S extends string> = intrinsic`.
_INTRINSIC_BODY = Named(("intrinsic",))


class TypeNameResolver:
    """Resolves the types of one file; results are memoized per scope."""

    def __init__(self, program: Program, file: str) -> None:
        self.program = program
        self.file = file
        self._resolvers: dict[int, Callable[[Any], Any]] = {}

    def resolve(self, part: ScopePart, node: N) -> N:
        """Return ``node``, written in scope ``part``, with its names resolved."""
        resolve = self._resolvers.get(id(part))
        if resolve is None:
            resolve = self._resolvers[id(part)] = _resolver(self.program, part)
        return cast(N, resolve(node))

    def scopes(
        self, module: Module
    ) -> Iterator[tuple[ScopePart, tuple[DeclarationStatement, ...]]]:
        """Yield every scope of the file with its declarations, outer scopes first."""
        parts = [self.program.file_part(self.file), *self.program.inner_parts(self.file)]
        scopes = [module.scope]
        for scope in scopes:
            scopes.extend(scope.scopes)
        pending = list(zip(parts, scopes, strict=True))
        for part, scope in pending:
            self.program.table(part.container)
            yield part, scope.declarations
            for position, statement in enumerate(scope.declarations):
                if statement.body is not None:
                    pending.append((part.bodies[position], statement.body))

    def fragments(self, module: Module) -> tuple[Fragment, ...]:
        """Return the fragments that the file contributes, outer scopes first."""
        fragments: list[Fragment] = []
        for part, declarations in self.scopes(module):
            for position, statement in enumerate(declarations):
                fragments.append(self._fragment(part, position, statement, len(fragments)))
                fragments.extend(self._enum_member_fragments(part, statement, len(fragments)))
            if part.outer is None or part.summary.kind == "ambient":
                fragments.extend(self._module_fragment(part, len(fragments)))
        return tuple(fragments)

    def _module_fragment(self, part: ScopePart, position: int) -> Iterator[Fragment]:
        members = self.program.part_members(part)
        if members and "#" not in part.container:
            name = part.container.strip('"')
            key = target_key(part.container)
            yield Fragment(key, name, "namespace", self.file, position, members=members)

    def _fragment(
        self, part: ScopePart, index: int, statement: DeclarationStatement, position: int
    ) -> Fragment:
        name = declared_name(statement)
        key = part.key(name)
        owner = key if statement.kind == "class" else ""
        members: tuple[tuple[str, str], ...] = ()
        if statement.body is not None:
            members = self.program.part_members(part.bodies[index])
        elif statement.enum_members:
            members = tuple(
                (member.name, key_in(key, member.name)) for member in statement.enum_members
            )
        return Fragment(
            key=key,
            name=name,
            kind=statement.kind,
            file=self.file,
            position=position,
            type_parameters=self._type_parameters(part, statement.type_parameters),
            type_parameter_names=statement.type_parameter_names,
            type=self._declared_type(part, statement.type, key, owner),
            extends=tuple(self._heritage(part, statement, base) for base in statement.extends),
            value=self._declared_type(part, statement.value, key, owner),
            members=tuple(sorted(members)),
            abstract=statement.abstract,
        )

    def _enum_member_fragments(
        self, part: ScopePart, statement: DeclarationStatement, position: int
    ) -> Iterator[Fragment]:
        key = part.key(declared_name(statement))
        for offset, member in enumerate(statement.enum_members):
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
        return tuple(self.resolve(part, parameter) for parameter in parameters)

    def _heritage(self, part: ScopePart, statement: DeclarationStatement, base: Type) -> Type:
        """Return a heritage type.

        The name of a base class is that of a value (checkExpression of the heritage clause): of a
        class, or a constant that has construct signatures, even where a type has the same name.
        """
        resolved = self.resolve(part, base)
        if not isinstance(base, Named) or statement.kind != "class":
            return resolved
        value = self.program.resolve(part, path_text(base, "v"))
        if value is None:
            return resolved
        key = target_key(value.target)
        named = self.program.resolve(part, path_text(base, "t"))
        if named is not None and (value.rest or named.target == key):
            return resolved
        arguments = tuple(self.resolve(part, argument) for argument in base.arguments)
        return TypeOf(Reference(key), value.rest, arguments)

    def _declared_type(
        self, part: ScopePart, declared: Type | None, key: str, owner: str
    ) -> Type | None:
        """Return a declaration's type with owners of private members and keys of symbols."""
        if declared is None:
            return None
        if isinstance(declared, UniqueSymbol):
            return UniqueSymbol(key)
        resolved = self.resolve(part, declared)
        if resolved is _INTRINSIC_BODY:
            return Intrinsic("intrinsic")
        if not isinstance(resolved, Object):
            return resolved
        properties = [_with_owner(member, key, owner) for member in resolved.properties]
        if all(
            new_property is old_property
            for new_property, old_property in zip(properties, resolved.properties, strict=True)
        ):
            return resolved
        return Object(tuple(properties), resolved.calls, resolved.constructs, resolved.indexes)


def _with_owner(property_: Property, key: str, owner: str) -> Property:
    is_nominal = owner and (property_.visibility != "public" or property_.name.startswith("#"))
    is_symbol = isinstance(property_.type, UniqueSymbol) and not property_.type.declaration
    if not is_nominal and not is_symbol:
        return property_
    return Property(
        property_.name,
        UniqueSymbol(key_in(key, property_.name)) if is_symbol else property_.type,
        property_.optional,
        property_.readonly,
        property_.method,
        property_.visibility,
        owner if is_nominal else property_.owner,
        property_.write,
    )


def _resolver(program: Program, part: ScopePart) -> Callable[[InternedNode], InternedNode]:
    """Return the function that resolves types written in ``part``."""
    resolved: dict[InternedNode, InternedNode] = {}

    def resolve(node: InternedNode) -> InternedNode:
        kind = type(node)
        if kind in LEAF_CLASSES:
            return node
        result = resolved.get(node)
        if result is None:
            if kind is Named:
                result = resolve_name(cast(Named, node))
            elif kind is TypeOf:
                result = resolve_typeof(cast(TypeOf, node))
            else:
                result = resolve_children(node, kind)
            resolved[node] = result
        return result

    def resolve_children(node: InternedNode, kind: type[InternedNode]) -> InternedNode:
        fields: dict[str, Any] = {}
        for name in kind.child_fields:
            old = getattr(node, name)
            if old.__class__ is tuple:
                parts = tuple([resolve(item) for item in old])
                if parts != old:
                    fields[name] = parts
            elif old is not None:
                new = resolve(old)
                if new is not old:
                    fields[name] = new
        if kind is Property and cast(Property, node).name.startswith("@?"):
            fields["name"] = resolve_computed_name(cast(Property, node).name)
        if not fields:
            return node
        names = kind.__match_args__
        filled: list[Any] = [fields[n] if n in fields else getattr(node, n) for n in names]
        if kind is Object:
            # A resolved computed name may sort differently.
            return object_type(*filled)
        rebuilt = intern(kind, tuple(filled))
        return renormalize(rebuilt) if kind is Union or kind is Intersection else rebuilt

    def resolve_name(node: Named) -> InternedNode:
        arguments = tuple([cast(Type, resolve(item)) for item in node.arguments])
        name = program.resolve(part, path_text(node, "t"))
        if name is None:
            lone = node.module is None and len(node.path) == 1 and len(arguments) == 1
            if lone and f"global#{node.path[0]}" in ARRAYS:
                return Array(arguments[0], ARRAYS[f"global#{node.path[0]}"])
            if node.module is not None and node.module.startswith(JSX_RUNTIME):
                return Named(node.path, arguments)
            return Named(node.path, arguments, node.module)
        if name.target in ARRAYS and len(arguments) == 1:
            return Array(arguments[0], ARRAYS[name.target])
        return Reference(name.target, arguments)

    def resolve_typeof(node: TypeOf) -> InternedNode:
        arguments = tuple([cast(Type, resolve(item)) for item in node.arguments])
        if not isinstance(node.target, Named):
            return TypeOf(cast(Type, resolve(node.target)), node.path, arguments)
        name = program.resolve(part, path_text(node.target, "v"))
        if name is None:
            return TypeOf(node.target, node.path, arguments)
        path = (*name.rest, *node.path)
        return TypeOf(Reference(target_key(name.target)), path, arguments)

    def resolve_computed_name(name: str) -> str:
        resolved_name = program.resolve(part, f"v:{name[2:]}")
        if resolved_name is None:
            return name
        return f"@@{'.'.join((target_key(resolved_name.target), *resolved_name.rest))}"

    return resolve
