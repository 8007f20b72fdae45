"""The MCP server: every tool over both transports, token budgets, invalid messages."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

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
from typematch.search.present.wire_format import Document, search_document
from typematch.search.results import SearchResult
from typematch.serve.cli.main import main
from typematch.serve.mcp.answers import (
    compose_answer,
    match_answer,
    packages_answer,
    producers_answer,
    read_answer,
    search_answer,
)
from typematch.serve.mcp.budget import answer_document, to_json
from typematch.serve.mcp.models import MIN_TOKENS, SearchArguments
from typematch.serve.mcp.server import create_server
from typematch.serve.mcp.tools import TOOLS
from typematch.serve.workers.agent_handlers import (
    agent_search,
    producers_and_consumers,
    read_entries,
)
from typematch.serve.workers.worker_pool import (
    OverloadedError,
    RequestTimeoutError,
    StartingError,
    WorkerPool,
)
from typematch.token_count import count_tokens

INTERFACE = "export interface Chunks { chunk<T>(items: T[], size: number): T[][] }"
CALLS: dict[str, dict[str, Any]] = {
    "search": {"query": "(items: T[], size: number) => T[][]", "limit": 2},
    "read": {"ids": ["toolbox#chunk"]},
    "producers_and_consumers": {"type": "User"},
    "relate": {"source": "1", "target": "number"},
    "compose": {"query": "(items: string[], size: number) => Queue<string[]>  pkg:toolbox"},
    "match": {"document": INTERFACE},
    "packages": {},
}


def entry_uri(id_: str) -> str:
    return f"typematch://entry/{quote(id_, safe='')}"


def text(result: CallToolResult) -> str:
    [content] = result.content
    assert isinstance(content, TextContent)
    return content.text


async def every_tool(client: Client) -> dict[str, Document]:
    """List the tools and call each of them; return the answers."""
    listed = {tool.name: tool for tool in (await client.list_tools()).tools}
    assert list(listed) == list(CALLS)
    answers = {}
    for name, arguments in CALLS.items():
        result = await client.call_tool(name, arguments)  # from the first moment on
        assert not result.is_error, text(result)
        # The text equals the structured content, which the client has validated.
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


def check_answers(answers: dict[str, Document]) -> None:
    [best, *_] = answers["search"]["hits"]
    assert best["id"] == "toolbox#chunk"
    assert best["import"] == 'import { chunk } from "toolbox"'
    [entry] = answers["read"]["entries"]
    assert "chunk" in entry["declaration"]
    assert answers["relate"]["verdict"] == "assignable"
    pipeline = answers["compose"]["pipelines"][0]
    assert pipeline["steps"] == [
        "toolbox#chunk(items, size)",
        "toolbox#Queue#constructor(step 1)",
    ]
    assert "return new Queue(result);" in pipeline["code"]
    [interface] = answers["match"]["interfaces"]
    assert interface["implementations"][0]["id"] == "toolbox"
    assert "toolbox" in [package["name"] for package in answers["packages"]["packages"]]
    assert all(answer["truncated"] is False for answer in answers.values())


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_every_tool_answers_over_stdio(mode: str, tiny: Path) -> None:
    command, *words = typematch("mcp", "--db", str(tiny), "--workers", "1")

    async def run() -> dict[str, Document]:
        server = StdioServerParameters(command=command, args=words)
        async with Client(server, mode=mode) as client:
            return await every_tool(client)

    check_answers(asyncio.run(run()))


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_every_tool_answers_over_http(mode: str, tiny: Path) -> None:
    async def run(address: str) -> dict[str, Document]:
        async with Client(address, mode=mode) as client:
            return await every_tool(client)

    with listening(tiny) as address:
        check_answers(asyncio.run(run(address)))


@pytest.mark.slow
def test_watch_creates_and_updates_the_index_while_tools_answer(tmp_path: Path) -> None:
    code = tmp_path / "code"
    code.mkdir()
    (code / "package.json").write_text('{"name": "code"}')
    (code / "a.ts").write_text("export declare function first(a: string): Date;")
    database = str(tmp_path / "not-there-yet.db")
    command, *words = typematch("mcp", "--watch", str(code), "--db", database, "--workers", "1")

    async def wait_for_hit(client: Client, id_: str) -> None:
        async with asyncio.timeout(60):
            while True:
                result = await client.call_tool("search", {"query": "(a: string) => Date"})
                if not result.is_error and id_ in text(result):
                    return
                await asyncio.sleep(0.2)

    async def run() -> None:
        server = StdioServerParameters(command=command, args=words)
        async with Client(server) as client:
            await wait_for_hit(client, "code#first")
            (code / "b.ts").write_text("export declare function second(a: string): Date;")
            await wait_for_hit(client, "code#second")

    asyncio.run(run())


def test_a_port_in_use_and_a_missing_package_are_reported(
    tiny: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = str(listener.getsockname()[1])
        assert main(["mcp", "--http", "--port", port, "--db", str(tiny)]) == 3
    assert f"127.0.0.1:{port}: cannot listen on this address" in capsys.readouterr().err
    monkeypatch.setitem(sys.modules, "typematch.serve.mcp.server", None)
    assert main(["mcp", "--db", str(tiny)]) == 3
    assert "pip install 'typematch[mcp]'" in capsys.readouterr().err


@contextmanager
def listening(database: Path) -> Iterator[str]:
    """Run ``typematch mcp --http``; the value is its address."""
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
    pool = WorkerPool(
        tiny, workers=1, timeout_seconds=60.0, max_queued=10, queue_timeout_seconds=60.0
    )
    yield pool
    pool.close()


def with_client(
    workers: WorkerPool,
    use: Callable[[Client], Awaitable[Any]],
    *,
    timeout_seconds: float = 120.0,
) -> Any:
    """Call ``use`` with the client of a server over ``workers`` in this process."""

    async def run() -> Any:
        async with Client(create_server(workers, timeout_seconds=timeout_seconds)) as client:
            return await use(client)

    return asyncio.run(run())


def call(workers: WorkerPool, name: str, **arguments: Any) -> CallToolResult:
    result: CallToolResult = with_client(workers, lambda client: client.call_tool(name, arguments))
    return result


QUERY_LINES = """
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
QUERIES = [*QUERY_LINES.strip().splitlines(), "x" * 3_000]


