"""Laws of costs over random signatures: bounds, ceilings, and the strict relation."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from match.texts import relation_and_types
from typematch.ir.types import Object
from typematch.match.edits.matcher import Matcher
from typematch.match.edits.query_signature import to_query_signature
from typematch.match.strictness import Strictness
from typematch.match.verdict import Fit, Misfit, lower_bound

_DECLARATIONS = """
interface P { name: string; age?: number }
class C<T> { private p: T; v: T; m(x: T): void }
enum E { A, B = "x" }
type Nothing = void;
type Disc = { kind: "a"; x: number } | { kind: "b"; x: number };
type Mapped<T> = { [K in keyof T]: T[K] | undefined };
"""
_TYPES = (
    *("string", "number", "boolean", "void", "any", "unknown", "undefined", "null"),
    *("P", "E", "Disc", "Nothing", '"a"', "Date", "string[]", "any[]", "P[]", "[string, number]"),
    *("Promise<string>", "Promise<void>", "Set<string>", "Iterable<number>", "Map<string, number>"),
    *("Record<string, number>", "C<string>", "Mapped<P>", "readonly string[]", "() => string"),
    *("(x: string) => number", "{ a: string; b?: number }", "string | undefined", "string | null"),
    *("{ ok: boolean }", "{ ok: true } | { ok: false }", "Object", "{ age?: number }", "keyof P"),
)
_GENERIC = (
    *("T", "U", "T[]", "Promise<T>", "T | undefined", "Set<T>", "(x: T) => U", "(x: T) => boolean"),
    *("Record<string, T>", "Iterable<T>", "keyof T", "Partial<T>", "{ a: T }", "[T, U]", "C<T>"),
    *("T extends string ? 1 : 2", "T[keyof T]", "Map<string, T>", "() => T"),
    *("<V>(x: V) => V", "<V>(x: V) => T", "<V extends T>(x: V[]) => [T, V]"),
)
_BINDERS = (
    *("<T, U>", "<T extends string, U>", "<T extends P, U>", "<T, U extends T>"),
    *("<T, U extends keyof T>", "<T = string, U = number>", "<T extends any[], U>"),
)


@st.composite
def _signatures(draw: st.DrawFn) -> str:
    binder = draw(st.sampled_from(("", *_BINDERS)))
    types = st.sampled_from((*_TYPES, *_GENERIC) if binder else _TYPES)
    count = draw(st.integers(0, 3))
    parameters, optional = [], False
    for index in range(count):
        is_rest = index == count - 1 and draw(st.integers(0, 6)) == 0
        optional = optional or draw(st.integers(0, 4)) == 0
        name = f"{draw(st.sampled_from(('a', 'b', 'name', 'age')))}{index or ''}"
        # The compiler infers never for T of `...items: T[]` that get no argument; no search does.
        written = draw(st.sampled_from(_TYPES) if is_rest else types)
        if is_rest:
            parameters.append(f"...{name}: ({written})[]")
        else:
            parameters.append(f"{name}{'?' if optional else ''}: {written}")
    return f"{binder}({', '.join(parameters)}) => {draw(types)}"


# Awaited, the first argument determines another type argument than as it is.
_AWAITED_DETERMINES = (
    "<T extends string, U>(a: T, ...a1: (number)[]) => (x: T) => U",
    "<T extends string, U>(a?: Promise<T>, a1?: any, a2?: number) => U",
)


@pytest.mark.parametrize("strictness", [Strictness.WITH_EDITS, Strictness.LOOSE])
@example(texts=_AWAITED_DETERMINES, ceiling=0)
@given(texts=st.lists(_signatures(), min_size=2, max_size=6), ceiling=st.integers(0, 400))
def test_bounds_and_ceilings_agree_with_costs(
    strictness: Strictness, texts: Sequence[str], ceiling: int
) -> None:
    relation, types = relation_and_types(_DECLARATIONS, texts)
    matcher = Matcher(relation, strictness)
    functions = [(text, t) for text, t in zip(texts, types, strict=True) if isinstance(t, Object)]
    for query_text, query_type in functions:
        query = to_query_signature(query_type, matcher.reducer)
        for text, function in functions:
            case = f"{text} for {query_text}"
            verdict = matcher.match(function, query)
            is_assignable = isinstance(relation.assign(function, query_type), Fit)
            assert isinstance(verdict, Fit) or not is_assignable, case
            if not isinstance(verdict, Fit):
                continue
            bound = matcher.lower_bounds.lower_bound(function, query)
            assert bound is not None, case
            assert bound <= verdict.cost, case
            # In ascending order: a misfit under a ceiling is remembered.
            for limit in sorted({ceiling, verdict.cost, max(0, verdict.cost - 1)}):
                limited = matcher.match(function, query, ceiling=limit)
                if limit >= verdict.cost:
                    assert isinstance(limited, Fit), (case, limit)
                    assert limited.cost == verdict.cost, (case, limit)
                else:
                    assert isinstance(limited, Misfit), (case, limit)
                    assert lower_bound(limited) <= verdict.cost, (case, limit)
