"""Requests over raw sockets: malformed headers, half-sent requests, slow clients, many connections.

The applications are those of ``serve`` and ``mcp --http``, with workers that answer at once.
"""

from __future__ import annotations

import json
import os
import re
import resource
import select
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from typing import Any, cast

import pytest
import uvicorn

from typematch.serve.cli.main import main
from typematch.serve.cli.server_options import open_listener, server_config
from typematch.serve.http.app import create_app
from typematch.serve.http.connections import BoundedConnection
from typematch.serve.http.security import MAX_BODY_BYTES, SecurityMiddleware
from typematch.serve.mcp.server import create_server
from typematch.serve.mcp.transports import create_http_app
from typematch.serve.workers.worker_pool import WorkerPool

Address = tuple[str, int]
LOOPBACK = ("127.0.0.1", "localhost", "::1")
PING = b'{"jsonrpc": "2.0", "id": 1, "method": "ping"}'


class Workers:
    async def request(self, handler: str, _: object, **__: object) -> object:
        return {"format": f"test.{handler}/1"}

    def close(self) -> None: ...


WORKERS = cast("WorkerPool", Workers())


@contextmanager
def listening(
    app: Any, connection: type[BoundedConnection] = BoundedConnection
) -> Iterator[Address]:
    """Serve an application in a thread; the value is the address."""
    listener = open_listener("127.0.0.1", 0)
    config = server_config(app)
    config.http = connection
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, args=([listener],))
    thread.start()
    try:
        while not server.started:
            time.sleep(0.01)
        yield listener.getsockname()[:2]
    finally:
        server.should_exit = True
        thread.join(60)


@contextmanager
def serve_app(token: str = "") -> Iterator[tuple[Address, bytes]]:
    with listening(create_app(WORKERS, hosts=LOOPBACK, token=token)) as address:
        yield address, b"GET /api/stats HTTP/1.1\r\n%s\r\n"


@contextmanager
def mcp_app(token: str = "") -> Iterator[tuple[Address, bytes]]:
    head = (
        b"POST /mcp HTTP/1.1\r\nAccept: application/json, text/event-stream\r\n"
        b"Content-Type: application/json\r\nContent-Length: %d\r\n" % len(PING)
    )
    app = create_http_app(create_server(WORKERS), hosts=LOOPBACK, token=token)
    with listening(app) as address:
        yield address, head + b"%s\r\n" + PING


APPS = pytest.mark.parametrize("app", [serve_app, mcp_app], ids=["serve", "mcp"])


def exchange(address: Address, *parts: bytes, seconds: float = 20) -> bytes:
    """Send bytes; return the response up to the end of the connection or of its body."""
    with socket.create_connection(address, timeout=seconds) as connection:
        for part in parts:
            connection.sendall(part)
        return received(connection)


def received(connection: socket.socket) -> bytes:
    answer = b""
    while chunk := connection.recv(65_536):
        answer += chunk
        head, end, body = answer.partition(b"\r\n\r\n")
        length = re.search(rb"(?i)content-length: (\d+)", head)
        if end and length and len(body) >= int(length[1]):
            break
    return answer


def status(answer: bytes) -> int:
    return int(answer.split(b" ", 2)[1])


# Headers ------------------------------------------------------------------------------------------


