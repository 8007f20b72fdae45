"""Enriching over HTTP: batches, what changed, killed runs, what search finds by it."""

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
from fakes.letters import Letters
from fakes.messages_api import Body, MessagesApi, Reply
from fakes.models import always, enriching, offered
from llm.conftest import Serve
from typematch.catalog import Catalog
from typematch.errors import ClaudeError, ReadOnlyError
from typematch.index.entries.selection import Condition, TextCondition
from typematch.index.sqlite import open_store
from typematch.index.text.text_views import Enrichment
from typematch.llm.enrich import SYSTEM
from typematch.llm.usage_ledger import UsageLedger
from typematch.serve.cli.main import main

Output = pytest.CaptureFixture[str]
WHAT = "pkg:patience"
IN_PATIENCE = (Condition("pkg", (TextCondition("patience"),)),)


@pytest.fixture
def copy(tiny: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(tiny, tmp_path / "copy.db"))


def enrich(path: Path, query: str = WHAT, *, batch: bool = True) -> int:
    with Catalog(path) as catalog:
        return catalog.enrich(query, batch=batch).written


def told(path: Path, entry: str) -> Enrichment:
    store = open_store(path)
    try:
        return store.told(store.numbers([entry])[entry])
    finally:
        store.close()


def creations(api: MessagesApi) -> int:
    return api.calls.count("POST /batches")


@pytest.mark.parametrize("batch", [True, False])
def test_what_was_said_is_found(serve: Serve, copy: Path, batch: bool) -> None:
    api = serve(enriching)
    written = enrich(copy, batch=batch)
    assert written > 5
    assert creations(api) == batch
    assert told(copy, "patience#retry").summary == "Solves the flibbertigibbet of retry."
    with Catalog(copy) as catalog:
        by_summary = catalog.search("flibbertigibbet retry")
        by_question = catalog.search("how to retry a wugglefrop")
        assert catalog.stats().enriched == written
    assert by_summary.hits[0].entry.id == "patience#retry"
    assert by_question.hits[0].entry.id == "patience#retry"


