"""Writes the tables of the documents that come from the code.

    python scripts/docs_tables.py           # rewrite the documents
    python scripts/docs_tables.py --check   # exit code 1 if a document would change

A table stands between ``<!-- NAME -->`` and ``<!-- end NAME -->``, in any document of docs/:
``facets`` (the query's facets), ``edits`` (the kinds of edits and their costs), ``tables`` (the
tables of the database file), ``commands`` (the help of every command), ``weights`` (of channels, by
sort of query), ``priors`` (factors by kind of entry).
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from pathlib import Path

from typematch.match.edit_kinds import EDIT_KINDS
from typematch.query.model import FACETS
from typematch.search.score.weights import WEIGHTS
from typematch.serve.cli.main import COMMANDS
from typematch.serve.cli.main import main as run_command

DOCUMENTS = Path(__file__).resolve().parent.parent / "docs"
_HELP_WIDTH = "100"  # columns
_MAX_COLUMNS = 30  # shown of a database table


def facets() -> str:
    """Return the facet table."""
    rows = ["| facet | values | an entry matches by |", "|---|---|---|"]
    rows += [
        f"| `{facet.key}:` | {_code(facet.values)} | {facet.help} |" for facet in FACETS.values()
    ]
    return "\n".join(rows)


def edits() -> str:
    """Return the table of edits, cheapest first."""
    rows = ["| edit | cost | explanation |", "|---|---|---|"]
    for kind in EDIT_KINDS:
        cost = f"{kind.cost}" + (f", +{kind.step_cost} each" if kind.step_cost else "")
        sentence = kind.sentence.format(a="A", b="B", path="PATH")
        rows.append(f"| `{kind.name}` | {cost} | {sentence} |")
    return "\n".join(rows)


def tables() -> str:
    """Return the tables of the database file: contents and columns, in the order of the schema."""
    from typematch.index.schema import metadata

    rows = ["| table | contents | columns |", "|---|---|---|"]
    for table in metadata.tables.values():
        names = [column.name for column in table.columns]
        columns = " ".join(f"`{name}`" for name in names[:_MAX_COLUMNS])
        more = f" and {len(names) - _MAX_COLUMNS} more" if len(names) > _MAX_COLUMNS else ""
        rows.append(f"| `{table.name}` | {table.comment} | {columns}{more} |")
    return "\n".join(rows)


def commands() -> str:
    """Return a section for each command: what its ``--help`` prints."""
    return "\n\n".join(
        f"## typematch {name}\n\n```text\n{_help(name)}\n```" for name in sorted(COMMANDS)
    )


def _help(command: str) -> str:
    printed, before = io.StringIO(), os.environ.get("COLUMNS")
    os.environ["COLUMNS"] = _HELP_WIDTH
    try:
        with contextlib.redirect_stdout(printed):
            run_command([command, "--help"])
    finally:
        if before is None:
            del os.environ["COLUMNS"]
        else:
            os.environ["COLUMNS"] = before
    return "\n".join(line.rstrip() for line in printed.getvalue().rstrip().splitlines())


def weights() -> str:
    """Return the weights of the channels, a row for each sort of query."""
    channels = ("structural", "lexical", "dense", "terms", "package")
    rows = [
        f"| query | {' | '.join(f'`{name}`' for name in channels)} |",
        "|---" * (1 + len(channels)) + "|",
    ]
    for sort, its in WEIGHTS.channels.items():
        cells = (f"{its[name]:g}" if name in its else "" for name in channels)
        rows.append(f"| {sort} | {' | '.join(cells)} |")
    return "\n".join(rows)


def priors() -> str:
    """Return the factors of scores, by what an entry is."""
    rows = ["| an entry that is | factor |", "|---|---|"]
    for prior in fields(WEIGHTS.priors):
        name = prior.name.rstrip("_").replace("_", " ")
        rows.append(f"| {name} | {getattr(WEIGHTS.priors, prior.name):g} |")
    return "\n".join(rows)


def _code(values: str) -> str:
    return ", ".join(f"`{value}`".replace("|", "\\|") for value in values.split(", "))


TABLES: Mapping[str, Callable[[], str]] = {
    "facets": facets,
    "edits": edits,
    "tables": tables,
    "commands": commands,
    "weights": weights,
    "priors": priors,
}


def rewritten(text: str) -> str:
    """Return the document with each table between its markers written anew."""
    for name, table in TABLES.items():
        before, after = f"<!-- {name} -->\n", f"\n<!-- end {name} -->"
        start = text.find(before)
        end = text.find(after, start)
        if start >= 0 and end >= 0:
            text = f"{text[: start + len(before)]}{table()}{text[end:]}"
    return text


def main(argv: Sequence[str] | None = None) -> int:
    """Rewrite or check the documents; return the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="change nothing")
    options = parser.parse_args(argv)
    outdated = []
    for path in sorted(DOCUMENTS.glob("*.md")):
        old = path.read_text(encoding="utf-8")
        new = rewritten(old)
        if new != old:
            outdated.append(path.name)
            if not options.check:
                path.write_text(new, encoding="utf-8")
    if options.check and outdated:
        print(f"out of date: {', '.join(outdated)}; run python scripts/docs_tables.py")
    return int(options.check and bool(outdated))


if __name__ == "__main__":
    sys.exit(main())
