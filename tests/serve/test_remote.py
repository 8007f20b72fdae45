"""Searching through a running server: the same output as with the file, and clear errors."""

from __future__ import annotations

import json
import re
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from measuring import environment, typematch
from serve.servers import interrupt, wait_for
from typematch.errors import OutsideError
from typematch.serve.cli.main import main
from typematch.serve.cli.remote_client import decode_result

Output = pytest.CaptureFixture[str]
QUERY = "(items: T[], size: number) => T[][]"


@contextmanager
def serving(database: Path, **variables: str) -> Iterator[str]:
    words = ("--port", "0", "--workers", "1", "--seconds", "60", "--db", str(database))
    with subprocess.Popen(
        typematch("serve", *words), stdout=subprocess.PIPE, text=True, env=environment(variables)
    ) as server:
        try:
            assert server.stdout is not None
            [address] = re.findall(r"http://[\d.]+:\d+", server.stdout.readline())
            wait_for(address)
            yield address
        finally:
            interrupt(server)


@pytest.fixture(scope="module")
def address(tiny: Path) -> Iterator[str]:
    with serving(tiny) as address:
        yield address


def search(*words: str, capsys: Output) -> tuple[int, str, str]:
    code = main(["search", *words])
    printed = capsys.readouterr()
    return code, printed.out, printed.err


@pytest.mark.parametrize("option", ["--limit=5", "--explain", "--json"])
def test_a_search_with_at_prints_what_a_search_of_the_file_prints(
    option: str, address: str, tiny: Path, capsys: Output
) -> None:
    printed = search(QUERY, option, "--at", address, capsys=capsys)
    assert printed == search(QUERY, option, "--db", str(tiny), capsys=capsys)
    assert printed[0] == 0
    assert "toolbox#chunk" in printed[1]


def test_the_scheme_is_optional_and_no_hits_is_exit_code_1(address: str, capsys: Output) -> None:
    code, out, _ = search("pkg:nowhere", "--at", address.removeprefix("http://"), capsys=capsys)
    assert (code, out.splitlines()[0]) == (1, "Read as: pkg:nowhere")


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        pytest.param(["(a"], 2, "  (a\n    ^", id="a syntax error"),
        pytest.param(["x", "--limit", "1000000"], 2, "limit", id="a huge limit"),
        pytest.param(["x", "--limit", "all"], 2, "does not support --limit all", id="everything"),
        pytest.param(["x", "--rerank"], 2, "--rerank and --at exclude each other", id="a model"),
        pytest.param(["x", "--db", "x.db"], 2, "--at and --db exclude", id="a file as well"),
    ],
)
def test_invalid_usage_is_reported(
    arguments: list[str], code: int, message: str, address: str, capsys: Output
) -> None:
    exit_code, _, error = search(*arguments, "--at", address, capsys=capsys)
    assert (exit_code, message in error) == (code, True), error


def test_a_query_that_is_not_utf_8_is_searched_as_in_the_file(
    address: str, tiny: Path, capsys: Output
) -> None:
    printed = search("chunk\udcff", "--json", "--at", address, capsys=capsys)
    assert printed == search("chunk\udcff", "--json", "--db", str(tiny), capsys=capsys)
    assert printed[0] in (0, 1)


@pytest.mark.parametrize(
    "address",
    [
        *("", "ftp://localhost", "http://localhost:x", "http://[::1", "file:///etc/passwd"),
        *(f"http://{'a' * 70}", "http://a..b:80", "http://127.0.0.1:9/\udcff"),
    ],
)
def test_an_invalid_address_is_reported(address: str, capsys: Output) -> None:
    code, _, error = search("x", "--at", address, capsys=capsys)
    assert (code, "not the address of a server" in error) == (2, True), error


def test_no_server_at_the_address(capsys: Output) -> None:
    with socket.socket() as reserved:  # bound, not listening
        reserved.bind(("127.0.0.1", 0))
        port = reserved.getsockname()[1]
        code, _, error = search("x", "--at", f"http://127.0.0.1:{port}", capsys=capsys)
    assert code == 3
    assert f"127.0.0.1:{port}: no server answers at this address" in error
    assert "typematch serve" in error


@pytest.mark.parametrize(
    ("response", "message"),
    [
        pytest.param(b"SSH-2.0-OpenSSH\r\n", "no server answers", id="another protocol"),
        pytest.param(b"HTTP/1.1 200 OK\r\n\r\n<html>", "not a typematch server", id="a page"),
        pytest.param(b"HTTP/1.1 404 No\r\n\r\n[]", "status 404", id="another service"),
        pytest.param(b"", "no server answers", id="silence"),
        pytest.param(
            b'HTTP/1.1 200 OK\r\n\r\n{"format": "typematch.search/1", "query": "x"}',
            "has no key 'read_as'",
            id="less than is understood",
        ),
    ],
)
def test_another_kind_of_server_is_reported(response: bytes, message: str, capsys: Output) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def reply() -> None:
            connection, _ = listener.accept()
            with connection:
                connection.recv(10_000)
                connection.sendall(response)

        replying = threading.Thread(target=reply, daemon=True)
        replying.start()
        port = listener.getsockname()[1]
        code, _, error = search("x", "--at", f"127.0.0.1:{port}", capsys=capsys)
        replying.join(timeout=10)
    assert (code, message in error) == (3, True), error


def test_a_malformed_document_is_reported() -> None:
    with pytest.raises(OutsideError, match="cannot be decoded"):
        decode_result(
            {"format": "typematch.search/1", "query": 1, "read_as": [], "hits": 5}, "here"
        )


def test_the_token_is_sent(tiny: Path, capsys: Output, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(tiny, TYPEMATCH_TOKEN="secret") as address:
        code, _, error = search("chunk", "--at", address, capsys=capsys)
        assert (code, "requires a token" in error) == (3, True)
        monkeypatch.setenv("TYPEMATCH_TOKEN", "secret")
        assert search("chunk", "--at", address, capsys=capsys)[0] == 0


def test_the_remote_client_imports_no_heavy_modules() -> None:
    program = (
        "import sys; from typematch.serve.cli.main import main; "
        "main(['search', 'x', '--at', 'http://127.0.0.1:9']); print(*sys.modules)"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=True,
        env=environment(),
    )
    loaded = set(ran.stdout.split())
    heavy = {"numpy", "sqlalchemy", "lark", "pydantic", "tree_sitter", "rich", "sqlite3", "asyncio"}
    assert loaded & heavy == set()
    assert not [
        name for name in loaded if name.startswith(("typematch.index", "typematch.catalog"))
    ]
    assert "typematch.serve.cli.remote_client" in loaded


def test_json_output_is_the_document_of_the_server(address: str, capsys: Output) -> None:
    _, out, _ = search("chunk", "--json", "--at", address, capsys=capsys)
    assert json.loads(out)["format"] == "typematch.search/1"
