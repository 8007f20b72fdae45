from __future__ import annotations

from dataclasses import replace

from typematch.evaluate.compiler.self_retrieval import (
    cheapest_group,
    distinct_signatures,
    evaluate,
    query_text,
    report,
)
from typematch.ir.constructors import function
from typematch.ir.entry import Entry, EntrySignature
from typematch.ir.types import NUMBER, STRING, Object, Type
from typematch.search.results import Hit, SearchResult
from typematch.sources.typescript import read_type


def entry(name: str, returned: Type = NUMBER) -> Entry:
    text = "() => number"
    signature = EntrySignature(
        text=text,
        type=function([], returned),
        parameters=(),
        returns="number",
        return_type=returned,
        min_arity=0,
        max_arity=0,
    )
    return Entry(
        id=f"p#{name}",
        kind="function",
        name=name,
        qualified_name=name,
        container="",
        package="p",
        version="1.0.0",
        path="p/index.d.ts",
        line=1,
        signature=text,
        signatures=(signature,),
    )


def answer(*found: tuple[str, float, Type]) -> SearchResult:
    hits = tuple(Hit(entry(name, type_), 1.0, cost, overload=0) for name, cost, type_ in found)
    return SearchResult("", "", hits, len(hits))


def test_query_text_has_resolved_names_and_other_parameter_names() -> None:
    found = read_type("<Item>(items: Item[], size?: number, ...rest: string[]) => items is Item[]")
    assert isinstance(found, Object)
    one = entry("a")
    text = query_text(replace(one, signatures=(replace(one.signatures[0], type=found),)))
    assert text == "<T>(p0: T[], p1?: number, ...p2: string[]) => p0 is T[]"


def test_the_group_has_all_hits_of_lowest_cost() -> None:
    found = answer(("a", 2.0, NUMBER), ("b", 2.0, NUMBER), ("c", 2.0, STRING), ("d", 4.0, STRING))
    _, group = cheapest_group("() => number", lambda _text, _limit: found)
    assert len(group) == 3
    assert distinct_signatures(group) == 2


def test_a_group_that_fills_the_page_is_searched_without_a_limit() -> None:
    limits: list[int | None] = []

    def search(_text: str, limit: int | None) -> SearchResult:
        limits.append(limit)
        hits = answer(("a", 0.0, NUMBER), ("b", 0.0, NUMBER)).hits
        shown = hits if limit is None else hits[:1]
        return SearchResult("", "", shown, len(hits))

    assert len(cheapest_group("() => number", search)[1]) == 2
    assert limits[-1] is None


def test_only_hits_of_lowest_cost_count_as_found() -> None:
    result = evaluate(
        [entry("a"), entry("b")],
        lambda _text, _limit: answer(("a", 0.0, NUMBER), ("b", 4.0, NUMBER)),
        seed=1,
    )
    assert [row["found"] for row in result["rows"]] == [True, False]
    assert "rank 2, cost 4.0 against 0.0" in report(result, show=True)
