"""Relations over one set of declarations that outlive a search, and the sizes of their caches."""

from __future__ import annotations

from typematch.ir.declaration import Declarations
from typematch.match.assignability.class_members import ClassMemberSkolems
from typematch.match.assignability.relation import Relation
from typematch.match.assignability.variance import Variance
from typematch.match.prefilter.head_cache import HEAD_LIMITS, HeadCache
from typematch.program.reduction.limits import DEFAULT_LIMITS, VARIANCE_LIMITS, Limits

# Cache sizes, in types or in types and pairs of types.  Measured with 150 signatures on compiler/:
# larger ones of the first two relations save no time.  Half of the last one's costs a tenth more,
# and without a limit a search of 220,000 entries takes a twentieth less, in 200 MiB more.
_MAX_HEADS = 60_000  # also of skolemized class members
_MAX_REDUCED_TYPES = 10_000  # in a generation, by the relation with small limits
_MAX_REMEMBERED = 20_000  # in a generation, by the relation with full limits
_MAX_SEARCHED = 40_000  # in a generation, by the relation of searches with edits
_MAX_VARIABLES = 50_000  # of a relation; they stay as long as it does
_ARRAY = "global#Array"


class RelationPool:
    """Relations over one set of declarations, and the head types that one of them computes.

    Args:
        variances: known variances of the declarations' type parameters.

    Attributes:
        variances: the same mapping, extended by the relations.
        class_skolems: member types of generic classes with skolems for the class's parameters.
        head_cache: head types of the declarations.
        users: how many searches use the pool now.
    """

    def __init__(
        self, declarations: Declarations, variances: dict[str, Variance | None] | None = None
    ) -> None:
        self.variances: dict[str, Variance | None] = {} if variances is None else variances
        self._declarations = declarations
        self.users = 0
        self._full_relation: Relation | None = None
        self._search_relation: Relation | None = None
        self._variance_relation: Relation | None = None
        self._head_relation = Relation(
            declarations,
            limits=HEAD_LIMITS,
            variances=self.variances,
            variance_fallback=self._variances_relation,
        )
        self.class_skolems = ClassMemberSkolems(self._head_relation.reducer)
        self.head_cache = HeadCache(self._head_relation)
        self._array_declaration = declarations.get(_ARRAY)

    def is_current(self, declarations: Declarations) -> bool:
        """Whether the pool belongs to the current state of ``declarations``."""
        # A reloaded store returns a new Declaration object, so identity detects staleness.
        array = declarations.get(_ARRAY)
        return array is not None and array is self._array_declaration

    @property
    def is_within_size_limit(self) -> bool:
        """Whether heads and skolems, which ``trim`` keeps, are within their maximum numbers."""
        return self.head_cache.cache_size < _MAX_HEADS and len(self.class_skolems) < _MAX_HEADS

    def full_relation(self) -> Relation:
        """Return a relation with full limits."""
        if self._full_relation is None:
            self._full_relation = Relation(
                self._declarations,
                variances=self.variances,
                variance_fallback=self._variances_relation,
                cache_verdicts=True,
            )
            self.class_skolems.register_reducer(self._full_relation.reducer)
        return self._full_relation

    def search_relation(self, limits: Limits) -> Relation:
        """Return a relation with these limits.

        Reductions of the catalog's types outlive a search.
        """
        relation = self._search_relation
        if relation is None or relation.limits != limits:
            relation = self._search_relation = Relation(
                self._declarations,
                limits=limits,
                variances=self.variances,
                variance_fallback=self._variances_relation,
                retry_limits=DEFAULT_LIMITS,
            )
        return relation

    def _variances_relation(self) -> Relation:
        """Return the relation that computes variances, for all others."""
        if self._variance_relation is None:
            self._variance_relation = Relation(
                self._declarations,
                limits=VARIANCE_LIMITS,
                variances=self.variances,
                computes_variances=True,
            )
        return self._variance_relation

    def trim(self) -> None:
        """Drop the results of relations that exceed their maximum sizes; nothing may use them."""
        if self._head_relation.cache_size > _MAX_REDUCED_TYPES:
            self._head_relation.start_generation()
        self._search_relation = _trimmed(self._search_relation, _MAX_SEARCHED)
        full = _trimmed(self._full_relation, _MAX_REMEMBERED)
        if full is not self._full_relation:
            self.class_skolems.unregister_reducer()
            self._full_relation = full
        # What it has compared serves nothing but further variances.
        if self._variance_relation is not None:
            self._variance_relation.release()
            self._variance_relation = None

    def release(self) -> None:
        """Break all reference cycles, so that the caches are freed at once; unusable afterwards."""
        for relation in (
            self._head_relation,
            self._search_relation,
            self._full_relation,
            self._variance_relation,
        ):
            if relation is not None:
                relation.release()
        self.head_cache.release()


def _trimmed(relation: Relation | None, max_size: int) -> Relation | None:
    """Return a relation without what it does not use any more, if its caches exceed a size.

    None if it was released because of its number of variables.
    """
    if relation is None or relation.cache_size <= max_size:
        return relation
    if len(relation.reducer.constraints) > _MAX_VARIABLES:
        relation.release()
        return None
    relation.start_generation()
    return relation
