"""Find the call signatures of a type that is written as a name.

``const f: Fn``, ``typeof g``, ``Fn | undefined``.
"""

from __future__ import annotations

from collections.abc import Sequence

from typematch.ir.constructors import PROMISES, intersection, restore, union
from typematch.ir.declaration import Declaration, Declarations
from typematch.ir.intern import InternedNode, rebuild
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
    Parameter,
    Reference,
    Signature,
    Type,
    TypeOf,
    Union,
    Var,
)
from typematch.program.reduction.instantiate import instantiate, parameter_defaults

MAX_STEPS = 24
# The methods of Function that give a function back are no signatures of its own.
_NO_CALLS = frozenset(("global#Function", "global#Object"))


class Callables:
    """Looks through declarations, a bounded number of names deep.

    Types may be open: variables of the declaration around them are left as they are.
    """

    def __init__(self, declarations: Declarations) -> None:
        self._declarations = declarations

    def signatures(self, shown: Type, around: str = "") -> tuple[Signature, ...]:
        """Return the call signatures of a value, overloads in order; none if it is no function.

        ``undefined`` and ``null`` beside a function do not count.  ``around`` is the key of the
        declaration whose variables an open type mentions, and what ``this`` means.
        """
        variables: dict[int, Free] = {}
        opened = _opened(shown, variables) if shown.loose else shown
        if shown is THIS:
            opened = self._itself(around, variables)
        elif isinstance(opened, Free):
            opened = self._constraint(around, opened, variables)
        found = self._calls(opened, MAX_STEPS)
        if not variables:
            return found
        places = {variable: index for index, variable in variables.items()}
        return tuple(_closed(signature, places) for signature in found)

    def _itself(self, key: str, variables: dict[int, Free]) -> Type:
        """Return what ``this`` means inside ``key``.

        The declaration applied to its own variables.
        """
        declaration = self._declarations.get(key)
        if declaration is None:
            return THIS
        count = len(declaration.type_parameters)
        variables.update((index, Free(-1 - index)) for index in range(count))
        return Reference(key, tuple(variables[index] for index in range(count)))

    def _constraint(self, key: str, variable: Free, variables: dict[int, Free]) -> Type:
        """Return the constraint of a type parameter of ``key``; the variable itself without one."""
        declaration = self._declarations.get(key)
        index = -1 - variable.serial
        if declaration is None or index >= len(declaration.type_parameters):
            return variable
        constraint = declaration.type_parameters[index].constraint
        if constraint is None:
            return variable
        return _opened(constraint, variables) if constraint.loose else constraint

    def arguments(self, constant: str, key: str) -> tuple[Type, ...] | None:
        """Return the type arguments with which a constant's type is, or extends, ``key``.

        None: it is no such type.
        """
        declaration = self._declarations.get(constant)
        if declaration is None or declaration.value is None:
            return None
        return self._applied_to(declaration.value, key, MAX_STEPS)

    def value(self, constant: str) -> Type:
        """Return the type with which a constant is declared; ``this`` if nothing is known of it."""
        declaration = self._declarations.get(constant)
        return THIS if declaration is None or declaration.value is None else declaration.value

    def _applied_to(self, shown: Type, key: str, steps: int) -> tuple[Type, ...] | None:
        if not steps:
            return None
        among: tuple[Type, ...] = ()
        match self._head(shown, steps):
            case Reference(target, arguments):
                declaration = self._declarations.get(target)
                if declaration is None:
                    return None
                if target == key:
                    parameters = declaration.type_parameters
                    return tuple(parameter_defaults(parameters, arguments, _as_written))
                among = tuple(_applied(declaration, b, arguments) for b in declaration.extends)
            case Intersection(members) | Union(members):
                among = members
            case _:
                pass
        found = (self._applied_to(one, key, steps - 1) for one in among)
        return next((one for one in found if one is not None), None)

    def is_promise(self, returned: Type) -> bool:
        """Whether a type is a Promise or PromiseLike, seen through aliases."""
        seen = self._head(_opened(returned, {}) if returned.loose else returned, MAX_STEPS)
        if isinstance(seen, Union):
            return all(self.is_promise(member) for member in seen.members)
        if isinstance(seen, Named):
            # The library is missing.
            return seen.module is None and f"global#{'.'.join(seen.path)}" in PROMISES
        return isinstance(seen, Reference) and seen.target in PROMISES

    def _head(self, shown: Type, steps: int) -> Type:
        """Return a type with the aliases and properties that it is written as looked up."""
        while steps:
            steps -= 1
            seen = self._step(shown)
            if seen is None:
                break
            shown = seen
        return shown

    def _step(self, shown: Type) -> Type | None:
        match shown:
            case Reference(target, arguments):
                declaration = self._declarations.get(target)
                if declaration is None or declaration.kind != "alias" or declaration.type is None:
                    return None
                return _applied(declaration, declaration.type, arguments)
            case TypeOf(Reference(target), path):
                return self._value(target, path)
            case IndexedAccess(shape, Literal("string", name)):
                return self._property(shape, name)
            case _:
                return None

    def _value(self, key: str, path: tuple[str, ...]) -> Type | None:
        declaration = self._declarations.get(key)
        rest = list(path)
        while rest and declaration is not None and rest[0] in dict(declaration.members):
            declaration = self._declarations.get(dict(declaration.members)[rest.pop(0)])
        if declaration is None:
            return None
        value = declaration.value
        if rest and rest[0] == "prototype" and declaration.kind == "class":
            value = Reference(declaration.key, (ANY,) * len(declaration.type_parameters))
            rest.pop(0)
        for name in rest:
            value = None if value is None else self._property(value, name)
        return value

    def _property(self, shape: Type, name: str, steps: int = MAX_STEPS) -> Type | None:
        seen = self._head(shape, MAX_STEPS)
        if isinstance(seen, Intersection):
            found = (self._property(member, name, steps - 1) for member in seen.members)
            return next((one for one in found if one is not None), None)
        bases: tuple[Type, ...] = ()
        if isinstance(seen, Reference):
            declaration = self._declarations.get(seen.target)
            if declaration is None or declaration.type is None:
                return None
            bases = tuple(
                _applied(declaration, base, seen.arguments) for base in declaration.extends
            )
            seen = _applied(declaration, declaration.type, seen.arguments)
        if isinstance(seen, Object):
            for item in seen.properties:
                if item.name == name:
                    return item.type
        if not steps:
            return None
        found = (self._property(base, name, steps - 1) for base in bases)
        return next((one for one in found if one is not None), None)

    def _calls(self, shown: Type, steps: int) -> tuple[Signature, ...]:
        if not steps:
            return ()
        match self._head(shown, steps):
            case Object() as shape:
                return shape.calls
            case Union(members):
                left = [member for member in members if member not in (UNDEFINED, NULL)]
                return _either([self._calls(member, steps - 1) for member in left])
            case Intersection(members):
                found = (self._calls(member, steps - 1) for member in members)
                return tuple(dict.fromkeys(signature for calls in found for signature in calls))
            case Reference(target, arguments) if target not in _NO_CALLS:
                return self._declared_calls(target, arguments, steps)
            case _:
                return ()

    def _declared_calls(
        self, target: str, arguments: tuple[Type, ...], steps: int
    ) -> tuple[Signature, ...]:
        declaration = self._declarations.get(target)
        if declaration is None or declaration.kind not in ("class", "interface"):
            return ()
        found: list[Signature] = []
        if isinstance(declaration.type, Object):
            own = _applied(declaration, declaration.type, arguments)
            found.extend(own.calls if isinstance(own, Object) else ())
        for base in declaration.extends:
            found.extend(self._calls(_applied(declaration, base, arguments), steps - 1))
        return tuple(dict.fromkeys(found))


