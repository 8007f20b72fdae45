"""Parts of types that are not types themselves: members, signatures, parameters, tuple elements.

They are interned like types (``ir.intern``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias, final
from typing import Literal as OneOf

from typematch.ir.intern import InternedNode, intern

if TYPE_CHECKING:
    from typematch.ir.types import Type

ElementKind: TypeAlias = OneOf["required", "optional", "rest", "variadic"]
Visibility: TypeAlias = OneOf["public", "protected", "private"]


@final
class Element(InternedNode):
    """One element of a tuple.

    ``rest`` is ``...X[]``, with the element type ``X`` as ``type``; ``variadic`` is ``...T``, with
    ``T`` itself, which is not known to be an array.
    """

    __slots__ = __match_args__ = ("type", "kind", "label")
    type: Type
    kind: ElementKind
    label: str

    def __new__(cls, type: Type, kind: ElementKind = "required", label: str = "") -> Element:
        return intern(cls, (type, kind, label))


@final
class Property(InternedNode):
    """A property or method of an object type.

    Attributes:
        name: ``@@iterator`` for ``[Symbol.iterator]``; ``@@`` and a declaration's key for ``[s]``
            with ``declare const s: unique symbol``, ``@?a.b`` until that key is resolved.
        owner: key of the declaring class if ``visibility`` is not public or the name begins with
            ``#`` (such properties are compared nominally), otherwise empty.
        write: the setter's type if it differs from ``type`` or there is no getter, otherwise None.
        quoted: a numeric name that was written as a string (``'0'``): ``keyof`` gives the string.
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
    """``[key: K]: V``.

    ``key`` is string, number, symbol or a template literal type; a union of keys is several
    signatures.
    """

    __slots__ = __match_args__ = ("key", "type", "readonly")
    key: Type
    type: Type
    readonly: bool

    def __new__(cls, key: Type, type: Type, readonly: bool = False) -> IndexSignature:
        return intern(cls, (key, type, readonly))


@final
class TypeParameter(InternedNode):
    """A variable of a binder; its name is stored with the declaration.

    ``constraint`` and ``default`` are inside the binder.
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
    """``name?: type`` or ``...name: type``, where ``type`` is the array or tuple type.

    ``optional`` is true for ``?`` and for a default value; ``type`` is as written, without
    ``undefined``.  A destructured parameter is named ``{}`` or ``[]``.
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
    """``x is T``, ``asserts x`` or ``asserts x is T``.

    ``parameter`` is a position, -1 for ``this``.
    """

    __slots__ = __match_args__ = ("parameter", "type", "asserts")
    parameter: int
    type: Type | None
    asserts: bool

    def __new__(cls, parameter: int, type: Type | None, asserts: bool = False) -> Predicate:
        return intern(cls, (parameter, type, asserts))


@final
class Signature(InternedNode):
    """One call or construct signature; a binder if it has type parameters.

    Attributes:
        returns: ``boolean`` for a type predicate, ``void`` for an assertion.
        this: type of the declared ``this`` parameter, which is not one of ``parameters``.
        modifier: words separated by spaces: ``abstract``, ``private`` or ``protected`` of a
            construct signature; ``method`` of one that a method declares.
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
