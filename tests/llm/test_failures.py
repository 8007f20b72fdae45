"""Whatever fails: the fused list stays the answer, one line says why, and no key is shown."""

from __future__ import annotations

import json
import logging
import sqlite3
import sys
import time
from pathlib import Path

import pytest

from fakes.messages_api import KEY, Reply
from fakes.models import always, at_random, in_turn
from llm.conftest import Serve
from typematch.catalog import Catalog
from typematch.errors import ClaudeError, UsageError
from typematch.index.database import driver
from typematch.llm import usage_ledger as accounts_module
from typematch.llm.client import Client
from typematch.llm.settings import Settings, read_settings
from typematch.llm.usage_ledger import DailyUsage, UsageLedger
from typematch.search.results import SearchResult
from typematch.serve.cli.main import main

Output = pytest.CaptureFixture[str]
GOOD = at_random(1)


def search(path: Path, *, rerank: bool = True) -> SearchResult:
    with Catalog(path) as catalog:
        return catalog.search("sort items  pkg:toolbox", rerank=rerank)


def settings(**said: object) -> None:
    lines = [f"{name} = {json.dumps(value)}" for name, value in said.items()]
    Path("typematch.toml").write_text("\n".join(("[claude]", *lines)))


def skipped(result: SearchResult) -> str:
    [line] = [line for line in result.notices if line.startswith("The hits were not reranked")]
    return line.removeprefix("The hits were not reranked: ").removesuffix(".")


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        pytest.param(Reply("", stop="refusal"), "the model declined to answer", id="refusal"),
        pytest.param(
            Reply('{"verdicts": [{"id": "c1"', stop="max_tokens"),
            "the answer was cut off at 8,000 tokens",
            id="truncation",
        ),
        pytest.param(
            Reply("Sure! Here is the JSON"),
            "the answer is not of the form that was asked for",
            id="no JSON",
        ),
        pytest.param(
            Reply({"verdicts": [{"id": "c1", "score": "high"}]}),
            "the answer is not of the form that was asked for",
            id="another form",
        ),
        pytest.param(Reply(status=401), "the key was refused (401)", id="401"),
        pytest.param(Reply(status=403), "the key may not do this (403)", id="403"),
        pytest.param(Reply(status=404), "the request was refused (404: ", id="404"),
        pytest.param(Reply(status=413), "the request was refused (413: ", id="413"),
        pytest.param(Reply(status=429), "there were too many requests (429)", id="429"),
        pytest.param(Reply(status=500), "the service failed (500)", id="500"),
        pytest.param(Reply(status=529), "the service is overloaded (529)", id="529"),
        pytest.param(Reply({}, reset=True), "the connection failed", id="reset mid-stream"),
        pytest.param(Reply({}, delay=5), "there was no answer within 0.5 seconds", id="slow"),
        pytest.param(
            Reply({}, drip=0.01), "there was no answer within 0.5 seconds", id="byte by byte"
        ),
    ],
)
def test_the_fused_list_stays_the_answer(serve: Serve, tiny: Path, reply: Reply, why: str) -> None:
    settings(attempts=1, timeout_seconds=0.5)
    before = search(tiny, rerank=False)
    serve(always(reply))
    after = search(tiny)
    assert skipped(after).startswith(why)
    assert after.hits == before.hits
    assert len(after.notices) == len(before.notices) + 1


