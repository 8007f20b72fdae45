"""List what a person can find in a file: functions, methods, callable constants, types.

Overloads are signatures of one entry.  A declaration that is re-exported has one entry, in the file
that declares it, under the name by which its package shows it (``program.exports``).  Inherited
members are not repeated.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from typematch.ir.declaration import Declarations
from typematch.ir.entry import Entry, EntryKind, EntrySignature
from typematch.ir.intern import InternedNode
from typematch.ir.module import (
    DeclarationStatement,
    Doc,
    Member,
    MemberKind,
    Module,
    Overload,
    ServiceRole,
)
from typematch.ir.types import THIS, Reference, Type, Var
from typematch.program.call_signatures import Callables
from typematch.program.entry_signatures import found_signature, written_signature
from typematch.program.export_paths import ExportPath
from typematch.program.exports import Exports
from typematch.program.reduction.instantiate import received
from typematch.program.resolution.module_summary import declared_name, member_name
from typematch.program.resolution.resolve_types import TypeNameResolver
from typematch.program.resolution.symbol_tables import ScopePart

N = TypeVar("N", bound=InternedNode)
CALL = "()"
_MEMBER_KINDS: dict[MemberKind, EntryKind] = {
    "method": "method",
    "property": "property",
    "accessor": "accessor",
    "constructor": "constructor",
    "call": "call",
}
# What has the best right to a name that several declarations share.
_PRECEDENCE: dict[str, int] = {
    "function": 0, "class": 1, "interface": 2, "alias": 3, "enum": 4, "const": 5,
}  # fmt: skip


def entries_of(
    file: str, module: Module, exports: Exports, declarations: Declarations
) -> list[Entry]:
    """Return the entries of ``file``, in source order; their ids are unique within the file.

    Other declarations are consulted through ``declarations.get`` alone.
    """
    binding = TypeNameResolver(exports.program, file)
    callables = Callables(declarations)
    found: list[Entry] = []
    for part, statements in binding.scopes(module):
        groups: dict[str, list[DeclarationStatement]] = {}
        for declared in statements:
            groups.setdefault(part.key(declared_name(declared)), []).append(declared)
        for key, group in groups.items():
            found.extend(_Group(file, part, key, group, binding, exports, callables).entries())
    return _unique(sorted(found, key=lambda entry: entry.line))


def _unique(entries: Sequence[Entry]) -> list[Entry]:
    """Return ``entries`` with ids of their own; what can be called has the best right to a name."""
    found = list(entries)
    taken: set[str] = set()
    for place in sorted(range(len(found)), key=lambda place: not found[place].signatures):
        entry = found[place]
        count, name = 1, entry.id
        while name in taken:
            count += 1
            name = f"{entry.id}~{count}"
        taken.add(name)
        if count > 1:
            found[place] = replace(entry, id=name)
    return found


@dataclass(frozen=True, slots=True)
class _EntrySource:
    """Where members appear.

    ``prefix`` is what stands before their name; ``outer`` what their types may mention, unless
    ``arguments`` are known for that, and ``this`` means the type of the constant that shows them.
    """

    prefix: str
    place: ExportPath
    aliases: tuple[str, ...]
    outer: tuple[str, ...]
    key: str
    arguments: tuple[Type, ...] = ()
    this: Type = THIS

    def given(self, written: N) -> N:
        """Return what a member says for these arguments of its container, and this receiver."""
        if self.this is THIS:
            return written
        return received(written, self.arguments, self.this)


class _Group:
    """The statements of one scope that declare one name."""

    def __init__(
        self,
        file: str,
        part: ScopePart,
        key: str,
        statements: Sequence[DeclarationStatement],
        binding: TypeNameResolver,
        exports: Exports,
        callables: Callables,
    ) -> None:
        self._file = file
        self._part = part
        self._key = key
        self._statements = sorted(statements, key=lambda item: _PRECEDENCE.get(item.kind, 9))
        self._binding = binding
        self._exports = exports
        self._callables = callables
        self._place = exports.place(key)

    def entries(self) -> Iterator[Entry]:
        by_kind: dict[str, list[DeclarationStatement]] = {}
        for declared in self._statements:
            by_kind.setdefault(declared.kind, []).append(declared)
        for kind, statements in by_kind.items():
            rank = self._exports.rank(self._key, self._part)
            if kind == "function":
                overloads = [item for declared in statements for item in declared.overloads]
                yield _numbered(self._function(statements[0], overloads), rank)
            elif kind == "const":
                yield _numbered(self._constant(statements[0]), rank)
            elif not rank and kind in ("class", "interface", "alias", "enum"):
                yield self._type(statements[0])
            yield from self._members(statements)

    # Declarations

    def _entry(self, kind: EntryKind, declared: DeclarationStatement) -> Entry:
        place = self._place
        name = place.name
        container, last = _split(name)
        entry = Entry(
            id=f"{place.package}#{name}",
            kind=kind,
            name=_own_name(last, declared),
            qualified_name=name,
            container=container,
            package=place.package,
            version=self._exports.versions.get(place.package, ""),
            path=self._file,
            line=declared.line,
            signature=declared.text,
            doc=declared.doc,
            exported=place.exported,
            aliases=place.aliases,
            import_statement=place.import_statement(name),
            inferred=declared.inferred,
            tags=_tags(declared.doc),
            declaration=self._key,
        )
        return entry if declared.offer is None else _offered(entry, declared.offer)

    def _function(self, declared: DeclarationStatement, overloads: Sequence[Overload]) -> Entry:
        entry = self._entry("function", declared)
        return _callable(entry, self._written(overloads, ()), overloads)

    def _constant(self, declared: DeclarationStatement) -> Entry:
        entry = self._entry("const", declared)
        value = None if declared.value is None else self._convert(declared.value)
        if declared.overloads:
            return _callable(entry, self._written(declared.overloads, ()), declared.overloads)
        return self._callable_or_value(entry, value, ())

    def _callable_or_value(self, entry: Entry, shown: Type | None, outer: tuple[str, ...]) -> Entry:
        calls = () if shown is None else self._callables.signatures(shown, self._key)
        if not calls:
            return replace(entry, type=shown, outer=_mentioned(shown, outer))
        signatures = [found_signature(item, self._callables, outer) for item in calls]
        entry = replace(entry, outer=outer if any(item.loose for item in calls) else ())
        return _callable(entry, signatures, (), text=entry.signature)

    def _type(self, declared: DeclarationStatement) -> Entry:
        entry = self._entry(_type_kind(declared), declared)
        outer = declared.type_parameter_names
        named = Reference(self._key, tuple(Var(0, index) for index in range(len(outer))))
        return replace(entry, type=named, outer=outer)

    # Members

    def _members(self, statements: Sequence[DeclarationStatement]) -> Iterator[Entry]:
        """Yield the entries of members; overloads of several statements belong together."""
        merged: dict[tuple[str, str, bool], list[Member]] = {}
        for declared in statements:
            for member in declared.members:
                merged.setdefault((member.kind, member.name, member.static), []).append(member)
        if not merged:
            return
        for group in merged.values():
            rank = self._exports.rank(self._key, self._part, member_name(group[0]))
            offer = statements[0].offer
            for entry in self._member(group, self._shown(statements[0], group[0])):
                shown = entry if offer is None else _operation(entry, offer, group[0])
                yield _numbered(shown, rank)

    def _shown(self, declared: DeclarationStatement, member: Member) -> _EntrySource:
        """Return where a member appears."""
        outer, place = declared.type_parameter_names, self._place
        separator = "." if member.static or declared.kind == "const" else "#"
        if separator == "#" and member.kind not in ("call", "constructor"):
            at = self._exports.shown(self._key, member.name)
            given = self._callables.arguments(at.through, self._key) if at.through else None
            if given is not None and len(given) == len(outer):
                this = self._callables.value(at.through)
                return _EntrySource(at.name, at, at.aliases, (), self._key, given, this)
            return _EntrySource(at.name, at, at.aliases, outer, self._key)
        aliases = tuple(f"{alias}{separator}" for alias in place.aliases)
        return _EntrySource(f"{place.name}{separator}", place, aliases, outer, self._key)

    def _member(self, group: Sequence[Member], shown: _EntrySource) -> Iterator[Entry]:
        member = group[0]
        name = CALL if member.kind == "call" else _shown_name(member.name)
        qualified = f"{shown.prefix}{name}"
        place = shown.place
        overloads = [item for one in group for item in one.overloads]
        docs = [doc for doc in (member.doc, *(item.doc for item in overloads)) if doc is not None]
        doc = docs[0] if docs else None
        entry = Entry(
            id=f"{place.package}#{qualified}",
            kind=_MEMBER_KINDS[member.kind],
            name=name,
            qualified_name=qualified,
            container=shown.prefix[:-1],
            package=place.package,
            version=self._exports.versions.get(place.package, ""),
            path=self._file,
            line=member.line,
            signature=member.text,
            doc=doc,
            exported=place.exported and member.visibility == "public",
            aliases=tuple(f"{prefix}{name}" for prefix in shown.aliases),
            import_statement=place.import_statement(qualified),
            static=member.static,
            readonly=member.readonly,
            visibility=member.visibility,
            inferred=member.inferred,
            tags=_tags(doc),
            declaration=shown.key,
        )
        if overloads:
            signatures = self._written(overloads, shown.outer, shown)
            loose = any(item.type.loose for item in signatures)
            entry = replace(entry, outer=shown.outer if loose else ())
            yield _callable(entry, signatures, overloads)
        else:
            value = shown.given(self._convert(member.type))
            yield self._callable_or_value(entry, value, shown.outer)
        nested = _EntrySource(
            f"{qualified}.",
            place,
            tuple(f"{name}." for name in entry.aliases),
            shown.outer,
            shown.key,
            shown.arguments,
            shown.this,
        )
        for inner in member.members:
            yield from self._member([inner], nested)

    # Types

    def _convert(self, written: Type) -> Type:
        return self._binding.convert(self._part, written)

    def _written(
        self,
        overloads: Sequence[Overload],
        outer: tuple[str, ...],
        shown: _EntrySource | None = None,
    ) -> list[EntrySignature]:
        found = []
        for item in overloads:
            signature = self._binding.convert(self._part, item.signature)
            given = signature if shown is None else shown.given(signature)
            found.append(written_signature(item, given, self._callables, outer))
        return found


def _offered(entry: Entry, offer: ServiceRole) -> Entry:
    """Return the entry of what a service offers: nothing is imported, and everybody may use it."""
    return replace(
        entry,
        kind=offer.role,
        version=offer.version or entry.version,
        service=offer.service,
        source=offer.source,
        exported=True,
        import_statement="",
    )


def _operation(entry: Entry, offer: ServiceRole, member: Member) -> Entry:
    endpoint = member.endpoint
    http = "" if endpoint is None else f"{endpoint.method} {endpoint.path}"
    entry = replace(_offered(entry, offer), tags=member.labels, http=http, endpoint=endpoint)
    return replace(entry, kind="operation") if entry.signatures else replace(entry, kind="property")


def _callable(
    entry: Entry,
    signatures: Sequence[EntrySignature],
    overloads: Sequence[Overload],
    text: str = "",
) -> Entry:
    """Return ``entry`` with its signatures and what follows from all of them."""
    if not signatures:
        return entry
    most = [item.max_arity for item in signatures]
    doc = _doc(entry.doc, overloads)
    return replace(
        entry,
        signature=text or signatures[0].text,
        signatures=tuple(signatures),
        min_arity=min(item.min_arity for item in signatures),
        max_arity=None if None in most else max(item for item in most if item is not None),
        doc=doc,
        tags=_tags(doc),
        is_async=all(item.is_async for item in signatures),
        is_generator=any(item.is_generator for item in overloads),
        inferred=entry.inferred or any(item.inferred for item in overloads),
    )


def _doc(first: Doc | None, overloads: Sequence[Overload]) -> Doc | None:
    """Return what is said of a function: the first comment; a deprecated one only if all are."""
    docs = [first, *(item.doc for item in overloads)]
    if any(item.doc is None or item.doc.deprecated is None for item in overloads):
        docs = [doc for doc in docs if doc is not None and doc.deprecated is None]
    return next((doc for doc in docs if doc is not None), None)


def _numbered(entry: Entry, rank: int) -> Entry:
    """Return ``entry`` with an id of its own where ``rank`` others have its name already."""
    return replace(entry, id=f"{entry.id}~{rank + 1}") if rank else entry


def _split(name: str) -> tuple[str, str]:
    """Return container and last part of a qualified name."""
    cut = max(name.rfind("."), name.rfind("#"), name.rfind(":"))
    return (name[:cut], name[cut + 1 :]) if cut >= 0 else ("", name)


def _shown_name(name: str) -> str:
    """Return the name of a member as it is written: ``[Symbol.iterator]`` for ``@@iterator``."""
    if name.startswith("@?"):
        return f"[{name[2:]}]"
    return f"[Symbol.{name[2:]}]" if name.startswith("@@") else name


def _own_name(last: str, declared: DeclarationStatement) -> str:
    """Return the name to search for: a default export goes by the name it was declared with."""
    return declared_name(declared) if last.partition("~")[0] == "default" else last


def _type_kind(declared: DeclarationStatement) -> EntryKind:
    match declared.kind:
        case "class" | "interface" | "alias" | "enum":
            return declared.kind
        case _:
            raise AssertionError(declared.kind)


def _mentioned(shown: Type | None, outer: tuple[str, ...]) -> tuple[str, ...]:
    return outer if shown is not None and shown.loose else ()


def _tags(doc: Doc | None) -> tuple[str, ...]:
    return () if doc is None else tuple(dict.fromkeys(name for name, _ in doc.tags))
