"""Enrichment against a simulated service: batches, changes, killed runs, search by descriptions."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from conftest import FIXTURES
from databases import copy_database
from fakes.letters import LetterCountEmbedder
from fakes.messages_api import Body, MessagesApi, Reply
from fakes.models import always, data_items, enrichment_model
from llm.conftest import Serve
from typematch.catalog import Catalog
from typematch.errors import ClaudeError, ReadOnlyError
from typematch.index.dump import dump
from typematch.index.engines.sqlite import open_for_reading
from typematch.index.entries.selection import Condition, GlobCondition
from typematch.index.sql_store import open_store
from typematch.index.sql_writer import SqlWriter
from typematch.index.text.text_fields import Enrichment
from typematch.llm.enrich import SYSTEM
from typematch.llm.usage_ledger import UsageLedger
from typematch.serve.cli.main import main

Output = pytest.CaptureFixture[str]
QUERY = "pkg:deadline"
IN_DEADLINE = (Condition("pkg", (GlobCondition("deadline"),)),)


@pytest.fixture
def copy(tiny: Path, tmp_path: Path) -> Path:
    return copy_database(tiny, tmp_path / "copy.db")


def enrich(path: Path, query: str = QUERY, *, batch: bool = True) -> int:
    with Catalog(path) as catalog:
        return catalog.enrich(query, batch=batch).written


def enrichment(path: Path, entry: str) -> Enrichment:
    store = open_store(path)
    try:
        return store.enrichment(store.entry_numbers([entry])[entry])
    finally:
        store.close()


def created_batches(api: MessagesApi) -> int:
    return api.calls.count("POST /batches")


@pytest.mark.parametrize("batch", [True, False])
def test_descriptions_are_searchable(serve: Serve, copy: Path, batch: bool) -> None:
    api = serve(enrichment_model)
    written = enrich(copy, batch=batch)
    assert written > 5
    assert created_batches(api) == batch
    assert enrichment(copy, "deadline#retry").summary == "Solves the flibbertigibbet of retry."
    with Catalog(copy) as catalog:
        by_summary = catalog.search("flibbertigibbet retry")
        by_question = catalog.search("how to retry a wugglefrop")
        assert catalog.stats().enriched == written
    assert by_summary.hits[0].entry.id == "deadline#retry"
    assert by_question.hits[0].entry.id == "deadline#retry"


def test_show_marks_descriptions_as_written_by_a_model(
    serve: Serve, copy: Path, capsys: Output
) -> None:
    assert main(["show", "deadline#retry", "--db", str(copy)]) == 0
    assert "described by a model" not in capsys.readouterr().out
    serve(enrichment_model)
    enrich(copy)
    assert main(["show", "deadline#retry", "--db", str(copy)]) == 0
    assert (
        "described by a model:\n    Solves the flibbertigibbet of retry." in capsys.readouterr().out
    )
    assert main(["show", "deadline#retry", "--json", "--db", str(copy)]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["enrichment"]["questions"] == ["how do I retry a wugglefrop?", "what else?"]


def test_each_request_describes_one_entry_in_the_user_message(serve: Serve, copy: Path) -> None:
    api = serve(enrichment_model)
    enrich(copy)
    assert {len(data_items(body)) for body in api.bodies} == {1}
    assert {body["system"][0]["text"] for body in api.bodies} == {SYSTEM}
    assert not any(item["name"] in SYSTEM for body in api.bodies for item in data_items(body))


def test_descriptions_are_cut_to_their_maximum_lengths(serve: Serve, copy: Path) -> None:
    long = "word " * 900
    serve(always(Reply({"summary": long, "questions": [long, "", *"abcdefg"], "interface": long})))
    enrich(copy)
    description = enrichment(copy, "deadline#retry")
    assert len(description.summary) <= 400
    assert len(description.questions) == 5
    assert all(0 < len(question) <= 160 for question in description.questions)


def test_enrichment_does_not_change_the_ranking_of_other_entries(
    serve: Serve, copy: Path, tiny: Path
) -> None:
    serve(enrichment_model)
    enrich(copy)
    query = "sort the items  pkg:toolbox"
    with Catalog(copy) as enriched, Catalog(tiny) as plain:
        assert [hit.entry.id for hit in enriched.search(query)] == [
            hit.entry.id for hit in plain.search(query)
        ]


@pytest.mark.slow
def test_descriptions_are_embedded(serve: Serve, tmp_path: Path) -> None:
    serve(enrichment_model)
    path = tmp_path / "vectors.db"
    letters = LetterCountEmbedder()
    with Catalog(path) as catalog:
        catalog._embedders.by_name[""] = catalog._embedders.by_name[letters.identity.name] = letters
        catalog.add(FIXTURES / "deadline")
        before = catalog.stats().texts
        catalog.enrich(QUERY)
        stats = catalog.stats()
    assert stats.texts > before
    assert stats.texts_without_vector == 0
    asked = letters.embed_query("how do I retry a wugglefrop?")
    number = 0
    # Unfiltered searches use the matrix; a first filtered one the extension, later ones the matrix.
    for selections in ([()], [IN_DEADLINE, IN_DEADLINE]):
        store = open_store(path)
        number = store.entry_numbers(["deadline#retry"])["deadline#retry"]
        for selection in selections:
            [(nearest, cosine), *_] = store.dense(asked, selection, limit=3)
            assert nearest == number
            assert cosine > 0.99
        [[near]] = store.cosines(asked[None, :], np.array([number]))
        assert near > 0.99
        store.close()


def test_a_second_run_sends_nothing(serve: Serve, copy: Path) -> None:
    api = serve(enrichment_model)
    assert enrich(copy) > 0
    sent = len(api.calls)
    assert enrich(copy) == 0
    assert len(api.calls) == sent


@pytest.mark.slow
def test_only_changed_entries_are_enriched_again(serve: Serve, tmp_path: Path) -> None:
    api = serve(enrichment_model)
    folder = tmp_path / "code"
    shutil.copytree(FIXTURES / "deadline", folder)
    path = tmp_path / "changing.db"
    with Catalog(path) as catalog:
        catalog.add(folder, model=None)
        first = catalog.enrich(QUERY).written
        sent = len(api.bodies)
        source = next(folder.rglob("*.d.ts"))
        source.write_text(
            source.read_text() + "\n/** Anew. */\nexport declare function anew(): void;\n"
        )
        catalog.add(folder, model=None)
        assert catalog.stats().enriched == first  # it stays with what did not change
        assert catalog.enrich(QUERY).written == 1
    assert len(api.bodies) == sent + 1
    assert data_items(api.bodies[-1])[0]["name"] == "anew"
    assert enrichment(path, "deadline#retry").questions


@pytest.mark.slow
def test_another_embedding_model_embeds_descriptions_again(serve: Serve, tmp_path: Path) -> None:
    serve(enrichment_model)
    path = tmp_path / "vectors.db"
    for letters in (LetterCountEmbedder(), LetterCountEmbedder(width=99)):
        with Catalog(path) as catalog:
            catalog._embedders.by_name[""] = catalog._embedders.by_name[letters.identity.name] = (
                letters
            )
            catalog.add(FIXTURES / "deadline", model=letters.identity.name)
            catalog.enrich(QUERY)
            assert catalog.stats().texts_without_vector == 0
    assert "how do I retry a wugglefrop?" in " ".join(letters.embedded)


# Killed and refused runs --------------------------------------------------------------------------


def command(path: Path) -> list[str]:
    return [sys.executable, "-m", "typematch", "enrich", QUERY, "--yes", "--db", str(path)]


@pytest.mark.slow
def test_a_run_killed_while_waiting_is_resumed_and_paid_once(serve: Serve, copy: Path) -> None:
    api = serve(enrichment_model, polls=10**9)
    Path("typematch.toml").write_text("[claude]\nbatch_poll_seconds = 0.05\n")
    process = subprocess.Popen(command(copy))
    deadline = time.monotonic() + 60
    while "GET /batches/msgbatch_0000" not in api.calls and time.monotonic() < deadline:
        time.sleep(0.05)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert created_batches(api) == 1
    api.polls = 1
    assert enrich(copy) > 5
    assert created_batches(api) == 1
    assert len(api.bodies) == len(api.batches["msgbatch_0000"]["requests"])


def test_a_run_killed_after_it_wrote_the_answers_is_finished_by_the_next_one(
    serve: Serve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    serve(enrichment_model)
    letters = LetterCountEmbedder()

    def run(path: Path) -> None:
        with Catalog(path) as catalog:
            catalog._embedders.by_name[""] = letters
            catalog._embedders.by_name[letters.identity.name] = letters
            catalog.enrich(QUERY)

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    expected, resumed = tmp_path / "expected.db", tmp_path / "resumed.db"
    with Catalog(expected) as catalog:
        catalog._embedders.by_name[""] = letters
        catalog.add(FIXTURES / "deadline")
    shutil.copy(expected, resumed)
    run(expected)
    for step in ("delete_unreferenced", "embed"):
        with monkeypatch.context() as patch:
            patch.setattr(SqlWriter, step, killed)
            with pytest.raises(KeyboardInterrupt):
                run(resumed)
    run(resumed)
    assert _dumped(resumed) == _dumped(expected)


def _dumped(path: Path) -> list[str]:
    database = open_for_reading(path)
    try:
        return dump(database)
    finally:
        database.close()


def test_a_batch_without_a_recorded_id_is_found_again(
    serve: Serve, copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    api = serve(enrichment_model)

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(UsageLedger, "set_batch_id", killed)
        with pytest.raises(KeyboardInterrupt):
            enrich(copy)
    assert enrich(copy) > 5
    assert created_batches(api) == 1


def test_a_batch_that_was_never_sent_is_sent_by_the_next_run(
    serve: Serve, copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from typematch.llm.client import Client

    api = serve(enrichment_model)

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Client, "create_batch", killed)
        with pytest.raises(KeyboardInterrupt):
            enrich(copy)
    assert enrich(copy) > 5
    assert created_batches(api) == 1


def test_cached_answers_serve_another_catalog(
    serve: Serve, copy: Path, tiny: Path, tmp_path: Path
) -> None:
    api = serve(enrichment_model)
    enrich(copy)
    copied = copy_database(tiny, tmp_path / "other.db")
    assert enrich(copied) > 5
    assert created_batches(api) == 1


def test_failed_requests_are_counted_and_the_others_written(
    serve: Serve, copy: Path, capsys: Output
) -> None:
    def some(body: Body) -> Reply:
        name = data_items(body)[0]["name"]
        if name == "retry":
            return Reply(status=500, message="overloaded inside")
        return Reply("no JSON") if name == "debounce" else enrichment_model(body)

    serve(some)
    assert main(["enrich", QUERY, "--yes", "--db", str(copy)]) == 0
    out = capsys.readouterr().out
    assert "1  overloaded inside" in out
    assert enrichment(copy, "deadline#retry") == Enrichment()
    assert "1  the answer does not match the requested schema" in out


def test_nothing_is_sent_for_a_read_only_database(
    serve: Serve, copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    api = serve(enrichment_model)
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(ReadOnlyError):
        enrich(copy)
    assert api.calls == []


def test_a_batch_with_an_unknown_status_is_resumed_by_the_next_run(
    serve: Serve, copy: Path
) -> None:
    api = serve(enrichment_model)
    api.batches_are_lost = True
    with pytest.raises(ClaudeError, match="nothing is paid twice"):
        enrich(copy)
    api.batches_are_lost = False
    assert enrich(copy) > 5
    assert created_batches(api) == 1


@pytest.mark.parametrize(
    ("status", "reason"),
    [
        pytest.param(401, "the key was refused", id="401"),
        pytest.param(429, "there were too many requests", id="429"),
        pytest.param(529, "the service is overloaded", id="529"),
    ],
)
def test_a_refused_batch_costs_nothing(
    serve: Serve, copy: Path, tmp_path: Path, status: int, reason: str
) -> None:
    api = serve(enrichment_model)
    api.batch_error_status = status
    with pytest.raises(ClaudeError, match=reason):
        enrich(copy)
    ledger = UsageLedger(tmp_path / "cache" / "typematch" / "claude.db", time.time)
    assert ledger.today().requests == 0
    assert ledger.open_batches() == ()
    ledger.close()


# The command line ---------------------------------------------------------------------------------


def test_without_confirmation_the_estimate_is_printed_and_nothing_is_sent(
    serve: Serve, copy: Path, capsys: Output
) -> None:
    api = serve(enrichment_model)
    assert main(["enrich", QUERY, "--db", str(copy)]) == 1
    output = capsys.readouterr()
    assert "requests to claude-haiku-5-5: about " in output.err
    assert "nothing was sent: not confirmed" in output.out
    assert api.calls == []


def test_facets_without_entries_are_not_relaxed(serve: Serve, copy: Path) -> None:
    api = serve(enrichment_model)
    query = "pkg:deadline kind:function arity:7"
    with Catalog(copy) as catalog:
        assert catalog.search(query).relaxed
        assert catalog.enrich(query).entries == 0
    assert api.calls == []


def test_without_a_key_the_run_is_skipped_with_a_reason(
    serve: Serve, copy: Path, monkeypatch: pytest.MonkeyPatch, capsys: Output
) -> None:
    serve(enrichment_model)
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    assert main(["enrich", QUERY, "--yes", "--db", str(copy)]) == 1
    assert "nothing was sent: no API key is set (set ANTHROPIC_API_KEY)" in capsys.readouterr().out


def test_enrich_prints_counts_and_costs(serve: Serve, copy: Path, capsys: Output) -> None:
    serve(enrichment_model)
    assert main(["enrich", QUERY, "--yes", "--json", "--db", str(copy)]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["written"] == document["entries"] == document["requests"]
    assert 0 < document["dollars"] < document["estimate"]["dollars"]
    assert main(["costs"]) == 0
    assert "enrich    claude-haiku-5-5" in capsys.readouterr().out


def test_the_daily_budget_applies_to_batches(serve: Serve, copy: Path) -> None:
    api = serve(enrichment_model)
    Path("typematch.toml").write_text("[claude]\ndollars_per_day = 0.00001\n")
    with pytest.raises(ClaudeError, match="is spent, and this may cost"):
        enrich(copy)
    assert created_batches(api) == 0