@APPS
@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        *[
            (b"Host: %s" % host, 200)
            for host in (b"127.0.0.1", b"127.0.0.1:99", b"LOCALHOST:1", b"[::1]:8737", b"[::1]")
        ],
        *[
            (b"Host: %s" % host, 421)
            for host in (
                *(b"evil@127.0.0.1", b"evil:x@localhost", b"127.0.0.1@evil.example", b"localhost."),
                *(b"[::1", b"::1", b"localhost/evil", b"localhost:x", b"localhost:1:2", b"[]", b""),
                *(b"localhost,evil.example", b"http://localhost", b"local\xffhost", b"[localhost]"),
            )
        ],
        *[
            (b"Host: localhost:7\r\nOrigin: %s" % origin, 200)
            for origin in (b"http://localhost:7", b"HTTP://LOCALHOST:7", b"https://localhost:7")
        ],
        *[
            (b"Host: localhost:7\r\nOrigin: %s" % origin, 403)
            for origin in (
                *(b"http://[::1", b"http://[", b"http://]", b"http://[v1.x]", b"http://[::1]]:7"),
                *(b"http://localhost:99999", b"http://localhost:x", b"null", b"", b"localhost:7"),
                *(
                    b"http://evil@localhost:7",
                    b"ftp://localhost:7",
                    b"http://localhost:7/x",
                    b"\xff",
                ),
            )
        ],
    ],
)
def test_host_and_origin_are_compared_strictly(
    app: Callable[..., Any], headers: bytes, expected: int, caplog: pytest.LogCaptureFixture
) -> None:
    with app() as (address, request):
        assert status(exchange(address, request % (headers + b"\r\n"))) == expected
    assert "Traceback" not in caplog.text


@APPS
@pytest.mark.parametrize(
    ("authorization", "expected"),
    [
        *((b"Bearer secret", 200), (b"bearer secret", 200), (b"BEARER   secret", 200)),
        *(
            (b"Basic secret", 401),
            (b"secret", 401),
            (b"Bearersecret", 401),
            (b"bearer SECRET", 401),
        ),
        *((b"Bearer", 401), (b"", 401), (b"Bearer \xff", 401)),
    ],
)
def test_the_scheme_of_a_token_has_any_case(
    app: Callable[..., Any], authorization: bytes, expected: int
) -> None:
    with app(token="secret") as (address, request):
        headers = b"Host: localhost\r\nAuthorization: %s\r\n" % authorization
        assert status(exchange(address, request % headers)) == expected


def test_a_token_may_have_any_characters() -> None:
    token = os.fsdecode(b"s\xc3\xa9cret \xff")
    with serve_app(token) as (address, request):
        for sent, expected in ((os.fsencode(token), 200), (b"s\xe9cret", 401)):
            headers = b"Host: localhost\r\nAuthorization: Bearer %s\r\n" % sent
            assert status(exchange(address, request % headers)) == expected


@pytest.mark.parametrize("path", [b"/api/stats", b"/api/facets?q=x", b"/", b"/docs/"])
def test_head_has_the_headers_of_get_without_its_body(path: bytes) -> None:
    with serve_app() as (address, _):
        heads, bodies = [], []
        for method in (b"GET", b"HEAD"):
            request = b"%s %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
            with socket.create_connection(address, timeout=20) as connection:
                connection.sendall(request % (method, path))
                answer = b"".join(iter(lambda: connection.recv(65_536), b""))
            head, _, body = answer.partition(b"\r\n\r\n")
            heads.append({line for line in head.split(b"\r\n") if not line.startswith(b"date")})
            bodies.append(body)
            assert status(head) == 200
    assert heads[0] == heads[1]
    assert [bool(body) for body in bodies] == [True, False]


def test_head_is_refused_where_get_is() -> None:
    with serve_app() as (address, _):
        for path, expected in ((b"/api/relate", 405), (b"/nowhere", 404)):
            request = b"HEAD %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n" % path
            assert status(exchange(address, request)) == expected


# Bodies -------------------------------------------------------------------------------------------


@APPS
@pytest.mark.parametrize(
    "length", [MAX_BODY_BYTES + 1, 10_000_000_000, 10**19], ids=["1", "10 GB", "20 digits"]
)
def test_a_large_content_length_is_refused_before_the_body(
    app: Callable[..., Any], length: int
) -> None:
    head = b"POST /%s HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n%s\r\n"
    path = b"mcp" if app is mcp_app else b"api/relate"
    with app() as (address, _):
        for further in (b"", b"Expect: 100-continue\r\n"):
            start = time.monotonic()
            answer = exchange(address, head % (path, length, further))
            assert status(answer) == 413
            assert b"the body has more than 2,000,000 bytes" in answer
            assert time.monotonic() - start < 5


