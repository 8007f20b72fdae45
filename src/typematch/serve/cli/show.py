"""``typematch show``: everything about one entry."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from typematch.ir.entry import Entry
from typematch.search.results import show_document
from typematch.serve.cli import OK
from typematch.serve.cli.arguments import parser, read
from typematch.serve.cli.endpoint import call_lines, head, response_lines
from typematch.serve.cli.opening import locator, open_catalog
from typematch.serve.cli.printing import print_document, print_lines, standard_output
from typematch.serve.cli.terminal import Terminal

_MORE = """\
examples:
  typematch show lodash#_.chunk
  typematch show chunk             any suffix of an id that means one entry; else they are listed

exit codes: 0 found, 2 unknown or ambiguous, 3 database"""


def run(words: Sequence[str]) -> int:
    made = parser(
        "show",
        "ID [--json] [--db FILE]",
        "Print one entry: declaration, all overloads, documentation, import statement, place.",
        lambda: _MORE,
    )
    made.add_argument("id", metavar="ID", help="an id as search prints it, or the end of one")
    arguments = read(made, words)
    with open_catalog(arguments.db) as catalog:
        entry = catalog.get(arguments.id.strip())
        declaration = catalog.declaration(entry)
    if arguments.json:
        print_document(show_document(entry, declaration))
    else:
        shown = standard_output()
        location = locator(shown, catalog.path)(entry.path)
        print_lines(entry_lines(entry, location, declaration, shown))
    return OK


def entry_lines(entry: Entry, location: str, declaration: str, shown: Terminal) -> Iterator[str]:
    yield shown.style("name", entry.id)
    yield f"    {head(entry)}{_marks(entry)}"
    yield "    " + shown.link(f"{entry.path}:{entry.line}", location, entry.line)
    if entry.import_statement:
        yield f"    {shown.code(entry.import_statement)}"
    for alias in entry.aliases:
        yield f"    also exported as {alias}"
    yield from (f"    {line}" for line in call_lines(entry))
    yield ""
    yield from (shown.code(line) for line in declaration.splitlines())
    if entry.endpoint is not None and entry.endpoint.responses:
        yield ""
        yield from response_lines(entry)
    if entry.doc and entry.doc.text:
        yield ""
        yield from entry.doc.text.splitlines()
    if entry.doc:
        yield from _tags(entry)


def _marks(entry: Entry) -> str:
    marks = [
        "" if entry.exported else "internal",
        "" if entry.visibility == "public" else entry.visibility,
        "static" if entry.static else "",
        "async" if entry.is_async else "",
        "generator" if entry.is_generator else "",
        "result inferred" if entry.inferred else "",
    ]
    return "".join(f", {mark}" for mark in marks if mark)


def _tags(entry: Entry) -> Iterator[str]:
    if entry.doc is None:
        return
    if entry.doc.deprecated is not None:
        yield ""
        yield f"deprecated {entry.doc.deprecated}".rstrip()
    if entry.doc.tags:
        yield ""
        for name, text in entry.doc.tags:
            yield f"@{name} {text}".rstrip()
