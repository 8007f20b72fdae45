"""Limits of the relation: types that do not end are undecided, deterministically."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from match.texts import Declared, relate_texts, relation_and_types, relation_for
from typematch.ir.constructors import object_type, union
from typematch.ir.declaration import Declaration
from typematch.ir.lift import close_over_container
from typematch.ir.type_parts import Property
from typematch.ir.types import NUMBER, STRING, Literal, Named, Object, Reference, Type, Union
from typematch.match.assignability.relation import Relation
from typematch.match.edits.matcher import Matcher
from typematch.match.edits.query_signature import to_query_signature
from typematch.match.prefilter.relation_pool import RelationPool
from typematch.match.verdict import Fit, Misfit, Undecided, Verdict
from typematch.program.reduction.limits import DEFAULT_LIMITS, LimitReached, Limits
from typematch.program.reduction.recording_reducer import RecordingReducer
from typematch.program.reduction.reduce import Reducer
from typematch.program.resolution.declaration_merging import Fragment, merge_fragments

NOTHING = Declared({})
DIGITS = "type D = '0'|'1'|'2'|'3'|'4'|'5'|'6'|'7'|'8'|'9';"


@pytest.mark.parametrize(
    ("declares", "source"),
    [
        pytest.param("type A<T> = A<A<T>>;", "A<1>", id="recursive alias"),
        pytest.param(
            "type A<T> = B<[T]>; type B<T> = A<[T]>;", "A<1>", id="mutually recursive aliases"
        ),
        pytest.param(
            "type A<T> = T extends any ? A<[T]> : never;", "A<1>", id="recursive conditional type"
        ),
        pytest.param("type A<T> = { [K in keyof A<T>]: 1 };", "A<1>", id="recursive mapped type"),
        pytest.param(DIGITS, "`${D}${D}${D}${D}${D}${D}`", id="template of a million strings"),
        pytest.param(
            "type L<T extends any[]> = L<[...T, ...T]>;", "L<[1]>", id="tuple that doubles"
        ),
    ],
)
def test_an_infinite_type_is_undecided_within_the_step_limit(declares: str, source: str) -> None:
    relation, s, t = relation_for(source, "[string]", declares)
    assert isinstance(relation.assign(s, t), Undecided)
    assert relation.reducer.steps <= DEFAULT_LIMITS.steps * 2


@pytest.mark.parametrize("target", ["unknown", "any"])
def test_an_infinite_type_is_assignable_to_top_types(target: str) -> None:
    assert isinstance(relate_texts("() => A<1>", f"() => {target}", "type A<T> = A<A<T>>;"), Fit)


DIGIT_PAIRS = f"{DIGITS} type Pair = `${{D}}${{D}}`; type Up<T> = T extends any ? [T] : never;"


def test_a_type_that_exceeded_the_budget_is_not_reduced_again() -> None:
    relation, source, target = relation_for("Up<Pair>", "[number]", DIGIT_PAIRS, Limits(steps=60))
    assert isinstance(relation.assign(source, target), Undecided)
    reduced = len(relation.reducer.reduced)
    assert isinstance(relation.assign(source, target), Undecided)
    assert len(relation.reducer.reduced) == reduced


def test_a_type_is_reduced_with_more_steps_than_it_exceeded() -> None:
    relation, source, _ = relation_for("Up<Pair>", "1", DIGIT_PAIRS)
    reducer = relation.reducer
    reducer.steps = reducer.limits.steps - 20
    with pytest.raises(LimitReached):
        reducer.normal(source)
    relation.reset_budget()
    assert isinstance(reducer.normal(source), Union)


def _literals(first: int, last: int) -> list[Literal]:
    return [Literal("string", f"v{number}") for number in range(first, last)]


def test_unions_of_ten_thousand_literals_are_within_the_step_limit() -> None:
    relation = Relation(NOTHING)
    whole = union(_literals(0, 10_000))
    assert relation.assign(union(_literals(0, 9_999)), whole)
    assert isinstance(relation.assign(union(_literals(1, 10_001)), whole), Misfit)
    assert relation.assign(whole, STRING)
    assert relation.reducer.steps <= DEFAULT_LIMITS.steps


def _wide(kind: Literal) -> Object:
    first = Property("p0", kind)
    return object_type([first, *(Property(f"p{n}", NUMBER) for n in range(1, 5_000))])


def test_objects_of_five_thousand_properties_are_within_the_step_limit() -> None:
    relation = Relation(NOTHING)
    one, two = Literal("number", "1"), Literal("number", "2")
    assert relation.assign(_wide(one), object_type([Property("p4999", NUMBER)]))
    verdict = relation.assign(_wide(one), _wide(two))
    assert isinstance(verdict, Misfit)
    assert verdict.path == "$.p0"
    assert relation.reducer.steps <= DEFAULT_LIMITS.steps


def _linked(file: str, other: str, leaf: Literal) -> Declaration:
    body = object_type([Property("next", Reference(f"{other}#I")), Property("value", leaf)])
    return Declaration(f"{file}#I", "I", "interface", type=body)


@pytest.mark.parametrize(("kind", "verdict"), [("1", Fit), ("2", Misfit)])
def test_mutually_recursive_interfaces_of_different_files_are_compared(
    kind: str, verdict: type[Verdict]
) -> None:
    one, other = Literal("number", "1"), Literal("number", kind)
    declared = [
        _linked("a.ts", "b.ts", one),
        _linked("b.ts", "a.ts", one),
        _linked("c.ts", "d.ts", one),
        _linked("d.ts", "c.ts", other),
    ]
    relation = Relation(Declared({d.key: d for d in declared}))
    assert isinstance(relation.assign(Reference("c.ts#I"), Reference("a.ts#I")), verdict)


def test_an_unresolved_import_is_assignable_only_to_itself() -> None:
    relation = Relation(NOTHING)
    missing, other = Named(("Gone",), module="gone"), Named(("Other",), module="gone")
    lost = Reference("gone.ts#Lost")
    assert relation.assign(missing, missing)
    assert relation.assign(lost, lost)
    for stranger in (other, lost, STRING, object_type([Property("a", STRING)])):
        assert isinstance(relation.assign(missing, stranger), Misfit)
        assert isinstance(relation.assign(stranger, missing), Misfit)


def test_an_interface_merged_from_forty_files_has_all_members() -> None:
    key = "global#Everything"
    parts = [
        Fragment(
            key,
            "Everything",
            "interface",
            f"f{number}.ts",
            0,
            type=object_type([Property(f"p{number}", Literal("number", str(number)))]),
        )
        for number in range(40)
    ]
    whole = merge_fragments(key, parts)
    assert whole is not None
    relation = Relation(Declared({key: whole}))
    wanted = object_type([Property(f"p{n}", NUMBER) for n in range(40)])
    assert relation.assign(Reference(key), wanted)
    assert merge_fragments(key, parts[::-1]) == whole


@pytest.mark.parametrize(
    "declares",
    [
        "interface N<T> { next: N<N<T>>; v: T } type X = N<1>; type Y = N<string>;",
        "type X = { a: X | X[]; b: 1 }; type Y = { a: Y | Y[]; b: string };",
        DIGITS + "type X = `${D}-${D}-${D}`; type Y = `${D}-${string}`;",
        "type X = (f: (f: (x: X) => Y) => X) => Y; type Y = (f: X) => Y;",
    ],
)
def test_a_verdict_is_deterministic(declares: str) -> None:
    answers = {repr(relate_texts("X", "Y", declares)) for _ in range(3)}
    assert len(answers) == 1


# Each method of the large class has two overloads, and an inferred type argument to reduce.
_LARGE_CLASS = (
    "interface Reply<R> { now: Promise<R>; later: R[] }"
    "type Out<R, C extends { kind: 'now' | 'later' }> = Reply<R>[C['kind']];"
    "interface Store<C extends { kind: 'now' | 'later' }> {"
    + "".join(f"m{i}(k: string): Out<{i}, C>; m{i}(k: number): Out<'{i}', C>;" for i in range(100))
    + "} declare class Client { close(): void } interface Client extends Store<{ kind: 'now' }> {}"
)


def test_a_receiver_of_a_large_class_has_the_type_arguments_of_its_base_type() -> None:
    relation, candidate, query = relation_for(
        "<C extends { kind: 'now' | 'later' }>(store: Store<C>, k: string) => Out<7, C>",
        "(client: Client, k: string) => Promise<7>",
        _LARGE_CLASS,
        Limits(steps=100),
    )
    assert isinstance(candidate, Object)
    assert isinstance(query, Object)
    function, _ = close_over_container(candidate)
    verdict = Matcher(relation).match(function, to_query_signature(query, relation.reducer))
    assert isinstance(verdict, Fit)
    assert verdict.assignment == (0, 1)


@pytest.mark.parametrize("compared_before", [False, True])
def test_what_a_search_compared_before_does_not_change_a_verdict(compared_before: bool) -> None:
    declares = "".join(
        f"interface A{i} {{ p{i}: string; q: A{i + 1} }} interface B{i} {{ q: B{i + 1} }}"
        for i in range(30)
    )
    relation, [source, inner_source, target, inner_target] = relation_and_types(
        f"{declares} interface A30 {{ q: 1 }} interface B30 {{ q: number }}",
        ["() => A0", "() => A15", "() => B0", "() => B15"],
    )
    pool = RelationPool(relation.reducer.declarations)
    limits = Limits(steps=60)
    searching = pool.search_relation(limits)
    limited = Relation(relation.reducer.declarations, limits=limits)
    assert isinstance(limited.assign(source, target), Undecided)
    if compared_before:
        assert searching.assign(inner_source, inner_target) == Fit()
    assert searching.assign(source, target) == Fit()
    assert searching.assign(source, target) == Fit()
    assert isinstance(searching.assign(inner_target, inner_source), Misfit)


def test_type_arguments_are_inferred_again_with_full_limits() -> None:
    relation, candidate, query = relation_for(
        "<C extends { kind: 'now' | 'later' }>(store: Store<C>) => C",
        "(store: Large) => { kind: 'now' }",
        f"{_LARGE_CLASS} declare class Large {{ "
        + "".join(f"m{i}(k: any): Out<any, {{ kind: 'now' }}>;" for i in range(100))
        + " }",
    )
    assert isinstance(candidate, Object)
    assert isinstance(query, Object)
    [signature], [target] = candidate.calls, query.calls
    pool = RelationPool(relation.reducer.declarations)
    searching = pool.search_relation(Limits(steps=60))
    expected = relation.infer_type_arguments(signature, target)
    assert not isinstance(expected, Undecided)
    assert searching.infer_type_arguments(signature, target) == expected


_REPEAT = "type Repeat<N, A extends 0[] = []> = A['length'] extends N ? A : Repeat<N, [...A, 0]>;"


@pytest.fixture
def reductions(monkeypatch: pytest.MonkeyPatch) -> Counter[Type]:
    """Count by type how often reducers with empty caches reduce it."""
    counts: Counter[Type] = Counter()
    reduce = RecordingReducer._reduce

    def counted(reducer: Reducer, t: Type, handler: Callable[[Reducer, Any], Type]) -> Type:
        counts[t] += 1
        return reduce(reducer, t, handler)

    monkeypatch.setattr(RecordingReducer, "_reduce", counted)
    return counts


def test_a_type_that_alone_exceeds_the_limits_is_reduced_once_for_all_pairs(
    reductions: Counter[Type],
) -> None:
    # A type alias that is too large is the query's: every candidate is compared with it.
    relation, types = relation_and_types(
        _REPEAT, ["Repeat<5000>", "Repeat<4000>", "[0]", "string", "unknown"]
    )
    endless, other, short, text, top = types
    searching = RelationPool(relation.reducer.declarations).search_relation(Limits(steps=60))
    for source, target in (
        (text, endless), (short, endless), (endless, short), (endless, text), (endless, endless),
    ):  # fmt: skip
        verdict = searching.assign_part(source, target)
        assert isinstance(verdict, Fit if source is target else Undecided)
    assert searching.assign_part(endless, top) == Fit()
    assert isinstance(searching.assign(other, text), Undecided)
    assert isinstance(searching.assign(other, short), Undecided)
    assert (reductions[endless], reductions[other]) == (1, 1)


def test_a_long_reduction_is_made_once_for_all_pairs(reductions: Counter[Type]) -> None:
    relation, types = relation_and_types(_REPEAT, ["Repeat<300>", "Repeat<299>", "0[]", "string"])
    long, other, zeros, text = types
    searching = RelationPool(relation.reducer.declarations).search_relation(Limits(steps=60))
    assert searching.assign_part(long, zeros) == Fit()
    assert isinstance(searching.assign_part(long, other), Misfit)
    assert isinstance(searching.assign_part(text, long), Misfit)
    assert reductions[long] == 1


def test_known_reductions_do_not_decide_what_exceeds_the_limits() -> None:
    # Each takes 1,200 of the 5,000 steps.
    sizes = range(295, 300)
    names = [f"Repeat<{size}>" for size in sizes]
    all_five = "{ " + "; ".join(f"m{name[7:10]}: {name}" for name in names) + " }"
    arrays = "{ " + "; ".join(f"m{size}: 0[]" for size in sizes) + " }"
    relation, types = relation_and_types(_REPEAT, [*names, "0[]", all_five, arrays])
    *repeated, zeros, source, target = types
    searching = RelationPool(relation.reducer.declarations).search_relation(Limits(steps=60))
    for t in repeated:
        assert searching.assign_part(t, zeros) == Fit()
    assert isinstance(searching.assign_part(source, target), Undecided)
