"""What others wrote, in indexed files and in arguments, cannot steer the terminal."""

from __future__ import annotations

import io
import json
import os
import re
import struct
import subprocess
import sys
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from measuring import environment, typematch
from typematch.catalog import Catalog
from typematch.control_characters import escape_controls, escape_line
from typematch.errors import NotADatabaseError
from typematch.serve.cli.main import main
from typematch.serve.cli.progress import progress_on
from typematch.serve.cli.shell_completion import _Finder
from typematch.serve.cli.terminal import terminal
from typematch.serve.escaped_output import escaped_output

ATTACK = "\x1b]0;PWNED\x07\x1b[31m\x9b2J\x7f\r\u202e\u2066\u2028\x1b]8;;http://evil/\x1b\\"
SOURCE = f"""
/** Frobnicate {ATTACK} the text.
 * @deprecated use {ATTACK} instead
 * @see {ATTACK}
 */
export declare function frob(x: "{ATTACK[:-1]}"): string;
export interface Frob {{ "a{ATTACK[:-1]}": 1; "b\\nforged: line"(): void }}
"""
OUR_SEQUENCES = re.compile("\x1b\\[[0-9;]*m|\x1b\\]8;;(file://[^\x1b]*)?\x1b\\\\")


def is_harmful(character: str) -> bool:
    return character not in "\n\t" and (
        unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp")
        or unicodedata.bidirectional(character)
        in ("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI")
        or character in "\u061c\u200e\u200f"
    )


def harmful(text: str) -> list[str]:
    return [character for character in text if is_harmful(character)]


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("attack")
    (folder / "p").mkdir()
    (folder / "p" / "a.d.ts").write_text(SOURCE)
    (folder / "p" / "line\x1b[2J\nfeed.d.ts").write_text("export declare function other(): void;")
    (folder / "p" / "package.json").write_text('{"name": "p\\u001b[2J", "version": "1\\u0007"}')
    with Catalog(folder / "a.db") as catalog:
        catalog.add(folder / "p", model=None)
    return folder / "a.db"


class Screen(io.StringIO):
    """A terminal, as far as programs can tell."""

    def isatty(self) -> bool:
        return True


@given(st.text())
def test_nothing_harmful_is_left_and_json_stays_the_same(text: str) -> None:
    escaped = escape_controls(text)
    assert not harmful(escaped)
    document = json.dumps(text, ensure_ascii=False)
    assert json.loads(escape_controls(document)) == text
    assert "\n" not in escape_line(text)


