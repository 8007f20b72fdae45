"""The server: what it answers, what it refuses, and that nothing brings it down."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import pytest
from pydantic import BaseModel

from serve.servers import interrupt, serving, wait_for
from typematch.catalog import Catalog
from typematch.search.present.wire_format import search_document
from typematch.serve.cli.main import main
from typematch.serve.http import models
from typematch.serve.http.app import create_app
from typematch.serve.http.pages import MOST_IDS
from typematch.serve.http.security import MOST_BYTES
from typematch.serve.http.worker_pool import OverloadedError, WorkerPool

Asking = Callable[..., httpx.Response]
HOST = "http://localhost:8737"
_JSON = {"Content-Type": "application/json"}
NEEDED = "export interface Chunks { chunk<T>(items: T[], size: number): T[][] }"


def client(workers: WorkerPool, token: str = "") -> Asking:
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
def workers(tiny: Path) -> Iterator[WorkerPool]:
    made = WorkerPool(tiny, number=1, seconds=60.0, waiting=10, patience=60.0)
    yield made
    made.close()


@pytest.fixture
def ask(workers: WorkerPool) -> Asking:
    return client(workers)


@pytest.mark.parametrize(
    ("method", "path", "how", "model"),
    [
        ("GET", "/api/search", {"params": {"q": "(x: T[], n: number) => T[][]"}}, "SearchAnswer"),
        ("GET", "/api/search", {"params": {"q": "split a list", "limit": 3}}, "SearchAnswer"),
        ("GET", "/api/search", {"params": {"q": "kind:method", "facets": True}}, "SearchAnswer"),
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
    assert answer.headers["Cache-Control"] == "no-store"


def test_a_search_is_that_of_the_catalog(ask: Asking, tiny: Path) -> None:
    query = "(items: T[], size: number) => T[][]"
    with Catalog(tiny, create=False) as catalog:
        expected = search_document(catalog.search(query, limit=5))
    assert ask("GET", "/api/search", params={"q": query, "limit": 5}).json() == expected


def pages_of(ask: Asking, address: str) -> Iterator[list[str]]:
    """Yield the ids of each page, as one follows their links."""
    while address:
        answer = ask("GET", address)
        assert answer.status_code == 200, answer.text
        yield [hit["entry"]["id"] for hit in answer.json()["hits"]]
        address = answer.links.get("next", {}).get("url", "")


@pytest.mark.parametrize(
    "query", ["kind:function", "items", "(x: T[]) => _", "sort:name kind:method"]
)
def test_pages_together_are_what_was_found(ask: Asking, tiny: Path, query: str) -> None:
    with Catalog(tiny, create=False) as catalog:
        expected = catalog.search(query, limit=4).ids
    assert len(expected) > 8
    pages = list(pages_of(ask, f"/api/search?q={quote(query)}&limit=4"))
    assert [len(page) for page in pages[:-1]] == [4] * (len(pages) - 1)
    assert tuple(name for page in pages for name in page) == expected[:MOST_IDS]


def test_pages_say_why_each_hit_fits(ask: Asking) -> None:
    first = ask("GET", "/api/search", params={"q": "(x: T[]) => _", "limit": 3})
    second = ask("GET", first.links["next"]["url"]).json()
    assert all(hit["cost"] is not None and hit["lines"] for hit in second["hits"])


def test_pages_keep_their_order_while_the_file_changes(tiny: Path, tmp_path: Path) -> None:
    """What is added does not push hits onto the next page again; what is removed is told."""
    database = Path(shutil.copy(tiny, tmp_path / "t.db"))
    folder = tmp_path / "aaa"
    folder.mkdir()
    (folder / "package.json").write_text('{"name": "aaa", "types": "index.d.ts"}')
    workers = WorkerPool(database, number=1, seconds=60.0, waiting=1, patience=60.0)
    try:
        ask = client(workers)
        first = ask("GET", "/api/search", params={"q": "kind:function sort:name", "limit": 5})
        before = list(pages_of(ask, first.links["next"]["url"]))
        assert any(name.startswith("patience#") for page in before for name in page)
        (folder / "index.d.ts").write_text(
            "".join(f"export function a{i}(): void;\n" for i in range(9))
        )
        with Catalog(database) as catalog:
            catalog.add(folder, model=None)
        assert ask("GET", "/api/stats").json()["packages"][0]["name"] == "aaa"
        assert list(pages_of(ask, first.links["next"]["url"])) == before
        with Catalog(database) as catalog:
            catalog.remove("patience")
        left = [[name for name in page if not name.startswith("patience#")] for page in before]
        assert list(pages_of(ask, first.links["next"]["url"])) == left
        gone = [len(old) - len(new) for old, new in zip(before, left, strict=True)]
        fewer = next(i for i, count in enumerate(gone) if count > 1)
        [key] = re.findall(r"/api/pages/([^/]+)/", first.links["next"]["url"])
        said = ask("GET", f"/api/pages/{key}/{5 * (fewer + 1)}").json()["notices"]
        assert f"{gone[fewer]} hits are no longer in this database." in said
    finally:
        workers.close()


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
        pytest.param("GET", "/api/pages/unknown/20", {}, 410, "not remembered", id="old pages"),
        pytest.param("GET", "/api/pages/x/-1", {}, 422, "path.start", id="a page before the first"),
        pytest.param("GET", "/../http/app.py", {}, 404, "Not Found", id="beside the page's files"),
        pytest.param(
            "GET", "/..%2fhttp%2fapp.py", {}, 404, "Not Found", id="beside them, disguised"
        ),
        pytest.param("GET", "/docs/%2e%2e/%2e%2e/http/app.py", {}, 404, "Not Found", id="dots"),
        pytest.param("DELETE", "/api/stats", {}, 405, "Not Allowed", id="no such method"),
        pytest.param(
            "POST", "/api/relate", {"content": "{", "headers": _JSON}, 422, "body", id="no JSON",
        ),
        pytest.param(
            "POST", "/api/relate", {"json": {"source": "1", "target": "2", "x": 1}},
            422, "body.x", id="an unknown parameter",
        ),
        pytest.param(
            "GET", "/api/search?q=x&limt=3", {}, 422,
            "no parameter 'limt' here, but facets, limit, q, services", id="a misspelled one",
        ),
        pytest.param("GET", "/api/stats?x=1", {}, 422, "but none", id="one where there is none"),
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


def test_the_page_is_there_whatever_it_is_to_show(ask: Asking) -> None:
    for path in ("/", "/?q=chunk&open=toolbox%23chunk", "/docs/", "/scripts/main.js", "/icon.svg"):
        assert ask("GET", path).status_code == 200, path
        assert ask("HEAD", path).status_code == 200, path


def test_every_answer_keeps_pages_in_bounds(ask: Asking) -> None:
    for answer in (
        ask("GET", "/api/stats"),
        ask("GET", "/nowhere"),
        ask("GET", "/api/stats", headers={"Host": "evil.example"}),
    ):
        policy = answer.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert "Access-Control-Allow-Origin" not in answer.headers


def test_a_token_is_asked_for(workers: WorkerPool) -> None:
    ask = client(workers, token="secret")
    assert ask("GET", "/api/stats").status_code == 401
    for given in ("Bearer wrong", "Bearer s\u00e9cret", "secret"):
        wrong = {"Authorization": given.encode()}
        assert ask("GET", "/api/stats", headers=wrong).status_code == 401
    assert ask("GET", "/api/nowhere").status_code == 401
    for path in ("/nowhere", "/docs/../api/stats", "/scripts", "//api/stats", "/api"):
        assert ask("GET", path).status_code == 401, path
    for path in ("/", "/docs/", "/scripts/main.js"):  # the page, which asks for the token
        assert ask("GET", path).status_code == 200, path
    right = {"Authorization": "Bearer secret"}
    assert ask("GET", "/api/stats", headers=right).status_code == 200


def test_a_question_that_takes_too_long_is_given_up_and_the_next_is_answered(tiny: Path) -> None:
    workers = WorkerPool(tiny, number=1, seconds=60.0, waiting=1, patience=60.0)
    try:
        assert client(workers)("GET", "/api/search", params={"q": "chunk"}).status_code == 200
        worker = workers._free.get()
        assert worker._process is not None
        assert worker._process.pid is not None
        os.kill(worker._process.pid, signal.SIGSTOP)  # however fast it is otherwise
        workers._free.put(worker)
        workers._seconds = 0.001
        answer = client(workers)("GET", "/api/search", params={"q": "(x: T[]) => T"})
        assert answer.status_code == 504
        assert "0.001 seconds" in answer.json()["what"]
        # Until another process is ready, nobody waits longer than the patience is.
        workers._patience = 0.01
        refused = client(workers)("GET", "/api/search", params={"q": "chunk"})
        assert (refused.status_code, refused.headers["Retry-After"]) == (503, "1")
        workers._patience = 60.0
        workers._seconds = 60.0  # as long as it takes
        assert client(workers)("GET", "/api/search", params={"q": "chunk"}).status_code == 200
    finally:
        workers.close()


def test_more_than_can_be_answered_is_refused_at_once(workers: WorkerPool) -> None:
    class Busy(WorkerPool):
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
    assert not [one for one in answers if isinstance(one, Exception) and one not in refused]


def test_a_question_whose_asker_has_gone_is_dropped(workers: WorkerPool) -> None:
    """The one that is being answered is answered; those behind it that nobody waits for are not."""
    begun: list[str] = []

    class Noting(WorkerPool):
        def _answer(self, question: str, arguments: Any, asked: float) -> Any:
            begun.append(arguments["query"])
            return workers._answer(question, arguments, asked)

    noting = object.__new__(Noting)
    noting.__dict__ |= {**workers.__dict__, "_asked": 0}
    app = create_app(noting, hosts=("localhost",))

    async def ask(query: str, gone: asyncio.Event) -> list[Any]:
        sent: list[Any] = []
        requests = [{"type": "http.request", "body": b"", "more_body": False}]

        async def receive() -> Any:
            if requests:
                return requests.pop()
            await gone.wait()
            return {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            sent.append(message)

        scope = {
            "type": "http", "method": "GET", "path": "/api/search", "raw_path": b"/api/search",
            "query_string": f"q={query}".encode(), "headers": [(b"host", b"localhost")],
            "http_version": "1.1", "scheme": "http", "root_path": "", "server": ("localhost", 80),
        }  # fmt: skip
        await app(scope, receive, send)
        return sent

    async def three() -> list[list[Any]]:
        here, gone = asyncio.Event(), asyncio.Event()
        asked = [
            asyncio.create_task(ask(query, how))
            for query, how in (("chunk", here), ("sum", gone), ("max", here))
        ]
        await asyncio.sleep(0)
        gone.set()
        return list(await asyncio.gather(*asked))

    answers = asyncio.run(three())
    assert [bool(one) for one in answers] == [True, False, True]
    assert sorted(begun) == ["chunk", "max"]  # side by side, in either order


def test_a_file_that_is_deleted_or_replaced_under_the_server(tiny: Path, tmp_path: Path) -> None:
    database = Path(shutil.copy(tiny, tmp_path / "t.db"))
    workers = WorkerPool(database, number=1, seconds=60.0, waiting=1, patience=60.0)
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


def sent(address: str, *parts: bytes) -> bytes:
    """Return the first line that the server answers to bytes on a connection."""
    host, _, port = address.removeprefix("http://").partition(":")
    with socket.create_connection((host, int(port)), timeout=30) as connection:
        for part in parts:
            connection.sendall(part)
        answer = b""
        with contextlib.suppress(ConnectionResetError):
            while b"\r\n" not in answer and (chunk := connection.recv(65_536)):
                answer += chunk
        return answer.partition(b"\r\n")[0]


@pytest.mark.slow
def test_what_no_client_should_send(tiny: Path) -> None:
    with serving(tiny) as address:
        host = address.removeprefix("http://").encode()
        post = b"POST /api/relate HTTP/1.1\r\nHost: " + host + b"\r\n"
        # Of 100 MB no more is read than may be sent.
        huge = post + b"Content-Length: 100000000\r\n\r\n"
        assert b" 413 " in sent(address, huge, b"x" * (MOST_BYTES + 100_000))
        assert b" 400 " in sent(address, b"nonsense\r\n\r\n")
        endless = b"GET /" + b"x" * 900_000 + b" HTTP/1.1\r\nHost: " + host + b"\r\n\r\n"
        assert b" 400 " in sent(address, endless)
        # Whoever goes away in the middle of it harms nobody.
        name, _, port = host.decode().partition(":")
        with socket.create_connection((name, int(port)), timeout=30) as gone:
            gone.sendall(post + b"Content-Length: 10\r\n\r\n{")
        assert httpx.get(f"{address}/api/stats", timeout=60).status_code == 200


def test_a_server_in_a_process_of_its_own(tiny: Path) -> None:
    command = [sys.executable, "-m", "typematch", "serve", "--port", "0", "--db", str(tiny)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            told = server.stdout.readline()
            [address] = re.findall(r"http://[\d.]+:\d+", told)
            wait_for(address)
            answer = httpx.get(f"{address}/api/search", params={"q": "chunk"}, timeout=60)
            assert answer.json()["hits"][0]["entry"]["id"] == "toolbox#chunk"
            port = address.rpartition(":")[2]
            assert main(["serve", "--port", port, "--db", str(tiny)]) == 3  # it is taken
        finally:
            interrupt(server)
    assert server.returncode == 0
