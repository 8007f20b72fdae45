"""Output on a terminal: paging, folding, colours; and ``browse``."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Mapping
from pathlib import Path

import httpx
import pytest

from measuring import environment, typematch
from serve.servers import interrupt
from typematch.serve.cli.pager import pager_command
from typematch.serve.cli.terminal import Terminal

QUERY = "(items: T[], size: number) => T[][]"


def on_terminal(
    *words: str, variables: Mapping[str, str], rows: int = 24, columns: int = 80
) -> tuple[int, list[str]]:
    """Run typematch on a pseudo-terminal; return its exit code and output lines."""
    controller, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    variables_ = environment({"TERM": "xterm", **variables})
    for name in ("COLUMNS", "LINES"):
        variables_.pop(name, None)
    with subprocess.Popen(
        typematch(*words), stdin=terminal, stdout=terminal, stderr=terminal, env=variables_
    ) as process:
        os.close(terminal)
        output = b""
        while True:
            try:
                chunk = os.read(controller, 65_536)
            except OSError:  # the process closed the terminal
                break
            if not chunk:
                break
            output += chunk
    os.close(controller)
    return process.returncode, output.decode().replace("\r\n", "\n").splitlines()


PAGING = {"TYPEMATCH_PAGER": "sed s/^/PAGED:/", "NO_COLOR": "1"}


def test_output_longer_than_the_screen_is_paged(tiny: Path) -> None:
    code, lines = on_terminal("search", QUERY, "--db", str(tiny), rows=10, variables=PAGING)
    assert code == 0
    assert lines[0].startswith("PAGED:Read as: ")
    assert all(line.startswith("PAGED:") for line in lines)


def test_output_that_fits_is_not_paged(tiny: Path) -> None:
    words = ("search", QUERY, "--limit", "1", "--db", str(tiny))
    assert on_terminal(*words, rows=50, variables=PAGING)[1][0].startswith("Read as: ")


def test_quitting_the_pager_early_is_not_an_error(tiny: Path) -> None:
    # The pager quits after two lines.
    variables = {"TYPEMATCH_PAGER": "head -n 2", "NO_COLOR": "1"}
    code, lines = on_terminal("entries", "--db", str(tiny), variables=variables)
    assert (code, len(lines)) == (0, 2)


def test_lines_are_folded_to_the_terminal_width(tiny: Path) -> None:
    words = ("search", QUERY, "--limit", "5", "--db", str(tiny))
    _, lines = on_terminal(*words, columns=60, variables={"PAGER": "cat", "NO_COLOR": "1"})
    assert lines
    long = [line for line in lines if len(line) > 60]
    assert [line for line in long if " " in line.strip()[:60] and "Read as" not in line] == []
    # Piped output is not folded and has the same words.
    piped = subprocess.run(
        typematch(*words), env=environment(), capture_output=True, text=True, check=True
    )
    assert " ".join(lines).split() == piped.stdout.split()


def test_no_color_turns_colours_off(tiny: Path) -> None:
    words = ("search", QUERY, "--limit", "1", "--db", str(tiny))
    plain = {"PAGER": "cat", "NO_COLOR": "1"}
    assert "\x1b[" in "".join(on_terminal(*words, variables={"PAGER": "cat"})[1])
    assert "\x1b[" not in "".join(on_terminal(*words, variables=plain)[1])


@pytest.mark.parametrize(
    ("variables", "expected"),
    [
        ({"PAGER": "more"}, "more"),
        ({"PAGER": "more", "TYPEMATCH_PAGER": "less -S"}, "less -S"),
        ({"PAGER": "more", "TYPEMATCH_PAGER": ""}, ""),
        ({"PAGER": "cat"}, ""),
    ],
)
def test_pager_variables(variables: dict[str, str], expected: str) -> None:
    assert pager_command(variables) == expected


def test_folding_keeps_every_word_and_indents() -> None:
    shown = Terminal(width=40)
    words = "one two three four five six seven eight nine ten eleven twelve"
    first, *more = shown.fold(words, used_columns=20)
    assert len(first) <= 20
    assert all(line.startswith(" " * 8) and len(line) <= 40 for line in more)
    assert " ".join([first, *more]).split() == words.split()
    assert Terminal().fold(words) == [words]
    assert shown.fold("short", used_columns=3) == ["short"]


def test_browse_opens_the_page_in_a_browser(tiny: Path, tmp_path: Path) -> None:
    browser, opened = tmp_path / "browser", tmp_path / "opened"
    browser.write_text(f'#!/bin/sh\necho "$1" > {opened}.new && mv {opened}.new {opened}\n')
    browser.chmod(0o755)
    around = environment({"BROWSER": str(browser)})
    command = typematch("browse", QUERY, "--workers", "1", "--db", str(tiny))
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=around) as server:
        try:
            assert server.stdout is not None
            [address] = re.findall(r"http://[\d.]+:\d+", server.stdout.readline())
            end = time.monotonic() + 30
            while not opened.exists():
                assert time.monotonic() < end
                time.sleep(0.05)
            page = httpx.URL(opened.read_text().strip())
            assert str(page).startswith(f"{address}/?")
            assert page.params["q"] == QUERY
            assert httpx.get(f"{address}/api/stats", timeout=60).status_code == 200
        finally:
            interrupt(server)
    assert server.returncode == 0


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere there always is a browser")
def test_browse_prints_the_address_without_a_browser(tiny: Path) -> None:
    around = environment()
    for name in ("BROWSER", "DISPLAY", "WAYLAND_DISPLAY"):
        around.pop(name, None)
    command = typematch("browse", "--workers", "1", "--db", str(tiny))
    with subprocess.Popen(
        command, stderr=subprocess.PIPE, text=True, env=around, start_new_session=True
    ) as server:
        try:
            assert server.stderr is not None
            told = server.stderr.readline()
        finally:
            interrupt(server)  # while its processes are starting
        assert re.search(r"cannot open a browser; the page is http://127.0.0.1:\d+/$", told)
        assert (server.returncode, server.stderr.read()) == (0, "")
