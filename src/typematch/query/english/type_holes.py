"""Fill in what a noun phrase leaves open from the rest of its sentence.

"An array and a predicate" is ``T[]`` and ``(x: T) => boolean``: what stands in the container is
what the function is given.  In a result the same holds; what nothing tells is ``_``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast

from typematch.ir.constructors import function, restore
from typematch.ir.intern import InternedNode, children, rebuild
from typematch.ir.types import (
    BOOLEAN,
    FURTHER,
    NUMBER,
    OBJECT,
    STRING,
    UNKNOWN,
    VOID,
    WILDCARD,
    Array,
    Element,
    Named,
    Object,
    Parameter,
    Signature,
    Tuple,
    Type,
)

_OPEN = "?"  # no TypeScript name begins so
_MANY = frozenset(("Set", "Map", "Iterable", "AsyncIterable", "Observable", "Record"))
_WRAPPERS = ("Promise", "PromiseLike")
_MAPPERS = frozenset(("function", "mapper", "binary", "taking", "2 arguments", "1 arguments"))
_DIVISIBLE = (STRING, Named(("Buffer",)), Named(("Uint8Array",)))
_FUNCTIONS = _MAPPERS | {"callback", "predicate", "comparator", "giving", "thunk", "node"}
_TELLING_APART = _MAPPERS | {"pair", "giving"}
_LETTERS = "ABCDEFGHIJLMNOPQRSTUVWXYZ"


def open_type(kind: str, *known: Type) -> Named:
    """Return a place to be filled; ``known`` are the types that belong into it."""
    return Named((_OPEN, kind), known)


def settle(
    parameters: Sequence[Type], returns: Type | None
) -> tuple[tuple[Type, ...], Type | None]:
    """Return the types of a function with nothing left open."""
    filling = _HoleFiller(parameters, returns)
    settled = tuple([filling.fill(parameter) for parameter in parameters])
    return settled, None if returns is None else filling.fill_result(returns, settled)


def _parts(node: InternedNode) -> Iterator[InternedNode]:
    pending = [node]
    while pending:
        current = pending.pop()
        yield current
        pending.extend(reversed(list(children(current))))


def _kind(node: InternedNode) -> str:
    """Return the kind of an open place, empty for what is none."""
    return node.path[1] if isinstance(node, Named) and node.path[:1] == (_OPEN,) else ""


def _kinds(node: InternedNode) -> list[str]:
    return [kind for part in _parts(node) if (kind := _kind(part))]


def _element(type_: Type) -> Type | None:
    """Return what stands in a container; None for what is none."""
    match type_:
        case Array(element):
            return element
        case Named((name,), (*_, last)) if name not in ("Partial", "Readonly") and name != _OPEN:
            return last
        case _:
            return None


class _HoleFiller:
    """Knows what the parameters of one sentence have to offer."""

    def __init__(self, parameters: Sequence[Type], returns: Type | None) -> None:
        everything = [*parameters, *([] if returns is None else [returns])]
        self._used = {
            part.path[0]
            for type_ in everything
            for part in _parts(type_)
            if isinstance(part, Named) and len(part.path) == 1 and len(part.path[0]) == 1
        }
        self._record = any(
            part is OBJECT or (isinstance(part, Named) and part.path == ("Record",))
            for type_ in everything
            for part in _parts(type_)
        )
        self._elements: list[Type] = []
        self._parameters = list(parameters)
        self._kinds = [kind for type_ in parameters for kind in _kinds(type_)[:1]]
        self._all_kinds = {kind for type_ in everything for kind in _kinds(type_)}
        self._first = parameters[0] if parameters else None
        self._item: Type | None = None
        self._output: Type | None = None
        self._in_result = False
        self._place, self._next = -1, 0
        self._inside = self._told_apart()
        for index, parameter in enumerate(parameters):
            inner = _element(parameter)
            if inner is not None and _kind(inner) not in _FUNCTIONS:
                self._place = index
                self._elements.append(self.fill(inner))
        self._place = -1
        self._item = self._elements[0] if self._elements else self._item

    def _told_apart(self) -> dict[int, Type]:
        """Return what is in each container of which nothing is said.

        Two containers hold the same sort of thing, unless they are paired or combined.
        """
        bare = [i for i, type_ in enumerate(self._parameters) if "element" in _kinds(type_)]
        apart = len(bare) > 1 and self._all_kinds & _TELLING_APART
        if not apart:
            same = self._letter("T") if bare else WILDCARD
            return dict.fromkeys(bare, same)
        return {index: self._letter() for index in bare}

    def _letter(self, wanted: str = "") -> Named:
        """Return a variable with a letter that is free, ``wanted`` if it is."""
        free = wanted if wanted and wanted not in self._used else ""
        letter = free or next((one for one in _LETTERS if one not in self._used), "T")
        self._used.add(letter)
        return Named((letter,))

    @property
    def item(self) -> Type:
        """The type of one thing in the container that the sentence speaks of."""
        if self._item is None:
            self._item = self._letter("T")
        return self._item

    @property
    def output(self) -> Type:
        """What the function that is passed makes of a thing."""
        if self._output is None:
            if self._in_result and not any(kind in _MAPPERS for kind in self._kinds):
                return WILDCARD  # no argument could tell it
            self._output = self._letter("U" if len(self._elements) < 2 else "")
        return self._output

    def fill(self, type_: Type) -> Type:
        if type_ in self._parameters and self._place < 0 and "element" in _kinds(type_):
            self._place = self._parameters.index(type_, self._next)
            self._next = self._place + 1
            filled = cast(Type, self._filled(type_))
            self._place = -1
            return filled
        return cast(Type, self._filled(type_))

    def _filled(self, node: InternedNode) -> InternedNode:
        kind = _kind(node)
        if not kind:
            return restore(rebuild(node, lambda part, _: self._filled(part)))
        assert isinstance(node, Named)
        known = tuple([cast(Type, self._filled(part)) for part in node.arguments])
        match kind:
            case "element":
                return self._inside.get(self._place) or self.item
            case "value" | "part" | "it" | "result" | "flat element":
                return self.item
            case "accumulator":
                return self.output if "reducer" in self._kinds else self.item
            case "key noun":
                return Named(("K",)) if "key" in self._all_kinds and not self._record else STRING
            case "left":
                return Named(("E",))
            case "right":
                return Named(("A",))
            case "untold":
                return WILDCARD
            case "key":
                return STRING if self._record else Named(("K",))
            case "entry value":
                return Named(("V",))
            case "pair":
                return _tuple((Named(("A",)), Named(("B",))))
            case "triple":
                return _tuple((Named(("A",)), Named(("B",)), Named(("C",))))
            case _:
                return self._function(kind, known)

    def _function(self, kind: str, known: tuple[Type, ...]) -> Type:
        later = kind.startswith("async ")
        inputs, result = self._shape(kind.removeprefix("async "), known)
        if later:
            result = Named(("Promise",), (result,))
        return _function(inputs, result)

    def _shape(self, kind: str, known: tuple[Type, ...]) -> tuple[tuple[Type, ...], Type]:
        """Return arguments and result of a sort of function; ``known`` are the arguments told."""
        if kind.endswith(" arguments"):
            number = int(kind.split()[0])
            given = known[0] if known else None
            return self._many(number), given or self.output
        if kind == "giving":
            # What gives a default is given nothing; what gives a key is given each thing.
            each = any(isinstance(_bare_container(p), str) for p in self._parameters)
            each = each and not self._in_result
            return (self.item,) if each else (), known[0] if known else self.output
        one = known[0] if known else None
        match kind:
            case "predicate":
                return known or (self.item,), BOOLEAN
            case "comparator":
                item = one or self.item
                return (item, item), NUMBER
            case "callback":
                return known or ((self._item,) if self._item else ()), VOID
            case "key function":
                return known or (self.item,), STRING
            case "reducer":
                return (self.output, one or self.item), self.output
            case "node":
                error = Named(("Error",))
                return (error, one or self.item), VOID
            case "thunk":
                return (), one or self.item
            case "binary":
                return (known * 2)[:2] or self._many(2), self.output
            case "asserter":
                return known or (UNKNOWN,), VOID
            case _:
                inputs = known or (tuple(self._elements) or (self.item,))
                return inputs, self.output

    def _many(self, number: int) -> tuple[Type, ...]:
        if number and len(self._elements) == number:
            return tuple(self._elements)
        return tuple([self._letter() for _ in range(number)])

    # -- results -----------------------------------------------------------------------------------

    def fill_result(self, returns: Type, parameters: Sequence[Type]) -> Type:
        """Return the result's type, once the parameters are settled."""
        self._in_result = True
        functions = [p for p in parameters if isinstance(p, Object) and len(p.calls) == 1]
        kind = _kind(returns)
        if kind == "swapped" and functions:
            return _swapped(functions[0])
        if kind == "it" and parameters:
            return parameters[0]
        if returns is OBJECT and "key" in self._all_kinds:
            return Named(("Record",), (STRING, Named(("V",))))  # entries make an object
        if kind in ("function", "callback", "predicate", "comparator") and functions:
            return functions[0]
        if kind == "function":
            return _function_of_any(WILDCARD)
        if kind == "giving" and functions:
            [call] = functions[0].calls
            self._item = self._output = call.returns
            given = cast(Type, self._result(cast(Named, returns).arguments[0]))
            return Object(calls=(Signature(call.parameters, given),))
        if kind == "result" and functions:
            return functions[0].calls[0].returns
        halves = self._halves(returns)
        if halves is not None:
            return halves
        if kind == "pair" and len(self._elements) > 1:
            return _tuple(self._elements[:2])
        return cast(Type, self._result(returns))

    def _halves(self, returns: Type) -> Type | None:
        """Return the two arrays that an array of pairs is taken apart to, if that is asked."""
        each = Element(Array(open_type("element")))
        if returns == Tuple((each, each)) and isinstance(self._item, Tuple):
            return _tuple([Array(element.type) for element in self._item.elements])
        return None

    def _result(self, node: InternedNode, around: tuple[str, ...] = ()) -> InternedNode:
        """Fill ``node``; ``around`` are the names of the containers that it stands in."""
        kind = _kind(node)
        match kind:
            case "":
                name = node.path[0] if isinstance(node, Named) else "Array"
                inner = (*around, name) if isinstance(node, Named | Array) else around
                return restore(rebuild(node, lambda part, _: self._result(part, inner)))
            case "element":
                mapped = around[-1:] != ("Promise",) and any(k in _MAPPERS for k in self._kinds)
                return self.output if mapped else _out_of(self._told(), around)
            case "flat element":
                item = self._told()
                return item.element if isinstance(item, Array) else item
            case "entry value" if any(k in _MAPPERS for k in self._kinds):
                return self.output
            case "value" | "result":
                if "reducer" in self._kinds and self._output is not None:
                    return self._output
                return _out_of(self._told(), around)
            case "part":
                whole = self._first if self._first in _DIVISIBLE or self._elements else None
                return WILDCARD if whole is None else self._filled(whole)
            case "pair" if len(self._elements) > 1:
                return _tuple(self._elements[:2])
            case _:
                return self._filled(node)

    def _told(self) -> Type:
        """Return what one thing is, ``_`` where nothing tells it."""
        if self._item is None and len(self._parameters) > 1:
            alike = set(self._parameters)
            if len(alike) == 1 and not _kinds(self._parameters[0]):
                return self._parameters[0]  # "the bigger one" of two numbers
        return WILDCARD if self._item is None else self._item


