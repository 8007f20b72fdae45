"""Say what a person can find: one entry for each function, method, type or operation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal as OneOf
from typing import TypeAlias

from typematch.ir.module import Doc, Endpoint, Source
from typematch.ir.types import Object, Type, Visibility

EntryKind: TypeAlias = OneOf[
    "function",
    "method",
    "constructor",
    "accessor",
    "const",
    "property",
    "call",
    "interface",
    "class",
    "alias",
    "enum",
    "operation",
    "service",
    "schema",
]


@dataclass(frozen=True, slots=True)
class EntryParameter:
    """``type`` is the text as written, ``resolved`` the type with its names resolved."""

    name: str
    type: str
    resolved: Type
    optional: bool = False
    rest: bool = False


@dataclass(frozen=True, slots=True)
class EntrySignature:
    """One overload.

    Attributes:
        text: as written, folded: ``<T>(xs: T[], n?: number) => T[][]``.
        type: the same as a function type with this one call; closed unless the entry is a member of
            something generic, whose type parameters it then mentions (``outer``).
        returns: the result as written, ``returned`` the type.
        max_arity: None with a rest parameter.
        type_parameters: (name, constraint text, default text), the texts empty where absent.
    """

    text: str
    type: Object
    parameters: tuple[EntryParameter, ...]
    returns: str
    returned: Type
    min_arity: int
    max_arity: int | None
    type_parameters: tuple[tuple[str, str, str], ...] = ()
    this: str = ""
    predicate: str = ""
    is_async: bool = False


@dataclass(frozen=True, slots=True)
class Entry:
    """Something to find.

    Attributes:
        id: ``package#qualified.name``, ``package#Class#member`` for instance members,
            ``package#module:Name`` behind a subpath or in an ambient module; ``~2`` on a clash.
        name: the last part; ``qualified_name`` is the id without the package.
        container: the qualified name without the last part, empty at the top.
        package: the package from which one imports it, ``version`` its version.
        path: the catalog's name of the file, ``line`` counted from 1.
        outer: type parameters of the containers, outermost first, that signatures mention: the
            signatures' types are closed under one binder for them if there are any.
        type: for interface, class, alias, enum, schema: the type it names, applied to its own
            parameters.  For a const or property that is no function: its type.  Else None.
        aliases: other qualified names under which the package exports it.
        is_async: every signature returns a Promise or PromiseLike.
        inferred: a result or type was not annotated but read off the code.
        http: of an operation its method and path, ``GET /users/{id}``; ``endpoint`` has the rest.
        service: of an operation, a service and its schemas the service's title.
        source: the sort of text it was read from.
    """

    id: str
    kind: EntryKind
    name: str
    qualified_name: str
    container: str
    package: str
    version: str
    path: str
    line: int
    signature: str
    signatures: tuple[EntrySignature, ...] = ()
    min_arity: int | None = None
    max_arity: int | None = None
    doc: Doc | None = None
    exported: bool = False
    aliases: tuple[str, ...] = ()
    import_statement: str = ""
    is_async: bool = False
    is_generator: bool = False
    static: bool = False
    readonly: bool = False
    visibility: Visibility = "public"
    inferred: bool = False
    tags: tuple[str, ...] = ()
    outer: tuple[str, ...] = ()
    type: Type | None = None
    declaration: str = ""
    http: str = ""
    service: str = ""
    source: Source = "typescript"
    endpoint: Endpoint | None = None

    @property
    def deprecated(self) -> bool:
        return self.doc is not None and self.doc.deprecated is not None
