"""The law of the filters: whatever the relation accepts at a tier's price passes that tier."""

from __future__ import annotations

from functools import lru_cache

import pytest
from hypothesis import example, given

from index.functions import DECLARES, pairs
from match.texts import cases, question
from typematch.index.masks.filter_reference import (
    LAST_TIER,
    SignatureMasks,
    lowest_tier,
    passes,
    passes_overloaded,
)
from typematch.index.masks.mask import NEEDS_NONE
from typematch.index.masks.query_masks import QueryMaskSet, asked_masks
from typematch.index.masks.signature_columns import shape_of
from typematch.index.masks.type_masks import TypeMasks
from typematch.ir.declaration import Declarations
from typematch.ir.types import Object, Type
from typematch.match.assignability.relation import Relation
from typematch.match.edit_kinds import TIER_CEILINGS
from typematch.match.edits.matcher import Matcher
from typematch.match.edits.query_signature import asked_for
from typematch.match.verdict import Fit


@lru_cache(maxsize=500)
def posed(found: str, asked: str) -> tuple[Relation, Object, Object]:
    relation, source, target = question(found, asked, DECLARES)
    assert isinstance(source, Object)
    assert isinstance(target, Object)
    return relation, source, target


def masks_of(found: Type, declarations: Declarations) -> SignatureMasks:
    shape, facets = shape_of(found), TypeMasks(declarations)
    return SignatureMasks(
        facets.has(shape.returns),
        tuple(NEEDS_NONE if place is None else facets.needs(place) for place in shape.places),
        shape.min_arity,
        shape.max_arity,
        shape.count,
        shape.guard,
        shape.bounded,
    )


def masks(relation: Relation, found: Object, asked: Object) -> tuple[SignatureMasks, QueryMaskSet]:
    declarations = relation.reducer.declarations
    return masks_of(found, declarations), asked_masks(asked, declarations)


@example(("(a: Record<'b', Item>) => void", "(a: Record<string, Item>) => void"))
@given(pairs())
def test_what_is_assignable_passes_tier_0(pair: tuple[str, str]) -> None:
    relation, found, asked = posed(*pair)
    if relation.assign_signature(found.calls[0], asked.calls[0]):
        assert passes(*masks(relation, found, asked), 0), pair


@pytest.mark.parametrize("name", ["plain", "functions", "objects", "computed"])
def test_the_assignable_cases_pass_tier_0(name: str) -> None:
    passing = 0
    for case in cases(name):
        relation, found, asked = question(case.source, case.target, case.declares)
        if not (case.fits and _is_one_call(found) and _is_one_call(asked)):
            continue
        assert isinstance(found, Object)
        assert isinstance(asked, Object)
        assert passes(*masks(relation, found, asked), 0), case
        passing += 1
    assert name != "functions" or passing > 30


def _is_one_call(t: Type) -> bool:
    return isinstance(t, Object) and len(t.calls) == 1 and not t.properties


@example(("(...rest: (string)[]) => string", "<T>(...rest: (T)[]) => number"))
@given(pairs())
def test_an_overload_that_makes_a_function_assignable_passes(pair: tuple[str, str]) -> None:
    relation, found, asked = posed(*pair)
    # The second overload fits hardly anything, so the first one must.
    _, other, _ = question("(a: 'none', b: 'none', c: 'none', d: 'none') => never", "string")
    assert isinstance(other, Object)
    if relation.assign(Object(calls=other.calls * 2), asked):
        return  # what is called with any arguments; beside overloads ``T`` is any
    if relation.assign(Object(calls=(*found.calls, *other.calls)), asked):
        assert passes_overloaded(*masks(relation, found, asked)), pair


def test_a_result_that_is_any_without_its_variable_passes_beside_overloads() -> None:
    relation, found, asked = posed("<T>(a: T[]) => T | undefined", "(a: string[]) => Date")
    assert not passes(*masks(relation, found, asked), 0)
    assert passes_overloaded(*masks(relation, found, asked))


@example(("() => string", "(...rest: (string)[]) => () => Handler"))
@example(("(a: unknown) => asserts a", "() => Promise<object>"))
@example(("(a: void) => Wide", "(a: Level) => Wide"))
@given(pairs())
def test_what_costs_little_passes_early(pair: tuple[str, str]) -> None:
    relation, found, asked = posed(*pair)
    ready = asked_for(asked, relation.reducer)
    verdict = Matcher(relation).match(found, ready)
    if isinstance(verdict, Fit):
        due = next(
            tier
            for tier, ceiling in enumerate(TIER_CEILINGS)
            if ceiling is None or verdict.cost <= ceiling
        )
        assert lowest_tier(*masks(relation, found, asked)) <= due, (pair, verdict)


@pytest.mark.parametrize(
    ("found", "asked", "tier"),
    [
        pytest.param("(a: string) => number", "(a: string) => number", 0, id="itself"),
        pytest.param("(a: string, b: 1) => void", "(b: 1, a: string) => void", 1, id="swapped"),
        pytest.param("() => Promise<number>", "() => number", 1, id="awaited"),
        pytest.param("(a: number[]) => void", "(a: readonly number[]) => void", 1, id="copied"),
        pytest.param("(a: string[]) => void", "<T>(a: T[]) => void", 2, id="made concrete"),
        pytest.param("(a: 1, b: string) => void", "(b: string) => void", 2, id="supplied"),
        pytest.param("() => string", "(a: string) => string", 0, id="fewer parameters"),
        pytest.param("(a: { id: 1 }) => 1", "(a: string, b: string) => 1", 3, id="nothing placed"),
        pytest.param("() => string", "() => number", LAST_TIER + 1, id="another result"),
        pytest.param("<T extends Item>(a: T) => void", "(a: string) => void", 3, id="bound"),
    ],
)
def test_the_filters_drop_what_cannot_fit(found: str, asked: str, tier: int) -> None:
    assert lowest_tier(*masks(*posed(found, asked))) == tier
