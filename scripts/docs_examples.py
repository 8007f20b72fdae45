"""Runs the examples of the documents, and writes or compares their output.

    python scripts/docs_examples.py                          # compare every document under docs/
    python scripts/docs_examples.py --write docs/costs.md    # write the output into the document
    python scripts/docs_examples.py --packages README.md     # also documents that need npm packages

A document starts with a comment that names what its examples search:

    <!-- catalog: fixtures/toolbox fixtures/petshop -->      folders and files of this repository
    <!-- packages: lodash@4.18.1 rxjs@7.8.2 -->              packages from npm, exact versions

They are indexed into a new database, which TYPEMATCH_DB names.  Blocks fenced as ``console`` hold
command lines that start with ``$ ``, each followed by its output; they run in the repository root.
Blocks fenced as ``pycon`` are run by doctest.  Other blocks are not run.

On a slow machine a search may end at its time limit.  The notice of that is left out, and the total
counts as whole; hits that differ still count as a difference.

Exit code 1: the output of a document is out of date; the difference is printed.
"""

from __future__ import annotations

import argparse
import contextlib
import difflib
import doctest
import io
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
_SOURCES = re.compile(r"^<!-- (catalog|packages): (.+?) -->$", re.MULTILINE)
_TIME_NOTICE = re.compile(r"^Note: The search ended after [\d.]+ s; .*\n", re.MULTILINE)
_BLOCK = re.compile(r"^```(console|pycon)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class ExampleError(Exception):
    """A command that prepares the examples failed; its output is the message."""


def documents() -> list[Path]:
    """Return the documents whose examples need nothing but this repository."""
    return sorted((ROOT / "docs").glob("*.md"))


def rewritten(text: str, environment: Mapping[str, str]) -> str:
    """Return the document with the output of its examples replaced by what they print now."""

    def block(match: re.Match[str]) -> str:
        run = _console if match[1] == "console" else _doctest
        return f"```{match[1]}\n{run(match[2], environment)}```"

    return _BLOCK.sub(block, text)


def _console(block: str, environment: Mapping[str, str]) -> str:
    lines = []
    for line in block.splitlines():
        if line.startswith("$ "):
            lines.append(line)
            lines += [printed.rstrip() for printed in _run(line[2:], environment)]
    return "\n".join(lines).replace("\n\n\n", "\n\n").rstrip("\n") + "\n"


def _run(command: str, environment: Mapping[str, str]) -> list[str]:
    done = subprocess.run(
        ["sh", "-c", command],
        cwd=ROOT,
        env=dict(environment),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    lines = without_time_limit(done.stdout).rstrip("\n").splitlines()
    return [*lines, ""] if lines else []


def without_time_limit(printed: str) -> str:
    """Return what a search prints that its time limit did not end."""
    whole, notices = _TIME_NOTICE.subn("", printed)
    return whole.replace(" of at least ", " of ") if notices else printed


def _doctest(block: str, environment: Mapping[str, str]) -> str:
    """Return the block with the results that Python gives now."""
    examples = doctest.DocTestParser().get_examples(block)
    scope: dict[str, object] = {"__name__": "__main__"}
    lines: list[str] = []
    with _working_environment(environment):
        for example in examples:
            source = example.source.rstrip("\n").splitlines()
            lines += [f">>> {source[0]}", *(f"... {line}" for line in source[1:])]
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed):
                exec(compile(example.source, "<example>", "single"), scope)
            lines += printed.getvalue().splitlines()
    return "\n".join(lines) + "\n"


@contextlib.contextmanager
def _working_environment(environment: Mapping[str, str]) -> Iterator[None]:
    before, folder = dict(os.environ), Path.cwd()
    os.environ.update(environment)
    os.chdir(ROOT)
    try:
        yield
    finally:
        os.chdir(folder)
        os.environ.clear()
        os.environ.update(before)


def needs_packages(text: str) -> bool:
    return any(kind == "packages" for kind, _ in _SOURCES.findall(text))


@contextlib.contextmanager
def environment_for(text: str) -> Iterator[dict[str, str]]:
    """Index what the document names; yield the environment in which its examples run.

    Raises:
        ExampleError: npm or ``typematch index`` failed.
    """
    with tempfile.TemporaryDirectory() as folder:
        environment = {
            **{key: value for key, value in os.environ.items() if not key.startswith("TYPEMATCH")},
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}",
            "TYPEMATCH_DB": str(Path(folder) / "typematch.db"),
            "COLUMNS": "120",
            "NO_COLOR": "1",
        }
        for kind, names in _SOURCES.findall(text):
            paths = names.split()
            if kind == "packages":
                npm = ["npm", "install", "--ignore-scripts", "--no-audit", "--no-fund"]
                _prepare([*npm, "--no-package-lock", "--silent", *paths], Path(folder), environment)
                paths = [folder]
            index = [sys.executable, "-m", "typematch", "index", *paths]
            _prepare(index, ROOT, environment)
        yield environment


def _prepare(command: Sequence[str], folder: Path, environment: Mapping[str, str]) -> None:
    if "npm" in command and not (folder / "package.json").exists():
        (folder / "package.json").write_text('{"private": true}', encoding="utf-8")
    done = subprocess.run(
        command, cwd=folder, env=dict(environment), capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise ExampleError(f"{' '.join(command)}\n{done.stdout}{done.stderr}")


def check(path: Path, *, write: bool) -> str:
    """Return the difference between a document and what its examples print; "" for none."""
    text = path.read_text(encoding="utf-8")
    with environment_for(text) as environment:
        now = rewritten(text, environment)
    if write:
        path.write_text(now, encoding="utf-8")
        return ""
    lines = difflib.unified_diff(
        text.splitlines(), now.splitlines(), path.name, "now", lineterm="", n=1
    )
    return "\n".join(lines)


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("documents", nargs="*", type=Path, help="all of docs/ if none is named")
    parser.add_argument("--write", action="store_true", help="write the output, do not compare")
    parser.add_argument("--packages", action="store_true", help="also documents that need npm")
    options = parser.parse_args(argv)
    outdated = False
    for path in options.documents or documents():
        if needs_packages(path.read_text(encoding="utf-8")) and not options.packages:
            print(f"{path.name}: needs npm packages, skipped (--packages)", file=sys.stderr)
            continue
        difference = check(path, write=options.write)
        if difference:
            outdated = True
            print(f"{difference}\nRun: python scripts/docs_examples.py --write {path}")
    return int(outdated)


if __name__ == "__main__":
    sys.exit(main())
