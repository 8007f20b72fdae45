"""Quick reject: a necessary condition for assignability, decided from head types.

Most of the thousands of candidates of a query are of another kind than the query asks for.
``QuickReject.may_be_assignable`` returns False only if the strict relation rejects the pair for all
values of the type variables involved; nothing is inferred.  It costs about a hundredth of the
strict relation and runs before it.
"""

from __future__ import annotations

from typematch.ir.constructors import UNKNOWN_LIKE, constituents, replace_bound_variables
from typematch.ir.type_parts import Signature
from typematch.ir.types import (
    ANY,
    BOOLEAN,
    NEVER,
    OBJECT,
    THIS,
    UNANNOTATED,
    UNKNOWN,
    VOID,
    Free,
    Intersection,
    Intrinsic,
    Literal,
    Object,
    Reference,
    Template,
    Type,
    Union,
    UniqueSymbol,
)
from typematch.match.prefilter import object_reject
from typematch.match.prefilter.deferred_types import is_local_variable, is_placeholder
from typematch.match.prefilter.head_cache import HeadCache
from typematch.match.prefilter.primitives import primitive_may_be_assignable
from typematch.program.reduction.reduce import Reducer
from typematch.program.reduction.skolemize import skolemized

_MAX_DEPTH = 6  # levels of nesting; deeper pairs are accepted
_PRIMITIVE_CLASSES = frozenset((Intrinsic, Literal, Template, UniqueSymbol))


