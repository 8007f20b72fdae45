"""Call signatures of types written as names: ``const f: Fn``, ``typeof g``, ``Fn | undefined``.

A cheap subset of reduction, for indexing: it expands names up to a fixed number of steps.  Types
that have to be computed, conditional types and properties of mapped types, are reduced.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain
from typing import TypeAlias

from typematch.ir.constructors import (
    CALL_RESULT,
    PROMISES,
    own_property,
    promise_value_type,
    replace_bound_variables,
)
from typematch.ir.declaration import Declaration, Declarations, declared_member
from typematch.ir.type_parts import Signature
from typematch.ir.types import (
    ANY,
    NULL,
    THIS,
    UNDEFINED,
    UNKNOWN,
    Conditional,
    Free,
    IndexedAccess,
    Intersection,
    Literal,
    Named,
    Object,
    Reference,
    Type,
    TypeOf,
    Union,
    VariableKind,
)
from typematch.program.open_variables import close_variables, open_variables
from typematch.program.reduction.instantiate import fill_missing_type_arguments, instantiate
from typematch.program.resolution.module_summary import COMPUTED, SAME_MEMBERS
from typematch.program.union_signature import union_signature

Reduce: TypeAlias = Callable[[Type], Type | None]
_MAX_STEPS = 24
_MAX_PARTS = 200  # types that a property is looked up in
SAME_MEMBER_KEYS = frozenset(f"global#{name}" for (name,) in SAME_MEMBERS)
_RESULTS = frozenset(f"global#{name}" for (name,) in COMPUTED)
# Their methods that return functions are not call signatures of their own.
_WITHOUT_OWN_SIGNATURES = frozenset(("global#Function", "global#Object"))


class CallSignatures:
    """Looks call signatures up in a set of declarations.

    Types may be open: variables of the declaration around them stay as they are.

    Args:
        reduce: returns the head normal form of a closed type, None if it is not known; without it,
            computed types have no call signatures.
    """

    def __init__(self, declarations: Declarations, reduce: Reduce | None = None) -> None:
        self.declarations = declarations
        self._reduce = reduce
        self._expanding: set[Type] = set()
        # By type and remaining steps: a diamond of heritage visits each ancestor once per level.
        self._signatures_of: dict[tuple[Type, int], tuple[Signature, ...]] = {}
        self._arguments_of: dict[tuple[Type, str, int], tuple[Type, ...] | None] = {}

    def of_type(self, t: Type, container: str = "") -> tuple[Signature, ...]:
        """Return the call signatures of a type, overloads in order; empty if it is not callable.

        ``undefined`` and ``null`` in a union are ignored.  ``container`` is the key of the
        declaration that binds the variables of an open type, and that ``this`` refers to.
        """
        variables: dict[int, Free] = {}
        type_ = open_variables(t, variables) if t.loose_depth else t
        if t is THIS:
            type_ = self._this_type(container, variables)
        elif isinstance(t, IndexedAccess) and t.object is THIS:
            type_ = IndexedAccess(self._this_type(container, variables), t.index)
        elif isinstance(type_, Free):
            type_ = self._constraint(container, type_, variables)
        signatures = self._signatures(type_, _MAX_STEPS)
        if not variables:
            return signatures
        indices = {variable: index for index, variable in variables.items()}
        return tuple(close_variables(signature, indices) for signature in signatures)

    def _this_type(self, key: str, variables: dict[int, Free]) -> Type:
        """Return the type of ``this`` in ``key``: the declaration applied to its own variables."""
        declaration = self.declarations.get(key)
        if declaration is None:
            return THIS
        count = len(declaration.type_parameters)
        variables.update((index, Free(VariableKind.DECLARATION, index)) for index in range(count))
        return Reference(key, tuple(variables[index] for index in range(count)))

    def _constraint(self, key: str, variable: Free, variables: dict[int, Free]) -> Type:
        """Return the constraint of a type parameter of ``key``, or the variable without one."""
        declaration = self.declarations.get(key)
        index = variable.serial
        if declaration is None or index >= len(declaration.type_parameters):
            return variable
        constraint = declaration.type_parameters[index].constraint
        if constraint is None:
            return variable
        return open_variables(constraint, variables) if constraint.loose_depth else constraint

    def type_arguments_as(self, constant: str, key: str) -> tuple[Type, ...] | None:
        """Return the type arguments with which a constant's type is, or extends, ``key``.

        None if it does neither.
        """
        declaration = self.declarations.get(constant)
        if declaration is None or declaration.value is None:
            return None
        return self._type_arguments_as(declaration.value, key, _MAX_STEPS)

    def declared_type(self, constant: str) -> Type:
        """Return the declared type of a constant; ``this`` if it is unknown."""
        declaration = self.declarations.get(constant)
        return THIS if declaration is None or declaration.value is None else declaration.value

    def constructs_with(self, constant: str, name: str, type_: Type) -> bool:
        """Whether what a constant constructs has the property ``name`` of this type."""
        instances = self.constructed(self.declared_type(constant))
        return any(self._property_type(instance, name) is type_ for instance in instances)

    def _type_arguments_as(self, t: Type, key: str, steps: int) -> tuple[Type, ...] | None:
        if not steps:
            return None
        state = (t, key, steps)
        if state not in self._arguments_of:
            self._arguments_of[state] = self._find_type_arguments(t, key, steps)
        return self._arguments_of[state]

    def _find_type_arguments(self, t: Type, key: str, steps: int) -> tuple[Type, ...] | None:
        candidates: tuple[Type, ...] = ()
        match t:
            case Reference(target, arguments):
                declaration = self.declarations.get(target)
                if declaration is not None and target == key:
                    parameters = declaration.type_parameters
                    return tuple(fill_missing_type_arguments(parameters, arguments, _identity))
                if target in SAME_MEMBER_KEYS and len(arguments) == 1:
                    candidates = arguments
                elif declaration is not None and declaration.kind != "alias":
                    candidates = tuple(
                        _instantiate_body(declaration, base, arguments)
                        for base in declaration.extends
                    )
            case Intersection(members) | Union(members):
                candidates = members
            case _:
                pass
        if not candidates:
            expanded = self.expand_once(t)
            candidates = () if expanded is None else (expanded,)
        results = (self._type_arguments_as(candidate, key, steps - 1) for candidate in candidates)
        return next((arguments for arguments in results if arguments is not None), None)

    def is_promise(self, t: Type) -> bool:
        """Whether a type is a Promise or PromiseLike, after expanding aliases."""
        expanded = self._expand(open_variables(t, {}) if t.loose_depth else t, _MAX_STEPS)
        if isinstance(expanded, Union):
            return all(self.is_promise(member) for member in expanded.members)
        if isinstance(expanded, Named):
            # The library is not indexed.
            return expanded.module is None and f"global#{'.'.join(expanded.path)}" in PROMISES
        return isinstance(expanded, Reference) and expanded.target in PROMISES

    def signatures(self, t: Type) -> tuple[Signature, ...]:
        """Return the call signatures of a type."""
        return self._signatures(t, _MAX_STEPS)

    def expand(self, t: Type) -> Type:
        """Return a type with its outermost aliases, type queries and indexed accesses expanded."""
        return self._expand(t, _MAX_STEPS)

    def _expand(self, t: Type, steps: int) -> Type:
        """Return a type with its outermost aliases, type queries and indexed accesses expanded."""
        while steps:
            steps -= 1
            expanded = self.expand_once(t)
            if expanded is None:
                break
            t = expanded
        return t

    def expand_once(self, t: Type) -> Type | None:
        """Return a type with its outermost alias, type query or access expanded; None if none."""
        if t in self._expanding:
            return None  # it is circular
        self._expanding.add(t)
        try:
            return self._expansion(t)
        finally:
            self._expanding.discard(t)

    def _expansion(self, t: Type) -> Type | None:
        match t:
            case Reference(target, (callee, *_)) if target == CALL_RESULT:
                results = {_plain_result(call) for call in self._signatures(callee, _MAX_STEPS)}
                return results.pop() if len(results) == 1 else None
            case Reference(target, (argument,)) if target in _RESULTS:
                return self._result(target, argument)
            case Reference(target, arguments):
                declaration = self.declarations.get(target)
                if declaration is None or declaration.kind != "alias" or declaration.type is None:
                    return None
                return _instantiate_body(declaration, declaration.type, arguments)
            case TypeOf(Reference(target), path):
                return self._value_type(target, path)
            case IndexedAccess(object_type, Literal("string", name)):
                declared = self._property_type(object_type, name)
                return self.reduced(t) if declared is None else declared
            case IndexedAccess() | Conditional():
                return self.reduced(t)
            case _:
                return None

    def reduced(self, t: Type) -> Type | None:
        """Return what a closed type reduces to; None if that is not known, or the type itself."""
        if self._reduce is None or t.loose_depth:
            return None
        reduced = self._reduce(t)
        return None if reduced is t else reduced

    def _result(self, utility: str, t: Type) -> Type | None:
        """Return ``ReturnType<t>``, ``InstanceType<t>`` or ``Awaited<t>``, if it is known."""
        match utility:
            case "global#ReturnType":
                signatures = self._signatures(t, _MAX_STEPS)
                # The last overload counts, as in the checker's inference to a single signature.
                return _closed_result(signatures[-1]) if signatures else None
            case "global#InstanceType":
                return next(iter(self.constructed(t)), None)
            case _:
                value = promise_value_type(self._expand(t, _MAX_STEPS))
                return t if value is None else value

    def constructed(self, t: Type) -> tuple[Type, ...]:
        """Return the types of what the construct signatures of ``t`` return."""
        results: dict[Type, None] = {}
        visited: set[Type] = set()
        pending = [t]
        while pending and len(visited) < _MAX_PARTS:
            part = pending.pop()
            if part in visited:
                continue
            visited.add(part)
            match part:
                case Object(_, _, constructs):
                    results.update(dict.fromkeys(map(_closed_result, constructs)))
                case Intersection(members):
                    pending.extend(reversed(members))
                case TypeOf(Reference(key), ()) if self._is_class(key):
                    results[self._instance(key)] = None
                case Reference(key, arguments) if self._is_interface(key):
                    declaration = self.declarations.get(key)
                    if declaration is not None and declaration.type is not None:
                        pending.append(_instantiate_body(declaration, declaration.type, arguments))
                case _:
                    expanded = self.expand_once(part)
                    pending.extend(() if expanded is None else (expanded,))
        return tuple(results)

    def _is_class(self, key: str) -> bool:
        declaration = self.declarations.get(key)
        return declaration is not None and declaration.kind == "class"

    def _is_interface(self, key: str) -> bool:
        declaration = self.declarations.get(key)
        return declaration is not None and declaration.kind == "interface"

    def _instance(self, key: str) -> Type:
        """Return the type of the instances of a class, with ``any`` for its type parameters."""
        declaration = self.declarations.get(key)
        count = 0 if declaration is None else len(declaration.type_parameters)
        return Reference(key, (ANY,) * count)

    def _value_type(self, key: str, path: tuple[str, ...]) -> Type | None:
        declaration, rest = declared_member(self.declarations.get, key, path)
        if declaration is None:
            return None
        value = declaration.value
        if rest and rest[0] == "prototype" and declaration.kind == "class":
            value = Reference(declaration.key, (ANY,) * len(declaration.type_parameters))
            rest = rest[1:]
        for name in rest:
            value = None if value is None else self._property_type(value, name)
        return value

    def _property_type(self, t: Type, name: str) -> Type | None:
        """Return the type of a property, own ones before inherited ones; None if it is unknown."""
        visited: set[Type] = set()
        pending = [t]
        while pending and len(visited) < _MAX_PARTS:
            unexpanded = pending.pop()
            if isinstance(unexpanded, TypeOf) and isinstance(unexpanded.target, Reference):
                path = (*unexpanded.path, name)
                member, rest = declared_member(
                    self.declarations.get, unexpanded.target.target, path
                )
                if member is not None and not rest:
                    return member.value
            part = self._expand(unexpanded, _MAX_STEPS)
            if part in visited:
                continue
            visited.add(part)
            match part:
                case Intersection(members):
                    pending.extend(reversed(members))
                case Object():
                    property_ = own_property(part, name)
                    if property_ is not None:
                        return property_.type
                case Reference(target, arguments):
                    declaration = self.declarations.get(target)
                    if declaration is None or declaration.type is None:
                        continue
                    parts = (declaration.type, *declaration.extends)
                    pending.extend(
                        _instantiate_body(declaration, body, arguments) for body in reversed(parts)
                    )
                case _:
                    pass
        return None

    def _signatures(self, t: Type, steps: int) -> tuple[Signature, ...]:
        if not steps:
            return ()
        state = (t, steps)
        signatures = self._signatures_of.get(state)
        if signatures is None:
            signatures = self._signatures_of[state] = self._find_signatures(t, steps)
        return signatures

    def _find_signatures(self, t: Type, steps: int) -> tuple[Signature, ...]:
        match self._expand(t, steps):
            case Object() as object_type:
                return object_type.calls
            case Union(members):
                callable_members = [member for member in members if member not in (UNDEFINED, NULL)]
                return union_signature(
                    [self._signatures(member, steps - 1) for member in callable_members]
                )
            case Intersection(members):
                calls = (self._signatures(member, steps - 1) for member in members)
                return tuple(dict.fromkeys(chain.from_iterable(calls)))
            case Reference(target, arguments) if target not in _WITHOUT_OWN_SIGNATURES:
                return self._declared_signatures(target, arguments, steps)
            case _:
                return ()

    def _declared_signatures(
        self, target: str, arguments: tuple[Type, ...], steps: int
    ) -> tuple[Signature, ...]:
        declaration = self.declarations.get(target)
        if declaration is None or declaration.kind not in ("class", "interface"):
            return ()
        signatures: list[Signature] = []
        if isinstance(declaration.type, Object):
            declared = _instantiate_body(declaration, declaration.type, arguments)
            signatures.extend(declared.calls if isinstance(declared, Object) else ())
        for base in declaration.extends:
            if declaration.kind == "class" and not isinstance(base, Reference):
                continue  # a value: instances have what it constructs, not its own calls
            signatures.extend(
                self._signatures(_instantiate_body(declaration, base, arguments), steps - 1)
            )
        return tuple(dict.fromkeys(signatures))


def _plain_result(signature: Signature) -> Type | None:
    """Return the result of a signature; None if type parameters or ``this`` may decide it."""
    if signature.type_parameters or THIS in signature.returns.free:
        return None
    return signature.returns


def _closed_result(signature: Signature) -> Type:
    """Return the result of a signature, with ``unknown`` for its own type parameters."""
    if not signature.type_parameters:
        return signature.returns
    return replace_bound_variables(signature.returns, UNKNOWN)


def _instantiate_body(declaration: Declaration, body: Type, arguments: Sequence[Type]) -> Type:
    """Return ``body`` of a declaration with type arguments, missing ones filled in."""
    parameters = declaration.type_parameters
    if not parameters:
        return body
    return instantiate(body, fill_missing_type_arguments(parameters, arguments, _identity))


def _identity(t: Type) -> Type:
    return t
