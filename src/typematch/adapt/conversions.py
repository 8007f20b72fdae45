"""The code of conversions: awaiting a value, copying it, checking it for ``undefined`` ..."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from typematch.adapt.expressions import Expression, arrow
from typematch.adapt.identifiers import UniqueNames
from typematch.adapt.type_text import TypeWriter
from typematch.ir.constructors import PROMISES, constituents, union
from typematch.ir.render import is_identifier
from typematch.ir.type_parts import Element, Signature
from typematch.ir.types import (
    ANY,
    NULL,
    UNDEFINED,
    Array,
    Intersection,
    Object,
    Reference,
    Tuple,
    Type,
    Union,
)
from typematch.match.edit_kinds import (
    AWAITED,
    CONTENT_NARROWED,
    ITERABLE_COLLECTED,
    NOT_EMPTY,
    OPTIONAL_REQUIRED,
    PASSED_AS_THUNK,
    READONLY_COPIED,
    UNDEFINED_CHECKED,
    UNION_MEMBER,
    WRAPPED,
    Edit,
    EditKind,
)
from typematch.match.edits.content_narrowing import ITERABLES, MAPS, without_members
from typematch.match.edits.conversions import MAX_COPY_DEPTH, mutable_copy

CONVERSIONS: frozenset[EditKind] = frozenset(
    (
        AWAITED,
        CONTENT_NARROWED,
        ITERABLE_COLLECTED,
        NOT_EMPTY,
        OPTIONAL_REQUIRED,
        PASSED_AS_THUNK,
        READONLY_COPIED,
        UNDEFINED_CHECKED,
        UNION_MEMBER,
        WRAPPED,
    )
)
_SETS = frozenset(("global#Set",))
_ITERATORS = frozenset(("global#Iterator",))


class ConversionWriter:
    """Writes conversions of values.

    Args:
        expand: returns the head normal form of a type.

    Attributes:
        written_types: the types that the code asserts.
        hoisted: ``const`` statements that precede the expression.
    """

    def __init__(
        self, types: TypeWriter, names: UniqueNames, expand: Callable[[Type], Type]
    ) -> None:
        self.written_types: list[Type] = []
        self.hoisted: list[str] = []
        self._types = types
        self._names = names
        self._expand = expand

    def convert(self, value: Expression, source: Type, edits: Sequence[Edit]) -> Expression:
        """Return the code that applies the conversions among ``edits``, in order.

        Args:
            source: the type of ``value``.
        """
        for edit in edits:
            if edit.kind in CONVERSIONS:
                value, source = self._step(value, source, edit)
        return value

    def _step(self, value: Expression, source: Type, edit: Edit) -> tuple[Expression, Type]:
        """Return a converted value and its type."""
        kind, whole = edit.kind, self._expand(source)
        if kind is AWAITED:
            return value.awaited(), _first_argument(whole)
        if kind is WRAPPED:
            return value.passed_to(f"{self._global('Promise')}.resolve"), Reference(
                "global#Promise", (source,)
            )
        if kind is READONLY_COPIED:
            return self._copied(value, source), mutable_copy(source, self._expand)
        if kind is ITERABLE_COLLECTED:
            return self._collected(value, whole), Array(_first_argument(whole))
        if kind is UNION_MEMBER and isinstance(edit.b, Type):
            return self._asserted(value, edit.b), edit.b
        if kind is CONTENT_NARROWED and isinstance(edit.b, Type):
            narrowed = without_members(whole, constituents(edit.b), self._expand)
            return self._asserted(value, narrowed), narrowed
        if kind in (UNDEFINED_CHECKED, OPTIONAL_REQUIRED):
            return value.not_null(), _without_nullish(whole)
        if kind is NOT_EMPTY and isinstance(whole, Array):
            elements = (Element(whole.element), Element(whole.element, "rest"))
            return self._asserted(value, not_empty := Tuple(elements, whole.readonly)), not_empty
        if kind is PASSED_AS_THUNK:
            return arrow("", self._without_await(value)), source
        return value, source

    def _asserted(self, value: Expression, t: Type) -> Expression:
        if not self._types.can_write(t):
            return value.asserted("never")
        self.written_types.append(t)
        return value.asserted(self._types.text(t))

    def _without_await(self, value: Expression) -> Expression:
        """Return ``value``, or a constant with its value that is awaited first."""
        if not value.awaits:
            return value
        name = self._names.unique("awaited")
        self.hoisted.append(f"const {name} = {value.text};")
        return Expression(name)

    def _collected(self, value: Expression, whole: Type) -> Expression:
        """Return an array of the elements of an iterable, an iterator or an array-like object."""
        collect = f"{self._global('Array')}.from"
        if isinstance(whole, Reference) and whole.target in _ITERATORS:
            symbol = self._global("Symbol")
            return Expression(f"{collect}({{ [{symbol}.iterator]: () => {value.text} }})")
        return value.passed_to(collect)

    def _global(self, name: str) -> str:
        return self._names.global_name(name)

    # Copies ------------------------------------------------------------------------------------

    def _copied(self, value: Expression, t: Type, depth: int = MAX_COPY_DEPTH) -> Expression:
        """Return a deep copy with mutable arrays; ``value`` itself if it has no readonly array."""
        if not depth or mutable_copy(t, self._expand, depth) is t:
            return value
        whole = t if t.loose_depth else self._expand(t)
        match whole:
            case Array(element, readonly):
                item = self._names.unique("item")
                copy = self._copied(Expression(item), element, depth - 1)
                if copy.text != item:
                    return Expression(f"{value.operand}.map(({item}) => {copy.text})")
                return value.spread() if readonly else value
            case Tuple(elements):
                return self._copied_tuple(value, elements, depth)
            case Reference(name, (element, *_)) if name in PROMISES:
                return self._mapped(value, "then", element, depth)
            case Reference(name, (_, *_) as arguments) if name in MAPS:
                return self._copied_map(value, arguments[-1], depth)
            case Reference(name, (element, *_)) if name in _SETS:
                return Expression(
                    f"new {self._global('Set')}({self._items(value, element, depth).text})"
                )
            case Reference(name, (element, *_)) if name in ITERABLES:
                return self._items(value, element, depth)
            case Object(calls=(call,)):
                passed = self._passed_on(call)
                result = Expression(f"{value.operand}({passed})")
                return arrow(passed, self._copied(result, call.returns, depth - 1))
            case Object(indexes=(index, *_)):
                return self._copied_record(value, index.type, depth)
            case Intersection(members):
                # An array intersected with more copies to an array, as in ``mutable_copy``.
                array = next(m for m in members if isinstance(m, Array) and m.readonly)
                return self._copied(value, array, depth)
            case _:
                return value

    def _passed_on(self, call: Signature) -> str:
        """Return the parameters of a function that passes them on: as many as ``call`` takes."""
        if any(parameter.rest for parameter in call.parameters):
            return f"...{self._names.unique('args')}"
        names = (parameter.name for parameter in call.parameters)
        return ", ".join(
            self._names.unique(name if is_identifier(name) else "value") for name in names
        )

    def _mapped(self, value: Expression, method: str, element: Type, depth: int) -> Expression:
        item = self._names.unique("item")
        copy = self._copied(Expression(item), element, depth - 1)
        return Expression(f"{value.operand}.{method}(({item}) => {copy.text})")

    def _items(self, value: Expression, element: Type, depth: int) -> Expression:
        item = self._names.unique("item")
        copy = self._copied(Expression(item), element, depth - 1)
        return Expression(f"{self._global('Array')}.from({value.text}, ({item}) => {copy.text})")

    def _copied_tuple(
        self, value: Expression, elements: tuple[Element, ...], depth: int
    ) -> Expression:
        copies = []
        for index, element in enumerate(elements):
            part = Expression(f"{value.operand}[{index}]")
            copies.append((part, self._copied(part, element.type, depth - 1)))
        is_deep = any(part.text != copy.text for part, copy in copies)
        if is_deep and all(element.kind == "required" for element in elements):
            return Expression(f"[{', '.join(copy.text for _, copy in copies)}]")
        return value.spread()

    def _copied_map(self, value: Expression, value_type: Type, depth: int) -> Expression:
        key, item = self._names.unique("key"), self._names.unique("item")
        copy = self._copied(Expression(item), value_type, depth - 1)
        entry = f"([{key}, {item}]) => [{key}, {copy.text}] as const"
        pairs = f"{self._global('Array')}.from({value.text}, {entry})"
        return Expression(f"new {self._global('Map')}({pairs})")

    def _copied_record(self, value: Expression, value_type: Type, depth: int) -> Expression:
        key, item = self._names.unique("key"), self._names.unique("item")
        copy = self._copied(Expression(item), value_type, depth - 1)
        object_ = self._global("Object")
        pairs = f"{object_}.entries({value.text}).map(([{key}, {item}]) => [{key}, {copy.text}])"
        return Expression(f"{object_}.fromEntries({pairs})")


def _first_argument(whole: Type) -> Type:
    match whole:
        case Reference(_, (first, *_)):
            return first
        case Array(element):
            return element
        case _:
            return ANY


def _without_nullish(whole: Type) -> Type:
    if not isinstance(whole, Union):
        return whole
    return union(member for member in whole.members if member not in (UNDEFINED, NULL))
