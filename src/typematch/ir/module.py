"""Say what one text declares, with names left as written: what ``sources`` make of a file.

A module is a tree of scopes.  The file is the outermost one; ``namespace N``, ``declare module
"m"`` and ``declare global`` are inner ones.  Types in here hold ``Named``, never ``Reference``;
type parameters of a declaration are bound by it, as those of a signature are (see ``ir.types``):
members of a generic interface mention them as ``Var(0, i)``, and inside a generic method as
``Var(1, i)``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal as OneOf
from typing import TypeAlias

from typematch.ir.types import Signature, Type, TypeParameter, Visibility

ScopeKind: TypeAlias = OneOf["file", "namespace", "ambient", "global"]
DeclaredKind: TypeAlias = OneOf[
    "function", "const", "class", "interface", "alias", "enum", "namespace"
]
Source: TypeAlias = OneOf["typescript", "openapi", "postman", "catalog"]
MemberKind: TypeAlias = OneOf["method", "property", "accessor", "constructor", "call"]


@dataclass(frozen=True, slots=True)
class Doc:
    """A JSDoc comment: ``text`` is its prose without tags, ``summary`` the first sentence of it.

    ``deprecated`` is the text behind ``@deprecated`` (may be empty), None without the tag.
    ``tags`` are the others, (name, text), in order; ``@param`` and ``@returns`` are among them.
    """

    text: str
    summary: str
    deprecated: str | None = None
    tags: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Overload:
    """A signature and how it was written.

    Attributes:
        text: the signature as written, white space folded, comments gone: ``<T>(a: T, n?: number)
            => T[]`` (always with ``=>`` before the result, also for methods and functions).
        type_parameters: their names.
        parameters: the type of each parameter as written; empty where unannotated.
        returns: the result as written (``x is string`` too); empty where unannotated.
        inferred: the result was not annotated but simple enough to be known.
        line: counted from 1.
    """

    signature: Signature
    text: str
    type_parameters: tuple[str, ...] = ()
    parameters: tuple[str, ...] = ()
    returns: str = ""
    line: int = 0
    doc: Doc | None = None
    is_async: bool = False
    is_generator: bool = False
    inferred: bool = False


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where an operation of a service is called, and what it answers with.

    Attributes:
        method: ``GET``; ``path`` as the document writes it: ``/users/{id}``.
        operation_id: as the document writes it; empty without one.
        security: names of the schemes that it may be called with.
        places: for each parameter of the signature (``path``, ``query``, ``header``, ``cookie`` or
            ``body``, the name it has there; a body's is its media type).
        responses: (status, description, type as text) of every response, ``default`` too.
    """

    method: str
    path: str
    operation_id: str = ""
    security: tuple[str, ...] = ()
    places: tuple[tuple[str, str], ...] = ()
    responses: tuple[tuple[str, str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class ServiceRole:
    """That a declaration is no code but what a service offers.

    Attributes:
        role: ``service`` for the interface whose methods are its operations, ``schema`` for a type
            that they use.
        service: its title; ``version`` is the service's own.
        source: the sort of text that describes it.
    """

    role: OneOf["service", "schema"]
    service: str
    version: str = ""
    source: Source = "openapi"


@dataclass(frozen=True, slots=True)
class Member:
    """A member of a class, interface or object type, one for each name and side.

    ``name`` is spelled as in ``ir.types.Property``; ``constructor`` and ``call`` members are
    named so.  ``type`` is the property's type (methods: an object type with the overloads as
    ``calls``); ``overloads`` is filled where the type is written as a function (methods, ``f: (x:
    A) => B``, ``{ (x: A): B }``), else empty. ``members`` are those of a property whose type or
    value is an object written out.  ``endpoint`` and ``labels`` (what it is filed under) are those
    of an operation of a service.
    """

    kind: MemberKind
    name: str
    type: Type
    line: int
    text: str = ""
    overloads: tuple[Overload, ...] = ()
    doc: Doc | None = None
    static: bool = False
    optional: bool = False
    readonly: bool = False
    abstract: bool = False
    visibility: Visibility = "public"
    inferred: bool = False
    members: tuple[Member, ...] = ()
    endpoint: Endpoint | None = None
    labels: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class EnumMember:
    """``value`` is the literal type of a constant member, None where it is computed."""

    name: str
    value: Type | None
    line: int
    doc: Doc | None = None


@dataclass(frozen=True, slots=True)
class DeclarationStatement:
    """One declaring statement (of a merged or overloaded declaration there are several).

    Attributes:
        type: what the name means as a type.  Alias: its body.  Class and interface: an object
            type of their own (instance) members, methods merged.  Else None.
        value: what the name means as a value, as written.  Function: an object type with this one
            call.  Const: its annotation, else what its initialiser shows (a function, a literal,
            ``new X()``, an object literal, ``typeof g`` for a plain name), else ``unannotated``.
            Class: its static members, with the construct signatures it declares (their result is
            ``this``; none if it declares no constructor).  Else None.
        extends: the heritage of a class or interface, as types.
        text: the head as written, for aliases and consts the whole statement, folded, at most 2,000
            characters.
        exported: declared with ``export``, or in an ambient scope that exports everything.
        default: ``export default``.
        body: of a namespace.
        offer: what it is of a service; None for code.
    """

    kind: DeclaredKind
    name: str
    line: int
    text: str = ""
    type: Type | None = None
    value: Type | None = None
    type_parameters: tuple[TypeParameter, ...] = ()
    type_parameter_names: tuple[str, ...] = ()
    extends: tuple[Type, ...] = ()
    implements: tuple[Type, ...] = ()
    overloads: tuple[Overload, ...] = ()
    members: tuple[Member, ...] = ()
    enum_members: tuple[EnumMember, ...] = ()
    doc: Doc | None = None
    exported: bool = False
    default: bool = False
    abstract: bool = False
    inferred: bool = False
    body: Scope | None = None
    offer: ServiceRole | None = None


@dataclass(frozen=True, slots=True)
class Import:
    """A name that a scope brings in.

    ``imported`` is the name there, ``default``, ``*`` (the whole module) or ``=`` (``import x =
    require("m")``).  An alias ``import X = A.B`` has an empty ``specifier`` and the dotted path
    in ``imported``.
    """

    local: str
    specifier: str
    imported: str
    exported: bool = False


@dataclass(frozen=True, slots=True)
class Export:
    """A name that a scope gives out, apart from declarations marked ``exported`` or ``default``.

    ``export { a as b }``: name b, local a.  ``export { a as b } from "m"``: name b, specifier m,
    local a. ``export * from "m"``: name *, specifier m.  ``export * as n from "m"``: name n,
    specifier m, local *. ``export default a.b``: name default, local a.b.  ``export = a.b``: name
    =, local a.b. ``export as namespace N``: name N, local "export as namespace".
    """

    name: str
    local: str = ""
    specifier: str = ""


@dataclass(frozen=True, slots=True)
class Scope:
    """``name`` is the module's of an ambient one, else empty for file and global ones."""

    kind: ScopeKind
    name: str = ""
    imports: tuple[Import, ...] = ()
    exports: tuple[Export, ...] = ()
    declarations: tuple[DeclarationStatement, ...] = ()
    scopes: tuple[Scope, ...] = field(default=())  # ambient and global ones inside a file


@dataclass(frozen=True, slots=True)
class CleaningStats:
    """What a document's texts came to.

    Attributes:
        tokens: words and signs of the document as it is written; ``left`` those that are indexed.
        removed: (sort, how often, characters) of what was taken out.
    """

    tokens: int
    left: int
    removed: tuple[tuple[str, int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Module:
    """One text, read.

    Attributes:
        is_module: it has an import or export at the top, so that its names are its own; without,
            they are global.
        specifiers: every module it names (imports, re-exports, ``import()`` types, ``///
            <reference path`` as ``./x``, ``/// <reference types="node"`` as ``types:node``), in
            order of appearance.
        errors: how many places the parser could not read.
        unreadable: why nothing at all could be read, else empty.
        problems: what is wrong with parts of it, where, and what was made of them; a sentence each.
        cleaned: of a document, what of its texts is indexed.
    """

    scope: Scope
    is_module: bool
    specifiers: tuple[str, ...] = ()
    errors: int = 0
    unreadable: str = ""
    problems: tuple[str, ...] = ()
    cleaned: CleaningStats | None = None
