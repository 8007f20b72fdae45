"""The options of the commands that listen on HTTP: addresses, and what cannot be listened on."""

from __future__ import annotations

import asyncio
from argparse import Namespace
from contextlib import closing
from pathlib import Path
from typing import cast

import httpx
import pytest

from typematch.errors import OutsideError
from typematch.serve.cli.main import main
from typematch.serve.cli.server_options import accepted_hosts, address_of, open_listener
from typematch.serve.http.app import create_app
from typematch.serve.workers.worker_pool import WorkerPool


class Workers:
    async def request(self, handler: str, _: object, **__: object) -> object:
        return {"format": f"test.{handler}/1"}

    def close(self) -> None: ...


WORKERS = cast("WorkerPool", Workers())


@pytest.mark.parametrize("host", ["0", "localhost", "127.1"])
def test_requests_to_the_printed_address_are_accepted(host: str) -> None:
    with closing(open_listener(host, 0)) as listener:
        hosts = accepted_hosts(listener, Namespace(host=host), ["search.example"])
        address = address_of(listener)

    async def status(base_url: str) -> int:
        transport = httpx.ASGITransport(app=create_app(WORKERS, hosts=hosts))
        async with httpx.AsyncClient(transport=transport, base_url=base_url) as client:
            return (await client.get("/api/stats")).status_code

    for accepted in (address, f"http://{host}", "http://search.example"):
        assert asyncio.run(status(accepted)) == 200, accepted
    assert asyncio.run(status("http://192.0.2.1")) == 421


@pytest.mark.parametrize("host", ["203.0.113.7", "a" * 70, "a..b", "a\udcff"])
def test_an_address_that_is_not_of_this_machine_has_no_hint_about_the_port(host: str) -> None:
    with pytest.raises(OutsideError, match="cannot listen on this address") as raised:
        open_listener(host, 0)
    assert raised.value.hint == ""


def test_a_port_that_is_in_use_has_a_hint() -> None:
    with closing(open_listener("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        with pytest.raises(OutsideError, match="cannot listen on this address") as raised:
            open_listener("127.0.0.1", port)
    assert "--port" in raised.value.hint


@pytest.mark.parametrize("token", ["\u00fc", "abc\n", " abc", "a\tb", "\udcff"])
@pytest.mark.parametrize(
    "command",
    [
        ["serve", "--port", "0"],
        ["mcp", "--http", "--port", "0"],
        ["search", "x", "--at", "[::1]:9"],
    ],
    ids=lambda words: words[0],
)
def test_a_token_that_clients_cannot_send_alike_is_refused(
    command: list[str],
    token: str,
    tiny: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("TYPEMATCH_TOKEN", token)
    database = [] if command[0] == "search" else ["--db", str(tiny)]
    assert main([*command, *database]) == 2
    error = capsys.readouterr().err
    assert "TYPEMATCH_TOKEN cannot be sent in a header" in error
    assert token not in error.replace("TYPEMATCH_TOKEN", "")