def test_what_was_said_is_shown_as_a_model_s_words(
    serve: Serve, copy: Path, capsys: Output
) -> None:
    assert main(["show", "patience#retry", "--db", str(copy)]) == 0
    assert "a model says" not in capsys.readouterr().out
    serve(enriching)
    enrich(copy)
    assert main(["show", "patience#retry", "--db", str(copy)]) == 0
    assert "a model says:\n    Solves the flibbertigibbet of retry." in capsys.readouterr().out
    assert main(["show", "patience#retry", "--json", "--db", str(copy)]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["told"]["questions"] == ["how do I retry a wugglefrop?", "what else?"]


def test_an_entry_is_described_alone_and_in_the_question_only(serve: Serve, copy: Path) -> None:
    api = serve(enriching)
    enrich(copy)
    assert {len(offered(body)) for body in api.bodies} == {1}
    assert {body["system"][0]["text"] for body in api.bodies} == {SYSTEM}
    assert not any(one["name"] in SYSTEM for body in api.bodies for one in offered(body))


def test_what_a_model_says_is_cut_to_measure(serve: Serve, copy: Path) -> None:
    long = "word " * 900
    serve(always(Reply({"summary": long, "questions": [long, "", *"abcdefg"], "interface": long})))
    enrich(copy)
    said = told(copy, "patience#retry")
    assert len(said.summary) <= 400
    assert len(said.questions) == 5
    assert all(0 < len(one) <= 160 for one in said.questions)


def test_other_entries_stay_as_they_were(serve: Serve, copy: Path, tiny: Path) -> None:
    serve(enriching)
    enrich(copy)
    query = "sort the items  pkg:toolbox"
    with Catalog(copy) as one, Catalog(tiny) as other:
        assert [hit.entry.id for hit in one.search(query)] == [
            hit.entry.id for hit in other.search(query)
        ]


@pytest.mark.slow
def test_it_is_embedded_beside_the_entry_s_own_text(serve: Serve, tmp_path: Path) -> None:
    serve(enriching)
    path = tmp_path / "vectors.db"
    letters = Letters()
    with Catalog(path) as catalog:
        catalog._embedders[""] = catalog._embedders[letters.identity.name] = letters
        catalog.add(FIXTURES / "patience")
        before = catalog.stats().texts
        catalog.enrich(WHAT)
        stats = catalog.stats()
    assert stats.texts > before
    assert stats.waiting == 0
    asked = letters.embed_query("how do I retry a wugglefrop?")
    number = 0
    # Unfiltered by the matrix; filtered, as a first search, by the extension; then by the matrix.
    for selections in ([()], [IN_PATIENCE, IN_PATIENCE]):
        store = open_store(path)
        number = store.numbers(["patience#retry"])["patience#retry"]
        for selection in selections:
            [(nearest, cosine), *_] = store.dense(asked, selection, limit=3)
            assert nearest == number
            assert cosine > 0.99
        [[near]] = store.cosines(asked[None, :], np.array([number]))
        assert near > 0.99
        store.close()


def test_the_same_again_asks_nothing(serve: Serve, copy: Path) -> None:
    api = serve(enriching)
    assert enrich(copy) > 0
    sent = len(api.calls)
    assert enrich(copy) == 0
    assert len(api.calls) == sent


@pytest.mark.slow
def test_only_what_changed_is_asked_again(serve: Serve, tmp_path: Path) -> None:
    api = serve(enriching)
    folder = tmp_path / "code"
    shutil.copytree(FIXTURES / "patience", folder)
    path = tmp_path / "changing.db"
    with Catalog(path) as catalog:
        catalog.add(folder, model=None)
        first = catalog.enrich(WHAT).written
        asked = len(api.bodies)
        source = next(folder.rglob("*.d.ts"))
        source.write_text(
            source.read_text() + "\n/** Anew. */\nexport declare function anew(): void;\n"
        )
        catalog.add(folder, model=None)
        assert catalog.stats().enriched == first  # it stays with what did not change
        assert catalog.enrich(WHAT).written == 1
    assert len(api.bodies) == asked + 1
    assert offered(api.bodies[-1])[0]["name"] == "anew"
    assert told(path, "patience#retry").questions


@pytest.mark.slow
def test_another_model_of_vectors_makes_those_of_what_was_said_again(
    serve: Serve, tmp_path: Path
) -> None:
    serve(enriching)
    path = tmp_path / "vectors.db"
    for letters in (Letters(), Letters(width=99)):
        with Catalog(path) as catalog:
            catalog._embedders[""] = catalog._embedders[letters.identity.name] = letters
            catalog.add(FIXTURES / "patience", model=letters.identity.name)
            catalog.enrich(WHAT)
            assert catalog.stats().waiting == 0
    assert "how do I retry a wugglefrop?" in " ".join(letters.asked)


# Killed, refused ----------------------------------------------------------------------------------


def command(path: Path) -> list[str]:
    return [sys.executable, "-m", "typematch", "enrich", WHAT, "--yes", "--db", str(path)]


@pytest.mark.slow
def test_killed_while_it_waits_it_goes_on_and_pays_once(serve: Serve, copy: Path) -> None:
    api = serve(enriching, polls=10**9)
    Path("typematch.toml").write_text("[claude]\nbatch_poll_seconds = 0.05\n")
    process = subprocess.Popen(command(copy))
    deadline = time.monotonic() + 60
    while "GET /batches/msgbatch_0000" not in api.calls and time.monotonic() < deadline:
        time.sleep(0.05)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert creations(api) == 1
    api.polls = 1
    assert enrich(copy) > 5
    assert creations(api) == 1
    assert len(api.bodies) == len(api.batches["msgbatch_0000"]["requests"])


def test_killed_before_it_knew_the_batch_s_name_it_finds_it(
    serve: Serve, copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    api = serve(enriching)

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(UsageLedger, "name_batch", killed)
        with pytest.raises(KeyboardInterrupt):
            enrich(copy)
    assert enrich(copy) > 5
    assert creations(api) == 1


def test_killed_before_it_was_sent_it_is_sent_then(
    serve: Serve, copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from typematch.llm.client import Client

    api = serve(enriching)

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Client, "create_batch", killed)
        with pytest.raises(KeyboardInterrupt):
            enrich(copy)
    assert enrich(copy) > 5
    assert creations(api) == 1


def test_answers_that_were_kept_need_not_be_bought_for_another_catalog(
    serve: Serve, copy: Path, tiny: Path, tmp_path: Path
) -> None:
    api = serve(enriching)
    enrich(copy)
    other = Path(shutil.copy(tiny, tmp_path / "other.db"))
    assert enrich(other) > 5
    assert creations(api) == 1


def test_what_fails_is_counted_and_the_rest_is_written(
    serve: Serve, copy: Path, capsys: Output
) -> None:
    def some(body: Body) -> Reply:
        name = offered(body)[0]["name"]
        if name == "retry":
            return Reply(status=500, message="overloaded inside")
        return Reply("no JSON") if name == "debounce" else enriching(body)

    serve(some)
    assert main(["enrich", WHAT, "--yes", "--db", str(copy)]) == 0
    out = capsys.readouterr().out
    assert "1  overloaded inside" in out
    assert told(copy, "patience#retry") == Enrichment()
    assert "1  the answer is not of the form that was asked for" in out


def test_where_nothing_can_be_written_nothing_is_asked(
    serve: Serve, copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    api = serve(enriching)
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(ReadOnlyError):
        enrich(copy)
    assert api.calls == []


def test_a_batch_that_cannot_be_looked_at_is_waited_for_by_the_next_run(
    serve: Serve, copy: Path
) -> None:
    api = serve(enriching)
    api.lost = True
    with pytest.raises(ClaudeError, match="nothing is paid twice"):
        enrich(copy)
    api.lost = False
    assert enrich(copy) > 5
    assert creations(api) == 1


@pytest.mark.parametrize(
    ("status", "why"),
    [
        pytest.param(401, "the key was refused", id="401"),
        pytest.param(429, "there were too many requests", id="429"),
        pytest.param(529, "the service is overloaded", id="529"),
    ],
)
def test_a_batch_that_is_refused_costs_nothing(
    serve: Serve, copy: Path, tmp_path: Path, status: int, why: str
) -> None:
    api = serve(enriching)
    api.batches_refused = status
    with pytest.raises(ClaudeError, match=why):
        enrich(copy)
    accounts = UsageLedger(tmp_path / "cache" / "typematch" / "claude.db", time.time)
    assert accounts.today().requests == 0
    assert accounts.open_batches() == ()
    accounts.close()


# The command line ---------------------------------------------------------------------------------


def test_it_says_what_it_will_cost_and_sends_nothing_unasked(
    serve: Serve, copy: Path, capsys: Output
) -> None:
    api = serve(enriching)
    assert main(["enrich", WHAT, "--db", str(copy)]) == 1
    shown = capsys.readouterr()
    assert "descriptions to claude-haiku-5-5: about " in shown.err
    assert "nothing was sent: it was not confirmed" in shown.out
    assert api.calls == []


def test_without_a_key_it_says_so(
    serve: Serve, copy: Path, monkeypatch: pytest.MonkeyPatch, capsys: Output
) -> None:
    serve(enriching)
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    assert main(["enrich", WHAT, "--yes", "--db", str(copy)]) == 1
    assert "nothing was sent: there is no key (set ANTHROPIC_API_KEY)" in capsys.readouterr().out


def test_it_prints_counts_and_costs(serve: Serve, copy: Path, capsys: Output) -> None:
    serve(enriching)
    assert main(["enrich", WHAT, "--yes", "--json", "--db", str(copy)]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["written"] == document["entries"] == document["requests"]
    assert 0 < document["dollars"] < document["estimate"]["dollars"]
    assert main(["costs"]) == 0
    assert "enrich    claude-haiku-5-5" in capsys.readouterr().out


def test_the_day_s_budget_holds_for_batches(serve: Serve, copy: Path) -> None:
    api = serve(enriching)
    Path("typematch.toml").write_text("[claude]\ndollars_per_day = 0.00001\n")
    with pytest.raises(ClaudeError, match="are spent, and this may cost"):
        enrich(copy)
    assert creations(api) == 0
