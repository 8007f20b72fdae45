"""The HTTP API: replies, rejected requests, and that no request stops the server."""

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
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import pytest

from serve.servers import interrupt, serving, wait_for
from typematch.catalog import Catalog
from typematch.search.present import composition_schema, wire_schema
from typematch.search.present.wire_format import search_document
from typematch.serve.cli.main import main
from typematch.serve.http.app import create_app
from typematch.serve.http.models import model_of
from typematch.serve.http.pages import MAX_IDS
from typematch.serve.http.security import MAX_BODY_BYTES
from typematch.serve.workers.worker_pool import OverloadedError, WorkerPool

SendRequest = Callable[..., httpx.Response]
HOST = "http://localhost:8737"
_JSON = {"Content-Type": "application/json"}
COMPOSED = "(items: string[], size: number) => Queue<string[]>  pkg:toolbox"
INTERFACE = "export interface Chunks { chunk<T>(items: T[], size: number): T[][] }"


def client(workers: WorkerPool, token: str = "") -> SendRequest:
    """Return a function that sends one request to an application over ``workers``."""
    app = create_app(workers, hosts=("localhost", "127.0.0.1"), token=token)

    def send_request(method: str, path: str, **options: Any) -> httpx.Response:
        async def send() -> httpx.Response:
            transport = httpx.ASGITransport(app=app, raise_app_exceptions=False)
            async with httpx.AsyncClient(transport=transport, base_url=HOST) as http_client:
                return await http_client.request(method, path, **options)

        return asyncio.run(send())

    return send_request


@pytest.fixture(scope="module")
def workers(tiny: Path) -> Iterator[WorkerPool]:
    pool = WorkerPool(
        tiny, workers=1, timeout_seconds=60.0, max_queued=10, queue_timeout_seconds=60.0
    )
    yield pool
    pool.close()


@pytest.fixture
def api(workers: WorkerPool) -> SendRequest:
    return client(workers)


@pytest.mark.parametrize(
    ("method", "path", "options", "document_type"),
    [
        ("GET", "/api/search", {"params": {"q": "(x: T[], n: number) => T[][]"}}, "SearchDocument"),
        ("GET", "/api/search", {"params": {"q": "split a list", "limit": 3}}, "SearchDocument"),
        ("GET", "/api/search", {"params": {"q": "kind:method", "facets": True}}, "SearchDocument"),
        ("GET", f"/api/entry/{quote('toolbox#chunk', safe='')}", {}, "ShowDocument"),
        ("GET", f"/api/references/{quote('toolbox#User', safe='')}", {}, "ReferencesDocument"),
        ("GET", "/api/compose", {"params": {"q": COMPOSED, "limit": 2}}, "ComposeDocument"),
        ("GET", "/api/facets", {"params": {"q": "kind:method"}}, "FacetsDocument"),
        ("GET", "/api/complete", {"params": {"q": "map kind:me"}}, "CompletionsDocument"),
        ("GET", "/api/stats", {}, "StatsDocument"),
        ("POST", "/api/relate", {"json": {"source": "1", "target": "number"}}, "RelateDocument"),
        ("POST", "/api/relate", {"json": {"source": "1", "target": "string"}}, "RelateDocument"),
        ("POST", "/api/match", {"params": {"name": "n.ts"}, "content": INTERFACE}, "MatchDocument"),
    ],
)
def test_documents_have_exactly_the_keys_of_their_openapi_schema(
    api: SendRequest, method: str, path: str, options: dict[str, Any], document_type: str
) -> None:
    answer = api(method, path, **options)
    assert answer.status_code == 200, answer.text
    schemas = composition_schema if document_type == "ComposeDocument" else wire_schema
    model = model_of(getattr(schemas, document_type))
    assert model.model_validate_json(answer.content).model_dump(mode="json") == answer.json()
    paths = api("GET", "/api/openapi.json").json()["paths"]
    [route] = [known for known in paths if path.startswith(known.partition("{")[0])]
    schema = paths[route][method.lower()]["responses"]["200"]["content"]["application/json"]
    assert schema["schema"]["$ref"].rpartition("/")[2] == document_type
    assert answer.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("map ki", ["map kind:"]),
        ("map kind:me", ["map kind:method"]),
        ("pkg:tool", ["pkg:toolbox"]),
        ("words", []),
        ("(teams: Tea", ["(teams: Team"]),
        ("(Tea", ["(Team"]),
        ("(items: T[]) => stri", ["(items: T[]) => string"]),
        (":: Tea", [":: Team"]),
        ("returns:Tea", ["returns:Team"]),
        ("has:id:stri", ["has:id:string"]),
        ("(tea", []),  # the name of a parameter
        ("(x: string) => number  kin", ["(x: string) => number  kind:"]),
    ],
)
def test_completions_are_whole_queries(api: SendRequest, query: str, expected: list[str]) -> None:
    answer = api("GET", "/api/complete", params={"q": query})
    assert answer.json()["completions"] == expected


