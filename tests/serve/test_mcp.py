"""Agents: every tool over both transports, answers within their tokens, clients that err."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp import Client, MCPError, StdioServerParameters
from mcp_types import CallToolResult, TextContent

from conftest import FIXTURES
from measuring import typematch
from serve.servers import interrupt
from typematch.catalog import Catalog
from typematch.query.model import FACETS
from typematch.search.present.token_count import count_tokens
from typematch.search.present.wire_format import Document, search_document
from typematch.serve.cli.main import main
from typematch.serve.http.worker_pool import OverloadedError, TooSlowError, WorkerPool
from typematch.serve.mcp.answers import (
    match_answer,
    packages_answer,
    read_answer,
    search_answer,
)
from typematch.serve.mcp.budget import text_of, wire
from typematch.serve.mcp.models import FEWEST_TOKENS
from typematch.serve.mcp.server import create_server, entry_uri
from typematch.serve.mcp.tools import TOOLS

NEEDED = "export interface Chunks { chunk<T>(items: T[], size: number): T[][] }"
CALLS: dict[str, dict[str, Any]] = {
    "search": {"query": "(items: T[], size: number) => T[][]", "limit": 2},
    "read": {"id": "toolbox#chunk"},
    "relate": {"source": "1", "target": "number"},
    "match": {"document": NEEDED},
    "packages": {},
}


def text(result: CallToolResult) -> str:
    [content] = result.content
    assert isinstance(content, TextContent)
    return content.text


async def patiently(client: Client, name: str, arguments: dict[str, Any]) -> CallToolResult:
    """Call a tool; a server that is still getting ready is asked again, as it asks for."""
    for _ in range(20):
        result = await client.call_tool(name, arguments)
        if not (result.is_error and "getting ready" in text(result)):
            return result
    raise AssertionError("the server does not get ready")


async def every_tool(client: Client) -> dict[str, Document]:
    """List the tools and call each, as an agent would; return what they answer."""
    listed = {tool.name: tool for tool in (await client.list_tools()).tools}
    assert list(listed) == list(CALLS)
    answers = {}
    for name, arguments in CALLS.items():
        result = await patiently(client, name, arguments)
        assert not result.is_error, text(result)
        # What a model reads is what a program reads; the client has held it against the schema.
        assert json.loads(text(result)) == result.structured_content
        answers[name] = result.structured_content
    [template] = (await client.list_resource_templates()).resource_templates
    assert template.uri_template == "typematch://entry/{id}"
    [listed_resource] = (await client.list_resources()).resources
    packages = await client.read_resource(listed_resource.uri)
    assert json.loads(packages.contents[0].text) == answers["packages"]  # type: ignore[union-attr]
    entry = await client.read_resource(entry_uri("toolbox#chunk"))
    assert json.loads(entry.contents[0].text) == answers["read"]  # type: ignore[union-attr]
    return answers


def check(answers: dict[str, Document]) -> None:
    [best, *_] = answers["search"]["hits"]
    assert best["id"] == "toolbox#chunk"
    assert best["import"] == 'import { chunk } from "toolbox"'
    assert "chunk" in answers["read"]["declaration"]
    assert answers["relate"]["verdict"] == "assignable"
    [needed] = answers["match"]["needed"]
    assert needed["found"][0]["id"] == "toolbox"
    assert "toolbox" in [one["name"] for one in answers["packages"]["packages"]]
    assert all(answer["truncated"] is False for answer in answers.values())


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_an_agent_calls_every_tool_over_stdio(mode: str, tiny: Path) -> None:
    command, *words = typematch("mcp", "--db", str(tiny), "--workers", "1")

    async def run() -> dict[str, Document]:
        server = StdioServerParameters(command=command, args=words)
        async with Client(server, mode=mode) as client:
            return await every_tool(client)

    check(asyncio.run(run()))


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_an_agent_calls_every_tool_over_http(mode: str, tiny: Path) -> None:
    async def run(address: str) -> dict[str, Document]:
        async with Client(address, mode=mode) as client:
            return await every_tool(client)

    with listening(tiny) as address:
        check(asyncio.run(run(address)))


@pytest.mark.slow
def test_an_index_is_made_and_kept_true_beside_the_tools(tmp_path: Path) -> None:
    code = tmp_path / "code"
    code.mkdir()
    (code / "package.json").write_text('{"name": "code"}')
    (code / "a.ts").write_text("export declare function first(a: string): Date;")
    database = str(tmp_path / "not-there-yet.db")
    command, *words = typematch("mcp", "--watch", str(code), "--db", database, "--workers", "1")

    async def found(client: Client, id_: str) -> None:
        async with asyncio.timeout(60):
            while True:
                result = await patiently(client, "search", {"query": "(a: string) => Date"})
                if not result.is_error and id_ in text(result):
                    return
                await asyncio.sleep(0.2)

    async def run() -> None:
        server = StdioServerParameters(command=command, args=words)
        async with Client(server) as client:
            await found(client, "code#first")
            (code / "b.ts").write_text("export declare function second(a: string): Date;")
            await found(client, "code#second")

    asyncio.run(run())


def test_a_port_in_use_and_a_missing_package_are_told(
    tiny: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        assert main(["mcp", "--http", "--port", port, "--db", str(tiny)]) == 3
    assert f"127.0.0.1:{port}: cannot listen there" in capsys.readouterr().err
    monkeypatch.setitem(sys.modules, "typematch.serve.mcp.server", None)
    assert main(["mcp", "--db", str(tiny)]) == 3
    assert "pip install 'typematch[mcp]'" in capsys.readouterr().err


@contextmanager
def listening(database: Path) -> Iterator[str]:
    """Run ``typematch mcp --http`` and lend its address."""
    command = typematch("mcp", "--http", "--port", "0", "--workers", "1", "--db", str(database))
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            [address] = re.findall(r"http://[\d.]+:\d+/mcp", server.stdout.readline())
            yield address
        finally:
            interrupt(server)
    assert server.returncode == 0


# In this process ---------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def workers(tiny: Path) -> Iterator[WorkerPool]:
    made = WorkerPool(tiny, number=1, seconds=60.0, waiting=10, patience=60.0)
    yield made
    made.close()


def talk(
    workers: WorkerPool, how: Callable[[Client], Awaitable[Any]], *, seconds: float = 120.0
) -> Any:
    """Let a client talk with a server over ``workers`` in this process."""

    async def run() -> Any:
        async with Client(create_server(workers, seconds=seconds)) as client:
            return await how(client)

    return asyncio.run(run())


def call(workers: WorkerPool, name: str, **arguments: Any) -> CallToolResult:
    result: CallToolResult = talk(workers, lambda client: client.call_tool(name, arguments))
    return result


ASKED = """
(items: T[], size: number) => T[][]
(string) => number
(f: (...) => _) => _
(T[], (T) => boolean) => T[]
(a) =>
sort :: (_) => _
:: { id: string }
split a list
read a file as text
wait
user
list, then sort, then chunk
日本語のテキスト
kind:method
kind:class
kind:interface
pkg:toolbox
name:*a*
returns:Promise<_>
mentions:Array
is:async
arity:2
-pkg:lib kind:function
nothing like this pkg:nowhere
"""
QUERIES = [*ASKED.strip().splitlines(), "x" * 3_000]


def test_fifty_searches_stay_within_their_tokens(workers: WorkerPool) -> None:
    async def run(client: Client) -> list[tuple[int, CallToolResult]]:
        return [
            (most, await client.call_tool("search", {"query": query, "max_tokens": most, **many}))
            for query in QUERIES
            for most, many in ((FEWEST_TOKENS, {"limit": 50}), (2_000, {}))
        ]

    answered = talk(workers, run)
    assert len(answered) == 50
    over = [
        (most, count_tokens(text(result)))
        for most, result in answered
        if count_tokens(text(result)) > most
    ]
    assert over == []
    truncated = [json.loads(text(result))["truncated"] for _, result in answered]
    assert any(truncated)
    assert not all(truncated)


def test_what_is_left_out_is_told(workers: WorkerPool) -> None:
    short = json.loads(text(call(workers, "search", query="pkg:lib", limit=50, max_tokens=400)))
    assert short["truncated"] is True
    assert 0 < len(short["hits"]) < 50 < short["total"]
    whole = json.loads(text(call(workers, "search", query="name:chunk", max_tokens=20_000)))
    assert whole["truncated"] is False
    assert len(whole["hits"]) == whole["total"]
    read = json.loads(text(call(workers, "read", id="lib#Date~2", max_tokens=300)))
    assert read["truncated"] is True
    assert read["declaration"].endswith("…")


LONG = st.text(st.sampled_from('ab"\\\n日 {}é0;'), max_size=400)
NAMES = st.lists(LONG, max_size=6)
MOST = st.integers(FEWEST_TOKENS, 2_000)


@given(long=LONG, names=NAMES, other=LONG, most=MOST)
def test_no_answer_is_longer_than_was_asked_for(
    long: str, names: list[str], other: str, most: int, found: Document, entry: Document
) -> None:
    hits = [
        {**hit, "entry": {**hit["entry"], "id": name, "path": other}, "clause": long}
        for hit in found["hits"]
        for name in names
    ]
    search = {**found, "read_as": long, "notices": names, "relaxed": [long], "hits": hits}
    read = {
        **entry,
        "entry": {**entry["entry"], "id": long, "path": other, "doc": other, "version": long},
        "declaration": other * 3,
        "told": {"summary": long, "questions": names, "interface": other},
        "references": {
            "left_out": 3,
            "missing": [{"name": name, "by": "x"} for name in names],
            "found": [{"id": n, "path": n, "line": 1, "text": long} for n in names],
        },
    }
    implementations = [
        {
            "id": name,
            "kind": "class",
            "path": other,
            "line": 7,
            "share": 0.5,
            "cost": 2.5,
            "covered": [{"method": long, "member": name, "edits": []}] * 5,
            "missing": [{"method": other, "reason": ""}] * 5,
        }
        for name in names
    ]
    needed = [
        {"name": name, "methods": names, "nearest": 0.123, "found": implementations}
        for name in names
    ]
    packages = [{"name": name, "version": other, "entries": 7} for name in names]
    for answer in (
        search_answer(search, most),
        read_answer(read, most),
        match_answer({"needed": needed}, most),
        packages_answer({"packages": packages, "kinds": {"function": 3}}, "", most),
    ):
        assert count_tokens(text_of(wire(answer))) <= most


@pytest.fixture(scope="module")
def found(tiny: Path) -> Document:
    with Catalog(tiny, create=False) as catalog:
        return search_document(catalog.search("(items: T[], size: number) => T[][]", limit=2))


@pytest.fixture(scope="module")
def entry(tiny: Path) -> Document:
    from typematch.index.text.text_views import NOTHING_TOLD
    from typematch.search.present.wire_format import show_document

    with Catalog(tiny, create=False) as catalog:
        return show_document(catalog.get("toolbox#chunk"), "", NOTHING_TOLD)


def test_what_a_model_said_is_read_too(entry: Document) -> None:
    followed = {"left_out": 0, "missing": [], "found": []}
    told = {"summary": "Makes batches.", "questions": [], "interface": ""}
    assert read_answer({**entry, "told": told, "references": followed}, 2_000).solves == (
        "Makes batches."
    )
    assert read_answer({**entry, "references": followed}, 2_000).solves == ""


def test_operations_say_how_they_are_called(tmp_path: Path) -> None:
    with Catalog(tmp_path / "t.db") as catalog:
        catalog.add(FIXTURES / "petshop", model=None)
    workers = WorkerPool(tmp_path / "t.db", number=1, seconds=60.0, waiting=1)
    try:
        read = json.loads(text(call(workers, "read", id="adopt")))
    finally:
        workers.close()
    assert read["http"] == "PUT /animals/{animalId}/adoption"
    assert read["arguments"][0] == "animalId in path"
    assert read["responses"][0].startswith("200 Papers")


@pytest.mark.parametrize(
    ("name", "arguments", "said"),
    [
        pytest.param("search", {}, "query: Field required", id="nothing asked"),
        pytest.param("search", {"query": "x", "limt": 3}, "limt: Extra inputs", id="unknown"),
        pytest.param("search", {"query": "x", "limit": 1_000_000}, "limit: ", id="a huge limit"),
        pytest.param("search", {"query": "x", "max_tokens": 1}, "max_tokens: ", id="no room"),
        pytest.param("search", {"query": ["x"]}, "query: ", id="no text"),
        pytest.param("search", {"query": "x" * 30_000}, "query: ", id="a long query"),
        pytest.param("search", {"query": "(a"}, "  (a\n    ^", id="a query that cannot be read"),
        pytest.param("read", {"id": "elsewhere#x"}, "no entry 'elsewhere#x'", id="another file's"),
        pytest.param("read", {"id": "../../etc/passwd"}, "no entry", id="a path"),
        pytest.param("read", {"id": "push"}, "toolbox#Queue#push", id="an id that means several"),
        pytest.param("relate", {"source": "{", "target": "1"}, "type", id="no type"),
        pytest.param("match", {"document": "type X = 1"}, "nothing in this file", id="no method"),
        pytest.param("match", {"document": "\x00]"}, "", id="no document"),
        pytest.param(
            "match", {"document": "[", "language": "openapi"}, "", id="no OpenAPI document"
        ),
    ],
)
def test_what_is_asked_wrongly_is_told_where_a_model_reads_it(
    workers: WorkerPool, name: str, arguments: dict[str, Any], said: str
) -> None:
    result = call(workers, name, **arguments)
    assert result.is_error
    assert said in text(result)
    assert len(text(result)) < 1_000


def test_an_unknown_tool_and_an_unknown_resource_are_errors_of_the_protocol(
    workers: WorkerPool,
) -> None:
    async def ask(client: Client) -> None:
        with pytest.raises(MCPError, match="no tool 'serach'; there are: search, read"):
            await client.call_tool("serach", {"query": "x"})
        for uri in ("typematch://entry/", "file:///etc/passwd", entry_uri("elsewhere#x")):
            with pytest.raises(MCPError, match="there is no"):
                await client.read_resource(uri)

    talk(workers, ask)


def test_no_call_takes_longer_than_its_seconds(tiny: Path) -> None:
    # A process has not even begun to be ready by then.
    workers = WorkerPool(tiny, number=1, seconds=60.0, waiting=1, patience=60.0)
    try:

        async def ask(client: Client) -> tuple[CallToolResult, float]:
            begun = time.monotonic()
            return await client.call_tool("search", {"query": "x"}), time.monotonic() - begun

        result, taken = talk(workers, ask, seconds=0.5)
        assert result.is_error
        assert "was given up" in text(result)
        assert taken < 5.0
    finally:
        workers.close()


@pytest.mark.parametrize(
    ("error", "said"),
    [(OverloadedError(), "too much to do"), (TooSlowError(4.0), "was given up")],
)
def test_what_cannot_be_answered_now_is_told(error: Exception, said: str) -> None:
    class Refusing(WorkerPool):
        async def ask(self, *_: Any) -> Any:
            raise error

    result = call(object.__new__(Refusing), "search", query="x")
    assert result.is_error
    assert said in text(result)


def test_a_file_that_is_missing_or_replaced_under_the_server(tiny: Path, tmp_path: Path) -> None:
    database = tmp_path / "t.db"
    workers = WorkerPool(database, number=1, seconds=60.0, waiting=1, patience=60.0)
    try:
        missing = call(workers, "search", query="chunk")
        assert missing.is_error
        assert "there is no database here" in text(missing)
        assert "typematch index" in text(missing)
        shutil.copy(tiny, tmp_path / "next.db")
        (tmp_path / "next.db").rename(database)
        assert "toolbox#chunk" in text(call(workers, "search", query="chunk"))
    finally:
        workers.close()


def test_descriptions_teach_the_query_in_few_words() -> None:
    for tool in TOOLS.values():
        assert count_tokens(tool.about) < 500
        assert "max_tokens" in tool.about
    assert [key for key in FACETS if f" {key}" not in TOOLS["search"].about] == []


# Nonsense ----------------------------------------------------------------------------------------

NONSENSE = (
    b"\n",
    b"hello\n",
    b"\xff\xfe\x00\n",
    b"[]\n",
    b"null\n",
    b'{"jsonrpc":"1.0"}\n',
    b'{"jsonrpc":"2.0","method":5,"id":{}}\n',
    b'{"jsonrpc":"2.0","id":7,"result":{}}\n',
    b'{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":{}}}\n',
    b'{"jsonrpc":"2.0","id":9,"method":"no/such","params":{}}\n',
    b'{"jsonrpc":"2.0","id":10,"method":"tools/call","params":{"name":"search"}}\n',
    b"{" * 10_000 + b"\n",
)
HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "t", "version": "0"},
    },
}


def test_a_client_that_writes_nonsense_is_outlived(tiny: Path) -> None:
    command = typematch("mcp", "--db", str(tiny), "--workers", "1")
    lines = [*NONSENSE, json.dumps(HELLO).encode() + b"\n", *NONSENSE]
    ask = {"jsonrpc": "2.0", "id": "last", "method": "tools/list", "params": {}}
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.writelines([*lines, json.dumps(ask).encode() + b"\n"])
        server.stdin.flush()
        answers: list[dict[str, Any]] = []
        while not any(answer.get("id") == "last" for answer in answers):
            # Every line is a message of the protocol, whatever came in.
            answers.append(json.loads(server.stdout.readline()))
        server.stdin.close()
        assert server.wait(timeout=30) == 0
    [last] = [answer for answer in answers if answer.get("id") == "last"]
    assert [tool["name"] for tool in last["result"]["tools"]] == list(TOOLS)
    assert [one for one in answers if one.get("id") == 9][-1]["error"]["code"] == -32601


def test_nonsense_over_http_is_refused_and_the_next_is_answered(tiny: Path) -> None:
    headers = {
        "Accept": "application/json, text/event-stream",
        "Content-Type": "application/json",
    }
    with listening(tiny) as address, httpx.Client(timeout=60) as client:
        for line in NONSENSE:
            assert client.post(address, content=line, headers=headers).status_code < 500
        for wrong, status in (
            ({"Host": "evil.example"}, 421),
            ({"Origin": "http://evil.example"}, 403),
            ({"Content-Type": "text/plain"}, 400),
        ):
            answer = client.post(address, json=HELLO, headers={**headers, **wrong})
            assert answer.status_code == status
        large = client.post(address, content=b"x" * 3_000_000, headers=headers)
        assert large.status_code == 413
        assert client.get(address.removesuffix("mcp") + "etc/passwd").status_code == 404
        hello = client.post(address, json=HELLO, headers=headers)
        assert hello.json()["result"]["serverInfo"]["name"] == "typematch"


def test_a_token_is_asked_for_over_http(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TYPEMATCH_TOKEN", "secret")
    headers = {"Accept": "application/json, text/event-stream"}
    with listening(tiny) as address:
        assert httpx.post(address, json=HELLO, headers=headers).status_code == 401
        allowed = {**headers, "Authorization": "Bearer secret"}
        assert httpx.post(address, json=HELLO, headers=allowed).status_code == 200
