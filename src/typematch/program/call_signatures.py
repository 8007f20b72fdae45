"""Call signatures of types written as names: ``const f: Fn``, ``typeof g``, ``Fn | undefined``.

A cheap subset of reduction, for indexing: it expands names up to a fixed number of steps and never
decides assignability.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from typematch.ir.constructors import (
    PROMISES,
    intersection,
    own_property,
    renormalize,
    union,
)
from typematch.ir.declaration import Declaration, Declarations
from typematch.ir.intern import InternedNode, rebuild
from typematch.ir.type_parts import Parameter, Signature
from typematch.ir.types import (
    ANY,
    NULL,
    THIS,
    UNDEFINED,
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
    Var,
    VariableKind,
)
from typematch.program.reduction.instantiate import fill_missing_type_arguments, instantiate
from typematch.program.resolution.module_summary import SAME_MEMBERS

_MAX_STEPS = 24
# Their methods that return functions are not call signatures of their own.
_SAME_MEMBERS = frozenset(f"global#{name}" for (name,) in SAME_MEMBERS)
_WITHOUT_OWN_SIGNATURES = frozenset(("global#Function", "global#Object"))


class CallSignatures:
    """Looks call signatures up in a set of declarations.

    Types may be open: variables of the declaration around them stay as they are.
    """

    def __init__(self, declarations: Declarations) -> None:
        self._declarations = declarations
        # By type and remaining steps: a diamond of heritage visits each ancestor once per level.
        self._signatures_of: dict[tuple[Type, int], tuple[Signature, ...]] = {}
        self._arguments_of: dict[tuple[Type, str, int], tuple[Type, ...] | None] = {}
        self._properties_of: dict[tuple[Type, str, int], Type | None] = {}

    def of_type(self, t: Type, container: str = "") -> tuple[Signature, ...]:
        """Return the call signatures of a type, overloads in order; empty if it is not callable.

        ``undefined`` and ``null`` in a union are ignored.  ``container`` is the key of the
        declaration that binds the variables of an open type, and that ``this`` refers to.
        """
        variables: dict[int, Free] = {}
        type_ = _open(t, variables) if t.loose_depth else t
        if t is THIS:
            type_ = self._this_type(container, variables)
        elif isinstance(type_, Free):
            type_ = self._constraint(container, type_, variables)
        signatures = self._signatures(type_, _MAX_STEPS)
        if not variables:
            return signatures
        indices = {variable: index for index, variable in variables.items()}
        return tuple(_close(signature, indices) for signature in signatures)

    def _this_type(self, key: str, variables: dict[int, Free]) -> Type:
        """Return the type of ``this`` in ``key``: the declaration applied to its own variables."""
        declaration = self._declarations.get(key)
        if declaration is None:
            return THIS
        count = len(declaration.type_parameters)
        variables.update((index, Free(VariableKind.DECLARATION, index)) for index in range(count))
        return Reference(key, tuple(variables[index] for index in range(count)))

    def _constraint(self, key: str, variable: Free, variables: dict[int, Free]) -> Type:
        """Return the constraint of a type parameter of ``key``, or the variable without one."""
        declaration = self._declarations.get(key)
        index = variable.serial
        if declaration is None or index >= len(declaration.type_parameters):
            return variable
        constraint = declaration.type_parameters[index].constraint
        if constraint is None:
            return variable
        return _open(constraint, variables) if constraint.loose_depth else constraint

    def type_arguments_as(self, constant: str, key: str) -> tuple[Type, ...] | None:
        """Return the type arguments with which a constant's type is, or extends, ``key``.

        None if it does neither.
        """
        declaration = self._declarations.get(constant)
        if declaration is None or declaration.value is None:
            return None
        return self._type_arguments_as(declaration.value, key, _MAX_STEPS)

    def declared_type(self, constant: str) -> Type:
        """Return the declared type of a constant; ``this`` if it is unknown."""
        declaration = self._declarations.get(constant)
        return THIS if declaration is None or declaration.value is None else declaration.value

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
                declaration = self._declarations.get(target)
                if declaration is not None and target == key:
                    parameters = declaration.type_parameters
                    return tuple(fill_missing_type_arguments(parameters, arguments, _identity))
                if target in _SAME_MEMBERS and len(arguments) == 1:
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
            expanded = self._expand_once(t)
            candidates = () if expanded is None else (expanded,)
        results = (self._type_arguments_as(candidate, key, steps - 1) for candidate in candidates)
        return next((arguments for arguments in results if arguments is not None), None)

    def is_promise(self, t: Type) -> bool:
        """Whether a type is a Promise or PromiseLike, after expanding aliases."""
        expanded = self._expand(_open(t, {}) if t.loose_depth else t, _MAX_STEPS)
        if isinstance(expanded, Union):
            return all(self.is_promise(member) for member in expanded.members)
        if isinstance(expanded, Named):
            # The library is not indexed.
            return expanded.module is None and f"global#{'.'.join(expanded.path)}" in PROMISES
        return isinstance(expanded, Reference) and expanded.target in PROMISES

    def _expand(self, t: Type, steps: int) -> Type:
        """Return a type with its outermost aliases, type queries and indexed accesses expanded."""
        while steps:
            steps -= 1
            expanded = self._expand_once(t)
            if expanded is None:
                break
            t = expanded
        return t

    def _expand_once(self, t: Type) -> Type | None:
        match t:
            case Reference(target, arguments):
                declaration = self._declarations.get(target)
                if declaration is None or declaration.kind != "alias" or declaration.type is None:
                    return None
                return _instantiate_body(declaration, declaration.type, arguments)
            case TypeOf(Reference(target), path):
                return self._value_type(target, path)
            case IndexedAccess(object_type, Literal("string", name)):
                return self._property_type(object_type, name)
            case _:
                return None

    def _value_type(self, key: str, path: tuple[str, ...]) -> Type | None:
        declaration = self._declarations.get(key)
        rest = list(path)
        while rest and declaration is not None:
            member_key = declaration.member_key(rest[0])
            if member_key is None:
                break
            declaration = self._declarations.get(member_key)
            rest.pop(0)
        if declaration is None:
            return None
        value = declaration.value
        if rest and rest[0] == "prototype" and declaration.kind == "class":
            value = Reference(declaration.key, (ANY,) * len(declaration.type_parameters))
            rest.pop(0)
        for name in rest:
            value = None if value is None else self._property_type(value, name)
        return value

    def _property_type(self, t: Type, name: str, steps: int = _MAX_STEPS) -> Type | None:
        state = (t, name, steps)
        if state not in self._properties_of:
            self._properties_of[state] = self._find_property_type(t, name, steps)
        return self._properties_of[state]

    def _find_property_type(self, t: Type, name: str, steps: int) -> Type | None:
        expanded = self._expand(t, _MAX_STEPS)
        if isinstance(expanded, Intersection):
            types = (self._property_type(member, name, steps - 1) for member in expanded.members)
            return next((type_ for type_ in types if type_ is not None), None)
        bases: tuple[Type, ...] = ()
        if isinstance(expanded, Reference):
            declaration = self._declarations.get(expanded.target)
            if declaration is None or declaration.type is None:
                return None
            bases = tuple(
                _instantiate_body(declaration, base, expanded.arguments)
                for base in declaration.extends
            )
            expanded = _instantiate_body(declaration, declaration.type, expanded.arguments)
        if isinstance(expanded, Object):
            property_ = own_property(expanded, name)
            if property_ is not None:
                return property_.type
        if not steps:
            return None
        types = (self._property_type(base, name, steps - 1) for base in bases)
        return next((type_ for type_ in types if type_ is not None), None)

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
                return _union_signature(
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
        declaration = self._declarations.get(target)
        if declaration is None or declaration.kind not in ("class", "interface"):
            return ()
        signatures: list[Signature] = []
        if isinstance(declaration.type, Object):
            declared = _instantiate_body(declaration, declaration.type, arguments)
            signatures.extend(declared.calls if isinstance(declared, Object) else ())
        for base in declaration.extends:
            signatures.extend(
                self._signatures(_instantiate_body(declaration, base, arguments), steps - 1)
            )
        return tuple(dict.fromkeys(signatures))


def _union_signature(alternatives: Sequence[tuple[Signature, ...]]) -> tuple[Signature, ...]:
    """Return the signature of a union of functions.

    Parameters are intersected, as the checker's resolveUnionTypeMembers does.  Empty if a function
    is overloaded or generic.
    """
    if len(alternatives) == 1:
        return alternatives[0]
    signatures = [
        calls[0] for calls in alternatives if len(calls) == 1 and not calls[0].type_parameters
    ]
    if not signatures or len(signatures) < len(alternatives):
        return ()
    longest = max(signatures, key=lambda signature: len(signature.parameters))
    parameters: list[Parameter] = []
    for position, parameter in enumerate(longest.parameters):
        counterparts = [
            signature.parameters[position]
            for signature in signatures
            if position < len(signature.parameters)
        ]
        if any(counterpart.rest != parameter.rest for counterpart in counterparts):
            return ()
        parameter_type = intersection(counterpart.type for counterpart in counterparts)
        optional = all(counterpart.optional for counterpart in counterparts)
        parameters.append(Parameter(parameter.name, parameter_type, optional, parameter.rest))
    returns = union(signature.returns for signature in signatures)
    return (Signature(tuple(parameters), returns, this=longest.this),)


def _instantiate_body(declaration: Declaration, body: Type, arguments: Sequence[Type]) -> Type:
    """Return ``body`` of a declaration with type arguments, missing ones filled in."""
    parameters = declaration.type_parameters
    if not parameters:
        return body
    return instantiate(body, fill_missing_type_arguments(parameters, arguments, _identity))


def _identity(t: Type) -> Type:
    return t


def _open(t: Type, variables: dict[int, Free]) -> Type:
    """Return ``t`` with the variables of its declaration as free ones, recorded by index."""
    max_index = _max_index(t, 0)
    for index in range(max_index + 1):
        variables[index] = Free(VariableKind.DECLARATION, index)
    return instantiate(t, [variables[index] for index in range(max_index + 1)])


def _max_index(node: InternedNode, depth: int) -> int:
    if node.loose_depth <= depth:
        return -1
    if isinstance(node, Var):
        return node.index if node.depth == depth else -1
    max_index = -1

    def visit(part: InternedNode, crossed: int) -> InternedNode:
        nonlocal max_index
        max_index = max(max_index, _max_index(part, depth + crossed))
        return part

    rebuild(node, visit)
    return max_index


def _close(signature: Signature, indices: dict[Free, int]) -> Signature:
    """Return a signature with the free variables bound again."""
    return rebuild(signature, lambda part, crossed: _rebind(part, indices, crossed))


def _rebind(node: InternedNode, indices: dict[Free, int], depth: int) -> InternedNode:
    if isinstance(node, Free):
        return Var(depth, indices[node]) if node in indices else node
    return renormalize(rebuild(node, lambda part, crossed: _rebind(part, indices, depth + crossed)))


def parameter_count(parameters: Sequence[Parameter]) -> tuple[int, int | None]:
    """Return the minimum and the maximum number of arguments; None with a rest parameter."""
    minimum = 0
    for position, parameter in enumerate(parameters):
        if not parameter.optional and not parameter.rest:
            minimum = position + 1
    rest = any(parameter.rest for parameter in parameters)
    return minimum, None if rest else len(parameters)
