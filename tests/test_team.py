"""The example of docs/team.md from end to end: jobs, roles, a server with a token, an agent."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
import yaml
from mcp import ClientSession
from mcp.client.streamable_http import streamable_http_client

from conftest import FIXTURES
from databases import Server

TEAM = FIXTURES / "team"
TOKEN = "a-token-of-the-team"
PASSWORDS = {"writer": "of-the-jobs", "reader": "of-the-server"}


def steps(file: Path) -> list[str]:
    """Return the commands of a job, of GitHub Actions or GitLab."""
    document = yaml.safe_load(file.read_text())
    if "jobs" in document:
        found = [step.get("run", "") for step in document["jobs"]["index"]["steps"]]
    else:
        found = document["typematch"]["script"]
    return [command for command in found if command]


def environment(server: Server, role: str) -> dict[str, str]:
    return {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "TYPEMATCH_DB": server.url("typematch", user=role),
        "PGPASSWORD": PASSWORDS[role],
        "TYPEMATCH_TOKEN": TOKEN,
        "PORT": "0",
    }


@pytest.fixture(scope="module")
def catalog(server: Server) -> Server:
    """A server on which the jobs of both services have run at the same time."""
    for statement in (TEAM / "roles.sql").read_text().split(";"):
        if statement.strip():
            server.execute(statement)
    for role, password in PASSWORDS.items():
        server.require_password(role, password)
    jobs = []
    for file in ("orders/.github/workflows/typematch.yml", "payments/.gitlab-ci.yml"):
        install, index = steps(TEAM / file)
        assert install == "pip install 'typematch[postgres]'"
        folder = TEAM / file.partition("/")[0]
        command = [*shlex.split(index), "--no-vectors"]
        jobs.append(subprocess.Popen(command, cwd=folder, env=environment(server, "writer")))
    assert [job.wait() for job in jobs] == [0, 0]
    return server


@pytest.fixture
def address(catalog: Server) -> Iterator[str]:
    """The address of the server for agents, which reads as ``reader``."""
    with subprocess.Popen(
        [str(TEAM / "server.sh")],
        stdout=subprocess.PIPE,
        text=True,
        env=environment(catalog, "reader"),
    ) as process:
        try:
            assert process.stdout is not None
            [found] = re.findall(r"http://[\d.]+:\d+/mcp", process.stdout.readline())
            yield found
        finally:
            process.terminate()


def ask(address: str, headers: dict[str, str], query: str) -> str:
    async def asked() -> str:
        async with (
            httpx2.AsyncClient(headers=headers, timeout=60) as client,
            streamable_http_client(address, http_client=client) as (reading, writing, *_),
            ClientSession(reading, writing) as session,
        ):
            await session.initialize()
            result: Any = await session.call_tool("search", {"query": query, "limit": 1})
            return str(result.content[0].text)

    return asyncio.run(asked())


def test_an_agent_finds_what_both_jobs_have_indexed(address: str) -> None:
    settings = json.loads((TEAM / "agents.json").read_text())["mcpServers"]["typematch"]
    headers = {
        name: value.replace("${TYPEMATCH_TOKEN}", TOKEN)
        for name, value in settings["headers"].items()
    }
    assert "@team/orders#ordersOf" in ask(
        address, headers, "(customer: string) => Promise<Order[]>"
    )
    assert "@team/payments#refund" in ask(address, headers, "give back a payment")
    assert httpx2.post(address, json={}).status_code == 401


def test_the_role_of_the_server_cannot_write(catalog: Server) -> None:
    done = subprocess.run(
        ["typematch", "index", "."],
        cwd=TEAM / "orders",
        env=environment(catalog, "reader"),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 3
    assert "the database cannot be written" in done.stderr
    assert PASSWORDS["reader"] not in done.stdout + done.stderr
