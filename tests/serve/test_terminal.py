from __future__ import annotations

import io
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from typematch.serve.cli.terminal import Terminal, terminal


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_piped_output_is_plain() -> None:
    assert terminal(io.StringIO(), {"TERM": "xterm", "WT_SESSION": "1"}) == Terminal()


@pytest.mark.parametrize(
    ("environment", "colour"),
    [
        pytest.param({"TERM": "xterm"}, True, id="a terminal"),
        pytest.param({"TERM": "xterm", "NO_COLOR": "1"}, False, id="no-color.org"),
        pytest.param({"TERM": "dumb"}, False, id="a dumb terminal"),
    ],
)
def test_colour_depends_on_the_environment(environment: dict[str, str], colour: bool) -> None:
    assert terminal(Screen(), environment).colour is colour


@pytest.mark.parametrize(
    ("environment", "links"),
    [
        pytest.param({"TERM": "xterm"}, False, id="unknown terminal"),
        pytest.param({"TERM": "xterm", "VTE_VERSION": "6003"}, True, id="vte"),
        pytest.param({"TERM": "xterm", "VTE_VERSION": "4000"}, False, id="vte before 0.50"),
        pytest.param({"TERM": "xterm", "TERM_PROGRAM": "vscode"}, True, id="vscode"),
    ],
)
def test_links_depend_on_the_terminal_program(environment: dict[str, str], links: bool) -> None:
    assert terminal(Screen(), environment).links is links


def test_a_link_contains_path_and_line() -> None:
    text = Terminal(links=True).link("a.ts:3", "/home/me/my code/a.ts", 3)
    assert "file:///home/me/my%20code/a.ts#L3" in text
    assert Terminal(links=True).link("a.ts:3", "", 3) == "a.ts:3"


@given(st.text())
def test_highlighting_only_adds_escape_sequences(text: str) -> None:
    coloured = Terminal(colour=True).code(text)
    assert re.sub("\x1b\\[[\\d;]*m", "", coloured) == re.sub("\x1b\\[[\\d;]*m", "", text)


def test_keywords_types_and_labels_have_different_colours() -> None:
    coloured = Terminal(colour=True).code('(at: Date, to?: "x") => string')
    assert "\x1b[35mDate\x1b[0m" in coloured
    assert "\x1b[36mstring\x1b[0m" in coloured
    assert '\x1b[32m"x"\x1b[0m' in coloured
    assert "(at:" in coloured