def test_a_search_returns_the_document_of_the_catalog(api: SendRequest, tiny: Path) -> None:
    query = "(items: T[], size: number) => T[][]"
    with Catalog(tiny, create=False) as catalog:
        expected = search_document(catalog.search(query, limit=5))
    assert api("GET", "/api/search", params={"q": query, "limit": 5}).json() == expected


def pages_of(api: SendRequest, address: str) -> Iterator[list[str]]:
    """Yield the ids of each page, following the links to the next one."""
    while address:
        answer = api("GET", address)
        assert answer.status_code == 200, answer.text
        yield [hit["entry"]["id"] for hit in answer.json()["hits"]]
        address = answer.links.get("next", {}).get("url", "")


@pytest.mark.parametrize(
    "query", ["kind:function", "items", "(x: T[]) => _", "sort:name kind:method"]
)
def test_pages_together_have_every_hit_once_in_order(
    api: SendRequest, tiny: Path, query: str
) -> None:
    with Catalog(tiny, create=False) as catalog:
        expected = catalog.search(query, limit=4).ids
    assert len(expected) > 8
    pages = list(pages_of(api, f"/api/search?q={quote(query)}&limit=4"))
    assert [len(page) for page in pages[:-1]] == [4] * (len(pages) - 1)
    assert tuple(name for page in pages for name in page) == expected[:MAX_IDS]


def test_hits_of_further_pages_have_a_cost_and_an_alignment(api: SendRequest) -> None:
    first = api("GET", "/api/search", params={"q": "(x: T[]) => _", "limit": 3})
    second = api("GET", first.links["next"]["url"]).json()
    assert all(hit["cost"] is not None and hit["alignment"] for hit in second["hits"])


def test_pages_keep_their_order_while_the_database_changes(tiny: Path, tmp_path: Path) -> None:
    """Added entries do not repeat hits on the next page; removed entries give a notice."""
    database = Path(shutil.copy(tiny, tmp_path / "t.db"))
    folder = tmp_path / "aaa"
    folder.mkdir()
    (folder / "package.json").write_text('{"name": "aaa", "types": "index.d.ts"}')
    workers = WorkerPool(
        database, workers=1, timeout_seconds=60.0, max_queued=1, queue_timeout_seconds=60.0
    )
    try:
        api = client(workers)
        first = api("GET", "/api/search", params={"q": "kind:function sort:name", "limit": 5})
        before = list(pages_of(api, first.links["next"]["url"]))
        assert any(name.startswith("deadline#") for page in before for name in page)
        (folder / "index.d.ts").write_text(
            "".join(f"export function a{i}(): void;\n" for i in range(9))
        )
        with Catalog(database) as catalog:
            catalog.add(folder, model=None)
        assert api("GET", "/api/stats").json()["packages"][0]["name"] == "aaa"
        assert list(pages_of(api, first.links["next"]["url"])) == before
        with Catalog(database) as catalog:
            catalog.remove("deadline")
        left = [[name for name in page if not name.startswith("deadline#")] for page in before]
        assert list(pages_of(api, first.links["next"]["url"])) == left
        gone = [len(old) - len(new) for old, new in zip(before, left, strict=True)]
        fewer = next(i for i, count in enumerate(gone) if count > 1)
        [key] = re.findall(r"/api/pages/([^/]+)/", first.links["next"]["url"])
        notices = api("GET", f"/api/pages/{key}/{5 * (fewer + 1)}").json()["notices"]
        assert f"{gone[fewer]} hits are no longer in this database." in notices
    finally:
        workers.close()


