"""Catalog entries: one for each function, method, type or operation that can be searched."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal as OneOf
from typing import TypeAlias

from typematch.ir.module import Doc, Endpoint, Source
from typematch.ir.type_parts import Visibility
from typematch.ir.types import Object, Type

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

# Kinds of entries that exist only as types, and those that declare a type.
TYPE_ONLY_KINDS: tuple[EntryKind, ...] = ("interface", "alias", "schema")
TYPE_DECLARING_KINDS: tuple[EntryKind, ...] = (*TYPE_ONLY_KINDS, "class", "enum", "service")
# Kinds of entries whose declaration is that of their container.
MEMBER_KINDS: tuple[EntryKind, ...] = (
    "method", "property", "accessor", "constructor", "call", "operation",
)  # fmt: skip
# A function of this name in the namespace of a function f exists only as the type of
# ``util.promisify(f)``.
PROMISIFIED = "__promisify__"


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
        text: as written, white space folded: ``<T>(xs: T[], n?: number) => T[][]``.
        type: the signature as a function type with this one call.  Closed, unless the entry is a
            member of a generic container, whose type parameters it may mention (``Entry.outer``).
        returns: text of the result; ``return_type`` is its type.
        max_arity: None with a rest parameter.
        type_parameters: (name, constraint text, default text); empty text if absent.
        deprecation: the text after its ``@deprecated`` (may be empty), None without that tag.
    """

    text: str
    type: Object
    parameters: tuple[EntryParameter, ...]
    returns: str
    return_type: Type
    min_arity: int
    max_arity: int | None
    type_parameters: tuple[tuple[str, str, str], ...] = ()
    this: str = ""
    predicate: str = ""
    is_async: bool = False
    deprecation: str | None = None


@dataclass(frozen=True, slots=True)
class Entry:
    """One searchable entry.

    Attributes:
        id: ``package#qualified.name``; ``package#Class#member`` for instance members;
            ``package#module:Name`` for a subpath or an ambient module; ``~2`` and so on resolve
            clashes.
        name: the last segment; ``qualified_name`` is the id without the package.
        container: the qualified name without the last segment; empty at the top level.
        package: the package from which it is imported, with its ``version``; of two installed
            versions the one that only other packages import is ``name@version``.
        path: name of the file in the catalog; ``line`` is counted from 1.
        outer: names of the containers' type parameters that the signatures mention, outermost
            first.  If there are any, the signatures' types are closed under one binder for them.
        type: of an interface, class, alias, enum or schema: the type it names, applied to its own
            parameters.  Of a const or property that is not callable: its type.  Otherwise None.
        aliases: other qualified names under which the package exports it.
        is_async: every signature returns a Promise or PromiseLike.
        is_fluent: an instance member with a signature that returns ``this``, its own class or one
            that extends it.
        inferred: a type was not annotated but inferred from the code.
        http: of an operation, its method and path: ``GET /users/{id}``; ``endpoint`` has the rest.
        service: title of the service, for operations, services and their schemas.
        source: the kind of source it was read from.
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
    is_fluent: bool = False
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
