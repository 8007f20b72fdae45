"""``typematch show``: prints one entry with its declaration, documentation and references."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

from typematch.index.text.text_fields import Enrichment
from typematch.ir.entry import Entry
from typematch.ir.module import Doc
from typematch.search.present.doc_markup import blocks_text, doc_tags, doc_text, plain_text
from typematch.search.present.references import References
from typematch.serve.cli.arguments import command_parser, parse_arguments, result_count
from typematch.serve.cli.endpoint import call_lines, entry_heading, response_lines
from typematch.serve.cli.exit_codes import OK
from typematch.serve.cli.open_catalog import open_catalog, source_linker
from typematch.serve.cli.printing import print_document, print_pages, standard_output
from typematch.serve.cli.source_links import path_from_here
from typematch.serve.cli.terminal import Terminal
from typematch.serve.show_entry import show_entry

_EPILOG = """\
examples:
  typematch show lodash#_.chunk
  typematch show chunk                            any unambiguous suffix of an id
  typematch show date-fns#format --depth 2        and the types it refers to, two levels deep

--depth follows type references breadth first, each declaration once, within --max-tokens.  Cycles,
missing declarations and omitted ones are listed at the end.

exit codes: 0 found, 2 unknown or ambiguous id, 3 database"""


def run(argv: Sequence[str]) -> int:
    parser = command_parser(
        "show",
        "ID [--depth N] [--max-tokens N] [--json] [--db FILE]",
        "Print one entry: declaration, overloads, documentation, import statement, location.",
        lambda: _EPILOG,
    )
    parser.add_argument("id", metavar="ID", help="id of an entry, or a suffix of one")
    parser.add_argument(
        "--depth",
        type=result_count,
        default=0,
        metavar="N",
        help="levels of type references to follow, or all",
    )
    parser.add_argument(
        "--max-tokens",
        type=result_count,
        default=4_000,
        metavar="N",
        help="limit for --depth, or all (default: 4000)",
    )
    arguments = parse_arguments(parser, argv)
    with open_catalog(arguments.db) as catalog:
        entry = catalog.get(arguments.id.strip())
        references = (
            None
            if arguments.depth == 0
            else catalog.references(
                entry.id, depth=arguments.depth, max_tokens=arguments.max_tokens
            )
        )
        if arguments.json:
            print_document(show_entry(catalog, entry, references))
            return OK
        declaration, enrichment = catalog.declaration(entry), catalog.enrichment(entry)
        links = catalog.doc_links(entry)
    terminal = standard_output()
    location = source_linker(catalog.path)(entry.path)
    sections = [
        entry_lines(entry, location, declaration, terminal),
        link_lines(links, terminal),
        enrichment_lines(enrichment, terminal),
    ]
    if references is not None:
        sections.append(reference_lines(references, terminal))
    print_pages(chain.from_iterable(sections))
    return OK


def entry_lines(entry: Entry, location: str, declaration: str, terminal: Terminal) -> Iterator[str]:
    yield terminal.style("name", entry.id)
    yield f"    {entry_heading(entry)}{_modifiers(entry)}"
    shown = path_from_here(entry.path, location)
    yield "    " + terminal.link(f"{shown}:{entry.line}", location, entry.line)
    if entry.import_statement:
        yield f"    {terminal.code(entry.import_statement)}"
    for alias in entry.aliases:
        yield f"    also exported as {alias}"
    yield from (f"    {line}" for line in call_lines(entry))
    yield ""
    yield from (terminal.code(line) for line in declaration.splitlines())
    if entry.endpoint is not None and entry.endpoint.responses:
        yield ""
        for line in response_lines(entry):
            yield from line.splitlines()
    if text := plain_text(doc_text(entry.doc)):
        yield ""
        yield from text.splitlines()
    yield from _tags(entry.doc)
    if not entry.deprecated:
        yield from _deprecated_overloads(entry)


def link_lines(links: Mapping[str, str], terminal: Terminal) -> Iterator[str]:
    """Yield the ids of the entries that the documentation names."""
    if links:
        yield ""
        ids = dict.fromkeys(links.values())
        yield f"see {', '.join(terminal.style('name', id_) for id_ in ids)}"


def enrichment_lines(enrichment: Enrichment, terminal: Terminal) -> Iterator[str]:
    """Yield a model's description of an entry, marked as such."""
    if enrichment.texts():
        yield ""
        yield terminal.style("dim", "described by a model:")
        yield from (f"    {line}" for text in enrichment.texts() for line in text.splitlines())


def reference_lines(references: References, terminal: Terminal) -> Iterator[str]:
    """Yield the declarations an entry refers to, then cycles, missing and omitted ones."""
    yield ""
    budget = "" if references.max_tokens is None else f" of {references.max_tokens:,}"
    noun = "declaration" if len(references.declarations) == 1 else "declarations"
    counted = f"{len(references.declarations)} {noun}, {references.tokens:,} tokens{budget}"
    yield terminal.style("dim", f"refers to: {counted}")
    for declaration in references.declarations:
        yield ""
        location = f"{declaration.path}:{declaration.line}  " if declaration.path else ""
        path = f"{declaration.depth} from {references.entry.id}, by {declaration.referenced_by}"
        details = f"{declaration.kind}  {location}{path}"
        yield f"{terminal.style('name', declaration.id)}  {terminal.style('dim', details)}"
        yield from (f"    {terminal.code(line)}" for line in declaration.text.splitlines())
    omissions = [
        *(f"cycle: {' -> '.join(cycle)}" for cycle in references.cycles),
        *(f"missing: {name}, referenced by {by}" for name, by in references.missing),
    ]
    if references.standard:
        omissions.append(f"standard library: {', '.join(references.standard)}")
    if references.omitted:
        omissions.append(f"omitted: {references.omitted} more; raise --max-tokens to include them")
    if references.beyond_depth:
        omissions.append(f"deeper: {references.beyond_depth} more; raise --depth to include them")
    if omissions:
        yield ""
        yield from (terminal.style("dim", line) for line in omissions)


def _modifiers(entry: Entry) -> str:
    modifiers = [
        "" if entry.exported else "internal",
        "" if entry.visibility == "public" else entry.visibility,
        "static" if entry.static else "",
        "async" if entry.is_async else "",
        "generator" if entry.is_generator else "",
        "result inferred" if entry.inferred else "",
    ]
    return "".join(f", {modifier}" for modifier in modifiers if modifier)


def _deprecated_overloads(entry: Entry) -> Iterator[str]:
    for number, signature in enumerate(entry.signatures, start=1):
        if signature.deprecation is not None:
            yield ""
            text = f"overload {number} deprecated {plain_text(signature.deprecation)}"
            yield from text.rstrip().splitlines()


def _tags(doc: Doc | None) -> Iterator[str]:
    if doc is not None and doc.deprecated is not None:
        yield ""
        yield from f"deprecated {plain_text(doc.deprecated)}".rstrip().splitlines()
    tags = doc_tags(doc)
    if tags:
        yield ""
    for tag in tags:
        head = f"@{tag.tag} {tag.name}".rstrip()
        text = blocks_text(tag.blocks)
        separator = "\n" if text.startswith(" ") else " "
        yield from f"{head}{separator}{text}".rstrip().splitlines()
