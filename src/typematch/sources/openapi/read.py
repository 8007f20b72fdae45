"""Read an OpenAPI document: a service, its operations, its named schemas.

The service is an interface whose methods are the operations; the schemas are aliases in a namespace
of the same name, so that ``Pet`` of two services are two things.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from typematch.ir.build import object_type
from typematch.ir.module import Declared, Doc, Import, Member, Module, Offer, Scope
from typematch.ir.types import UNKNOWN, Intersection, Named, Property, Type, Union
from typematch.sources.openapi.loading import DocumentError, Loaded
from typematch.sources.openapi.naming import TypeNames, operation_name, service_name
from typematch.sources.openapi.operations import (
    METHODS,
    Operations,
    first_sentence,
    schemes_of,
    shown,
)
from typematch.sources.openapi.pointers import At, Beside, Pointers
from typematch.sources.openapi.schema import Schemas
from typematch.sources.openapi.shapes import Info, Operation, ShapeError, checked

READS = "text:"  # before a specifier: another file whose text is a part of this one


def read_openapi(loaded: Loaded, *, path: str, beside: Beside) -> Module:
    """Return what a document declares; ``path`` gives its name.

    ``beside`` has the files that it refers to.  The module's specifiers name those that were asked
    for, behind ``READS``.

    Raises:
        DocumentError: it is no document, or there is nothing in it.
    """
    return _Document(loaded, path, beside).module()


def unreadable(why: str) -> Module:
    return Module(Scope("file"), is_module=True, unreadable=why)


class _Document:
    def __init__(self, loaded: Loaded, path: str, beside: Beside) -> None:
        self._value = _mapping_of(loaded.value)
        self._version = _version(self._value)
        self._lines = loaded.lines
        self._stem = path.rpartition("/")[2].partition(".")[0]
        self._pointers = Pointers(self._value, beside)
        for line, key in loaded.doubled:
            self._problem(At(), f"the key {key!r} at line {line} stands twice; the last one counts")
        self._info = self._read_info()
        self._title = " ".join(self._info.title.split()) or self._stem
        self._types = TypeNames()
        self._schemas = Schemas(
            self._pointers, self._types, siblings=self._version.startswith("3.1")
        )

    def module(self) -> Module:
        named = self._named_schemas()
        for at in named:
            self._schemas.name(at)
        members = list(self._operations())
        if not members and not named:
            raise DocumentError("there is nothing in it: no paths with operations, no schemas")
        schemas = _without_circles(list(self._declarations()), self._pointers)
        service = self._types.give(service_name(self._title, self._stem))
        declared = [self._service(service, members)]
        if schemas:
            body = Scope("namespace", declarations=tuple(schemas))
            declared.append(
                Declared("namespace", service, 1, f"namespace {service}", body=body, exported=True)
            )
        imports = tuple(Import(one.name, "", f"{service}.{one.name}") for one in schemas)
        return Module(
            Scope("file", imports=imports, declarations=tuple(declared)),
            is_module=True,
            specifiers=tuple(f"{READS}{file}" for file in self._pointers.read),
            problems=tuple(self._pointers.problems),
        )

    def _problem(self, at: At, what: str) -> None:
        self._pointers.problem(at, what)

    def _line(self, *keys: str) -> int:
        """Return the line of the innermost of ``keys`` that is known."""
        while keys and keys not in self._lines:
            keys = keys[:-1]
        return self._lines[keys] if keys else 1

    def _read_info(self) -> Info:
        try:
            return checked(Info, self._value.get("info", {}))
        except ShapeError as error:
            self._problem(At(keys=("info",)), f"{error}; it goes by its file's name")
            return Info()

    # The service ----------------------------------------------------------------------------------

    def _service(self, name: str, members: list[Member]) -> Declared:
        text = (self._info.description or self._info.summary or "").strip()
        said = text if self._title in text else f"{self._title}. {text}".strip()
        return Declared(
            "interface",
            name,
            self._line("info"),
            f"interface {name}",
            type=object_type(Property(one.name, one.type, method=True) for one in members),
            members=tuple(members),
            doc=Doc(said, first_sentence(text) or self._title),
            exported=True,
            offer=self._offer("service"),
        )

    def _offer(self, role: Any) -> Offer:
        return Offer(role, self._title, self._info.version)

    # Operations -----------------------------------------------------------------------------------

    def _operations(self) -> Iterator[Member]:
        consumes = self._value.get("consumes")
        reader = Operations(
            self._pointers,
            self._schemas,
            schemes_of(self._value.get("security")),
            old=self._version.startswith("2"),
            consumes=tuple(map(str, consumes)) if isinstance(consumes, list) else (),
        )
        taken: dict[str, str] = {}
        for path, item, at in self._path_items():
            for method in METHODS:
                if method not in item:
                    continue
                where = at / method
                try:
                    operation = checked(Operation, item[method])
                except ShapeError as error:
                    self._problem(where, f"{error}; this operation is left out")
                    continue
                name = self._name(operation, method, path, taken, where)
                line = self._line("paths", path, method)
                shared = item.get("parameters")
                yield reader.member(name, method, path, operation, shared, where, line)

    def _path_items(self) -> Iterator[tuple[str, Mapping[str, Any], At]]:
        paths = self._value.get("paths")
        at = At(keys=("paths",))
        if paths is None:
            if not self._version.startswith("3.1"):
                self._problem(at, "there are no paths; only schemas are indexed")
            return
        if not isinstance(paths, dict):
            self._problem(at, "paths that are no mapping; only schemas are indexed")
            return
        for path, written in paths.items():
            if path.startswith("x-"):
                continue
            followed = self._pointers.follow(written, at / path)
            if followed is None:
                continue
            item, there = followed
            if isinstance(item, dict):
                yield path, item, there
            else:
                self._problem(at / path, "a path that is no mapping; left out")

    def _name(
        self, operation: Operation, method: str, path: str, taken: dict[str, str], at: At
    ) -> str:
        """Return the operation's id, or a name made of its path; no two have the same."""
        called = f"{method.upper()} {path}"
        wanted = " ".join(operation.operation_id.split()).lstrip("@#")
        name = wanted or operation_name(method, path)
        if wanted in taken:
            name = operation_name(method, path)
            self._problem(
                at,
                f"the operationId {wanted!r} is that of {taken[wanted]} already; "
                f"this one is called {name}",
            )
        number, free = 2, name
        while free in taken:
            number, free = number + 1, f"{name}{number}"
        taken[free] = called
        return free

    # Schemas --------------------------------------------------------------------------------------

    def _named_schemas(self) -> list[At]:
        at = At(keys=("components", "schemas"))
        components = self._value.get("components")
        schemas = components.get("schemas") if isinstance(components, dict) else None
        if self._version.startswith("2"):
            at, schemas = At(keys=("definitions",)), self._value.get("definitions")
        if schemas is not None and not isinstance(schemas, dict):
            self._problem(at, "schemas that are no mapping; left out")
        return [at / name for name in schemas] if isinstance(schemas, dict) else []

    def _declarations(self) -> Iterator[Declared]:
        for name, at, schema, lowered in self._schemas.declared():
            text = f"type {name} = {shown(lowered)}"
            yield Declared(
                "alias", name, self._line(*at.keys) if not at.file else 1, text, type=lowered,
                doc=_schema_doc(schema), exported=True, offer=self._offer("schema"),
            )  # fmt: skip


