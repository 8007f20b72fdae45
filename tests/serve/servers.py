"""Servers in processes of their own, for tests that ask over a socket."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx


def wait_for(address: str) -> None:
    """Wait until the server's processes are ready; until then it asks to be asked again."""
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        answer = httpx.get(f"{address}/api/stats", timeout=60)
        if answer.status_code != 503:  # ready, or it asks for a token
            return
        time.sleep(int(answer.headers["Retry-After"]))
    raise AssertionError("the server does not get ready")


def interrupt(server: subprocess.Popen[str]) -> None:
    """Press Ctrl-C, and wait for the end of a server.

    What it has begun hears of it too, as on a terminal, where the server has a session of its own.
    """
    if os.getpgid(server.pid) == server.pid:
        os.killpg(server.pid, signal.SIGINT)
    else:
        server.send_signal(signal.SIGINT)
    try:
        server.wait(60)
    except subprocess.TimeoutExpired:
        server.kill()
        raise AssertionError("Ctrl-C does not end it") from None


@contextmanager
def serving(database: Path, *, token: str = "") -> Iterator[str]:
    """Serve a database while the context lasts; the value is the server's address."""
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
