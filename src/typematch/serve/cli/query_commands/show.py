"""``typematch show``: everything about one entry."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from typematch.index.text.text_views import Enrichment
from typematch.ir.entry import Entry
from typematch.search.present.references import References
from typematch.search.present.wire_format import show_document
from typematch.serve.cli.arguments import count, parser, read
from typematch.serve.cli.endpoint import call_lines, head, response_lines
from typematch.serve.cli.exit_codes import OK
from typematch.serve.cli.open_catalog import locator, open_catalog
from typematch.serve.cli.printing import print_document, print_pages, standard_output
from typematch.serve.cli.terminal import Terminal

_MORE = """\
examples:
  typematch show lodash#_.chunk
  typematch show chunk             any suffix of an id that means one entry; else they are listed
  typematch show date-fns#format --depth 2        and what its types refer to, and those again

--depth goes through declarations breadth first, each once, as far as --max-tokens has room; cycles,
names that nothing declares and what was left out are told at the end.

exit codes: 0 found, 2 unknown or ambiguous, 3 database"""


def run(words: Sequence[str]) -> int:
    made = parser(
        "show",
        "ID [--depth N] [--max-tokens N] [--json] [--db FILE]",
        "Print one entry: declaration, all overloads, documentation, import statement, place.",
        lambda: _MORE,
    )
    made.add_argument("id", metavar="ID", help="an id as search prints it, or the end of one")
    made.add_argument(
        "--depth", type=count, default=0, metavar="N", help="follow its types so many steps, or all"
    )
    made.add_argument(
        "--max-tokens", type=count, default=4_000, metavar="N", help="room for that, or all"
    )
    arguments = read(made, words)
    with open_catalog(arguments.db) as catalog:
        entry = catalog.get(arguments.id.strip())
        declaration, told = catalog.declaration(entry), catalog.told(entry)
        found = (
            None
            if arguments.depth == 0
            else catalog.references(
                entry.id, depth=arguments.depth, max_tokens=arguments.max_tokens
            )
        )
    if arguments.json:
        print_document(show_document(entry, declaration, told, found))
    else:
        shown = standard_output()
        location = locator(shown, catalog.path)(entry.path)
        parts = [entry_lines(entry, location, declaration, shown), told_lines(told, shown)]
        if found is not None:
            parts.append(reference_lines(found, shown))
        print_pages(chain.from_iterable(parts))
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


def told_lines(told: Enrichment, shown: Terminal) -> Iterator[str]:
    """Yield what a model said of an entry, marked as its words and nobody else's."""
    if told.texts():
        yield ""
        yield shown.style("dim", "a model says:")
        yield from (f"    {text}" for text in told.texts())


def reference_lines(references: References, shown: Terminal) -> Iterator[str]:
    """Yield what an entry refers to, each with what refers to it, and what is not shown."""
    yield ""
    room = "" if references.max_tokens is None else f" of {references.max_tokens:,}"
    noun = "declaration" if len(references.found) == 1 else "declarations"
    counted = f"{len(references.found)} {noun}, {references.tokens:,} tokens{room}"
    yield shown.style("dim", f"refers to: {counted}")
    for one in references.found:
        yield ""
        place = f"{one.path}:{one.line}  " if one.path else ""
        said = f"{one.kind}  {place}{one.depth} from {references.entry.id}, by {one.by}"
        yield f"{shown.style('name', one.id)}  {shown.style('dim', said)}"
        yield from (f"    {shown.code(line)}" for line in one.text.splitlines())
    told = [
        *(f"cycle: {' -> '.join(cycle)}" for cycle in references.cycles),
        *(f"missing: {name}, which {by} refers to" for name, by in references.missing),
    ]
    if references.standard:
        told.append(f"of the language: {', '.join(references.standard)}")
    if references.left_out:
        told.append(f"left out: {references.left_out} more; --max-tokens N gives them room")
    if references.deeper:
        told.append(f"deeper: {references.deeper} more; --depth N goes on to them")
    if told:
        yield ""
        yield from (shown.style("dim", line) for line in told)


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