def test_a_client_that_sends_first_reads_the_refusal() -> None:
    head = b"POST /api/relate HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3000000\r\n\r\n"
    chunked = b"POST /api/relate HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
    chunks = b"%x\r\n%s\r\n" % (3_000_000, b"x" * 3_000_000)
    with serve_app() as (address, _):
        assert status(exchange(address, head, b"x" * 3_000_000)) == 413
        assert status(exchange(address, chunked, chunks, b"0\r\n\r\n")) == 413


# Time ---------------------------------------------------------------------------------------------


class QuickConnection(BoundedConnection):
    head_seconds = 0.3
    send_seconds = 0.3
    max_connections = 20


async def respond(scope: Any, receive: Any, send: Any) -> None:
    """Answer with 20 MB for ``/large``, otherwise with the length of the body."""
    if scope["type"] != "http":
        return
    message = await receive()
    body = b"x" * 20_000_000 if scope["path"] == "/large" else b"%d" % len(message["body"])
    headers = [(b"content-length", b"%d" % len(body))]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def quick_app() -> Any:
    return SecurityMiddleware(
        respond, hosts=LOOPBACK, token="", max_body_bytes=MAX_BODY_BYTES, body_seconds=0.3
    )


GET = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
POST = b"POST / HTTP/1.1\r\nHost: localhost\r\n"
HALF_SENT = {
    "half a request line": b"GET /api/se",
    "half a header": b"GET / HTTP/1.1\r\nHost: loc",
    "no empty line": b"GET / HTTP/1.1\r\nHost: localhost\r\n",
    "half a body": POST + b"Content-Length: 9\r\n\r\n{",
    "no body": POST + b"Content-Length: 9\r\n\r\n",
    "half a chunk": POST + b"Transfer-Encoding: chunked\r\n\r\n9\r\n{",
}


@pytest.mark.parametrize("part", HALF_SENT.values(), ids=HALF_SENT)
@pytest.mark.parametrize("is_second", [False, True], ids=["first", "second"])
def test_a_half_sent_request_is_closed_with_408(part: bytes, is_second: bool) -> None:
    with (
        listening(quick_app(), QuickConnection) as address,
        socket.create_connection(address, timeout=20) as connection,
    ):
        if is_second:
            connection.sendall(GET)
            assert status(received(connection)) == 200
        start = time.monotonic()
        connection.sendall(part)
        answer = received(connection)
        assert status(answer) == 408
        assert json.loads(answer.partition(b"\r\n\r\n")[2])["format"] == "typematch.error/2"
        while connection.recv(65_536):
            pass
        assert time.monotonic() - start < 5


def test_a_connection_without_a_request_is_closed() -> None:
    with (
        listening(quick_app(), QuickConnection) as address,
        socket.create_connection(address, timeout=5) as connection,
    ):
        assert connection.recv(100) == b""


def test_a_request_that_trickles_is_closed() -> None:
    """The limit counts from the first byte, not from the last."""
    with (
        listening(quick_app(), QuickConnection) as address,
        socket.create_connection(address, timeout=5) as connection,
    ):
        start = time.monotonic()
        answer = b""
        for byte in GET[:-1] * 3:
            if select.select([connection], [], [], 0.03)[0]:
                answer = connection.recv(100)
                break
            connection.sendall(bytes([byte]))
        assert status(answer) == 408
        assert time.monotonic() - start < 2


def test_a_request_in_pieces_and_pipelined_requests_are_answered() -> None:
    with (
        listening(quick_app(), QuickConnection) as address,
        socket.create_connection(address, timeout=20) as connection,
    ):
        post = b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\n\r\nbody"
        for request in (GET, post):
            for byte in request:
                connection.sendall(bytes([byte]))
            assert status(received(connection)) == 200
        connection.sendall(GET + post + GET)
        answers = b""
        while answers.count(b"200 OK") < 3:
            answers += connection.recv(65_536)
        time.sleep(0.6)  # longer than the limit of a half-sent request
        connection.sendall(GET)
        assert status(received(connection)) == 200


