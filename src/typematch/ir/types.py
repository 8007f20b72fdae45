"""Say what a type is: one frozen class per kind, equal types being one object.

Types are hash-consed (``ir.intern``): building the same type twice gives the same object, so ``is``
decides equality, and a type is a fine dictionary key.

Type variables are written by position.  A *binder* (a generic signature, a mapped type, a
conditional type with ``infer``, a generic declaration) binds one list of variables, and
``Var(depth, index)`` means variable ``index`` of the binder that stands ``depth`` binders further
out.  So renaming a type parameter changes nothing, and a type that mentions no outer variable is
the same object wherever it stands.  ``node.loose`` counts the enclosing binders that a node still
needs: 0 means closed.  Opening a binder (``program.instantiate``) puts closed types in the place of
its variables, so nothing ever has to be shifted.

Names are of three sorts.  A source leaves them as written (``Named``); ``program.scope`` makes
them ``Reference`` to a declaration's key; what it cannot resolve stays ``Named``, opaque and
equal only to itself.
"""

from __future__ import annotations

from typing import Literal as OneOf
from typing import TypeAlias, final

from typematch.ir.intern import InternedNode, intern

LiteralKind: TypeAlias = OneOf["string", "number", "boolean", "bigint"]
ElementKind: TypeAlias = OneOf["required", "optional", "rest", "variadic"]
Modifier: TypeAlias = OneOf["", "+", "-"]
Visibility: TypeAlias = OneOf["public", "protected", "private"]


class Type(InternedNode):
    """Any type.  The classes below are all there are: a ``match`` over them is complete."""

    __slots__ = ()


@final
class Intrinsic(Type):
    """A type with a name of the language's own.

    Beside the keywords (any unknown never void undefined null string number boolean bigint symbol
    object) these are: ``this`` the polymorphic this type; ``intrinsic`` the body of ``Uppercase``
    and its like; ``unannotated`` where the source wrote no type and none was inferred;
    ``unreadable`` where the source could not be read; and in queries ``_`` (any one type) and
    ``...`` (the type of a rest parameter that stands for any further parameters).
    """

    __slots__ = __match_args__ = ("name",)
    name: str

    def __new__(cls, name: str) -> Intrinsic:
        return intern(cls, (name,))


@final
class Literal(Type):
    """``"text"``, ``1``, ``true``, ``1n``.

    ``text`` is the value in JavaScript's own spelling (``String(value)``), without quotes or ``n``.
    """

    __slots__ = __match_args__ = ("kind", "text")
    kind: LiteralKind
    text: str

    def __new__(cls, kind: LiteralKind, text: str) -> Literal:
        return intern(cls, (kind, text))


@final
class Template(Type):
    """A template literal type: ``texts`` has one more item than ``types``, and they alternate."""

    __slots__ = __match_args__ = ("texts", "types")
    texts: tuple[str, ...]
    types: tuple[Type, ...]

    def __new__(cls, texts: tuple[str, ...], types: tuple[Type, ...]) -> Template:
        return intern(cls, (texts, types))


@final
class Array(Type):
    """``element[]`` and ``Array<element>``; ``readonly`` for ``ReadonlyArray``."""

    __slots__ = __match_args__ = ("element", "readonly")
    element: Type
    readonly: bool

    def __new__(cls, element: Type, readonly: bool = False) -> Array:
        return intern(cls, (element, readonly))


@final
class Element(InternedNode):
    """One place of a tuple.

    ``rest`` is ``...X[]`` with ``type`` the element ``X``; ``variadic`` is ``...T`` with ``type``
    the array-like ``T`` itself, which is not known yet to be an array.
    """

    __slots__ = __match_args__ = ("type", "kind", "label")
    type: Type
    kind: ElementKind
    label: str

    def __new__(cls, type: Type, kind: ElementKind = "required", label: str = "") -> Element:
        return intern(cls, (type, kind, label))