@pytest.mark.parametrize(
    "words",
    [
        pytest.param(["search", "frob", "--explain"], id="search"),
        pytest.param(["search", f"frob {ATTACK}"], id="a query"),
        pytest.param(["search", f":: ({ATTACK} =>"], id="a query that cannot be read"),
        pytest.param(["show", "frob"], id="show"),
        pytest.param(["show", "Frob", "--depth", "2"], id="references"),
        pytest.param(["show", f"no{ATTACK}"], id="an unknown entry"),
        pytest.param(["entries"], id="entries"),
        pytest.param(["facets", "frob"], id="facets"),
        pytest.param(["stats"], id="stats"),
        pytest.param(["remove", f"no{ATTACK}"], id="remove"),
        pytest.param(["relate", f'"{ATTACK}"', "number"], id="relate"),
        pytest.param(["match", "--like", f"no\n{ATTACK}.ts"], id="match"),
        pytest.param(["index", f"no\n{ATTACK}"], id="index"),
        pytest.param([f"no{ATTACK}"], id="a command"),
        pytest.param(["search", f"--no{ATTACK}"], id="an option"),
    ],
)
@pytest.mark.parametrize("colour", ["", "1"])
def test_commands_write_no_control_characters(
    words: list[str],
    colour: str,
    database: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("FORCE_COLOR", colour)
    monkeypatch.setenv("TYPEMATCH_DB", str(database))
    main(words)
    written = capsys.readouterr()
    for text in (written.out, written.err):
        assert harmful(OUR_SEQUENCES.sub("", text) if colour else text) == []
        assert "http://evil/\x1b" not in text
        assert "\x1b[31m" not in text
        assert "\nforged" not in text
        assert "\nfeed" not in text


def test_json_says_the_same_as_before(database: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["show", "frob", "--json", "--db", str(database)])
    written = capsys.readouterr().out
    assert not harmful(written)
    assert "\x1b]0;PWNED\x07" in json.loads(written)["entry"]["doc"]


def test_text_cannot_imitate_sequences_of_our_own(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Screen()
    monkeypatch.setattr(sys, "stdout", screen)
    with escaped_output():
        output = terminal(sys.stdout, {"TERM": "xterm", "WT_SESSION": "1"})
        sys.stdout.write(output.style("bold", "\x1b[1mx\x1b[0m") + " ")
        sys.stdout.writelines([output.link("a\x1b", "/a\x1b", 3), "\n"])
    assert sys.stdout is screen
    assert screen.getvalue() == (
        "\x1b[1m\\u001b[1mx\\u001b[0m\x1b[0m \x1b]8;;file:///a%1B#L3\x1b\\a\\u001b\x1b]8;;\x1b\\\n"
    )


def test_tracebacks_are_escaped(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Screen()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setattr(sys, "stdout", screen)
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)
    with pytest.raises(ValueError, match="PWNED"), escaped_output():
        raise ValueError(ATTACK)
    try:
        raise ValueError(ATTACK)
    except ValueError:
        sys.excepthook(*cast(Any, sys.exc_info()))
    assert "PWNED" in screen.getvalue()
    assert not harmful(screen.getvalue())


def test_output_beside_a_progress_bar_is_escaped(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Screen()
    monkeypatch.setattr(sys, "stdout", screen)
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setenv("TERM", "xterm")
    with escaped_output(), progress_on(sys.stderr) as progress:
        assert progress is not None
        progress("reading", 1, 2, "files")
        sys.stdout.write("\x1b]0;PWNED\x07\u202e\n")
    assert "\\u001b]0;PWNED\\u0007\\u202e" in screen.getvalue()
    assert "\x1b[" in screen.getvalue()  # the bar itself


def test_the_pager_receives_escaped_text(database: Path, on_terminal: Callable[..., str]) -> None:
    shown = on_terminal("show", "frob", "--db", str(database), rows=5)
    assert "PAGED:" in shown
    assert harmful(OUR_SEQUENCES.sub("", shown)) == []


@pytest.fixture
def on_terminal() -> Callable[..., str]:
    pty = pytest.importorskip("pty", reason="needs a POSIX terminal")
    fcntl = pytest.importorskip("fcntl", reason="needs a POSIX terminal")
    termios = pytest.importorskip("termios", reason="needs a POSIX terminal")

    def run(*words: str, rows: int) -> str:
        controller, screen = pty.openpty()
        fcntl.ioctl(screen, termios.TIOCSWINSZ, struct.pack("HHHH", rows, 80, 0, 0))
        variables = environment({"TERM": "xterm", "TYPEMATCH_PAGER": "sed s/^/PAGED:/"})
        for name in ("COLUMNS", "LINES", "NO_COLOR"):
            variables.pop(name, None)
        with subprocess.Popen(
            typematch(*words), stdin=screen, stdout=screen, stderr=screen, env=variables
        ):
            os.close(screen)
            output = b""
            while True:
                try:
                    chunk = os.read(controller, 65_536)
                except OSError:
                    break
                if not chunk:
                    break
                output += chunk
        os.close(controller)
        return output.decode().replace("\r\n", "\n")

    return run


def test_completions_with_control_characters_are_left_out() -> None:
    offered = ["a#b", "a\x1b[2J", "a\u202e", "a\nb", "a\x1ab"]
    assert _Finder().quote_completions(offered, "", None) == ["a#b", "a#b"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize("words", [("search", "kind:function"), ("stats",), ("search", "f --json")])
def test_output_that_cannot_be_written_is_one_line(database: Path, words: tuple[str, ...]) -> None:
    command = typematch(*" ".join(words).split(), "--db", str(database))
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            command, stdout=full, stderr=subprocess.PIPE, text=True, env=environment(), check=False
        )
    assert (done.returncode, len(done.stderr.splitlines())) == (3, 1)
    assert done.stderr.startswith("typematch: the output cannot be written: ")


@pytest.mark.skipif(os.name == "nt", reason="needs a POSIX shell")
def test_closed_output_is_no_error(database: Path) -> None:
    done = subprocess.run(
        ["sh", "-c", '"$@" >&-', "sh", *typematch("search", "frob", "--db", str(database))],
        stderr=subprocess.PIPE, text=True, env=environment(), check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(os.name == "nt", reason="needs POSIX pipes")
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_an_error_document_that_nobody_reads_keeps_its_exit_code(
    unbuffered: str, database: Path
) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = subprocess.run(
            typematch("search", "(", "--json", "--db", str(database)),
            stdout=writer, stderr=subprocess.PIPE, text=True, check=False,
            env=environment({"PYTHONUNBUFFERED": unbuffered}),
        )  # fmt: skip
    finally:
        os.close(writer)
    assert (done.returncode, done.stderr) == (2, "")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_is_no_database(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.db")
    with pytest.raises(NotADatabaseError, match="a device, a pipe or a socket"):
        Catalog(tmp_path / "pipe.db", create=False).search("x")
