from __future__ import annotations

from dataclasses import replace
from typing import Any

from typematch.errors import QuerySyntaxError
from typematch.evaluate.compiler.queries import evaluate, report
from typematch.evaluate.corpus import JoinedFunctions
from typematch.ir.entry import Entry
from typematch.search.results import Hit, SearchResult


def entry(name: str) -> Entry:
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
        signature="() => void",
    )


FUNCTIONS = JoinedFunctions(
    rows=(),
    ids={f"p#{name}": frozenset({f"p#{name}"}) for name in "abc"},
    entries={f"p#{name}": entry(name) for name in "abc"},
    universal=frozenset({"p#c"}),
)


def query(*matches: str) -> dict[str, Any]:
    ids = [f"p#{name}" for name in matches]
    return {"id": "q1", "query": "() => void", "origin": "hand", "matches": ids}


def answer(*names: str, undecided: str = "") -> SearchResult:
    hits = [Hit(entry(name), 1.0) for name in names]
    hits += [Hit(entry(name), 0.0, undecided="steps") for name in undecided]
    return SearchResult("", "() => void", tuple(hits), len(hits))


def test_universal_functions_are_excluded_from_the_core() -> None:
    result = evaluate([query("a", "c")], FUNCTIONS, lambda _: answer("a", "b"))
    assert result["core"]["macro"] == (1.0, 0.5)
    assert result["all"]["macro"] == (0.5, 0.5)
    assert result["rows"][0]["too_much"] == ["p#b"]


def test_undecided_hits_do_not_count_and_other_entries_are_left_out() -> None:
    result = evaluate([query("a")], FUNCTIONS, lambda _: answer("other", undecided="a"))
    assert (result["undecided"], result["other_hits"]) == (1, 1)
    assert result["rows"][0]["missed"] == ["p#a"]


def test_hits_of_a_relaxed_search_do_not_count() -> None:
    relaxed = SearchResult("", "", answer("a").hits, 1, relaxed=("is:assignable was given up",))
    assert evaluate([query("a")], FUNCTIONS, lambda _: relaxed)["core"]["macro"] == (0.0, 1.0)


def test_missed_functions_without_an_entry_are_counted_apart() -> None:
    result = evaluate([query("a", "gone")], FUNCTIONS, lambda _: answer())
    assert result["missed_without_entry"] == 1


def test_the_search_is_restricted_to_assignable_functions() -> None:
    asked: list[str] = []

    def search(text: str) -> SearchResult:
        asked.append(text)
        raise QuerySyntaxError(text, 0, ("a type",))

    result = evaluate([query("a")], FUNCTIONS, search)
    assert asked == ["() => void  is:assignable"]
    assert result["failed"] == ["q1"]
    assert "cannot read the query" in report(result, show=False)


def test_a_function_found_by_an_alias_is_not_missed_without_an_entry() -> None:
    functions = replace(FUNCTIONS, by_alias={"p#other": entry("a")})
    result = evaluate([query("a", "other")], functions, lambda _: answer("b"))
    assert (result["missed_without_entry"], result["found_by_alias"]) == (0, 1)
