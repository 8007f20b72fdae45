"""Cleans texts before they are indexed, and counts what was removed.

Documentation is written for pages: it has markup, links and images that are not search terms.  Each
cleaner can be turned off; the occurrences it removed and their characters are counted.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache, partial
from html import unescape
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

# Cleaners by name, with what each removes; ``--keep NAME`` turns one off.
CLEANERS = {
    "blobs": "base64 and data URLs",
    "html": "HTML tags and comments",
    "markup": "Markdown markup; the words in it stay",
    "links": "short links, and tracking parameters of other links",
    "headers": "documentation of response headers",
    "errors": "documentation of responses other than 2xx",
    "examples": "examples and blocks of code of more than 300 characters",
}
MAX_EXAMPLE = 300  # characters
_MAX_PROSE = 20_000  # characters of one text; the rest is ignored

_DATA_URL = re.compile(r"data:[\w.+/-]*(?:;[\w=-]+)*;base64,[A-Za-z0-9+/=_-]*", re.IGNORECASE)
_RUN = re.compile(r"(?<![\w/+=-])[A-Za-z0-9+/_-]{80,}={0,2}(?![\w/+=])")
_TAGS = (
    "a|abbr|article|aside|b|blockquote|body|br|caption|center|cite|code|col|dd|del|details|div|dl|"
    "dt|em|figure|font|footer|h[1-6]|head|header|hr|html|i|iframe|img|ins|kbd|li|link|main|mark|"
    "meta|nav|ol|p|pre|q|s|samp|script|section|small|span|strike|strong|style|sub|summary|sup|"
    "svg|table|tbody|td|tfoot|th|thead|title|tr|tt|u|ul|var|video|wbr"
)
_INVISIBLE_ELEMENTS = (
    ("<!--", "-->"),
    ("<script", "</script>"),
    ("<style", "</style>"),
    ("<svg", "</svg>"),
)
_HTML = re.compile(rf"</?(?:{_TAGS})(?:\s[^<>]*)?/?>", re.IGNORECASE)
_BREAKING = re.compile(r"</?(?:br|p|div|li|tr|h[1-6]|table|ul|ol|hr|pre|dd|dt)\b", re.IGNORECASE)
_ENTITY = re.compile(r"&(?:#\d+|#x[0-9a-f]+|[a-z][a-z0-9]{1,30});", re.IGNORECASE)
_URL = re.compile(r"\bhttps?://[^\s<>\"'`)\]}]+", re.IGNORECASE)
_SHORTENERS = frozenset(
    (
        "bit.ly", "buff.ly", "cutt.ly", "goo.gl", "is.gd", "j.mp", "lnkd.in", "ow.ly", "rb.gy",
        "rebrand.ly", "shorturl.at", "t.co", "t.ly", "tiny.cc", "tinyurl.com", "v.gd", "youtu.be",
    )
)  # fmt: skip
_TRACKING = re.compile(
    r"utm_\w+|[a-z]{0,4}clid|mc_[ce]id|_hs\w+|_ga|_gl|igshid|ref_src|trk\w*", re.IGNORECASE
)
_FENCE = re.compile(
    r"^([ \t]*)(```+|~~~+)[^\n]*\n(.*?)^[ \t]*\2[`~]*[ \t]*$", re.MULTILINE | re.DOTALL
)
_MARKDOWN_MARK = re.compile(
    r"[*`\[\]|~\\]|(?<!\w)_|_(?!\w)|^\s{0,3}(?:#|>|[-+=]|\d+[.)]\s)", re.MULTILINE
)


@dataclass(slots=True)
class Cleaner:
    """Cleans the texts of one document.

    Attributes:
        keep: names of the cleaners that are off.
        removed: (occurrences, characters) that each other cleaner removed.
    """

    keep: frozenset[str] = frozenset()
    removed: dict[str, tuple[int, int]] = field(default_factory=dict)

    def prose(self, text: str | None) -> str:
        """Return a text of several paragraphs, cleaned."""
        if not text:
            return ""
        text = text[:_MAX_PROSE]
        for sort, clean in _FUNCTIONS.items():
            if sort not in self.keep:
                text = clean(text, partial(self.count, sort))
        return _normalize_space(text)

    def line(self, text: str | None) -> str:
        """Return a text cleaned and on one line."""
        return " ".join(self.prose(text).split())

    def example(self, text: str) -> str:
        """Return an example; empty if it has more than ``MAX_EXAMPLE`` characters."""
        if len(text) > MAX_EXAMPLE and "examples" not in self.keep:
            self.count("examples", len(text))
            return ""
        return text

    def skip(self, sort: str, text: str | None) -> bool:
        """Return whether a text of this kind is not indexed, and count it if so."""
        if sort in self.keep:
            return False
        if text:
            self.count(sort, len(text))
        return True

    def count(self, sort: str, characters: int) -> None:
        times, before = self.removed.get(sort, (0, 0))
        self.removed[sort] = times + 1, before + characters


Count = Callable[[int], None]


def _without_blobs(text: str, count: Count) -> str:
    def removed(match: re.Match[str]) -> str:
        found = match[0]
        if not found.startswith("data:") and not _is_mixed(found):
            return found
        count(len(found))
        return " "

    if "base64," in text:
        text = _DATA_URL.sub(removed, text)
    return _RUN.sub(removed, text) if len(text) >= 80 else text


def _is_mixed(run: str) -> bool:
    """Whether a run looks like base64: upper case, lower case and digits, and few slashes."""
    kinds = (str.isupper, str.islower, str.isdigit)
    return all(any(kind(sign) for sign in run) for kind in kinds) and run.count("/") < len(run) / 8


def _without_large_code(text: str, count: Count) -> str:
    def removed(match: re.Match[str]) -> str:
        if len(match[3]) <= MAX_EXAMPLE:
            return match[0]
        count(len(match[0]))
        return ""

    return _FENCE.sub(removed, text) if "```" in text or "~~~" in text else text


def _without_html(text: str, count: Count) -> str:
    def removed(match: re.Match[str]) -> str:
        count(len(match[0]))
        return "\n" if _BREAKING.match(match[0]) else ""

    if "<" in text:
        for opening, closing in _INVISIBLE_ELEMENTS:
            text = _without_between(text, opening, closing, count)
        text = _HTML.sub(removed, text)
    if "&" in text:
        text = _ENTITY.sub(lambda match: unescape(match[0]), text)
    return text


def _without_between(text: str, opening: str, closing: str, count: Count) -> str:
    """Return a text without the parts from ``opening`` to ``closing``; unclosed ones stay."""
    small = text.lower()
    if len(small) != len(text):  # lower() changes the length of some letters
        small = text
    parts: list[str] = []
    behind = 0
    while (start := small.find(opening, behind)) >= 0:
        end = small.find(closing, start)
        if end < 0:
            break
        parts.append(text[behind:start])
        behind = end + len(closing)
        count(behind - start)
    return " ".join([*parts, text[behind:]])


def _without_tracking(text: str, count: Count) -> str:
    def replacement(match: re.Match[str]) -> str:
        url = match[0]
        try:
            parts = urlsplit(url)
            host = (parts.hostname or "").removeprefix("www.")
        except ValueError:
            return url
        if host in _SHORTENERS:
            count(len(url))
            return ""
        if not parts.query:
            return url
        given = parse_qsl(parts.query, keep_blank_values=True)
        kept = [(name, value) for name, value in given if not _TRACKING.fullmatch(name)]
        if len(kept) == len(given):
            return url
        clean = urlunsplit(parts._replace(query=urlencode(kept)))
        count(len(url) - len(clean))
        return clean

    return _URL.sub(replacement, text) if "://" in text else text


def _without_markup(text: str, count: Count) -> str:
    if not _MARKDOWN_MARK.search(text):
        return text
    plain = "\n\n".join(part for part in _plain(_markdown().parse(text)) if part)
    if len(plain) < len(text.strip()):
        count(len(text.strip()) - len(plain))
    return plain


@cache
def _markdown() -> MarkdownIt:
    from markdown_it import MarkdownIt

    # HTML that was kept, and placeholders such as ``<id>``, are text.
    return MarkdownIt("commonmark", {"html": False}).enable("table").enable("strikethrough")


def _plain(tokens: Iterable[Any]) -> Iterator[str]:
    """Yield the paragraphs and table rows of a Markdown text, without markup."""
    row: list[str] | None = None
    for token in tokens:
        if token.type == "tr_open":
            row = []
        elif token.type == "tr_close":
            yield " ".join(row or ())
            row = None
        elif token.type == "inline":
            words = "".join(_inline(child) for child in token.children or ())
            if row is None:
                yield words
            else:
                row.append(words)
        elif token.type in ("fence", "code_block"):
            yield token.content.strip()


def _inline(token: Any) -> str:
    if token.type in ("softbreak", "hardbreak"):
        return "\n"
    if token.type == "image":
        return "".join(_inline(child) for child in token.children or ())
    return str(token.content) if token.type in ("text", "code_inline") else ""


def _normalize_space(text: str) -> str:
    lines = [" ".join(line.split()) for line in text.strip().splitlines()]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()


# Order matters: a blob may be inside a link, and HTML tags are not Markdown markup.
_FUNCTIONS: dict[str, Callable[[str, Count], str]] = {
    "examples": _without_large_code,
    "blobs": _without_blobs,
    "html": _without_html,
    "links": _without_tracking,
    "markup": _without_markup,
}
