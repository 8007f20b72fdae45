"""Types of the arguments of a call, by the parameters that they are given for.

A literal keeps its literal type or is widened, and an array literal is a tuple or an array, by its
contextual type (the checker's checkExpressionWithContextualType).  None stands for what this module
cannot decide.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from typematch.ir.constructors import (
    LITERAL_PRIMITIVES,
    constituents,
    is_call_result,
    object_type,
    union,
    widened,
)
from typematch.ir.type_parts import Element, Property
from typematch.ir.types import (
    ANY,
    BOOLEAN,
    NULL,
    OBJECT,
    UNDEFINED,
    UNKNOWN,
    Array,
    Conditional,
    Free,
    IndexedAccess,
    Intersection,
    KeyOf,
    Literal,
    Mapped,
    Object,
    Reference,
    Template,
    Tuple,
    Type,
    TypeOf,
    Union,
    UniqueSymbol,
)
from typematch.program.reduction.unions import is_enum_member, primitive_of

if TYPE_CHECKING:
    from typematch.match.assignability.relation import Relation

_MAX_CONSTRAINTS = 8  # constraints that lead from one type parameter to the next
_MAX_CONTEXTS = 4  # members of a union that an array literal takes its types from
_NARROWED = frozenset((BOOLEAN, UNKNOWN, OBJECT))
_DEFERRED = (Conditional, IndexedAccess, Intersection, Mapped)


def is_known_argument(rel: Relation, t: Type) -> bool:
    """Whether each part of an argument is known, and does not depend on code around the call."""
    if isinstance(t, Literal):
        return True
    if isinstance(t, Tuple):
        return all(is_known_argument(rel, element.type) for element in t.elements)
    if isinstance(t, Object) and not (t.calls or t.constructs or t.indexes):
        return all(is_known_argument(rel, property_.type) for property_ in t.properties)
    reduced = rel.reducer.normal(_used_as(t, "constant"))
    if reduced is ANY:
        return False
    if isinstance(t, TypeOf) and (isinstance(reduced, Union) or reduced in _NARROWED):
        return False  # a condition before the call may narrow it
    if is_call_result(t):
        return True
    return not (lacks_type_arguments(rel, t) or _is_generic_function(rel, reduced))


def _used_as(t: Type, use: str) -> Type:
    """Return a call with another use of its result; any other type as it is."""
    if isinstance(t, Reference) and is_call_result(t):
        return Reference(t.target, (*t.arguments[:2], Literal("string", use)))
    return t


def lacks_type_arguments(rel: Relation, t: Type) -> bool:
    """Whether ``t`` is ``X`` of ``new X()``, whose type arguments the compiler infers."""
    if not isinstance(t, Reference) or t.arguments:
        return False
    declaration = rel.reducer.declaration(t.target)
    return declaration is not None and bool(declaration.type_parameters)


def _is_generic_function(rel: Relation, t: Type) -> bool:
    """Whether ``t`` is a generic function, which the compiler instantiates by the parameter."""
    members = rel.reducer.members_of(t)
    return any(signature.type_parameters for signature in (*members.calls, *members.constructs))


def may_be_fresh(rel: Relation, t: Type) -> bool:
    """Whether a type has literals that may be widened."""
    reduced = rel.reducer.normal(t)
    return reduced is not BOOLEAN and any(
        isinstance(part, Literal | UniqueSymbol) or is_enum_member(rel.reducer, part)
        for part in constituents(reduced)
    )


class ArgumentTypes:
    """Types of arguments in the context of one signature.

    Args:
        constant: its ``const`` type parameters.

    Attributes:
        changed: whether the context decided the type of a literal so far.
    """

    __slots__ = ("changed", "constant", "rel")

    def __init__(self, rel: Relation, constant: frozenset[Type]) -> None:
        self.rel = rel
        self.constant = constant
        self.changed = False

    def of_argument(self, argument: Type, context: Type | None) -> Type | None:
        """Return the type of an argument; a literal keeps its type, which inference may widen."""
        if isinstance(argument, Literal) and not self._is_constant(context):
            return argument
        return self._in_context(argument, context)

    def _in_context(self, argument: Type, context: Type | None) -> Type | None:
        if self._is_constant(context):
            return self._constant(argument, context)
        match argument:
            case Literal():
                return self._literal(argument, context)
            case Tuple(elements):
                return self._array([element.type for element in elements], context)
            case Object(properties, (), (), ()):
                return self._object(properties, context)
            case _ if is_call_result(argument):
                result = self._normal(_used_as(argument, self._use(context)))
                return None if result is ANY or may_be_fresh(self.rel, result) else result
            case _ if may_be_fresh(self.rel, argument):
                # A constant: whether its literal type is widened depends on its declaration.
                reduced = self.rel.reducer.normal(argument)
                keeps = isinstance(reduced, Literal) and self._keeps_literal(reduced, context)
                return argument if keeps else None
            case _:
                return argument

    def _literal(self, literal: Literal, context: Type | None) -> Type | None:
        keeps = self._keeps_literal(literal, context)
        if keeps is None:
            return None
        self.changed = self.changed or not keeps
        return literal if keeps else widened(literal)

    def _keeps_literal(self, literal: Literal, context: Type | None) -> bool | None:
        """Whether a literal keeps its type (isLiteralOfContextualType); None if it is unknown."""
        if context is None:
            return False
        results = [self._part_keeps(literal, p) for p in constituents(self._normal(context))]
        return True if True in results else None if None in results else False

    def _part_keeps(self, literal: Literal, part: Type) -> bool | None:
        if isinstance(part, Free):
            expected = self._resolved(part)
            if expected is None:
                return False
            kept = LITERAL_PRIMITIVES[literal.kind]
            if any(primitive_of(self.rel.reducer, p) is kept for p in constituents(expected)):
                return True
            return self._keeps_literal(literal, expected)
        if isinstance(part, _DEFERRED) or (isinstance(part, Reference) and part.free):
            return None
        if isinstance(part, Template | KeyOf):
            return literal.kind == "string"
        if part is BOOLEAN:
            return literal.kind == "boolean"
        return isinstance(part, Literal) and part.kind == literal.kind

    def _object(self, properties: Sequence[Property], context: Type | None) -> Type | None:
        expected = self._resolved(context)
        ambiguous = expected is not None and len(_objects(expected)) > 1
        typed = []
        for property_ in properties:
            is_literal = isinstance(property_.type, Literal | Tuple | Object) or is_call_result(
                property_.type
            )
            if ambiguous and is_literal:
                return None  # other properties decide which member of the union is the context
            inner = self._property_context(property_.name, expected) if is_literal else None
            type_ = self._in_context(property_.type, inner)
            if type_ is None:
                return None
            typed.append(Property(property_.name, type_))
        return object_type(typed)

    def _property_context(self, name: str, expected: Type | None) -> Type | None:
        if expected is None:
            return None
        access = IndexedAccess(expected, Literal("string", name))
        reduced = self._normal(access)
        return None if reduced is ANY or reduced is access else reduced

    def _array(self, elements: Sequence[Type], context: Type | None) -> Type | None:
        """Return the type of an array literal: a tuple where the parameter is one."""
        parts = self._array_contexts(context)
        if parts is None:
            return None
        typed: list[Type] = []
        for position, element in enumerate(elements):
            type_ = self._in_context(element, _element_context(parts, position))
            if type_ is None:
                return None
            typed.append(type_)
        if any(isinstance(part, Tuple) for part in parts):
            return Tuple(tuple(map(Element, typed)))
        self.changed = True
        return None if self._is_normalized(typed) else Array(union(typed))

    def _array_contexts(self, context: Type | None) -> Sequence[Type] | None:
        """Return the contextual types of an array literal; None if they are not decided."""
        expected = self._resolved(context)
        parts = () if expected is None else constituents(expected)
        known = len(parts) <= _MAX_CONTEXTS and not any(isinstance(p, _DEFERRED) for p in parts)
        elements = [e for part in parts if isinstance(part, Tuple) for e in part.elements]
        return parts if known and all(e.kind != "variadic" for e in elements) else None

    def _is_normalized(self, types: Sequence[Type]) -> bool:
        """Whether a union of object types gets optional properties (getWidenedTypeWithContext)."""
        reduced = [self._normal(t) for t in types]
        names = {
            frozenset([property_.name for property_ in t.properties])
            for t in reduced
            if isinstance(t, Object)
        }
        return len(names) > 1

    def _constant(self, argument: Type, context: Type | None) -> Type | None:
        """Return the type of an argument for a ``const`` type parameter (isConstContext)."""
        match argument:
            case Tuple(elements):
                parts = self._array_contexts(context)
                if parts is None or any(_may_be_mutable_array(part) for part in parts):
                    return None
                types = [
                    self._constant(element.type, _element_context(parts, position))
                    for position, element in enumerate(elements)
                ]
                frozen = [Element(t) for t in types if t is not None]
                return Tuple(tuple(frozen), True) if len(frozen) == len(types) else None
            case Object(properties, (), (), ()):
                expected = self._resolved(context)
                ambiguous = expected is not None and len(_objects(expected)) > 1
                typed = []
                for p in properties:
                    if ambiguous and isinstance(p.type, Tuple | Object):
                        return None
                    type_ = self._constant(p.type, self._property_context(p.name, expected))
                    if type_ is None:
                        return None
                    typed.append(Property(p.name, type_, False, True))
                return object_type(typed)
            case _ if is_call_result(argument):
                return self._normal(argument)
            case _:
                return argument

    def _use(self, context: Type | None) -> str:
        """Return the use of a call's result for a parameter, see ``call_result_type``."""
        expected = self._resolved(context)
        if expected in (None, UNKNOWN) and not self._is_constant(context):
            return "constant"
        return "widened" if self._keeps_nothing(context) else "argument"

    def _keeps_nothing(self, context: Type | None, depth: int = 3) -> bool:
        """Whether a type has no place for a literal type or a tuple: ``{ value: unknown }``."""
        if context is None:
            return True
        match self._normal(context):
            case Free() as variable if variable not in self.constant:
                constraint = self.rel.reducer.constraint(variable)
                return depth > 0 and self._keeps_nothing(constraint, depth - 1)
            case Object(properties, (), (), ()):
                return depth > 0 and all(
                    self._keeps_nothing(property_.type, depth - 1) for property_ in properties
                )
            case reduced:
                return reduced in (ANY, UNKNOWN)

    def _is_constant(self, context: Type | None) -> bool:
        """Whether a literal is in a const context (isConstTypeVariable)."""
        if context is None or not self.constant:
            return False
        return any(part in self.constant for part in constituents(context))

    def _resolved(self, context: Type | None) -> Type | None:
        """Return a contextual type, constraints in place of type parameters, without null."""
        if context is None:
            return None
        resolved = []
        for part in constituents(self._normal(context)):
            for _ in range(_MAX_CONSTRAINTS):
                if not isinstance(part, Free):
                    break
                constraint = self.rel.reducer.constraint(part)
                part = UNKNOWN if constraint is None else self._normal(constraint)
            resolved.append(part)
        return union([part for part in resolved if part not in (UNDEFINED, NULL)])

    def _normal(self, t: Type) -> Type:
        return self.rel.reducer.normal(t)


def _objects(t: Type) -> list[Type]:
    return [part for part in constituents(t) if isinstance(part, Object | Reference | Mapped)]


def _may_be_mutable_array(t: Type) -> bool:
    if isinstance(t, Array | Tuple):
        return not t.readonly
    return isinstance(t, (Free, *_DEFERRED))


def _element_context(parts: Sequence[Type], position: int) -> Type | None:
    """Return the type that arrays and tuples have at a position."""
    contexts = []
    for part in parts:
        if isinstance(part, Array):
            contexts.append(part.element)
        elif isinstance(part, Tuple) and part.elements:
            element = part.elements[min(position, len(part.elements) - 1)]
            if position < len(part.elements) or element.kind == "rest":
                contexts.append(element.type)
    return union(contexts) if contexts else None
