"""Turn the entries of a catalog into services: each method of an interface is an operation.

The interface that bears the entry's name is the service, or else the first that no other
declaration of the code mentions; all others are schemas.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, TypeVar, cast

from typematch.ir.constructors import restore
from typematch.ir.intern import InternedNode, rebuild
from typematch.ir.module import (
    DeclarationStatement,
    Doc,
    Member,
    Module,
    Overload,
    Scope,
    ServiceRole,
)
from typematch.ir.types import Named
from typematch.program.resolution.module_summary import free_names, written_types
from typematch.sources.cleaning import Cleaner
from typematch.sources.openapi.loading import DocumentError
from typematch.sources.openapi.naming import TypeNames, service_name
from typematch.sources.openapi.response_docs import first_sentence
from typematch.sources.services.catalog_entries import CatalogEntry
from typematch.sources.typescript import read_module

N = TypeVar("N", bound=InternedNode)
_KINDS = frozenset(("interface", "alias", "enum", "class"))


def read_entries(
    entries: Sequence[CatalogEntry], problems: Iterable[str], path: str, cleaner: Cleaner
) -> Module:
    """Return what the entries of one file declare; ``problems`` were found on the way.

    Raises:
        DocumentError: there is an entry, and it cannot be read, or there is none.
    """
    said = list(problems)
    declared: list[DeclarationStatement] = []
    names = TypeNames()
    for entry in entries:
        before = entry.where or path.rpartition("/")[2]
        try:
            prose = cleaner.prose(entry.prose)
            declared += _service(replace(entry, prose=prose), names, said)
        except DocumentError as error:
            if len(entries) == 1 and not said:
                raise
            said.append(f"{before}: {error}; the entry {entry.name!r} is left out")
    if not declared:
        raise DocumentError(said[0] if said else "there is no entry in it")
    return Module(Scope("file", declarations=tuple(declared)), True, problems=tuple(said))


def _service(
    entry: CatalogEntry, names: TypeNames, problems: list[str]
) -> Iterator[DeclarationStatement]:
    module = read_module(entry.code.encode("utf-8", "replace"), path="interface.ts")
    written = [one for one in module.scope.declarations if one.kind in _KINDS]
    main = _main(entry, written)
    if module.errors:
        problems.append(
            f"{entry.where or entry.name}: the interface {main.name} is read in part; "
            f"there are {module.errors} places in the code that cannot be read"
        )
    name = names.give(main.name)
    schemas = [one for one in written if one is not main]
    qualified = _Qualified({one.name for one in schemas}, main.name, name)
    yield _moved(main, entry, qualified, name, "service")
    if schemas:
        body = Scope(
            "namespace",
            declarations=tuple(
                _moved(one, entry, qualified, one.name, "schema") for one in schemas
            ),
        )
        line = _line(entry, schemas[0].line)
        yield DeclarationStatement(
            "namespace", name, line, f"namespace {name}", body=body, exported=True
        )


def _main(entry: CatalogEntry, written: Sequence[DeclarationStatement]) -> DeclarationStatement:
    """Return the interface that is the service."""
    interfaces = [one for one in written if one.kind == "interface" and one.members]
    if not interfaces:
        raise DocumentError("there is no interface with members in the code, or none that parses")
    called = service_name(entry.name, "").lower()
    for one in interfaces:
        if one.name.lower() == called:
            return one
    for one in interfaces:
        others = Scope("file", declarations=tuple(other for other in written if other is not one))
        if f"t:{one.name}" not in free_names(written_types(others)):
            return one
    return interfaces[0]


class _Qualified:
    """Writes the names of an entry's schemas so that they mean them in the whole file."""

    def __init__(self, schemas: set[str], main: str, name: str) -> None:
        self._schemas = schemas
        self._main = main
        self._name = name

    def __call__(self, node: N) -> N:
        if isinstance(node, Named) and node.module is None and node.path:
            arguments = tuple(self(one) for one in node.arguments)
            head, *rest = node.path
            if head in self._schemas:
                return cast(N, Named((self._name, *node.path), arguments))
            if head == self._main:
                return cast(N, Named((self._name, *rest), arguments))
        return cast(N, restore(rebuild(node, lambda part, _: self(part))))


def _moved(
    declared: DeclarationStatement, entry: CatalogEntry, qualified: _Qualified, name: str, role: Any
) -> DeclarationStatement:
    """Return a declaration of the code as one of the file's."""
    service = role == "service"
    return replace(
        declared,
        name=name,
        line=_line(entry, declared.line),
        type=None if declared.type is None else qualified(declared.type),
        value=None if declared.value is None else qualified(declared.value),
        type_parameters=tuple(qualified(one) for one in declared.type_parameters),
        extends=tuple(qualified(one) for one in declared.extends),
        members=tuple(_member(one, entry, qualified) for one in declared.members)
        if service
        else (),
        doc=_doc(entry, declared.doc) if service else declared.doc,
        exported=True,
        default=False,
        offer=ServiceRole(role, entry.name, entry.version, "catalog"),
    )


def _member(member: Member, entry: CatalogEntry, qualified: _Qualified) -> Member:
    return replace(
        member,
        type=qualified(member.type),
        line=_line(entry, member.line),
        overloads=tuple(_overload(one, entry, qualified) for one in member.overloads),
        members=(),
        labels=entry.tags,
    )


def _overload(overload: Overload, entry: CatalogEntry, qualified: _Qualified) -> Overload:
    line = _line(entry, overload.line)
    return replace(overload, signature=qualified(overload.signature), line=line)


def _line(entry: CatalogEntry, line: int) -> int:
    """Return the line of the file that a line of the code is."""
    return entry.line + line - 1 if entry.in_place else entry.line


def _doc(entry: CatalogEntry, code: Doc | None) -> Doc:
    """Return what is said of a service: its name and prose, and the comment on the interface."""
    parts = [entry.prose.strip(), "" if code is None else code.text]
    text = "\n\n".join(part for part in parts if part)
    said = text if entry.name in text else f"{entry.name}. {text}".strip()
    tags = tuple((tag, "") for tag in entry.tags)
    return Doc(said, first_sentence(text) or entry.name, None, tags)
