"""Type parameters that no inference determines."""

from __future__ import annotations

import pytest

from match.texts import relation_for
from typematch.ir.render import render
from typematch.ir.types import Object
from typematch.match.prefilter.undetermined_parameters import UndeterminedParameters

DECLARES = (
    "interface Kinds<A> { array: A[]; set: Set<A> } "
    "type Kind<F, A> = F extends keyof Kinds<A> ? Kinds<A>[F] : any; "
    "type Outer<F, A> = Kind<F, A>; type Boxed<A> = { value: A }; "
    "type Plain<A> = A extends string ? A : A[]; type Endless<A> = Endless<A>"
)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("<F, A>(fa: Kind<F, A>) => Kind<F, A[]>", {0: "unknown", 1: "unknown"}),
        ("<F, A>(fa: Outer<F, A>[]) => void", {0: "unknown", 1: "unknown"}),
        ("<F extends string, A>(fa: Kind<F, A>) => void", {0: "string", 1: "unknown"}),
        ("<F = 'array', A = F>(fa: Kind<F, A>) => void", {0: '"array"'}),
        ("<F, A>(fa: Kind<F, A>, a: A) => void", {0: "unknown"}),
        ("<F, A>(f: (a: A) => Kind<F, A>) => void", {}),
        ("<F, A>(fa: Kind<F, A>) => F", {1: "unknown"}),
        ("<A>(a: Plain<A>) => void", {}),
        ("<A>(a: Boxed<A>) => void", {}),
        ("<A>(a: Endless<A>) => void", {}),
        ("<T, K extends keyof T>(object: T, key: K) => T[K]", {}),
        ("<K>(key: Kinds<string>[K]) => void", {0: "unknown"}),
    ],
)
def test_their_values_are_known(text: str, values: dict[int, str]) -> None:
    relation, candidate, _ = relation_for(text, "() => void", DECLARES)
    assert isinstance(candidate, Object)
    undetermined = UndeterminedParameters(relation.reducer.declarations)
    found = undetermined.values(candidate.calls[0])
    assert {index: render(value) for index, value in found.items()} == values


@pytest.mark.parametrize(
    ("query", "known"),
    [
        ("(a: string[]) => Promise<number>", True),
        ("<A>(a: A) => Boxed<A>", True),
        ("(a: Kind<'array', string>) => void", False),
        ("(a: Outer<'array', string>) => void", False),
        ("<A>(a: A extends string ? 1 : 2) => void", False),
        ("<A, K extends keyof A>(a: A, k: K) => A[K]", False),
    ],
)
def test_they_are_not_known_for_queries_with_such_types(query: str, known: bool) -> None:
    candidate_text = "<F, A>(fa: Kind<F, A>) => void"
    relation, candidate, target = relation_for(candidate_text, query, DECLARES)
    assert isinstance(candidate, Object)
    assert isinstance(target, Object)
    undetermined = UndeterminedParameters(relation.reducer.declarations)
    undetermined.values(candidate.calls[0])
    assert undetermined.are_known_for(target.calls[0]) == known
