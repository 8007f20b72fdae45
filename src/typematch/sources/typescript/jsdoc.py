"""Reads a JSDoc comment: its prose, its first sentence, and its tags."""

from __future__ import annotations

import re
from functools import lru_cache

from typematch.ir.module import Doc

_MARGIN = re.compile(r"^[ \t]*\*?[ \t]?", re.MULTILINE)
_TAG = re.compile(r"@([A-Za-z][\w-]*)[ \t]*(.*)", re.DOTALL)
_NAME = re.compile(r"[\w$.#~-]+")
_LINK_START = re.compile(r"\{@(?:link|linkcode|linkplain)\s+([^\s|}]+)")
_SENTENCE = re.compile(r"(?<!e\.g)(?<!i\.e)(?<!etc)[.!?](?=\s|$)|\n[ \t]*\n")


@lru_cache(maxsize=4_096)  # generated clients repeat their comments
def read_doc(comment: str) -> Doc | None:
    """Return the content of a ``/** */`` comment; None for an empty one."""
    inner = comment[3:-2] if comment.endswith("*/") else comment[3:]
    if "\n" in inner:
        inner = _MARGIN.sub("", inner)
    inner = inner.replace("\r", "").strip()
    if "{@" in inner:
        inner = _without_links(inner)
    if not inner:
        return None
    if "@" not in inner:
        return Doc(inner, _summary(inner))
    prose, tags = _split(inner)
    deprecated: str | None = None
    others: list[tuple[str, str]] = []
    for name, text in tags:
        if name == "deprecated":
            deprecated = text
        else:
            others.append((name, text))
    return Doc(prose, _summary(prose), deprecated, tuple(others))


def _without_links(text: str) -> str:
    """Return a text with the labels of its links; a link without target or end stays.

    In one pass: a pattern for a whole link would read the rest of the text again for each link
    that does not end.
    """
    parts: list[str] = []
    behind = 0
    while (link := _LINK_START.search(text, behind)) is not None:
        end = text.find("}", link.end())
        if end < 0:
            break
        label = text[link.end() : end].lstrip().removeprefix("|").strip()
        parts += text[behind : link.start()], label or _target_as_code(link[1])
        behind = end + 1
    return "".join([*parts, text[behind:]])


def _target_as_code(target: str) -> str:
    """Return the target of a link without a label; as code if it is a name."""
    return f"`{target}`" if _NAME.fullmatch(target) else target


def _split(text: str) -> tuple[str, list[tuple[str, str]]]:
    """Split a comment into prose and (tag, text) pairs.

    A tag starts a line; an ``@`` inside a fenced code block is not a tag.
    """
    prose: list[str] = []
    tags: list[tuple[str, list[str]]] = []
    fenced = False
    for line in text.split("\n"):
        start = line.lstrip()
        match = _TAG.match(start) if start.startswith("@") and not fenced else None
        if match is not None:
            tags.append((match[1], [match[2]]))
            fenced = match[2].count("```") % 2 == 1
            continue
        if start.startswith("```"):
            fenced = not fenced
        (tags[-1][1] if tags else prose).append(line)
    return "\n".join(prose).strip(), [(name, "\n".join(lines).strip()) for name, lines in tags]


def _summary(prose: str) -> str:
    match = _SENTENCE.search(prose)
    first = prose[: match.end()] if match is not None else prose
    summary = " ".join(first.split())
    return prose if summary == prose else summary  # one string instead of two
