"""Walk two types side by side and note what stands where a type variable does."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from typematch.ir.build import constituents, intersection, object_type, union
from typematch.ir.types import (
    ANY,
    BOOLEAN,
    EMPTY_OBJECT,
    NUMBER,
    OBJECT,
    STRING,
    UNKNOWN,
    Array,
    Conditional,
    Element,
    Free,
    IndexedAccess,
    Intersection,
    KeyOf,
    Literal,
    Mapped,
    Object,
    Property,
    Reference,
    Signature,
    Template,
    Tuple,
    Type,
    Union,
    UniqueSymbol,
)
from typematch.match.candidates import (
    CONTRA_CONDITIONAL,
    HOMOMORPHIC,
    LITERAL_KEYS,
    MAPPED_CONSTRAINT,
    NAKED,
    RETURN,
    Candidates,
)
from typematch.match.infer_tuples import infer_tuples
from typematch.match.nesting import Descent
from typematch.match.opening import base_signature, key_variable
from typematch.match.signatures import places_of, rest_at, type_at
from typematch.match.templates import inferred_parts
from typematch.match.variance import variances_of
from typematch.program.access import key_name, key_type
from typematch.program.instantiate import instantiate
from typematch.program.members import (
    apparent,
    applicable_index,
    element_type,
    index_applies,
    is_numeric,
    property_of,
)
from typematch.program.normal import is_unit, literal_of
from typematch.program.opening import erasure, variables_for
from typematch.program.shape import read_type

if TYPE_CHECKING:
    from typematch.match.relation import Relation

_NONE_YET = 1 << 30
_NO_INFER = "global#NoInfer"
_CIRCULAR = -1
_EXPANDING = 2  # so often may declarations grow inside themselves on both sides


class Inference:
    """What is found for some variables.

    ``source`` is the type that is known, ``target`` mentions them.
    """

    def __init__(self, rel: Relation, variables: Sequence[Free], *, strict: bool) -> None:
        self.rel = rel
        self.variables = frozenset(variables)
        self.strict = strict
        self._found = {variable: Candidates() for variable in variables}
        self._contra = False
        self._bivariant = False
        self._priority = 0
        self._best = _NONE_YET
        self._visited: dict[tuple[Type, Type], int] = {}
        self._reversible: dict[Free, list[tuple[Type, Mapped, int, bool]]] = {}
        self._sources = Descent(rel.heights, _EXPANDING)
        self._targets = Descent(rel.heights, _EXPANDING)

    def of(self, variable: Free) -> Candidates:
        found = self._found[variable]
        for s, t, priority, contra in self._reversible.pop(variable, ()):
            # A mapped type is run backwards only where nothing better was found.
            if priority <= found.priority:
                found.add(self._reversed(s, t, variable), priority, contra)
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
        self._contra = not self._contra
        self.infer(source, target)
        self._contra = not self._contra

    def _mentions(self, t: Type) -> bool:
        return not self.variables.isdisjoint(self.rel.reducer.variables(t))

    def infer(self, source: Type, target: Type) -> None:
        """Note what ``source`` says about the variables in ``target``."""
        if not self._mentions(target):
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
            return
        if isinstance(t, Intersection) and not isinstance(s, Union):
            self._to_intersection(s, t)
            return
        self._plain(s, t)

    def _note(self, source: Type, target: Free) -> None:
        candidates = self._found.get(target)
        if candidates is None:
            return
        candidates.add(source, self._priority, self._contra and not self._bivariant)
        self._best = min(self._best, self._priority)

    # -- unions and intersections ------------------------------

    def _to_union(self, s: Type, t: Union) -> None:
        sources, targets = self._matched(constituents_of(s), t.members, self._same)
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
        sources = constituents_of(s)
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
                self._once(s, t, self._to_conditional)
            case _ if isinstance(s, Union):
                for member in s.members:
                    self.infer(member, t)
            case Template():
                self._to_template(s, t)
            case _:
                self._structures(s, t)

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

    def _to_conditional(self, s: Type, t: Type) -> None:
        assert isinstance(t, Conditional)
        if isinstance(s, Conditional):
            self.infer(s.check, t.check)
            if not t.infer and not s.infer:
                self.infer(s.extends, t.extends)
                self.infer(s.yes, t.yes)
            self.infer(s.no, t.no)
            return
        reducer = self.rel.reducer
        yes = instantiate(t.yes, variables_for(reducer, t.infer)) if t.infer else t.yes
        branches = (yes, t.no)
        with self.priority_of(CONTRA_CONDITIONAL if self._contra else 0):
            for branch in branches:
                if branch not in self.variables:
                    self.infer(s, branch)
            with self.priority_of(NAKED):
                for branch in branches:
                    if branch in self.variables:
                        self.infer(s, branch)

    def _to_template(self, s: Type, t: Template) -> None:
        parts = inferred_parts(self.rel, s, t)
        for position, place in enumerate(t.types):
            if parts is None:
                continue
            part = parts[position]
            if isinstance(place, Free) and isinstance(part, Literal):
                part = self._as_constrained(part, place)
            self.infer(part, place)

    def _as_constrained(self, part: Literal, place: Free) -> Type:
        """Return the text as a number or boolean if the variable's constraint asks for one."""
        constraint = self.rel.reducer.constraints.get(place)
        if constraint is None:
            return part
        for wanted in constituents(self.rel.reducer.normal(constraint)):
            if wanted is STRING:
                return part
            if wanted is NUMBER and is_numeric(part.text):
                return Literal("number", part.text)
            if isinstance(wanted, Literal) and wanted.text == part.text:
                return wanted
        return part

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
            self.infer(s.keys, t.keys)
            key = key_variable(self.rel, t)
            normal = self.rel.reducer.normal
            self.infer(
                instantiate(s.type, (key,), normal=normal),
                instantiate(t.type, (key,), normal=normal),
            )
            return
        base = s if isinstance(s, Intersection) else apparent(self.rel.reducer, s)
        if base is not s:
            if isinstance(s, Free) and isinstance(base, (Union,)):
                self.infer(base, t)
                return
            s = base
        if s is OBJECT:
            s = EMPTY_OBJECT
        if not isinstance(s, (Object, Reference, Array, Tuple, Intersection)):
            return
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
            and self._to_mapped(s, t, self.rel.reducer.normal(t.keys))
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
        if not unrelated(self.rel, s, t):
            self._members(s, t)

    def _members(self, s: Type, t: Type) -> None:
        reducer = self.rel.reducer
        source, target = reducer.shape(s), reducer.shape(t)
        for name in target.names:
            given = source.get(name)
            if given is not None:
                wanted = target.get(name)
                if wanted is not None and self._mentions_property(wanted):
                    self.infer(read_type(given), read_type(wanted))
        self._signatures(source.calls, target.calls)
        self._signatures(source.constructs, target.constructs)
        for index in target.indexes:
            if source.implicit:
                kinds = [p.type for p in source if index_applies(reducer, key_type(p), index.key)]
                kinds += [
                    i.type for i in source.indexes if index_applies(reducer, i.key, index.key)
                ]
                if kinds:
                    self.infer(union(kinds), index.type)
        for index in target.indexes:
            found = applicable_index(reducer, source, index.key)
            if found is not None:
                self.infer(found.type, index.type)

    def _mentions_property(self, p: Property) -> bool:
        return self._mentions(p.type)

    def _signatures(self, given: Sequence[Signature], wanted: Sequence[Signature]) -> None:
        if not given:
            return
        for position, target in enumerate(wanted):
            source = given[max(len(given) - len(wanted) + position, 0)]
            self._signature(base_signature(self.rel, source), erasure(self.rel.reducer, target))

    def _signature(self, s: Signature, t: Signature) -> None:
        before = self._bivariant
        self._bivariant = before or "method" in t.modifier
        given, wanted = places_of(self.rel, s), places_of(self.rel, t)
        if s.this is not None and t.this is not None:
            self.against(s.this, t.this)
        fixed = len(wanted.fixed)
        count = fixed if given.rest is not None else min(given.count, fixed)
        for position in range(count):
            one, other = type_at(given, position), type_at(wanted, position)
            if one is not None and other is not None:
                self.against(one, other)
        if wanted.rest is not None:
            self.against(rest_at(given, count), wanted.rest)
        self._bivariant = before
        if (
            s.predicate is not None
            and t.predicate is not None
            and s.predicate.type is not None
            and t.predicate.type is not None
        ):
            self.infer(s.predicate.type, t.predicate.type)
            return
        self.infer(s.returns, t.returns)

    # -- mapped types ------------------------------

    def _to_mapped(self, s: Type, t: Mapped, keys: Type) -> bool:
        """Infer backwards through a mapped type.

        Its keys, and for ``keyof T`` the type they come from.
        """
        if isinstance(keys, (Union, Intersection)):
            # Every member is inferred to, whatever the first one says.
            return max([self._to_mapped(s, t, member) for member in keys.members])
        reducer = self.rel.reducer
        if isinstance(keys, KeyOf):
            of = reducer.normal(keys.type)
            if isinstance(of, Free) and of in self.variables:
                shape = reducer.shape(s)
                if isinstance(s, (Array, Tuple)) or shape.names or shape.indexes:
                    self._note_reversed(s, t, of)
            return True
        if isinstance(keys, Free):
            with self.priority_of(MAPPED_CONSTRAINT):
                self.infer(KeyOf(s), keys)
            constraint = reducer.constraints.get(keys)
            if constraint is not None and self._to_mapped(s, t, reducer.normal(constraint)):
                return True
            shape = reducer.shape(s)
            values = [read_type(p) for p in shape] + [i.type for i in shape.indexes]
            self.infer(union(values), self._template(t))
            return True
        return False

    def _note_reversed(self, s: Type, t: Mapped, of: Free) -> None:
        priority = self._priority | HOMOMORPHIC
        contra = self._contra and not self._bivariant
        self._reversible.setdefault(of, []).append((s, t, priority, contra))
        self._best = min(self._best, priority)

    def _template(self, t: Mapped) -> Type:
        key = key_variable(self.rel, t)
        return instantiate(t.type, (key,), normal=self.rel.reducer.normal)

    def _reversed(self, s: Type, t: Mapped, of: Free) -> Type:
        """Return the type that ``t`` would map to ``s``.

        Each property run backwards through the template.
        """
        shape = self.rel.reducer.shape(s)
        if isinstance(s, Array):
            return Array(self._backwards(s.element, t, of), s.readonly)
        if isinstance(s, Tuple):
            elements = [
                Element(self._backwards(e.type, t, of), e.kind, e.label) for e in s.elements
            ]
            return Tuple(tuple(elements), s.readonly)
        properties = [
            Property(
                p.name,
                self._backwards(p.type, t, of),
                (p.optional and t.optional != "+") or p.optional,
                p.readonly and t.readonly != "+",
            )
            for p in shape
        ]
        return object_type(properties)

    def _backwards(self, value: Type, t: Mapped, of: Free) -> Type:
        key = key_variable(self.rel, t)
        access = IndexedAccess(of, key)
        place = self.rel.reducer.fresh("P")
        template = replace_node(instantiate(t.type, (key,)), access, place)
        inner = Inference(self.rel, (place,), strict=True)
        inner.infer(value, template)
        found = inner.of(place)
        if found.co:
            return union(found.co)
        return intersection(found.contra) if found.contra else UNKNOWN


