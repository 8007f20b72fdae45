"""Finds the entries of a catalog in Markdown, YAML or JSON.

In YAML and JSON an entry is a mapping, and a file holds one, a list of them, or a list under
``services``:

    name: Currency conversion
    description: Converts amounts at the rates of the day.
    version: 1.2.0                      # may be left out, like tags
    tags: [finance]
    interface: |
      interface CurrencyConversion {
        convert(amount: number, from: string, to: string): Promise<number>;
      }

In Markdown the interface is a fenced block of ``ts`` or ``typescript``, and the prose is the rest.
The name is the first heading, unless the front matter has one (and a version, and tags).  A file
with several such blocks has several entries, each under its own heading.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import Field

from typematch.sources.openapi.loading import DocumentError, Loaded, Pointer, load
from typematch.sources.openapi.models import DocumentPart, ShapeError, checked

_FRONT_MATTER = re.compile(r"\A---[ \t]*\n(.*?\n)---[ \t]*(?:\n|\Z)", re.DOTALL)
_INTERFACE = re.compile(r"^\s*(?:export\s+)?(?:declare\s+)?interface\s", re.MULTILINE)
_LANGUAGES = frozenset(("ts", "typescript", "mts", "tsx"))


@dataclass(frozen=True, slots=True)
class CatalogEntry:
    """An entry of a catalog.

    Attributes:
        code: TypeScript; it begins at ``line`` of the file, counted from 1.
        has_file_lines: whether the lines of the code are lines of the file.
        location: of the entry in its file, for messages; empty if it is the whole file.
    """

    name: str
    prose: str
    code: str
    line: int
    has_file_lines: bool = True
    version: str = ""
    tags: tuple[str, ...] = ()
    location: str = ""


class _EntryModel(DocumentPart):
    name: str = Field(min_length=1)
    description: str = ""
    interface: str = Field(min_length=1)
    version: str = ""
    tags: tuple[str, ...] = ()


class _FrontMatter(DocumentPart):
    name: str = ""
    description: str = ""
    version: str = ""
    tags: tuple[str, ...] = ()


def is_catalog(value: Any) -> bool:
    """Return whether a value read from YAML or JSON is an entry, or contains a list of entries."""
    return any("interface" in item for _, item in _entry_mappings(value))


def from_values(loaded: Loaded) -> tuple[list[CatalogEntry], list[str]]:
    """Return the entries of a YAML or JSON file, and the problems of the invalid ones."""
    found: list[CatalogEntry] = []
    problems: list[str] = []
    for at, value in _entry_mappings(loaded.value):
        where = f"#/{'/'.join(at)}" if at else ""
        try:
            entry = checked(_EntryModel, value)
        except ShapeError as error:
            name = value.get("name")
            name_text = f" ({name})" if isinstance(name, str) else ""
            problems.append(f"{where or '#'}{name_text}: {error}; this entry is left out")
            continue
        line = loaded.lines.get((*at, "interface"), 1)
        in_place = not loaded.is_json and "\n" in entry.interface.strip()
        line += in_place  # a block of several lines begins below its key
        prose, code = entry.description, entry.interface
        found.append(
            CatalogEntry(entry.name, prose, code, line, in_place, entry.version, entry.tags, where)
        )
    return found, problems


def _entry_mappings(value: Any) -> Iterator[tuple[Pointer, Mapping[str, Any]]]:
    at: Pointer = ()
    if isinstance(value, dict) and isinstance(value.get("services"), list):
        at, value = ("services",), value["services"]
    if isinstance(value, dict):
        yield at, value
    for position, item in enumerate(value if isinstance(value, list) else ()):
        if isinstance(item, dict):
            yield (*at, str(position)), item


# Markdown -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Block:
    """A heading or a code block: lines ``first`` (counted from 0) to ``end``, exclusive."""

    kind: str
    first: int
    end: int
    text: str


def from_markdown(text: str) -> list[CatalogEntry]:
    """Return the entries of a Markdown file.

    Raises:
        DocumentError: an entry has no name, or no code block has an interface.
    """
    text = text.replace("\r\n", "\n")
    front, skipped = _front_matter(text)
    lines = text.splitlines()
    blocks = list(_blocks("\n" * skipped + "\n".join(lines[skipped:])))
    interfaces = [
        block for block in blocks if block.kind == "code" and _INTERFACE.search(block.text)
    ]
    headings = [block for block in blocks if block.kind == "heading"]
    if not interfaces:
        raise DocumentError("no fenced block of ts or typescript has an interface")
    if front.name or len(interfaces) == 1:
        name = front.name or (headings[0].text if headings else "")
        if not name:
            raise DocumentError("the entry has no name: write a heading or `name` in front matter")
        title = [heading for heading in headings[:1] if heading.text == name]
        return [_entry(name, front, lines, blocks, skipped, len(lines), title)]
    starts: list[_Block] = []
    for interface in interfaces:
        above = [heading for heading in headings if heading.first < interface.first]
        if not above:
            raise DocumentError(f"the interface at line {interface.first + 1} has no heading")
        if above[-1] not in starts:
            starts.append(above[-1])
    ends = [start.first for start in starts[1:]] + [len(lines)]
    return [
        _entry(start.text, front, lines, blocks, start.first, end, [start])
        for start, end in zip(starts, ends, strict=True)
    ]


def _front_matter(text: str) -> tuple[_FrontMatter, int]:
    """Return the front matter and its number of lines."""
    match = _FRONT_MATTER.match(text)
    if match is None:
        return _FrontMatter(), 0
    value = load(match[1].encode(), "front.yaml").value if match[1].strip() else {}
    try:
        return checked(_FrontMatter, value), match[0].count("\n")
    except ShapeError as error:
        raise DocumentError(f"the front matter cannot be read: {error}") from error


def _blocks(text: str) -> Iterator[_Block]:
    from markdown_it import MarkdownIt

    tokens = MarkdownIt("commonmark").parse(text)
    for position, token in enumerate(tokens):
        if token.map is None:
            continue
        first, behind = token.map
        if token.type == "heading_open":
            yield _Block("heading", first, behind, tokens[position + 1].content)
        elif token.type == "fence":
            language = token.info.strip().split(" ")[0].lower()
            kind = "code" if language in _LANGUAGES else "other"
            yield _Block(kind, first, behind, token.content)


def _entry(
    name: str,
    front: _FrontMatter,
    lines: Sequence[str],
    blocks: Sequence[_Block],
    first: int,
    behind: int,
    title: Sequence[_Block],
) -> CatalogEntry:
    """Return the entry of some lines; its code keeps its line numbers."""
    code = [""] * (behind - first)
    left_out: set[int] = set()
    for block in blocks:
        if block in title:
            left_out.update(range(block.first, block.end))
        if block.kind == "code" and first <= block.first < behind:
            left_out.update(range(block.first, block.end))
            inside = block.text.splitlines()
            start = block.first - first + 1
            code[start : start + len(inside)] = inside
    prose = "\n".join(lines[n] for n in range(first, behind) if n not in left_out).strip()
    description = "\n\n".join(text for text in (front.description.strip(), prose) if text)
    where = "" if first == 0 or front.name else f"line {first + 1}"
    folded_name = " ".join(name.split())
    return CatalogEntry(
        folded_name, description, "\n".join(code), first + 1, True, front.version, front.tags, where
    )