@pytest.mark.parametrize(
    ("method", "path", "options", "status", "message"),
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
        pytest.param("GET", "/api/pages/unknown/20", {}, 410, "no longer cached", id="old pages"),
        pytest.param("GET", "/api/pages/x/-1", {}, 422, "path.start", id="a page before the first"),
        pytest.param("GET", "/../http/app.py", {}, 404, "Not Found", id="outside the web folder"),
        pytest.param(
            "GET", "/..%2fhttp%2fapp.py", {}, 404, "Not Found", id="outside it, encoded"
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
            "unknown parameter 'limt'; known parameters: facets, limit, q, services",
            id="a misspelled parameter",
        ),
        pytest.param(
            "GET", "/api/compose", {"params": {"q": "(s: string) => any"}}, 400,
            "every function gives a value of this result type", id="a goal that says too little",
        ),
        pytest.param(
            "GET", "/api/compose", {"params": {"q": "split a list"}}, 400, "signature",
            id="a goal without a signature",
        ),
        pytest.param(
            "GET", "/api/compose", {"params": {"q": COMPOSED, "depth": 4}}, 422, "query.depth",
            id="deep pipelines",
        ),
        pytest.param(
            "GET", "/api/compose", {"params": {"q": COMPOSED, "limit": 21}}, 422, "query.limit",
            id="many pipelines",
        ),
        pytest.param(
            "GET", "/api/stats?x=1", {}, 422, "known parameters: none", id="no parameters at all"
        ),
        pytest.param(
            "POST", "/api/relate", {"json": {"source": "{", "target": "2"}}, 400, "^", id="no type"
        ),
        pytest.param(
            "POST", "/api/match?name=../../x.ts/..", {"content": INTERFACE},
            400, "name", id="a name without a suffix",
        ),
        pytest.param(
            "POST", "/api/match?name=x.ts", {"content": b"\xff\x00"}, 400, "", id="no document"
        ),
        pytest.param(
            "POST", "/api/match?name=x.ts", {"content": b"x" * (MAX_BODY_BYTES + 1)},
            413, "more than", id="a large body",
        ),
        pytest.param(
            "GET", "/api/stats", {"headers": {"Host": "evil.example"}},
            421, "Host header", id="rebinding",
        ),
        pytest.param(
            "GET", "/api/stats", {"headers": {"Host": "[::1"}}, 421, "Host header", id="no host"
        ),
        pytest.param(
            "GET", "/api/stats", {"headers": {"Origin": "http://evil.example"}},
            403, "another origin", id="another origin",
        ),
    ],
)  # fmt: skip
def test_an_invalid_request_gets_an_error_document(
    api: SendRequest,
    method: str,
    path: str,
    options: dict[str, Any],
    status: int,
    message: str,
) -> None:
    answer = api(method, path, **options)
    assert answer.status_code == status, answer.text
    model_of(wire_schema.ProblemDocument).model_validate_json(answer.content)
    assert answer.headers["Content-Type"] == "application/problem+json"
    problem = answer.json()
    assert (problem["type"], problem["status"]) == ("about:blank", status)
    assert message in f"{problem['detail']} {problem['where']}"


@pytest.mark.parametrize(
    ("query", "column", "suggestion"),
    [
        ("(string -> number", 8, "(string) => number"),
        ("kind:function  parse :: (string -> a", 32, "kind:function  parse :: (string) => a"),
        ("map -kind:functoin,class pkg:x", 10, "map -kind:function,class pkg:x"),
        ("knd:function", 0, "kind:function"),
        ("limit:0", 6, ""),
        ("(a", 2, "(a) => _"),
    ],
)  # fmt: skip
def test_a_syntax_error_has_its_column_and_a_corrected_query(
    api: SendRequest, query: str, column: int, suggestion: str
) -> None:
    problem = api("GET", "/api/search", params={"q": query}).json()
    assert (problem["column"], problem["suggestion"]) == (column, suggestion)
    if suggestion:
        assert api("GET", "/api/search", params={"q": suggestion}).status_code == 200