def test_fifty_searches_keep_to_their_token_budget(workers: WorkerPool) -> None:
    async def run(client: Client) -> list[tuple[int, CallToolResult]]:
        return [
            (
                max_tokens,
                await client.call_tool(
                    "search", {"query": query, "max_tokens": max_tokens, **options}
                ),
            )
            for query in QUERIES
            for max_tokens, options in ((MIN_TOKENS, {"limit": 50}), (2_000, {}))
        ]

    answers = with_client(workers, run)
    assert len(answers) == 50
    over = [
        (max_tokens, count_tokens(text(result)))
        for max_tokens, result in answers
        if count_tokens(text(result)) > max_tokens
    ]
    assert over == []
    truncated = [json.loads(text(result))["truncated"] for _, result in answers]
    assert any(truncated)
    assert not all(truncated)


@pytest.mark.parametrize("max_tokens", [MIN_TOKENS, 400, 2_000])
@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("compose", {**CALLS["compose"], "limit": 10}),
        ("compose", {"query": "(s: string) => Set<string>", "limit": 10}),
        ("read", {"ids": ["toolbox#chunk"], "query": "(size: number, items: T[]) => T[][]"}),
    ],
)
def test_code_keeps_to_its_token_budget(
    workers: WorkerPool, tool: str, arguments: dict[str, Any], max_tokens: int
) -> None:
    answer = text(call(workers, tool, **arguments, max_tokens=max_tokens))
    assert count_tokens(answer) <= max_tokens
    whole = text(call(workers, tool, **arguments, max_tokens=20_000))
    assert json.loads(answer)["truncated"] == (count_tokens(whole) > max_tokens)


def test_shortened_answers_are_marked_as_truncated(workers: WorkerPool) -> None:
    short = json.loads(text(call(workers, "search", query="pkg:lib", limit=50, max_tokens=400)))
    assert short["truncated"] is True
    assert 0 < len(short["hits"]) < 50 < short["total"]
    whole = json.loads(text(call(workers, "search", query="name:chunk", max_tokens=20_000)))
    assert whole["truncated"] is False
    assert len(whole["hits"]) == whole["total"]
    read = json.loads(text(call(workers, "read", ids=["lib#Date~2"], max_tokens=300)))
    assert read["truncated"] is True
    assert read["entries"][0]["declaration"].endswith("…")


