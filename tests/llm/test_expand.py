"""Query expansion against a simulated service."""

from __future__ import annotations

from pathlib import Path

import pytest

from fakes.messages_api import Reply
from fakes.models import always, expansion_model, user_message
from llm.conftest import Serve
from typematch.catalog import Catalog
from typematch.search.results import SearchResult
from typematch.serve.cli.main import main

Output = pytest.CaptureFixture[str]
UNMATCHED = "bunch zzz"


def search(path: Path, query: str = UNMATCHED, *, expand: bool = True) -> SearchResult:
    with Catalog(path) as catalog:
        return catalog.search(query, expand=expand)


def names(result: SearchResult) -> list[str]:
    return [hit.entry.name for hit in result]


def test_paraphrases_find_entries_that_the_query_misses(serve: Serve, tiny: Path) -> None:
    assert "groupBy" not in names(search(tiny, expand=False))
    serve(expansion_model("group items by key", "collect items", "partition a list"))
    result = search(tiny)
    assert names(result)[0] == "groupBy"
    assert "Also searched: group items by key; collect items; partition a list." in result.notices


def test_hits_of_the_typed_words_rank_first_among_equals(serve: Serve, tiny: Path) -> None:
    before = search(tiny, "sort the items", expand=False)
    serve(expansion_model("group items by key"))
    after = search(tiny, "sort the items")
    assert names(after)[0] == names(before)[0]
    assert set(names(before)) <= set(names(after)) | set(names(before)[20:])
    assert names(after).index("groupBy") == 1


def test_implied_needs_and_concepts_are_searched(serve: Serve, tiny: Path) -> None:
    serve(
        expansion_model(
            UNMATCHED, needs=["wait some milliseconds"], concepts=["sort", "comparison"]
        )
    )
    top_names = names(search(tiny))[:4]
    assert "sleep" in top_names
    assert "sortWith" in top_names


def test_constraints_are_parsed_as_typed_queries(serve: Serve, tiny: Path) -> None:
    serve(expansion_model("zzz", constraints=["(items: T[], size: number) => T[][]"]))
    result = search(tiny, "make pieces")
    assert "chunk" in names(result)[:2]
    # Hits of an added constraint have no alignment with the typed query.
    assert result.query_signature is not None
    there = {
        "",
        "$.returns",
        *(f"$.parameters[{i}]" for i in range(len(result.query_signature.parameters))),
    }
    assert {line.query for hit in result for line in hit.alignment} <= there


@pytest.mark.parametrize(
    ("constraint", "reason"),
    [
        pytest.param("(string => number", "cannot read the query at column", id="invalid type"),
        pytest.param("colour:red", "there is no facet 'colour'", id="unknown facet"),
        pytest.param("pkg:nowhere", "No package here is called nowhere", id="unknown package"),
        pytest.param("like:nothing", "like:nothing", id="unknown entry"),
    ],
)
def test_an_invalid_constraint_is_dropped_with_a_notice(
    serve: Serve, tiny: Path, constraint: str, reason: str
) -> None:
    serve(expansion_model("group items by key", constraints=[constraint]))
    result = search(tiny)
    [notice] = [notice for notice in result.notices if "was dropped" in notice]
    assert notice.startswith(f"Claude's {constraint!r} was dropped: ")
    assert reason in notice
    assert names(result)[0] == "groupBy"


def test_typed_facets_filter_the_paraphrases_too(serve: Serve, tiny: Path) -> None:
    serve(expansion_model("group items by key", constraints=["kind:function"]))
    result = search(tiny, f"{UNMATCHED} pkg:deadline")
    assert {hit.entry.package for hit in result} <= {"deadline"}
    assert result.hits


def test_a_paraphrase_is_always_read_as_words(serve: Serve, tiny: Path) -> None:
    serve(expansion_model("pkg:nowhere -items => group"))
    result = search(tiny)
    assert "Also searched: pkg nowhere items group." in result.notices
    assert "groupBy" in names(result)


def test_a_signature_query_is_not_expanded(serve: Serve, tiny: Path) -> None:
    api = serve(expansion_model("x"))
    result = search(tiny, "(a: string) => number")
    notice = "The request was not reworded: only a query in words is reworded."
    assert notice in result.notices
    assert api.calls == []


def test_a_failed_expansion_leaves_the_result_unchanged(serve: Serve, tiny: Path) -> None:
    before = search(tiny, "sort items", expand=False)
    serve(always(Reply("no")))
    after = search(tiny, "sort items")
    assert after.hits == before.hits
    assert after.notices[-1].startswith("The request was not reworded: the answer does not match")


def test_only_the_words_of_the_query_are_sent_once(serve: Serve, tiny: Path) -> None:
    api = serve(expansion_model("group items by key"))
    search(tiny, f"{UNMATCHED} pkg:toolbox")
    search(tiny, f"{UNMATCHED} pkg:deadline")
    [body] = api.bodies
    assert user_message(body) == '{"request": "bunch zzz"}'
    assert body["model"] == "claude-haiku-5-5"


def test_search_expand_prints_the_paraphrases_and_costs(
    serve: Serve, tiny: Path, capsys: Output
) -> None:
    serve(expansion_model("group items by key"))
    assert main(["search", UNMATCHED, "--expand", "--limit", "1", "--db", str(tiny)]) == 0
    out = capsys.readouterr().out
    assert "Note: Also searched: group items by key." in out
    assert "expand by claude-haiku-5-5: 1 request, " in out
