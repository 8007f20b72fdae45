"""Start servers as child processes, for tests that use a socket."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx


def wait_for(address: str) -> None:
    """Wait until the worker processes are ready: the first request waits for them."""
    response = httpx.get(f"{address}/api/stats", timeout=60)
    assert response.status_code in (200, 401), response.text


def interrupt(server: subprocess.Popen[str]) -> None:
    """Send SIGINT as Ctrl-C does, and wait for the server to end.

    A server that leads a process group gets it with its children, as in a terminal.
    """
    if os.getpgid(server.pid) == server.pid:
        os.killpg(server.pid, signal.SIGINT)
    else:
        server.send_signal(signal.SIGINT)
    try:
        server.wait(60)
    except subprocess.TimeoutExpired:
        server.kill()
        raise AssertionError("the server does not end on SIGINT") from None


@contextmanager
def serving(database: Path, *, token: str = "") -> Iterator[str]:
    """Serve a database within the context; the value is the address of the server."""
    command = [sys.executable, "-m", "typematch", "serve", "--port", "0", "--db", str(database)]
    environment = {**os.environ, "TYPEMATCH_TOKEN": token}
    with subprocess.Popen(
        [*command, "--seconds", "60"], stdout=subprocess.PIPE, text=True, env=environment
    ) as server:
        try:
            assert server.stdout is not None
            [address] = re.findall(r"http://[\d.]+:\d+", server.stdout.readline())
            wait_for(address)
            yield address
        finally:
            server.terminate()
