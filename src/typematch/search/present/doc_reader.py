"""Reads documentation, Markdown with JSDoc's inline tags, as blocks of spans.

Images and HTML are left out, but not what looks like a type (``Promise<string>``); links lead to
web addresses only; ``{@link name}`` is a reference.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Literal, TypeAlias
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_inline import StateInline
    from markdown_it.token import Token

SpanKind: TypeAlias = Literal["text", "code", "strong", "emphasis", "link", "reference"]
BlockKind: TypeAlias = Literal["paragraph", "heading", "item", "code", "quote"]

_MAX_LENGTH = 100_000  # characters of a documentation that is read
# Texts without any of these are plain.
_MARKUP = re.compile(
    r"[`*_<>\[\]{}&!\\#|~\n]|^\s*(?:[-+]|\d+[.)])\s|^ {4}|^\s*=+\s*$", re.MULTILINE
)
_JSDOC_LINK = re.compile(
    r"(?:\[(?P<before>[^\]\n]*)\])?"
    r"\{@(?P<tag>link|linkcode|linkplain|tutorial)\s+(?P<target>[^\s|}]+)\s*\|?\s*(?P<label>[^}]*)\}"
)
_JSDOC_CODE = re.compile(r"\{@(?:code|literal)\s+(?P<text>[^}]*)\}")
_TAG = re.compile(r"</?\s*([a-zA-Z][a-zA-Z0-9-]*)")
_HTML_TAGS = frozenset(
    [
        "a",
        "abbr",
        "acronym",
        "address",
        "article",
        "aside",
        "b",
        "bdi",
        "bdo",
        "big",
        "blockquote",
        "br",
        "caption",
        "center",
        "cite",
        "code",
        "col",
        "colgroup",
        "dd",
        "del",
        "details",
        "dfn",
        "div",
        "dl",
        "dt",
        "em",
        "embed",
        "figcaption",
        "figure",
        "font",
        "footer",
        "form",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "header",
        "hr",
        "i",
        "iframe",
        "img",
        "ins",
        "kbd",
        "li",
        "link",
        "main",
        "mark",
        "meta",
        "nav",
        "noscript",
        "ol",
        "p",
        "picture",
        "pre",
        "q",
        "s",
        "samp",
        "script",
        "section",
        "small",
        "source",
        "span",
        "strike",
        "strong",
        "style",
        "sub",
        "summary",
        "sup",
        "svg",
        "table",
        "tbody",
        "td",
        "tfoot",
        "th",
        "thead",
        "tr",
        "tt",
        "u",
        "ul",
        "video",
        "wbr",
    ]
)
_BREAKING_TAGS = frozenset(
    ["br", "p", "div", "li", "tr", "h1", "h2", "h3", "h4", "h5", "h6", "dt", "dd"]
)
_HIDDEN_CONTENT = frozenset(("script", "style"))
_STYLES: dict[str, SpanKind] = {"strong_open": "strong", "em_open": "emphasis"}
_STYLE_ENDS = frozenset(("strong_close", "em_close"))


@dataclass(frozen=True, slots=True)
class DocSpan:
    """A part of a line.

    Attributes:
        target: the web address of a link, the name that a reference means; else empty.
    """

    kind: SpanKind
    text: str
    target: str = ""


@dataclass(frozen=True, slots=True)
class DocBlock:
    """A paragraph, a heading, an item of a list, a piece of code or a quotation.

    Attributes:
        depth: number of lists that it is in; 1 for the items of a list that is in no other.
        marker: of an item: ``-`` or its number.
    """

    kind: BlockKind
    spans: tuple[DocSpan, ...]
    depth: int = 0
    marker: str = ""


def has_markup(text: str) -> bool:
    """Whether a text may have markup; else it is what it says."""
    return _MARKUP.search(text) is not None


def doc_blocks(text: str) -> tuple[DocBlock, ...]:
    """Return the blocks of a documentation, in order."""
    text = text[:_MAX_LENGTH]
    if not has_markup(text):
        line = text.strip()
        return (DocBlock("paragraph", (DocSpan("text", line),)),) if line else ()
    return tuple(block for block in _blocks(_reader().parse(text)) if block.spans)


@cache
def _reader() -> MarkdownIt:
    from markdown_it import MarkdownIt

    reader = MarkdownIt("commonmark", {"html": True}).enable("table").disable("html_block")
    reader.inline.ruler.before("link", "jsdoc", _read_jsdoc)
    return reader


def _read_jsdoc(state: StateInline, silent: bool) -> bool:
    """Read ``{@link name}``, ``[text]{@link name}`` and ``{@code text}``: a rule of the reader."""
    if state.src[state.pos] not in "{[":
        return False
    found = _JSDOC_LINK.match(state.src, state.pos) or _JSDOC_CODE.match(state.src, state.pos)
    if found is None:
        return False
    if not silent:
        parts = found.groupdict()
        if "text" in parts:
            state.push("code_inline", "code", 0).content = parts["text"].strip()
        else:
            token = state.push("jsdoc_link", "", 0)
            token.content = (parts["before"] or parts["label"]).strip() or parts["target"]
            token.meta = {"target": parts["target"]}
    state.pos = found.end()
    return True


def _blocks(tokens: Iterable[Token]) -> Iterator[DocBlock]:
    depth = 0  # number of lists around
    item = ""  # the marker of an item whose first block has not been read
    kind: BlockKind = "paragraph"
    quotes = 0
    cells: list[DocSpan] | None = None  # of the row of a table
    for token in tokens:
        match token.type:
            case "bullet_list_open" | "ordered_list_open":
                depth += 1
            case "bullet_list_close" | "ordered_list_close":
                depth -= 1
                item = ""
            case "list_item_open":
                item = f"{token.info}." if token.info else "-"
            case "blockquote_open" | "blockquote_close":
                quotes += 1 if token.type == "blockquote_open" else -1
            case "heading_open":
                kind = "heading"
            case "heading_close":
                kind = "paragraph"
            case "tr_open":
                cells = []
            case "tr_close":
                yield DocBlock("paragraph", tuple(cells or ()), depth)
                cells = None
            case "fence" | "code_block":
                code = token.content.rstrip("\n")
                yield DocBlock("code", (DocSpan("code", code),) if code else (), depth)
            case "inline":
                spans = _merged(_spans(token.children or ()))
                if cells is not None:
                    cells += [*([DocSpan("text", " | ")] if cells else []), *spans]
                    continue
                shown: BlockKind = "item" if item else "quote" if quotes else kind
                yield DocBlock(shown, spans, depth, item)
                item = ""
            case _:
                pass  # the ends of paragraphs and items, rules, parts of tables


def _spans(tokens: Sequence[Token]) -> Iterator[DocSpan]:
    styles: list[SpanKind] = []
    address: str | None = None  # of the link that is read; empty if it is not safe
    hidden = False  # inside an element whose content is left out
    last_end = {
        _tag_name(token.content): place
        for place, token in enumerate(tokens)
        if token.type == "html_inline" and token.content.startswith("</")
    }
    for place, token in enumerate(tokens):
        if token.type in _STYLES:
            styles.append(_STYLES[token.type])
        elif token.type in _STYLE_ENDS:
            styles.pop()
        elif token.type == "html_inline":
            name = _tag_name(token.content)
            if name in _HIDDEN_CONTENT:
                # "Injects a <style> element" does not open one.
                hidden = not token.content.startswith("</") and last_end.get(name, -1) > place
            elif not hidden and name in _BREAKING_TAGS:
                yield DocSpan("text", " ")
            elif not hidden and name not in _HTML_TAGS and not token.content.startswith("<!"):
                yield DocSpan("text", token.content)  # type arguments: Promise<string>
        if hidden:
            continue
        match token.type:
            case "link_open":
                address = _web_address(str(token.attrs.get("href", "")))
            case "link_close":
                address = None
            case "jsdoc_link":
                target = token.meta["target"]
                web = _web_address(target)
                yield DocSpan("link" if web else "reference", token.content, web or target)
            case "code_inline":
                yield DocSpan("link" if address else "code", token.content, address or "")
            case "softbreak" | "hardbreak":
                yield DocSpan("text", " " if token.type == "softbreak" else "\n")
            case "text" | "text_special":
                kind: SpanKind = "link" if address else styles[-1] if styles else "text"
                yield DocSpan(kind, token.content, address or "")
            case _:
                pass  # images


def _tag_name(html: str) -> str:
    found = _TAG.match(html)
    return found[1].lower() if found else ""


def _web_address(address: str) -> str:
    """Return an address of the web; empty for any other, such as ``javascript:``."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return ""
    return address if parts.scheme in ("http", "https") and parts.netloc else ""


def _merged(spans: Iterable[DocSpan]) -> tuple[DocSpan, ...]:
    """Join neighbours of one kind and target; strip the ends."""
    merged: list[DocSpan] = []
    for span in spans:
        last = merged[-1] if merged else None
        if last is not None and (last.kind, last.target) == (span.kind, span.target):
            merged[-1] = DocSpan(span.kind, last.text + span.text, span.target)
        elif span.text:
            merged.append(span)
    if merged and not "".join(span.text for span in merged).strip():
        return ()
    if merged and merged[0].kind == "text":
        merged[0] = DocSpan("text", merged[0].text.lstrip())
    if merged and merged[-1].kind == "text":
        merged[-1] = DocSpan("text", merged[-1].text.rstrip())
    return tuple(span for span in merged if span.text)
