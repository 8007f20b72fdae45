"""The server: what it answers, what it refuses, and that nothing brings it down."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import pytest
from pydantic import BaseModel

from typematch.catalog import Catalog
from typematch.search.results import search_document
from typematch.serve.cli import main
from typematch.serve.http import models
from typematch.serve.http.app import create_app
from typematch.serve.http.guard import MOST_BYTES
from typematch.serve.http.workers import OverloadedError, TooSlowError, Workers

Asking = Callable[..., httpx.Response]
HOST = "http://localhost:8737"
_JSON = {"Content-Type": "application/json"}
NEEDED = "export interface Chunks { chunk<T>(items: T[], size: number): T[][] }"


def client(workers: Workers, token: str = "") -> Asking:
    """Return what sends one request to an application over ``workers``."""
    app = create_app(workers, hosts=("localhost", "127.0.0.1"), token=token)

    def ask(method: str, path: str, **how: Any) -> httpx.Response:
        async def send() -> httpx.Response:
            transport = httpx.ASGITransport(app=app, raise_app_exceptions=False)
            async with httpx.AsyncClient(transport=transport, base_url=HOST) as asking:
                return await asking.request(method, path, **how)

        return asyncio.run(send())

    return ask


@pytest.fixture(scope="module")
def workers(tiny: Path) -> Iterator[Workers]:
    made = Workers(tiny, number=1, seconds=60.0, waiting=10, patience=60.0)
    yield made
    made.close()


@pytest.fixture
def ask(workers: Workers) -> Asking:
    return client(workers)


@pytest.mark.parametrize(
    ("method", "path", "how", "model"),
    [
        ("GET", "/api/search", {"params": {"q": "(x: T[], n: number) => T[][]"}}, "SearchAnswer"),
        ("GET", "/api/search", {"params": {"q": "split a list", "limit": 3}}, "SearchAnswer"),
        ("GET", f"/api/entry/{quote('toolbox#chunk', safe='')}", {}, "EntryAnswer"),
        ("GET", f"/api/references/{quote('toolbox#User', safe='')}", {}, "ReferencesAnswer"),
        ("GET", "/api/facets", {"params": {"q": "kind:method"}}, "FacetsAnswer"),
        ("GET", "/api/stats", {}, "StatsAnswer"),
        ("POST", "/api/relate", {"json": {"source": "1", "target": "number"}}, "RelateAnswer"),
        ("POST", "/api/relate", {"json": {"source": "1", "target": "string"}}, "RelateAnswer"),
        ("POST", "/api/match", {"params": {"name": "n.ts"}, "content": NEEDED}, "MatchAnswer"),
    ],
)
def test_answers_are_what_the_description_says(
    ask: Asking, method: str, path: str, how: dict[str, Any], model: str
) -> None:
    answer = ask(method, path, **how)
    assert answer.status_code == 200, answer.text
    described: type[BaseModel] = getattr(models, model)
    read = described.model_validate_json(answer.content)
    # Nothing is left out, and nothing is there besides.
    assert read.model_dump(mode="json", by_alias=True) == answer.json()
    paths = ask("GET", "/api/openapi.json").json()["paths"]
    [route] = [one for one in paths if path.startswith(one.partition("{")[0])]
    schema = paths[route][method.lower()]["responses"]["200"]["content"]["application/json"]
    assert schema["schema"]["$ref"].rpartition("/")[2] == model


def test_a_search_is_that_of_the_catalog(ask: Asking, tiny: Path) -> None:
    query = "(items: T[], size: number) => T[][]"
    with Catalog(tiny, create=False) as catalog:
        expected = search_document(catalog.search(query, limit=5))
    assert ask("GET", "/api/search", params={"q": query, "limit": 5}).json() == expected


@pytest.mark.parametrize(
    ("method", "path", "how", "status", "said"),
    [
        pytest.param("GET", "/api/search", {}, 422, "query.q", id="no query"),
        pytest.param(
            "GET", "/api/search?q=x&limit=1000000", {}, 422, "query.limit", id="a huge limit"
        ),
        pytest.param("GET", "/api/search?q=(a", {}, 400, "^", id="a query that cannot be read"),
        pytest.param("GET", f"/api/search?q={'x' * 30_000}", {}, 422, "query.q", id="a long query"),
        pytest.param("GET", "/api/entry/elsewhere%23x", {}, 404, "no entry", id="an unknown id"),
        pytest.param("GET", "/api/entry/..%2f..%2fetc%2fpasswd", {}, 404, "no entry", id="a path"),
        pytest.param("GET", "/etc/passwd", {}, 404, "Not Found", id="no such address"),
        pytest.param("DELETE", "/api/stats", {}, 405, "Not Allowed", id="no such method"),
        pytest.param(
            "POST", "/api/relate", {"content": "{", "headers": _JSON}, 422, "body", id="no JSON",
        ),
        pytest.param(
            "POST", "/api/relate", {"json": {"source": "1", "target": "2", "x": 1}},
            422, "body.x", id="an unknown parameter",
        ),
        pytest.param(
            "POST", "/api/relate", {"json": {"source": "{", "target": "2"}}, 400, "^", id="no type"
        ),
        pytest.param(
            "POST", "/api/match?name=../../x.ts/..", {"content": NEEDED}, 400, "name", id="a name"
        ),
        pytest.param(
            "POST", "/api/match?name=x.ts", {"content": b"\xff\x00"}, 400, "", id="no document"
        ),
        pytest.param(
            "POST", "/api/match?name=x.ts", {"content": b"x" * (MOST_BYTES + 1)},
            413, "more than", id="a large body",
        ),
        pytest.param(
            "GET", "/api/stats", {"headers": {"Host": "evil.example"}},
            421, "not called so", id="rebinding",
        ),
        pytest.param(
            "GET", "/api/stats", {"headers": {"Host": "[::1"}}, 421, "not called so", id="no host"
        ),
        pytest.param(
            "GET", "/api/stats", {"headers": {"Origin": "http://evil.example"}},
            403, "elsewhere", id="another origin",
        ),
    ],
)  # fmt: skip
def test_bad_input_is_answered_with_what_is_wrong(
    ask: Asking, method: str, path: str, how: dict[str, Any], status: int, said: str
) -> None:
    answer = ask(method, path, **how)
    assert answer.status_code == status, answer.text
    wrong = models.Problem.model_validate_json(answer.content)
    assert said in f"{wrong.what} {wrong.where}"


def test_its_own_pages_may_ask(ask: Asking) -> None:
    assert ask("GET", "/api/stats", headers={"Origin": HOST}).status_code == 200


def test_every_answer_keeps_pages_in_bounds(ask: Asking) -> None:
    for answer in (
        ask("GET", "/api/stats"),
        ask("GET", "/nowhere"),
        ask("GET", "/api/stats", headers={"Host": "evil.example"}),
    ):
        policy = answer.headers["Content-Security-Policy"]
        assert "default-src 'self'" in policy
        assert "unsafe-inline" not in policy
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert "Access-Control-Allow-Origin" not in answer.headers


def test_a_token_is_asked_for(workers: Workers) -> None:
    ask = client(workers, token="secret")
    assert ask("GET", "/api/stats").status_code == 401
    for given in ("Bearer wrong", "Bearer s\u00e9cret", "secret"):
        wrong = {"Authorization": given.encode()}
        assert ask("GET", "/api/stats", headers=wrong).status_code == 401
    right = {"Authorization": "Bearer secret"}
    assert ask("GET", "/api/stats", headers=right).status_code == 200


def test_a_question_that_takes_too_long_is_given_up_and_the_next_is_answered(tiny: Path) -> None:
    workers = Workers(tiny, number=1, seconds=0.001, waiting=1)
    try:
        answer = client(workers)("GET", "/api/search", params={"q": "(x: T[]) => T"})
        assert answer.status_code == 504
        assert "0.001 seconds" in answer.json()["what"]
        workers._seconds = 60.0  # as long as it takes
        assert client(workers)("GET", "/api/search", params={"q": "chunk"}).status_code == 200
    finally:
        workers.close()


def test_more_than_can_be_answered_is_refused_at_once(workers: Workers) -> None:
    class Busy(Workers):
        async def ask(self, *_: Any) -> Any:
            raise OverloadedError

    busy = object.__new__(Busy)
    answer = client(busy)("GET", "/api/stats")
    assert answer.status_code == 503
    assert int(answer.headers["Retry-After"]) >= 1

    async def many() -> list[object]:
        asked = [workers.ask("search", {"query": "chunk", "limit": 1}) for _ in range(30)]
        return list(await asyncio.gather(*asked, return_exceptions=True))

    answers = asyncio.run(many())
    refused = [one for one in answers if isinstance(one, OverloadedError)]
    assert len(refused) == 30 - 11
    assert all(isinstance(one, dict) for one in answers if one not in refused)
    assert not [one for one in answers if isinstance(one, TooSlowError)]


def test_a_file_that_is_deleted_or_replaced_under_the_server(tiny: Path, tmp_path: Path) -> None:
    database = Path(shutil.copy(tiny, tmp_path / "t.db"))
    workers = Workers(database, number=1, seconds=60.0, waiting=1, patience=60.0)
    try:
        ask = client(workers)
        before = ask("GET", "/api/stats").json()["entries"]
        with Catalog(Path(shutil.copy(tiny, tmp_path / "next.db"))) as catalog:
            removed = catalog.remove("patience")
        database.unlink()
        gone = ask("GET", "/api/stats")
        assert gone.status_code == 503
        assert str(database) in gone.json()["where"]
        os.replace(tmp_path / "next.db", database)  # noqa: PTH105 - what a writer does
        assert ask("GET", "/api/stats").json()["entries"] == before - removed
    finally:
        workers.close()


def test_names_are_plain_text_in_json(ask: Asking) -> None:
    answer = ask("GET", "/api/search", params={"q": "<script>alert(1)</script>"})
    assert answer.headers["Content-Type"].startswith("application/json")
    json.loads(answer.content)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        pytest.param(["--port", "70000"], "a port is a number", id="port"),
        pytest.param(["--seconds", "0"], "more than nothing", id="seconds"),
        pytest.param(["--host", "203.0.113.7"], "cannot listen there", id="another's address"),
    ],
)
def test_serving_says_what_it_cannot_do(
    words: list[str], said: str, tiny: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["serve", *words, "--db", str(tiny)]) in (2, 3)
    assert said in capsys.readouterr().err


def test_a_server_in_a_process_of_its_own(tiny: Path) -> None:
    command = [sys.executable, "-m", "typematch", "serve", "--port", "0", "--db", str(tiny)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            told = server.stdout.readline()
            [address] = re.findall(r"http://[\d.]+:\d+", told)
            answer = httpx.get(f"{address}/api/search", params={"q": "chunk"}, timeout=60)
            assert answer.json()["hits"][0]["entry"]["id"] == "toolbox#chunk"
            port = address.rpartition(":")[2]
            assert main(["serve", "--port", port, "--db", str(tiny)]) == 3  # it is taken
        finally:
            server.send_signal(signal.SIGINT)
    assert server.returncode in (0, 130)
