"""Know what types are at their heads, over many queries."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from typematch.ir.build import closed, constituents
from typematch.ir.declaration import Declarations
from typematch.ir.intern import Node, children
from typematch.ir.types import (
    ANY,
    NEVER,
    UNANNOTATED,
    UNKNOWN,
    Array,
    Conditional,
    Free,
    IndexedAccess,
    Intrinsic,
    KeyOf,
    Literal,
    Mapped,
    Object,
    Reference,
    Signature,
    Template,
    Tuple,
    Type,
    Union,
    UniqueSymbol,
)
from typematch.match.declared import Declared
from typematch.match.relation import Relation
from typematch.match.variance import Variance
from typematch.match.verdict import Undecided
from typematch.program.constraints import constraint_of
from typematch.program.instantiate import instantiate
from typematch.program.limits import Limits
from typematch.program.opening import with_arguments

_LIMITS = Limits(steps=100, depth=12, expansion=8, tail=8, product=40)
# What is kept at most, of types and what they were reduced to: some 200 MB.
_MOST_HEADS = 60_000
_MOST_REDUCED = 60_000
# Types and pairs of types that the compiler's relation may know: some 200 MB.
_MOST_REMEMBERED = 300_000
_MARK = "global#Array"
_DEPTH = 6  # constraints of constraints
_CLEAR = frozenset((Intrinsic, Literal, Template, UniqueSymbol, Array, Tuple, Object))
_COMPUTED = frozenset((Conditional, IndexedAccess, Mapped, KeyOf))
# Stand-ins for a found signature's type parameters have serials from here down: they meet neither
# the relation's variables nor the rigid ones of a class around a method.
STAND_INS = -100_000
ANY_TYPE = Free(STAND_INS, "any type")
# What a type fits of which nothing is known: itself, and what everything fits.
_NOTHING_KNOWN = Free(-1, "nothing known")
T = TypeVar("T")


class Heads:
    """What types are at their heads, over one set of declarations; good for many queries.

    Args:
        variances: of the declarations, as far as they are known.

    Attributes:
        variances: the same, as the relations of those queries find them out.
        declared: what their declarations have.
    """

    def __init__(
        self, declarations: Declarations, variances: dict[str, Variance | None] | None = None
    ) -> None:
        self.variances: dict[str, Variance | None] = {} if variances is None else variances
        self._declarations = declarations
        self._strict: Relation | None = None
        # With little patience: what needs thought is not seen at a glance.
        self._relation = Relation(
            declarations, limits=_LIMITS, variances=self.variances, patient=self.strict
        )
        self._reducer = self._relation.reducer
        self.declared = Declared(self._reducer, self.head)
        self._mark = declarations.get(_MARK)
        self._heads: dict[Type, Type | None] = {}
        self._calls: dict[Type, tuple[Signature, ...]] = {}
        self._possible: dict[Type, tuple[Type, ...] | None] = {}
        self._computing: dict[Type, bool] = {}
        self._stood_for: dict[tuple[Type, ...], Free] = {}
        self._values: dict[Type, tuple[Type, ...]] = {}
        self._bounded: dict[Signature, Signature] = {}

    def is_good(self, declarations: Declarations) -> bool:
        """Return whether the declarations are still those."""
        # Who has declarations anew has this one anew too.
        mark = declarations.get(_MARK)
        return mark is not None and mark is self._mark

    @property
    def is_small(self) -> bool:
        """Whether what is kept is not too much."""
        return len(self._heads) < _MOST_HEADS and self._relation.remembered < _MOST_REDUCED

    def strict(self) -> Relation:
        """Return the compiler's relation, with all the patience there is.

        It is kept, unless it remembers too much.
        """
        if self._strict is None or self._strict.remembered > _MOST_REMEMBERED:
            self._strict = Relation(self._declarations, variances=self.variances, lasting=True)
        return self._strict

    def head(self, t: Type) -> Type | None:
        """Return ``t`` with the alias at its top followed; None where that needs thought.

        Variables of the binders around it stay where ``t`` itself is no alias.
        """
        cls = t.__class__
        if cls in _CLEAR:
            return t if t is not UNANNOTATED else None
        if cls is Free:
            return t if t is not ANY_TYPE else None
        if cls is Union:
            return t
        if cls is not Reference:
            return self._reduced(t) if t.loose == 0 else None
        found = self._heads.get(t, t)
        if found is t:
            found = self._followed(t)
            if found is not t:
                self._heads[t] = found
        return found

    def _followed(self, t: Type) -> Type | None:
        declared = self._reducer.declaration(t.target)  # type: ignore[attr-defined]
        if declared is None or declared.kind.startswith("enum"):
            return None
        if declared.kind in ("interface", "class"):
            return t
        if t.loose and declared.type.__class__ in _COMPUTED:
            return None
        return self._reduced(t)

    def _reduced(self, t: Type) -> Type | None:
        found = self._heads.get(t)
        if found is None:
            if any(
                free.serial > 0 for free in self._reducer.variables(t) if isinstance(free, Free)
            ):
                return None  # a query's own variable: what it is another query does not know
            whole = closed(t, ANY)
            found = self._seen(lambda: self._reducer.normal(whole))
            if found is None or not self.is_clear(found) or (found is ANY and t.loose):
                return None
            self._heads[t] = found
        return found

    def is_clear(self, t: Type) -> bool:
        """Whether a type in head normal form says what its values are, to whoever glances."""
        if t.__class__ is Reference:
            declared = self._reducer.declaration(t.target)
            return declared is not None and declared.kind in ("interface", "class")
        return t.__class__ in _CLEAR or t.__class__ is Union

    def computes(self, t: Type) -> bool:
        """Whether a type works something out of the variables of the binder around it.

        ``any`` for them then says little of what it comes to: ``{ [K in keyof any]: 1 }``.
        """
        known = self._computing.get(t)
        if known is None:
            self._computing[t] = False  # an alias that mentions itself
            known = self._computing[t] = self._works_out(t)
        return known

    def _works_out(self, t: Node) -> bool:
        if not t.loose:
            return False
        if t.__class__ in _COMPUTED:
            return True
        if isinstance(t, Reference):
            declared = self._reducer.declaration(t.target)
            if declared is not None and declared.kind == "alias" and declared.type is not None:
                return self.computes(declared.type)
        return any(
            self.computes(part) if isinstance(part, Type) else self._works_out(part)
            for part in children(t)
        )

    def possible(self, t: Type) -> tuple[Type, ...] | None:
        """Return heads of which one fits what ``t`` fits; None where that needs thought.

        Asked of a type without a head.  What a condition on a found function's own type parameters
        comes to is one of its branches; a condition or access that hangs on the type parameters of
        the class around it stays open for good, and fits what its constraint fits.
        """
        found = self._possible.get(t, ())
        if found == ():
            found = self._possible[t] = self._possible_heads(t)
        return found

    def _possible_heads(self, t: Type) -> tuple[Type, ...] | None:
        if t.__class__ not in _COMPUTED and t.__class__ is not Reference:
            return None
        heads = self._seen(lambda: self._branches(t))
        return (
            None if heads is None or any(map(_says_little, heads)) else tuple(filter(None, heads))
        )

    def _branches(self, t: Type) -> Sequence[Type | None]:
        if _may_be_never(self._reducer.normal(closed(t, ANY_TYPE))):
            return (None,)
        whole = closed(t, ANY)
        stand_ins = [one for one in self._reducer.variables(whole) if is_stand_in(one)]
        if stand_ins:
            whole = self._reducer.replace(whole, dict.fromkeys(stand_ins, ANY))
        found = self._reducer.normal(whole)
        if self._is_open_for_good(found):
            found = self._outermost(found)
            if found is UNKNOWN:
                return (_NOTHING_KNOWN,)
        return [self.head(one) for one in constituents(found)]

    def _seen(self, question: Callable[[], T]) -> T | None:
        """Answer a question, or None if that takes more than a glance."""
        found = self._relation.within_budget(question)
        return None if isinstance(found, Undecided) else found

    def _outermost(self, t: Type) -> Type:
        """Return the constraint of the constraint, and so on, to one that hangs on nothing."""
        for _ in range(_DEPTH):
            constraint = constraint_of(self._reducer, t)
            if constraint is None:
                break
            t = self._reducer.normal(constraint)
        return t

    def _is_open_for_good(self, t: Type) -> bool:
        match t:
            case Conditional():
                hanging = self._reducer.variables(t.check)
            case IndexedAccess(Reference() | Object(), index):
                hanging = self._reducer.variables(index)
            case IndexedAccess(Free() as object_, _):
                hanging = frozenset((object_,))
            case _:
                return False
        return bool(hanging) and all(
            isinstance(free, Free) and STAND_INS < free.serial < 0 for free in hanging
        )

    def bounded(self, signature: Signature) -> Signature:
        """Return a signature with stand-ins for its type parameters: some type within these bounds.

        What a stand-in may be, ``values`` tells.
        """
        if not signature.type_parameters:
            return signature
        found = self._bounded.get(signature)
        if found is None:
            found = self._bounded[signature] = self._with_stand_ins(signature)
        return found

    def _with_stand_ins(self, signature: Signature) -> Signature:
        stand_ins: list[Type] = [ANY_TYPE] * len(signature.type_parameters)
        for i, parameter in enumerate(signature.type_parameters):
            if parameter.constraint is None or parameter.constraint is UNKNOWN:
                continue
            limits = [parameter.constraint]
            if parameter.default is not None:
                limits.append(parameter.default)
            stand_ins[i] = self._stand_in(tuple(instantiate(one, stand_ins) for one in limits))
        seen = self._seen(lambda: with_arguments(self._reducer, signature, stand_ins))
        return signature if seen is None else seen

    def _stand_in(self, limits: tuple[Type, ...]) -> Free:
        found = self._stood_for.get(limits)
        if found is None:
            serial = STAND_INS - 1 - len(self._stood_for)
            found = self._stood_for[limits] = Free(serial, "some type")
            self._values[found] = limits
        return found

    def values(self, variable: Type) -> tuple[Type, ...] | None:
        """Return the constraint of a stand-in, and its default if it has one; else None."""
        return self._values.get(variable)

    def call(self, t: Type) -> Signature | None:
        """Return the call signature of a type that has just one; else None."""
        if t.__class__ is Object:
            calls = t.calls
        elif t.__class__ is Reference:
            if t not in self._calls:
                shape = self._seen(lambda: self._reducer.shape(t))
                self._calls[t] = () if shape is None else tuple(shape.calls)
            calls = self._calls[t]
        else:
            return None
        return calls[0] if len(calls) == 1 else None


def is_stand_in(variable: Type) -> bool:
    return isinstance(variable, Free) and variable.serial <= STAND_INS


def _may_be_never(t: Type) -> bool:
    """Whether an open type may come to never, which fits everything.

    A branch of a condition may, and the keys of what has none.
    """
    match t:
        case Conditional():
            return _may_be_never(t.yes) or _may_be_never(t.no)
        case IndexedAccess(_, index):
            return _may_be_never(index)
        case _:
            return t is NEVER or isinstance(t, KeyOf)


def _says_little(head: Type | None) -> bool:
    """Whether a computed type may be much else for other values of its variables."""
    if head is None or head is ANY or head is UNKNOWN or head is NEVER:
        return True
    return head.__class__ is Object and bool(head.indexes)