def _either(alternatives: Sequence[tuple[Signature, ...]]) -> tuple[Signature, ...]:
    """Return how to call a value that is one of several functions.

    What is passed must suit each of them; overloaded and generic functions do not combine.
    """
    if len(alternatives) == 1:
        return alternatives[0]
    lone = [calls[0] for calls in alternatives if len(calls) == 1 and not calls[0].type_parameters]
    if not lone or len(lone) < len(alternatives):
        return ()
    longest = max(lone, key=lambda signature: len(signature.parameters))
    parameters: list[Parameter] = []
    for place, item in enumerate(longest.parameters):
        there = [one.parameters[place] for one in lone if place < len(one.parameters)]
        if any(one.rest != item.rest for one in there):
            return ()
        suits_all = intersection(one.type for one in there)
        optional = all(one.optional for one in there)
        parameters.append(Parameter(item.name, suits_all, optional, item.rest))
    returns = union(signature.returns for signature in lone)
    return (Signature(tuple(parameters), returns, this=longest.this),)


def _applied(declaration: Declaration, body: Type, arguments: Sequence[Type]) -> Type:
    """Return ``body`` of a declaration with arguments, or defaults, for its type parameters."""
    parameters = declaration.type_parameters
    if not parameters:
        return body
    return instantiate(body, parameter_defaults(parameters, arguments, _as_written))


def _as_written(shown: Type) -> Type:
    return shown


def _opened(shown: Type, variables: dict[int, Free]) -> Type:
    """Return an open type closed.

    The variables of the declaration around it are taken out, by index.
    """
    highest = _highest(shown, 0)
    for index in range(highest + 1):
        variables[index] = Free(-1 - index)
    return instantiate(shown, [variables[index] for index in range(highest + 1)])


def _highest(node: InternedNode, depth: int) -> int:
    if node.loose <= depth:
        return -1
    if isinstance(node, Var):
        return node.index if node.depth == depth else -1
    highest = -1

    def visit(part: InternedNode, crossed: int) -> InternedNode:
        nonlocal highest
        highest = max(highest, _highest(part, depth + crossed))
        return part

    rebuild(node, visit)
    return highest


def _closed(signature: Signature, places: dict[Free, int]) -> Signature:
    """Return a signature with the variables that were taken out put back."""
    return rebuild(signature, lambda part, crossed: _put_back(part, places, crossed))


def _put_back(node: InternedNode, places: dict[Free, int], depth: int) -> InternedNode:
    if isinstance(node, Free):
        return Var(depth, places[node]) if node in places else node
    return restore(rebuild(node, lambda part, crossed: _put_back(part, places, depth + crossed)))


def parameter_count(parameters: Sequence[Parameter]) -> tuple[int, int | None]:
    """Return the least and the greatest number of arguments.

    The latter None with a rest parameter.
    """
    least = 0
    for position, parameter in enumerate(parameters):
        if not parameter.optional and not parameter.rest:
            least = position + 1
    rest = any(parameter.rest for parameter in parameters)
    return least, None if rest else len(parameters)