def unrelated(rel: Relation, s: Type, t: Type) -> bool:
    """Return whether each of two types lacks what the other must have: nothing is inferred then."""
    return _lacks(rel, s, t, units=True) and _lacks(rel, t, s, units=False)


def _lacks(rel: Relation, s: Type, t: Type, *, units: bool) -> bool:
    """Return whether ``s`` lacks a property that ``t`` must have, or (if wanted) its one value."""
    reducer = rel.reducer
    for wanted in reducer.shape(t):
        if wanted.optional:
            continue
        found = property_of(reducer, s, wanted.name)
        if found is None:
            return True
        if units:
            value = reducer.normal(wanted.type)
            if is_unit(reducer, value) and reducer.normal(found.type) not in (value, ANY):
                return True
    return False


def replace_node(t: Type, old: Type, new: Type) -> Type:
    """Return ``t`` with one part replaced wherever it stands."""
    from typematch.ir.build import restore
    from typematch.ir.intern import Node, rebuild

    def change(node: Node, _: int = 0) -> Node:
        return new if node is old else restore(rebuild(node, change))

    return change(t)  # type: ignore[return-value]


def constituents_of(t: Type) -> Sequence[Type]:
    return t.members if isinstance(t, Union) else (t,)


def _alike(s: Type, t: Type) -> bool:
    """Return whether two members of unions are of one declaration, so that they belong together."""
    if isinstance(s, Reference) and isinstance(t, Reference):
        return s.target == t.target
    return isinstance(s, Array) and isinstance(t, Array)


__all__ = ["RETURN", "Inference", "UniqueSymbol", "literal_of"]
