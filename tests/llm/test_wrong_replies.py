"""Replies that are not what the service promises: HTML of a gateway, other JSON, broken messages.

Every feature treats them as any other failure, and batches stay resumable.
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from databases import copy_database
from fakes.messages_api import KEY, Reply
from fakes.models import always, enrichment_model, in_turn, random_model
from llm.conftest import Serve
from typematch.catalog import Catalog
from typematch.errors import ClaudeError
from typematch.llm.client import Client
from typematch.llm.settings import Settings
from typematch.llm.usage_ledger import UsageLedger
from typematch.search.results import SearchResult
from typematch.serve.cli.main import main

Output = pytest.CaptureFixture[str]
USAGE = {"input_tokens": 1, "output_tokens": 1}


def message(*content: Any, **fields: Any) -> str:
    """Return a reply with these content blocks."""
    return json.dumps({"content": content, "stop_reason": "end_turn", "usage": USAGE, **fields})


NOT_JSON = {
    "HTML": "<html><body>Please log in</body></html>",
    "nothing": "",
    "half a reply": '{"id": "msg_1", "content": [{"type": "te',
    "deep nesting": "[" * 100_000,
    "a lone surrogate": message({"type": "text", "text": "\ud800"}),
}
OTHER_JSON = {
    "null": "null",
    "list": "[]",
    "list of objects": '[{"type": "text"}]',
    "string": '"fine"',
    "number": "42",
    "not a number": "NaN",
    "boolean": "true",
    "empty object": "{}",
    "an error": '{"type": "error", "error": null}',
}
BROKEN_MESSAGES = {
    "content is null": '{"content": null, "usage": {"input_tokens": 1, "output_tokens": 1}}',
    "content is a string": '{"content": "x", "usage": {"input_tokens": 1, "output_tokens": 1}}',
    "a block is a string": message("x"),
    "a block is null": message(None),
    "a block has no type": message({"text": "x"}),
    "a text is a number": message({"type": "text", "text": 7}),
    "a text is missing": message({"type": "text"}),
    "a tool call has no input": message({"type": "tool_use", "id": "t1", "name": "search"}),
    "a tool call has no id": message({"type": "tool_use", "name": "search", "input": {}}),
    "no usage": message({"type": "text", "text": "{}"}, usage=None),
    "usage of strings": message(
        {"type": "text", "text": "{}"}, usage={"input_tokens": "many", "output_tokens": "few"}
    ),
    "negative usage": message(
        {"type": "text", "text": "{}"}, usage={"input_tokens": -9, "output_tokens": 1}
    ),
    "huge usage": message(
        {"type": "text", "text": "{}"}, usage={"input_tokens": 10**30, "output_tokens": 1}
    ),
    "a stop reason that is a list": message({"type": "text", "text": "{}"}, stop_reason=[1]),
}
WRONG = {**NOT_JSON, **OTHER_JSON, **BROKEN_MESSAGES}
NOT_BATCHES = {
    name: WRONG[name] for name in ("HTML", "nothing", "null", "list", "string", "number")
}


def cases(named: Mapping[str, str]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("body", [pytest.param(named[name], id=name) for name in named])


def search(path: Path, stage: str = "") -> SearchResult:
    with Catalog(path) as catalog:
        return catalog.search(
            "sort items",
            rerank=stage == "rerank",
            expand=stage == "expand",
            select=stage == "select",
        )


@pytest.fixture
def copy(tiny: Path, tmp_path: Path) -> Path:
    return copy_database(tiny, tmp_path / "copy.db")


@cases(WRONG)
@pytest.mark.parametrize("stage", ["rerank", "expand", "select"])
def test_a_search_stays_as_it_was_with_one_notice(
    serve: Serve, tiny: Path, stage: str, body: str
) -> None:
    before = search(tiny)
    api = serve(random_model(1))
    api.wrong_bodies["POST /"] = body
    after = search(tiny, stage)
    [report] = after.stages
    assert report.skipped.startswith("the answer cannot be read: ")
    assert "\n" not in report.skipped
    assert len(report.skipped) < 200
    assert after.hits == before.hits
    assert len(after.notices) == len(before.notices) + 1


@cases(WRONG)
def test_discover_prints_the_hits_of_a_search(serve: Serve, tiny: Path, body: str) -> None:
    api = serve(random_model(1))
    api.wrong_bodies["POST /"] = body
    with Catalog(tiny) as catalog:
        discovery = catalog.discover("sort items")
    assert discovery.report.skipped.startswith("the answer cannot be read: ")
    assert discovery.hits is not None
    assert len(discovery.hits) > 0


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param({"query": "sort", "k": -1e30}, id="a large number"),
        pytest.param({"query": "sort", "k": None}, id="null"),
        pytest.param({"query": ["sort"], "k": {}}, id="objects"),
        pytest.param({}, id="nothing"),
    ],
)
def test_a_tool_call_with_a_wrong_input_is_answered_with_an_error(
    serve: Serve, tiny: Path, arguments: dict[str, Any]
) -> None:
    plan = Reply({"calls": [], "flows": [], "missing": "everything"})
    api = serve(in_turn(Reply(tools=(("search", arguments),)), plan))
    with Catalog(tiny) as catalog:
        discovery = catalog.discover("sort items")
    assert discovery.missing == "everything"
    [block] = api.bodies[1]["messages"][-1]["content"]
    assert block["type"] == "tool_result"


def test_a_tool_call_with_an_infinite_number_ends_the_plan(serve: Serve, tiny: Path) -> None:
    """It cannot be sent back as JSON."""
    serve(always(Reply(tools=(("search", {"query": "sort", "k": 1e999}),))))
    with Catalog(tiny) as catalog:
        discovery = catalog.discover("sort items")
    assert discovery.report.skipped.startswith("the answer cannot be read: ")


def test_a_plan_that_cannot_be_read_is_not_cached(serve: Serve, tiny: Path) -> None:
    api = serve(always(Reply("<html>")))
    plan = Reply({"calls": [], "flows": [], "missing": "everything"})
    with Catalog(tiny) as catalog:
        first = catalog.discover("sort items")
        assert first.report.skipped.startswith("the answer does not match the requested schema")
        api.behaviour = always(plan)
        assert catalog.discover("sort items").missing == "everything"


@pytest.mark.parametrize("text", ["", "null", "[]", "[7, 8]", '[[{"text": "x"}], "end_turn"]'])
def test_a_damaged_cached_turn_is_requested_again(
    serve: Serve, tiny: Path, tmp_path: Path, text: str
) -> None:
    api = serve(always(Reply({"calls": [], "flows": [], "missing": "everything"})))
    with Catalog(tiny) as catalog:
        catalog.discover("sort items")
    ledger = UsageLedger(tmp_path / "cache" / "typematch" / "claude.db", time.time)
    with ledger._transaction() as connection:
        connection.execute("UPDATE answer SET text = ?", (text,))
    ledger.close()
    with Catalog(tiny) as catalog:
        assert catalog.discover("sort items").missing == "everything"
    assert len(api.bodies) == 2


@cases(WRONG)
def test_enrich_without_batch_counts_the_failure(
    serve: Serve, copy: Path, capsys: Output, body: str
) -> None:
    api = serve(enrichment_model)
    api.wrong_bodies["POST /"] = body
    assert main(["enrich", "pkg:deadline", "--yes", "--now", "--db", str(copy)]) in (0, 1)
    captured = capsys.readouterr()
    assert "the answer cannot be read" in captured.out
    assert "Traceback" not in captured.err


# Batches ------------------------------------------------------------------------------------------


def enrich(path: Path) -> int:
    with Catalog(path) as catalog:
        return catalog.enrich("pkg:deadline").written


@cases(NOT_BATCHES)
@pytest.mark.parametrize(
    "call",
    [
        pytest.param("POST /batches", id="create"),
        pytest.param("GET /batches/msgbatch_0000", id="status"),
        pytest.param("GET /batches/*/results", id="results"),
    ],
)
def test_a_batch_is_resumed_after_a_wrong_reply(
    serve: Serve, copy: Path, call: str, body: str
) -> None:
    api = serve(enrichment_model)
    api.wrong_bodies[call] = body
    with pytest.raises(ClaudeError, match="the answer cannot be read"):
        enrich(copy)
    api.wrong_bodies.clear()
    assert enrich(copy) > 5
    assert api.calls.count("POST /batches") == 1


@cases(NOT_BATCHES)
def test_a_batch_without_a_recorded_id_is_not_given_up_for_a_wrong_list(
    serve: Serve, copy: Path, body: str
) -> None:
    api = serve(enrichment_model)
    api.wrong_bodies["POST /batches"] = "null"
    with pytest.raises(ClaudeError):
        enrich(copy)
    api.wrong_bodies["GET /batches"] = body
    with pytest.raises(ClaudeError, match="the answer cannot be read"):
        enrich(copy)
    api.wrong_bodies.clear()
    assert enrich(copy) > 5
    assert api.calls.count("POST /batches") == 1


@pytest.mark.parametrize(
    "line",
    [
        *("null", "7", "[]", '"x"', "{}", "<html>", '{"custom_id": 7, "result": null}'),
        '{"custom_id": "elsewhere", "result": {"type": "succeeded"}}',
    ],
)
def test_a_wrong_line_of_results_costs_one_answer(serve: Serve, copy: Path, line: str) -> None:
    api = serve(enrichment_model)
    original = api.results

    def results(name: str) -> str:
        return f"{line}\n{original(name).partition(chr(10))[2]}"

    api.results = results  # type: ignore[method-assign]
    with Catalog(copy) as catalog:
        report = catalog.enrich("pkg:deadline")
    assert report.failed == {"the service returned no result": 1}
    assert report.written > 5
    api.results = original  # type: ignore[method-assign]
    assert enrich(copy) == 1  # the next run asks again for the one without an answer


@pytest.mark.parametrize(
    "result",
    [
        *(None, 7, [], "x", {}, {"type": "succeeded"}, {"type": "succeeded", "message": "<html>"}),
        {"type": "succeeded", "message": {"content": None, "usage": USAGE}},
        {"type": "errored"},
        {"type": "errored", "error": None},
        {"type": "errored", "error": {"error": {"message": ["x"]}}},
        {"type": ["expired"]},
    ],
    ids=str,
)
def test_a_wrong_result_of_a_batch_costs_one_answer(
    serve: Serve, copy: Path, result: object
) -> None:
    api = serve(enrichment_model)
    original = api.results

    def results(name: str) -> str:
        first, _, rest = original(name).partition("\n")
        changed = {"custom_id": json.loads(first)["custom_id"], "result": result}
        return f"{json.dumps(changed)}\n{rest}"

    api.results = results  # type: ignore[method-assign]
    with Catalog(copy) as catalog:
        report = catalog.enrich("pkg:deadline")
    assert sum(report.failed.values()) == 1
    assert report.written > 5


def test_the_key_is_not_sent_to_an_address_in_a_reply(serve: Serve) -> None:
    api, other = serve(enrichment_model), serve(enrichment_model)
    batch = api.batch

    def elsewhere(name: str, *, polled: bool = False) -> dict[str, Any]:
        return {**batch(name, polled=polled), "results_url": f"{other.url}/v1/messages/batches/x"}

    api.batch = elsewhere  # type: ignore[method-assign]
    settings = Settings(api_key=KEY, base_url=api.url)
    client = Client(settings)
    body = {"model": "m", "max_tokens": 10, "messages": [{"role": "user", "content": "x"}]}
    api.behaviour = always(Reply("fine"))
    name = client.create_batch([("a", body)])
    client.batch_progress(name)
    [result] = client.batch_results(name)
    client.close()
    assert result.message is not None
    assert result.message.text == "fine"
    assert other.calls == []


@pytest.mark.parametrize("message_", [["x"], {"a": 1}, 7, None], ids=str)
def test_an_error_reply_with_a_wrong_message_is_a_refusal(serve: Serve, message_: object) -> None:
    api = serve(always(Reply(status=400, message=message_)))  # type: ignore[arg-type]
    client = Client(Settings(api_key=KEY, base_url=api.url))
    body = {"model": "m", "max_tokens": 10, "messages": [{"role": "user", "content": "x"}]}
    with pytest.raises(ClaudeError, match="the request was refused"):
        client.create(body)
    client.close()
