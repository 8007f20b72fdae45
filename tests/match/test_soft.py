"""Soft matching: each edit with its price and sentence, and laws that hold for all of them."""

from __future__ import annotations

import pytest

from match.texts import cases, question
from typematch.ir.lift import standing_alone
from typematch.ir.types import NUMBER, Object, Parameter, Signature, Var
from typematch.match import edit_kinds as edits
from typematch.match.edit_kinds import EditKind
from typematch.match.edits.matcher import Matcher
from typematch.match.edits.query_signature import asked_for
from typematch.match.prefilter.head_cache import HeadCache
from typematch.match.strictness import Strictness
from typematch.match.verdict import Fit, Misfit, Verdict


def soft(
    found: str, asked: str, declares: str = "", strictness: Strictness = Strictness.SOFT
) -> tuple[Verdict, int | None]:
    """Return the verdict and the bound that a search would have for it."""
    relation, source, target = question(found, asked, declares)
    assert isinstance(source, Object)
    assert isinstance(target, Object)
    matcher = Matcher(relation, strictness, HeadCache(relation.reducer.declarations))
    ready = asked_for(target, relation.reducer, ("T", "U"))
    return matcher.match(source, ready), matcher.bounds.of(source, ready)


# (found, asked, the edits that are charged for, what the whole costs)
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
    # As a set overloads are compared with any for T; one that fits alone says what it gives.
    (
        "(n: 1) => { (s: string): string; <A>(xs: readonly A[]): A[] }",
        "<T>(n: 1) => (xs: T[]) => T[][]",
        [edits.ANYTHING_INSIDE],
        100,
    ),
    (
        "(n: 1) => { (s: string): string[]; <A>(xs: readonly A[]): A[][] }",
        "<T>(n: 1) => (xs: T[]) => T[][]",
        [edits.NARROWER_RESULT],
        4,
    ),
    # With any for N and A the result would be { [K in any]: ... }, which says nothing.
    (
        "<N extends string, A>(name: N, a: A) => (b: A) => { [K in N | keyof A]: 1 }[]",
        "<N extends string, A>(a: A, name: N) => (b: A) => { [K in N | keyof A]: 1 }[]",
        [edits.ORDER_CHANGED],
        30,
    ),
    # By the arguments of the alias, as the compiler compares it.
    ("(x: Record<'a', 1>) => 2", "(x: Record<string, 1>) => 2", [edits.ALIAS_FOLLOWED], 2),
    ("(x: [1, ...1[]]) => void", "(x: 1[]) => void", [edits.NOT_EMPTY], 50),
    ("(x: () => Date) => void", "(x: Date) => void", [edits.DEFERRED], 60),
    (
        "<T extends object>(x: T) => T[]",
        "<T>(x: T) => T[]",
        [edits.NARROWED],
        20,
    ),
    (
        "(x: string, options?: { size?: number; deep?: boolean }) => void",
        "(x: string, size: number) => void",
        [edits.GATHERED, edits.OPTIONAL_GIVEN, edits.WIDER_PARAMETER],
        428,
    ),
    (
        "(x: string, options: { size: number; deep: boolean }) => void",
        "(x: string, size: number, deep: boolean) => void",
        [edits.GATHERED],
        440,
    ),
    ("(a: string, b: number) => void", "(b: number, a: string) => void", [edits.ORDER_CHANGED], 30),
    ("() => Set<string>", "() => string[]", [edits.ITERABLE_COLLECTED], 40),
    ("(s: string) => void", "(s?: string) => void", [edits.OPTIONAL_FILLED], 50),
    ("() => string | number", "() => string", [edits.UNION_MEMBER], 50),
    ("() => Promise<string>", "() => string", [edits.AWAITED], 60),
    ("() => string", "() => Promise<string>", [edits.WRAPPED], 60),
    ("() => string | undefined", "() => string", [edits.UNDEFINED_CHECKED], 60),
    ("(x: any[]) => string", "(x: string[]) => string", [edits.ANYTHING_INSIDE], 100),
    ("(x: string[]) => string", "<T>(x: T[]) => T", [edits.SPECIALISED], 200),
    ("(s: string, b: Date) => void", "(s: string) => void", [edits.ARGUMENT_SUPPLIED], 300),
    ("(this: Date, s: string) => void", "(s: string) => void", [edits.ARGUMENT_SUPPLIED], 300),
    ("(s: string) => void", "(s: string, n: number) => void", [edits.ARGUMENT_UNUSED], 1000),
    ("(x: any) => string", "(x: string) => string", [edits.ANYTHING], 5000),
    ("() => any", "() => string", [edits.ANYTHING], 5000),
    ("() => () => any", "() => () => string", [edits.ANYTHING_INSIDE], 100),
    ("(x?: string) => void", "(x: string) => void", [edits.OPTIONAL_GIVEN], 3),
    ("<T>() => T", "() => string", [edits.UNFOUNDED], 60),
    ("<T = string>() => T", "() => string", [edits.INSTANTIATED], 2),
]


@pytest.mark.parametrize(("found", "asked", "kinds", "cost"), EDITS)
def test_an_edit_has_its_price(found: str, asked: str, kinds: list[EditKind], cost: int) -> None:
    verdict, bound = soft(found, asked)
    assert isinstance(verdict, Fit), verdict
    assert [edit.kind for edit in verdict.edits if edit.price] == kinds
    assert verdict.cost == cost == sum(edit.price for edit in verdict.edits)
    assert all(edit.sentence for edit in verdict.edits)
    assert not any("{a}" in edit.sentence or "{b}" in edit.sentence for edit in verdict.edits)
    assert bound is not None
    assert bound <= cost


