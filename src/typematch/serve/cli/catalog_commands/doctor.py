"""``typematch doctor``: is everything there that is needed, and is the file sound?"""

from __future__ import annotations

import os
import platform
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Literal

from typematch.errors import TypematchError
from typematch.search.present.wire_format import doctor_document
from typematch.serve.cli.arguments import parser, read
from typematch.serve.cli.exit_codes import OK, OUTSIDE
from typematch.serve.cli.printing import print_document, print_lines, standard_output
from typematch.serve.cli.terminal import Terminal

_MORE = """\
examples:
  typematch doctor
  typematch doctor --db shipped.db --json

Looks at the SQLite drivers, the extension and the model for vectors, what is installed for servers,
and through the whole database file.  `note` is what something is done without, `bad` what must be
mended.

exit codes: 0 nothing bad, 3 something is"""

_EXTRAS: Mapping[str, tuple[str, ...]] = {
    "server": ("fastapi", "uvicorn"),
    "mcp": ("mcp", "uvicorn"),
}


@dataclass(frozen=True, slots=True)
class Check:
    """What one look found; ``hint`` says how to mend it, where that is needed."""

    state: Literal["ok", "note", "bad"]
    subject: str
    said: str
    hint: str = ""


def run(words: Sequence[str]) -> int:
    made = parser(
        "doctor",
        "[--json] [--db FILE]",
        "Look at drivers, extension, model, installed packages and the database file.",
        lambda: _MORE,
    )
    arguments = read(made, words)
    from typematch import __version__
    from typematch.config import database_path

    database = database_path(arguments.db, os.environ, Path.cwd())
    checks = [*_drivers(), *_model(), *_packages(), *_npm(), *_file(database)]
    if arguments.json:
        print_document(doctor_document(__version__, [asdict(one) for one in checks]))
    else:
        print(
            f"typematch {__version__}, {platform.python_implementation()} "
            f"{platform.python_version()}, {platform.system()} {platform.machine()}"
        )
        print_lines(check_lines(checks, standard_output()))
    return OUTSIDE if any(one.state == "bad" for one in checks) else OK


def check_lines(checks: Sequence[Check], shown: Terminal) -> Iterator[str]:
    styles = {"ok": "dim", "note": "warning", "bad": "bold"}
    width = max(len(one.subject) for one in checks)
    for one in checks:
        state = shown.style(styles[one.state], f"{one.state:<4}")
        yield f"{state}  {one.subject:<{width}}  {one.said}"
        for line in one.hint.splitlines():
            yield f"{'':<{width + 8}}{line}"


def _drivers() -> Iterator[Check]:
    from typematch.index.health import Driver, drivers

    def able(one: Driver) -> str:
        can = (
            ("full text", one.has_fts5),
            ("contentless deletes", one.deletes_contentless),
            ("extensions", one.loads_extensions),
        )
        names = ", ".join(name for name, has in can if has)
        lacks = ", ".join(f"no {name}" for name, has in can if not has)
        return f"{one.name} {one.version}: " + "; ".join(filter(None, (names, lacks)))

    try:
        found = drivers()
    except TypematchError as error:
        yield Check("bad", "driver", error.what, error.hint)
        return
    [used] = [one for one in found if one.is_used]
    if not used.has_fts5:
        yield Check("bad", "driver", able(used), "Install another: pip install pysqlite3")
    else:
        yield Check("ok", "driver", able(used))
    yield from (Check("ok", "other driver", able(one)) for one in found if not one.is_used)
    if used.extension:
        yield Check("ok", "extension", f"sqlite-vec {used.extension}")
    else:
        said = "none: filtered searches by meaning are scored by numpy, which is slower"
        yield Check("note", "extension", said, "It needs a driver that loads extensions.")


def _model() -> Iterator[Check]:
    from typematch.index.vectors.embedding import BUNDLED, open_embedder

    try:
        model = open_embedder()
        model.embed_query("split a list")
    except TypematchError as error:
        yield Check("bad", "model", f"{BUNDLED}: {error.what}", error.hint)
    else:
        yield Check("ok", "model", f"{BUNDLED}, {model.identity.dimension} dimensions")


def _packages() -> Iterator[Check]:
    for extra, packages in _EXTRAS.items():
        try:
            said = ", ".join(f"{package} {version(package)}" for package in packages)
        except PackageNotFoundError as error:
            hint = f"Install it, if it is wanted: pip install 'typematch[{extra}]'"
            yield Check("note", extra, f"{error.name} is not installed", hint)
        else:
            yield Check("ok", extra, said)


def _npm() -> Iterator[Check]:
    found = shutil.which("npm")
    if found:
        yield Check("ok", "npm", found)
    else:
        said = "not installed: npm:NAME cannot be indexed, installed packages can"
        yield Check("note", "npm", said)


def _file(path: Path) -> Iterator[Check]:
    from typematch.index.health import file_health
    from typematch.index.vectors.embedding import open_embedder

    try:
        health = file_health(path)
    except TypematchError as error:
        yield Check("bad", "database", f"{error.where}: {error.what}", error.hint)
        return
    log = f", and {health.log / 1e6:.1f} MB of log" if health.log else ""
    size = f"{health.size / 1e6:.1f} MB{log}"
    yield Check("ok", "database", f"{path}: {size}, {health.entries:,} entries")
    if health.problems:
        hint = "An index is derived data: remove the file and index again."
        yield Check("bad", "file", "; ".join(health.problems), hint)
    elif not health.is_finished:
        hint = "Index again: it goes on where it was.  Searches work, and are slower."
        yield Check("note", "file", "sound, but a run did not come to its end", hint)
    else:
        yield Check("ok", "file", f"sound, journal {health.journal}")
    if health.model is None:
        said = "none: search compares words and types only"
        yield Check("note", "vectors", said, "typematch index makes them.")
        return
    try:
        opened = open_embedder(health.model.name)
        opened.identity.check(health.model)
    except TypematchError as error:
        yield Check("bad", "vectors", f"of {health.model}: {error.what}", error.hint)
        return
    if health.waiting:
        said = f"of {health.model}; {health.waiting:,} texts wait"
        yield Check("note", "vectors", said, "typematch index goes on with them.")
    else:
        yield Check("ok", "vectors", f"of {health.model}")
