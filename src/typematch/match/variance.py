"""Say how a generic declaration varies with each of its parameters, by comparing it with itself.

Two marker arguments, one fitting the other, are put in the place of a parameter, and the two results
are compared member by member: that they fit one way makes it covariant, the other way contravariant.
Where the declaration computes with the parameter (``keyof``, conditions, mapped types), the arguments
alone do not tell, and references to it are compared by their members.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from typematch.ir.intern import Node, children
from typematch.ir.types import (
    ANY,
    VOID,
    Conditional,
    Free,
    IndexedAccess,
    KeyOf,
    Mapped,
    Reference,
    Template,
    Type,
)
from typematch.match.verdict import Misfit

if TYPE_CHECKING:
    from typematch.match.relation import Relation

COVARIANT, CONTRAVARIANT, BIVARIANT, INDEPENDENT, INVARIANT = "+", "-", "*", "_", "="


class Variances:
    """What is known of each declaration: one letter per parameter; None: compare members."""

    def __init__(self) -> None:
        self._known: dict[str, str | None] = {}
        self._busy: set[str] = set()
        self.markers: tuple[Free, Free, Free] | None = None

    def forget_unfinished(self) -> None:
        self._busy.clear()

    def busy(self, key: str) -> bool:
        return key in self._busy

    def of(self, rel: Relation, key: str) -> str | None:
        """Return the variance of each parameter of the declaration ``key``."""
        if key not in self._known:
            self._busy.add(key)
            try:
                self._known[key] = _variances(rel, key, self)
            finally:
                self._busy.discard(key)
        return self._known[key]


def _variances(rel: Relation, key: str, table: Variances) -> str | None:
    declaration = rel.reducer.declaration(key)
    if declaration is None:
        return None
    bodies: list[Node] = [*declaration.extends]
    if declaration.type is not None:
        bodies.append(declaration.type)
    if any(_computes(body) for body in bodies):
        return None
    if table.markers is None:
        wide = rel.reducer.fresh("Super")
        table.markers = wide, rel.reducer.fresh("Sub", wide), rel.reducer.fresh("Other")
    wide, narrow, other = table.markers
    own: tuple[Type, ...] = rel.reducer.variables_for(declaration.type_parameters)
    return "".join(_variance(rel, key, own, i, wide, narrow, other) for i in range(len(own)))


def _computes(node: Node) -> bool:
    if node.loose == 0:
        return False
    if isinstance(node, (Conditional, Mapped, KeyOf, IndexedAccess, Template)):
        return True
    return any(_computes(part) for part in children(node))


def _variance(
    rel: Relation, key: str, own: tuple[Type, ...], i: int, wide: Type, narrow: Type, other: Type
) -> str:
    def at(marker: Type) -> Reference:
        return Reference(key, (*own[:i], marker, *own[i + 1 :]))

    covariant = rel.structurally(at(narrow), at(wide))
    contravariant = rel.structurally(at(wide), at(narrow))
    if covariant and contravariant:
        return INDEPENDENT if rel.structurally(at(other), at(wide)) else BIVARIANT
    if covariant:
        return COVARIANT
    return CONTRAVARIANT if contravariant else INVARIANT


def arguments_related(
    rel: Relation, s: Reference, t: Reference, variances: str
) -> tuple[bool, Misfit | None]:
    """Compare two references to one declaration by their arguments.

    Returns:
        whether that settles it, and the misfit if there is one.
    """
    for i, (given, wanted) in enumerate(zip(s.arguments, t.arguments, strict=False)):
        letter = variances[i] if i < len(variances) else COVARIANT
        broken = _argument_related(rel, given, wanted, letter)
        if broken is not None:
            void = any(
                letter == COVARIANT and argument is VOID
                for letter, argument in zip(variances, t.arguments, strict=False)
            )
            return not void, broken.at(f".arguments[{i}]")
    return True, None


def _argument_related(rel: Relation, given: Type, wanted: Type, letter: str) -> Misfit | None:
    if letter == INDEPENDENT:
        return None
    if letter == COVARIANT:
        return rel.related(given, wanted)
    if letter == CONTRAVARIANT:
        return rel.related(wanted, given)
    if letter == BIVARIANT:
        return None if rel.related(wanted, given) is None else rel.related(given, wanted)
    broken = rel.related(given, wanted)
    return broken if broken is not None else rel.related(wanted, given)


__all__ = ["ANY", "Variances", "arguments_related"]
