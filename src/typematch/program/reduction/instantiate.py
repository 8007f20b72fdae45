"""Instantiation: substitutes types for the variables of a binder, and for free variables.

``instantiate(body, arguments)`` opens one binder. The arguments are closed, so no index is shifted.
Three kinds of type change their form when their variable becomes known, and are handled here
because the result no longer shows the variable: a conditional type distributes over a union, a
mapped type over ``keyof T`` becomes an array or tuple or distributes (``homomorphic``), and
``...T`` is spread (``variadic_tuples``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar, cast

from typematch.ir.constructors import constituents, intersection, union
from typematch.ir.intern import InternedNode, intern, rebuild
from typematch.ir.type_parts import Parameter, Property, Signature, TypeParameter
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
    Reference,
    Template,
    Tuple,
    Type,
    Union,
    Var,
)
from typematch.program.reduction.homomorphic import instantiate_mapped
from typematch.program.reduction.variadic_tuples import Normal, normalize_tuple

N = TypeVar("N", bound=InternedNode)


def instantiate(
    body: N,
    arguments: Sequence[Type],
    *,
    normal: Normal | None = None,
    parameters: Sequence[TypeParameter] = (),
    count: Callable[[int], None] | None = None,
) -> N:
    """Return ``body`` with the variables of its outermost open binder replaced by ``arguments``.

    Args:
        arguments: closed types, one for each variable of the binder.
        normal: reduces an argument to head normal form where its form matters (distribution);
            without it, only syntactic unions, arrays and tuples are recognized.
        parameters: the type parameters of the binder, if known.
        count: called with the number of nodes that were instantiated.
    """
    if body.loose_depth == 0:
        return body
    normalize = normal or _identity
    return Substitution(tuple(arguments), {}, normalize, tuple(parameters), count).apply_counted(
        body
    )


def instantiate_member(body: N, arguments: Sequence[Type], this: Type) -> N:
    """Return a member of a generic declaration for one receiver.

    Args:
        arguments: closed types for the variables of the declaration.
        this: replaces ``this``.
    """
    return Substitution(tuple(arguments), {THIS: this}, _identity).apply(body)


def _identity(t: Type) -> Type:
    return t


class Substitution:
    """One substitution, which can be applied to many nodes.

    Attributes:
        arguments: for the variables of the opened binder.
        replacements: for ``Free`` variables and ``this``.
        parameters: type parameters of the opened binder, if known.
        count: called with the number of nodes that were instantiated.
    """

    __slots__ = ("_memo", "arguments", "count", "normal", "parameters", "replacements")

    def __init__(
        self,
        arguments: tuple[Type, ...],
        replacements: Mapping[Type, Type],
        normal: Normal,
        parameters: tuple[TypeParameter, ...] = (),
        count: Callable[[int], None] | None = None,
    ) -> None:
        self.arguments = arguments
        self.parameters = parameters
        self.count = count
        self.replacements = replacements
        self.normal = normal
        self._memo: dict[tuple[InternedNode, int], InternedNode] = {}

    def apply(self, node: N, depth: int = 0) -> N:
        """Return ``node`` with the substitution applied; ``depth`` binders have been entered."""
        replacements = self.replacements
        if node.loose_depth <= depth and (not replacements or node.free.isdisjoint(replacements)):
            return node
        # Called millions of times: Any instead of casts, which are calls.
        whole: Any = node
        result: Any
        cls = node.__class__
        if cls is Var:
            result = self._variable(whole, depth)
            return result  # type: ignore[no-any-return]
        if cls is Free or cls is Intrinsic:
            result = replacements.get(whole, whole)
            return result  # type: ignore[no-any-return]
        key = (node, depth)
        result = self._memo.get(key)
        if result is None:
            handler = _HANDLERS.get(cls)
            if handler is None:
                result = rebuild(node, lambda part, crossed: self.apply(part, depth + crossed))
            else:
                result = handler(self, node, depth)
            self._memo[key] = result
        return result  # type: ignore[no-any-return]

    def apply_counted(self, node: N, depth: int = 0) -> N:
        """Apply the substitution to one node and count the nodes that this instantiates.

        Raises:
            LimitReached: by ``count``.
        """
        result = self.apply(node, depth)
        if self.count is not None:
            self.count(len(self._memo))
        return result

    def _variable(self, node: Var, depth: int) -> Type:
        if node.depth != depth or node.index >= len(self.arguments):
            return node
        return self.arguments[node.index]

    def apply_all(self, nodes: tuple[N, ...], depth: int) -> tuple[N, ...]:
        if self.replacements:
            return tuple([self.apply(node, depth) for node in nodes])
        return tuple([n if n.loose_depth <= depth else self.apply(n, depth) for n in nodes])

    def replacement(self, variable: Type, depth: int) -> Type | None:
        """Return the replacement of a naked variable, in head normal form.

        None if it is not replaced, or not a variable.
        """
        if variable.__class__ is Var:
            bound_variable = variable
            if bound_variable.depth != depth or bound_variable.index >= len(self.arguments):
                return None
            return self.normal(self.arguments[bound_variable.index])
        replacement = self.replacements.get(variable)
        return None if replacement is None else self.normal(replacement)

    def with_value(self, variable: Type, value: Type) -> Substitution:
        """Return this substitution with ``value`` for one variable."""
        if variable.__class__ is Var:
            index = variable.index
            arguments = (*self.arguments[:index], value, *self.arguments[index + 1 :])
            replacements = self.replacements
        else:
            arguments = self.arguments
            replacements = {**self.replacements, variable: value}
        return Substitution(arguments, replacements, self.normal, self.parameters, self.count)

    def distribute(self, node: Type, variable: Type, members: Sequence[Type], depth: int) -> Type:
        """Return the union of ``node`` with each of ``members`` for ``variable``.

        Raises:
            LimitReached: by ``count``, if nested unions multiply out to too many nodes.
        """
        return union(
            [self.with_value(variable, member).apply_counted(node, depth) for member in members]
        )

    def is_array_variable(self, variable: Type) -> bool:
        """Whether the constraint of a replaced variable is an array or tuple type."""
        if variable.__class__ is not Var or variable.index >= len(self.parameters):
            return False
        constraint = self.parameters[variable.index].constraint
        if constraint is None:
            return False
        constraint = constraint if constraint.loose_depth else self.normal(constraint)
        return all(member.__class__ in _ARRAY_CLASSES for member in constituents(constraint))


_ARRAY_CLASSES = frozenset((Array, Tuple))


def _reference(s: Substitution, node: Reference, depth: int) -> InternedNode:
    return intern(Reference, (node.target, s.apply_all(node.arguments, depth)))


def _union(s: Substitution, node: Union, depth: int) -> InternedNode:
    return union(s.apply_all(node.members, depth))


def _intersection(s: Substitution, node: Intersection, depth: int) -> InternedNode:
    return intersection(s.apply_all(node.members, depth))


def _array(s: Substitution, node: Array, depth: int) -> InternedNode:
    return intern(Array, (s.apply(node.element, depth), node.readonly))


def _object(s: Substitution, node: Object, depth: int) -> InternedNode:
    fields = (node.properties, node.calls, node.constructs, node.indexes)
    return intern(Object, tuple([s.apply_all(cast(Any, field), depth) for field in fields]))


def _property(s: Substitution, node: Property, depth: int) -> InternedNode:
    write = node.write if node.write is None else s.apply(node.write, depth)
    type_ = s.apply(node.type, depth)
    fields = (
        node.name,
        type_,
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
        s.apply_all(node.parameters, depth),
        s.apply(node.returns, depth),
        s.apply_all(node.type_parameters, depth),
        this,
        predicate,
        node.modifier,
    )
    return intern(Signature, fields)


def _access(s: Substitution, node: IndexedAccess, depth: int) -> InternedNode:
    return intern(IndexedAccess, (s.apply(node.object, depth), s.apply(node.index, depth)))


def _tuple(s: Substitution, node: Tuple, depth: int) -> InternedNode:
    return normalize_tuple(s.apply_all(node.elements, depth), node.readonly, s.normal)


def _template(s: Substitution, node: Template, depth: int) -> InternedNode:
    return intern(Template, (node.texts, s.apply_all(node.types, depth)))


def _conditional(s: Substitution, node: Conditional, depth: int) -> InternedNode:
    if node.distributive:
        check = s.replacement(node.check, depth)
        if check is not None:
            if check is NEVER:
                return NEVER
            members = constituents(check)
            if len(members) > 1:
                return s.distribute(node, node.check, members, depth)
    inner = depth + 1 if node.infer else depth
    fields = (
        s.apply(node.check, depth),
        s.apply(node.extends, inner),
        s.apply(node.yes, inner),
        s.apply(node.no, depth),
        s.apply_all(node.infer, inner),
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
    Mapped: instantiate_mapped,
}


def fill_missing_type_arguments(
    parameters: Sequence[TypeParameter], type_arguments: Sequence[Type], normal: Normal
) -> tuple[Type, ...]:
    """Return one type argument per parameter: those given, then defaults, then ``any``."""
    arguments = list(type_arguments[: len(parameters)])
    for parameter in parameters[len(arguments) :]:
        default = parameter.default
        if default is None:
            arguments.append(ANY)
            continue
        # A default mentions only variables before it.
        arguments.append(instantiate(default, tuple(arguments), normal=normal))
    return tuple(arguments)
