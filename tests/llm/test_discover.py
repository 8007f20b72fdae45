"""Call planning against a simulated service: tools, limits, checked data flows."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from conftest import FIXTURES
from fakes.messages_api import Body, Reply
from fakes.models import always, in_turn, tool_items
from llm.conftest import Serve
from typematch.catalog import Catalog
from typematch.index.sql_store import open_store
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
    calls = [{"id": id_, "why": f"Because of {id_}."} for id_ in ids]
    return Reply({"calls": calls, "flows": list(flows), "missing": missing})


SEARCHES = Reply(tools=(search("create a playlist"), search("find songs"), search("add a song")))


def test_the_agent_searches_reads_and_plans(serve: Serve, music: Path) -> None:
    api = serve(
        in_turn(
            SEARCHES,
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
    discovery = discover(music)
    assert [call.entry.id for call in discovery.calls] == [MINE, CREATE, FIND, ADD]
    assert [item.verdict for item in discovery.flows] == ["fits", "fits", "fits"]
    assert discovery.searched == ("create a playlist", "find songs", "add a song")
    assert discovery.report.requests == 3
    listed_ids = {item["id"] for item in tool_items(api.bodies[1]) if "id" in item}
    assert {CREATE, ADD, FIND} <= listed_ids
    declared = [item["declaration"] for item in tool_items(api.bodies[2]) if "declaration" in item]
    assert any(text.startswith("createPlaylist: (userId: string") for text in declared)
    assert any("songs: Song[]" in text for text in declared)  # what it refers to


@pytest.mark.parametrize(
    ("gives", "takes", "verdict", "types"),
    [
        pytest.param("id", "playlistId", "fits", "string to string", id="same type"),
        pytest.param("songs[].id", "body.songId", "fits", "string to string", id="inside arrays"),
        pytest.param("id", "songId", "fits", "string to string", id="property of the body"),
        pytest.param("songs", "playlistId", "does not fit", "to string", id="array to string"),
        pytest.param(
            "id", "body.position", "does not fit", "string to number", id="string to number"
        ),
        pytest.param(
            "colour", "playlistId", "not known", "has no colour", id="unknown path in the result"
        ),
        pytest.param("id", "colour", "not known", "has no argument colour", id="unknown argument"),
    ],
)
def test_data_flows_are_checked_by_the_relation(
    serve: Serve, music: Path, gives: str, takes: str, verdict: str, types: str
) -> None:
    serve(in_turn(SEARCHES, plan(CREATE, ADD, flows=(flow(CREATE, gives, ADD, takes),))))
    [data_flow] = discover(music).flows
    assert data_flow.verdict == verdict
    assert types in data_flow.types


def test_entries_that_no_tool_returned_are_dropped(serve: Serve, music: Path) -> None:
    serve(
        in_turn(
            Reply(tools=(search("create a playlist", 1),)),
            plan(CREATE, "musicbox#Musicbox#invented", ADD, flows=(flow(ADD, "x", CREATE, "y"),)),
        )
    )
    discovery = discover(music)
    assert [call.entry.id for call in discovery.calls] == [CREATE]
    assert discovery.flows == ()
    assert "Claude planned 2 calls to unknown entries; they are left out." in discovery.report.notes


def test_tool_errors_are_returned_to_the_model(serve: Serve, music: Path) -> None:
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
    discovery = discover(music)
    assert discovery.missing == "everything"
    tool_results = api.bodies[1]["messages"][-1]["content"]
    assert [block["is_error"] for block in tool_results] == [True] * 4
    assert "there is no entry" in tool_results[0]["content"]
    assert "cannot read the query" in tool_results[2]["content"]


def test_the_number_of_steps_is_limited(serve: Serve, music: Path) -> None:
    def restless(body: Body) -> Reply:
        if body.get("tool_choice") == {"type": "none"}:
            return plan(CREATE)
        return Reply(tools=(search(f"again {len(body['messages'])}"),))

    Path("typematch.toml").write_text("[claude]\ndiscover_steps = 4\n")
    api = serve(restless)
    discovery = discover(music)
    assert len(api.bodies) == 5
    assert len(discovery.searched) == 4


def test_the_number_of_tokens_is_limited(serve: Serve, music: Path) -> None:
    def restless(body: Body) -> Reply:
        if body.get("tool_choice") == {"type": "none"}:
            return plan(CREATE)
        return Reply(tools=(search(f"again {len(body['messages'])}", 20),))

    Path("typematch.toml").write_text("[claude]\ndiscover_tokens = 5_000\n")
    api = serve(restless)
    discovery = discover(music)
    assert 1 < len(api.bodies) < 8
    assert discovery.report.tokens_in + discovery.report.tokens_out < 15_000


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        pytest.param(Reply(status=401), "the key was refused (401)", id="401"),
        pytest.param(Reply("I would", stop_reason="refusal"), "the model declined", id="refusal"),
        pytest.param(
            Reply("{", stop_reason="max_tokens"), "the answer was truncated", id="truncated"
        ),
        pytest.param(Reply("no plan"), "the answer does not match", id="wrong schema"),
    ],
)
def test_a_failed_plan_falls_back_to_a_search(
    serve: Serve, music: Path, reply: Reply, reason: str, capsys: Output
) -> None:
    serve(in_turn(SEARCHES, always(reply)))
    assert main(["discover", REQUEST, "--db", str(music)]) == 0
    out = capsys.readouterr().out
    assert f"Note: There is no plan; these are the hits of a search: {reason}" in out
    assert "Read as: words" in out


def test_without_a_key_no_request_is_sent(
    serve: Serve, music: Path, monkeypatch: pytest.MonkeyPatch, capsys: Output
) -> None:
    api = serve(always(plan(CREATE)))
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    assert main(["discover", REQUEST, "--db", str(music)]) == 0
    assert "no API key is set (set ANTHROPIC_API_KEY)" in capsys.readouterr().out
    assert api.calls == []


def test_discover_prints_the_plan_and_caches_answers(
    serve: Serve, music: Path, capsys: Output
) -> None:
    api = serve(
        in_turn(SEARCHES, plan(CREATE, ADD, flows=(flow(CREATE, "id", ADD, "playlistId"),)))
    )
    assert main(["discover", REQUEST, "--db", str(music)]) == 0
    out = capsys.readouterr().out
    assert out.startswith(f"1. {CREATE}  (userId: string, ")
    assert "   POST /users/{userId}/playlists  Because of " in out
    assert f"  {CREATE} id -> {ADD} playlistId\n      fits: string to string\n" in out
    assert "discover by claude-sonnet-5-5: 2 requests, " in out
    assert main(["discover", REQUEST, "--json", "--db", str(music)]) == 0
    document = json.loads(capsys.readouterr().out)
    assert [call["entry"]["id"] for call in document["calls"]] == [CREATE, ADD]
    assert document["flows"][0]["verdict"] == "fits"
    assert document["stage"]["requests"] == 0
    assert len(api.bodies) == 2


def test_infinitely_recursive_types_give_an_unknown_verdict(tmp_path: Path) -> None:
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
