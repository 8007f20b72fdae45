"""Saying a request in other words, over HTTP."""

from __future__ import annotations

from pathlib import Path

import pytest

from fakes.messages_api import Reply
from fakes.models import always, question, saying
from llm.conftest import Serve
from typematch.catalog import Catalog
from typematch.search.results import SearchResult
from typematch.serve.cli.main import main

Output = pytest.CaptureFixture[str]
ODD = "bunch zzz"


def search(path: Path, query: str = ODD, *, expand: bool = True) -> SearchResult:
    with Catalog(path) as catalog:
        return catalog.search(query, expand=expand)


def names(result: SearchResult) -> list[str]:
    return [hit.entry.name for hit in result]


def test_other_words_find_what_the_typed_ones_do_not(serve: Serve, tiny: Path) -> None:
    assert "groupBy" not in names(search(tiny, expand=False))
    serve(saying("group items by key", "collect items", "partition a list"))
    result = search(tiny)
    assert names(result)[0] == "groupBy"
    assert "Also searched: group items by key; collect items; partition a list." in result.notices


def test_the_typed_words_come_first_among_equals(serve: Serve, tiny: Path) -> None:
    before = search(tiny, "sort the items", expand=False)
    serve(saying("group items by key"))
    after = search(tiny, "sort the items")
    assert names(after)[0] == names(before)[0]
    assert set(names(before)) <= set(names(after)) | set(names(before)[20:])
    assert names(after).index("groupBy") == 1


def test_needs_and_concepts_are_searched_too(serve: Serve, tiny: Path) -> None:
    serve(saying(ODD, needs=["wait some milliseconds"], concepts=["sort", "comparison"]))
    found = names(search(tiny))[:4]
    assert "sleep" in found
    assert "sortWith" in found


def test_constraints_are_read_by_our_own_grammar(serve: Serve, tiny: Path) -> None:
    serve(saying("zzz", constraints=["(items: T[], size: number) => T[][]"]))
    result = search(tiny, "make pieces")
    assert "chunk" in names(result)[:2]
    # What only the constraint found is not drawn as if it fitted what was typed.
    assert result.asked is not None
    there = {"", "$.returns", *(f"$.parameters[{i}]" for i in range(len(result.asked.parameters)))}
    assert {line.asked for hit in result for line in hit.lines} <= there


@pytest.mark.parametrize(
    ("constraint", "why"),
    [
        pytest.param("(string => number", "cannot read the query at column", id="no type"),
        pytest.param("colour:red", "there is no facet 'colour'", id="no facet"),
        pytest.param("pkg:nowhere", "No package here is called nowhere", id="no such package"),
        pytest.param("like:nothing", "like:nothing", id="no such entry"),
    ],
)
def test_what_cannot_be_read_is_dropped_with_a_notice(
    serve: Serve, tiny: Path, constraint: str, why: str
) -> None:
    serve(saying("group items by key", constraints=[constraint]))
    result = search(tiny)
    [told] = [one for one in result.notices if "was dropped" in one]
    assert told.startswith(f"Claude's {constraint!r} was dropped: ")
    assert why in told
    assert names(result)[0] == "groupBy"


def test_typed_facets_hold_for_every_way_of_asking(serve: Serve, tiny: Path) -> None:
    serve(saying("group items by key", constraints=["kind:function"]))
    result = search(tiny, f"{ODD} pkg:patience")
    assert {hit.entry.package for hit in result} <= {"patience"}
    assert result.hits


def test_a_phrasing_is_words_whatever_it_looks_like(serve: Serve, tiny: Path) -> None:
    serve(saying("pkg:nowhere -items => group"))
    result = search(tiny)
    assert "Also searched: pkg nowhere items group." in result.notices
    assert "groupBy" in names(result)


def test_a_signature_is_not_said_in_other_words(serve: Serve, tiny: Path) -> None:
    api = serve(saying("x"))
    result = search(tiny, "(a: string) => number")
    told = "The request was not said in other words: only words can be said in other words."
    assert told in result.notices
    assert api.calls == []


def test_a_failure_leaves_the_answer(serve: Serve, tiny: Path) -> None:
    before = search(tiny, "sort items", expand=False)
    serve(always(Reply("no")))
    after = search(tiny, "sort items")
    assert after.hits == before.hits
    assert after.notices[-1].startswith(
        "The request was not said in other words: the answer is not"
    )


def test_only_the_words_are_sent_and_once(serve: Serve, tiny: Path) -> None:
    api = serve(saying("group items by key"))
    search(tiny, f"{ODD} pkg:toolbox")
    search(tiny, f"{ODD} pkg:patience")
    [body] = api.bodies
    assert question(body) == '{"request": "bunch zzz"}'
    assert body["model"] == "claude-haiku-5-5"


def test_the_command_line(serve: Serve, tiny: Path, capsys: Output) -> None:
    serve(saying("group items by key"))
    assert main(["search", ODD, "--expand", "--limit", "1", "--db", str(tiny)]) == 0
    out = capsys.readouterr().out
    assert "Note: Also searched: group items by key." in out
    assert "expand by claude-haiku-5-5: 1 request, " in out
