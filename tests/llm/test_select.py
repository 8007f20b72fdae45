"""Choosing packages and services, over HTTP."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import FIXTURES
from fakes.messages_api import Body, Reply
from fakes.models import always, choosing, is_for, judge, offered, saying
from llm.conftest import Serve
from typematch.catalog import Catalog
from typematch.llm.select import catalog_lines
from typematch.llm.usage import most_tokens
from typematch.search.llm_protocols import Choice
from typematch.search.results import SearchResult
from typematch.serve.cli.main import main

Output = pytest.CaptureFixture[str]


@pytest.fixture(scope="session")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a database of packages and services."""
    path = tmp_path_factory.mktemp("mixed") / "typematch.db"
    with Catalog(path) as catalog:
        names = ("toolbox", "patience", "petshop", "musicbox")
        catalog.add(*(FIXTURES / name for name in names), model=None)
    return path


def search(path: Path, query: str = "find a user", *, select: bool = True) -> SearchResult:
    with Catalog(path) as catalog:
        return catalog.search(query, select=select)


def packages(result: SearchResult) -> set[str]:
    return {hit.entry.service or hit.entry.package for hit in result}


@pytest.mark.parametrize(
    "chosen",
    [
        pytest.param({"patience"}, id="a package"),
        pytest.param({"Musicbox"}, id="a service"),
        pytest.param({"patience", "Musicbox"}, id="a package and a service"),
    ],
)
def test_only_what_was_chosen_is_searched(serve: Serve, mixed: Path, chosen: set[str]) -> None:
    assert not packages(search(mixed, select=False)) <= chosen
    serve(choosing(*sorted(chosen)))
    result = search(mixed)
    assert result.hits
    assert packages(result) == chosen
    assert any(one.startswith("Searched in: ") for one in result.notices)


def test_those_in_which_the_request_finds_most_are_offered_first(serve: Serve, mixed: Path) -> None:
    api = serve(choosing("patience"))
    search(mixed, "create a playlist")
    names = [one["name"] for one in offered(api.bodies[0])]
    assert names[0] == "Musicbox"
    assert {"toolbox", "patience", "Pet Adoption"} <= set(names)
    assert "musicbox" not in names  # all of it is a service's
    assert offered(api.bodies[0])[0]["found"][0].startswith("createPlaylist: ")


def test_names_that_were_not_offered_are_dropped(serve: Serve, mixed: Path) -> None:
    serve(choosing("patience", "left-pad"))
    result = search(mixed)
    assert packages(result) == {"patience"}
    assert "Claude chose 1 that were not offered." in result.notices


@pytest.mark.parametrize(
    "reply", [Reply({"ids": []}), Reply({"ids": ["left-pad"]}), Reply("no"), Reply(status=401)]
)
def test_where_nothing_is_chosen_nothing_is_left_out(
    serve: Serve, mixed: Path, reply: Reply
) -> None:
    before = search(mixed, select=False)
    serve(always(reply))
    after = search(mixed)
    assert after.hits == before.hits
    assert any(one.startswith("Packages were not chosen by Claude") for one in after.notices)


@pytest.mark.parametrize("count", [10, 1_000, 20_000])
def test_the_catalog_fits_its_budget_however_many_there_are(count: int) -> None:
    found = ("chunk: Split." * 9,) * 4
    many = [Choice("pkg", f"package-{place}", 100, found) for place in range(count)]
    lines = catalog_lines(many, 6_000)
    assert sum(map(most_tokens, lines)) <= 6_000
    assert len(lines) == count or len(lines) > 20


def test_all_stages_together(serve: Serve, mixed: Path, capsys: Output) -> None:
    def every(body: Body) -> Reply:
        if is_for(body, "ids"):
            return choosing("patience", "toolbox")(body)
        if is_for(body, "phrasings"):
            return saying("look up somebody by id")(body)
        return judge(lambda one: 9.0 if one["name"] == "findUser" else 1.0)(body)

    serve(every)
    command = ["search", "find a user", "--select", "--expand", "--rerank", "--db", str(mixed)]
    assert main(command) == 0
    out = capsys.readouterr().out
    assert out.split("\n\n")[1].startswith("patience#findUser")
    for stage in ("select by claude-haiku", "expand by claude-haiku", "rerank by claude-sonnet"):
        assert stage in out


def test_without_a_key_every_stage_says_so(
    serve: Serve, mixed: Path, monkeypatch: pytest.MonkeyPatch, capsys: Output
) -> None:
    api = serve(choosing("patience"))
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    command = ["search", "find a user", "--db", str(mixed)]
    assert main(command) == 0
    plain = capsys.readouterr().out
    assert main([*command, "--select", "--expand", "--rerank"]) == 0
    out = capsys.readouterr().out
    notes = [line for line in out.splitlines() if line.endswith("(set ANTHROPIC_API_KEY).")]
    assert len(notes) == 3
    assert [line for line in out.splitlines() if line not in notes] == plain.splitlines()
    assert api.calls == []
