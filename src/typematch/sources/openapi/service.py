"""Builds the declarations of a service from the operations and schemas of a document.

The service is an interface whose methods are the operations.  The schemas are type aliases in a
namespace of the same name, so that the ``Pet`` of two services are different types.
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
from typematch.ir.type_parts import Property
from typematch.ir.types import UNKNOWN, Intersection, Named, Type, Union
from typematch.sources.cleaning import Cleaner
from typematch.sources.openapi.loading import TEXT_SPECIFIER, DocumentError
from typematch.sources.openapi.models import Info, Operation, ShapeError, checked
from typematch.sources.openapi.naming import name_from_text, operation_name, service_name
from typematch.sources.openapi.operations import OperationReader
from typematch.sources.openapi.pointers import At, Pointers
from typematch.sources.openapi.response_docs import first_sentence, type_text
from typematch.sources.openapi.schema import Schemas


@dataclass(frozen=True, slots=True)
class RawOperation:
    """An operation before it is checked.

    Attributes:
        value: the operation object of the document.
        path_parameters: the parameters that the path item defines for all its operations.
        name: display name of an operation without an id.
    """

    method: str
    path: str
    value: Any
    at: At
    line: int
    path_parameters: object = None
    name: str = ""


@dataclass(slots=True)
class ServiceReader:
    """Builds one service.

    Attributes:
        stem: of the file's name; the service's name if it has no title.
        line: returns the line of a part, counted from 1.
    """

    info: Info
    stem: str
    source: Source
    pointers: Pointers
    schemas: Schemas
    operations: OperationReader
    cleaner: Cleaner
    line: Callable[[At], int]
    _operations_by_name: dict[str, str] = field(default_factory=dict)

    @property
    def title(self) -> str:
        return " ".join(self.info.title.split()) or self.stem

    def module(self, found: Iterable[RawOperation], named: Sequence[At] = ()) -> Module:
        """Return the declarations of the document; ``named`` are its named schemas.

        Raises:
            DocumentError: it has neither operations nor schemas.
        """
        for at in named:
            self.schemas.name(at)
        members = [member for member in map(self._member, found) if member is not None]
        if not members and not named:
            raise DocumentError("the document has neither operations nor schemas")
        schemas = _without_circular_aliases(
            [self._schema(*named) for named in self.schemas.declared()], self
        )
        name = self.schemas.names.unique(service_name(self.title, self.stem))
        declared = [self._service(name, members)]
        if schemas:
            body = Scope("namespace", declarations=tuple(schemas))
            declared.append(
                DeclarationStatement(
                    "namespace", name, 1, f"namespace {name}", body=body, exported=True
                )
            )
        imports = tuple(Import(schema.name, "", f"{name}.{schema.name}") for schema in schemas)
        return Module(
            Scope("file", imports=imports, declarations=tuple(declared)),
            is_module=True,
            specifiers=tuple(f"{TEXT_SPECIFIER}{file}" for file in self.pointers.read),
            problems=tuple(self.pointers.problems),
        )

    def _service(self, name: str, members: list[Member]) -> DeclarationStatement:
        text = self.cleaner.prose(self.info.description or self.info.summary)
        doc_text = text if self.title in text else f"{self.title}. {text}".strip()
        return DeclarationStatement(
            "interface",
            name,
            self.line(At(keys=("info",))),
            f"interface {name}",
            type=object_type(Property(member.name, member.type, method=True) for member in members),
            members=tuple(members),
            doc=Doc(doc_text, first_sentence(text) or self.title),
            exported=True,
            service_role=self._role("service"),
        )

    def _role(self, role: Literal["service", "schema"]) -> ServiceRole:
        return ServiceRole(role, self.title, self.info.version, self.source)

    def _schema(self, name: str, at: At, schema: Any, lowered: Type) -> DeclarationStatement:
        return DeclarationStatement(
            "alias",
            name,
            self.line(self.schemas.place(at)),
            f"type {name} = {type_text(lowered)}",
            type=lowered,
            doc=self._schema_doc(schema),
            exported=True,
            service_role=self._role("schema"),
        )

    def _schema_doc(self, schema: Any) -> Doc | None:
        if not isinstance(schema, dict):
            return None
        description = schema.get("description") or schema.get("title")
        text = self.cleaner.prose(description) if isinstance(description, str) else ""
        deprecated = "" if schema.get("deprecated") is True else None
        if not text and deprecated is None:
            return None
        return Doc(text, first_sentence(text), deprecated)

    # Operations -----------------------------------------------------------------------------------

    def _member(self, raw: RawOperation) -> Member | None:
        try:
            operation = checked(Operation, raw.value)
        except ShapeError as error:
            self.pointers.problem(raw.at, f"{error}; this operation is left out")
            return None
        name = self._name(operation, raw)
        return self.operations.member(
            name, raw.method, raw.path, operation, raw.path_parameters, raw.at, raw.line
        )

    def _name(self, operation: Operation, raw: RawOperation) -> str:
        """Return the operation's id, or a name made from its path; names are unique."""
        method_and_path = f"{raw.method.upper()} {raw.path}"
        preferred = " ".join(operation.operation_id.split()).lstrip("@#")
        preferred = preferred or name_from_text(raw.name)
        name = preferred or operation_name(raw.method, raw.path)
        if preferred in self._operations_by_name:
            name = operation_name(raw.method, raw.path)
            self.pointers.problem(
                raw.at,
                f"the name {preferred!r} belongs to {self._operations_by_name[preferred]}; "
                f"this operation is named {name}",
            )
        number, free = 2, name
        while free in self._operations_by_name:
            number, free = number + 1, f"{name}{number}"
        self._operations_by_name[free] = method_and_path
        return free


def _without_circular_aliases(
    declared: list[DeclarationStatement], service: ServiceReader
) -> list[DeclarationStatement]:
    """Return the aliases; those that only refer to each other become ``unknown``.

    ``A = B | null`` with ``B = A`` is circular; recursion through a property or an item is not.
    """
    leads = {declaration.name: _alias_targets(declaration.type) for declaration in declared}
    found: list[DeclarationStatement] = []
    for declaration in declared:
        reached: set[str] = set()
        waiting = list(leads[declaration.name])
        while waiting:
            name = waiting.pop()
            if name not in reached:
                reached.add(name)
                waiting.extend(leads.get(name, ()))
        if declaration.name not in reached:
            found.append(declaration)
            continue
        at = service.schemas.location(declaration.name)
        service.pointers.problem(at, "the schema refers only to itself; read as unknown")
        leads[declaration.name] = []
        found.append(replace(declaration, type=UNKNOWN, text=f"type {declaration.name} = unknown"))
    return found


def _alias_targets(t: Type | None) -> list[str]:
    """Return the names that an alias expands to, directly or as members of a union."""
    match t:
        case Named((name,)):
            return [name]
        case Union(members) | Intersection(members):
            return [name for member in members for name in _alias_targets(member)]
        case _:
            return []