@final
class Tuple(Type):
    __slots__ = __match_args__ = ("elements", "readonly")
    elements: tuple[Element, ...]
    readonly: bool

    def __new__(cls, elements: tuple[Element, ...], readonly: bool = False) -> Tuple:
        return intern(cls, (elements, readonly))


@final
class Union(Type):
    """Built by ``ir.build.union``: flattened, ordered, of two members or more."""

    __slots__ = __match_args__ = ("members",)
    members: tuple[Type, ...]

    def __new__(cls, members: tuple[Type, ...]) -> Union:
        return intern(cls, (members,))


@final
class Intersection(Type):
    """Built by ``ir.build.intersection``: flattened, in source order (overloads depend on it)."""

    __slots__ = __match_args__ = ("members",)
    members: tuple[Type, ...]

    def __new__(cls, members: tuple[Type, ...]) -> Intersection:
        return intern(cls, (members,))


@final
class Property(InternedNode):
    """A property or method of an object type.

    ``name`` is the plain name; ``@@iterator`` for ``[Symbol.iterator]``; ``@@`` and the
    declaration's key for ``[s]`` with ``declare const s: unique symbol``, and ``@?a.b`` until
    ``program.scope`` has found that key.  ``owner`` is the key of the declaring class when
    ``visibility`` is not public or the name begins with ``#`` (such a property is nominal), else
    empty.  ``quoted`` marks a numeric name that is written as text (``'0'``): ``keyof`` then gives
    the text.  ``write`` is the setter's type where it differs from ``type`` or where there is no
    getter; None otherwise.
    """

    __slots__ = __match_args__ = (
        "name", "type", "optional", "readonly", "method", "visibility", "owner", "write", "quoted",
    )  # fmt: skip
    name: str
    type: Type
    optional: bool
    readonly: bool
    method: bool
    visibility: Visibility
    owner: str
    write: Type | None
    quoted: bool

    def __new__(
        cls,
        name: str,
        type: Type,
        optional: bool = False,
        readonly: bool = False,
        method: bool = False,
        visibility: Visibility = "public",
        owner: str = "",
        write: Type | None = None,
        quoted: bool = False,
    ) -> Property:
        fields = (name, type, optional, readonly, method, visibility, owner, write, quoted)
        return intern(cls, fields)


@final
class IndexSignature(InternedNode):
    """``[key: K]: V``: ``key`` is string, number, symbol or a template literal type (one each)."""

    __slots__ = __match_args__ = ("key", "type", "readonly")
    key: Type
    type: Type
    readonly: bool

    def __new__(cls, key: Type, type: Type, readonly: bool = False) -> IndexSignature:
        return intern(cls, (key, type, readonly))


@final
class TypeParameter(InternedNode):
    """A variable that a binder binds; its name is kept beside declarations, not here.

    ``constraint`` and ``default`` stand inside the binder and may mention its variables.
    """

    __slots__ = __match_args__ = ("constraint", "default", "const")
    constraint: Type | None
    default: Type | None
    const: bool

    def __new__(
        cls, constraint: Type | None = None, default: Type | None = None, const: bool = False
    ) -> TypeParameter:
        return intern(cls, (constraint, default, const))


@final
class Parameter(InternedNode):
    """``name?: type`` or ``...name: type``, whose ``type`` is then the whole array or tuple.

    ``optional`` is true for ``?`` and for a default value.  A destructured parameter has the name
    ``{}`` or ``[]``.  The type of an optional parameter is as written, without ``undefined``.
    """

    __slots__ = __match_args__ = ("name", "type", "optional", "rest")
    name: str
    type: Type
    optional: bool
    rest: bool

    def __new__(
        cls,
        name: str,
        type: Type,
        optional: bool = False,
        rest: bool = False,
    ) -> Parameter:
        return intern(cls, (name, type, optional, rest))