def test_a_server_that_is_not_there(
    serve: Serve, tiny: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings(attempts=1)
    serve(GOOD)
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://127.0.0.1:9")
    assert skipped(search(tiny)) == "the connection failed"


def test_a_prompt_that_is_too_long(serve: Serve, tiny: Path) -> None:
    serve(GOOD, longest=100)
    assert skipped(search(tiny)).startswith("the request was refused (400: prompt is too long")


def test_without_a_key(serve: Serve, tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    api = serve(GOOD)
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    assert skipped(search(tiny)) == "there is no key (set ANTHROPIC_API_KEY)"
    assert api.calls == []


def test_turned_off(serve: Serve, tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    serve(GOOD)
    monkeypatch.setenv("TYPEMATCH_CLAUDE", "off")
    assert skipped(search(tiny)) == "it is turned off (TYPEMATCH_CLAUDE)"


def test_without_the_sdk(serve: Serve, tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    serve(GOOD)
    monkeypatch.setitem(sys.modules, "anthropic", None)
    assert skipped(search(tiny)).startswith("the package anthropic is not installed")


def test_where_the_accounts_cannot_be_kept(
    serve: Serve, tiny: Path, tmp_path: Path, capsys: Output
) -> None:
    api = serve(GOOD)
    other = tmp_path / "other.db"
    connection = sqlite3.connect(other)
    connection.execute("CREATE TABLE mine (x)")
    connection.close()
    for file in (other, tmp_path):
        assert main(["search", "sort", "--rerank", "--db", str(tiny), "--cache", str(file)]) == 0
        assert (
            "The hits were not reranked: the file of costs and answers" in capsys.readouterr().out
        )
    assert api.calls == []


def test_a_file_of_accounts_that_is_locked_breaks_no_search(
    serve: Serve, tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(accounts_module, "_BUSY_SECONDS", 0.1)
    api = serve(GOOD)
    search(tiny)
    sent = len(api.bodies)
    before = search(tiny, rerank=False)
    # The same library: two of them in one process would not see each other's locks.
    file = tmp_path / "cache" / "typematch" / "claude.db"
    holder = driver().connect(str(file), isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    after = search(tiny)
    holder.close()
    assert skipped(after).startswith("the file of costs and answers cannot be used")
    assert after.hits == before.hits
    assert len(api.bodies) == sent


# Budgets ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "why"),
    [
        pytest.param(
            {"dollars_per_call": 0.001}, "one request may cost $0.08", id="a call's dollars"
        ),
        pytest.param({"tokens_per_call": 900}, "one request may cost $0.08", id="a call's tokens"),
        pytest.param(
            {"dollars_per_day": 0.001}, "$0.00 of today's $0.00 are", id="a day's dollars"
        ),
        pytest.param({"tokens_per_day": 900}, "it may come to ", id="a day's tokens"),
        pytest.param(
            {"strong_model": "claude-next"}, "no price is known for claude-next", id="no price"
        ),
    ],
)
def test_over_the_budget_nothing_is_sent(
    serve: Serve, tiny: Path, said: dict[str, object], why: str
) -> None:
    api = serve(GOOD)
    settings(**said)
    assert skipped(search(tiny)).startswith(why)
    assert api.calls == []


def test_a_day_s_budget_is_used_up(serve: Serve, tiny: Path, tmp_path: Path) -> None:
    api = serve(GOOD)
    assert not search(tiny).stages[0].skipped
    spent = today(tmp_path).dollars
    assert 0 < spent < 0.08
    settings(dollars_per_day=spent + 0.08)
    sent = len(api.bodies)
    with Catalog(tiny) as catalog:
        result = catalog.search("add numbers up  pkg:toolbox", rerank=True)
    assert skipped(result).startswith("$0.0")
    assert "are spent, and this may cost $0.08" in skipped(result)
    assert len(api.bodies) == sent


def test_a_price_from_the_settings_lets_another_model_be_asked(serve: Serve, tiny: Path) -> None:
    serve(GOOD)
    Path("typematch.toml").write_text(
        '[claude]\nstrong_model = "claude-next"\n'
        '[claude.prices."claude-next"]\ninput = 1.0\noutput = 2.0\n'
    )
    [stage] = search(tiny).stages
    assert stage.model == "claude-next"
    assert stage.dollars > 0


# Attempts -----------------------------------------------------------------------------------------


class Clock:
    def __init__(self) -> None:
        self.now = 0.0
        self.slept: list[float] = []

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


def client(api_url: str, **said: object) -> tuple[Client, Clock]:
    clock = Clock()
    made = Settings(api_key=KEY, base_url=api_url, **said)  # type: ignore[arg-type]
    return Client(made, now=clock, sleep=clock.sleep), clock


BODY = {"model": "m", "max_tokens": 10, "messages": [{"role": "user", "content": "x"}]}


@pytest.mark.parametrize("status", [408, 409, 429, 500, 503, 529])
def test_what_may_pass_is_tried_again(serve: Serve, status: int) -> None:
    api = serve(in_turn(Reply(status=status), Reply(status=status), Reply("fine")))
    asked, clock = client(api.url)
    assert asked.create(BODY).text == "fine"
    asked.close()
    assert [0.375 <= clock.slept[0] <= 0.5, 0.75 <= clock.slept[1] <= 1.0] == [True, True]


def test_a_broken_connection_is_tried_again(serve: Serve) -> None:
    api = serve(in_turn(Reply("x", reset=True), Reply("fine")))
    asked, clock = client(api.url)
    assert asked.create(BODY).text == "fine"
    asked.close()
    assert len(clock.slept) == 1


@pytest.mark.parametrize(
    ("headers", "waited"),
    [
        pytest.param({"retry-after": "7"}, 7.0, id="seconds"),
        pytest.param({"retry-after-ms": "1500", "retry-after": "9"}, 1.5, id="milliseconds first"),
    ],
)
def test_retry_after_is_honoured(serve: Serve, headers: dict[str, str], waited: float) -> None:
    api = serve(in_turn(Reply(status=429, headers=headers), Reply("fine")))
    asked, clock = client(api.url)
    assert asked.create(BODY).text == "fine"
    asked.close()
    assert clock.slept == [waited]


def test_nobody_waits_an_hour(serve: Serve) -> None:
    api = serve(always(Reply(status=429, headers={"retry-after": "3600"})))
    asked, clock = client(api.url)
    with pytest.raises(ClaudeError, match=r"\(429\), and asks to wait 3,600 seconds"):
        asked.create(BODY)
    asked.close()
    assert clock.slept == []


@pytest.mark.parametrize("status", [400, 401, 403, 404, 413])
def test_what_will_not_pass_is_sent_once(serve: Serve, status: int) -> None:
    api = serve(always(Reply(status=status)))
    asked, clock = client(api.url)
    with pytest.raises(ClaudeError):
        asked.create(BODY)
    asked.close()
    assert len(api.calls) == 1
    assert clock.slept == []


def test_the_last_attempt_says_how_many_there_were(serve: Serve) -> None:
    api = serve(always(Reply(status=529)))
    asked, _ = client(api.url)
    with pytest.raises(ClaudeError, match=r"the service is overloaded \(529\) \(3 attempts\)"):
        asked.create(BODY)
    asked.close()
    assert len(api.calls) == 3


# Accounts -----------------------------------------------------------------------------------------


def test_what_was_refused_costs_nothing_and_what_was_answered_is_paid(
    serve: Serve, tiny: Path, tmp_path: Path
) -> None:
    settings(attempts=1)
    serve(always(Reply(status=500)))
    search(tiny)
    with_nothing = today(tmp_path)
    serve(always(Reply("", stop="refusal")))
    search(tiny)
    with_one = today(tmp_path)
    assert with_nothing.requests == 0
    assert (with_one.requests, with_one.unsettled) == (1, 0)
    assert with_one.usage.total > 0
    assert with_one.dollars > 0


def test_what_got_no_answer_counts_as_the_most_it_may_cost(
    serve: Serve, tiny: Path, tmp_path: Path
) -> None:
    settings(attempts=1, timeout_seconds=0.3)
    serve(always(Reply({}, delay=3)))
    search(tiny)
    spent = today(tmp_path)
    assert (spent.requests, spent.unsettled) == (1, 1)
    assert spent.dollars > 0.08


def today(tmp_path: Path) -> DailyUsage:
    accounts = UsageLedger(tmp_path / "cache" / "typematch" / "claude.db", time.time)
    try:
        return accounts.today()
    finally:
        accounts.close()


def test_the_cache_may_be_named_and_its_answers_forgotten(
    serve: Serve, tiny: Path, tmp_path: Path, capsys: Output
) -> None:
    api = serve(GOOD)
    cache = tmp_path / "mine" / "answers.db"
    command = ["search", "sort items", "--rerank", "--db", str(tiny), "--cache", str(cache)]
    for _ in range(2):
        assert main(command) == 0
    sent = len(api.bodies)
    capsys.readouterr()
    assert main(["costs", "--cache", str(cache)]) == 0
    out = capsys.readouterr().out
    assert "rerank    claude-sonnet-5-5" in out
    assert f"kept in {cache}" in out
    assert cache.stat().st_mode & 0o077 == 0
    assert main(["costs", "--forget-answers", "--cache", str(cache)]) == 0
    assert capsys.readouterr().out == f"forgot {sent} answers\n"
    assert main(command) == 0
    assert len(api.bodies) == 2 * sent
    capsys.readouterr()
    assert main(["costs", "--json", "--cache", str(cache)]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["spent"][0]["requests"] == 2 * sent


# Keys ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("good", [True, False])
def test_no_key_appears_anywhere(
    serve: Serve,
    tiny: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: Output,
    caplog: pytest.LogCaptureFixture,
    good: bool,
) -> None:
    secret = "sk-ant-secret-0123456789"
    serve(GOOD, key=secret if good else "another")
    monkeypatch.setenv("ANTHROPIC_API_KEY", secret)
    caplog.set_level(logging.DEBUG)
    command = ["search", "sort", "--rerank", "--db", str(tiny)]
    for words in (command, [*command, "--json"], ["costs"], ["costs", "--json"]):
        main(words)
    shown = capsys.readouterr()
    written = b"".join(file.read_bytes() for file in tmp_path.rglob("*") if file.is_file())
    assert secret not in shown.out + shown.err + caplog.text
    assert secret.encode() not in written
    assert (b"tokens in" in shown.out.encode()) is good
    assert secret not in repr(read_settings({"ANTHROPIC_API_KEY": secret}, tmp_path))


def test_a_service_that_says_the_key_back_is_not_repeated(serve: Serve, tiny: Path) -> None:
    serve(always(Reply(status=400, message="x" * 178 + KEY)))
    why = skipped(search(tiny))
    assert "the request was refused (400: xxx" in why
    assert KEY[:12] not in why


def test_an_error_holds_no_key(serve: Serve) -> None:
    api = serve(GOOD, key="another")
    asked, _ = client(api.url)
    with pytest.raises(ClaudeError) as caught:
        asked.create(BODY)
    asked.close()
    error: BaseException | None = caught.value
    assert error is not None
    assert KEY not in str(error)
    assert error.__cause__ is None
    assert error.__suppress_context__


# Settings -----------------------------------------------------------------------------------------


def test_a_project_cannot_send_the_user_s_key_somewhere(tmp_path: Path) -> None:
    (tmp_path / "typematch.toml").write_text('[claude]\nbase_url = "http://elsewhere"\n')
    found = read_settings({"ANTHROPIC_API_KEY": KEY}, tmp_path)
    assert found.base_url == ""
    assert "a key from the environment is not sent to it" in found.problem


def test_a_file_may_have_both_key_and_address(tmp_path: Path) -> None:
    text = '[tool.typematch.claude]\napi_key = "k"\nbase_url = "http://mine"\nwindow = 3\n'
    (tmp_path / "pyproject.toml").write_text(text)
    below = tmp_path / "src" / "deep"
    below.mkdir(parents=True)
    found = read_settings({"ANTHROPIC_API_KEY": KEY}, below)
    assert (found.api_key, found.base_url, found.window, found.problem) == (
        "k",
        "http://mine",
        3,
        "",
    )


def test_models_come_from_the_environment_first(tmp_path: Path) -> None:
    (tmp_path / "typematch.toml").write_text('[claude]\nsmall_model = "a"\nstrong_model = "b"\n')
    found = read_settings({"TYPEMATCH_SMALL_MODEL": "c"}, tmp_path)
    assert (found.small_model, found.strong_model) == ("c", "b")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        pytest.param(
            "[claude]\nmodle = 'x'", "there is no setting 'modle' for Claude", id="no setting"
        ),
        pytest.param(
            "[claude]\nwindow = 'x'", "window for Claude must be a whole number", id="a text"
        ),
        pytest.param("[claude]\nwindow = 0", "window for Claude must be a whole number", id="zero"),
        pytest.param("[claude]\neffort = 'hard'", "effort for Claude must be one of", id="effort"),
        pytest.param("[claude]\nprices = 3", "prices for Claude must be tables", id="prices"),
        pytest.param("[claude", "cannot read the settings", id="no TOML"),
        pytest.param("[claude]\napi_key = 3", "api_key for Claude must be a text", id="a key"),
    ],
)
def test_wrong_settings_are_named(tmp_path: Path, text: str, told: str) -> None:
    (tmp_path / "typematch.toml").write_text(text)
    with pytest.raises(UsageError, match=told) as caught:
        read_settings({}, tmp_path)
    assert str(tmp_path / "typematch.toml") in str(caught.value)
