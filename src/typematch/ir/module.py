"""Modules as written: the output of ``sources``, with names unresolved.

A module is a tree of scopes. The file is the outermost one; ``namespace N``, ``declare module "m"``
and ``declare global`` are inner scopes. Types hold ``Named``, never ``Reference``. A declaration
binds its type parameters, like a signature (see ``ir.types``): members of a generic interface
mention them as ``Var(0, i)``, and inside a generic method as ``Var(1, i)``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal as OneOf
from typing import TypeAlias

from typematch.ir.type_parts import Signature, TypeParameter, Visibility
from typematch.ir.types import Type

ScopeKind: TypeAlias = OneOf["file", "namespace", "ambient", "global"]
DeclaredKind: TypeAlias = OneOf[
    "function", "const", "class", "interface", "alias", "enum", "namespace"
]
# ``jsx:RUNTIME#FACTORY`` is the module of the names that JSX in a file refers to.  RUNTIME is the
# package that ``@jsxImportSource`` of the file names, ``.`` for ``@jsxRuntime classic``, ``+`` for
# ``automatic``, empty if the options of the project decide; FACTORY is the first name of ``@jsx``.
JSX_RUNTIME = "jsx:"
Source: TypeAlias = OneOf["typescript", "openapi", "postman", "catalog"]
MemberKind: TypeAlias = OneOf["method", "property", "accessor", "constructor", "call"]


@dataclass(frozen=True, slots=True)
class Doc:
    """A JSDoc comment.

    ``text`` is its prose without tags, ``summary`` the first sentence.  ``deprecated`` is the text
    after ``@deprecated`` (may be empty), None without that tag.  ``tags`` are the others as (name,
    text), in order, with ``@param`` and ``@returns``.
    """

    text: str
    summary: str
    deprecated: str | None = None
    tags: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Overload:
    """A signature and its source text.

    Attributes:
        text: as written, white space folded, without comments: ``<T>(a: T, n?: number) => T[]``;
            always with ``=>`` before the result, also for methods and functions.
        type_parameters: their names.
        parameters: text of each parameter's type; empty if it is not annotated.
        returns: text of the result (``x is string`` too); empty if it is not annotated.
        inferred: the result type was inferred from the function's body.
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
    """HTTP address and responses of an operation.

    Attributes:
        method: ``GET``; ``path`` is as in the document: ``/users/{id}``.
        operation_id: as in the document; empty without one.
        security: names of the accepted security schemes.
        parameters: for each parameter of the signature, its location (``path``, ``query``,
            ``header``, ``cookie`` or ``body``) and its name there; the name of a body is its media
            type.
        responses: (status, description, type as text) of every response, ``default`` included.
    """

    method: str
    path: str
    operation_id: str = ""
    security: tuple[str, ...] = ()
    parameters: tuple[tuple[str, str], ...] = ()
    responses: tuple[tuple[str, str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class ServiceRole:
    """Role of a declaration that describes a service rather than code.

    Attributes:
        role: ``service`` for the interface whose methods are the operations, ``schema`` for a type
            that they use.
        service: title of the service; ``version`` is the service's version.
        source: the kind of source that describes it.
    """

    role: OneOf["service", "schema"]
    service: str
    version: str = ""
    source: Source = "openapi"


@dataclass(frozen=True, slots=True)
class Member:
    """A member of a class, interface or object type, one for each name and side.

    Attributes:
        name: as in ``ir.type_parts.Property``; members of kind constructor and call have that name.
        type: the property's type; of a method an object type with the overloads as ``calls``.
        overloads: not empty if the type is written as a function (methods, ``f: (x: A) => B``, ``{
            (x: A): B }``).
        members: members of a property whose type or value is an object literal.
        in_argument: written in a type argument of a constant's annotation: a member of what the
            constant constructs, if its type says so.
        endpoint: of an operation of a service.
        labels: tags of an operation of a service.
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
    in_argument: bool = False
    endpoint: Endpoint | None = None
    labels: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class EnumMember:
    """``value`` is the literal type of a constant member, None if it is computed."""

    name: str
    value: Type | None
    line: int
    doc: Doc | None = None


@dataclass(frozen=True, slots=True)
class DeclarationStatement:
    """One declaring statement; a merged or overloaded declaration has several.

    Attributes:
        type: meaning as a type. Alias: its body. Class and interface: an object type of their own
            (instance) members, methods merged. Otherwise None.
        value: type of the value as written. Function: an object type with this one call. Const: its
            annotation, otherwise the type of its initializer (a function, a literal, ``new X()``,
            an object literal, ``typeof g`` for a plain name), otherwise ``unannotated``. Class: its
            static members and declared construct signatures, which return ``this``. Otherwise None.
        extends: heritage types of a class or interface.
        text: the head of the statement, the whole statement for aliases and consts; white space
            folded, at most 2,000 characters.
        exported: declared with ``export``, or in an ambient scope that exports everything.
        default: ``export default``.
        body: scope of a namespace.
        service_role: None for code.
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
    service_role: ServiceRole | None = None


@dataclass(frozen=True, slots=True)
class Import:
    """A name that a scope imports.

    ``imported`` is the name in the other module, ``default``, ``*`` (the module as a namespace) or
    ``=`` (``import x = require("m")``).  An alias ``import X = A.B`` has an empty ``specifier`` and
    the dotted path in ``imported``.
    """

    local: str
    specifier: str
    imported: str
    exported: bool = False


@dataclass(frozen=True, slots=True)
class Export:
    """A name that a scope exports, other than declarations marked ``exported`` or ``default``.

    ``export { a as b }``: name b, local a. ``export { a as b } from "m"``: name b, specifier m,
    local a. ``export * from "m"``: name *, specifier m. ``export * as n from "m"``: name n,
    specifier m, local *. ``export default a.b``: name default, local a.b. ``export = a.b``: name =,
    local a.b. ``export as namespace N``: name N, local "export as namespace".
    """

    name: str
    local: str = ""
    specifier: str = ""


@dataclass(frozen=True, slots=True)
class Scope:
    """A scope of a file.

    Attributes:
        name: the module's name of an ambient scope; empty for file and global scopes.
        leading_exports: how many of ``exports`` stand before the first declaration.
    """

    kind: ScopeKind
    name: str = ""
    imports: tuple[Import, ...] = ()
    exports: tuple[Export, ...] = ()
    declarations: tuple[DeclarationStatement, ...] = ()
    scopes: tuple[Scope, ...] = field(default=())  # ambient and global ones inside a file
    leading_exports: int = 0


@dataclass(frozen=True, slots=True)
class CleaningStats:
    """Token counts of a document's texts before and after cleaning.

    Attributes:
        tokens: words and punctuation marks in the document; ``kept`` is how many of them are
            indexed.
        removed: (kind, count, characters) of removed text.
    """

    tokens: int
    kept: int
    removed: tuple[tuple[str, int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Module:
    """One parsed source text.

    Attributes:
        is_module: it has a top-level import or export, so its names are local to it; otherwise they
            are global.
        specifiers: every module it refers to (imports, re-exports, ``import()`` types, ``///
            <reference path`` as ``./x``, ``/// <reference types="node"`` as ``types:node``, ``///
            <reference lib="dom"`` as ``lib:dom``), in order of appearance.
        errors: number of syntax errors.
        unreadable: why the text could not be read at all; empty otherwise.
        problems: sentences about parts that could not be read as written, and how they were read.
        cleaned: of a document, how much of its texts is indexed.
    """

    scope: Scope
    is_module: bool
    specifiers: tuple[str, ...] = ()
    errors: int = 0
    unreadable: str = ""
    problems: tuple[str, ...] = ()
    cleaned: CleaningStats | None = None
