"""Walk two types side by side and note what stands where a type variable does."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from typematch.ir.constructors import constituents, intersection, object_type, union
from typematch.ir.types import (
    ANY,
    BOOLEAN,
    EMPTY_OBJECT,
    NUMBER,
    OBJECT,
    STRING,
    Array,
    Conditional,
    Free,
    IndexedAccess,
    Intersection,
    KeyOf,
    Mapped,
    Object,
    Property,
    Reference,
    Template,
    Tuple,
    Type,
    Union,
)
from typematch.match.assignability.deep_nesting import RecursionStack
from typematch.match.assignability.variance import variances_of
from typematch.match.inference.candidates import (
    HOMOMORPHIC,
    LITERAL_KEYS,
    NAKED,
    InferenceInfo,
)
from typematch.match.inference.conditional_types import infer_to_condition
from typematch.match.inference.mapped_types import infer_mapped, infer_to_mapped, run_backwards
from typematch.match.inference.object_types import infer_objects
from typematch.match.inference.template_literals import infer_to_template
from typematch.match.inference.tuples import infer_tuples
from typematch.program.reduction.generic import is_generic
from typematch.program.reduction.indexed_access import key_name
from typematch.program.reduction.members import (
    apparent,
    element_type,
)
from typematch.program.reduction.unions import literal_of

if TYPE_CHECKING:
    from typematch.match.assignability.relation import Relation

_NONE_YET = 1 << 30
_NO_INFER = "global#NoInfer"
_CIRCULAR = -1
_OBJECTS = (Object, Reference, Array, Tuple, Intersection)
_HANGING = (Free, IndexedAccess, KeyOf, Conditional, Template)
_EXPANDING = 2  # so often may declarations grow inside themselves on both sides


class InferenceContext:
    """What is found for some variables.

    ``source`` is the type that is known, ``target`` mentions them.

    Args:
        climbs: whether what is known of a variable in the source says what its constraint says;
            the compiler's ``infer`` looks at no constraint.

    Attributes:
        contra: whether a place is inferred from where a value is taken.
        bivariant: whether methods are compared, whose parameters do not turn the direction.
    """

    def __init__(self, rel: Relation, variables: Sequence[Free], *, climbs: bool = True) -> None:
        self.rel = rel
        self._climbs = climbs
        self.variables = frozenset(variables)
        self._found = {variable: InferenceInfo() for variable in variables}
        self.contra = False
        self.bivariant = False
        self._priority = 0
        self._best = _NONE_YET
        self._visited: dict[tuple[Type, Type], int] = {}
        self._reversible: dict[Free, list[tuple[Type, Mapped, int, bool]]] = {}
        self._sources = RecursionStack(rel.heights, _EXPANDING)
        self._targets = RecursionStack(rel.heights, _EXPANDING)

    def of(self, variable: Free) -> InferenceInfo:
        found = self._found[variable]
        for s, t, priority, contra in self._reversible.pop(variable, ()):
            # A mapped type is run backwards only where nothing better was found.
            if priority <= found.priority:
                found.add(run_backwards(self.rel, s, t, variable), priority, contra)
        return found

    @contextmanager
    def priority_of(self, priority: int) -> Iterator[None]:
        """Give everything inferred inside at best this priority."""
        before, self._priority = self._priority, self._priority | priority
        try:
            yield
        finally:
            self._priority = before

    def against(self, source: Type, target: Type) -> None:
        """Infer from a place where the variable takes: the direction turns."""
        self.contra = not self.contra
        self.infer(source, target)
        self.contra = not self.contra

    def mentions(self, t: Type) -> bool:
        """Return whether one of the variables stands in ``t``."""
        return not self.variables.isdisjoint(t.free)

    def infer(self, source: Type, target: Type) -> None:
        """Note what ``source`` says about the variables in ``target``."""
        if not self.mentions(target):
            return
        if isinstance(target, Free):
            self._note(source, target)
            return
        same_alias = (
            isinstance(source, Reference)
            and isinstance(target, Reference)
            and source.target == target.target
        )
        if same_alias:
            self._references(source, target)  # type: ignore[arg-type]
            return
        if isinstance(target, Reference) and target.target == _NO_INFER:
            return
        reducer = self.rel.reducer
        s, t = reducer.normal(source), reducer.normal(target)
        if s is t and isinstance(s, (Union, Intersection)):
            for member in s.members:
                self.infer(member, member)
            return
        if isinstance(t, Union):
            self._to_union(s, t)
        elif isinstance(t, Intersection) and not isinstance(s, Union):
            self._to_intersection(s, t)
        else:
            self._plain(s, t)
        if isinstance(target, IndexedAccess) and t is not target and self._hangs(target):
            self._once_more(s, t)

    def _hangs(self, t: IndexedAccess) -> bool:
        """Whether the compiler puts off what is accessed."""
        normal = self.rel.reducer.normal
        return is_generic(normal(t.object)) or is_generic(normal(t.index))

    def _once_more(self, s: Type, t: Type) -> None:
        """Infer again to what an indexed access came to, from the parts of ``s`` or what holds it.

        The compiler does: from ``A`` to ``Record<K, V>[K]`` it infers A for V, then ``unknown``.
        """
        if isinstance(s, Union):
            above = s.members
        elif isinstance(s, IndexedAccess) or not self._climbs:
            return
        else:
            held = apparent(self.rel.reducer, s)
            above = () if held is s or isinstance(held, _OBJECTS) else (held,)
        for one in above:
            self.infer(one, t)
            self._once_more(one, t)

    def _note(self, source: Type, target: Free) -> None:
        candidates = self._found.get(target)
        if candidates is None:
            return
        candidates.add(source, self._priority, self.contra and not self.bivariant)
        self._best = min(self._best, self._priority)

    def note_reversed(self, s: Type, t: Mapped, of: Free) -> None:
        """Note a mapped type that is run backwards for ``of`` where nothing better is found."""
        priority = self._priority | HOMOMORPHIC
        contra = self.contra and not self.bivariant
        self._reversible.setdefault(of, []).append((s, t, priority, contra))
        self._best = min(self._best, priority)

    # -- unions and intersections ------------------------------

    def _to_union(self, s: Type, t: Union) -> None:
        sources, targets = self._matched(_members_of(s), t.members, self._same)
        sources, targets = self._matched(sources, targets, _alike)
        if not targets:
            return
        rest = union(targets)
        if not sources:
            with self.priority_of(NAKED):
                self._into(s, rest)
            return
        self._into(union(sources), rest)

    def _into(self, s: Type, t: Type) -> None:
        if isinstance(t, Free):
            self._note(s, t)
        elif isinstance(t, Union):
            self._to_several(s, t.members, True)
        else:
            self.infer(s, t)

    def _to_intersection(self, s: Type, t: Intersection) -> None:
        given = s.members if isinstance(s, Intersection) else (s,)
        sources, targets = self._matched(given, t.members, lambda a, b: a is b)
        if not sources or not targets:
            return
        rest = intersection(targets)
        if isinstance(rest, Intersection):
            self._to_several(intersection(sources), rest.members, False)
        else:
            self.infer(intersection(sources), rest)

    def _matched(
        self,
        sources: Sequence[Type],
        targets: Sequence[Type],
        matches: Callable[[Type, Type], bool],
    ) -> tuple[Sequence[Type], Sequence[Type]]:
        """Infer between members that correspond; return those that are left on both sides."""
        used_sources: set[Type] = set()
        used_targets: set[Type] = set()
        for t in targets:
            for s in sources:
                if matches(s, t):
                    self.infer(s, t)
                    used_sources.add(s)
                    used_targets.add(t)
        if not used_targets:
            return sources, targets
        return (
            [s for s in sources if s not in used_sources],
            [t for t in targets if t not in used_targets],
        )

    def _same(self, s: Type, t: Type) -> bool:
        if s is t:
            return True
        literal = literal_of(self.rel.reducer, s)
        return literal is not None and (
            (t is STRING and literal.kind == "string") or (t is NUMBER and literal.kind == "number")
        )

    def _to_several(self, s: Type, targets: Sequence[Type], to_union: bool) -> None:
        naked = [t for t in targets if t in self.variables]
        if not to_union:
            for t in targets:
                if t not in self.variables:
                    self.infer(s, t)
            if len(naked) == 1:
                with self.priority_of(NAKED):
                    self.infer(s, naked[0])
            return
        sources = _members_of(s)
        matched = [False] * len(sources)
        circular = False
        for t in targets:
            if t in self.variables:
                continue
            for position, member in enumerate(sources):
                before, self._best = self._best, _NONE_YET
                self.infer(member, t)
                if self._best == self._priority:
                    matched[position] = True
                circular = circular or self._best == _CIRCULAR
                self._best = min(self._best, before)
        if not naked:
            return
        if len(naked) == 1 and not circular:
            left = [m for m, done in zip(sources, matched, strict=True) if not done]
            if left:
                self.infer(union(left), naked[0])
                return
        with self.priority_of(NAKED):
            for t in naked:
                self.infer(s, t)

    # -- everything else ------------------------------

    def _plain(self, s: Type, t: Type) -> None:
        match t:
            case Free():
                self._note(s, t)
            case KeyOf():
                self._to_keys(s, t)
            case IndexedAccess():
                if isinstance(s, IndexedAccess):
                    self.infer(s.object, t.object)
                    self.infer(s.index, t.index)
            case Conditional():
                self._once(s, t, self._condition)
            case _ if isinstance(s, Union):
                for member in s.members:
                    self.infer(member, t)
            case Template():
                infer_to_template(self, s, t)
            case _:
                self._structures(s, t)

    def _condition(self, s: Type, t: Type) -> None:
        infer_to_condition(self, s, t)  # type: ignore[arg-type]

    def _to_keys(self, s: Type, t: KeyOf) -> None:
        if isinstance(s, KeyOf):
            self.against(s.type, t.type)
            return
        if s is BOOLEAN:
            return
        names = [key_name(self.rel.reducer, member) for member in constituents(s)]
        if s is not STRING and any(name is None for name in names):
            return
        known = object_type([Property(name, ANY) for name in names if name is not None])
        with self.priority_of(LITERAL_KEYS):
            self.against(known, t.type)

    def _references(self, s: Reference, t: Reference) -> None:
        variances = variances_of(self.rel, t.target)
        for i, (given, wanted) in enumerate(zip(s.arguments, t.arguments, strict=False)):
            if variances is not None and i < len(variances) and variances[i] == "-":
                self.against(given, wanted)
            else:
                self.infer(given, wanted)

    def _structures(self, s: Type, t: Type) -> None:
        if isinstance(s, Reference) and isinstance(t, Reference) and s.target == t.target:
            self._references(s, t)
            return
        if isinstance(s, Mapped) and isinstance(t, Mapped):
            infer_mapped(self, s, t)
            return
        base = s
        if not isinstance(s, Intersection if self._climbs else (Intersection, *_HANGING)):
            base = apparent(self.rel.reducer, s)
        if base is not s:
            if isinstance(s, Free) and isinstance(base, (Union,)):
                self.infer(base, t)
                return
            s = base
        if s is OBJECT:
            s = EMPTY_OBJECT
        if isinstance(s, _OBJECTS):
            self._once(s, t, self._objects)

    def _once(self, s: Type, t: Type, infer: Callable[[Type, Type], None]) -> None:
        """Infer between a pair of types one time, and not where both grow without end."""
        pair = (s, t)
        known = self._visited.get(pair)
        if known is not None:
            self._best = min(self._best, known)
            return
        self._visited[pair] = _CIRCULAR
        self.rel.reducer.count()
        before, self._best = self._best, _NONE_YET
        growing = self._sources.enter(s, s)
        growing = self._targets.enter(t, t) and growing
        self.rel.deepen()
        try:
            if growing:
                self._best = _CIRCULAR
            else:
                infer(s, t)
        finally:
            self.rel.rise()
            self._sources.leave()
            self._targets.leave()
        self._visited[pair] = self._best
        self._best = min(self._best, before)

    def _objects(self, s: Type, t: Type) -> None:
        if (
            isinstance(t, Mapped)
            and t.rename is None
            and infer_to_mapped(self, s, t, self.rel.reducer.normal(t.keys))
        ):
            return
        if isinstance(s, Array) and isinstance(t, Array):
            self.infer(s.element, t.element)
            return
        if isinstance(s, (Array, Tuple)):
            if isinstance(t, Tuple):
                infer_tuples(self, s, t)
                return
            if isinstance(t, Array):
                self.infer(s.element if isinstance(s, Array) else element_type(s), t.element)
                return
        infer_objects(self, s, t)


def _members_of(t: Type) -> Sequence[Type]:
    return t.members if isinstance(t, Union) else (t,)


def _alike(s: Type, t: Type) -> bool:
    """Return whether two members of unions are of one declaration, so that they belong together."""
    if isinstance(s, Reference) and isinstance(t, Reference):
        return s.target == t.target
    # ReadonlyArray is another declaration than Array.
    return isinstance(s, Array) and isinstance(t, Array) and s.readonly == t.readonly