class QuickReject:
    """Memoized quick rejects of one search.

    Args:
        head_cache: head types of the declarations, shared by all queries.
        reducer: the reducer that knows the query's variables.
        computed_may_be_any: deferred types may reduce to ``any``.  Strict search needs this to
            be sound; a search with edits omits it and excludes more.
        placeholders_may_be_any: placeholders may stand for ``any``, whatever their constraints.
    """

    def __init__(
        self,
        head_cache: HeadCache,
        reducer: Reducer,
        *,
        computed_may_be_any: bool = False,
        placeholders_may_be_any: bool = False,
    ) -> None:
        self.computed_may_be_any = computed_may_be_any
        self.summary_of = head_cache.member_summaries.summary_of
        self.wrapper_summary = head_cache.member_summaries.wrapper_summary
        self.single_call = head_cache.single_call
        self.properties = reducer.properties_of
        self._placeholders_may_be_any = placeholders_may_be_any
        self._head_cache = head_cache
        self._reducer = reducer
        self._deferred_types = head_cache.deferred_types
        self._constraints = reducer.constraints
        self._answers: dict[tuple[Type, Type], bool] = {}
        self._heads: dict[Type, Type | None] = {}
        self._opened: dict[Signature, Signature] = {}

    def head(self, t: Type) -> Type | None:
        """Return ``t`` with its outermost alias expanded; None if unknown within the limits."""
        head = self._heads.get(t, UNANNOTATED)
        if head is UNANNOTATED:  # never a head, so it marks a miss
            head = self._head_cache.head(t)
            if head is None and t.__class__ is Reference and not t.loose_depth:
                head = self._head_with_query_variables(t)
            self._heads[t] = head
        return head

    def _head_with_query_variables(self, t: Type) -> Type | None:
        """Return the head of a type that mentions variables of the query."""
        if not any(map(is_local_variable, t.free)):
            return None
        reduced = self._reducer.with_own_budget(lambda: self._reducer.normal(t))
        return reduced if reduced is not None and self._head_cache.is_known_head(reduced) else None

    def property_names(self, head: Type) -> frozenset[str] | None:
        """Return the names of an object's properties, none for other types; None if incomplete."""
        if head.__class__ not in (Object, Reference):
            return None if head.__class__ in (Free, Union) else frozenset()
        summary = self.summary_of(head)
        return summary.names if summary is not None and summary.complete else None

    def is_weak(self, head: Type) -> bool:
        """Whether a head is a weak type: all its properties are optional (isWeakType)."""
        summary = self.summary_of(head)
        return summary is not None and summary.weak

    def may_be_assignable(self, source: Type, target: Type, depth: int = 0) -> bool:
        """Return False only if no values of their variables make ``source`` assignable."""
        if source is target or depth > _MAX_DEPTH:
            return True
        key = (source, target)
        answer = self._answers.get(key)
        if answer is None:
            answer = self._answers[key] = self._compare(source, target, depth + 1)
        return answer

    def signature_may_be_assignable(
        self, s: Signature, t: Signature, depth: int = 0, *, strict_variance: bool = False
    ) -> bool:
        """Return False only if no function with ``s`` is assignable to one with ``t``.

        Args:
            strict_variance: parameters are compared contravariantly; else bivariantly, as those
                of methods are.
        """
        return object_reject.signature_may_be_assignable(
            self, s, t, depth, strict_variance=strict_variance
        )

    def with_placeholders(self, signature: Signature) -> Signature:
        """Return a generic signature with placeholders that may be ``any``.

        The signature that it is compared with may mention ``any``, which is inferred then: of
        ``T | undefined`` nothing else is left.
        """
        opened = self._opened.get(signature)
        if opened is None:
            placeholder = self._head_cache.placeholders.any_or_other
            opened = self._opened[signature] = Signature(
                tuple([replace_bound_variables(p, placeholder) for p in signature.parameters]),
                replace_bound_variables(signature.returns, placeholder),
                predicate=signature.predicate,
                modifier=signature.modifier,
            )
        return opened

    def skolemized(self, signature: Signature, other: Signature) -> Signature:
        """Return a generic signature with skolems for its type parameters, none of ``other``.

        As it is if it mentions variables of an enclosing binder, or if a limit is reached.
        """
        if signature.loose_depth:
            return signature
        reducer = self._reducer
        return reducer.with_own_budget(lambda: skolemized(reducer, signature, other)) or signature

    def may_be_any(self, t: Type) -> bool:
        """Whether ``t`` may reduce to ``any``, as a union does if one of its members does."""
        if t.__class__ is Union:
            return any(map(self.may_be_any, t.members))
        if t.__class__ is Free:
            bounds = self._head_cache.placeholders.bounds(t) or ()
            return ANY in bounds or self._has_unconstrained_placeholder(t)
        if t.__class__ in _PRIMITIVE_CLASSES:
            return t is ANY
        head = self.head(t)
        if head is not None:
            return head is ANY
        return self.computed_may_be_any and self._head_cache.possible_heads(t) is None

    def may_accept_void(self, t: Type) -> bool:
        """Whether an argument of type ``t`` may be left out: ``void`` is a member of its union."""
        if t.__class__ is Free:
            return False  # a type parameter, whatever it stands for
        head = self.head(t)
        heads = self._head_cache.possible_heads(t) if head is None else (head,)
        return heads is None or any(VOID in constituents(member) for member in heads)

    def _has_unconstrained_placeholder(self, t: Type) -> bool:
        """Whether ``t`` mentions a placeholder that may stand for ``any``."""
        return self._placeholders_may_be_any and any(map(is_placeholder, t.free))

    # ``s`` and ``t`` are the heads of ``source`` and ``target`` ----------------------------------

    def _compare(self, source: Type, target: Type, depth: int) -> bool:
        s, t = self.head(source), self.head(target)
        if t is None:
            return self._to_unknown_head(source, s, target, depth)
        if s is t:
            return True
        if source is not s and target is not t and _same_declaration(source, target):
            return True  # compared by their type arguments (relateVariances)
        if s is None:
            return self._from_unknown_head(source, t, depth)
        if t is ANY or t is UNKNOWN or s is ANY or s is NEVER:
            return True
        if s.__class__ is Union:
            fits = all(self.may_be_assignable(member, t, depth) for member in s.members)
            return fits or self.may_be_any(s)
        if t.__class__ is Union:
            return self._to_union(source, s, target, t, depth)
        if s.__class__ is Free or t.__class__ is Free:
            if s.__class__ is Object and s is not source and s.indexes:
                return True  # an expanded mapped type may be assignable to a type parameter
            return self._with_variable(s, target, t, depth)
        return self._without_variables(s, t, depth)

    def _to_unknown_head(self, source: Type, s: Type | None, target: Type, depth: int) -> bool:
        """Reject for an intersection, and for a target that accepts nothing but deferred types."""
        intersection = self._head_cache.intersection(target)
        if intersection is not None:
            # A weak member does not require a common property (isRelatedTo).
            return all(
                self.is_weak(member) or self.may_be_assignable(source, member, depth)
                for member in intersection.members
            )
        if s is None or s.__class__ in (Free, Union) or s is ANY or s is NEVER:
            return True
        return not self._deferred_types.accepts_only_deferred(target)

    def _from_unknown_head(self, source: Type, t: Type, depth: int) -> bool:
        """Compare an intersection, the constraints of a deferred source, or what it reduces to."""
        intersection = self._head_cache.intersection(source)
        if intersection is not None:
            return self._from_intersection(intersection, t, depth)
        groups = self._deferred_types.constraint_heads(source)
        if groups is not None and not self._has_unconstrained_placeholder(source):
            return any(
                all(self.may_be_assignable(head, t, depth) for head in group) for group in groups
            )
        heads = self._head_cache.possible_heads(source)
        return heads is None or any(self.may_be_assignable(head, t, depth) for head in heads)

    def _from_intersection(self, source: Intersection, t: Type, depth: int) -> bool:
        """Compare each member alone (someTypeRelatedToType), then the properties of all."""
        members = source.members
        if t.__class__ is Union:
            return any(self.may_be_assignable(source, member, depth) for member in t.members)
        if any(self.may_be_assignable(member, t, depth) for member in members):
            return True
        if t.__class__ in _PRIMITIVE_CLASSES:
            return False
        if t.__class__ is Free:
            bounds = self._head_cache.placeholders.bounds(t)
            if bounds is not None:
                return self.may_be_assignable(source, bounds[0], depth)
            # An expanded mapped type may be assignable to a type parameter.
            return any(member.__class__ is Object and member.indexes for member in members)
        return object_reject.intersection_may_be_assignable(self, members, t)

    def _to_union(self, source: Type, s: Type, target: Type, t: Union, depth: int) -> bool:
        if s is BOOLEAN or UNKNOWN_LIKE.issubset(t.members):
            return True
        if any(self.may_be_assignable(source, member, depth) for member in t.members):
            return True
        if object_reject.may_be_split(self, s, t):
            return True
        # A constraint may be assignable to the union without being so to any single member.
        constraint = self._constraints.get(s) if s.__class__ is Free else None
        return constraint is not None and self.may_be_assignable(constraint, target, depth)

    def _with_variable(self, s: Type, target: Type, t: Type, depth: int) -> bool:
        """Compare a pair of which at least one is a variable or placeholder."""
        source_bounds = self._head_cache.placeholders.bounds(s)
        target_bounds = self._head_cache.placeholders.bounds(t)
        if self._placeholders_may_be_any and (
            source_bounds is not None or target_bounds is not None
        ):
            return True
        if source_bounds is not None:
            return target_bounds is not None or any(
                self._may_overlap(bound, t, depth) for bound in source_bounds
            )
        if target_bounds is not None:
            return self.may_be_assignable(s, target_bounds[0], depth)
        if s.__class__ is Free:
            constraint = self._constraints.get(s)
            return constraint is not None and self.may_be_assignable(constraint, target, depth)
        return False

    def _may_overlap(self, bound: Type, t: Type, depth: int) -> bool:
        """Return False only if no type but ``any`` and ``never`` is assignable to both.

        Two object types may have a common subtype; an object type and a primitive have none.
        """
        if self.may_be_assignable(bound, t, depth) or self.may_be_assignable(t, bound, depth):
            return True
        head = self.head(bound)
        if head is None or head.__class__ is Free:
            return self._head_cache.placeholders.bounds(bound) is None
        if head.__class__ is Union:
            return any(self._may_overlap(member, t, depth) for member in head.members)
        if t.__class__ is Union:
            return any(self._may_overlap(bound, member, depth) for member in t.members)
        return head.__class__ not in _PRIMITIVE_CLASSES and t.__class__ not in _PRIMITIVE_CLASSES

    def _without_variables(self, s: Type, t: Type, depth: int) -> bool:
        if s is THIS:
            return t.__class__ not in _PRIMITIVE_CLASSES or t is OBJECT
        if s.__class__ in _PRIMITIVE_CLASSES:
            if t.__class__ in _PRIMITIVE_CLASSES:
                return primitive_may_be_assignable(s, t)
            return object_reject.primitive_to_object(self, s, t)
        if t.__class__ in _PRIMITIVE_CLASSES:
            return t is OBJECT
        return object_reject.objects_may_be_assignable(self, s, t, depth)


def _same_declaration(s: Type, t: Type) -> bool:
    return s.__class__ is Reference and t.__class__ is Reference and s.target == t.target
