"""Reads the entries of a catalog as services: each method of an interface is an operation.

The service is the interface with the entry's name, or else the first one that no other declaration
mentions; all other declarations are schemas.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, TypeVar, cast

from typematch.ir.constructors import renormalize
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
from typematch.program.resolution.module_summary import free_names, types_in
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
    """Return the declarations of one file's entries; ``problems`` were found before.

    Raises:
        DocumentError: the file has no entry, or its only entry is invalid.
    """
    problems_found = list(problems)
    declared: list[DeclarationStatement] = []
    names = TypeNames()
    for entry in entries:
        before = entry.location or path.rpartition("/")[2]
        try:
            prose = cleaner.prose(entry.prose)
            declared += _service(replace(entry, prose=prose), names, problems_found)
        except DocumentError as error:
            if len(entries) == 1 and not problems_found:
                raise
            problems_found.append(f"{before}: {error}; the entry {entry.name!r} is left out")
    if not declared:
        raise DocumentError(problems_found[0] if problems_found else "there is no entry in it")
    return Module(Scope("file", declarations=tuple(declared)), True, problems=tuple(problems_found))


def _service(
    entry: CatalogEntry, names: TypeNames, problems: list[str]
) -> Iterator[DeclarationStatement]:
    module = read_module(entry.code.encode("utf-8", "replace"), path="interface.ts")
    declarations = [
        declaration for declaration in module.scope.declarations if declaration.kind in _KINDS
    ]
    main = _service_interface(entry, declarations)
    if module.errors:
        problems.append(
            f"{entry.location or entry.name}: the interface {main.name} is only partly read; "
            f"{module.errors} places of the code have syntax errors"
        )
    name = names.unique(main.name)
    schemas = [declaration for declaration in declarations if declaration is not main]
    qualify = _Qualifier({schema.name for schema in schemas}, main.name, name)
    yield _qualified(main, entry, qualify, name, "service")
    if schemas:
        body = Scope(
            "namespace",
            declarations=tuple(
                _qualified(schema, entry, qualify, schema.name, "schema") for schema in schemas
            ),
        )
        line = _line(entry, schemas[0].line)
        yield DeclarationStatement(
            "namespace", name, line, f"namespace {name}", body=body, exported=True
        )


def _service_interface(
    entry: CatalogEntry, declarations: Sequence[DeclarationStatement]
) -> DeclarationStatement:
    """Return the interface of the service."""
    interfaces = [
        declaration
        for declaration in declarations
        if declaration.kind == "interface" and declaration.members
    ]
    if not interfaces:
        raise DocumentError("the code has no interface with members, or none without syntax errors")
    called = service_name(entry.name, "").lower()
    for interface in interfaces:
        if interface.name.lower() == called:
            return interface
    for interface in interfaces:
        others = Scope(
            "file", declarations=tuple(other for other in declarations if other is not interface)
        )
        if f"t:{interface.name}" not in free_names(types_in(others)):
            return interface
    return interfaces[0]


class _Qualifier:
    """Qualifies the names of an entry's schemas with the entry's namespace."""

    def __init__(self, schemas: set[str], main: str, name: str) -> None:
        self._schemas = schemas
        self._main = main
        self._name = name

    def __call__(self, node: N) -> N:
        if isinstance(node, Named) and node.module is None and node.path:
            arguments = tuple(self(argument) for argument in node.arguments)
            head, *rest = node.path
            if head in self._schemas:
                return cast(N, Named((self._name, *node.path), arguments))
            if head == self._main:
                return cast(N, Named((self._name, *rest), arguments))
        return cast(N, renormalize(rebuild(node, lambda part, _: self(part))))


def _qualified(
    declared: DeclarationStatement, entry: CatalogEntry, qualify: _Qualifier, name: str, role: Any
) -> DeclarationStatement:
    """Return a declaration of the entry's code as a declaration of the file."""
    service = role == "service"
    return replace(
        declared,
        name=name,
        line=_line(entry, declared.line),
        type=None if declared.type is None else qualify(declared.type),
        value=None if declared.value is None else qualify(declared.value),
        type_parameters=tuple(qualify(parameter) for parameter in declared.type_parameters),
        extends=tuple(qualify(base) for base in declared.extends),
        members=tuple(_member(member, entry, qualify) for member in declared.members)
        if service
        else (),
        doc=_doc(entry, declared.doc) if service else declared.doc,
        exported=True,
        default=False,
        service_role=ServiceRole(role, entry.name, entry.version, "catalog"),
    )


def _member(member: Member, entry: CatalogEntry, qualify: _Qualifier) -> Member:
    return replace(
        member,
        type=qualify(member.type),
        line=_line(entry, member.line),
        overloads=tuple(_overload(overload, entry, qualify) for overload in member.overloads),
        members=(),
        labels=entry.tags,
    )


def _overload(overload: Overload, entry: CatalogEntry, qualify: _Qualifier) -> Overload:
    line = _line(entry, overload.line)
    return replace(overload, signature=qualify(overload.signature), line=line)


def _line(entry: CatalogEntry, line: int) -> int:
    """Return the file's line of a line of the code."""
    return entry.line + line - 1 if entry.has_file_lines else entry.line


def _doc(entry: CatalogEntry, code: Doc | None) -> Doc:
    """Return the documentation of a service: name, prose, and the interface's JSDoc."""
    parts = [entry.prose.strip(), "" if code is None else code.text]
    text = "\n\n".join(part for part in parts if part)
    doc_text = text if entry.name in text else f"{entry.name}. {text}".strip()
    tags = tuple((tag, "") for tag in entry.tags)
    return Doc(doc_text, first_sentence(text) or entry.name, None, tags)