@final
class Predicate(InternedNode):
    """``x is T``, ``asserts x``, ``asserts x is T``; ``parameter`` is a position, -1 for this."""

    __slots__ = __match_args__ = ("parameter", "type", "asserts")
    parameter: int
    type: Type | None
    asserts: bool

    def __new__(cls, parameter: int, type: Type | None, asserts: bool = False) -> Predicate:
        return intern(cls, (parameter, type, asserts))


@final
class Signature(InternedNode):
    """One call or construct signature; it is a binder if ``type_parameters`` is not empty.

    ``returns`` is ``boolean`` beside a predicate and ``void`` beside an assertion.  ``modifier``
    is for construct signatures: ``abstract``, ``private``, ``protected`` or empty.  ``this`` is
    the declared this parameter, which is not among ``parameters``.
    """

    __slots__ = __match_args__ = (
        "parameters", "returns", "type_parameters", "this", "predicate", "modifier",
    )  # fmt: skip
    parameters: tuple[Parameter, ...]
    returns: Type
    type_parameters: tuple[TypeParameter, ...]
    this: Type | None
    predicate: Predicate | None
    modifier: str

    def __new__(
        cls,
        parameters: tuple[Parameter, ...],
        returns: Type,
        type_parameters: tuple[TypeParameter, ...] = (),
        this: Type | None = None,
        predicate: Predicate | None = None,
        modifier: str = "",
    ) -> Signature:
        return intern(cls, (parameters, returns, type_parameters, this, predicate, modifier))


@final
class Object(Type):
    """An object type written out; a function type is one with a single call signature.

    ``properties`` are in order of name, one for each name (overloaded methods are one property
    whose type has several ``calls``); build it with ``ir.build.object_type`` where that is not
    certain.
    """

    __slots__ = __match_args__ = ("properties", "calls", "constructs", "indexes")
    properties: tuple[Property, ...]
    calls: tuple[Signature, ...]
    constructs: tuple[Signature, ...]
    indexes: tuple[IndexSignature, ...]

    def __new__(
        cls,
        properties: tuple[Property, ...] = (),
        calls: tuple[Signature, ...] = (),
        constructs: tuple[Signature, ...] = (),
        indexes: tuple[IndexSignature, ...] = (),
    ) -> Object:
        return intern(cls, (properties, calls, constructs, indexes))


@final
class Var(Type):
    """A bound type variable: number ``index`` of the binder ``depth`` binders further out."""

    __slots__ = __match_args__ = ("depth", "index")
    depth: int
    index: int

    def __new__(cls, depth: int, index: int) -> Var:
        return intern(cls, (depth, index))


@final
class Free(Type):
    """A variable that ``match`` took out of its binder: rigid or to be inferred, known there.

    Equal ``serial`` means the same variable.  Never stored, never inside a declaration.
    """

    __slots__ = __match_args__ = ("serial", "name")
    _digested = ("name",)  # how many variables there were before it must not order anything
    serial: int
    name: str

    def __new__(cls, serial: int, name: str = "T") -> Free:
        return intern(cls, (serial, name))


@final
class Named(Type):
    """A name as written: ``A.B<C>`` or ``import("module").A.B<C>`` (then ``module`` is not None).

    ``path`` is empty for the whole of an imported module.  What stays ``Named`` after
    ``program.scope`` is unresolved: opaque, equal only to itself.
    """

    __slots__ = __match_args__ = ("path", "arguments", "module")
    path: tuple[str, ...]
    arguments: tuple[Type, ...]
    module: str | None

    def __new__(
        cls, path: tuple[str, ...], arguments: tuple[Type, ...] = (), module: str | None = None
    ) -> Named:
        return intern(cls, (path, arguments, module))


@final
class Reference(Type):
    """A declared type by its declaration's key, with as many arguments as were written."""

    __slots__ = __match_args__ = ("target", "arguments")
    target: str
    arguments: tuple[Type, ...]

    def __new__(cls, target: str, arguments: tuple[Type, ...] = ()) -> Reference:
        return intern(cls, (target, arguments))


