"""Servers in processes of their own, for tests that ask over a socket."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


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
            yield address
        finally:
            server.terminate()
