"""Expansion of declared types: ``Fn`` of ``type Fn = ...``, ``typeof g``, ``ReturnType<typeof f>``.

A cheap subset of reduction, for indexing: it expands names up to a fixed number of steps.  Types
that have to be computed, conditional types and properties of mapped types, are reduced.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
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
    THIS,
    UNKNOWN,
    Conditional,
    IndexedAccess,
    Intersection,
    Literal,
    Named,
    Object,
    Reference,
    Type,
    TypeOf,
    Union,
)
from typematch.program.open_variables import open_variables
from typematch.program.reduction.instantiate import fill_missing_type_arguments, instantiate
from typematch.program.resolution.module_summary import COMPUTED, SAME_MEMBERS

Reduce: TypeAlias = Callable[[Type], Type | None]
FindSignatures: TypeAlias = "Callable[[Type, int, DeclaredTypes], tuple[Signature, ...]]"
_MAX_STEPS = 24
_MAX_PARTS = 200  # types that a property is looked up in
SAME_MEMBER_KEYS = frozenset(f"global#{name}" for (name,) in SAME_MEMBERS)
_RESULTS = frozenset(f"global#{name}" for (name,) in COMPUTED)


class DeclaredTypes:
    """Expands types over a set of declarations, and looks up what they construct and return.

    Types may be open: variables of the declaration around them stay as they are.

    Args:
        find_signatures: ``call_signatures.find_signatures``, which ``ReturnType`` and results of
            calls need.  It takes this object as an argument; a bound method would be a reference
            cycle, which keeps the caches until the collector runs.
        reduce: returns the head normal form of a closed type, None if it is not known; without it,
            computed types are not expanded.
    """

    def __init__(
        self,
        declarations: Declarations,
        find_signatures: FindSignatures,
        reduce: Reduce | None = None,
    ) -> None:
        self.declarations = declarations
        self._find_signatures = find_signatures
        self._reduce = reduce
        self._expanding: set[Type] = set()
        # By type and remaining steps: a diamond of heritage visits each ancestor once per level.
        self._signatures_of: dict[tuple[Type, int], tuple[Signature, ...]] = {}
        self._arguments_of: dict[tuple[Type, str, int], tuple[Type, ...] | None] = {}

    def declared_type(self, constant: str) -> Type:
        """Return the declared type of a constant; ``this`` if it is unknown."""
        declaration = self.declarations.get(constant)
        return THIS if declaration is None or declaration.value is None else declaration.value

    def expand(self, t: Type, steps: int = _MAX_STEPS) -> Type:
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
                results = {_plain_result(call) for call in self.signatures(callee)}
                return results.pop() if len(results) == 1 else None
            case Reference(target, (argument,)) if target in _RESULTS:
                return self._result(target, argument)
            case Reference(target, arguments):
                declaration = self.declarations.get(target)
                if declaration is None or declaration.kind != "alias" or declaration.type is None:
                    return None
                return instantiate_body(declaration, declaration.type, arguments)
            case TypeOf(Reference(target), path):
                return self._value_type(target, path)
            case IndexedAccess(object_type, Literal("string", name)):
                declared = self._property_type(object_type, name)
                return self.reduced(t) if declared is None else declared
            case IndexedAccess() | Conditional():
                return self.reduced(t)
            case _:
                return None

    def _result(self, utility: str, t: Type) -> Type | None:
        """Return ``ReturnType<t>``, ``InstanceType<t>`` or ``Awaited<t>``, if it is known."""
        match utility:
            case "global#ReturnType":
                signatures = self.signatures(t)
                # The last overload counts, as in the checker's inference to a single signature.
                return _closed_result(signatures[-1]) if signatures else None
            case "global#InstanceType":
                return next(iter(self.constructed(t)), None)
            case _:
                value = promise_value_type(self.expand(t))
                return t if value is None else value

    def reduced(self, t: Type) -> Type | None:
        """Return what a closed type reduces to; None if that is not known, or the type itself."""
        if self._reduce is None or t.loose_depth:
            return None
        reduced = self._reduce(t)
        return None if reduced is t else reduced

    def signatures(self, t: Type, steps: int = _MAX_STEPS) -> tuple[Signature, ...]:
        """Return the call signatures of a type, overloads in order; empty if it is not callable.

        Args:
            steps: how many expansions and base types may lead to a signature.
        """
        if not steps:
            return ()
        state = (t, steps)
        signatures = self._signatures_of.get(state)
        if signatures is None:
            signatures = self._signatures_of[state] = self._find_signatures(t, steps, self)
        return signatures

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
            part = self.expand(unexpanded)
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
                        instantiate_body(declaration, body, arguments) for body in reversed(parts)
                    )
                case _:
                    pass
        return None

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
                        pending.append(instantiate_body(declaration, declaration.type, arguments))
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

    def constructs_with(self, constant: str, name: str, type_: Type) -> bool:
        """Whether what a constant constructs has the property ``name`` of this type."""
        instances = self.constructed(self.declared_type(constant))
        return any(self._property_type(instance, name) is type_ for instance in instances)

    def type_arguments_as(self, constant: str, key: str) -> tuple[Type, ...] | None:
        """Return the type arguments with which a constant's type is, or extends, ``key``.

        None if it does neither.
        """
        declaration = self.declarations.get(constant)
        if declaration is None or declaration.value is None:
            return None
        return self._type_arguments_as(declaration.value, key, _MAX_STEPS)

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
                        instantiate_body(declaration, base, arguments)
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
        expanded = self.expand(open_variables(t, {}) if t.loose_depth else t)
        if isinstance(expanded, Union):
            return all(self.is_promise(member) for member in expanded.members)
        if isinstance(expanded, Named):
            # The library is not indexed.
            return expanded.module is None and f"global#{'.'.join(expanded.path)}" in PROMISES
        return isinstance(expanded, Reference) and expanded.target in PROMISES


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


def instantiate_body(declaration: Declaration, body: Type, arguments: Sequence[Type]) -> Type:
    """Return ``body`` of a declaration with type arguments, missing ones filled in."""
    parameters = declaration.type_parameters
    if not parameters:
        return body
    return instantiate(body, fill_missing_type_arguments(parameters, arguments, _identity))


def _identity(t: Type) -> Type:
    return t
