"""Queries and declarations of unusual size: an answer, a notice or an error of ours, never more."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pathological_shapes import SHAPES
from typematch.catalog import Catalog
from typematch.errors import QuerySyntaxError, TypematchError, UsageError
from typematch.program.reduction.limits import LimitReached

_DECLARATIONS = """
export type Endless<T> = T extends readonly unknown[] ? Endless<[T]> : Endless<T[]>;
export type Repeat<N extends number, A extends 0[] = []> =
  A["length"] extends N ? A : Repeat<N, [...A, 0]>;
export declare function endless(x: Endless<string>): Endless<number>;
export declare function repeat(x: Repeat<5000>): Repeat<4000>;
export declare class Keyed<T> {
  pick<K extends keyof this>(key: K): this[K];
  map<K extends keyof T>(f: (x: T[K]) => this): { [P in keyof this]: this[P] };
}
"""
_SHAPES = ("union", "enum", "diamond", "heritage chain", "alias chain", "distribute", "mapped keys")


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Catalog]:
    folder = tmp_path_factory.mktemp("large")
    (folder / "package.json").write_text('{"name": "large"}')
    (folder / "declared.ts").write_text(_DECLARATIONS)
    for shape in _SHAPES:
        size = 300 if shape == "diamond" else 600
        (folder / f"{shape.replace(' ', '-')}.ts").write_text(SHAPES[shape](size))
    with Catalog(folder / "large.db") as catalog:
        assert catalog.add(folder, model=None).failed == ()
        yield catalog


def _nested(opening: str, closing: str, levels: int) -> str:
    return opening * levels + "string" + closing * levels


QUERIES = [
    *(
        start + _nested(opening, closing, levels)
        for levels in (30, 95)
        for start, opening, closing in (
            ("", "() => ", ""), ("", "(x: ", ") => void"), (":: ", "{ a: ", " }"),
            ("() => ", "", "[]"), ("() => ", "Promise<", ">"), ("() => ", "[", "]"),
            ("() => ", "keyof ", ""),
        )
    ),
    f"({', '.join(f'a{n}: number' for n in range(32))}) => void",
    f"({', '.join(f'a{n}: T{n}' for n in range(32))}) => T1",
    f"(x: {' | '.join(str(n) for n in range(100))}) => void",
    f"(x: {' & '.join(f'{{ a{n}: 1 }}' for n in range(300))}) => void",
    "(x: Endless<string>) => Repeat<5000>", "() => Endless<_>", ":: Repeat<5000>", ":: I599",
    "(x: I599) => I0", "(x: L23) => L0", "returns:Endless<string>", "param:Repeat<5000>",
    "has:a:Endless<string>", "(x: E) => U", "(x: U) => E  is:assignable", ":: A599",
    "(x: Endless<T>) => T  is:assignable", "(x: Keyed<T>) => T  is:assignable", "like:pick",
    "keys of a keyed thing :: (x: Keyed<T>, k: keyof Keyed<T>) => _",
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("query", QUERIES, ids=range(len(QUERIES)))
def test_every_query_ends_in_an_answer_or_an_error_of_ours(large: Catalog, query: str) -> None:
    # Any other exception fails the test; ``str`` raises for an error that cannot be shown.
    for ask in (lambda: large.search(query, limit=5), lambda: large.facets(query)):
        try:
            ask()
        except TypematchError as error:
            str(error).encode()


@pytest.mark.parametrize(
    ("query", "message"),
    [
        (f"(x: {' | '.join(str(n) for n in range(101))}) => void", "there are 101 members"),
        (f"({', '.join(f'a{n}: 1' for n in range(33))}) => void", "there are 33 parameters"),
        (f"({', '.join(f'?a{n}' for n in range(11))}) => void", "there are 11 type variables"),
        ("kind:function " * 101, "more than 100 values"),
        (f"has:{','.join(f'p{n}' for n in range(101))}", "more than 100 values"),
        (" ".join(f"param:{n}" for n in range(21)), "more than 20 types"),
        (f"has:{','.join(f'p{n}:{n}' for n in range(21))}", "more than 20 types"),
        (f'find "{"a " * 501}"', "the phrases have 1,002 characters"),
        (" ".join(f"a{n}*" for n in range(51)), "51 words end with"),
        (_nested("() => ", "", 101), "deeper than 100 levels"),
        (_nested("(x: ", ") => void", 101), "deeper than 100 levels"),
    ],
)
def test_what_exceeds_a_limit_is_refused_with_a_hint(tiny: Path, query: str, message: str) -> None:
    with Catalog(tiny) as catalog, pytest.raises(QuerySyntaxError, match=message) as caught:
        catalog.search(query)
    assert caught.value.hint


def test_unknown_names_over_the_limit_stand_for_any_type(tiny: Path) -> None:
    names = ", ".join(f"a{number}: Unheard{number}" for number in range(20))
    with Catalog(tiny) as catalog:
        result = catalog.search(f"({names}) => void", limit=3)
    assert sum("Nothing here is called Unheard" in notice for notice in result.notices) == 20


@pytest.mark.parametrize("raised", [LimitReached("more than 400 steps"), RecursionError("deep")])
@pytest.mark.parametrize("method", ["search", "facets"])
def test_a_limit_that_nothing_handles_is_a_usage_error(
    tiny: Path, monkeypatch: pytest.MonkeyPatch, method: str, raised: Exception
) -> None:
    def failing(*_: object) -> object:
        raise raised

    monkeypatch.setattr("typematch.search.answer.rank_query", failing)
    with Catalog(tiny) as catalog:
        with pytest.raises(UsageError, match="too large to compare") as caught:
            getattr(catalog, method)("(string) => number")
        assert "pkg:" in caught.value.hint
        monkeypatch.undo()
        assert catalog.search("(string) => number").hits


@pytest.mark.parametrize("text", ["\ud800", "chunk \udfff", "pkg:\ud800", '("\ud800") => 1'])
def test_lone_surrogates_reach_neither_the_database_nor_an_error(tiny: Path, text: str) -> None:
    with Catalog(tiny) as catalog:
        str(catalog.search(text).query).encode()
        catalog.facets(text)
        catalog.complete(text)
        assert catalog.complete_id(text) == ()
        with pytest.raises(UsageError):
            catalog.get(text)
        assert list(catalog.entries(text)) == []