@pytest.mark.parametrize("max_tokens", [300, 500, 2_000])
def test_text_about_a_query_takes_at_most_half_of_the_budget(
    search_result: Document, max_tokens: int
) -> None:
    texts = [
        f"Nothing here is called Unknown{number}: it stands for any type." for number in range(40)
    ]
    about = {"read_as": "(x: Unknown) => _ " * 90, "relaxed": texts, "notices": texts}
    answer = answer_document(search_answer({**search_result, **about}, max_tokens))
    taken = {key: answer.get(key, "") for key in about}
    assert count_tokens(to_json(taken)) <= max_tokens // 2
    assert answer["notices"][0] == texts[0]
    assert answer["hits"]
    assert answer["truncated"]


LONG = st.text(st.sampled_from('ab"\\\n日 {}é0;'), max_size=400)
NAMES = st.lists(LONG, max_size=6)
BUDGETS = st.integers(MIN_TOKENS, 2_000)


@given(long=LONG, names=NAMES, other=LONG, max_tokens=BUDGETS)
def test_no_answer_exceeds_its_token_budget(
    long: str,
    names: list[str],
    other: str,
    max_tokens: int,
    search_result: Document,
    entry: Document,
) -> None:
    hits = [
        {**hit, "entry": {**hit["entry"], "id": name, "path": other}, "clause": long}
        for hit in search_result["hits"]
        for name in names
    ]
    search = {**search_result, "read_as": long, "notices": names, "relaxed": [long], "hits": hits}
    read = {
        **entry,
        "entry": {
            **entry["entry"],
            "id": long or "a",
            "path": other,
            "doc": other,
            "version": long,
        },
        "declaration": other * 3,
        "adapted": {"adapter": {"snippet": other}},
        "enrichment": {"summary": long, "questions": names, "interface": other},
        "references": {
            "omitted": 3,
            "missing": [{"name": name, "referenced_by": "x"} for name in names],
            "declarations": [{"id": n, "path": n, "line": 1, "text": long} for n in names],
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
    interfaces = [
        {
            "name": name,
            "methods": names,
            "best_share": 0.123,
            "implementations": implementations,
        }
        for name in names
    ]
    pipeline = {
        "cost": 60,
        "unchecked": True,
        "steps": [{"id": name, "arguments": names} for name in names],
        "adapter": {"snippet": other},
    }
    packages = [{"name": name, "version": other, "entries": 7} for name in names]
    for answer in (
        search_answer(search, max_tokens),
        read_answer(
            {"entries": [read] * 3, "errors": names, "receivers": {long: other}}, max_tokens
        ),
        producers_answer({"producers": search, "consumers": search}, max_tokens),
        compose_answer(
            {"pipelines": [pipeline] * 3, "exhausted": True, "notices": names}, max_tokens
        ),
        match_answer({"interfaces": interfaces}, max_tokens),
        packages_answer({"packages": packages, "kinds": {"function": 3}}, "", max_tokens),
    ):
        assert count_tokens(to_json(answer_document(answer))) <= max_tokens


@pytest.fixture(scope="module")
def search_result(tiny: Path) -> Document:
    with Catalog(tiny, create=False) as catalog:
        return search_document(catalog.search("(items: T[], size: number) => T[][]", limit=2))


@pytest.fixture(scope="module")
def entry(tiny: Path) -> Document:
    from typematch.index.text.text_fields import NO_ENRICHMENT
    from typematch.search.present.wire_format import show_document

    with Catalog(tiny, create=False) as catalog:
        return show_document(catalog.get("toolbox#chunk"), "", NO_ENRICHMENT, {}, {})


def test_read_includes_the_enrichment(entry: Document) -> None:
    document = {**entry, "references": {"omitted": 0, "missing": [], "declarations": []}}
    enrichment = {"summary": "Makes batches.", "questions": [], "interface": ""}
    both = [{**document, "enrichment": enrichment}, document]
    answer = read_answer({"entries": both, "errors": [], "receivers": {}}, 2_000)
    assert [entry.solves for entry in answer.entries] == ["Makes batches.", ""]


def test_hits_say_how_to_use_them(tmp_path: Path) -> None:
    (tmp_path / "package.json").write_text('{"name": "shop", "types": "index.d.ts"}')
    (tmp_path / "index.d.ts").write_text(
        """
        export interface Cart { add(item: string): number }
        export declare function openCart(owner: string, size?: number): Promise<Cart>;
        export declare class Till { constructor(id: number); ring(total: number): string }
        /** @deprecated Use {@link openCart}. */
        export declare function cart(): Cart;
        export declare function tally(name: string): bigint;
        /** @deprecated Use a name. */
        export declare function tally(id: bigint): bigint;
        export declare function pay(cart: Cart): void;
        """
    )
    with Catalog(tmp_path / "t.db") as catalog:
        catalog.add(tmp_path / "index.d.ts", tmp_path, model=None)
    workers = WorkerPool(
        tmp_path / "t.db", workers=1, timeout_seconds=60.0, max_queued=1, queue_timeout_seconds=60.0
    )

    def hits(**arguments: Any) -> dict[str, Document]:
        answer = json.loads(text(call(workers, "search", max_tokens=20_000, **arguments)))
        return {hit["id"]: hit for hit in answer["hits"]}

    try:
        members = hits(query="name:add,ring,cart,tally", package="shop")
        by_number = hits(query="(id: bigint) => bigint", package="shop")
        listing = {"query": "sort:name", "package": "shop", "limit": 3}
        paged = [list(hits(**listing, page=page)) for page in (1, 2, 3)]
        limited = [list(hits(query="sort:name limit:2", package="shop", page=p)) for p in (1, 2)]
        facets = hits(facets={"kind": "method", "-name": "ring"}, package="shop")
        fitting = hits(query="(total: number) => string", package="shop")
        supplied = hits(query="() => string", package="shop")
        read = json.loads(
            text(call(workers, "read", ids=["shop#pay", "nothing", "Cart#add", "cart", "tally"]))
        )
        flow = json.loads(text(call(workers, "producers_and_consumers", type="Cart")))
        unknown = json.loads(text(call(workers, "producers_and_consumers", type="unknown")))
    finally:
        workers.close()
    assert members["shop#Cart#add"]["receiver"] == "Cart: await openCart(owner)"
    assert members["shop#Till#ring"]["receiver"] == "Till: new Till(id)"
    assert members["shop#cart"]["deprecated"] == "Use `openCart`."
    assert members["shop#tally"].get("deprecated", "") == ""
    assert by_number["shop#tally"]["deprecated"] == "Use a name."
    assert {hit["kind"] for hit in members.values()} == {"function", "interface", "method"}
    listed = [name for page in paged for name in page]
    assert len(listed) == len(set(listed)) > 6
    assert [name for page in limited for name in page] == listed[:4]
    assert list(facets) == ["shop#Cart#add"]
    assert "weak" not in fitting["shop#Till#ring"]
    assert fitting["shop#Till#ring"]["score"] > 0
    assert supplied["shop#Till#ring"]["weak"] is True
    assert [entry["id"] for entry in read["entries"]] == [
        "shop#pay", "shop#Cart#add", "shop#cart", "shop#tally",
    ]  # fmt: skip
    assert read["entries"][2]["see"] == ["shop#openCart"]
    assert read["entries"][3]["deprecated"] == "overload 2: Use a name."
    assert read["entries"][1]["receiver"] == "Cart: await openCart(owner)"
    assert read["errors"] == ["there is no entry 'nothing'"]
    assert {hit["id"] for hit in flow["producers"]} == {"shop#cart", "shop#openCart"}
    assert [hit["id"] for hit in flow["consumers"]] == ["shop#pay"]
    assert unknown["producers"]
    assert unknown["consumers"]


def test_the_receiver_of_a_default_export_has_the_name_of_its_import(tmp_path: Path) -> None:
    package = {"name": "p-queue", "types": "index.d.ts"}
    (tmp_path / "package.json").write_text(json.dumps(package))
    (tmp_path / "index.d.ts").write_text(
        "export default class PQueue { constructor(limit: number); add(job: bigint): string }"
    )
    with Catalog(tmp_path / "t.db") as catalog:
        catalog.add(tmp_path, model=None)
        answer = agent_search(catalog, "name:add pkg:p-queue kind:method", limit=5, page=1)
    [hit] = answer["hits"]
    assert answer["receivers"] == {hit["entry"]["id"]: "PQueue: new PQueue(limit)"}


@pytest.mark.parametrize(
    ("facets", "query"),
    [
        ({"name": "a b"}, 'chunk  name:"a b"  pkg:"my app"'),
        ({"http": "GET /users"}, 'chunk  http:"GET /users"  pkg:"my app"'),
        ({"-kind": "method, class"}, 'chunk  -kind:method,class  pkg:"my app"'),
        ({"service": '"Orders,Billing"'}, 'chunk  service:"Orders,Billing"  pkg:"my app"'),
        ({"returns": "readonly A[]"}, 'chunk  returns:"readonly A[]"  pkg:"my app"'),
        ({"returns": "Map<A, B> | C"}, 'chunk  returns:Map<A, B> | C  pkg:"my app"'),
    ],
)
def test_facets_of_a_search_need_no_quotes(facets: dict[str, str], query: str) -> None:
    arguments = SearchArguments(query="chunk", facets=facets, package="my app")
    assert arguments.full_query() == query


@pytest.mark.parametrize(
    ("type_", "value"),
    [
        ("readonly string[]", '"readonly string[]"'),
        ("keyof Date", '"keyof Date"'),
        ('"a" | "b"', '""a" | "b""'),
        ("Date | string", "Date | string"),
    ],
)
def test_any_type_has_producers_and_consumers(tiny: Path, type_: str, value: str) -> None:
    with Catalog(tiny, create=False) as catalog:
        documents = producers_and_consumers(catalog, type_, "lib", 3)
    for role, key in (("producers", "returns"), ("consumers", "param")):
        assert documents[role]["read_as"].startswith(f"{key}:{value}  pkg:lib")
        assert not documents[role]["notices"]


@pytest.mark.parametrize(
    ("name", "type_"),
    [
        ("Array<string>", "string[]"),
        ("ReadonlyArray<string>", "readonly string[]"),
        ("Array", "_[]"),
    ],
)
def test_arrays_by_name_have_producers_and_consumers(tiny: Path, name: str, type_: str) -> None:
    with Catalog(tiny, create=False) as catalog:
        by_name, by_type = (producers_and_consumers(catalog, text, "", 5) for text in (name, type_))
    for role in ("producers", "consumers"):
        ids = [hit["entry"]["id"] for hit in by_name[role]["hits"]]
        assert ids == [hit["entry"]["id"] for hit in by_type[role]["hits"]] != []


def test_the_searches_of_a_request_share_its_time(
    tiny: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    limits: list[float] = []
    search = Catalog.search

    def recorded(catalog: Catalog, query: str, *, seconds: Any, **options: Any) -> SearchResult:
        limits.append(seconds())
        return search(catalog, query, seconds=seconds, **options)

    monkeypatch.setattr(Catalog, "search", recorded)
    with Catalog(tiny, create=False) as catalog:
        producers_and_consumers(catalog, "string[]", "", 2, lambda: 1_000.0)
        producers_and_consumers(catalog, "Date", "", 2, lambda: 1_000.0)
        found = agent_search(catalog, "name:push", 2, 1, lambda: 1_000.0)
        [half, rest, *others] = limits
        ended = agent_search(catalog, "name:push", 2, 1, lambda: 0.0)
    assert half <= 500 < rest < 1_000
    assert all(limit <= 1_000 for limit in others)
    assert found["receivers"]
    assert not ended["receivers"]


def test_read_answers_the_code_for_a_query(tiny: Path) -> None:
    with Catalog(tiny, create=False) as catalog:
        query = "(size: number, items: T[]) => T[][]"
        document = read_entries(catalog, ["toolbox#chunk"], 0, 100, query)
        without = read_entries(catalog, ["toolbox#chunk"], 0, 100)
    code = read_answer(document, 2_000).entries[0].code
    assert code.endswith("(size, items) => chunk(items, size);\n")
    assert read_answer(without, 2_000).entries[0].code == ""


def test_read_describes_the_parameters_and_responses_of_an_operation(tmp_path: Path) -> None:
    with Catalog(tmp_path / "t.db") as catalog:
        catalog.add(FIXTURES / "petshop", model=None)
    workers = WorkerPool(
        tmp_path / "t.db", workers=1, timeout_seconds=60.0, max_queued=1, queue_timeout_seconds=60.0
    )
    try:
        [read] = json.loads(text(call(workers, "read", ids=["adopt"])))["entries"]
    finally:
        workers.close()
    assert read["http"] == "PUT /animals/{animalId}/adoption"
    assert read["arguments"][0] == "animalId in path"
    assert read["responses"][0].startswith("200 Papers")


@pytest.mark.parametrize(
    ("name", "arguments", "message"),
    [
        pytest.param("search", {}, "expected a signature, words or a facet", id="no query"),
        pytest.param(
            "search", {"query": "x", "facets": {"knd": "method"}}, "knd", id="an unknown facet"
        ),
        pytest.param(
            "search", {"query": "x", "limt": 3}, "limt: Extra inputs", id="unknown argument"
        ),
        pytest.param("search", {"query": "x", "limit": 1_000_000}, "limit: ", id="a huge limit"),
        pytest.param(
            "search", {"query": "x", "max_tokens": 1}, "max_tokens: ", id="too few tokens"
        ),
        pytest.param("search", {"query": ["x"]}, "query: ", id="not a string"),
        pytest.param("search", {"query": "x" * 30_000}, "query: ", id="a long query"),
        pytest.param("search", {"query": "(a"}, "  (a\n    ^", id="a query that cannot be read"),
        pytest.param("read", {"ids": ["elsewhere#x"]}, "no entry 'elsewhere#x'", id="unknown id"),
        pytest.param("read", {"ids": ["../../etc/passwd"]}, "no entry", id="a path"),
        pytest.param("read", {"ids": ["push"]}, "toolbox#Queue#push", id="an ambiguous id"),
        pytest.param("relate", {"source": "{", "target": "1"}, "type", id="invalid type"),
        pytest.param(
            "match",
            {"document": "type X = 1"},
            "document.ts: no interface in this file",
            id="no method",
        ),
        pytest.param("match", {"document": "\x00]"}, "", id="not TypeScript"),
        pytest.param("match", {"document": "[", "language": "openapi"}, "", id="not OpenAPI"),
    ],
)
def test_invalid_arguments_are_an_error_result_of_the_tool(
    workers: WorkerPool, name: str, arguments: dict[str, Any], message: str
) -> None:
    result = call(workers, name, **arguments)
    assert result.is_error
    assert message in text(result)
    assert len(text(result)) < 1_000


def test_an_unknown_tool_and_an_unknown_resource_are_errors_of_the_protocol(
    workers: WorkerPool,
) -> None:
    async def use(client: Client) -> None:
        with pytest.raises(MCPError, match="no tool 'serach'; the tools are: search, read"):
            await client.call_tool("serach", {"query": "x"})
        for uri in ("typematch://entry/", "file:///etc/passwd", entry_uri("elsewhere#x")):
            with pytest.raises(MCPError, match=r"no entry|the resources are"):
                await client.read_resource(uri)

    with_client(workers, use)


def test_a_call_ends_at_its_timeout(tiny: Path) -> None:
    workers = WorkerPool(
        tiny, workers=1, timeout_seconds=60.0, max_queued=1, queue_timeout_seconds=60.0
    )
    try:
        assert not call(workers, "search", query="chunk").is_error
        worker = workers._idle.get()
        assert worker._process is not None
        assert worker._process.pid is not None
        os.kill(worker._process.pid, signal.SIGSTOP)  # however fast it is otherwise
        workers._idle.put(worker)

        async def use(client: Client) -> tuple[CallToolResult, float]:
            start = time.monotonic()
            return await client.call_tool("search", {"query": "x"}), time.monotonic() - start

        result, seconds = with_client(workers, use, timeout_seconds=0.5)
        assert result.is_error
        assert "took more than" in text(result)
        assert seconds < 5.0
    finally:
        workers.close()


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (OverloadedError(), "overloaded"),
        (StartingError(), "still starting"),
        (RequestTimeoutError(4.0), "took more than"),
    ],
)
def test_overload_and_timeout_are_error_results(error: Exception, message: str) -> None:
    class FailingPool(WorkerPool):
        async def request(self, *_: Any, **__: Any) -> Any:
            raise error

    result = call(object.__new__(FailingPool), "search", query="x")
    assert result.is_error
    assert message in text(result)


def test_a_missing_database_is_an_error_and_a_replaced_one_is_reopened(
    tiny: Path, tmp_path: Path
) -> None:
    database = tmp_path / "t.db"
    workers = WorkerPool(
        database, workers=1, timeout_seconds=60.0, max_queued=1, queue_timeout_seconds=60.0
    )
    try:
        missing = call(workers, "search", query="chunk")
        assert missing.is_error
        assert "nothing has been indexed here yet" in text(missing)
        assert "typematch index" not in text(missing)
        assert str(tmp_path) not in text(missing)
        shutil.copy(tiny, tmp_path / "next.db")
        (tmp_path / "next.db").rename(database)
        assert "toolbox#chunk" in text(call(workers, "search", query="chunk"))
    finally:
        workers.close()


def test_tool_descriptions_are_short_and_list_every_facet(workers: WorkerPool) -> None:
    listed = with_client(workers, lambda client: client.list_tools()).tools
    assert sum(count_tokens(f"{tool.title} {tool.description}") for tool in listed) <= 1_300
    [keys] = re.findall(r"Keys: (.*)", TOOLS["search"].description)
    assert keys.split() == list(FACETS)


# Malformed messages ------------------------------------------------------------------------------

MALFORMED = (
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
    b'{"jsonrpc":"2.0","id":11,"method":"tools/call","params":{"name":"search",'
    b'"arguments":{"query":"\\ud800 chunk"}}}\n',
    b"{" * 10_000 + b"\n",
)
INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "t", "version": "0"},
    },
}


