"""Fills the holes in the types of noun phrases from the other types of the sentence.

"An array and a predicate" is ``T[]`` and ``(x: T) => boolean``: the function takes the elements of
the container.  Results are filled in the same way; what nothing determines is ``_``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast

from typematch.ir.constructors import function, renormalize
from typematch.ir.intern import InternedNode, children, rebuild
from typematch.ir.type_parts import Element, Parameter, Signature
from typematch.ir.types import (
    BOOLEAN,
    ELLIPSIS,
    NUMBER,
    OBJECT,
    STRING,
    UNKNOWN,
    VOID,
    WILDCARD,
    Array,
    Named,
    Object,
    Tuple,
    Type,
)
from typematch.query.english.lexicon import CONTAINERS
from typematch.query.english.type_builders import is_promise, promise_of, tuple_of

_HOLE = "?"  # not the start of a TypeScript name
_COLLECTIONS = frozenset(("Set", "Map", "Iterable", "AsyncIterable", "Observable", "Record"))
# Kinds of functions whose result is a type variable of its own.
_MAPPERS = frozenset(("function", "mapper", "binary", "taking", "2 arguments", "1 arguments"))
_FUNCTIONS = _MAPPERS | {"callback", "predicate", "comparator", "giving", "thunk", "node"}
# Holes that give each of several containers a type variable of its own.
_DISTINGUISHING = _MAPPERS | {"pair", "giving"}
_DIVISIBLE = (STRING, Named(("Buffer",)), Named(("Uint8Array",)))  # "part of" keeps the type
_LETTERS = "ABCDEFGHIJLMNOPQRSTUVWXYZ"


def hole(kind: str, *known: Type) -> Named:
    """Return a hole: a type to be filled from the context.

    Args:
        kind: a meaning of the lexicon, or one that ``noun_phrases`` makes.
        known: the types that the phrase itself determines, such as the parameters of a function.
    """
    return Named((_HOLE, kind), known)


def fill_holes(
    parameters: Sequence[Type], returns: Type | None
) -> tuple[tuple[Type, ...], Type | None]:
    """Return the parameters and the result of a function with all holes filled."""
    filler = _HoleFiller(parameters, returns)
    filled = tuple([filler.fill(parameter) for parameter in parameters])
    return filled, None if returns is None else filler.fill_result(returns, filled)


def _descendants(node: InternedNode) -> Iterator[InternedNode]:
    """Yield ``node`` and everything in it, in preorder."""
    pending = [node]
    while pending:
        current = pending.pop()
        yield current
        pending.extend(reversed(list(children(current))))


def _kind(node: InternedNode) -> str:
    """Return the kind of a hole; empty for other nodes."""
    return node.path[1] if isinstance(node, Named) and node.path[:1] == (_HOLE,) else ""


def _kinds(node: InternedNode) -> list[str]:
    return [kind for part in _descendants(node) if (kind := _kind(part))]


def _element(type_: Type) -> Type | None:
    """Return the element type of a container: its last type argument; None for other types.

    A declared generic type is a container if the sentence does not say what it contains.
    """
    match type_:
        case Array(element):
            return element
        case Named((name,), (*_, last)) if name not in (_HOLE, "Partial") and (
            name in CONTAINERS or _kind(last)
        ):
            return last
        case _:
            return None


class _HoleFiller:
    """Fills the holes of one function.

    Attributes:
        _used: the letters that are taken.
        _record: keys are strings, because the sentence mentions an object or a record.
        _elements: the filled element types of the parameters that are containers.
        _kinds, _all_kinds: the kinds of holes of the parameters, and with those of the result.
        _item: the type of one element; None until something determines it.
        _output: the result type of the function argument; None until it is used.
        _position, _next: the parameter that is being filled (-1: none), and the next one.
        _bare: by parameter, the element type of containers whose element is not described.
    """

    def __init__(self, parameters: Sequence[Type], returns: Type | None) -> None:
        everything = [*parameters, *([] if returns is None else [returns])]
        self._used = {
            part.path[0]
            for type_ in everything
            for part in _descendants(type_)
            if isinstance(part, Named) and len(part.path) == 1 and len(part.path[0]) == 1
        }
        self._record = any(
            part is OBJECT or (isinstance(part, Named) and part.path == ("Record",))
            for type_ in everything
            for part in _descendants(type_)
        )
        self._elements: list[Type] = []
        self._parameters = list(parameters)
        self._kinds = [kind for type_ in parameters for kind in _kinds(type_)[:1]]
        self._all_kinds = {kind for type_ in everything for kind in _kinds(type_)}
        self._first = parameters[0] if parameters else None
        self._item: Type | None = None
        self._output: Type | None = None
        self._in_result = False
        self._position, self._next = -1, 0
        self._bare = self._bare_elements()
        for index, parameter in enumerate(parameters):
            inner = _element(parameter)
            if inner is not None and _kind(inner).removeprefix("async ") not in _FUNCTIONS:
                self._position = index
                self._elements.append(self.fill(inner))
        self._position = -1
        self._item = self._elements[0] if self._elements else self._item

    def _bare_elements(self) -> dict[int, Type]:
        """Return the element type of each parameter whose element is not described.

        Two containers have the same element type, unless they are paired or combined.
        """
        bare = [index for index, type_ in enumerate(self._parameters) if "element" in _kinds(type_)]
        distinct = len(bare) > 1 and self._all_kinds & _DISTINGUISHING
        if not distinct:
            same = self._new_letter("T") if bare else WILDCARD
            return dict.fromkeys(bare, same)
        return {index: self._new_letter() for index in bare}

    def _new_letter(self, preferred: str = "") -> Named:
        """Return a type variable with an unused letter, ``preferred`` if possible."""
        free = preferred if preferred and preferred not in self._used else ""
        letter = free or next((letter for letter in _LETTERS if letter not in self._used), "T")
        self._used.add(letter)
        return Named((letter,))

    @property
    def item(self) -> Type:
        """The element type of the main container; a new variable if there is none."""
        if self._item is None:
            self._item = self._new_letter("T")
        return self._item

    @property
    def output(self) -> Type:
        """The result type of the function argument."""
        if self._output is None:
            if self._in_result and not any(kind in _MAPPERS for kind in self._kinds):
                return WILDCARD  # no argument determines it
            self._output = self._new_letter("U" if len(self._elements) < 2 else "")
        return self._output

    def fill(self, type_: Type) -> Type:
        if type_ in self._parameters and self._position < 0 and "element" in _kinds(type_):
            self._position = self._parameters.index(type_, self._next)
            self._next = self._position + 1
            filled = cast(Type, self._filled(type_))
            self._position = -1
            return filled
        return cast(Type, self._filled(type_))

    def _filled(self, node: InternedNode) -> InternedNode:
        kind = _kind(node)
        if not kind:
            return renormalize(rebuild(node, lambda part, _: self._filled(part)))
        assert isinstance(node, Named)
        known = tuple([cast(Type, self._filled(part)) for part in node.arguments])
        match kind:
            case "element":
                return self._bare.get(self._position) or self.item
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
            case "unknown":
                return WILDCARD
            case "key":
                return STRING if self._record else Named(("K",))
            case "entry value":
                return Named(("V",))
            case "pair":
                return tuple_of((Named(("A",)), Named(("B",))))
            case "triple":
                return tuple_of((Named(("A",)), Named(("B",)), Named(("C",))))
            case _:
                return self._function(kind, known)

    def _function(self, kind: str, known: tuple[Type, ...]) -> Type:
        is_async = kind.startswith("async ")
        inputs, result = self._function_shape(kind.removeprefix("async "), known)
        if is_async:
            result = promise_of(result)
        return _function(inputs, result)

    def _function_shape(self, kind: str, known: tuple[Type, ...]) -> tuple[tuple[Type, ...], Type]:
        """Return parameters and result of a kind of function; ``known`` are described types."""
        first = known[0] if known else None
        if kind.endswith(" arguments"):
            return self._new_inputs(int(kind.split()[0])), first or self.output
        match kind:
            case "giving":
                # A function that returns a default takes nothing; one that returns a key takes
                # the element.
                per_element = any(map(_is_collection, self._parameters))
                inputs = (self.item,) if per_element and not self._in_result else ()
                return inputs, first or self.output
            case "predicate":
                return known or (self.item,), BOOLEAN
            case "comparator":
                item = first or self.item
                return (item, item), NUMBER
            case "callback":
                return known or ((self._item,) if self._item else ()), VOID
            case "key function":
                return known or (self.item,), STRING
            case "reducer":
                return (self.output, first or self.item), self.output
            case "node":
                return (Named(("Error",)), first or self.item), VOID
            case "thunk":
                return (), first or self.item
            case "binary":
                return (known * 2)[:2] or self._new_inputs(2), self.output
            case "asserter":
                return known or (UNKNOWN,), VOID
            case _:
                return known or tuple(self._elements) or (self.item,), self.output

    def _new_inputs(self, count: int) -> tuple[Type, ...]:
        if count and len(self._elements) == count:
            return tuple(self._elements)
        return tuple([self._new_letter() for _ in range(count)])

    # -- results -----------------------------------------------------------------------------------

    def fill_result(self, returns: Type, parameters: Sequence[Type]) -> Type:
        """Return the filled result; ``parameters`` are filled."""
        self._in_result = True
        functions = [p for p in parameters if isinstance(p, Object) and len(p.calls) == 1]
        kind = _kind(returns)
        if kind == "it" and parameters:
            return parameters[0]
        if returns is OBJECT and "key" in self._all_kinds:
            return Named(("Record",), (STRING, Named(("V",))))  # entries make an object
        of_function = self._result_of_function(returns, functions[0]) if functions else None
        if of_function is not None:
            return of_function
        if kind == "function":
            return function([Parameter("", ELLIPSIS, False, True)], WILDCARD)
        unzipped = self._unzipped(returns)
        if unzipped is not None:
            return unzipped
        if kind == "pair" and len(self._elements) > 1:
            return tuple_of(self._elements[:2])
        return cast(Type, self._result(returns))

    def _result_of_function(self, returns: Type, argument: Object) -> Type | None:
        """Return a result that repeats or changes the function argument; None for others."""
        [call] = argument.calls
        match _kind(returns):
            case "swapped":
                return Object(calls=(Signature(call.parameters[::-1], call.returns),))
            case "function" | "callback" | "predicate" | "comparator":
                return argument
            case "giving":
                self._item = self._output = call.returns
                result = cast(Type, self._result(cast(Named, returns).arguments[0]))
                return Object(calls=(Signature(call.parameters, result),))
            case "result":
                return call.returns
            case _:
                return None

    def _unzipped(self, returns: Type) -> Type | None:
        """Return two arrays as the arrays of the halves, if the elements are pairs."""
        array = Element(Array(hole("element")))
        if returns == Tuple((array, array)) and isinstance(self._item, Tuple):
            return tuple_of([Array(element.type) for element in self._item.elements])
        return None

    def _result(self, node: InternedNode, containers: tuple[str, ...] = ()) -> InternedNode:
        """Fill ``node``; ``containers`` are the names of those around it, outermost first."""
        kind = _kind(node)
        match kind:
            case "":
                name = node.path[0] if isinstance(node, Named) else "Array"
                inner = (*containers, name) if isinstance(node, Named | Array) else containers
                return renormalize(rebuild(node, lambda part, _: self._result(part, inner)))
            case "element":
                mapped = any(kind in _MAPPERS for kind in self._kinds)
                if mapped and containers[-1:] != ("Promise",):
                    return self.output
                if containers == ("Promise",) and not (
                    self._kinds or any(map(is_promise, self._parameters))
                ):
                    return WILDCARD  # of one of the described types, or of anything
                return _unwrapped(self._known_item(), containers)
            case "flat element":
                item = self._known_item()
                return item.element if isinstance(item, Array) else item
            case "entry value" if any(kind in _MAPPERS for kind in self._kinds):
                return self.output
            case "value" | "result":
                if "reducer" in self._kinds and self._output is not None:
                    return self._output
                return _unwrapped(self._known_item(), containers)
            case "part":
                whole = self._first if self._first in _DIVISIBLE or self._elements else None
                return WILDCARD if whole is None else self._filled(whole)
            case "pair" if len(self._elements) > 1:
                return tuple_of(self._elements[:2])
            case _:
                return self._filled(node)

    def _known_item(self) -> Type:
        """Return the element type, ``_`` if nothing determines it."""
        if self._item is None and len(self._parameters) > 1:
            distinct = set(self._parameters)
            if len(distinct) == 1 and not _kinds(self._parameters[0]):
                return self._parameters[0]  # "the bigger one" of two numbers
        return WILDCARD if self._item is None else self._item


def _is_collection(type_: Type) -> bool:
    """Return whether a type is a container of several elements."""
    match type_:
        case Array():
            return True
        case Named((name,), (_, *_)):
            return name in _COLLECTIONS
        case _:
            return False


def _unwrapped(item: Type, containers: Sequence[str]) -> Type:
    """Return the content of ``item`` if a container of its name is around: no nested promises."""
    match item:
        case Named((name,), (inner,)) if name in containers:
            return inner
        case _:
            return item


def _function(inputs: Sequence[Type], result: Type) -> Object:
    if inputs and inputs[0] == Named(("Error",)):  # Node style
        names = ["err", *[f"value{index}" for index in range(1, len(inputs))]]
    else:
        letters = "xyzuvw" if len(inputs) < 2 else "abcdef"
        names = [letters[i] if i < 6 else f"x{i}" for i in range(len(inputs))]
    parameters = [Parameter(name, type_) for name, type_ in zip(names, inputs, strict=True)]
    return function(parameters, result)
