"""Documentation as text for terminal and agents, and its tags.

``doc_reader`` reads the markup; ``plain_text`` and ``plain_line`` are what it reads, as text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from typematch.ir.module import Doc
from typematch.search.present.doc_reader import DocBlock, DocSpan, doc_blocks, has_markup

_PROSE_TAGS = ("summary", "description", "desc")
_BRACED_TYPE = re.compile(r"^\{[^{}@]*\}\s*")
_CAPTION = re.compile(r"^\s*</?caption>.*\n?")


@dataclass(frozen=True, slots=True)
class DocTag:
    """A tag of JSDoc; ``name`` is the parameter that ``param`` documents, else empty."""

    tag: str
    name: str
    blocks: tuple[DocBlock, ...]


def doc_text(doc: Doc | None) -> str:
    """Return the prose of a comment, or of the tags that hold it; empty if there is none."""
    if doc is None or doc.text:
        return doc.text if doc else ""
    return "\n\n".join(text for _, text in _prose_tags(doc))


def summary_line(doc: Doc | None) -> str:
    """Return the first sentence of a documentation as one line of text."""
    if doc is None:
        return ""
    return plain_line(doc.summary or next((text for _, text in _prose_tags(doc)), ""))


def doc_tags(doc: Doc | None) -> tuple[DocTag, ...]:
    """Return the tags of a comment, without those that ``doc_text`` returns."""
    if doc is None:
        return ()
    others = set(doc.tags) - set(_prose_tags(doc))
    return tuple(_doc_tag(name, text) for name, text in doc.tags if (name, text) in others)


def _prose_tags(doc: Doc) -> list[tuple[str, str]]:
    return [] if doc.text else [tag for tag in doc.tags if tag[0] in _PROSE_TAGS]


def _doc_tag(tag: str, text: str) -> DocTag:
    text = _BRACED_TYPE.sub("", text)
    if tag == "example" and "```" not in text:
        code = _CAPTION.sub("", text).strip("\n")
        return DocTag(tag, "", (DocBlock("code", (DocSpan("code", code),)),) if code else ())
    if tag not in ("param", "arg", "argument"):
        return DocTag(tag, "", doc_blocks(text))
    name, _, description = text.partition(" ")
    name = name.strip("[]").partition("=")[0]
    return DocTag("param", name, doc_blocks(description.lstrip("- ")))


@lru_cache(maxsize=1_000)  # the searches of a session show many entries again
def plain_text(text: str) -> str:
    """Return a documentation as lines of text."""
    return blocks_text(doc_blocks(text))


def blocks_text(blocks: Iterable[DocBlock]) -> str:
    """Return blocks as lines of text."""
    lines: list[str] = []
    before: DocBlock | None = None
    for block in blocks:
        is_list = before is not None and before.kind == "item" and block.kind == "item"
        if before is not None and not is_list:
            lines.append("")
        lines += _plain_lines(block)
        before = block
    return "\n".join(lines)


def plain_line(text: str) -> str:
    """Return a documentation, or the first sentence of one, as one line of text."""
    if not has_markup(text):
        return text.strip()
    return " ".join(" ".join(map(_plain_spans, doc_blocks(text))).split())


def _plain_lines(block: DocBlock) -> Iterator[str]:
    text = _plain_spans(block)
    if block.kind == "code":
        yield from (f"    {line}".rstrip() for line in text.splitlines())
        return
    indent = "  " * max(0, block.depth - (block.kind == "item"))
    head = f"{block.marker} " if block.kind == "item" else "> " if block.kind == "quote" else ""
    first, *rest = text.splitlines() or [""]
    yield f"{indent}{head}{first}"
    yield from (f"{indent}{' ' * len(head)}{line}" for line in rest)


def _plain_spans(block: DocBlock) -> str:
    if block.kind == "code":
        return block.spans[0].text
    return "".join(_plain_span(span) for span in block.spans).strip()


def _plain_span(span: DocSpan) -> str:
    if span.kind == "code":
        return f"`{span.text}`"
    if span.kind == "link" and span.target != span.text:
        return f"{span.text} ({span.target})"
    return span.text