def _mapping_of(value: Any) -> Mapping[str, Any]:
    if isinstance(value, dict):
        return value
    raise DocumentError("this is no document: a mapping with 'openapi' at its top is expected")


def _version(value: Mapping[str, Any]) -> str:
    """Return ``2.0``, ``3.0.3``, ...

    Raises:
        DocumentError: there is none, or none that is known.
    """
    written = value.get("openapi", value.get("swagger"))
    if written is None:
        raise DocumentError("there is neither 'openapi' nor 'swagger' at its top")
    version = str(written)
    if not version.startswith(("2.", "3.0", "3.1")):
        raise DocumentError(f"version {version!r} is none that is read: 2.0, 3.0 and 3.1 are")
    return version


def _schema_doc(schema: Any) -> Doc | None:
    if not isinstance(schema, dict):
        return None
    said = schema.get("description") or schema.get("title")
    if not isinstance(said, str) or not said.strip():
        return None
    return Doc(said.strip(), first_sentence(said), "" if schema.get("deprecated") is True else None)


def _without_circles(declared: list[Declared], pointers: Pointers) -> list[Declared]:
    """Return the aliases, without those that come back to themselves and never to a type.

    ``A = B | null`` and ``B = A`` say nothing; recursion through a property or an item is fine.
    """
    leads = {one.name: _outermost(one.type) for one in declared}
    found: list[Declared] = []
    for one in declared:
        reached: set[str] = set()
        waiting = list(leads[one.name])
        while waiting:
            name = waiting.pop()
            if name not in reached:
                reached.add(name)
                waiting.extend(leads.get(name, ()))
        if one.name in reached:
            pointers.problem(At(keys=(one.name,)), "is nothing but itself; read as unknown")
            leads[one.name] = []
            one = replace(one, type=UNKNOWN, text=f"type {one.name} = unknown")
        found.append(one)
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
