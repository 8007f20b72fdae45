"""Put types in the place of variables: open a binder, or replace variables taken out of one.

``instantiate(body, arguments)`` opens one binder.  The arguments are closed, so nothing is shifted.
Three forms change shape when their variable becomes known, and they do it here, because afterwards
nobody could tell that a variable stood there: a conditional type distributes over a union, a mapped
type over ``keyof T`` turns into an array or tuple or distributes, and ``...T`` is spread.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar, cast

from typematch.ir.build import intersection, restore, union
from typematch.ir.intern import Node, intern, rebuild
from typematch.ir.types import (
    ANY,
    BOOLEAN,
    FALSE,
    NEVER,
    NUMBER,
    THIS,
    TRUE,
    UNDEFINED,
    Array,
    Conditional,
    Element,
    Free,
    IndexedAccess,
    Intersection,
    Intrinsic,
    KeyOf,
    Literal,
    Mapped,
    Named,
    Object,
    Parameter,
    Property,
    Reference,
    Signature,
    Template,
    Tuple,
    Type,
    TypeOf,
    TypeParameter,
    Union,
    UniqueSymbol,
    Var,
)
from typematch.program.limits import DEFAULT_LIMITS, LimitReached

N = TypeVar("N", bound=Node)
Normal = Callable[[Type], Type]


def instantiate(
    body: N,
    arguments: Sequence[Type],
    *,
    normal: Normal | None = None,
    parameters: Sequence[TypeParameter] = (),
) -> N:
    """Return ``body`` with the variables of its outermost open binder replaced by ``arguments``.

    Args:
        arguments: closed types, one for each variable of the binder.
        normal: brings an argument into head normal form where its shape matters (for distribution);
            without it only what is written as a union, array or tuple is seen as one.
        parameters: those of the binder, where they are known.
    """
    if body.loose == 0:
        return body
    how = normal or _as_written
    return Substitution(tuple(arguments), {}, how, None, tuple(parameters)).apply(body)


def received(body: N, arguments: Sequence[Type], this: Type) -> N:
    """Return what ``body`` of a generic declaration says of the receiver ``this``.

    Args:
        arguments: closed types for the variables of the declaration.
        this: takes the place of ``this``.
    """
    memo: dict[Node, frozenset[Type]] = {}
    mentions = lambda part: THIS in variables_in(part, memo)  # noqa: E731
    return Substitution(tuple(arguments), {THIS: this}, _as_written, mentions).apply(body)


def _as_written(t: Type) -> Type:
    return t


class Substitution:
    """One replacement of variables, to be applied to one or many nodes.

    Attributes:
        arguments: for the variables of the binder that is opened.
        replaced: for ``Free`` variables and ``this``.
        mentions: whether a closed node holds any of ``replaced``; None if there are none.
        parameters: of the binder that is opened, where they are known.
    """

    __slots__ = ("_done", "arguments", "mentions", "normal", "parameters", "replaced")

    def __init__(
        self,
        arguments: tuple[Type, ...],
        replaced: Mapping[Type, Type],
        normal: Normal,
        mentions: Callable[[Node], bool] | None,
        parameters: tuple[TypeParameter, ...] = (),
    ) -> None:
        self.arguments = arguments
        self.parameters = parameters
        self.replaced = replaced
        self.normal = normal
        self.mentions = mentions
        self._done: dict[tuple[Node, int], Node] = {}

    def apply(self, node: N, depth: int = 0) -> N:
        """Return ``node`` with the replacement made; ``depth`` binders have been entered."""
        if node.loose <= depth and (self.mentions is None or not self.mentions(node)):
            return node
        cls = node.__class__
        if cls is Var:
            return cast(N, self._variable(cast(Var, node), depth))
        if cls is Free or cls is Intrinsic:
            return cast(N, self.replaced.get(cast(Type, node), cast(Type, node)))
        key = (node, depth)
        found = self._done.get(key)
        if found is None:
            handler = _HANDLERS.get(cls)
            if handler is None:
                found = rebuild(node, lambda part, crossed: self.apply(part, depth + crossed))
            else:
                found = handler(self, node, depth)
            self._done[key] = found
        return cast(N, found)

    def _variable(self, node: Var, depth: int) -> Type:
        if node.depth != depth or node.index >= len(self.arguments):
            return node
        return self.arguments[node.index]

    def all(self, nodes: tuple[N, ...], depth: int) -> tuple[N, ...]:
        return tuple([self.apply(node, depth) for node in nodes])

    def replacement(self, variable: Type, depth: int) -> Type | None:
        """Return what replaces a bare variable, in head normal form.

        None if it stays or is none.
        """
        if variable.__class__ is Var:
            bound = variable
            if bound.depth != depth or bound.index >= len(self.arguments):
                return None
            return self.normal(self.arguments[bound.index])
        found = self.replaced.get(variable)
        return None if found is None else self.normal(found)

    def binding(self, variable: Type, value: Type) -> Substitution:
        """Return the same replacement, but with ``value`` for one variable."""
        if variable.__class__ is Var:
            index = variable.index
            arguments = (*self.arguments[:index], value, *self.arguments[index + 1 :])
            return Substitution(
                arguments, self.replaced, self.normal, self.mentions, self.parameters
            )
        replaced = {**self.replaced, variable: value}
        return Substitution(self.arguments, replaced, self.normal, self.mentions, self.parameters)

    def is_list(self, variable: Type) -> bool:
        """Return whether a replaced variable stands for an array or tuple by its constraint."""
        if variable.__class__ is not Var or variable.index >= len(self.parameters):
            return False
        bound = self.parameters[variable.index].constraint
        if bound is None:
            return False
        bound = bound if bound.loose else self.normal(bound)
        return all(member.__class__ in _LISTS for member in constituents(bound))


def constituents(t: Type) -> tuple[Type, ...]:
    """Return the members of a union, ``true`` and ``false`` for ``boolean``.

    Else the type itself.
    """
    if t.__class__ is Union:
        members = t.members
        if BOOLEAN in members:
            return (*(m for m in members if m is not BOOLEAN), FALSE, TRUE)
        return members
    if t is BOOLEAN:
        return FALSE, TRUE
    if t is NEVER:
        return ()
    return (t,)


def _reference(s: Substitution, node: Reference, depth: int) -> Node:
    return intern(Reference, (node.target, s.all(node.arguments, depth)))


def _union(s: Substitution, node: Union, depth: int) -> Node:
    return union(s.all(node.members, depth))


def _intersection(s: Substitution, node: Intersection, depth: int) -> Node:
    return intersection(s.all(node.members, depth))


def _array(s: Substitution, node: Array, depth: int) -> Node:
    return intern(Array, (s.apply(node.element, depth), node.readonly))


def _object(s: Substitution, node: Object, depth: int) -> Node:
    fields = (node.properties, node.calls, node.constructs, node.indexes)
    return intern(Object, tuple([s.all(cast(Any, field), depth) for field in fields]))


def _property(s: Substitution, node: Property, depth: int) -> Node:
    write = node.write if node.write is None else s.apply(node.write, depth)
    kind = s.apply(node.type, depth)
    fields = (
        node.name,
        kind,
        node.optional,
        node.readonly,
        node.method,
        node.visibility,
        node.owner,
    )
    return intern(Property, (*fields, write, node.quoted))


def _parameter(s: Substitution, node: Parameter, depth: int) -> Node:
    return intern(Parameter, (node.name, s.apply(node.type, depth), node.optional, node.rest))


def _signature(s: Substitution, node: Signature, depth: int) -> Node:
    if node.type_parameters:
        depth += 1
    this = node.this if node.this is None else s.apply(node.this, depth)
    predicate = node.predicate if node.predicate is None else s.apply(node.predicate, depth)
    fields = (
        s.all(node.parameters, depth),
        s.apply(node.returns, depth),
        s.all(node.type_parameters, depth),
        this,
        predicate,
        node.modifier,
    )
    return intern(Signature, fields)


def _access(s: Substitution, node: IndexedAccess, depth: int) -> Node:
    return intern(IndexedAccess, (s.apply(node.object, depth), s.apply(node.index, depth)))


def _tuple(s: Substitution, node: Tuple, depth: int) -> Node:
    return spread(s.all(node.elements, depth), node.readonly, s.normal)


def _template(s: Substitution, node: Template, depth: int) -> Node:
    return intern(Template, (node.texts, s.all(node.types, depth)))


def _conditional(s: Substitution, node: Conditional, depth: int) -> Node:
    if node.distributive:
        given = s.replacement(node.check, depth)
        if given is not None:
            if given is NEVER:
                return NEVER
            members = constituents(given)
            if len(members) > 1:
                return union(
                    [s.binding(node.check, member).apply(node, depth) for member in members]
                )
    inner = depth + 1 if node.infer else depth
    fields = (
        s.apply(node.check, depth),
        s.apply(node.extends, inner),
        s.apply(node.yes, inner),
        s.apply(node.no, depth),
        s.all(node.infer, inner),
        node.distributive,
    )
    return intern(Conditional, fields)


def _mapped(s: Substitution, node: Mapped, depth: int) -> Node:
    if node.keys.__class__ is KeyOf:
        variable = node.keys.type
        given = s.replacement(variable, depth)
        if given is not None:
            mapped = _over(s, node, variable, given, depth)
            if mapped is not None:
                return mapped
    return _mapped_plain(s, node, depth)


def _mapped_plain(s: Substitution, node: Mapped, depth: int) -> Node:
    fields = (
        s.apply(node.keys, depth),
        s.apply(node.type, depth + 1),
        node.rename if node.rename is None else s.apply(node.rename, depth + 1),
        node.readonly,
        node.optional,
    )
    return intern(Mapped, fields)


_LISTS = frozenset((Array, Tuple))
_LEFT_ALONE = frozenset((Literal, Template, UniqueSymbol))


def _over(s: Substitution, node: Mapped, variable: Type, given: Type, depth: int) -> Type | None:
    """Map over what ``T`` of ``keyof T`` has become; None if it is mapped like any other object."""
    cls = given.__class__
    if cls is Union:
        members = constituents(given)
        return union(
            [s.binding(variable, member).apply(cast(Type, node), depth) for member in members]
        )
    if cls in _LEFT_ALONE:
        return given
    if given is ANY and node.rename is None and s.is_list(variable):
        element = mapped_element(s.binding(variable, ANY), node, NUMBER, True, depth)
        return Array(element, _readonly(node, False))
    if cls is Intrinsic:
        name = cast(Intrinsic, given).name
        return None if name in ("any", "unknown", "this") else given
    if node.rename is not None:
        return None
    if cls is Array:
        array = cast(Array, given)
        element = mapped_element(s.binding(variable, given), node, NUMBER, True, depth)
        return Array(element, _readonly(node, array.readonly))
    if cls is Tuple:
        return _over_tuple(s.binding(variable, given), node, cast(Tuple, given), depth)
    return None


def _readonly(node: Mapped, before: bool) -> bool:
    return {"+": True, "-": False}.get(node.readonly, before)


def mapped_element(s: Substitution, node: Mapped, key: Type, optional: bool, depth: int) -> Type:
    """Return the type that a mapped type gives to one key; ``depth`` binders are open around it."""
    opened = _open_innermost(s.apply(node.type, depth + 1), key, 0)
    if node.optional == "+":
        return union((opened, UNDEFINED))
    if optional and node.optional == "-":
        members = constituents(s.normal(opened))
        return union([m for m in members if m is not UNDEFINED])
    return opened


def _open_innermost(node: N, argument: Type, depth: int) -> N:
    """Replace variable 0 of the innermost binder, while binders further out stay closed."""
    if node.loose <= depth:
        return node
    if isinstance(node, Var):
        if node.depth == depth:
            return cast(N, argument)
        return cast(N, Var(node.depth - 1, node.index))
    change = lambda part, crossed: _open_innermost(part, argument, depth + crossed)  # noqa: E731
    return cast(N, restore(rebuild(node, change)))


def _over_tuple(s: Substitution, node: Mapped, given: Tuple, depth: int) -> Type:
    elements = []
    for position, element in enumerate(given.elements):
        if element.kind == "variadic":
            inner = s.binding(cast(KeyOf, node.keys).type, element.type)
            elements.append(Element(cast(Type, _mapped_plain(inner, node, depth)), "variadic"))
            continue
        optional = element.kind in ("optional", "rest")
        key: Type = NUMBER if element.kind == "rest" else Literal("string", str(position))
        kind = element.kind
        if kind == "optional" and node.optional == "-":
            kind = "required"
        elif kind == "required" and node.optional == "+":
            kind = "optional"
        elements.append(Element(mapped_element(s, node, key, optional, depth), kind, element.label))
    return Tuple(tuple(elements), _readonly(node, given.readonly))


def spread(elements: Sequence[Element], readonly: bool, normal: Normal) -> Type:
    """Return the tuple of ``elements`` with every ``...T`` whose array is known spread out.

    A spread union gives a union of tuples.  What follows a first rest element in the middle is
    joined with it as far as the last one, as the language has at most one; optional elements
    before a required one become required.  A variadic element that is still open stays.
    """
    flat: list[Element] = []
    for position, element in enumerate(elements):
        if element.kind != "variadic":
            flat.append(element)
            continue
        given = element.type if element.type.loose else normal(element.type)
        if given.__class__ is Union:
            _bound_product(elements[position:], normal)
            before, after = tuple(elements[:position]), tuple(elements[position + 1 :])
            return union(
                [
                    spread((*before, Element(member, "variadic"), *after), readonly, normal)
                    for member in given.members
                ]
            )
        if given is NEVER:
            return NEVER
        if given.__class__ is Array:
            flat.append(Element(given.element, "rest", element.label))
        elif given.__class__ is Tuple:
            flat.extend(given.elements)
            if len(flat) > DEFAULT_LIMITS.product:
                raise LimitReached("a tuple has too many elements")
        elif given.__class__ in _MAY_BE_ARRAYS or given.loose:
            flat.append(Element(given, "variadic", element.label))
        else:
            # No array at all, or one by another name: the compiler takes its elements for any.
            flat.append(Element(ANY, "rest", element.label))
    return Tuple(_one_rest(flat), readonly)


def _bound_product(elements: Sequence[Element], normal: Normal) -> None:
    """Raise LimitReached if spread unions would multiply out to too many tuples."""
    product = 1
    for element in elements:
        if element.kind == "variadic" and not element.type.loose:
            given = normal(element.type)
            product *= len(given.members) if isinstance(given, Union) else 1
    if product > DEFAULT_LIMITS.product:
        raise LimitReached("the unions spread in a tuple multiply out to too many tuples")


_MAY_BE_ARRAYS = frozenset((Free, Conditional, IndexedAccess, Mapped, Intersection, Named, TypeOf))


def _one_rest(elements: list[Element]) -> tuple[Element, ...]:
    """Join rest elements into one, and make what stands before a required element required."""
    open_ended = [i for i, e in enumerate(elements) if e.kind in ("rest", "variadic")]
    rests = [i for i in open_ended if elements[i].kind == "rest"]
    if rests and open_ended[-1] > rests[0]:
        first, last = rests[0], open_ended[-1]
        joined = union([_joined(e) for e in elements[first : last + 1]])
        elements = [*elements[:first], Element(joined, "rest"), *elements[last + 1 :]]
    required = max((i for i, e in enumerate(elements) if e.kind == "required"), default=-1)
    return tuple(
        Element(union((e.type, UNDEFINED)), "required", e.label)
        if e.kind == "optional" and i < required
        else e
        for i, e in enumerate(elements)
    )


def _joined(element: Element) -> Type:
    if element.kind == "variadic":
        return IndexedAccess(element.type, NUMBER)
    return element.type


_HANDLERS: dict[type, Callable[[Substitution, Any, int], Node]] = {
    Reference: _reference,
    Union: _union,
    Intersection: _intersection,
    Array: _array,
    Object: _object,
    Property: _property,
    Parameter: _parameter,
    Signature: _signature,
    IndexedAccess: _access,
    Tuple: _tuple,
    Template: _template,
    Conditional: _conditional,
    Mapped: _mapped,
}


def variables_in(node: Node, memo: dict[Node, frozenset[Type]]) -> frozenset[Type]:
    """Return the ``Free`` variables that ``node`` holds, and ``this`` if it does.

    ``memo`` is kept by the caller.
    """
    found = memo.get(node)
    if found is None:
        if node.__class__ is Free or node is THIS:
            found = frozenset((cast(Type, node),))
        else:
            found = _NO_VARIABLES
            for name in node.__match_args__:
                value = getattr(node, name)
                if isinstance(value, Node):
                    inner = variables_in(value, memo)
                    if inner:
                        found = found | inner
                elif value.__class__ is tuple:
                    for item in value:
                        if isinstance(item, Node):
                            inner = variables_in(item, memo)
                            if inner:
                                found = found | inner
        memo[node] = found
    return found


_NO_VARIABLES: frozenset[Type] = frozenset()


def parameter_defaults(
    parameters: Sequence[TypeParameter], given: Sequence[Type], normal: Normal
) -> tuple[Type, ...]:
    """Return one argument for each parameter: those given, then defaults, then ``any``."""
    arguments = list(given[: len(parameters)])
    for parameter in parameters[len(arguments) :]:
        default = parameter.default
        if default is None:
            arguments.append(ANY)
            continue
        # A default mentions only variables before it.
        arguments.append(instantiate(default, tuple(arguments), normal=normal))
    return tuple(arguments)