FUNCTIONS = sorted(
    {
        text
        for name in ("functions", "plain")
        for case in cases(name)
        for text in (case.source, case.target)
        if not case.declares and text.startswith(("(", "<")) and " => " in text
    }
)


def _calls_once(text: str) -> bool:
    _, source, _ = question(text, text)
    return isinstance(source, Object) and len(source.calls) == 1


@pytest.mark.parametrize("text", [text for text in FUNCTIONS if _calls_once(text)])
def test_a_function_fits_itself_for_nothing(text: str) -> None:
    verdict, bound = soft(text, text)
    assert isinstance(verdict, Fit), verdict
    # A parameter that takes any type is known by its variable alone.
    assert verdict.cost <= edits.VAGUE.price
    assert bound is not None
    assert bound <= verdict.cost


ACCEPTED = [
    (case.source, case.target, case.declares)
    for name in ("functions", "plain")
    for case in cases(name)
    if case.fits
    and case.target.startswith(("(", "<"))
    and case.source.startswith(("(", "<"))
    and " => " in case.source
    and " => " in case.target
    and " asserts " not in case.target  # who asks for an assertion wants one
]


@pytest.mark.parametrize(("found", "asked", "declares"), ACCEPTED)
def test_what_the_compiler_accepts_is_found(found: str, asked: str, declares: str) -> None:
    relation, source, target = question(found, asked, declares)
    if not (isinstance(source, Object) and isinstance(target, Object)):
        return
    if len(source.calls) != 1 or len(target.calls) != 1:
        return
    verdict, bound = soft(found, asked, declares)
    assert isinstance(verdict, Fit), verdict
    assert bound is not None
    assert bound <= verdict.cost
    assert relation.compared >= 0


def test_what_is_too_dear_says_from_which_price_on() -> None:
    relation, source, target = question("() => Promise<string>", "() => string")
    assert isinstance(source, Object)
    assert isinstance(target, Object)
    matcher = Matcher(relation)
    ready = asked_for(target, relation.reducer)
    verdict = matcher.match(source, ready, ceiling=19)
    assert isinstance(verdict, Misfit)
    assert (verdict.kind, verdict.source) == ("dearer", 60)
    assert matcher.match(source, ready, ceiling=60) == matcher.match(source, ready)


def test_a_rest_parameter_may_become_an_array_when_its_variables_are_any() -> None:
    found = "<T extends any[]>(f: (...a: T) => void, ...a: [...T]) => void"
    verdict, bound = soft(found, "(f: (n: number) => void, n: number) => void")
    assert isinstance(verdict, Fit), verdict
    assert bound is not None
    assert bound <= verdict.cost


def test_a_class_around_a_function_gives_what_its_variables_are() -> None:
    relation, _, asked = question("string", "(n: number) => string")
    assert isinstance(asked, Object)
    member = Object(calls=(Signature((Parameter("n", NUMBER),), Var(0, 0)),))
    alone, outer = standing_alone(member)
    verdict = Matcher(relation).match(alone, asked_for(asked, relation.reducer), outer=outer)
    assert isinstance(verdict, Fit), verdict
    assert [edit.kind for edit in verdict.edits] == [edits.CONTAINER_INSTANTIATED]


@pytest.mark.parametrize(
    "asked",
    ["(a: number, b: string) => string[]", "(a: string) => number", "(...a: string[]) => string[]"],
)
def test_spread_parameters_have_places_of_their_own(asked: str) -> None:
    found = "<T extends unknown[], R>(...a: [...T, (...a: T) => R]) => R[]"
    verdict, bound = soft(found, asked)
    assert bound is None or not isinstance(verdict, Fit) or bound <= verdict.cost


@pytest.mark.parametrize(
    ("found", "asked"),
    [
        ("<T>(x: T) => T extends string ? number : never", "(x: Date) => string"),
        ("(...a: any[]) => any", "(a: any) => string"),
        ("<T extends Date>(x: T) => T", "(x: any) => number"),
    ],
)
def test_a_bound_is_no_more_than_what_the_compiler_accepts_costs(found: str, asked: str) -> None:
    relation, source, target = question(found, asked)
    assert relation.assign(source, target)
    verdict, bound = soft(found, asked)
    assert isinstance(verdict, Fit), verdict
    assert bound is not None
    assert bound <= verdict.cost


# (found, asked, the bound): what each rule of the bounds sees without inferring anything.
TIGHT = [
    # Two arguments of which one place is good: one is lost, or the other place has to be filled.
    ("(d: Date, o?: { a: 1 }[]) => 1", "(a: Date, b: Date) => 1", 1000),
    ("(d: Date, s: 1[]) => 1", "(a: Date, b: Date) => 1", 1300),
    # What may be left out costs as much as what must not be, once it is given.
    ("(x?: any) => 1", "(x: string) => 1", 1000),
    ("(x?: string) => 1", "(x: string) => 1", 3),
    # The result says that the argument must not be x; what a constraint says of the result.
    ("<A>(x: A) => A[]", "(x: Date) => string[]", 1300),
    ("<A>(x: A) => A", "(x: Date) => string", 1300),
    ("<A extends Date>(x: string) => A", "(x: string) => number", None),
    ("<A extends Date>(x: A | string) => A", "(x: string) => number", None),
    # A rest that is no plain array takes nothing, unless the whole fits as it stands.
    ("<A extends [1, 2]>(x: number, ...r: A) => 1", "(x: string, y: 1) => 1", 1004),
]


@pytest.mark.parametrize(("found", "asked", "least"), TIGHT)
def test_a_bound_tells_what_is_seen_at_a_glance(found: str, asked: str, least: int | None) -> None:
    verdict, bound = soft(found, asked)
    assert bound == least
    assert not isinstance(verdict, Fit) or (bound is not None and bound <= verdict.cost)
