"""Make a service of the operations and schemas that a document has, whatever its format.

The service is an interface whose methods are the operations; the schemas are aliases in a namespace
of the same name, so that ``Pet`` of two services are two things.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from typematch.ir.constructors import object_type
from typematch.ir.module import (
    DeclarationStatement,
    Doc,
    Import,
    Member,
    Module,
    Scope,
    ServiceRole,
    Source,
)
from typematch.ir.types import UNKNOWN, Intersection, Named, Property, Type, Union
from typematch.sources.cleaning import Cleaner
from typematch.sources.openapi.loading import DocumentError
from typematch.sources.openapi.models import Info, Operation, ShapeError, checked
from typematch.sources.openapi.naming import operation_name, service_name, spoken_name
from typematch.sources.openapi.operations import OperationReader
from typematch.sources.openapi.pointers import At, Pointers
from typematch.sources.openapi.response_docs import first_sentence, shown
from typematch.sources.openapi.schema import Schemas

READS = "text:"  # before a specifier: another file whose text is a part of this one


@dataclass(frozen=True, slots=True)
class RawOperation:
    """An operation, as a document writes it.

    ``shared`` are the parameters of its path; ``name`` is for people, where it has no id.
    """

    method: str
    path: str
    written: Any
    at: At
    line: int
    shared: object = None
    name: str = ""


@dataclass(slots=True)
class ServiceReader:
    """One service.

    Attributes:
        stem: of the file's name: what it goes by without a title.
        line: says where a part stands, counted from 1.
    """

    info: Info
    stem: str
    source: Source
    pointers: Pointers
    schemas: Schemas
    operations: OperationReader
    cleaner: Cleaner
    line: Callable[[At], int]
    _taken: dict[str, str] = field(default_factory=dict)

    @property
    def title(self) -> str:
        return " ".join(self.info.title.split()) or self.stem

    def module(self, found: Iterable[RawOperation], named: Sequence[At] = ()) -> Module:
        """Return what the document declares; ``named`` are the schemas that it names.

        Raises:
            DocumentError: it has neither operations nor schemas.
        """
        for at in named:
            self.schemas.name(at)
        members = [one for one in map(self._member, found) if one is not None]
        if not members and not named:
            raise DocumentError("there is nothing in it: no operations, no schemas")
        schemas = _without_circles([self._schema(*one) for one in self.schemas.declared()], self)
        name = self.schemas.names.give(service_name(self.title, self.stem))
        declared = [self._service(name, members)]
        if schemas:
            body = Scope("namespace", declarations=tuple(schemas))
            declared.append(
                DeclarationStatement(
                    "namespace", name, 1, f"namespace {name}", body=body, exported=True
                )
            )
        imports = tuple(Import(one.name, "", f"{name}.{one.name}") for one in schemas)
        return Module(
            Scope("file", imports=imports, declarations=tuple(declared)),
            is_module=True,
            specifiers=tuple(f"{READS}{file}" for file in self.pointers.read),
            problems=tuple(self.pointers.problems),
        )

    def _service(self, name: str, members: list[Member]) -> DeclarationStatement:
        text = self.cleaner.prose(self.info.description or self.info.summary)
        said = text if self.title in text else f"{self.title}. {text}".strip()
        return DeclarationStatement(
            "interface",
            name,
            self.line(At(keys=("info",))),
            f"interface {name}",
            type=object_type(Property(one.name, one.type, method=True) for one in members),
            members=tuple(members),
            doc=Doc(said, first_sentence(text) or self.title),
            exported=True,
            offer=self._offer("service"),
        )

    def _offer(self, role: Literal["service", "schema"]) -> ServiceRole:
        return ServiceRole(role, self.title, self.info.version, self.source)

    def _schema(self, name: str, at: At, schema: Any, lowered: Type) -> DeclarationStatement:
        return DeclarationStatement(
            "alias",
            name,
            1 if at.file else self.line(at),
            f"type {name} = {shown(lowered)}",
            type=lowered,
            doc=self._schema_doc(schema),
            exported=True,
            offer=self._offer("schema"),
        )

    def _schema_doc(self, schema: Any) -> Doc | None:
        if not isinstance(schema, dict):
            return None
        written = schema.get("description") or schema.get("title")
        said = self.cleaner.prose(written) if isinstance(written, str) else ""
        deprecated = "" if schema.get("deprecated") is True else None
        if not said and deprecated is None:
            return None
        return Doc(said, first_sentence(said), deprecated)

    # Operations -----------------------------------------------------------------------------------

    def _member(self, found: RawOperation) -> Member | None:
        try:
            operation = checked(Operation, found.written)
        except ShapeError as error:
            self.pointers.problem(found.at, f"{error}; this operation is left out")
            return None
        name = self._name(operation, found)
        return self.operations.member(
            name, found.method, found.path, operation, found.shared, found.at, found.line
        )

    def _name(self, operation: Operation, found: RawOperation) -> str:
        """Return the operation's id, or a name made of its path; no two have the same."""
        called = f"{found.method.upper()} {found.path}"
        wanted = " ".join(operation.operation_id.split()).lstrip("@#")
        wanted = wanted or spoken_name(found.name)
        name = wanted or operation_name(found.method, found.path)
        if wanted in self._taken:
            name = operation_name(found.method, found.path)
            self.pointers.problem(
                found.at,
                f"the name {wanted!r} is that of {self._taken[wanted]} already; "
                f"this one is called {name}",
            )
        number, free = 2, name
        while free in self._taken:
            number, free = number + 1, f"{name}{number}"
        self._taken[free] = called
        return free


def _without_circles(
    declared: list[DeclarationStatement], service: ServiceReader
) -> list[DeclarationStatement]:
    """Return the aliases, without those that come back to themselves and never to a type.

    ``A = B | null`` and ``B = A`` say nothing; recursion through a property or an item is fine.
    """
    leads = {one.name: _outermost(one.type) for one in declared}
    found: list[DeclarationStatement] = []
    for one in declared:
        reached: set[str] = set()
        waiting = list(leads[one.name])
        while waiting:
            name = waiting.pop()
            if name not in reached:
                reached.add(name)
                waiting.extend(leads.get(name, ()))
        if one.name not in reached:
            found.append(one)
            continue
        at = service.schemas.place(one.name)
        service.pointers.problem(at, "is nothing but itself; read as unknown")
        leads[one.name] = []
        found.append(replace(one, type=UNKNOWN, text=f"type {one.name} = unknown"))
    return found


def _outermost(t: Type | None) -> list[str]:
    """Return the names that ``t`` stands for, by itself or as a part of a union."""
    match t:
        case Named((name,)):
            return [name]
        case Union(members) | Intersection(members):
            return [name for member in members for name in _outermost(member)]
        case _:
            return []
