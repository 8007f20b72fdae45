"""``typematch doctor``: checks the installation and the integrity of the database file."""

from __future__ import annotations

import os
import platform
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from typematch.errors import TypematchError, index_again
from typematch.search.present.wire_format import doctor_document
from typematch.serve.cli.arguments import command_parser, parse_arguments
from typematch.serve.cli.exit_codes import OK, OUTSIDE
from typematch.serve.cli.printing import print_document, print_lines, standard_output
from typematch.serve.cli.terminal import Terminal

if TYPE_CHECKING:
    from typematch.config import Location
    from typematch.index.damage import Damage

_MAX_LISTED = 20  # packages
_MAX_MESSAGES = 3
_EPILOG = """\
examples:
  typematch doctor
  typematch doctor --db shipped.db --json

Checks the SQLite drivers, the vector extension, the embedding model, the packages for servers, npm,
and the whole database file.  Each check is `ok`, `note` (an optional part is missing) or `bad` (it
must be fixed; a hint says how).

exit codes: 0 no bad check, 3 a bad check"""

_EXTRAS: Mapping[str, tuple[str, ...]] = {
    "server": ("fastapi", "uvicorn"),
    "mcp": ("mcp", "uvicorn"),
    "postgres": ("psycopg",),
}


@dataclass(frozen=True, slots=True)
class Check:
    """Result of a check; ``hint`` says how to fix a problem."""

    state: Literal["ok", "note", "bad"]
    subject: str
    message: str
    hint: str = ""


def run(argv: Sequence[str]) -> int:
    parser = command_parser(
        "doctor",
        "[--json] [--db FILE]",
        "Check the installation and the database file.",
        lambda: _EPILOG,
    )
    arguments = parse_arguments(parser, argv)
    from typematch import __version__
    from typematch.config import database_path

    database = database_path(arguments.db, os.environ, Path.cwd())
    checks = [*_drivers(), *_model(), *_packages(), *_npm(), *_file(database)]
    if arguments.json:
        print_document(doctor_document(__version__, [asdict(check) for check in checks]))
    else:
        print(
            f"typematch {__version__}, {platform.python_implementation()} "
            f"{platform.python_version()}, {platform.system()} {platform.machine()}"
        )
        print_lines(check_lines(checks, standard_output()))
    return OUTSIDE if any(check.state == "bad" for check in checks) else OK


def check_lines(checks: Sequence[Check], terminal: Terminal) -> Iterator[str]:
    styles = {"ok": "dim", "note": "warning", "bad": "bold"}
    width = max(len(check.subject) for check in checks)
    for check in checks:
        state = terminal.style(styles[check.state], f"{check.state:<4}")
        yield f"{state}  {check.subject:<{width}}  {check.message}"
        for line in check.hint.splitlines():
            yield f"{'':<{width + 8}}{line}"


def _drivers() -> Iterator[Check]:
    from typematch.index.health import DriverInfo, drivers

    def driver_text(driver: DriverInfo) -> str:
        features = (
            ("full text", driver.has_fts5),
            ("contentless deletes", driver.deletes_contentless),
            ("extensions", driver.loads_extensions),
        )
        present = ", ".join(name for name, is_supported in features if is_supported)
        absent = ", ".join(f"no {name}" for name, is_supported in features if not is_supported)
        return f"{driver.name} {driver.version}: " + "; ".join(filter(None, (present, absent)))

    try:
        available = drivers()
    except TypematchError as error:
        yield Check("bad", "driver", error.what, error.hint)
        return
    [used] = [driver for driver in available if driver.is_used]
    if not used.has_fts5:
        yield Check(
            "bad", "driver", driver_text(used), "Install another driver: pip install pysqlite3"
        )
    else:
        yield Check("ok", "driver", driver_text(used))
    yield from (
        Check("ok", "other driver", driver_text(driver))
        for driver in available
        if not driver.is_used
    )
    if used.extension:
        yield Check("ok", "extension", f"sqlite-vec {used.extension}")
    else:
        message = "none: filtered vector searches use numpy, which is slower"
        yield Check("note", "extension", message, "Use a driver that loads extensions.")


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
            versions = ", ".join(f"{package} {version(package)}" for package in packages)
        except PackageNotFoundError as error:
            hint = f"To use it, install: pip install 'typematch[{extra}]'"
            yield Check("note", extra, f"{error.name} is not installed", hint)
        else:
            yield Check("ok", extra, versions)


def _npm() -> Iterator[Check]:
    path = shutil.which("npm")
    if path:
        yield Check("ok", "npm", path)
    else:
        message = "not installed: npm:NAME cannot be indexed; installed packages can"
        yield Check("note", "npm", message)


def _damage(damage: Damage) -> str:
    """Return what is damaged, the packages it concerns, and the first messages."""
    parts = ", ".join(damage.parts) or "contents"
    unreadable = damage.unreadable
    which = f"; not readable: {', '.join(unreadable[:_MAX_LISTED])}" if unreadable else ""
    if len(unreadable) > _MAX_LISTED:
        which += f" and {len(unreadable) - _MAX_LISTED:,} more"
    return f"damaged: {parts}{which} ({'; '.join(damage.messages[:_MAX_MESSAGES])})"


def _file(path: Location) -> Iterator[Check]:
    from typematch.config import embedding_model
    from typematch.index.health import file_health
    from typematch.index.vectors.embedding import open_stored_embedder

    try:
        health = file_health(path)
    except TypematchError as error:
        yield Check("bad", "database", f"{error.where}: {error.what}", error.hint)
        return
    log = f" + {health.log / 1e6:.1f} MB of log" if health.log else ""
    size = f"{health.size / 1e6:.1f} MB{log}"
    if health.damage is not None:
        yield Check("ok", "database", f"{path}: {size}")
        yield Check("bad", "file", _damage(health.damage), index_again(health.damage.packages))
        return
    yield Check("ok", "database", f"{path}: {size}, {health.entries:,} entries")
    if not health.is_finished:
        hint = "Index again to resume it.  Until then searches work, but are slower."
        yield Check("note", "file", "intact, but an index run did not finish", hint)
    else:
        yield Check("ok", "file", f"intact, {health.journal}")
    if health.model is None:
        message = "none: search uses words and types only"
        yield Check("note", "vectors", message, "Run typematch index to create them.")
        return
    try:
        embedder = open_stored_embedder(health.model, embedding_model(os.environ))
        embedder.identity.check(health.model)
    except TypematchError as error:
        yield Check("bad", "vectors", f"model {health.model}: {error.what}", error.hint)
        return
    if health.texts_without_vector:
        count = health.texts_without_vector
        message = f"model {health.model}; {count:,} texts have no vector yet"
        yield Check("note", "vectors", message, "Run typematch index to create them.")
    else:
        yield Check("ok", "vectors", f"model {health.model}")
