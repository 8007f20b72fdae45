"""Head types: a type with its outermost alias, conditional or indexed access reduced.

Heads are computed with small limits and memoized over many queries of one set of declarations.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from typematch.ir.constructors import constituents, replace_bound_variables
from typematch.ir.intern import InternedNode, children
from typematch.ir.type_parts import Signature
from typematch.ir.types import (
    ANY,
    NEVER,
    UNANNOTATED,
    UNKNOWN,
    Array,
    Conditional,
    Free,
    IndexedAccess,
    Intersection,
    Intrinsic,
    KeyOf,
    Literal,
    Mapped,
    Object,
    Reference,
    Template,
    Tuple,
    Type,
    Union,
    UniqueSymbol,
)
from typematch.match.assignability.relation import Relation
from typematch.match.prefilter.deferred_types import (
    UNBOUNDED,
    DeferredTypeBounds,
    is_local_variable,
    is_placeholder,
)
from typematch.match.prefilter.member_summary import MemberSummaries
from typematch.match.prefilter.placeholders import Placeholders
from typematch.program.reduction.alias_bodies import expand_alias_once
from typematch.program.reduction.limits import Limits

# Small: a type that is expensive to reduce counts as unknown.
HEAD_LIMITS = Limits(steps=100, depth=12, expansion=8, tail=8, product=40)
_HEAD_CLASSES = frozenset((Intrinsic, Literal, Template, UniqueSymbol, Array, Tuple, Object))
_COMPUTED = frozenset((Conditional, IndexedAccess, KeyOf, Mapped))
T = TypeVar("T")


class HeadCache:
    """Memoized head types over one set of declarations.

    Args:
        relation: reduces the types, with ``HEAD_LIMITS``.

    Attributes:
        member_summaries: member names of the declarations.
        deferred_types: constraints of types that stay deferred.
        placeholders: signatures with placeholders for their type parameters.
    """

    __deletable__ = ("deferred_types", "member_summaries", "placeholders")  # for mypyc

    def __init__(self, relation: Relation) -> None:
        self._relation = relation
        self._reducer = relation.reducer
        self.member_summaries = MemberSummaries(self._reducer, self.head)
        self.deferred_types = DeferredTypeBounds(relation, self.head)
        self._heads: dict[Type, Type | None] = {}
        self._call_signatures: dict[Type, tuple[Signature, ...]] = {}
        self._possible_heads: dict[Type, tuple[Type, ...] | None] = {}
        self._intersections: dict[Type, Intersection | None] = {}
        self._depends_on_variables: dict[Type, bool] = {}
        self.placeholders = Placeholders(relation, head=self.head, alias_body=self._alias_body)

    @property
    def cache_size(self) -> int:
        """Number of cached heads."""
        return len(self._heads)

    def release(self) -> None:
        """Break the reference cycles of the cache, so that it is freed at once; unusable after."""
        del self.member_summaries, self.deferred_types, self.placeholders

    def head(self, t: Type) -> Type | None:
        """Return ``t`` with its outermost alias expanded; None if unknown within the limits.

        Bound variables of enclosing binders are kept unless ``t`` itself is an alias.
        """
        cls = t.__class__
        if cls in _HEAD_CLASSES:
            return t if t is not UNANNOTATED else None
        if cls is Free:
            return t if t is not UNBOUNDED else None
        if cls is Union:
            return t
        head = self._heads.get(t, t)
        if head is t:
            head = self._head_of_reference(t) if cls is Reference else self._head_of_computed(t, t)
            if head is not t:
                self._heads[t] = head
        return head

    def _head_of_reference(self, t: Type) -> Type | None:
        declaration = self._reducer.declaration(t.target)  # type: ignore[attr-defined]
        if declaration is None or declaration.kind.startswith("enum"):
            return None
        if declaration.is_class_or_interface:
            return t
        if declaration.type.__class__ is Union and not declaration.type.loose_depth:
            return declaration.type  # members unreduced: they may be alias references
        if self.depends_on_variables(t):
            return self._within_limits(lambda: self._head_with_variables(t))
        return self._head_of_computed(t, declaration.type)

    def _head_with_variables(self, t: Type) -> Type | None:
        """Return the body of an alias with its variables, not with ``any`` for them.

        None if the body is computed from them.
        """
        for _ in range(HEAD_LIMITS.expansion):
            if isinstance(t, Reference) and not self.is_known_head(t):
                t = expand_alias_once(self._reducer, t)
        return t if self.is_known_head(t) else None

    def _head_of_computed(self, t: Type, body: Type | None) -> Type | None:
        """Return the head of a type to be reduced; ``body`` is the type or its alias's body."""
        if t.loose_depth and body.__class__ in _COMPUTED:
            return None
        return None if self._may_index_no_keys(t) else self._reduced_head(t)

    def _may_index_no_keys(self, t: Type) -> bool:
        """Whether ``t`` is ``T[keyof T]`` for a T that may have no keys, and so may be never."""
        if not any(map(is_placeholder, t.free)):
            return False
        body = self._alias_body(t)
        return isinstance(body, IndexedAccess) and isinstance(body.index, KeyOf)

    def _alias_body(self, t: Type) -> Type:
        """Return the declared body of ``t``, aliases followed, with the last alias's variables."""
        seen: set[str] = set()
        while isinstance(t, Reference) and t.target not in seen:
            seen.add(t.target)
            declaration = self._reducer.declaration(t.target)
            if declaration is None or declaration.kind != "alias" or declaration.type is None:
                break
            t = declaration.type
        return t

    def _reduced_head(self, t: Type) -> Type | None:
        if any(map(is_local_variable, t.free)):
            return None
        erased = replace_bound_variables(t, ANY)
        reduced = self._within_limits(lambda: self._reducer.normal(erased))
        if reduced is None or not self.is_known_head(reduced) or (reduced is ANY and t.loose_depth):
            return None
        return reduced

    def is_known_head(self, t: Type) -> bool:
        """Whether a reduced type is a head: its kind and members are known."""
        if t.__class__ is Reference:
            declaration = self._reducer.declaration(t.target)
            return declaration is not None and declaration.is_class_or_interface
        return t.__class__ in _HEAD_CLASSES or t.__class__ is Union

    def depends_on_variables(self, t: Type) -> bool:
        """Whether ``t`` computes a type from bound variables of an enclosing binder.

        Then its reduction with ``any`` for them is not representative: ``{ [K in keyof any]: 1 }``.
        """
        known = self._depends_on_variables.get(t)
        if known is None:
            self._depends_on_variables[t] = False  # ends the recursion of a recursive alias
            known = self._depends_on_variables[t] = self._computes_from_variables(t)
        return known

    def _computes_from_variables(self, t: InternedNode) -> bool:
        if not t.loose_depth:
            return False
        if t.__class__ in _COMPUTED:
            return True
        if isinstance(t, Reference):
            declaration = self._reducer.declaration(t.target)
            if (
                declaration is not None
                and declaration.kind == "alias"
                and declaration.type is not None
            ):
                return self.depends_on_variables(declaration.type)
        return any(
            self.depends_on_variables(part)
            if isinstance(part, Type)
            else self._computes_from_variables(part)
            for part in children(t)
        )

    def intersection(self, t: Type) -> Intersection | None:
        """Return an intersection without variables, with the heads of its members.

        None for any other type, and if a head is unknown within the limits.
        """
        if t.loose_depth or t.free:
            return None  # with a variable it may become never or any
        if t not in self._intersections:
            self._intersections[t] = self._compute_intersection(t)
        return self._intersections[t]

    def _compute_intersection(self, t: Type) -> Intersection | None:
        reduced = self._within_limits(lambda: self._reducer.normal(t))
        if not isinstance(reduced, Intersection):
            return None
        heads = [head for member in reduced.members if (head := self.head(member)) is not None]
        return Intersection(tuple(heads)) if len(heads) == len(reduced.members) else None

    def possible_heads(self, t: Type) -> tuple[Type, ...] | None:
        """Return head types such that, if ``t`` is assignable to a type, one of them is.

        For types without a head, such as a conditional type on the candidate's type parameters,
        which reduces to one of its branches.  None if unknown within the limits.
        """
        heads = self._possible_heads.get(t, ())
        if heads == ():
            heads = self._possible_heads[t] = self._compute_possible_heads(t)
        return heads

    def _compute_possible_heads(self, t: Type) -> tuple[Type, ...] | None:
        if t.__class__ not in _COMPUTED and t.__class__ is not Reference:
            return None
        if any(map(is_local_variable, t.free)):
            return None
        heads = self._within_limits(lambda: self._branches(t))
        if heads is None or any(map(_is_uninformative, heads)):
            return None
        return tuple(filter(None, heads))

    def _branches(self, t: Type) -> Sequence[Type | None]:
        with_unbounded = replace_bound_variables(t, UNBOUNDED)
        reduced = self._reducer.normal(with_unbounded)
        # The properties of a mapped type depend on the values of the variables.
        if reduced.__class__ is Mapped or self._may_be_never(with_unbounded, reduced):
            return (None,)
        erased = replace_bound_variables(t, ANY)
        placeholders = [variable for variable in erased.free if is_placeholder(variable)]
        if placeholders:
            erased = self._reducer.replace(erased, dict.fromkeys(placeholders, ANY))
        reduced_erased = self._reducer.normal(erased)
        return [self.head(member) for member in constituents(reduced_erased)]

    def _may_be_never(self, *types: Type) -> bool:
        """Whether a type may reduce to ``never``, as a conditional branch or ``keyof`` may."""
        seen: set[Type] = set()
        pending = list(types)
        while pending:
            t = self._alias_body(pending.pop())
            if t is NEVER or t.__class__ is KeyOf:
                return True
            if t in seen:
                continue
            seen.add(t)
            if isinstance(t, Conditional):
                pending += (t.yes, t.no)
            elif isinstance(t, IndexedAccess):
                pending.append(t.index)
        return False

    def _within_limits(self, compute: Callable[[], T]) -> T | None:
        """Return the result of ``compute``; None if a limit is reached."""
        return self._relation.within_limits(compute)

    def single_call(self, t: Type) -> Signature | None:
        """Return the call signature of a type that has exactly one; else None."""
        if t.__class__ is Object:
            calls = t.calls
        elif t.__class__ is Reference:
            if t not in self._call_signatures:
                members = self._within_limits(lambda: self._reducer.members_of(t))
                self._call_signatures[t] = () if members is None else tuple(members.calls)
            calls = self._call_signatures[t]
        else:
            return None
        return calls[0] if len(calls) == 1 else None


def _is_uninformative(head: Type | None) -> bool:
    """Whether a head may differ for other values of its variables."""
    if head is None or head is ANY or head is UNKNOWN or head is NEVER:
        return True
    return head.__class__ is Object and bool(head.indexes)
