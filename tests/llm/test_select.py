"""Selection of packages and services against a simulated service."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import FIXTURES
from fakes.messages_api import Body, Reply
from fakes.models import (
    always,
    data_items,
    expansion_model,
    grading_model,
    has_reply_field,
    selection_model,
)
from llm.conftest import Serve
from typematch.catalog import Catalog
from typematch.llm.select import catalog_lines
from typematch.search.llm_protocols import ScopeChoice
from typematch.search.results import SearchResult
from typematch.serve.cli.main import main
from typematch.token_count import token_upper_bound

Output = pytest.CaptureFixture[str]


@pytest.fixture(scope="session")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a database of packages and services."""
    path = tmp_path_factory.mktemp("mixed") / "typematch.db"
    with Catalog(path) as catalog:
        names = ("toolbox", "deadline", "petshop", "musicbox")
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
        pytest.param({"deadline"}, id="a package"),
        pytest.param({"Musicbox"}, id="a service"),
        pytest.param({"deadline", "Musicbox"}, id="a package and a service"),
    ],
)
def test_only_the_selected_packages_are_searched(
    serve: Serve, mixed: Path, chosen: set[str]
) -> None:
    assert not packages(search(mixed, select=False)) <= chosen
    serve(selection_model(*sorted(chosen)))
    result = search(mixed)
    assert result.hits
    assert packages(result) == chosen
    assert any(notice.startswith("Searched in: ") for notice in result.notices)


def test_packages_with_most_hits_are_listed_first(serve: Serve, mixed: Path) -> None:
    api = serve(selection_model("deadline"))
    search(mixed, "create a playlist")
    names = [item["name"] for item in data_items(api.bodies[0])]
    assert names[0] == "Musicbox"
    assert {"toolbox", "deadline", "Pet Adoption"} <= set(names)
    assert "musicbox" not in names  # all its entries belong to a service
    assert data_items(api.bodies[0])[0]["found"][0].startswith("createPlaylist: ")


def test_unknown_ids_are_dropped(serve: Serve, mixed: Path) -> None:
    serve(selection_model("deadline", "left-pad"))
    result = search(mixed)
    assert packages(result) == {"deadline"}
    assert "Claude chose 1 that were not in the list." in result.notices


@pytest.mark.parametrize(
    "reply", [Reply({"ids": []}), Reply({"ids": ["left-pad"]}), Reply("no"), Reply(status=401)]
)
def test_an_empty_or_failed_selection_leaves_the_result_unchanged(
    serve: Serve, mixed: Path, reply: Reply
) -> None:
    before = search(mixed, select=False)
    serve(always(reply))
    after = search(mixed)
    assert after.hits == before.hits
    assert any(notice.startswith("Claude did not select packages") for notice in after.notices)


@pytest.mark.parametrize("count", [10, 1_000, 20_000])
def test_the_package_list_fits_its_token_budget(count: int) -> None:
    top_entries = ("chunk: Split." * 9,) * 4
    many = [ScopeChoice("pkg", f"package-{number}", 100, top_entries) for number in range(count)]
    lines = catalog_lines(many, 6_000)
    assert sum(map(token_upper_bound, lines)) <= 6_000
    assert len(lines) == count or len(lines) > 20


def test_select_expand_and_rerank_work_together(serve: Serve, mixed: Path, capsys: Output) -> None:
    def every(body: Body) -> Reply:
        if has_reply_field(body, "ids"):
            return selection_model("deadline", "toolbox")(body)
        if has_reply_field(body, "phrasings"):
            return expansion_model("look up somebody by id")(body)
        return grading_model(lambda candidate: 9.0 if candidate["name"] == "findUser" else 1.0)(
            body
        )

    serve(every)
    command = ["search", "find a user", "--select", "--expand", "--rerank", "--db", str(mixed)]
    assert main(command) == 0
    out = capsys.readouterr().out
    assert out.split("\n\n")[1].startswith("deadline#findUser")
    for stage in ("select by claude-haiku", "expand by claude-haiku", "rerank by claude-sonnet"):
        assert stage in out


def test_without_a_key_every_stage_reports_it(
    serve: Serve, mixed: Path, monkeypatch: pytest.MonkeyPatch, capsys: Output
) -> None:
    api = serve(selection_model("deadline"))
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
