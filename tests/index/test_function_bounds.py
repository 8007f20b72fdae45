"""The law of the bounds over arrays: never above the cost of a fit."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from index.function_table import FunctionTable
from index.functions import DECLARES, pairs
from match.texts import read_cases, relation_for
from typematch.ir.types import Object, Type
from typematch.match.assignability.relation import Relation
from typematch.match.edit_kinds import IS_ANY, MISMATCHED
from typematch.match.edits.matcher import Matcher
from typematch.match.edits.query_signature import to_query_signature
from typematch.match.strictness import Strictness
from typematch.match.verdict import NO_FIT_COST, Fit, Misfit, lower_bound


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FunctionTable]:
    opened = FunctionTable(tmp_path_factory.mktemp("bounds") / "t.db")
    yield opened
    opened.close()


@lru_cache(maxsize=500)
def read_pair(candidate: str, query: str) -> tuple[Relation, Object, Object]:
    relation, source, target = relation_for(candidate, query, DECLARES)
    assert isinstance(source, Object)
    assert isinstance(target, Object)
    return relation, source, target


def bound(table: FunctionTable, relation: Relation, candidate: Object, query: Object) -> int:
    return table.bound(candidate, query, relation.reducer.declarations)


@example(pair=("(a: Record<'b', Item>) => void", "(a: Record<string, Item>) => void"))
@given(pair=pairs())
def test_an_assignable_function_may_be_assignable(
    table: FunctionTable, pair: tuple[str, str]
) -> None:
    relation, candidate, query = read_pair(*pair)
    if relation.assign_signature(candidate.calls[0], query.calls[0]):
        assert table.may_be_assignable(candidate, query, relation.reducer.declarations), pair


@pytest.mark.parametrize(
    ("name", "least_checked"), [("plain", 2), ("functions", 50), ("computed", 20)]
)
def test_the_functions_of_assignable_cases_may_be_assignable(
    table: FunctionTable, name: str, least_checked: int
) -> None:
    checked = 0
    for case in read_cases(name):
        relation, candidate, query = relation_for(case.source, case.target, case.declares)
        if not (case.fits and _has_one_call(candidate) and _has_one_call(query)):
            continue
        assert isinstance(candidate, Object)
        assert isinstance(query, Object)
        assert table.may_be_assignable(candidate, query, relation.reducer.declarations), case
        checked += 1
    assert checked >= least_checked


def _has_one_call(t: Type) -> bool:
    return isinstance(t, Object) and len(t.calls) == 1 and not t.properties


@example(pair=("(...rest: (string)[]) => string", "<T>(...rest: (T)[]) => number"))
@example(pair=("<T>() => () => Maybe<T>", "() => () => string"))
@given(pair=pairs())
def test_the_overload_that_makes_a_function_assignable_may_be_assignable(
    table: FunctionTable, pair: tuple[str, str]
) -> None:
    relation, candidate, query = read_pair(*pair)
    # The second overload accepts hardly any call, so the first one must be the reason.
    _, other, _ = relation_for("(a: 'none', b: 'none', c: 'none', d: 'none') => never", "string")
    assert isinstance(other, Object)
    if relation.assign(Object(calls=other.calls * 2), query):
        return  # the query accepts any function; beside overloads ``T`` is any
    if relation.assign(Object(calls=(*candidate.calls, *other.calls)), query):
        declarations = relation.reducer.declarations
        assert table.may_be_assignable(candidate, query, declarations, erased=True), pair


def test_an_overload_whose_result_is_any_once_erased_may_be_assignable(
    table: FunctionTable,
) -> None:
    relation, candidate, query = read_pair("<T>(a: T[]) => T | undefined", "(a: string[]) => Date")
    declarations = relation.reducer.declarations
    assert not table.may_be_assignable(candidate, query, declarations)
    assert table.may_be_assignable(candidate, query, declarations, erased=True)


def test_a_computed_result_that_may_be_never_may_be_assignable(table: FunctionTable) -> None:
    relation, candidate, query = read_pair("<T>(a: T[]) => Choice<T>", "(a: never[]) => string")
    assert relation.assign_signature(candidate.calls[0], query.calls[0])
    assert table.may_be_assignable(candidate, query, relation.reducer.declarations)


@example(pair=("() => Choice<never>", "() => never"))
@example(pair=("() => string", "(...rest: (string)[]) => () => Handler"))
@example(pair=("() => string", "(a: string, ...rest: (string)[]) => asserts a"))
@example(pair=("() => never", "(a: Item, ...rest: string[]) => string"))
@example(pair=("(a?: string, b?: Item, c?: string) => Item", "(a: Item, b: string) => Item"))
@example(pair=("<T>(a: T) => (T | undefined)[]", "(a: any) => string[]"))
@example(pair=("<T>(a: T) => Promise<T | undefined>", "(a: any) => Promise<string>"))
@example(pair=("(a: unknown) => asserts a", "() => Promise<object>"))
@example(pair=("(a: void) => Wide", "(a: Level) => Wide"))
@example(pair=("<T extends string>(a: T) => T[]", "<U>(a: U) => U[]"))
@example(pair=("(a?: Item) => void", "(a: Item | undefined) => void"))
@example(pair=("<T>(a: T) => Promise<(T | null)[]>", "(a: string) => Promise<string[]>"))
@example(pair=("(...rest: string[]) => string", "(a: Promise<readonly string[]>) => string"))
@example(pair=("<T>(a: T, ...rest: T[]) => T[]", "(a: string, b: string[]) => string[]"))
@example(pair=("(a: string, b: void) => string", "(a: string) => string"))
@example(
    pair=(
        "<T>(a: T[]) => Iterator<number>",
        "<O extends object>(a: O) => { [K in keyof O]: [K, O[K]] }[keyof O][]",
    )
)
@given(pair=pairs())
def test_the_bounds_are_at_most_the_cost(table: FunctionTable, pair: tuple[str, str]) -> None:
    relation, candidate, query = read_pair(*pair)
    matcher = Matcher(relation)
    prepared = to_query_signature(query, relation.reducer)
    verdict = matcher.match(candidate, prepared)
    if isinstance(verdict, Fit):
        assert bound(table, relation, candidate, query) <= verdict.cost, (pair, verdict)
        refined = matcher.lower_bounds.lower_bound(candidate, prepared)
        assert refined is not None, (pair, verdict)
        assert refined <= verdict.cost, (pair, verdict)


@given(pair=pairs(), at_most=st.integers(0, 310))
def test_a_limited_bound_is_the_bound_or_lies_between_limit_and_bound(
    pair: tuple[str, str], at_most: int
) -> None:
    relation, candidate, query = read_pair(*pair)
    prepared = to_query_signature(query, relation.reducer, ("T",))
    limited = Matcher(relation).lower_bounds.lower_bound(candidate, prepared, at_most=at_most)
    final = Matcher(relation).lower_bounds.lower_bound(candidate, prepared)
    if limited is None or limited <= at_most:
        assert limited == final, pair
    else:
        assert final is None or limited <= final, pair


def described(fit: Fit) -> tuple[list[str], tuple[int, ...]]:
    """Return what a fit says; its variables are new ones in each."""
    return [edit.describe() for edit in fit.edits], fit.assignment


@example(
    pair=(
        "<T extends number, U extends T[]>(a: T) => a is any",
        "<T extends string | number, U extends T[]>(a: T) => a is any",
    ),
    ceiling=30,
)
@example(pair=("<T>() => string", "<T>() => Awaited<string>"), ceiling=0)
@given(pair=pairs(), ceiling=st.integers(0, 310))
def test_the_bound_of_a_verdict_under_a_ceiling_is_at_most_the_cost(
    pair: tuple[str, str], ceiling: int
) -> None:
    relation, candidate, query = read_pair(*pair)
    prepared = to_query_signature(query, relation.reducer)
    verdict = Matcher(relation).match(candidate, prepared)
    limited = Matcher(relation).match(candidate, prepared, ceiling=ceiling)
    if isinstance(verdict, Fit) and verdict.cost > ceiling:
        assert isinstance(limited, Misfit), (pair, limited)
        assert ceiling < lower_bound(limited) <= verdict.cost, (pair, limited)
    elif isinstance(verdict, Fit):
        assert isinstance(limited, Fit), (pair, limited)
        assert described(limited) == described(verdict), pair
    else:
        assert not isinstance(limited, Fit), (pair, limited)


@example(pair=("(...rest: (number)[]) => string", "(...rest: (number)[]) => number"))
@example(pair=("() => Maybe<string>[]", "() => undefined[]"))
@example(pair=("() => any", "() => NonNullable<null>"))
@given(pair=pairs())
def test_the_bounds_of_misfits_are_at_most_the_cost(
    table: FunctionTable, pair: tuple[str, str]
) -> None:
    relation, candidate, query = read_pair(*pair)
    matcher = Matcher(relation, Strictness.LOOSE)
    verdict = matcher.match(candidate, to_query_signature(query, relation.reducer))
    if isinstance(verdict, Fit):
        declarations = relation.reducer.declarations
        least = table.bound(candidate, query, declarations, mismatch=MISMATCHED.cost)
        assert least <= verdict.cost, (pair, verdict)


@pytest.mark.parametrize(
    ("candidate", "query", "least"),
    [
        pytest.param("(a: string) => number", "(a: string) => number", 0, id="the same type"),
        pytest.param("(a: string, b: 1) => void", "(b: 1, a: string) => void", 30, id="reordered"),
        pytest.param("() => Promise<number>", "() => number", 60, id="awaited"),
        pytest.param("(a: number[]) => void", "(a: readonly number[]) => void", 20, id="copied"),
        pytest.param("(a: string[]) => void", "<T>(a: T[]) => void", 200, id="specialised"),
        pytest.param("<T extends 1>(a: T) => void", "<T>(a: T) => void", 20, id="constrained"),
        pytest.param("(a: 1, b: string) => void", "(b: string) => void", 300, id="supplied"),
        pytest.param("(a: 1, b: 2) => void", "() => void", 420, id="two supplied, or packed"),
        pytest.param("() => string", "(a: string) => string", 420, id="argument unused"),
        pytest.param("(a?: string) => void", "(a: string) => void", 3, id="optional"),
        pytest.param("(a: any) => void", "(a: string) => void", 420, id="accepts anything"),
        pytest.param("<T>(a: T) => void", "(a: string) => void", 420, id="accepts any type"),
        pytest.param("<T>(a: T) => T", "(a: string) => string", 25, id="type parameter"),
        pytest.param("() => any", "() => string", IS_ANY.cost, id="result is any"),
        pytest.param("() => any", "() => void", IS_ANY.cost, id="any for void"),
        pytest.param("() => string", "() => void", 4, id="more specific than void"),
        pytest.param("<T>(a: T[]) => T", "(a: void[]) => void", 0, id="void for a type parameter"),
        pytest.param("() => string", "() => number", NO_FIT_COST, id="another result"),
        pytest.param("() => Item", "() => Promise<string>", NO_FIT_COST, id="nothing to wrap"),
        pytest.param("() => string", "() => Promise<string>", 60, id="wrapped"),
        pytest.param("() => string | undefined", "() => string", 60, id="undefined checked"),
        pytest.param("() => Set<string>", "() => string[]", 40, id="collected"),
        pytest.param("(f: () => string) => void", "(a: string) => void", 60, id="as a thunk"),
        pytest.param("(o: { b?: 1 }) => void", "(a: string) => void", 420, id="weak type"),
        pytest.param("(o: { b?: 1 }) => void", "(a: { b: 1 }) => void", 0, id="shared property"),
        pytest.param("(o?: { b?: 1 }) => void", "(a: number) => void", 420, id="optional, weak"),
        pytest.param("() => Item", "() => { [key: string]: string }", NO_FIT_COST, id="no index"),
        pytest.param(
            "(f: () => number) => void", "(f: () => string) => void", 420, id="result of a callback"
        ),
        pytest.param(
            "(f: (a: 1) => void) => void",
            "(f: (a: 1, b: 2) => void) => void",
            420,
            id="arity of a callback",
        ),
        pytest.param(
            "<K, T extends K[keyof K] & string>(a: T) => T",
            "(a: true) => boolean",
            4,
            id="an intersection with a type that may be any",
        ),
        pytest.param(
            "<K, T extends Maybe<K[keyof K]> & string>(a: T) => T",
            "(a: true) => boolean",
            4,
            id="an intersection with an alias of one",
        ),
        pytest.param(
            "<K>(a: Maybe<keyof K> & string) => void",
            "(a: true) => void",
            420,
            id="an intersection with a type that is never any",
        ),
        pytest.param(
            "<T extends {}>(a: T) => Flat<ValueOf<{ [K in TextKeys<T>]-?: [K, T[K]] }>>[]",
            "<T>(a: Iterable<T>) => T[]",
            4,
            id="an access of a type mapped over unknown keys",
        ),
        pytest.param(
            "<T>(a: T) => Choice<T>", "(a: Item) => string", 25 + IS_ANY.cost, id="no branch fits"
        ),
        pytest.param("<T>(a: T) => Choice<T>", "(a: Item) => Date", 25, id="a branch fits"),
        pytest.param("<T>(a: T) => Choice<T>", "(a: 1) => 1[]", 25 + 40, id="collected branch"),
        pytest.param(
            "<T extends keyof Choices>(a: T) => Choices[T]",
            "(a: string) => string",
            IS_ANY.cost + 4,
            id="no property fits",
        ),
        pytest.param(
            "<T extends { b: unknown }>(a: T) => (T & { a: Date })['b']",
            "(a: { b: string }) => string",
            4,
            id="a property of a type that is not known",
        ),
        pytest.param(
            "<K extends string>(a: K) => { [P in K]: Date }",
            "(a: string) => number",
            NO_FIT_COST,
            id="a mapped type is an object",
        ),
        pytest.param("(...a: [x: 1, y: 2]) => void", "() => void", 420, id="rest tuple supplied"),
        pytest.param("(...a: [x: string]) => void", "(a: 1) => void", 420, id="rest tuple element"),
    ],
)
def test_the_bound_of_a_pair(table: FunctionTable, candidate: str, query: str, least: int) -> None:
    assert bound(table, *read_pair(candidate, query)) == least