DIALECTS = {
    "TypeScript": "x.ts",
    "declarations": "x.d.ts",
    "YAML": "x.yaml",
    "JSON": "x.json",
    "unknown": "x.foo",
    "a long suffix": f"x.{'y' * 190}",
    "a suffix of long letters": "x." + "\u65e5" * 190,
}
DOCUMENTS = {
    "nothing": b"",
    "no text": b"\xff\xfe\x00",
    "no bracket": b"interface A {",
    "no interface": b"type A = 1",
    "a reference to a file": b'{"openapi":"3.0.0","paths":{"/a":{"$ref":"/etc/passwd"}}}',
    "a reference upwards": b"openapi: 3.0.0\npaths:\n  /a:\n    $ref: ../../../etc/passwd\n",
    "an alias": b"a: &a [*a]",
}


@pytest.mark.parametrize("name", DIALECTS.values(), ids=DIALECTS)
@pytest.mark.parametrize("content", DOCUMENTS.values(), ids=DOCUMENTS)
def test_errors_of_match_have_no_path_of_the_server(
    api: SendRequest, name: str, content: bytes
) -> None:
    answer = api("POST", "/api/match", params={"name": name}, content=content)
    assert answer.status_code in (200, 400), answer.text
    assert tempfile.gettempdir() not in answer.text
    assert "/etc" not in answer.text
    assert "root:" not in answer.text


@pytest.mark.parametrize(
    "name", ["Dr. No.ts", "a.b-c.ts", "chunks.d.ts", "folder/chunks.v1.0-beta.TS", "C:\\x y\\z.ts"]
)
def test_the_last_suffix_of_a_name_is_that_of_the_document(api: SendRequest, name: str) -> None:
    answer = api("POST", "/api/match", params={"name": name}, content=INTERFACE)
    assert answer.status_code == 200, answer.text
    assert answer.json()["interfaces"][0]["name"] == "Chunks"


def test_no_answer_names_a_command(tiny: Path, tmp_path: Path) -> None:
    """Clients of a server cannot run the commands of its owner."""
    Catalog(tmp_path / "empty.db").close()
    (tmp_path / "text.db").write_text("no database")
    requests = [
        ("/api/search", {"q": "chunk"}),
        ("/api/search", {"q": "x pkg:nowhere-at-all"}),
        ("/api/entry/nothing", {}),
        ("/api/stats", {}),
    ]
    for database in (tiny, tmp_path / "empty.db", tmp_path / "text.db", tmp_path / "none.db"):
        workers = WorkerPool(
            database, workers=1, timeout_seconds=60.0, max_queued=1, queue_timeout_seconds=60.0
        )
        try:
            for path, parameters in requests:
                answer = client(workers)("GET", path, params=parameters)
                assert answer.status_code in (200, 404, 503)
                for hidden in ("typematch index", "typematch stats", "typematch doctor", "--db"):
                    assert hidden not in answer.text, answer.text[:500]
                assert str(tmp_path) not in answer.text
        finally:
            workers.close()


def test_the_description_has_the_security_scheme_and_the_type_of_errors(
    workers: WorkerPool,
) -> None:
    optional: list[dict[str, list[str]]] = [{}]
    for token, security in (("", [*optional, {"token": []}]), ("secret", [{"token": []}])):
        headers = {"Authorization": f"Bearer {token}"}
        description = client(workers, token)("GET", "/api/openapi.json", headers=headers).json()
        assert description["security"] == security
        assert description["components"]["securitySchemes"]["token"]["scheme"] == "bearer"
        responses = description["paths"]["/api/search"]["get"]["responses"]
        assert list(responses["400"]["content"]) == ["application/problem+json"]
        assert list(responses["200"]["content"]) == ["application/json"]


# Bounds -------------------------------------------------------------------------------------------