def test_a_client_that_does_not_read_is_disconnected() -> None:
    with listening(quick_app(), QuickConnection) as address:
        connection = socket.socket()
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
        connection.connect(address)
        with closing(connection):
            connection.sendall(GET.replace(b"/ ", b"/large ", 1))
            time.sleep(1.5)
            connection.settimeout(5)
            size = 0
            with suppress(ConnectionResetError):
                while chunk := connection.recv(65_536):
                    size += len(chunk)
            assert size < 20_000_000


@pytest.mark.parametrize("part", [b"", *HALF_SENT.values()], ids=["nothing", *HALF_SENT])
def test_many_open_connections_do_not_keep_others_out(part: bytes) -> None:
    class ManyConnections(BoundedConnection):
        max_connections = 20  # and time limits longer than the test

    with listening(quick_app(), ManyConnections) as address, ExitStack() as stack:
        held = []
        for _ in range(60):
            held.append(stack.enter_context(socket.create_connection(address, timeout=20)))
            held[-1].sendall(part)
        assert status(exchange(address, GET)) == 200
        closed = select.select(held, [], [], 0)[0]
        assert len(closed) >= 40


@pytest.mark.slow
def test_1500_half_sent_requests_do_not_stop_a_server(tiny: Path) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < 4_000:
        pytest.skip("too few file descriptors")
    resource.setrlimit(resource.RLIMIT_NOFILE, (4_000, hard))
    command = [sys.executable, "-m", "typematch", "serve", "--port", "0", "--db", str(tiny)]

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_NOFILE, (1_024, hard))

    try:
        with (
            ExitStack() as stack,
            subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=limit
            ) as server,
        ):
            try:
                assert server.stdout is not None
                [found] = re.findall(r"http://127.0.0.1:(\d+)", server.stdout.readline())
                address = ("127.0.0.1", int(found))
                held = [
                    stack.enter_context(socket.create_connection(address, timeout=20))
                    for _ in range(1_500)
                ]
                for connection in held:
                    try:
                        connection.sendall(HALF_SENT["half a header"])
                    except OSError:
                        continue
                page = exchange(address, b"GET /icon.svg HTTP/1.1\r\nHost: localhost\r\n\r\n")
                assert status(page) == 200
                time.sleep(BoundedConnection.head_seconds + 2)
                poll = select.poll()
                for connection in held:
                    poll.register(connection, select.POLLIN)
                assert len(poll.poll(0)) == len(held)  # all are closed
            finally:
                server.terminate()
            assert server.stderr is not None
            assert server.stderr.read() == ""
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


# Options ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seconds", ["nan", "-nan", "inf", "-inf", "1e300", "-1", "0", "3601"])
def test_seconds_must_be_a_possible_time(
    seconds: str, tiny: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["serve", f"--seconds={seconds}", "--port", "0", "--db", str(tiny)]) == 2
    assert "--seconds must be greater than 0 and at most 3,600" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "host", "token", "is_warned"),
    [
        (["serve"], "0.0.0.0", "", True),
        (["serve"], "::", "", True),
        (["mcp", "--http"], "0.0.0.0", "", True),
        (["serve"], "0.0.0.0", "secret", False),
        (["serve"], "127.0.0.1", "", False),
        (["serve"], "localhost", "", False),
    ],
)
def test_a_server_for_others_without_a_token_warns(
    command: list[str], host: str, token: str, is_warned: bool, tiny: Path
) -> None:
    if host == "::" and not socket.has_ipv6:
        pytest.skip("no IPv6")
    words = [*command, "--host", host, "--port", "0", "--workers", "1", "--db", str(tiny)]
    environment = {**os.environ, "TYPEMATCH_TOKEN": token}
    with subprocess.Popen(
        [sys.executable, "-m", "typematch", *words],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment,
    ) as server:  # fmt: skip
        assert server.stdout is not None
        assert server.stderr is not None
        server.stdout.readline()
        server.terminate()
        errors = server.stderr.read()
    assert ("without a token" in errors) is is_warned
    assert ("Set TYPEMATCH_TOKEN" in errors) is is_warned
