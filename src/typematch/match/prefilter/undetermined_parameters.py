"""Type parameters that no inference determines: their values are known before any comparison.

Nothing is inferred to the check type of a conditional type, or to an indexed access of a declared
type, unless the source is of that form itself.  In ``(fa: Kind<F, A>) => Kind<F, A[]>`` with
``type Kind<F, A> = F extends keyof Kinds<A> ? Kinds<A>[F] : any``, neither F nor A is ever inferred
(inferFromTypes): F is its constraint or ``unknown``.
"""

from __future__ import annotations

from typematch.ir.constructors import bound_indices
from typematch.ir.declaration import Declarations
from typematch.ir.intern import InternedNode, children, is_binder
from typematch.ir.type_parts import Signature
from typematch.ir.types import (
    UNKNOWN,
    Array,
    Conditional,
    IndexedAccess,
    Intersection,
    Reference,
    Type,
    Union,
    Var,
)

_NONE: frozenset[int] = frozenset()
_EVERYTHING = frozenset(range(64))  # more type parameters than a declaration has


class UndeterminedParameters:
    """Finds them, for queries that ``are_known_for`` accepts."""

    def __init__(self, declarations: Declarations) -> None:
        self._declarations = declarations
        self._aliases: dict[str, frozenset[int]] = {}
        self._opaque_aliases: set[str] = set()
        self._mentioned_aliases: dict[Signature, frozenset[str] | None] = {}

    def are_known_for(self, query: Signature) -> bool:
        """Whether a query has no type of a form from which type arguments would be inferred.

        That is a conditional or indexed access type, or an alias that a candidate mentions.
        """
        if query not in self._mentioned_aliases:
            self._mentioned_aliases[query] = self._find_aliases(query)
        aliases = self._mentioned_aliases[query]
        return aliases is not None and aliases.isdisjoint(self._opaque_aliases)

    def _find_aliases(self, query: Signature) -> frozenset[str] | None:
        """Return the aliases that a query mentions; None if it mentions an inferable form."""
        aliases: set[str] = set()
        pending: list[InternedNode] = [query]
        while pending:
            node = pending.pop()
            if isinstance(node, Conditional | IndexedAccess):
                return None
            pending += children(node)
            if isinstance(node, Reference) and node.target not in aliases:
                declaration = self._declarations.get(node.target)
                if declaration is not None and declaration.kind == "alias" and declaration.type:
                    aliases.add(node.target)
                    pending.append(declaration.type)
        return frozenset(aliases)

    def values(self, signature: Signature) -> dict[int, Type]:
        """Return the values of the undetermined type parameters by index.

        Only values that mention no type parameter are known: a closed default or constraint, or
        ``unknown``.
        """
        if not any(map(self._may_be_opaque, (*signature.parameters, signature.returns))):
            return {}
        inferable = frozenset[int]().union(
            *(self._inferable(parameter.type, 0) for parameter in signature.parameters),
            self._inferable(signature.returns, 0),
        )
        values: dict[int, Type] = {}
        for index, parameter in enumerate(signature.type_parameters):
            value = parameter.default or parameter.constraint or UNKNOWN
            if index not in inferable and not value.loose_depth:
                values[index] = value
        return values

    def _may_be_opaque(self, node: InternedNode) -> bool:
        """Whether a type has a part to which nothing may be inferred."""
        if not node.loose_depth:
            return False
        if isinstance(node, Conditional | IndexedAccess):
            return True
        if isinstance(node, Reference) and self._alias_parameters(node) is not None:
            return True
        return any(map(self._may_be_opaque, children(node)))

    def _inferable(self, t: Type, depth: int) -> frozenset[int]:
        """Return the indices of the variables, ``depth`` binders out, that may be inferred."""
        if t.loose_depth <= depth:
            return _NONE
        match t:
            case Var():
                return frozenset((t.index,)) if t.depth == depth else _NONE
            case Union(members) | Intersection(members):
                return _NONE.union(*(self._inferable(member, depth) for member in members))
            case Array(element):
                return self._inferable(element, depth)
            case Conditional():
                inner = depth + 1 if is_binder(t) else depth
                return self._inferable(t.yes, inner) | self._inferable(t.no, depth)
            case IndexedAccess(Reference(target)) if self._is_declared(target):
                return _NONE
            case Reference():
                parameters = self._alias_parameters(t)
                if parameters is None:
                    return bound_indices(t, depth)
                return _NONE.union(
                    *(
                        bound_indices(argument, depth)
                        for index, argument in enumerate(t.arguments)
                        if index in parameters
                    )
                )
            case _:
                return bound_indices(t, depth)

    def _is_declared(self, key: str) -> bool:
        declaration = self._declarations.get(key)
        return declaration is not None and declaration.is_class_or_interface

    def _alias_parameters(self, reference: Reference) -> frozenset[int] | None:
        """Return which type arguments may be inferred to; None if all of them."""
        key, everything = reference.target, frozenset(range(len(reference.arguments)))
        if key not in self._aliases:
            self._aliases[key] = _EVERYTHING  # of a recursive alias all type arguments count
            self._aliases[key] = self._compute_alias(key)
        known = self._aliases[key]
        if everything <= known:
            return None
        self._opaque_aliases.add(key)
        return known

    def _compute_alias(self, key: str) -> frozenset[int]:
        declaration = self._declarations.get(key)
        if declaration is None or declaration.kind != "alias" or declaration.type is None:
            return _EVERYTHING
        if not isinstance(declaration.type, Conditional | IndexedAccess | Reference):
            return _EVERYTHING
        return self._inferable(declaration.type, 0)