MANY_FACETS = " ".join(["kind:function"] * 1_300)
HUNDRED_FACETS = " ".join([f"-name:{'n' * 180}{index}" for index in range(100)])
LONG_NAMES = [f"{letter}{'x' * 700}: {letter.upper()}Y" for letter in "abcdefghijklmnopqrstuvwx"]
LONG_PARAMETERS = f"({', '.join(LONG_NAMES)}) => number"
MANY_PARAMETERS = f"({', '.join(f'p{index}: string' for index in range(1_100))}) => number"


@pytest.mark.parametrize(
    ("query", "message"),
    [
        pytest.param(MANY_FACETS, "more than 100 values", id="facets"),
        pytest.param(MANY_PARAMETERS, "1,100 parameters, the limit is 32", id="parameters"),
    ],
)
def test_the_parts_of_a_query_are_limited(api: SendRequest, query: str, message: str) -> None:
    answer = api("GET", "/api/search", params={"q": query})
    assert answer.status_code == 400
    assert message in answer.json()["detail"]


@pytest.mark.parametrize("query", [HUNDRED_FACETS, LONG_PARAMETERS], ids=["facets", "parameters"])
def test_the_parts_of_a_long_query_are_bounded(api: SendRequest, query: str) -> None:
    answer = api("GET", "/api/search", params={"q": query, "limit": 200})
    assert answer.status_code == 200
    assert len(answer.content) < 2_000_000
    assert answer.json()["parts"][0]["without"] is not None
    assert sum(len(part["without"] or "") for part in answer.json()["parts"]) < 100_000


def test_a_limit_in_the_query_does_not_exceed_that_of_the_parameter(api: SendRequest) -> None:
    answer = api("GET", "/api/search", params={"q": "kind:method limit:100000"})
    assert len(answer.json()["hits"]) == 200
    assert answer.json()["notices"] == [
        "limit:100000 is too large; an answer has at most 200 hits."
    ]
    assert "next" in answer.links


def test_large_hits_make_pages_shorter_and_none_is_lost(tmp_path: Path) -> None:
    (tmp_path / "package.json").write_text('{"name": "large", "types": "index.d.ts"}')
    text = "A sentence. " + "word " * 40_000
    (tmp_path / "index.d.ts").write_text(
        "".join(f"/** {text} */\nexport function large{i}(): void;\n" for i in range(9))
    )
    with Catalog(tmp_path / "t.db") as catalog:
        catalog.add(tmp_path, model=None)
    workers = WorkerPool(
        tmp_path / "t.db", workers=1, timeout_seconds=60.0, max_queued=1, queue_timeout_seconds=60.0
    )
    try:
        api = client(workers)
        first = api("GET", "/api/search", params={"q": "name:large* sort:name", "limit": 9})
        assert len(first.content) < 2_000_000
        pages = list(pages_of(api, "/api/search?q=name:large*%20sort:name&limit=9"))
        assert 1 < len(pages) < 9
        assert [name for page in pages for name in page] == [f"large#large{i}" for i in range(9)]
    finally:
        workers.close()


def test_pages_of_the_same_origin_are_accepted(api: SendRequest) -> None:
    assert api("GET", "/api/stats", headers={"Origin": HOST}).status_code == 200


def test_the_web_page_is_served_with_and_without_parameters(api: SendRequest) -> None:
    for path in ("/", "/?q=chunk&open=toolbox%23chunk", "/docs/", "/scripts/main.js", "/icon.svg"):
        assert api("GET", path).status_code == 200, path
        assert api("HEAD", path).status_code == 200, path


def test_every_response_has_the_security_headers(api: SendRequest) -> None:
    for answer in (
        api("GET", "/api/stats"),
        api("GET", "/nowhere"),
        api("GET", "/api/stats", headers={"Host": "evil.example"}),
    ):
        policy = answer.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert "Access-Control-Allow-Origin" not in answer.headers


