"""Matching with edits: each edit with its cost and sentence, and laws that hold for all of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import permutations

import pytest

from match.texts import read_cases, relation_for
from typematch.ir.lift import close_over_container
from typematch.ir.type_parts import Parameter, Signature
from typematch.ir.types import NUMBER, Object, Var
from typematch.match import edit_kinds as edits
from typematch.match.edit_kinds import EditKind
from typematch.match.edits.matcher import Matcher
from typematch.match.edits.query_signature import to_query_signature
from typematch.match.prefilter.relation_pool import RelationPool
from typematch.match.strictness import Strictness
from typematch.match.verdict import Fit, Misfit, Undecided, Verdict, lower_bound


def match(
    candidate: str,
    query: str,
    declares: str = "",
    strictness: Strictness = Strictness.WITH_EDITS,
    *,
    ceiling: int | None = None,
) -> tuple[Verdict, int | None]:
    """Return the verdict and the lower bound of matching ``candidate`` against ``query``."""
    relation, source, target = relation_for(candidate, query, declares)
    assert isinstance(source, Object)
    assert isinstance(target, Object)
    matcher = Matcher(relation, strictness, RelationPool(relation.reducer.declarations).head_cache)
    prepared = to_query_signature(target, relation.reducer, ("T", "U"))
    verdict = matcher.match(source, prepared, ceiling=ceiling)
    return verdict, matcher.lower_bounds.lower_bound(source, prepared)


# (candidate, query, the edits that cost something, the total cost)
EDITS: list[tuple[str, str, list[EditKind], int]] = [
    ("(s: string) => number", "(s: string) => number", [], 0),
    ("<A>(x: A[]) => A", "<T>(x: T[]) => T", [], 0),
    ("(s: string, n?: number) => void", "(s: string) => void", [], 0),
    ("(s: string | number) => void", "(s: string) => void", [edits.WIDER_PARAMETER], 5),
    ("(s: string) => 'a'", "(s: string) => string", [edits.NARROWER_RESULT], 4),
    ("<A>(x: A[]) => A", "(x: string[]) => string", [edits.INSTANTIATED], 2),
    ("<A, B>(x: A[], y: B) => B", "<T>(x: T[], y: T) => T", [edits.INSTANTIATED], 2),
    ("() => readonly string[]", "() => string[]", [edits.READONLY_COPIED], 20),
    ("() => readonly (readonly [1])[]", "() => [1][]", [edits.READONLY_COPIED], 20),
    (
        "() => Promise<Record<string, readonly string[]>>",
        "() => Promise<Record<string, string[]>>",
        [edits.READONLY_COPIED, edits.ALIAS_FOLLOWED],
        22,
    ),
    ("() => readonly 1[] & { 0: 1 }", "() => 1[]", [edits.READONLY_COPIED], 20),
    ("() => (x: 1) => readonly 1[]", "() => (x: 1) => 1[]", [edits.READONLY_COPIED], 20),
    # Overload sets are compared with any for T; an overload that fits alone gives its result.
    (
        "(n: 1) => { (s: string): string; <A>(xs: readonly A[]): A[] }",
        "<T>(n: 1) => (xs: T[]) => T[][]",
        [edits.CONTAINS_ANY],
        100,
    ),
    (
        "(n: 1) => { (s: string): string[]; <A>(xs: readonly A[]): A[][] }",
        "<T>(n: 1) => (xs: T[]) => T[][]",
        [edits.NARROWER_RESULT],
        4,
    ),
    # With any for N and A the result would be { [K in any]: ... }, which is uninformative.
    (
        "<N extends string, A>(name: N, a: A) => (b: A) => { [K in N | keyof A]: 1 }[]",
        "<N extends string, A>(a: A, name: N) => (b: A) => { [K in N | keyof A]: 1 }[]",
        [edits.ORDER_CHANGED],
        30,
    ),
    # Compared by the type arguments of the alias.
    ("(x: Record<'a', 1>) => 2", "(x: Record<string, 1>) => 2", [edits.ALIAS_FOLLOWED], 2),
    ("(x: [1, ...1[]]) => void", "(x: 1[]) => void", [edits.NOT_EMPTY], 50),
    ("(x: () => Date) => void", "(x: Date) => void", [edits.PASSED_AS_THUNK], 60),
    (
        "<T extends object>(x: T) => T[]",
        "<T>(x: T) => T[]",
        [edits.CONSTRAINED],
        20,
    ),
    (
        "(x: string, options?: { size?: number; deep?: boolean }) => void",
        "(x: string, size: number) => void",
        [edits.PACKED, edits.OPTIONAL_SUPPLIED, edits.WIDER_PARAMETER],
        428,
    ),
    (
        "(x: string, options: { size: number; deep: boolean }) => void",
        "(x: string, size: number, deep: boolean) => void",
        [edits.PACKED],
        440,
    ),
    ("(a: string, b: number) => void", "(b: number, a: string) => void", [edits.ORDER_CHANGED], 30),
    ("() => Set<string>", "() => string[]", [edits.ITERABLE_COLLECTED], 40),
    ("(s: string) => void", "(s?: string) => void", [edits.OPTIONAL_REQUIRED], 50),
    ("() => string | number", "() => string", [edits.UNION_MEMBER], 50),
    ("() => Promise<string>", "() => string", [edits.AWAITED], 60),
    ("() => string", "() => Promise<string>", [edits.WRAPPED], 60),
    ("() => string | undefined", "() => string", [edits.UNDEFINED_CHECKED], 60),
    ("(x: any[]) => string", "(x: string[]) => string", [edits.CONTAINS_ANY], 100),
    ("(x: string[]) => string", "<T>(x: T[]) => T", [edits.SPECIALISED], 200),
    ("(s: string, b: Date) => void", "(s: string) => void", [edits.ARGUMENT_SUPPLIED], 300),
    ("(this: Date, s: string) => void", "(s: string) => void", [edits.ARGUMENT_SUPPLIED], 300),
    ("(s: string) => void", "(s: string, n: number) => void", [edits.ARGUMENT_UNUSED], 1000),
    ("(x: any) => string", "(x: string) => string", [edits.IS_ANY], 5000),
    ("() => any", "() => string", [edits.IS_ANY], 5000),
    ("() => () => any", "() => () => string", [edits.CONTAINS_ANY], 100),
    ("(x?: string) => void", "(x: string) => void", [edits.OPTIONAL_SUPPLIED], 3),
    ("<T>() => T", "() => string", [edits.UNINFERRED], 60),
    ("<T = string>() => T", "() => string", [edits.INSTANTIATED], 2),
]


@pytest.mark.parametrize(("candidate", "query", "kinds", "cost"), EDITS)
def test_an_edit_has_its_cost_and_sentence(
    candidate: str, query: str, kinds: list[EditKind], cost: int
) -> None:
    verdict, bound = match(candidate, query)
    assert isinstance(verdict, Fit), verdict
    assert [edit.kind for edit in verdict.edits if edit.cost] == kinds
    assert verdict.cost == cost == sum(edit.cost for edit in verdict.edits)
    assert all(edit.sentence for edit in verdict.edits)
    assert not any("{a}" in edit.sentence or "{b}" in edit.sentence for edit in verdict.edits)
    assert bound is not None
    assert bound <= cost


def test_a_result_with_any_is_free_if_the_query_means_the_same_type() -> None:
    rows = "interface Rows<R = any> { all: R[] } interface Page { all: string[] }"
    same, _ = match("() => Promise<Rows<any>>", "() => Promise<Rows>", rows)
    assert isinstance(same, Fit)
    assert [edit.kind for edit in same.edits] == [edits.ALIAS_FOLLOWED]
    other, _ = match("() => Rows", "() => Page", rows)
    assert isinstance(other, Fit)
    assert [edit.kind for edit in other.edits] == [edits.CONTAINS_ANY]


# As fp-ts declares it: modules add members to ``Kinds``.
_KIND = (
    "interface Kinds<A> {}"
    "type Kind<F extends keyof Kinds<any>, A> = F extends keyof Kinds<any> ? Kinds<A>[F] : any;"
)
_MAPPED = "fa: Kind<F, A>", "f: (a: A) => B", "g: (b: B) => A"


@pytest.mark.parametrize("order", list(permutations(range(3))))
@pytest.mark.parametrize("ceiling", [None, 30, 29])
def test_all_orders_of_three_arguments_are_tried(
    order: tuple[int, ...], ceiling: int | None
) -> None:
    def signature(parameters: Iterable[str]) -> str:
        return f"<F extends keyof Kinds<any>, A, B>({', '.join(parameters)}) => Kind<F, B>"

    query = signature(_MAPPED[index] for index in order)
    verdict, bound = match(signature(_MAPPED), query, _KIND, ceiling=ceiling)
    cost = 0 if order == (0, 1, 2) else 30
    found = verdict.cost if isinstance(verdict, Fit) else None
    assert found == (cost if ceiling is None or cost <= ceiling else None)
    assert bound is not None
    assert bound <= cost


FUNCTIONS = sorted(
    {
        text
        for name in ("functions", "plain")
        for case in read_cases(name)
        for text in (case.source, case.target)
        if not case.declares and text.startswith(("(", "<")) and " => " in text
    }
)


def _has_one_call(text: str) -> bool:
    _, source, _ = relation_for(text, text)
    return isinstance(source, Object) and len(source.calls) == 1


@pytest.mark.parametrize("text", [text for text in FUNCTIONS if _has_one_call(text)])
def test_a_function_fits_itself_for_free(text: str) -> None:
    verdict, bound = match(text, text)
    assert isinstance(verdict, Fit), verdict
    # Only a bare type parameter is charged, because it accepts any type.
    assert verdict.cost <= edits.ACCEPTS_ANY_TYPE.cost
    assert bound is not None
    assert bound <= verdict.cost


ACCEPTED = [
    (case.source, case.target, case.declares)
    for name in ("functions", "plain")
    for case in read_cases(name)
    if case.fits
    and case.target.startswith(("(", "<"))
    and case.source.startswith(("(", "<"))
    and " => " in case.source
    and " => " in case.target
    and " asserts " not in case.target  # a query for an assertion matches only assertions
]


@pytest.mark.parametrize(("candidate", "query", "declares"), ACCEPTED)
def test_a_function_that_the_compiler_accepts_is_a_soft_fit(
    candidate: str, query: str, declares: str
) -> None:
    relation, source, target = relation_for(candidate, query, declares)
    if not (isinstance(source, Object) and isinstance(target, Object)):
        return
    if len(source.calls) != 1 or len(target.calls) != 1:
        return
    verdict, bound = match(candidate, query, declares)
    assert isinstance(verdict, Fit), verdict
    assert bound is not None
    assert bound <= verdict.cost
    assert relation.assign(source, target)


_MIXIN = """
type New<T> = new (...args: any[]) => T;
interface Named { name: string }
declare class Node { kind: number }
declare const LeafBase: New<Named> & typeof Node;
declare class Leaf extends LeafBase { text: string }
"""


@pytest.mark.parametrize(
    ("query", "bound"),
    [
        ("(x: string) => { name: string; kind: number; text: string }", 2),
        ("(x: string) => { absent: string }", None),
        ("(x: string) => Promise<number>", None),
    ],
)
def test_the_members_of_a_mixin_bound_the_cost_of_its_class(query: str, bound: int | None) -> None:
    _, least = match("(x: string) => Leaf", query, _MIXIN)
    assert least == bound


def test_queries_of_one_search_have_bounds_of_their_own() -> None:
    relation, candidate, target = relation_for("(x: number) => string", "() => string")
    assert isinstance(candidate, Object)
    assert isinstance(target, Object)
    query = to_query_signature(target, relation.reducer)
    bounds = Matcher(relation).lower_bounds
    assert bounds.lower_bound(candidate, query) == 300
    # `(...) => string`: the final `...` is not a part of the signature.
    assert bounds.lower_bound(candidate, replace(query, allows_more=True)) == 0


def test_a_misfit_over_the_ceiling_holds_a_lower_bound() -> None:
    relation, source, target = relation_for("() => Promise<string>", "() => string")
    assert isinstance(source, Object)
    assert isinstance(target, Object)
    matcher = Matcher(relation)
    prepared = to_query_signature(target, relation.reducer)
    verdict = matcher.match(source, prepared, ceiling=19)
    assert isinstance(verdict, Misfit)
    assert (verdict.code, verdict.source) == ("over-ceiling", 60)
    assert matcher.match(source, prepared, ceiling=60) == matcher.match(source, prepared)


@pytest.mark.parametrize("ceiling", [0, 5, 19, 20, 32, 60, 79, 99, 120, 201])
@pytest.mark.parametrize(
    ("candidate", "query"),
    [
        # In the query's order the first parameter accepts anything: dearer than to skip it.
        ("(x?: unknown, y?: string) => void", "(a: string) => void"),
        ("<A>(x?: A, y?: string) => void", "(a: string) => void"),
        ("(x: any, y: string) => void", "(a: string, b: 1) => void"),
        ("<A, B>(x: A) => B[]", "(a: string) => 1[]"),
        ("<A, B>(x: A, y: B) => Promise<A & B>", "<T>(a: T, b: T) => T"),
        ("() => Promise<string | undefined>", "() => string"),
        ("(x: string[]) => void", "(a?: Promise<readonly string[]>) => void"),
        ("<A>(x: A[]) => Promise<A>", "(a: readonly string[]) => string"),
        # As a whole it costs less than without the rest parameter.
        ("(x: string, ...y: string[]) => number", "(a: string, ...b: string[]) => number"),
        ("<A extends 1[]>(x: string, ...y: A) => number", "(a: string, ...b: 1[]) => number"),
        ("() => number", "(...a: number[]) => number"),
        ("(x: number) => number", "(...a: number[]) => number"),
        # The variable of an optional argument may stand for undefined.
        ("<A>(x: A) => x is A & (null | undefined)", "<T extends { a: any }>(x?: T) => boolean"),
        # Computed from type parameters, with and without `any` for these.
        (
            "<K extends keyof U, U>(k: K, u: U) => U[K] extends (infer V)[] ? V[] : [U]",
            "(a: string, b: number) => string[]",
        ),
        (
            "(x: { [k: string]: string | number }) => (string | number)[]",
            "<T extends object>(a: T) => Array<keyof T>",
        ),
        # With `any` for A the parameter is never: nothing seems to fit.
        ("<A>(x: 0 extends 1 & A ? never : A) => A", "(a: string) => string"),
    ],
)
def test_a_misfit_under_any_ceiling_holds_a_lower_bound(
    candidate: str, query: str, ceiling: int
) -> None:
    relation, source, target = relation_for(candidate, query)
    assert isinstance(source, Object)
    assert isinstance(target, Object)
    matcher = Matcher(
        relation, Strictness.WITH_EDITS, RelationPool(relation.reducer.declarations).head_cache
    )
    prepared = to_query_signature(target, relation.reducer, ("T",))
    limited = matcher.match(source, prepared, ceiling=ceiling)
    fit = matcher.match(source, prepared)
    assert isinstance(fit, Fit)
    if fit.cost <= ceiling:
        assert limited == fit
    else:
        assert isinstance(limited, Misfit)
        assert ceiling < lower_bound(limited) <= fit.cost


@pytest.mark.parametrize("ceiling", [0, 19, 20, 24])
def test_a_parameter_computed_from_a_class_type_parameter_is_not_bounded_by_any(
    ceiling: int,
) -> None:
    relation, source, target = relation_for(
        "<A>(x: { [K in keyof A]?: A[K] extends object ? 1 : A[K] } | [string, any]) => number",
        "(a: number[]) => number",
    )
    assert isinstance(source, Object)
    assert isinstance(target, Object)
    prepared = to_query_signature(target, relation.reducer)
    matcher = Matcher(
        relation, Strictness.WITH_EDITS, RelationPool(relation.reducer.declarations).head_cache
    )
    limited = matcher.match(source, prepared, ceiling=ceiling, outer_count=1)
    fit = matcher.match(source, prepared, outer_count=1)
    assert isinstance(fit, Fit)
    assert isinstance(limited, Misfit)
    assert ceiling < lower_bound(limited) <= fit.cost == 25


@pytest.mark.parametrize(
    ("parameter", "argument", "cost"),
    [
        ("OneOf<T>", "ArrayLike<any>", 33),
        ("Named<T>", "ArrayLike<any>", 32),
        ("Renamed<T>", "ArrayLike<any>", 32),
        ("WithPart<T>", "{ part: ArrayLike<any> }", 31),
    ],
)
def test_an_alias_of_types_computed_from_variables_is_not_expanded_with_any(
    parameter: str, argument: str, cost: int
) -> None:
    declarations = """
        type Part<T> = { [K in keyof T]?: T[K] extends object ? object : T[K] };
        type OneOf<T> = ((value: T) => {}) | string | Part<T>;
        type Named<T> = { part: Part<T> } | Part<T>;
        type Renamed<T> = Named<T>;
        type WithPart<T> = { part: Part<T> };
    """
    candidate = f"<T>(value: T, x: {parameter}) => number"
    verdict, bound = match(candidate, f"(f: Function, a: {argument}) => number", declarations)
    assert isinstance(verdict, Fit), verdict
    assert verdict.cost == cost
    assert bound is not None
    assert bound <= cost


def test_a_variadic_rest_parameter_is_an_array_once_erased() -> None:
    candidate = "<T extends any[]>(f: (...a: T) => void, ...a: [...T]) => void"
    verdict, bound = match(candidate, "(f: (n: number) => void, n: number) => void")
    assert isinstance(verdict, Fit), verdict
    assert bound is not None
    assert bound <= verdict.cost


def test_a_class_type_parameter_in_the_result_is_charged() -> None:
    relation, _, query = relation_for("string", "(n: number) => string")
    assert isinstance(query, Object)
    member = Object(calls=(Signature((Parameter("n", NUMBER),), Var(0, 0)),))
    function, outer_count = close_over_container(member)
    verdict = Matcher(relation).match(
        function, to_query_signature(query, relation.reducer), outer_count=outer_count
    )
    assert isinstance(verdict, Fit), verdict
    assert [edit.kind for edit in verdict.edits] == [edits.UNINFERRED]


@pytest.mark.parametrize(
    "query",
    ["(a: number, b: string) => string[]", "(a: string) => number", "(...a: string[]) => string[]"],
)
def test_a_variadic_rest_with_a_last_element_keeps_its_bound(query: str) -> None:
    candidate = "<T extends unknown[], R>(...a: [...T, (...a: T) => R]) => R[]"
    verdict, bound = match(candidate, query)
    assert bound is None or not isinstance(verdict, Fit) or bound <= verdict.cost


def test_the_only_member_of_an_optional_type_may_be_a_union() -> None:
    candidate = "<T extends object>(x: T | null | undefined) => T[keyof T] | undefined"
    verdict, bound = match(candidate, "(xs: number[]) => number")
    assert isinstance(verdict, Fit), verdict
    assert bound is not None
    assert bound <= verdict.cost


@pytest.mark.parametrize(
    ("candidate", "query"),
    [
        ("<T>(x: T) => T extends string ? number : never", "(x: Date) => string"),
        ("(...a: any[]) => any", "(a: any) => string"),
        ("<T extends Date>(x: T) => T", "(x: any) => number"),
    ],
)
def test_the_bound_of_an_assignable_function_is_at_most_its_cost(
    candidate: str, query: str
) -> None:
    relation, source, target = relation_for(candidate, query)
    assert relation.assign(source, target)
    verdict, bound = match(candidate, query)
    assert isinstance(verdict, Fit), verdict
    assert bound is not None
    assert bound <= verdict.cost


@pytest.mark.parametrize(
    ("candidate", "query"),
    [
        # A variable of the query that becomes void need not be passed.
        ("<T>(self: () => T) => () => void", "<T>(fn: (a: T) => void) => ((value: T) => T) | null"),
        # A variable of the query becomes a type of the candidate with the candidate's parameter.
        ("<T>(xs: Set<T>) => Promise<T | undefined>", "<T>(x: T) => Promise<(list: T[]) => 1>"),
        ("<T>(xs: Set<T>) => Set<T>[]", "<T>(x: T) => T[]"),
        # An optional argument may be undefined.
        ("<T>(x: T | undefined) => T", "(x?: number) => number"),
        # What two arguments determine is the type of neither.
        (
            "<T extends number | number[]>(x: T, y: T, ...rest: T[]) => T",
            "(xs?: number[], x?: number) => number[]",
        ),
        # Mutually assignable, but only as x may be anything.
        ("<T>(x: T) => void", "<T>(x: Date | T) => void"),
    ],
)
def test_the_bound_of_a_generic_candidate_is_at_most_its_cost(candidate: str, query: str) -> None:
    verdict, bound = match(candidate, query)
    assert not isinstance(verdict, Undecided)
    assert bound is not None
    assert bound <= (verdict.cost if isinstance(verdict, Fit) else lower_bound(verdict))


def test_an_argument_outside_the_constraint_does_not_determine_the_result() -> None:
    declares = "type ValueOf<T> = T extends infer U ? U[keyof U] : never;"
    candidate = "<T extends object>(x: T) => ValueOf<T>[]"
    verdict, bound = match(candidate, "<T>(x: T[] | number) => Promise<T[]>", declares)
    assert isinstance(verdict, Fit), verdict
    assert bound is not None
    assert bound <= verdict.cost


@pytest.mark.parametrize(
    ("query", "fits"),
    [
        ("(f: (a: 1, b: 2) => 3) => (a: 1, b: 2) => 3", True),
        ("(f: (a: 1, b: 2) => 3) => (b: 2) => 3", False),
    ],
)
def test_a_rest_parameter_without_arguments_is_the_empty_tuple(query: str, fits: bool) -> None:
    declares = "type Without<A, B extends any[]> = A extends [...B, ...infer R] ? R : A;"
    candidate = (
        "<A extends any[], B extends Partial<A>, R>"
        "(f: (...xs: A) => R, ...given: B) => (...rest: Without<A, B>) => R"
    )
    verdict, bound = match(candidate, query, declares, ceiling=100)
    assert isinstance(verdict, Fit) == fits, verdict
    if isinstance(verdict, Fit):
        assert bound is not None
        assert bound <= verdict.cost


def test_a_variable_is_specialised_to_a_generic_type_of_the_candidate() -> None:
    verdict, _ = match("<T>(xs: Set<T>) => Set<T>[]", "<T>(x: T) => T[]")
    assert isinstance(verdict, Fit), verdict
    assert verdict.cost == edits.SPECIALISED.cost
    # What is any in the candidate fits everything: it must not become a type of the query.
    leaking, _ = match("<T>(xs: Set<T>) => Promise<T>", "<T>(x: T) => Promise<(list: T[]) => 1>")
    assert not isinstance(leaking, Fit) or leaking.cost > edits.SPECIALISED.cost + 50


# (candidate, query, bound): what each rule of the bounds derives without inference.
TIGHT = [
    # Two arguments fit one parameter only: one is unused, or another argument is supplied.
    ("(d: Date, o?: { a: 1 }[]) => 1", "(a: Date, b: Date) => 1", 1000),
    ("(d: Date, s: 1[]) => 1", "(a: Date, b: Date) => 1", 1300),
    # An optional parameter that gets an argument costs as much as a required one.
    ("(x?: any) => 1", "(x: string) => 1", 1000),
    ("(x?: string) => 1", "(x: string) => 1", 3),
    # The result excludes the argument for x; the constraint excludes the result.
    ("<A>(x: A) => A[]", "(x: Date) => string[]", 1300),
    ("<A>(x: A) => A", "(x: Date) => string", 1300),
    ("<A extends Date>(x: string) => A", "(x: string) => number", None),
    ("<A extends Date>(x: A | string) => A", "(x: string) => number", None),
    # A rest parameter that is no array takes no argument, unless the whole signature fits.
    ("<A extends [1, 2]>(x: number, ...r: A) => 1", "(x: string, y: 1) => 1", 1004),
    # A result that is no type parameter is not void.
    ("<A>(x: A) => A[]", "(x: any) => void", 4),
    ("<A>(x: A) => A", "(x: any) => void", 0),
    # One wrapping of the result suits both type parameters; what the result costs counts once.
    ("<A, B>(x: A, y: B) => A | B", "(x: string, y: Date) => Promise<string | Date>", 100),
    ("<A extends string | Date>(x: A) => A", "(x: string) => Promise<string>", 64),
    # An intersection has the properties of all its members, and must fit all as a target.
    ("() => { a: 1 } & { b: 2 }", "() => Date", None),
    ("() => { a: 1 } & { b: 2 }", "() => { a: 1; b: 2 }", 2),
    ("(x: { a: 1 } & { b?: 2 }) => 1", "(x: { a: 1 }) => 1", 2),
    ("(x: { a: 1 } & { b: 2 }) => 1", "(x: { a: 1 }) => 1", 420),
    # Nothing is inferred for A, so x is any: to supply it is cheaper.
    ("<A, B>(x: A extends Date ? B[] : any, y: B) => 1", "(x: 1, y: 2) => 1", 325),
]


@pytest.mark.parametrize(("candidate", "query", "expected"), TIGHT)
def test_a_bound_is_as_tight_as_head_types_allow(
    candidate: str, query: str, expected: int | None
) -> None:
    verdict, bound = match(candidate, query)
    assert bound == expected
    assert not isinstance(verdict, Fit) or (bound is not None and bound <= verdict.cost)
