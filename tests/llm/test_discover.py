"""Planning several calls, over HTTP: tools, budgets, what is checked."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from conftest import FIXTURES
from fakes.messages_api import Body, Reply
from fakes.models import always, in_turn, results
from llm.conftest import Serve
from typematch.catalog import Catalog
from typematch.index.sqlite import open_store
from typematch.llm.data_flow import DataFlowChecker
from typematch.search.call_plan import Discovery
from typematch.serve.cli.main import main

Output = pytest.CaptureFixture[str]
REQUEST = "make a playlist of songs by one singer"
MINE, CREATE, ADD, FIND = (
    f"musicbox#Musicbox#{name}" for name in ("whoAmI", "createPlaylist", "addSong", "findSongs")
)


@pytest.fixture(scope="session")
def music(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("music") / "typematch.db"
    with Catalog(path) as catalog:
        catalog.add(FIXTURES / "musicbox", model=None)
    return path


def discover(path: Path) -> Discovery:
    with Catalog(path) as catalog:
        return catalog.discover(REQUEST)


def search(query: str, k: int = 5) -> tuple[str, dict[str, Any]]:
    return "search", {"query": query, "k": k}


def read(name: str) -> tuple[str, dict[str, Any]]:
    return "read", {"id": name}


def flow(source: str, gives: str, target: str, takes: str) -> dict[str, str]:
    return {"from_id": source, "gives": gives, "to_id": target, "takes": takes}


def plan(*ids: str, flows: tuple[dict[str, str], ...] = (), missing: str = "") -> Reply:
    calls = [{"id": one, "why": f"Because of {one}."} for one in ids]
    return Reply({"calls": calls, "flows": list(flows), "missing": missing})


LOOK = Reply(tools=(search("create a playlist"), search("find songs"), search("add a song")))


def test_it_searches_reads_and_plans(serve: Serve, music: Path) -> None:
    api = serve(
        in_turn(
            LOOK,
            Reply(tools=(read(CREATE), read(ADD))),
            plan(
                MINE, CREATE, FIND, ADD,
                flows=(
                    flow(MINE, "id", CREATE, "userId"),
                    flow(CREATE, "result.id", ADD, "playlistId"),
                    flow(FIND, "[].id", ADD, "body.songId"),
                ),
            ),
        )
    )  # fmt: skip
    found = discover(music)
    assert [call.entry.id for call in found.calls] == [MINE, CREATE, FIND, ADD]
    assert [one.verdict for one in found.flows] == ["fits", "fits", "fits"]
    assert found.searched == ("create a playlist", "find songs", "add a song")
    assert found.report.requests == 3
    shown = {one["id"] for one in results(api.bodies[1]) if "id" in one}
    assert {CREATE, ADD, FIND} <= shown
    declared = [one["declaration"] for one in results(api.bodies[2]) if "declaration" in one]
    assert any(text.startswith("createPlaylist: (userId: string") for text in declared)
    assert any("songs: Song[]" in text for text in declared)  # what it refers to


@pytest.mark.parametrize(
    ("gives", "takes", "verdict", "said"),
    [
        pytest.param("id", "playlistId", "fits", "string to string", id="it fits"),
        pytest.param("songs[].id", "body.songId", "fits", "string to string", id="inside lists"),
        pytest.param("id", "songId", "fits", "string to string", id="a field of the body"),
        pytest.param("songs", "playlistId", "does not fit", "to string", id="a list is no id"),
        pytest.param("id", "body.position", "does not fit", "string to number", id="no number"),
        pytest.param("colour", "playlistId", "not known", "gives nothing", id="no such part"),
        pytest.param("id", "colour", "not known", "takes nothing", id="no such argument"),
    ],
)
def test_the_relation_judges_what_flows(
    serve: Serve, music: Path, gives: str, takes: str, verdict: str, said: str
) -> None:
    serve(in_turn(LOOK, plan(CREATE, ADD, flows=(flow(CREATE, gives, ADD, takes),))))
    [one] = discover(music).flows
    assert one.verdict == verdict
    assert said in one.types


def test_what_no_tool_has_shown_is_left_out(serve: Serve, music: Path) -> None:
    serve(
        in_turn(
            Reply(tools=(search("create a playlist", 1),)),
            plan(CREATE, "musicbox#Musicbox#invented", ADD, flows=(flow(ADD, "x", CREATE, "y"),)),
        )
    )
    found = discover(music)
    assert [call.entry.id for call in found.calls] == [CREATE]
    assert found.flows == ()
    assert "Claude planned 2 that no tool had shown; they are left out." in found.report.notes


def test_a_tool_that_is_used_wrongly_says_so(serve: Serve, music: Path) -> None:
    api = serve(
        in_turn(
            Reply(
                tools=(
                    read("nothing at all"),
                    ("search", {"query": "(string => "}),
                    ("search", {"query": "(string => ", "k": 3}),
                    ("dance", {}),
                )
            ),
            plan(missing="everything"),
        )
    )
    found = discover(music)
    assert found.missing == "everything"
    answered = api.bodies[1]["messages"][-1]["content"]
    assert [one["is_error"] for one in answered] == [True] * 4
    assert "there is no entry" in answered[0]["content"]
    assert "cannot read the query" in answered[2]["content"]


def test_it_stops_within_its_steps(serve: Serve, music: Path) -> None:
    def restless(body: Body) -> Reply:
        if body.get("tool_choice") == {"type": "none"}:
            return plan(CREATE)
        return Reply(tools=(search(f"again {len(body['messages'])}"),))

    Path("typematch.toml").write_text("[claude]\ndiscover_steps = 4\n")
    api = serve(restless)
    found = discover(music)
    assert len(api.bodies) == 5
    assert len(found.searched) == 4


def test_it_stops_within_its_tokens(serve: Serve, music: Path) -> None:
    def restless(body: Body) -> Reply:
        if body.get("tool_choice") == {"type": "none"}:
            return plan(CREATE)
        return Reply(tools=(search(f"again {len(body['messages'])}", 20),))

    Path("typematch.toml").write_text("[claude]\ndiscover_tokens = 5_000\n")
    api = serve(restless)
    found = discover(music)
    assert 1 < len(api.bodies) < 8
    assert found.report.tokens_in + found.report.tokens_out < 15_000


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        pytest.param(Reply(status=401), "the key was refused (401)", id="401"),
        pytest.param(Reply("I would", stop="refusal"), "the model declined", id="refusal"),
        pytest.param(Reply("{", stop="max_tokens"), "the answer was cut off", id="cut off"),
        pytest.param(Reply("no plan"), "the answer is not of the form", id="another form"),
    ],
)
def test_a_failure_leaves_the_hits_of_a_search(
    serve: Serve, music: Path, reply: Reply, why: str, capsys: Output
) -> None:
    serve(in_turn(LOOK, always(reply)))
    assert main(["discover", REQUEST, "--db", str(music)]) == 0
    out = capsys.readouterr().out
    assert f"Note: Nothing was planned, these are the hits of a search: {why}" in out
    assert "Read as: words" in out


def test_without_a_key(
    serve: Serve, music: Path, monkeypatch: pytest.MonkeyPatch, capsys: Output
) -> None:
    api = serve(always(plan(CREATE)))
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    assert main(["discover", REQUEST, "--db", str(music)]) == 0
    assert "there is no key (set ANTHROPIC_API_KEY)" in capsys.readouterr().out
    assert api.calls == []


def test_the_command_line_and_the_second_time(serve: Serve, music: Path, capsys: Output) -> None:
    api = serve(in_turn(LOOK, plan(CREATE, ADD, flows=(flow(CREATE, "id", ADD, "playlistId"),))))
    assert main(["discover", REQUEST, "--db", str(music)]) == 0
    out = capsys.readouterr().out
    assert out.startswith(f"1. {CREATE}  (userId: string, ")
    assert "   POST /users/{userId}/playlists  Because of " in out
    assert f"  {CREATE} id -> {ADD} playlistId\n      fits: string to string\n" in out
    assert "discover by claude-sonnet-5-5: 2 requests, " in out
    assert main(["discover", REQUEST, "--json", "--db", str(music)]) == 0
    document = json.loads(capsys.readouterr().out)
    assert [one["entry"]["id"] for one in document["calls"]] == [CREATE, ADD]
    assert document["flows"][0]["verdict"] == "fits"
    assert document["stage"]["requests"] == 0
    assert len(api.bodies) == 2


def test_types_without_an_end_leave_a_flow_open(tmp_path: Path) -> None:
    (tmp_path / "deep.d.ts").write_text(
        "export type Deep<T> = T extends 0 ? never : Deep<[T]>;\n"
        "export declare function dig(): Deep<1>;\n"
        "export declare function cover(hole: string): void;\n"
    )
    with Catalog(tmp_path / "t.db") as catalog:
        catalog.add(tmp_path, model=None)
        dig, cover = catalog.get("dig"), catalog.get("cover")
    with closing(open_store(tmp_path / "t.db", create=False)) as store:
        checked = DataFlowChecker(store).check(dig, "result.depth", cover, "hole")
    assert checked.verdict == "not known"