def test_the_api_requires_the_token_and_the_web_page_does_not(workers: WorkerPool) -> None:
    api = client(workers, token="secret")
    assert api("GET", "/api/stats").status_code == 401
    for authorization in ("Bearer wrong", "Bearer s\u00e9cret", "secret"):
        wrong = {"Authorization": authorization.encode()}
        assert api("GET", "/api/stats", headers=wrong).status_code == 401
    assert api("GET", "/api/nowhere").status_code == 401
    for path in ("/nowhere", "/docs/../api/stats", "/scripts", "//api/stats", "/api"):
        assert api("GET", path).status_code == 401, path
    for path in ("/", "/docs/", "/scripts/main.js"):  # the page asks the user for the token
        assert api("GET", path).status_code == 200, path
    right = {"Authorization": "Bearer secret"}
    assert api("GET", "/api/stats", headers=right).status_code == 200


def test_a_request_that_times_out_does_not_affect_the_next_one(tiny: Path) -> None:
    workers = WorkerPool(
        tiny, workers=1, timeout_seconds=60.0, max_queued=1, queue_timeout_seconds=60.0
    )
    try:
        assert client(workers)("GET", "/api/search", params={"q": "chunk"}).status_code == 200
        worker = workers._idle.get()
        assert worker._process is not None
        assert worker._process.pid is not None
        os.kill(worker._process.pid, signal.SIGSTOP)  # however fast it is otherwise
        workers._idle.put(worker)
        workers._timeout_seconds = 0.001
        answer = client(workers)("GET", "/api/search", params={"q": "(x: T[]) => T"})
        assert answer.status_code == 504
        assert "0.001 seconds" in answer.json()["detail"]
        # Until another process is ready, requests wait at most the queue timeout.
        workers._queue_timeout_seconds = 0.01
        rejected = client(workers)("GET", "/api/search", params={"q": "chunk"})
        assert (rejected.status_code, rejected.headers["Retry-After"]) == (503, "1")
        workers._queue_timeout_seconds = 60.0
        workers._timeout_seconds = 60.0  # as long as it takes
        assert client(workers)("GET", "/api/search", params={"q": "chunk"}).status_code == 200
    finally:
        workers.close()


def test_requests_beyond_the_queue_are_rejected_at_once(workers: WorkerPool) -> None:
    class Busy(WorkerPool):
        async def request(self, *_: Any, **__: Any) -> Any:
            raise OverloadedError

    busy = object.__new__(Busy)
    answer = client(busy)("GET", "/api/stats")
    assert answer.status_code == 503
    assert int(answer.headers["Retry-After"]) >= 1

    async def many() -> list[object]:
        options = {"limit": 1, "services": None, "facets": False, "max_ids": 1}
        arguments = {"query": "chunk", **options}
        requests = [workers.request("first_page", arguments) for _ in range(30)]
        return list(await asyncio.gather(*requests, return_exceptions=True))

    answers = asyncio.run(many())
    rejected = [answer for answer in answers if isinstance(answer, OverloadedError)]
    errors = [answer for answer in answers if isinstance(answer, Exception)]
    assert len(rejected) == 30 - 11
    assert errors == rejected


def test_a_queued_request_is_dropped_when_its_client_disconnects(workers: WorkerPool) -> None:
    """Clients that stay connected get their response; the disconnected one reaches no worker."""
    started: list[str] = []

    class RecordingPool(WorkerPool):
        def _send(self, handler: str, arguments: Any, start: float) -> Any:
            started.append(arguments["query"])
            return workers._send(handler, arguments, start)

    recording = object.__new__(RecordingPool)
    recording.__dict__ |= {**workers.__dict__, "_open_requests": 0}
    app = create_app(recording, hosts=("localhost",))

    async def search(query: str, disconnected: asyncio.Event) -> list[Any]:
        sent: list[Any] = []
        requests = [{"type": "http.request", "body": b"", "more_body": False}]

        async def receive() -> Any:
            if requests:
                return requests.pop()
            await disconnected.wait()
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
        never, disconnected = asyncio.Event(), asyncio.Event()
        searches = [
            asyncio.create_task(search(query, event))
            for query, event in (("chunk", never), ("sum", disconnected), ("max", never))
        ]
        await asyncio.sleep(0)
        disconnected.set()
        return list(await asyncio.gather(*searches))

    answers = asyncio.run(three())
    assert [bool(messages) for messages in answers] == [True, False, True]
    assert sorted(started) == ["chunk", "max"]  # concurrent, in any order


