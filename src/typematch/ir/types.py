"""Types: one frozen class per kind.  Equal types are one object, so ``is`` decides equality.

Variables are de Bruijn indices.  A *binder* (a generic signature, a mapped type, a conditional type
with ``infer``, a generic declaration) binds a list of variables, and ``Var(depth, index)`` is
variable ``index`` of the binder that is ``depth`` binders further out.  Renaming a type parameter
changes nothing, and a type without outer variables is the same object wherever it occurs.
``node.loose_depth`` counts the enclosing binders that a node depends on: 0 means closed.
Instantiation (``program.reduction.instantiate``) substitutes closed types only, so no index is ever
shifted.

Names have three forms.  ``Named`` is a name as written; ``program.resolution`` replaces it by a
``Reference`` to a declaration's key.  A name that cannot be resolved stays ``Named``: opaque, equal
only to itself.
"""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, TypeAlias, final
from typing import Literal as OneOf

from typematch.ir.intern import InternedNode, intern

if TYPE_CHECKING:
    from typematch.ir.type_parts import (
        Element,
        IndexSignature,
        Property,
        Signature,
        TypeParameter,
    )

LiteralKind: TypeAlias = OneOf["string", "number", "boolean", "bigint"]
Modifier: TypeAlias = OneOf["", "+", "-"]


class Type(InternedNode):
    """Base class of types.  A ``match`` over the classes below is complete."""

    __slots__ = ()


@final
class Intrinsic(Type):
    """A type that the language defines by name.

    Besides the keywords (any unknown never void undefined null string number boolean bigint symbol
    object): ``this``, the polymorphic this type; ``intrinsic``, the body of ``Uppercase`` and the
    other string mappings; ``unannotated``, no type written and none inferred; ``unreadable``,
    source that the parser could not read; and in queries ``_``, any single type, and ``...``, the
    type of a rest parameter that stands for any further parameters.
    """

    __slots__ = __match_args__ = ("name",)
    name: str

    def __new__(cls, name: str) -> Intrinsic:
        return intern(cls, (name,))


@final
class Literal(Type):
    """``"text"``, ``1``, ``true``, ``1n``.

    ``text`` is ``String(value)`` in JavaScript: without quotes, and without the ``n`` of a bigint.
    """

    __slots__ = __match_args__ = ("kind", "text")
    kind: LiteralKind
    text: str

    def __new__(cls, kind: LiteralKind, text: str) -> Literal:
        return intern(cls, (kind, text))


@final
class Template(Type):
    """A template literal type; ``texts`` and ``types`` alternate, and ``texts`` is one longer."""

    __slots__ = __match_args__ = ("texts", "types")
    texts: tuple[str, ...]
    types: tuple[Type, ...]

    def __new__(cls, texts: tuple[str, ...], types: tuple[Type, ...]) -> Template:
        return intern(cls, (texts, types))


@final
class Array(Type):
    """``element[]`` and ``Array<element>``; ``readonly`` is ``ReadonlyArray``."""

    __slots__ = __match_args__ = ("element", "readonly")
    element: Type
    readonly: bool

    def __new__(cls, element: Type, readonly: bool = False) -> Array:
        return intern(cls, (element, readonly))


@final
class Tuple(Type):
    __slots__ = __match_args__ = ("elements", "readonly")
    elements: tuple[Element, ...]
    readonly: bool

    def __new__(cls, elements: tuple[Element, ...], readonly: bool = False) -> Tuple:
        return intern(cls, (elements, readonly))


@final
class Union(Type):
    """Two or more members, flattened and ordered.  Build it with ``ir.constructors.union``."""

    __slots__ = __match_args__ = ("members",)
    members: tuple[Type, ...]

    def __new__(cls, members: tuple[Type, ...]) -> Union:
        return intern(cls, (members,))


@final
class Intersection(Type):
    """Two or more members, flattened, in source order: overload resolution depends on the order.

    Build it with ``ir.constructors.intersection``.
    """

    __slots__ = __match_args__ = ("members",)
    members: tuple[Type, ...]

    def __new__(cls, members: tuple[Type, ...]) -> Intersection:
        return intern(cls, (members,))


@final
class Object(Type):
    """An anonymous object type; a function type has a single call signature and nothing else.

    ``properties`` are sorted by name and distinct: overloaded methods are one property whose type
    has several ``calls``.  ``ir.constructors.object_type`` establishes that.
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
    """A bound type variable: variable ``index`` of the binder ``depth`` binders further out."""

    __slots__ = __match_args__ = ("depth", "index")
    depth: int
    index: int

    def __new__(cls, depth: int, index: int) -> Var:
        return intern(cls, (depth, index))


class VariableKind(IntEnum):
    """What a free variable stands for.

    Serial numbers are counted separately for each kind.

    Attributes:
        PLACEHOLDER: a type parameter of a candidate signature in a prefilter; may become any type.
        CONTAINER: a rigid type parameter, or ``this``, of a generic class or interface.
        OUTER: the rigid type parameter at position ``serial`` among those of the enclosing
            containers.
        QUERY: a rigid type parameter of a query.
        DECLARATION: the type parameter at position ``serial`` of the declaration that is being
            read.
        OPAQUE: a type of which nothing is known.
        LOCAL: created by one ``Reducer``, counted from 1: a skolem, an inference variable or an
            ``infer`` variable.
    """

    PLACEHOLDER = 0
    CONTAINER = 1
    OUTER = 2
    QUERY = 3
    DECLARATION = 4
    OPAQUE = 5
    LOCAL = 6


@final
class Free(Type):
    """A free type variable; kind, serial number and name together identify it.

    It is never stored, and never occurs in a declaration.  Its digest depends on the name only:
    union order must not depend on how many variables were created earlier.
    """

    __slots__ = __match_args__ = ("kind", "serial", "name")
    _digest_fields = ("name",)
    kind: VariableKind
    serial: int
    name: str

    def __new__(cls, kind: VariableKind, serial: int, name: str = "T") -> Free:
        return intern(cls, (kind, serial, name))


@final
class Named(Type):
    """A name as written: ``A.B<C>``, or ``import("module").A.B<C>`` with ``module`` set.

    ``path`` is empty for an imported module as a whole.
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
    """``typeof a.b.c<X>``: ``target`` is the value, ``path`` the properties read from it.

    As written, ``target`` is a ``Named`` with the whole path, and ``path`` is empty.  Resolved, it
    is a ``Reference`` to the declaration of the value, and ``path`` has the remaining names.  The
    target of ``typeof this`` is ``Intrinsic("this")``.
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
    """``unique symbol``; ``declaration`` is the constant's key, empty until it is resolved."""

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
    """``{ readonly [K in keys as rename]?: type }``: binds ``K`` in ``rename`` and ``type``.

    ``keys`` is outside the binder.
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

    If ``infer`` is not empty, it is a binder of those variables (with their constraints) over
    ``infer``, ``extends`` and ``yes``; ``check`` and ``no`` are outside.  ``distributive``:
    ``check`` was written as a naked type parameter.
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
ELLIPSIS = Intrinsic("...")
TRUE = Literal("boolean", "true")
FALSE = Literal("boolean", "false")
EMPTY_OBJECT = Object()