def _bare_container(type_: Type) -> str | None:
    """Return the name of a container that holds many, None for what is none."""
    match type_:
        case Array():
            return "Array"
        case Named((name,), (_, *_)) if name in _MANY:
            return name
        case _:
            return None


def _out_of(item: Type, around: Sequence[str]) -> Type:
    """Return what is in ``item`` if a container of its sort is around: no promise of promises."""
    match item:
        case Named((name,), (inner,)) if name in around:
            return inner
        case _:
            return item


def _function(inputs: Sequence[Type], result: Type) -> Object:
    names = "xyzuvw" if len(inputs) < 2 else "abcdef"
    if inputs and inputs[0] == Named(("Error",)):
        return function(
            [Parameter("err" if not i else f"value{i}", t) for i, t in enumerate(inputs)], result
        )
    return function(
        [Parameter(names[i] if i < 6 else f"x{i}", t) for i, t in enumerate(inputs)], result
    )


def _function_of_any(result: Type) -> Object:
    return function([Parameter("", FURTHER, False, True)], result)


def _swapped(given: Object) -> Object:
    [call] = given.calls
    return Object(calls=(Signature(call.parameters[::-1], call.returns),))


def _tuple(types: Sequence[Type]) -> Tuple:
    return Tuple(tuple([Element(type_) for type_ in types]))


def is_promise(type_: Type) -> bool:
    return isinstance(type_, Named) and type_.path[0] in _WRAPPERS


def promise_of(type_: Type) -> Type:
    return Named(("Promise",), (type_,))