def test_a_deleted_database_is_an_error_and_a_replaced_one_is_reopened(
    tiny: Path, tmp_path: Path
) -> None:
    database = Path(shutil.copy(tiny, tmp_path / "t.db"))
    workers = WorkerPool(
        database, workers=1, timeout_seconds=60.0, max_queued=1, queue_timeout_seconds=60.0
    )
    try:
        api = client(workers)
        before = api("GET", "/api/stats").json()["entries"]
        with Catalog(Path(shutil.copy(tiny, tmp_path / "next.db"))) as catalog:
            removed = catalog.remove("deadline")
        database.unlink()
        gone = api("GET", "/api/stats")
        assert gone.status_code == 503
        assert "nothing has been indexed here yet" in gone.json()["detail"]
        assert str(tmp_path) not in gone.text  # a path of the server's disk
        os.replace(tmp_path / "next.db", database)  # noqa: PTH105 - what a writer does
        assert api("GET", "/api/stats").json()["entries"] == before - removed
    finally:
        workers.close()


def test_markup_in_a_query_is_returned_as_json(api: SendRequest) -> None:
    answer = api("GET", "/api/search", params={"q": "<script>alert(1)</script>"})
    assert answer.headers["Content-Type"].startswith("application/json")
    json.loads(answer.content)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        pytest.param(["--port", "70000"], "--port: expected a number from 0 to 65535", id="port"),
        pytest.param(["--workers", "0"], "--workers: expected a positive integer", id="workers"),
        pytest.param(["--seconds", "0"], "must be greater than 0", id="seconds"),
        pytest.param(["--host", "203.0.113.7"], "cannot listen on", id="foreign address"),
    ],
)
def test_invalid_options_are_reported(
    options: list[str], message: str, tiny: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["serve", *options, "--db", str(tiny)]) in (2, 3)
    assert message in capsys.readouterr().err


def sent(address: str, *parts: bytes) -> bytes:
    """Return the first line of the response to bytes on a connection."""
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
def test_malformed_http_gets_an_error_status(tiny: Path) -> None:
    with serving(tiny) as address:
        host = address.removeprefix("http://").encode()
        post = b"POST /api/relate HTTP/1.1\r\nHost: " + host + b"\r\n"
        # Of 100 MB, only as much is read as the size limit allows.
        huge = post + b"Content-Length: 100000000\r\n\r\n"
        assert b" 413 " in sent(address, huge, b"x" * (MAX_BODY_BYTES + 100_000))
        assert b" 400 " in sent(address, b"nonsense\r\n\r\n")
        endless = b"GET /" + b"x" * 900_000 + b" HTTP/1.1\r\nHost: " + host + b"\r\n\r\n"
        assert b" 400 " in sent(address, endless)
        # A client that disconnects within a request has no effect on others.
        name, _, port = host.decode().partition(":")
        with socket.create_connection((name, int(port)), timeout=30) as connection:
            connection.sendall(post + b"Content-Length: 10\r\n\r\n{")
        assert httpx.get(f"{address}/api/stats", timeout=60).status_code == 200


