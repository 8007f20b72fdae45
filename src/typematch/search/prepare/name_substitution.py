"""Replace the names in a type by references, for one choice of declarations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from typematch.ir.constructors import ARRAYS, renormalize
from typematch.ir.intern import InternedNode, rebuild, replace_fields
from typematch.ir.type_parts import Signature, TypeParameter
from typematch.ir.types import WILDCARD, Array, Named, Reference, Type, TypeOf, Var


def qualified_name(name: Named) -> str:
    """Return a name as it is written, without type arguments."""
    dotted = ".".join(name.path)
    if name.module is None:
        return dotted
    return f'import("{name.module}")' + (f".{dotted}" if dotted else "")


def is_declaration_key(key: str) -> bool:
    """Return whether a key is that of a declaration, and not a name that nothing declares."""
    return "#" in key


class NameSubstitution:
    """A choice of declarations, to be applied to types.

    Args:
        choice: declaration keys by name, or names that nothing declares; others are unknown.
        type_parameters: indexes of the outermost signature's type parameters for unknown names;
            others become wildcards.
    """

    def __init__(self, choice: Mapping[str, str], type_parameters: Mapping[str, int]) -> None:
        self._choice = choice
        self._type_parameters = type_parameters

    def signature(self, call: Signature) -> Signature:
        """Return the query's signature, with a type parameter for each unknown name."""
        # Depth 0: the signature is rebuilt as a node, its own variables stay Var(0, i).
        resolved = rebuild(call, lambda part, _crossed: self.resolve(part, 0))
        added = (TypeParameter(),) * len(self._type_parameters)
        return replace_fields(resolved, type_parameters=(*resolved.type_parameters, *added))

    def resolve(self, node: InternedNode, depth: int) -> InternedNode:
        """Return ``node`` resolved.

        Args:
            depth: the number of binders between the signature and ``node``.
        """
        match node:
            case Named():
                return self._reference(node, depth)
            case TypeOf(Named() as target, path, arguments):
                return self._type_query(target, path, arguments, depth)
            case _:
                rebuilt = rebuild(node, lambda part, crossed: self.resolve(part, depth + crossed))
                return renormalize(rebuilt)

    def _reference(self, name: Named, depth: int) -> Type:
        arguments = self._arguments(name.arguments, depth)
        key = self._choice.get(qualified_name(name))
        if key is None:
            return self._unknown(name, depth)
        if key in ARRAYS:
            return Array(arguments[0] if arguments else WILDCARD, ARRAYS[key])
        if not is_declaration_key(key):
            return Named(tuple(key.split(".")), arguments)
        return Reference(key, arguments)

    def _type_query(
        self, target: Named, path: tuple[str, ...], arguments: tuple[Type, ...], depth: int
    ) -> Type:
        """Return ``typeof target.path``; the part of the name after the declaration is a path."""
        key = self._choice.get(qualified_name(target))
        if key is None:
            return self._unknown(target, depth)
        declared_path = key.partition("#")[2].split(".")
        rest = target.path
        for length in range(len(target.path), 0, -1):
            if list(target.path[:length]) == declared_path[-length:]:
                rest = target.path[length:]
                break
        return TypeOf(Reference(key), (*rest, *path), self._arguments(arguments, depth))

    def _unknown(self, name: Named, depth: int) -> Type:
        index = self._type_parameters.get(qualified_name(name))
        return WILDCARD if index is None else Var(depth, index)

    def _arguments(self, arguments: tuple[Type, ...], depth: int) -> tuple[Type, ...]:
        return tuple([cast(Type, self.resolve(argument, depth)) for argument in arguments])
