"""The law of the filters, on their SQL: what a tier's ceiling admits, its condition selects."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import pytest
from hypothesis import example, given

from index.filter_reference import lowest_tier, passes_as_overload, signature_masks
from index.filter_table import FilterTable
from index.functions import DECLARES, pairs
from match.texts import read_cases, relation_for
from typematch.index.masks.query_masks import query_masks
from typematch.index.masks.sql_filters import LAST_TIER, MISFITS
from typematch.index.masks.type_masks import TypeMasks
from typematch.ir.types import Object, Type
from typematch.match.assignability.relation import Relation
from typematch.match.edit_kinds import TIER_CEILINGS
from typematch.match.edits.matcher import Matcher
from typematch.match.edits.query_signature import prepare_query
from typematch.match.verdict import Fit


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FilterTable]:
    opened = FilterTable(tmp_path_factory.mktemp("filters") / "t.db")
    yield opened
    opened.close()


@lru_cache(maxsize=500)
def read_pair(candidate: str, query: str) -> tuple[Relation, Object, Object]:
    relation, source, target = relation_for(candidate, query, DECLARES)
    assert isinstance(source, Object)
    assert isinstance(target, Object)
    return relation, source, target


def tier_of(table: FilterTable, relation: Relation, candidate: Object, query: Object) -> int:
    return table.lowest_tier(candidate, query, relation.reducer.declarations)


def is_selected_as_overload(
    table: FilterTable, relation: Relation, candidate: Object, query: Object
) -> bool:
    return table.passes_as_overload(candidate, query, relation.reducer.declarations)


@example(pair=("(a: Record<'b', Item>) => void", "(a: Record<string, Item>) => void"))
@given(pair=pairs())
def test_an_assignable_function_is_in_tier_0(table: FilterTable, pair: tuple[str, str]) -> None:
    relation, candidate, query = read_pair(*pair)
    if relation.assign_signature(candidate.calls[0], query.calls[0]):
        assert tier_of(table, relation, candidate, query) == 0, pair


@pytest.mark.parametrize("name", ["plain", "functions", "objects", "computed"])
def test_the_functions_of_assignable_cases_are_in_tier_0(table: FilterTable, name: str) -> None:
    checked = 0
    for case in read_cases(name):
        relation, candidate, query = relation_for(case.source, case.target, case.declares)
        if not (case.fits and _has_one_call(candidate) and _has_one_call(query)):
            continue
        assert isinstance(candidate, Object)
        assert isinstance(query, Object)
        assert tier_of(table, relation, candidate, query) == 0, case
        checked += 1
    assert name != "functions" or checked > 30


def _has_one_call(t: Type) -> bool:
    return isinstance(t, Object) and len(t.calls) == 1 and not t.properties


@example(pair=("(...rest: (string)[]) => string", "<T>(...rest: (T)[]) => number"))
@given(pair=pairs())
def test_the_overload_that_makes_a_function_assignable_is_selected(
    table: FilterTable, pair: tuple[str, str]
) -> None:
    relation, candidate, query = read_pair(*pair)
    # The second overload accepts hardly any call, so the first one must be the reason.
    _, other, _ = relation_for("(a: 'none', b: 'none', c: 'none', d: 'none') => never", "string")
    assert isinstance(other, Object)
    if relation.assign(Object(calls=other.calls * 2), query):
        return  # the query accepts any function; beside overloads ``T`` is any
    if relation.assign(Object(calls=(*candidate.calls, *other.calls)), query):
        assert is_selected_as_overload(table, relation, candidate, query), pair


def test_an_overload_whose_result_is_any_once_erased_is_selected(table: FilterTable) -> None:
    pair = read_pair("<T>(a: T[]) => T | undefined", "(a: string[]) => Date")
    assert tier_of(table, *pair) > 0
    assert is_selected_as_overload(table, *pair)


@example(pair=("() => string", "(...rest: (string)[]) => () => Handler"))
@example(pair=("(a: unknown) => asserts a", "() => Promise<object>"))
@example(pair=("(a: void) => Wide", "(a: Level) => Wide"))
@given(pair=pairs())
def test_a_fit_is_selected_by_the_tier_of_its_cost(
    table: FilterTable, pair: tuple[str, str]
) -> None:
    relation, candidate, query = read_pair(*pair)
    verdict = Matcher(relation).match(candidate, prepare_query(query, relation.reducer))
    if isinstance(verdict, Fit):
        admitting = next(
            tier
            for tier, ceiling in enumerate(TIER_CEILINGS)
            if ceiling is None or verdict.cost <= ceiling
        )
        assert tier_of(table, relation, candidate, query) <= admitting, (pair, verdict)


@given(pair=pairs())
def test_the_sql_agrees_with_the_reference(table: FilterTable, pair: tuple[str, str]) -> None:
    relation, candidate, query = read_pair(*pair)
    declarations = relation.reducer.declarations
    masks = signature_masks(candidate, TypeMasks(declarations)), query_masks(query, declarations)
    assert tier_of(table, relation, candidate, query) == lowest_tier(*masks)
    selected = is_selected_as_overload(table, relation, candidate, query)
    assert selected == passes_as_overload(*masks)


@pytest.mark.parametrize(
    ("candidate", "query", "tier"),
    [
        pytest.param("(a: string) => number", "(a: string) => number", 0, id="the same type"),
        pytest.param("(a: string, b: 1) => void", "(b: 1, a: string) => void", 1, id="reordered"),
        pytest.param("() => Promise<number>", "() => number", 1, id="awaited"),
        pytest.param("(a: number[]) => void", "(a: readonly number[]) => void", 1, id="copied"),
        pytest.param("(a: string[]) => void", "<T>(a: T[]) => void", 2, id="specialised"),
        pytest.param("(a: 1, b: string) => void", "(b: string) => void", 2, id="supplied"),
        pytest.param("() => string", "(a: string) => string", 0, id="fewer parameters"),
        pytest.param(
            "(a: { id: 1 }) => 1", "(a: string, b: string) => 1", 3, id="no argument fits"
        ),
        pytest.param("() => string", "() => number", MISFITS, id="another result"),
        pytest.param(
            "<T extends Item>(a: T) => void", "(a: string) => void", 3, id="constraint violated"
        ),
    ],
)
def test_the_tier_of_a_pair(table: FilterTable, candidate: str, query: str, tier: int) -> None:
    assert tier_of(table, *read_pair(candidate, query)) == tier


def test_misfits_come_after_the_last_tier() -> None:
    assert MISFITS == LAST_TIER + 1 == len(TIER_CEILINGS)