@final
class TypeOf(Type):
    """``typeof a.b.c<X>``: ``target`` names the value, ``path`` the properties read from it.

    As written, ``target`` is a ``Named`` with the whole path and ``path`` is empty; once resolved
    it is a ``Reference`` to the declaration whose value is meant and ``path`` holds the rest.
    ``typeof this`` has the target ``Intrinsic("this")``.
    """

    __slots__ = __match_args__ = ("target", "path", "arguments")
    target: Type
    path: tuple[str, ...]
    arguments: tuple[Type, ...]

    def __new__(
        cls, target: Type, path: tuple[str, ...] = (), arguments: tuple[Type, ...] = ()
    ) -> TypeOf:
        return intern(cls, (target, path, arguments))


@final
class UniqueSymbol(Type):
    """``unique symbol``: ``declaration`` is empty as written, the constant's key once resolved."""

    __slots__ = __match_args__ = ("declaration",)
    declaration: str

    def __new__(cls, declaration: str = "") -> UniqueSymbol:
        return intern(cls, (declaration,))


@final
class KeyOf(Type):
    __slots__ = __match_args__ = ("type",)
    type: Type

    def __new__(cls, type: Type) -> KeyOf:
        return intern(cls, (type,))


@final
class IndexedAccess(Type):
    """``object[index]``."""

    __slots__ = __match_args__ = ("object", "index")
    object: Type
    index: Type

    def __new__(cls, object: Type, index: Type) -> IndexedAccess:
        return intern(cls, (object, index))


@final
class Mapped(Type):
    """``{ readonly [K in keys as rename]?: type }``: binds ``K`` over ``rename`` and ``type``.

    ``readonly`` and ``optional`` are ``+``, ``-`` or empty; ``keys`` stands outside the binder.
    """

    __slots__ = __match_args__ = ("keys", "type", "rename", "readonly", "optional")
    keys: Type
    type: Type
    rename: Type | None
    readonly: Modifier
    optional: Modifier

    def __new__(
        cls,
        keys: Type,
        type: Type,
        rename: Type | None = None,
        readonly: Modifier = "",
        optional: Modifier = "",
    ) -> Mapped:
        return intern(cls, (keys, type, rename, readonly, optional))


@final
class Conditional(Type):
    """``check extends extends ? yes : no``.

    It is a binder over ``infer``, ``extends`` and ``yes`` if ``infer`` (the variables that
    ``extends`` declares, with their constraints) is not empty; ``check`` and ``no`` stand
    outside. ``distributive`` is true if ``check`` was written as a bare type parameter.
    """

    __slots__ = __match_args__ = ("check", "extends", "yes", "no", "infer", "distributive")
    check: Type
    extends: Type
    yes: Type
    no: Type
    infer: tuple[TypeParameter, ...]
    distributive: bool

    def __new__(
        cls,
        check: Type,
        extends: Type,
        yes: Type,
        no: Type,
        infer: tuple[TypeParameter, ...] = (),
        distributive: bool = False,
    ) -> Conditional:
        return intern(cls, (check, extends, yes, no, infer, distributive))


ANY = Intrinsic("any")
UNKNOWN = Intrinsic("unknown")
NEVER = Intrinsic("never")
VOID = Intrinsic("void")
UNDEFINED = Intrinsic("undefined")
NULL = Intrinsic("null")
STRING = Intrinsic("string")
NUMBER = Intrinsic("number")
BOOLEAN = Intrinsic("boolean")
BIGINT = Intrinsic("bigint")
SYMBOL = Intrinsic("symbol")
OBJECT = Intrinsic("object")
THIS = Intrinsic("this")
UNANNOTATED = Intrinsic("unannotated")
UNREADABLE = Intrinsic("unreadable")
WILDCARD = Intrinsic("_")
FURTHER = Intrinsic("...")
TRUE = Literal("boolean", "true")
FALSE = Literal("boolean", "false")
EMPTY_OBJECT = Object()
