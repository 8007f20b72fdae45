"""A search asked of a running server: the same answer, and clear words where there is none."""

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
from serve.servers import interrupt
from typematch.errors import OutsideError
from typematch.serve.cli.main import main
from typematch.serve.cli.remote_client import result_of

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
def test_a_server_is_asked_as_the_file_is(
    option: str, address: str, tiny: Path, capsys: Output
) -> None:
    asked = search(QUERY, option, "--at", address, capsys=capsys)
    assert asked == search(QUERY, option, "--db", str(tiny), capsys=capsys)
    assert asked[0] == 0
    assert "toolbox#chunk" in asked[1]


def test_the_scheme_may_be_left_out_and_nothing_found_is_exit_code_1(
    address: str, capsys: Output
) -> None:
    code, out, _ = search("pkg:nowhere", "--at", address.removeprefix("http://"), capsys=capsys)
    assert (code, out.splitlines()[0]) == (1, "Read as: pkg:nowhere")


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        pytest.param(["(a"], 2, "  (a\n    ^", id="a query that cannot be read"),
        pytest.param(["x", "--limit", "1000000"], 2, "limit", id="a huge limit"),
        pytest.param(["x", "--limit", "all"], 2, "Say how many", id="everything"),
        pytest.param(["x", "--rerank"], 2, "Claude asked from here", id="a model"),
        pytest.param(["x", "--db", "x.db"], 2, "Leave one of them out", id="a file as well"),
    ],
)
def test_what_is_asked_wrongly_is_told(
    words: list[str], code: int, said: str, address: str, capsys: Output
) -> None:
    found, _, error = search(*words, "--at", address, capsys=capsys)
    assert (found, said in error) == (code, True), error


@pytest.mark.parametrize(
    "address", ["", "ftp://localhost", "http://localhost:x", "http://[::1", "file:///etc/passwd"]
)
def test_what_is_no_address(address: str, capsys: Output) -> None:
    code, _, error = search("x", "--at", address, capsys=capsys)
    assert (code, "no address of a server" in error) == (2, True), error


def test_nobody_listens(capsys: Output) -> None:
    with socket.socket() as reserved:  # bound, and not listening
        reserved.bind(("127.0.0.1", 0))
        port = reserved.getsockname()[1]
        code, _, error = search("x", "--at", f"http://127.0.0.1:{port}", capsys=capsys)
    assert code == 3
    assert f"127.0.0.1:{port}: no server answers there" in error
    assert "typematch serve" in error


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        pytest.param(b"SSH-2.0-OpenSSH\r\n", "no server answers", id="another protocol"),
        pytest.param(b"HTTP/1.1 200 OK\r\n\r\n<html>", "no typematch server", id="a page"),
        pytest.param(b"HTTP/1.1 404 No\r\n\r\n[]", "status 404", id="another service"),
        pytest.param(b"", "no server answers", id="silence"),
        pytest.param(
            b'HTTP/1.1 200 OK\r\n\r\n{"format": "typematch.search/1", "query": "x"}',
            "of another version",
            id="less than is understood",
        ),
    ],
)
def test_something_else_listens(answer: bytes, said: str, capsys: Output) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def reply() -> None:
            connection, _ = listening.accept()
            with connection:
                connection.recv(10_000)
                connection.sendall(answer)

        replying = threading.Thread(target=reply, daemon=True)
        replying.start()
        port = listening.getsockname()[1]
        code, _, error = search("x", "--at", f"127.0.0.1:{port}", capsys=capsys)
        replying.join(timeout=10)
    assert (code, said in error) == (3, True), error


def test_a_document_that_is_none() -> None:
    with pytest.raises(OutsideError, match="lacks something"):
        result_of({"format": "typematch.search/1", "query": 1, "read_as": [], "hits": 5}, "here")


def test_a_token_is_sent(tiny: Path, capsys: Output, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(tiny, TYPEMATCH_TOKEN="secret") as address:
        code, _, error = search("chunk", "--at", address, capsys=capsys)
        assert (code, "asks for a token" in error) == (3, True)
        monkeypatch.setenv("TYPEMATCH_TOKEN", "secret")
        assert search("chunk", "--at", address, capsys=capsys)[0] == 0


def test_it_loads_nothing_that_it_does_not_need() -> None:
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
    assert not [one for one in loaded if one.startswith(("typematch.index", "typematch.catalog"))]
    assert "typematch.serve.cli.remote_client" in loaded


def test_json_is_the_document_of_the_server(address: str, capsys: Output) -> None:
    _, out, _ = search("chunk", "--json", "--at", address, capsys=capsys)
    assert json.loads(out)["format"] == "typematch.search/1"
