"""Module summaries: declarations, imports, exports and used names of a file, without its types.

Names are resolved across the whole program from summaries alone, so an incremental run parses only
changed files.  They consist of tuples of plain values, which are cheap to store as JSON.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple, cast

from typematch.ir.intern import InternedNode, children
from typematch.ir.module import DeclarationStatement, Export, Import, Member, Module, Scope
from typematch.ir.type_parts import Property
from typematch.ir.types import (
    Conditional,
    IndexedAccess,
    Intersection,
    Intrinsic,
    Literal,
    Named,
    Object,
    Type,
    TypeOf,
    Var,
)

TYPE, VALUE, NAMESPACE = 1, 2, 4
ANY_MEANING = TYPE | VALUE | NAMESPACE
MEANINGS: dict[str, int] = {
    "function": VALUE,
    "const": VALUE,
    "class": TYPE | VALUE,
    "interface": TYPE,
    "alias": TYPE,
    "enum": TYPE | VALUE | NAMESPACE,
    "namespace": NAMESPACE,
}

EXPORTED, DEFAULT = 1, 2
# Types of the library whose members are those of what a function returns, or of their argument.
COMPUTED = frozenset((("ReturnType",), ("InstanceType",), ("Awaited",)))
SAME_MEMBERS = frozenset((("Readonly",), ("Partial",), ("Required",), ("NonNullable",)))


class MemberLink(NamedTuple):
    """A declaration whose members are also members of a declared name.

    ``relation`` is ``is`` (the type of a constant or alias), ``extends``, ``new`` (the result of
    a constant's or interface's construct signatures), or ``computed`` (there are members that only
    the reduced type shows; no ``name``); ``name`` is spelled as in ``ScopeSummary.free``.
    """

    relation: str
    name: str


class DeclarationSummary(NamedTuple):
    """One declaring statement.

    ``members`` are the names of enum members, or of members that may become entries, static ones
    with a leading dot; ``body`` is a namespace's scope.
    """

    name: str
    kind: str
    flags: int
    links: tuple[MemberLink, ...]
    members: tuple[str, ...]
    body: ScopeSummary | None


class ScopeSummary(NamedTuple):
    """A scope of ``ir.module``.

    ``free`` lists the names used by types written in this scope, sorted and without duplicates:
    ``t:A.B`` as a type, ``v:a.b`` as a value (``typeof``, computed names), ``t:A.B@module`` for an
    ``import()`` type.  ``leading_exports`` is the number of exports before the first declaration.
    """

    kind: str
    name: str
    imports: tuple[Import, ...]
    exports: tuple[Export, ...]
    names: tuple[DeclarationSummary, ...]
    scopes: tuple[ScopeSummary, ...]
    free: tuple[str, ...]
    leading_exports: int = 0


class ModuleSummary(NamedTuple):
    scope: ScopeSummary
    is_module: bool
    specifiers: tuple[str, ...] = ()

    def to_json(self) -> str:
        """Return compact JSON on one line; equal summaries have equal text."""
        data = [_scope_to_json(self.scope), int(self.is_module), self.specifiers]
        return json.dumps(data, ensure_ascii=False, separators=(",", ":"))

    @staticmethod
    def from_json(text: str) -> ModuleSummary:
        scope, is_module, specifiers = json.loads(text)
        return ModuleSummary(_scope_from_json(scope), bool(is_module), tuple(specifiers))


def summarize_module(module: Module) -> ModuleSummary:
    """Return the summary of ``module``."""
    return ModuleSummary(_summarize_scope(module.scope), module.is_module, module.specifiers)


def path_text(named: Named, meaning: str) -> str:
    """Return a use of a name in the spelling of ``ScopeSummary.free``."""
    text = f"{meaning}:{'.'.join(named.path)}"
    return text if named.module is None else f"{text}@{named.module}"


def declared_name(statement: DeclarationStatement) -> str:
    """Return the name of a declaration; a default export may have none of its own."""
    return statement.name or "default"


def member_name(member: Member) -> str:
    """Return the name of a member as in ``DeclarationSummary.members``."""
    return f".{member.name}" if member.static else member.name


def _summarize_scope(scope: Scope) -> ScopeSummary:
    return ScopeSummary(
        scope.kind,
        scope.name,
        scope.imports,
        scope.exports,
        tuple(_summarize_declaration(statement) for statement in scope.declarations),
        tuple(_summarize_scope(inner) for inner in scope.scopes),
        tuple(sorted(free_names(types_in(scope)) | set(_class_bases(scope)))),
        scope.leading_exports,
    )


def _summarize_declaration(statement: DeclarationStatement) -> DeclarationSummary:
    flags = EXPORTED * statement.exported | DEFAULT * statement.default
    return DeclarationSummary(
        declared_name(statement),
        statement.kind,
        flags,
        tuple(_links(statement)),
        tuple(member.name for member in statement.enum_members)
        or tuple(dict.fromkeys(member_name(member) for member in statement.members)),
        _summarize_scope(statement.body) if statement.body is not None else None,
    )


def _links(statement: DeclarationStatement) -> Iterator[MemberLink]:
    for base in statement.extends:
        yield from _type_links("extends", base)
    for type_ in (statement.type, statement.value):
        if type_ is None:
            continue
        if statement.kind in ("const", "alias"):
            yield from _type_links("is", type_)
        if statement.kind in ("const", "interface") and isinstance(type_, Object):
            for construct in type_.constructs:
                yield from _type_links("new", construct.returns)
    if _is_computed(statement):
        yield MemberLink("computed", "")


def _is_computed(statement: DeclarationStatement) -> bool:
    """Whether members of a declared value are known only when its type is reduced."""
    match statement.kind:
        case "const":
            return statement.value is not None and _has_computed_members(statement.value)
        case "alias":
            return statement.type is not None and _has_computed_members(statement.type)
        case "class":
            return any(
                member.static and isinstance(member.type, Named | TypeOf | IndexedAccess)
                for member in statement.members
            )
        case _:
            return False


def _has_computed_members(type_: Type) -> bool:
    match type_:
        case IndexedAccess() | Conditional():
            return True
        case Named(path, arguments):
            return path in COMPUTED or any(map(_has_computed_members, arguments[:1]))
        case Intersection(members):
            return any(map(_has_computed_members, members))
        case Object(properties, _, constructs):
            return any(isinstance(construct.returns, Var) for construct in constructs) or any(
                isinstance(property_.type, TypeOf | IndexedAccess)
                or (isinstance(property_.type, Named) and property_.type.path in COMPUTED)
                for property_ in properties
            )
        case _:
            return False


def _type_links(relation: str, type_: Type) -> Iterator[MemberLink]:
    match type_:
        case Named(path, (Named() | TypeOf() | Intersection() as whole,), None) if (
            path in SAME_MEMBERS
        ):
            yield from _type_links(relation, whole)
        case Named():
            yield MemberLink(relation, path_text(type_, "t"))
        case TypeOf(Named() as target):
            yield MemberLink(relation, path_text(target, "v"))
        case Intersection(members):
            for member in members:
                yield from _type_links(relation, member)
        case _:
            return


def types_in(scope: Scope) -> Iterator[InternedNode]:
    """Yield the types written in ``scope`` itself, without its inner scopes."""
    for statement in scope.declarations:
        yield from (part for part in (statement.type, statement.value) if part is not None)
        yield from statement.type_parameters
        yield from statement.extends
        for overload in statement.overloads:
            yield overload.signature
        yield from _member_types(statement.members)


def _class_bases(scope: Scope) -> Iterator[str]:
    """Yield the base classes as values: a base may be a constant with construct signatures."""
    for statement in scope.declarations:
        if statement.kind == "class":
            yield from (
                path_text(base, "v") for base in statement.extends if isinstance(base, Named)
            )


def _member_types(members: Iterable[Member]) -> Iterator[InternedNode]:
    for member in members:
        yield member.type
        for overload in member.overloads:
            yield overload.signature
        yield from _member_types(member.members)


LEAF_CLASSES = frozenset((Intrinsic, Literal, Var))


def free_names(types: Iterable[InternedNode]) -> set[str]:
    """Return the names that ``types`` use, spelled as in ``ScopeSummary.free``."""
    names: set[str] = set()
    visited: set[InternedNode] = set()
    pending = list(types)
    while pending:
        node = pending.pop()
        if type(node) in LEAF_CLASSES or node in visited:
            continue
        visited.add(node)
        if isinstance(node, Named):
            names.add(path_text(node, "t"))
            pending.extend(node.arguments)
            continue
        if isinstance(node, TypeOf) and isinstance(node.target, Named):
            names.add(path_text(node.target, "v"))
            pending.extend(node.arguments)
            continue
        if isinstance(node, Property) and node.name.startswith("@?"):
            names.add(f"v:{node.name[2:]}")
        pending.extend(children(node))
    return names


def _scope_to_json(scope: ScopeSummary) -> list[object]:
    return [
        scope.kind,
        scope.name,
        [[i.local, i.specifier, i.imported, int(i.exported)] for i in scope.imports],
        [[e.name, e.local, e.specifier] for e in scope.exports],
        [
            [*name[:5], _scope_to_json(name.body) if name.body is not None else None]
            for name in scope.names
        ],
        [_scope_to_json(inner) for inner in scope.scopes],
        scope.free,
        scope.leading_exports,
    ]


def _scope_from_json(data: Any) -> ScopeSummary:
    kind, name, imports, exports, names, scopes, free, leading_exports = data
    return ScopeSummary(
        kind,
        name,
        tuple(
            [
                Import(local, specifier, imported, bool(exported))
                for local, specifier, imported, exported in imports
            ]
        ),
        tuple([Export(*item) for item in exports]),
        tuple([_declaration_from_json(item) for item in names]),
        tuple([_scope_from_json(inner) for inner in scopes]),
        cast(tuple[str, ...], tuple(free)),
        leading_exports,
    )


def _declaration_from_json(data: Any) -> DeclarationSummary:
    name, kind, flags, links, members, body = data
    return DeclarationSummary(
        name,
        kind,
        flags,
        tuple([MemberLink(relation, name_) for relation, name_ in links]) if links else (),
        tuple(members),
        _scope_from_json(body) if body is not None else None,
    )
