"""Know what types are at their heads, over many queries."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar

from typematch.ir.constructors import closed, constituents
from typematch.ir.declaration import Declarations
from typematch.ir.intern import InternedNode, children
from typematch.ir.types import (
    ANY,
    NEVER,
    NUMBER,
    STRING,
    SYMBOL,
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
from typematch.match.assignability.class_members import ClassMemberSkolems
from typematch.match.assignability.relation import Relation
from typematch.match.assignability.variance import Variance
from typematch.match.prefilter.deferred_types import (
    ANY_TYPE,
    STAND_INS,
    DeferredTypeBounds,
    is_of_a_query,
    is_stand_in,
)
from typematch.match.prefilter.member_summary import MemberSummaries
from typematch.match.verdict import Undecided
from typematch.program.reduction.indexed_access import mapping_alias
from typematch.program.reduction.instantiate import instantiate
from typematch.program.reduction.limits import Limits
from typematch.program.reduction.skolemize import with_arguments

_LIMITS = Limits(steps=100, depth=12, expansion=8, tail=8, product=40)
# What is kept at most, of types and what they were reduced to: some 200 MB.
_MOST_HEADS = 60_000
_MOST_REDUCED = 60_000
# Types and pairs of types that the compiler's relation may know: some 200 MB.
_MOST_REMEMBERED = 300_000
_MARK = "global#Array"
_CLEAR = frozenset((Intrinsic, Literal, Template, UniqueSymbol, Array, Tuple, Object))
_KEYS = frozenset((STRING, NUMBER, SYMBOL))
_OPEN = frozenset((Conditional, IndexedAccess, KeyOf))
_COMPUTED = _OPEN | {Mapped}
T = TypeVar("T")


class HeadCache:
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
        self.declared = MemberSummaries(self._reducer, self.head)
        self.containers = ClassMemberSkolems(self._reducer)
        self.rigid = DeferredTypeBounds(self.strict, self.head)
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
        few = len(self._heads) < _MOST_HEADS and len(self.containers) < _MOST_HEADS
        return few and self._relation.remembered < _MOST_REDUCED

    def strict(self) -> Relation:
        """Return the compiler's relation, with all the patience there is.

        It is kept, unless it remembers too much.
        """
        if self._strict is None or self._strict.remembered > _MOST_REMEMBERED:
            self._strict = Relation(self._declarations, variances=self.variances, lasting=True)
            self.containers.tell(self._strict.reducer)
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
        found = self._heads.get(t, t)
        if found is t:
            found = self._followed(t) if cls is Reference else self._computed(t, t)
            if found is not t:
                self._heads[t] = found
        return found

    def _followed(self, t: Type) -> Type | None:
        declared = self._reducer.declaration(t.target)  # type: ignore[attr-defined]
        if declared is None or declared.kind.startswith("enum"):
            return None
        if declared.kind in ("interface", "class"):
            return t
        if declared.type.__class__ is Union and not declared.type.loose:
            return declared.type  # its members as they are written: uses of aliases, maybe
        return None if self._has_open_keys(t) else self._computed(t, declared.type)

    def _has_open_keys(self, t: Type) -> bool:
        """Whether an alias of an alias maps keys that are worked out of a binder's variables."""
        use = mapping_alias(self._reducer, t) if t.loose else None
        return use is not None and any(
            one.loose and self._written(one).__class__ in _OPEN for one in use.arguments
        )

    def _computed(self, t: Type, written: Type | None) -> Type | None:
        """Return the head of what has to be worked out, ``written`` being how."""
        if t.loose and written.__class__ in _COMPUTED:
            return None
        return None if self._may_have_no_keys(t) else self._reduced(t)

    def _may_have_no_keys(self, t: Type) -> bool:
        """Whether this is what stands at all keys of something that may have none."""
        if not any(map(is_stand_in, t.free)):
            return False
        written = self._written(t)
        return isinstance(written, IndexedAccess) and isinstance(written.index, KeyOf)

    def _written(self, t: Type) -> Type:
        """Return what the alias at the top of ``t`` is written as, with its own variables."""
        seen: set[str] = set()
        while isinstance(t, Reference) and t.target not in seen:
            seen.add(t.target)
            declared = self._reducer.declaration(t.target)
            if declared is None or declared.kind != "alias" or declared.type is None:
                break
            t = declared.type
        return t

    def _reduced(self, t: Type) -> Type | None:
        if any(map(is_of_a_query, t.free)):
            return None
        whole = closed(t, ANY)
        found = self._seen(lambda: self._reducer.normal(whole))
        if found is None or not self.is_clear(found) or (found is ANY and t.loose):
            return None
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

    def _works_out(self, t: InternedNode) -> bool:
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
        comes to is one of its branches.
        """
        found = self._possible.get(t, ())
        if found == ():
            found = self._possible[t] = self._possible_heads(t)
        return found

    def _possible_heads(self, t: Type) -> tuple[Type, ...] | None:
        if t.__class__ not in _COMPUTED and t.__class__ is not Reference:
            return None
        if any(map(is_of_a_query, t.free)):
            return None
        heads = self._seen(lambda: self._branches(t))
        return (
            None if heads is None or any(map(_says_little, heads)) else tuple(filter(None, heads))
        )

    def _branches(self, t: Type) -> Sequence[Type | None]:
        opened = closed(t, ANY_TYPE)
        reduced = self._reducer.normal(opened)
        # Which properties a mapped type has depends on what the variables are.
        if reduced.__class__ is Mapped or self._may_be_never(opened, reduced):
            return (None,)
        whole = closed(t, ANY)
        stand_ins = [one for one in whole.free if is_stand_in(one)]
        if stand_ins:
            whole = self._reducer.replace(whole, dict.fromkeys(stand_ins, ANY))
        found = self._reducer.normal(whole)
        return [self.head(one) for one in constituents(found)]

    def _may_be_never(self, *types: Type) -> bool:
        """Whether an open type may come to never, which fits everything.

        A branch of a condition may, and the keys of what has none.
        """
        seen: set[Type] = set()
        waiting = list(types)
        while waiting:
            t = self._written(waiting.pop())
            if t is NEVER or t.__class__ is KeyOf:
                return True
            if t in seen:
                continue
            seen.add(t)
            if isinstance(t, Conditional):
                waiting += (t.yes, t.no)
            elif isinstance(t, IndexedAccess):
                waiting.append(t.index)
        return False

    def _seen(self, question: Callable[[], T]) -> T | None:
        """Answer a question, or None if that takes more than a glance."""
        found = self._relation.within_budget(question)
        return None if isinstance(found, Undecided) else found

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
            limits = [parameter.constraint or UNKNOWN]
            if parameter.default is not None:
                limits.append(parameter.default)
            if limits[0] is not UNKNOWN or ANY in limits:
                stand_ins[i] = self._stand_in(tuple(instantiate(one, stand_ins) for one in limits))
        seen = self._with(signature, stand_ins)
        keys = set(self._map_keys(seen.parameters))
        if keys.isdisjoint(stand_ins):
            return seen
        # Where keys are inferred from an object, it may have none: they are never.
        return self._with(signature, [ANY_TYPE if one in keys else one for one in stand_ins])

    def _with(self, signature: Signature, arguments: Sequence[Type]) -> Signature:
        """Return a signature with arguments; as it is where that takes more than a glance."""
        seen = self._seen(lambda: with_arguments(self._reducer, signature, arguments))
        return signature if seen is None else seen

    def _map_keys(self, nodes: Iterable[InternedNode]) -> Iterator[Type]:
        """Yield the stand-ins that are the keys of mapped types inside."""
        for node in nodes:
            keys: tuple[Type, ...] = ()
            if isinstance(node, Mapped):
                keys = (node.keys,)
            elif isinstance(node, Reference) and isinstance(self._written(node), Mapped):
                keys = node.arguments
            for one in keys:
                if is_stand_in(one) and self._is_key((self.values(one) or (UNKNOWN,))[0]):
                    yield one
            yield from self._map_keys(children(node))

    def _is_key(self, limit: Type) -> bool:
        if limit.__class__ is KeyOf:
            return True
        head = self.head(limit)
        return head is not None and _KEYS.issuperset(constituents(head))

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


def _says_little(head: Type | None) -> bool:
    """Whether a computed type may be much else for other values of its variables."""
    if head is None or head is ANY or head is UNKNOWN or head is NEVER:
        return True
    return head.__class__ is Object and bool(head.indexes)
