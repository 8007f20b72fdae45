"""Every failure leaves the result unchanged with one notice, and never shows a key."""

from __future__ import annotations

import json
import logging
import sqlite3
import sys
import time
from pathlib import Path

import pytest

from fakes.messages_api import KEY, Reply
from fakes.models import always, in_turn, random_model
from llm.conftest import Serve
from typematch.catalog import Catalog
from typematch.errors import ClaudeError, UsageError
from typematch.index.engines.sqlite_driver import driver
from typematch.llm import usage_ledger as accounts_module
from typematch.llm.client import Client
from typematch.llm.settings import Settings, read_settings
from typematch.llm.usage import Usage
from typematch.llm.usage_ledger import DailyUsage, UsageLedger
from typematch.search.results import SearchResult
from typematch.serve.cli.main import main

Output = pytest.CaptureFixture[str]
WORKING = random_model(1)


def search(path: Path, *, rerank: bool = True) -> SearchResult:
    with Catalog(path) as catalog:
        return catalog.search("sort items  pkg:toolbox", rerank=rerank)


def write_settings(**options: object) -> None:
    lines = [f"{name} = {json.dumps(value)}" for name, value in options.items()]
    Path("typematch.toml").write_text("\n".join(("[claude]", *lines)))


def skip_reason(result: SearchResult) -> str:
    [line] = [line for line in result.notices if line.startswith("The hits were not reranked")]
    return line.removeprefix("The hits were not reranked: ").removesuffix(".")


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        pytest.param(
            Reply("", stop_reason="refusal"), "the model declined to answer", id="refusal"
        ),
        pytest.param(
            Reply('{"verdicts": [{"id": "c1"', stop_reason="max_tokens"),
            "the answer was truncated at 8,000 tokens",
            id="truncation",
        ),
        pytest.param(
            Reply("Sure! Here is the JSON"),
            "the answer does not match the requested schema",
            id="not JSON",
        ),
        pytest.param(
            Reply({"verdicts": [{"id": "c1", "score": "high"}]}),
            "the answer does not match the requested schema",
            id="wrong schema",
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
def test_a_failed_rerank_leaves_the_result_unchanged(
    serve: Serve, tiny: Path, reply: Reply, reason: str
) -> None:
    write_settings(attempts=1, timeout_seconds=0.5)
    before = search(tiny, rerank=False)
    serve(always(reply))
    after = search(tiny)
    assert skip_reason(after).startswith(reason)
    assert after.hits == before.hits
    assert len(after.notices) == len(before.notices) + 1


def test_an_unreachable_server_skips_reranking(
    serve: Serve, tiny: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_settings(attempts=1)
    serve(WORKING)
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://127.0.0.1:9")
    assert skip_reason(search(tiny)) == "the connection failed"


def test_a_prompt_over_the_context_window_skips_reranking(serve: Serve, tiny: Path) -> None:
    serve(WORKING, context_window=100)
    assert skip_reason(search(tiny)).startswith("the request was refused (400: prompt is too long")


def test_without_a_key_no_request_is_sent(
    serve: Serve, tiny: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    api = serve(WORKING)
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    assert skip_reason(search(tiny)) == "no API key is set (set ANTHROPIC_API_KEY)"
    assert api.calls == []


def test_typematch_claude_off_disables_requests(
    serve: Serve, tiny: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    serve(WORKING)
    monkeypatch.setenv("TYPEMATCH_CLAUDE", "off")
    assert skip_reason(search(tiny)) == "Claude is turned off (TYPEMATCH_CLAUDE)"


def test_a_missing_sdk_skips_reranking(
    serve: Serve, tiny: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    serve(WORKING)
    monkeypatch.setitem(sys.modules, "anthropic", None)
    assert skip_reason(search(tiny)).startswith("the package anthropic is not installed")


def test_an_unusable_ledger_file_skips_reranking(
    serve: Serve, tiny: Path, tmp_path: Path, capsys: Output
) -> None:
    api = serve(WORKING)
    other = tmp_path / "other.db"
    connection = sqlite3.connect(other)
    connection.execute("CREATE TABLE mine (x)")
    connection.close()
    for file, reason in (
        (other, "this is not a file of costs and cached answers"),
        (tmp_path, "cannot open the file of costs and cached answers"),
    ):
        assert main(["search", "sort", "--rerank", "--db", str(tiny), "--cache", str(file)]) == 0
        assert f"The hits were not reranked: {reason}" in capsys.readouterr().out
    assert api.calls == []


def test_a_locked_ledger_does_not_fail_a_search(
    serve: Serve, tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(accounts_module, "_BUSY_SECONDS", 0.1)
    api = serve(WORKING)
    search(tiny)
    sent = len(api.bodies)
    before = search(tiny, rerank=False)
    # The same SQLite library: two libraries in one process do not see each other's locks.
    file = tmp_path / "cache" / "typematch" / "claude.db"
    holder = driver().connect(str(file), isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    after = search(tiny)
    holder.close()
    assert skip_reason(after).startswith("cannot use the file of costs and cached answers")
    assert after.hits == before.hits
    assert len(api.bodies) == sent


# Budgets ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        pytest.param(
            {"dollars_per_call": 0.001}, "one request may cost $0.09", id="dollars per call"
        ),
        pytest.param({"tokens_per_call": 900}, "one request may cost $0.09", id="tokens per call"),
        pytest.param(
            {"dollars_per_day": 0.001}, "$0.00 of today's budget of $0.00 is", id="dollars per day"
        ),
        pytest.param({"tokens_per_day": 900}, "today's usage could reach ", id="tokens per day"),
        pytest.param(
            {"strong_model": "claude-next"}, "no price is known for claude-next", id="unknown price"
        ),
    ],
)
def test_no_request_is_sent_over_a_budget(
    serve: Serve, tiny: Path, options: dict[str, object], reason: str
) -> None:
    api = serve(WORKING)
    write_settings(**options)
    assert skip_reason(search(tiny)).startswith(reason)
    assert api.calls == []


def test_the_daily_budget_counts_earlier_requests(serve: Serve, tiny: Path, tmp_path: Path) -> None:
    api = serve(WORKING)
    assert not search(tiny).stages[0].skipped
    spent = usage_today(tmp_path).dollars
    assert 0 < spent < 0.08
    write_settings(dollars_per_day=spent + 0.08)
    sent = len(api.bodies)
    with Catalog(tiny) as catalog:
        result = catalog.search("add numbers up  pkg:toolbox", rerank=True)
    assert skip_reason(result).startswith("$0.0")
    assert "is spent, and this may cost $0.08" in skip_reason(result)
    assert len(api.bodies) == sent


def test_a_price_in_the_settings_enables_another_model(serve: Serve, tiny: Path) -> None:
    serve(WORKING)
    Path("typematch.toml").write_text(
        '[claude]\nstrong_model = "claude-next"\n'
        '[claude.prices."claude-next"]\ninput = 1.0\noutput = 2.0\n'
    )
    [stage] = search(tiny).stages
    assert stage.model == "claude-next"
    assert stage.dollars > 0


# Retries ------------------------------------------------------------------------------------------


class Clock:
    def __init__(self) -> None:
        self.now = 0.0
        self.slept: list[float] = []

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


def client(api_url: str, **options: object) -> tuple[Client, Clock]:
    clock = Clock()
    settings = Settings(api_key=KEY, base_url=api_url, **options)  # type: ignore[arg-type]
    return Client(settings, now=clock, sleep=clock.sleep), clock


BODY = {"model": "m", "max_tokens": 10, "messages": [{"role": "user", "content": "x"}]}


@pytest.mark.parametrize("status", [408, 409, 429, 500, 503, 529])
def test_transient_statuses_are_retried_with_backoff(serve: Serve, status: int) -> None:
    api = serve(in_turn(Reply(status=status), Reply(status=status), Reply("fine")))
    api_client, clock = client(api.url)
    assert api_client.create(BODY).text == "fine"
    api_client.close()
    assert [0.375 <= clock.slept[0] <= 0.5, 0.75 <= clock.slept[1] <= 1.0] == [True, True]


def test_a_broken_connection_is_retried(serve: Serve) -> None:
    api = serve(in_turn(Reply("x", reset=True), Reply("fine")))
    api_client, clock = client(api.url)
    assert api_client.create(BODY).text == "fine"
    api_client.close()
    assert len(clock.slept) == 1


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        pytest.param({"retry-after": "7"}, 7.0, id="seconds"),
        pytest.param(
            {"retry-after-ms": "1500", "retry-after": "9"}, 1.5, id="milliseconds take precedence"
        ),
    ],
)
def test_retry_after_is_honoured(serve: Serve, headers: dict[str, str], seconds: float) -> None:
    api = serve(in_turn(Reply(status=429, headers=headers), Reply("fine")))
    api_client, clock = client(api.url)
    assert api_client.create(BODY).text == "fine"
    api_client.close()
    assert clock.slept == [seconds]


def test_a_long_retry_after_fails_at_once(serve: Serve) -> None:
    api = serve(always(Reply(status=429, headers={"retry-after": "3600"})))
    api_client, clock = client(api.url)
    with pytest.raises(ClaudeError, match=r"\(429\), retry-after 3,600 seconds"):
        api_client.create(BODY)
    api_client.close()
    assert clock.slept == []


@pytest.mark.parametrize("status", [400, 401, 403, 404, 413])
def test_permanent_statuses_are_not_retried(serve: Serve, status: int) -> None:
    api = serve(always(Reply(status=status)))
    api_client, clock = client(api.url)
    with pytest.raises(ClaudeError):
        api_client.create(BODY)
    api_client.close()
    assert len(api.calls) == 1
    assert clock.slept == []


def test_the_error_after_retries_names_the_number_of_attempts(serve: Serve) -> None:
    api = serve(always(Reply(status=529)))
    api_client, _ = client(api.url)
    with pytest.raises(ClaudeError, match=r"the service is overloaded \(529\) \(3 attempts\)"):
        api_client.create(BODY)
    api_client.close()
    assert len(api.calls) == 3


# Ledger -------------------------------------------------------------------------------------------


def test_refused_requests_cost_nothing_and_answered_ones_are_recorded(
    serve: Serve, tiny: Path, tmp_path: Path
) -> None:
    write_settings(attempts=1)
    serve(always(Reply(status=500)))
    search(tiny)
    with_nothing = usage_today(tmp_path)
    serve(always(Reply("", stop_reason="refusal")))
    search(tiny)
    with_one = usage_today(tmp_path)
    assert with_nothing.requests == 0
    assert (with_one.requests, with_one.unsettled) == (1, 0)
    assert with_one.usage.total > 0
    assert with_one.dollars > 0


def test_a_request_without_an_answer_counts_with_its_worst_case_cost(
    serve: Serve, tiny: Path, tmp_path: Path
) -> None:
    write_settings(attempts=1, timeout_seconds=0.3)
    serve(always(Reply({}, delay=3)))
    search(tiny)
    spent = usage_today(tmp_path)
    assert (spent.requests, spent.unsettled) == (1, 1)
    assert spent.dollars > 0.08


def test_a_lost_batch_counts_with_all_its_requests() -> None:
    ledger = UsageLedger(None, time.time)
    ledger.reserve("enrich", "claude-haiku-5-5", Usage(1, 1), 0.01, Settings(), requests=10)
    assert (ledger.today().requests, ledger.today().unsettled) == (10, 10)


def usage_today(tmp_path: Path) -> DailyUsage:
    ledger = UsageLedger(tmp_path / "cache" / "typematch" / "claude.db", time.time)
    try:
        return ledger.today()
    finally:
        ledger.close()


def test_the_cache_option_names_the_file_and_clear_cache_deletes_answers(
    serve: Serve, tiny: Path, tmp_path: Path, capsys: Output
) -> None:
    api = serve(WORKING)
    cache = tmp_path / "mine" / "answers.db"
    command = ["search", "sort items", "--rerank", "--db", str(tiny), "--cache", str(cache)]
    for _ in range(2):
        assert main(command) == 0
    sent = len(api.bodies)
    capsys.readouterr()
    assert main(["costs", "--cache", str(cache)]) == 0
    out = capsys.readouterr().out
    assert "rerank    claude-sonnet-5-5" in out
    assert f"file: {cache}" in out
    assert cache.stat().st_mode & 0o077 == 0
    assert main(["costs", "--clear-cache", "--cache", str(cache)]) == 0
    assert capsys.readouterr().out == f"deleted {sent} cached answers\n"
    assert main(command) == 0
    assert len(api.bodies) == 2 * sent
    capsys.readouterr()
    assert main(["costs", "--json", "--cache", str(cache)]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["spent"][0]["requests"] == 2 * sent


# Keys ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("is_accepted", [True, False])
def test_the_key_is_never_printed_logged_or_stored(
    serve: Serve,
    tiny: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: Output,
    caplog: pytest.LogCaptureFixture,
    is_accepted: bool,
) -> None:
    secret = "sk-ant-secret-0123456789"
    serve(WORKING, key=secret if is_accepted else "another")
    monkeypatch.setenv("ANTHROPIC_API_KEY", secret)
    caplog.set_level(logging.DEBUG)
    command = ["search", "sort", "--rerank", "--db", str(tiny)]
    for words in (command, [*command, "--json"], ["costs"], ["costs", "--json"]):
        main(words)
    output = capsys.readouterr()
    written = b"".join(file.read_bytes() for file in tmp_path.rglob("*") if file.is_file())
    assert secret not in output.out + output.err + caplog.text
    assert secret.encode() not in written
    assert (b"tokens in" in output.out.encode()) is is_accepted
    assert secret not in repr(read_settings({"ANTHROPIC_API_KEY": secret}, tmp_path))


def test_a_key_echoed_by_the_service_is_redacted(serve: Serve, tiny: Path) -> None:
    serve(always(Reply(status=400, message="x" * 178 + KEY)))
    reason = skip_reason(search(tiny))
    assert "the request was refused (400: xxx" in reason
    assert KEY[:12] not in reason


def test_an_error_keeps_no_reference_to_the_key(serve: Serve) -> None:
    api = serve(WORKING, key="another")
    api_client, _ = client(api.url)
    with pytest.raises(ClaudeError) as caught:
        api_client.create(BODY)
    api_client.close()
    error: BaseException | None = caught.value
    assert error is not None
    assert KEY not in str(error)
    assert error.__cause__ is None
    assert error.__suppress_context__


# Settings -----------------------------------------------------------------------------------------


def test_an_address_from_a_project_file_does_not_receive_the_users_key(tmp_path: Path) -> None:
    (tmp_path / "typematch.toml").write_text('[claude]\nbase_url = "http://elsewhere"\n')
    loaded = read_settings({"ANTHROPIC_API_KEY": KEY}, tmp_path)
    assert loaded.base_url == ""
    assert "a key from the environment is not sent to an address" in loaded.problem


def test_a_file_may_set_both_key_and_address(tmp_path: Path) -> None:
    text = '[tool.typematch.claude]\napi_key = "k"\nbase_url = "http://mine"\nwindow = 3\n'
    (tmp_path / "pyproject.toml").write_text(text)
    below = tmp_path / "src" / "deep"
    below.mkdir(parents=True)
    loaded = read_settings({"ANTHROPIC_API_KEY": KEY}, below)
    assert (loaded.api_key, loaded.base_url, loaded.window, loaded.problem) == (
        "k",
        "http://mine",
        3,
        "",
    )


def test_models_from_the_environment_override_the_file(tmp_path: Path) -> None:
    (tmp_path / "typematch.toml").write_text('[claude]\nsmall_model = "a"\nstrong_model = "b"\n')
    loaded = read_settings({"TYPEMATCH_SMALL_MODEL": "c"}, tmp_path)
    assert (loaded.small_model, loaded.strong_model) == ("c", "b")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param(
            "[claude]\nmodle = 'x'", "there is no setting 'modle' for Claude", id="unknown setting"
        ),
        pytest.param(
            "[claude]\nwindow = 'x'", "window for Claude must be a whole number", id="string"
        ),
        pytest.param("[claude]\nwindow = 0", "window for Claude must be a whole number", id="zero"),
        pytest.param("[claude]\neffort = 'hard'", "effort for Claude must be one of", id="effort"),
        pytest.param(
            "[claude]\ndollars_per_day = inf", "day for Claude must be a number", id="infinity"
        ),
        pytest.param("[claude]\nprices = 3", "prices for Claude must be tables", id="prices"),
        *(
            pytest.param(
                f"[claude.prices.x]\ninput = {price}\noutput = 1.0",
                "prices for Claude must be tables",
                id=f"price {price}",
            )
            for price in ("nan", "inf", "-1.0", "true", "'1'", "9" * 400)
        ),
        pytest.param("[claude", "cannot read the settings", id="invalid TOML"),
        pytest.param(f"x = {'[' * 2_000}", "cannot read the settings", id="nested TOML"),
        pytest.param("[claude]\napi_key = 3", "api_key for Claude must be a string", id="key"),
    ],
)
def test_an_invalid_setting_is_reported_with_its_file(
    tmp_path: Path, text: str, message: str
) -> None:
    (tmp_path / "typematch.toml").write_text(text)
    with pytest.raises(UsageError, match=message) as caught:
        read_settings({}, tmp_path)
    assert str(tmp_path / "typematch.toml") in str(caught.value)
