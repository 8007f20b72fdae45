"""Lists the catalog entries of a file: functions, methods, callable constants, types.

Overloads are signatures of one entry.  A re-exported declaration has one entry, in the file that
declares it, under the name that its package exports it by (``program.export_path_index``).
Inherited members are not repeated, except those of types without a name
(``program.mixed_in_members``, ``program.computed_members``) and constructors
(``program.implicit_constructors``).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TypeVar

from typematch.ir.declaration import Declarations
from typematch.ir.entry import Entry, EntryKind, EntrySignature
from typematch.ir.intern import InternedNode
from typematch.ir.lift import replace_this
from typematch.ir.module import (
    DeclarationStatement,
    Doc,
    Member,
    MemberKind,
    Module,
    Overload,
)
from typematch.ir.types import THIS, Reference, Type, Var
from typematch.program.call_signatures import call_signatures_of, find_signatures
from typematch.program.computed_members import computed_members
from typematch.program.entry_attributes import (
    display_name,
    operation_entry,
    outer_if_used,
    search_name,
    service_entry,
    split_name,
    tags_of,
    type_kind,
    with_rank,
    with_signatures,
)
from typematch.program.entry_signatures import signature_from_overload, signature_from_type
from typematch.program.export_path_index import ExportPathIndex
from typematch.program.implicit_constructors import implicit_constructor
from typematch.program.internal_functions import InternalFunction, InternalFunctions
from typematch.program.member_context import MemberContext, member_context
from typematch.program.mixed_in_members import mixed_in_members
from typematch.program.resolution.module_summary import declared_name, member_name
from typematch.program.resolution.resolve_types import TypeNameResolver
from typematch.program.resolution.symbol_tables import ScopePart
from typematch.program.type_expansion import DeclaredTypes, Reduce

N = TypeVar("N", bound=InternedNode)
CALL_MEMBER = "()"
_MEMBER_KINDS: dict[MemberKind, EntryKind] = {
    "method": "method",
    "property": "property",
    "accessor": "accessor",
    "constructor": "constructor",
    "call": "call",
}
# Which declaration gets a name that several share: the lowest number.
_PRECEDENCE: dict[str, int] = {
    "function": 0, "class": 1, "interface": 2, "alias": 3, "enum": 4, "const": 5,
}  # fmt: skip


def entries_of(
    file: str,
    module: Module,
    path_index: ExportPathIndex,
    declarations: Declarations,
    reduce: Reduce,
) -> list[Entry]:
    """Return the entries of ``file`` in source order, with ids that are unique within the file.

    Other declarations are read through ``declarations.get`` only.

    Args:
        reduce: returns the head normal form of a closed type; None if it is not known.
    """
    resolver = TypeNameResolver(path_index.program, file)
    declared = DeclaredTypes(declarations, find_signatures, reduce)
    groups: dict[tuple[ScopePart, str], list[DeclarationStatement]] = {}
    for part, statements in resolver.scopes(module):
        for statement in statements:
            groups.setdefault((part, part.key(declared_name(statement))), []).append(statement)
    internal = InternalFunctions(groups, path_index)
    entries: list[Entry] = []
    for (part, key), group in groups.items():
        entries.extend(
            _DeclarationEntries(
                file, part, key, group, resolver, path_index, declared, internal
            ).entries()
        )
    listed = [entry for entry in entries if not internal.is_exported_by_constant(entry)]
    return _with_unique_ids(sorted(listed, key=lambda entry: entry.line))


def _with_unique_ids(entries: Sequence[Entry]) -> list[Entry]:
    """Return ``entries`` with unique ids; callable entries keep a contested id."""
    unique = list(entries)
    used: dict[str, int] = {}  # how often each id was given
    for position in sorted(range(len(unique)), key=lambda index: not unique[index].signatures):
        entry = unique[position]
        count = used.get(entry.id, 0) + 1
        unique_id = entry.id if count == 1 else f"{entry.id}~{count}"
        while unique_id in used:
            count += 1
            unique_id = f"{entry.id}~{count}"
        used[entry.id] = count
        used.setdefault(unique_id, 1)
        if count > 1:
            unique[position] = replace(entry, id=unique_id)
    return unique


def _members_with_entries(statement: DeclarationStatement) -> Iterator[Member]:
    """Yield the members that become entries; a constant itself has its call signatures."""
    for member in statement.members:
        if statement.kind != "const" or member.kind != "call":
            yield member


class _DeclarationEntries:
    """The statements of one scope that declare one name."""

    def __init__(
        self,
        file: str,
        part: ScopePart,
        key: str,
        statements: Sequence[DeclarationStatement],
        resolver: TypeNameResolver,
        path_index: ExportPathIndex,
        declared: DeclaredTypes,
        internal: InternalFunctions,
    ) -> None:
        self._file = file
        self._part = part
        self._key = key
        self._statements = sorted(statements, key=lambda item: _PRECEDENCE.get(item.kind, 9))
        self._resolver = resolver
        self._path_index = path_index
        self._declared = declared
        self._internal = internal
        self._export_path = path_index.path(key)

    def entries(self) -> Iterator[Entry]:
        by_kind: dict[str, list[DeclarationStatement]] = {}
        for statement in self._statements:
            by_kind.setdefault(statement.kind, []).append(statement)
        for kind, statements in by_kind.items():
            rank = self._path_index.rank(self._key, self._part)
            if kind == "function":
                overloads = [overload for group in statements for overload in group.overloads]
                entry = self._described(self._function_entry(statements[0], overloads))
                yield with_rank(entry, rank)
            elif kind == "const":
                yield with_rank(self._described(self._constant_entry(statements[0])), rank)
            elif not rank and kind in ("class", "interface", "alias", "enum"):
                entry = self._type_entry(statements[0])
                yield self._described(entry) if kind == "class" else entry
            yield from self._member_entries(statements)

    # Declarations

    def _base_entry(self, kind: EntryKind, statement: DeclarationStatement) -> Entry:
        export_path = self._export_path
        name = export_path.name
        container, last = split_name(name)
        entry = Entry(
            id=f"{export_path.package}#{name}",
            kind=kind,
            name=search_name(last, statement),
            qualified_name=name,
            container=container,
            package=export_path.package,
            version=self._path_index.versions.get(export_path.package, ""),
            path=self._file,
            line=statement.line,
            signature=statement.text,
            doc=statement.doc,
            exported=export_path.exported,
            aliases=export_path.aliases,
            import_statement=export_path.import_statement(name),
            inferred=statement.inferred,
            tags=tags_of(statement.doc),
            declaration=self._key,
        )
        return (
            entry
            if statement.service_role is None
            else service_entry(entry, statement.service_role)
        )

    def _described(self, entry: Entry) -> Entry:
        """Return the entry; without documentation, with that of the package that it stands for."""
        description = "" if entry.doc else self._path_index.description(self._key)
        return replace(entry, doc=Doc(description, description)) if description else entry

    def _function_entry(
        self, statement: DeclarationStatement, overloads: Sequence[Overload]
    ) -> Entry:
        entry = self._base_entry("function", statement)
        return with_signatures(entry, self._entry_signatures(overloads, ()), overloads)

    def _constant_entry(self, statement: DeclarationStatement) -> Entry:
        entry = self._base_entry("const", statement)
        value = None if statement.value is None else self._resolve(statement.value)
        if statement.overloads:
            return with_signatures(
                entry, self._entry_signatures(statement.overloads, ()), statement.overloads
            )
        return self._value_entry(entry, value, ())

    def _value_entry(self, entry: Entry, value: Type | None, outer: tuple[str, ...]) -> Entry:
        function = self._internal.queried(value) if entry.exported else None
        if function is not None:
            return self._function_of_constant(entry, function)
        call_signatures = (
            () if value is None else call_signatures_of(value, self._declared, self._key)
        )
        if not call_signatures:
            return replace(entry, type=value, outer=outer_if_used(value, outer))
        signatures = [
            signature_from_type(signature, self._declared, outer) for signature in call_signatures
        ]
        entry = replace(
            entry,
            outer=outer if any(signature.loose_depth for signature in call_signatures) else (),
        )
        return with_signatures(entry, signatures, (), text=entry.signature)

    def _function_of_constant(self, entry: Entry, function: InternalFunction) -> Entry:
        """Return the entry of a constant or property that is a function of this file."""
        part, overloads = function
        return with_signatures(entry, self._entry_signatures(overloads, (), part=part), overloads)

    def _type_entry(self, statement: DeclarationStatement) -> Entry:
        entry = self._base_entry(type_kind(statement), statement)
        outer = statement.type_parameter_names
        reference = Reference(self._key, tuple(Var(0, index) for index in range(len(outer))))
        return replace(entry, type=reference, outer=outer)

    # Members

    def _member_entries(self, statements: Sequence[DeclarationStatement]) -> Iterator[Entry]:
        """Yield the entries of members, overloads of several statements merged."""
        merged: dict[tuple[str, str, bool], list[Member]] = {}
        for statement in statements:
            for member in _members_with_entries(statement):
                if member.in_argument and not self._declared.constructs_with(
                    self._key, member.name, self._resolve(member.type)
                ):
                    continue
                merged.setdefault((member.kind, member.name, member.static), []).append(member)
        for member in self._members_without_declaration(statements[0]):
            merged.setdefault((member.kind, member.name, False), [member])
        for group in merged.values():
            rank = self._path_index.rank(self._key, self._part, member_name(group[0]))
            service_role = statements[0].service_role
            context = self._member_context(statements[0], group[0])
            for entry in self._entries_of_member(group, context):
                member_entry = (
                    entry
                    if service_role is None
                    else operation_entry(entry, service_role, group[0])
                )
                yield with_rank(member_entry, rank)

    def _members_without_declaration(self, statement: DeclarationStatement) -> Iterator[Member]:
        yield from self._implicit_constructors(statement)
        yield from mixed_in_members(self._key, statement, self._declared)
        if statement.kind == "const" and statement.value is not None and self._export_path.exported:
            value = self._resolve(statement.value)
            yield from computed_members(value, statement, self._declared)

    def _implicit_constructors(self, statement: DeclarationStatement) -> Iterator[Member]:
        """Yield the constructor of a class that can be imported and declares none."""
        if statement.kind != "class" or self._path_index.rank(self._key, self._part):
            return
        constructor = implicit_constructor(self._key, statement, self._declared)
        if constructor is None:
            return
        if self._member_context(statement, constructor).export_path.exported:
            yield constructor

    def _member_context(self, statement: DeclarationStatement, member: Member) -> MemberContext:
        return member_context(
            self._key, statement, member, self._export_path, self._path_index, self._declared
        )

    def _entries_of_member(
        self, group: Sequence[Member], context: MemberContext
    ) -> Iterator[Entry]:
        member = group[0]
        name = CALL_MEMBER
        if member.kind != "call":
            name = display_name(
                member.name, self._part, self._path_index.program, self._declared.declarations
            )
        qualified = f"{context.prefix}{name}"
        export_path = context.export_path
        aliases = tuple(f"{prefix}{name}" for prefix in context.aliases)
        if context.prefix == export_path.name:
            aliases += export_path.other_names(name)
        overloads = [overload for declared in group for overload in declared.overloads]
        docs = [
            doc
            for doc in (member.doc, *(signature.doc for signature in overloads))
            if doc is not None
        ]
        doc = next(iter(docs), None)
        entry = Entry(
            id=f"{export_path.package}#{qualified}",
            kind=_MEMBER_KINDS[member.kind],
            name=name,
            qualified_name=qualified,
            container=context.prefix[:-1],
            package=export_path.package,
            version=self._path_index.versions.get(export_path.package, ""),
            path=self._file,
            line=member.line,
            signature=member.text,
            doc=doc,
            exported=export_path.exported and member.visibility == "public",
            aliases=aliases,
            import_statement=export_path.import_statement(qualified),
            static=member.static,
            readonly=member.readonly,
            visibility=member.visibility,
            inferred=member.inferred,
            tags=tags_of(doc),
            declaration=context.key,
        )
        if overloads:
            signatures = self._entry_signatures(
                overloads,
                context.outer,
                context,
                is_constructor=member.kind == "constructor",
            )
            is_open = any(overload.type.loose_depth for overload in signatures)
            entry = replace(entry, outer=context.outer if is_open else ())
            yield with_signatures(entry, signatures, overloads)
        else:
            value = context.specialize(self._resolve(member.type))
            yield self._value_entry(entry, value, context.outer)
        nested = MemberContext(
            f"{qualified}.",
            export_path,
            tuple(f"{name}." for name in entry.aliases),
            context.outer,
            context.key,
            context.arguments,
            context.this,
        )
        for inner in member.members:
            if inner.kind != "call":  # the member itself has these signatures
                yield from self._entries_of_member([inner], nested)

    # Types

    def _resolve(self, node: Type) -> Type:
        return self._resolver.resolve(self._part, node)

    def _entry_signatures(
        self,
        overloads: Sequence[Overload],
        outer: tuple[str, ...],
        context: MemberContext | None = None,
        part: ScopePart | None = None,
        *,
        is_constructor: bool = False,
    ) -> list[EntrySignature]:
        """Return the signatures of overloads; a class's constructors return the class."""
        signatures = []
        for overload in overloads:
            signature = self._resolver.resolve(part or self._part, overload.signature)
            specialized = signature if context is None else context.specialize(signature)
            if is_constructor and context is not None and context.this is THIS:
                arguments = tuple(Var(0, index) for index in range(len(outer)))
                specialized = replace_this(specialized, Reference(context.key, arguments))
            signatures.append(signature_from_overload(overload, specialized, self._declared, outer))
        return signatures