def test_malformed_messages_over_stdio_do_not_stop_the_server(tiny: Path) -> None:
    command = typematch("mcp", "--db", str(tiny), "--workers", "1")
    lines = [*MALFORMED, json.dumps(INITIALIZE).encode() + b"\n", *MALFORMED]
    list_tools = {"jsonrpc": "2.0", "id": "last", "method": "tools/list", "params": {}}
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.writelines([*lines, json.dumps(list_tools).encode() + b"\n"])
        server.stdin.flush()
        answers: list[dict[str, Any]] = []
        while not {"last", 11} <= {answer.get("id") for answer in answers}:
            # Every line of output is a message of the protocol.
            answers.append(json.loads(server.stdout.readline()))
        server.stdin.close()
        assert server.wait(timeout=30) == 0
    [last] = [answer for answer in answers if answer.get("id") == "last"]
    assert [tool["name"] for tool in last["result"]["tools"]] == list(TOOLS)
    assert [answer for answer in answers if answer.get("id") == 9][-1]["error"]["code"] == -32601


def test_malformed_messages_over_http_do_not_stop_the_server(tiny: Path) -> None:
    headers = {
        "Accept": "application/json, text/event-stream",
        "Content-Type": "application/json",
    }
    with listening(tiny) as address, httpx.Client(timeout=60) as client:
        for line in MALFORMED:
            assert client.post(address, content=line, headers=headers).status_code < 500
        for wrong_header, status in (
            ({"Host": "evil.example"}, 421),
            ({"Origin": "http://evil.example"}, 403),
            ({"Content-Type": "text/plain"}, 400),
        ):
            answer = client.post(address, json=INITIALIZE, headers={**headers, **wrong_header})
            assert answer.status_code == status
        large = client.post(address, content=b"x" * 3_000_000, headers=headers)
        assert large.status_code == 413
        assert client.get(address.removesuffix("mcp") + "etc/passwd").status_code == 404
        reply = client.post(address, json=INITIALIZE, headers=headers)
        assert reply.json()["result"]["serverInfo"]["name"] == "typematch"


def test_the_http_transport_requires_the_token(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TYPEMATCH_TOKEN", "secret")
    headers = {"Accept": "application/json, text/event-stream"}
    with listening(tiny) as address:
        assert httpx.post(address, json=INITIALIZE, headers=headers).status_code == 401
        allowed = {**headers, "Authorization": "Bearer secret"}
        assert httpx.post(address, json=INITIALIZE, headers=allowed).status_code == 200