HOSTILE_TEXTS = [
    "(" * 2_000, "[" * 3_000, "{" * 2_000, "<" * 2_000, '"' * 999, "a" * 9_000, "()=>" * 700,
    "T[]" * 1_500, "x|" * 2_000, "-" * 2_000, "kind:" * 200, "name:" + "*" * 300, "name:*a*b*c*",
    "\x00\x01\x1b[31m", "\u202eevil\u202c", "\ud7ff\uffff\U0010ffff", "%00%ff", "../../etc/passwd",
    "'; DROP TABLE entries; --", "limit:999999999", "arity:999999999..1", "like:nothing",
    "has:id:{a:{b:{c:{}}}}", "(a: A<B<C<D<E<F<G>>>>>>) => H", "sort:name " * 60,
]  # fmt: skip
HOSTILE_HEADS = [
    b"GET /api/search?q=%s HTTP/1.1" % (b"%f0%28%8c" * 20), b"GET /api/search?q HTTP/1.1",
    b"GET /api/search?q=a&q=b HTTP/1.1", b"GET /api/search?limit=9e9&q=a HTTP/1.1",
    b"GET //api/search?q=a HTTP/1.1", b"GET /api/../api/search?q=a HTTP/1.1",
    b"GET /api/entry/ HTTP/1.1", b"GET /api/entry/%00 HTTP/1.1", b"GET /api/pages/../0 HTTP/1.1",
    b"OPTIONS * HTTP/1.1", b"TRACE / HTTP/1.1", b"PATCH /api/relate HTTP/1.1", b"GET / HTTP/9.9",
    b"PRI * HTTP/2.0", b"GET /scripts/%2e%2e/index.html HTTP/1.1", b"GET /scripts/ HTTP/1.1",
    b"GET /docs/..%5c..%5chttp HTTP/1.1", b"CONNECT localhost:1 HTTP/1.1", b"get /api/stats HTTP/1",
    b"GET /api/stats?x[]=1 HTTP/1.1", b"GET /api/references/a?depth=-1 HTTP/1.1",
    b"GET /api/facets?q=%ff%fe HTTP/1.1", b"POST /api/match?name=.. HTTP/1.1",
    b"POST /api/match?name=x.ts%00 HTTP/1.1", b"POST /api/relate HTTP/1.1",
]  # fmt: skip


def hostile_requests() -> Iterator[bytes]:
    end = b"\r\nHost: localhost\r\nConnection: close\r\n"
    for text in HOSTILE_TEXTS:
        encoded = quote(text.encode(), safe="").encode()
        for path in (
            b"search?facets=true&q=",
            b"facets?q=",
            b"complete?q=",
            b"entry/",
            b"references/",
        ):
            yield b"GET /api/%s%s HTTP/1.1%s\r\n" % (path, encoded, end)
        for path, body in (
            (b"relate", json.dumps({"source": text, "target": text}).encode()),
            (b"match?name=x.ts", f"interface A {{ f(a: {text}): void }}".encode()),
        ):
            length = b"Content-Length: %d\r\nContent-Type: application/json\r\n\r\n" % len(body)
            yield b"POST /api/%s HTTP/1.1%s%s%s" % (path, end, length, body)
    for head in HOSTILE_HEADS:
        yield head + end + b"\r\n"


@pytest.mark.slow
def test_two_hundred_hostile_requests_get_small_answers_without_a_server_error(
    tiny: Path,
) -> None:
    requests = list(hostile_requests())
    assert len(requests) == 200
    wrong = []
    with serving(tiny) as address:
        host, _, port = address.removeprefix("http://").partition(":")
        for request in requests:
            with socket.create_connection((host, int(port)), timeout=100) as connection:
                connection.sendall(request)
                size, start = 0, b""
                with contextlib.suppress(ConnectionResetError):
                    while chunk := connection.recv(65_536):
                        start += chunk[: 40 - len(start)]
                        size += len(chunk)
            status = int([*start.split(), b"0", b"0"][1])
            if not 200 <= status < 500 or size > 2_000_000:
                wrong.append((status, size, request[:90]))
    assert wrong == []


def test_the_serve_command_answers_and_ends_on_ctrl_c(tiny: Path) -> None:
    command = [sys.executable, "-m", "typematch", "serve", "--port", "0", "--db", str(tiny)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            line = server.stdout.readline()
            [address] = re.findall(r"http://[\d.]+:\d+", line)
            wait_for(address)
            answer = httpx.get(f"{address}/api/search", params={"q": "chunk"}, timeout=60)
            assert answer.json()["hits"][0]["entry"]["id"] == "toolbox#chunk"
            port = address.rpartition(":")[2]
            assert main(["serve", "--port", port, "--db", str(tiny)]) == 3  # the port is in use
        finally:
            interrupt(server)
    assert server.returncode == 0
