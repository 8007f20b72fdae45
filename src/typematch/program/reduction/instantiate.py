"""Put types in the place of variables: open a binder, or replace variables taken out of one.

``instantiate(body, arguments)`` opens one binder.  The arguments are closed, so nothing is shifted.
Three forms change shape when their variable becomes known, and they do it here, because afterwards
nobody could tell that a variable stood there: a conditional type distributes over a union, a mapped
type over ``keyof T`` turns into an array or tuple or distributes (``homomorphic``), and ``...T`` is
spread (``spread``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar, cast

from typematch.ir.constructors import constituents, intersection, union
from typematch.ir.intern import InternedNode, intern, rebuild
from typematch.ir.types import (
    ANY,
    NEVER,
    THIS,
    Array,
    Conditional,
    Free,
    IndexedAccess,
    Intersection,
    Intrinsic,
    Mapped,
    Object,
    Parameter,
    Property,
    Reference,
    Signature,
    Template,
    Tuple,
    Type,
    TypeParameter,
    Union,
    Var,
)
from typematch.program.reduction.homomorphic import mapped_with
from typematch.program.reduction.variadic_tuples import Normal, spread

N = TypeVar("N", bound=InternedNode)


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
    return Substitution(tuple(arguments), {}, how, tuple(parameters)).apply(body)


def received(body: N, arguments: Sequence[Type], this: Type) -> N:
    """Return what ``body`` of a generic declaration says of the receiver ``this``.

    Args:
        arguments: closed types for the variables of the declaration.
        this: takes the place of ``this``.
    """
    return Substitution(tuple(arguments), {THIS: this}, _as_written).apply(body)


def _as_written(t: Type) -> Type:
    return t


class Substitution:
    """One replacement of variables, to be applied to one or many nodes.

    Attributes:
        arguments: for the variables of the binder that is opened.
        replaced: for ``Free`` variables and ``this``.
        parameters: of the binder that is opened, where they are known.
    """

    __slots__ = ("_done", "arguments", "normal", "parameters", "replaced")

    def __init__(
        self,
        arguments: tuple[Type, ...],
        replaced: Mapping[Type, Type],
        normal: Normal,
        parameters: tuple[TypeParameter, ...] = (),
    ) -> None:
        self.arguments = arguments
        self.parameters = parameters
        self.replaced = replaced
        self.normal = normal
        self._done: dict[tuple[InternedNode, int], InternedNode] = {}

    def apply(self, node: N, depth: int = 0) -> N:
        """Return ``node`` with the replacement made; ``depth`` binders have been entered."""
        if node.loose <= depth and node.free.isdisjoint(self.replaced):
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
            return Substitution(arguments, self.replaced, self.normal, self.parameters)
        replaced = {**self.replaced, variable: value}
        return Substitution(self.arguments, replaced, self.normal, self.parameters)

    def is_list(self, variable: Type) -> bool:
        """Return whether a replaced variable stands for an array or tuple by its constraint."""
        if variable.__class__ is not Var or variable.index >= len(self.parameters):
            return False
        bound = self.parameters[variable.index].constraint
        if bound is None:
            return False
        bound = bound if bound.loose else self.normal(bound)
        return all(member.__class__ in _LISTS for member in constituents(bound))


_LISTS = frozenset((Array, Tuple))


def _reference(s: Substitution, node: Reference, depth: int) -> InternedNode:
    return intern(Reference, (node.target, s.all(node.arguments, depth)))


def _union(s: Substitution, node: Union, depth: int) -> InternedNode:
    return union(s.all(node.members, depth))


def _intersection(s: Substitution, node: Intersection, depth: int) -> InternedNode:
    return intersection(s.all(node.members, depth))


def _array(s: Substitution, node: Array, depth: int) -> InternedNode:
    return intern(Array, (s.apply(node.element, depth), node.readonly))


def _object(s: Substitution, node: Object, depth: int) -> InternedNode:
    fields = (node.properties, node.calls, node.constructs, node.indexes)
    return intern(Object, tuple([s.all(cast(Any, field), depth) for field in fields]))


def _property(s: Substitution, node: Property, depth: int) -> InternedNode:
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


def _parameter(s: Substitution, node: Parameter, depth: int) -> InternedNode:
    return intern(Parameter, (node.name, s.apply(node.type, depth), node.optional, node.rest))


def _signature(s: Substitution, node: Signature, depth: int) -> InternedNode:
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


def _access(s: Substitution, node: IndexedAccess, depth: int) -> InternedNode:
    return intern(IndexedAccess, (s.apply(node.object, depth), s.apply(node.index, depth)))


def _tuple(s: Substitution, node: Tuple, depth: int) -> InternedNode:
    return spread(s.all(node.elements, depth), node.readonly, s.normal)


def _template(s: Substitution, node: Template, depth: int) -> InternedNode:
    return intern(Template, (node.texts, s.all(node.types, depth)))


def _conditional(s: Substitution, node: Conditional, depth: int) -> InternedNode:
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


_HANDLERS: dict[type, Callable[[Substitution, Any, int], InternedNode]] = {
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
    Mapped: mapped_with,
}


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
