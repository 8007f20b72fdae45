"""Recognises service documents among JSON, YAML and Markdown files.

Only the start of the text is examined, so that a project with thousands of data files is walked
quickly; the reader reports invalid documents.
"""

from __future__ import annotations

import os
import re

from typematch.sources.packages.model import DOCUMENT_SUFFIXES

_HEAD_BYTES = 65_536  # bytes; the version is near the start by convention
# OpenAPI has a version, or at least info and paths; a Postman collection an id; a catalog entry a
# name and an interface.  JSON may be on one line.
_MARKS = re.compile(
    rb"""^["']?(?:openapi|swagger)["']?[ \t]*:[ \t]*["']?\d|"(?:openapi|swagger)"\s*:\s*["']?\d"""
    rb"""|"_postman_id"|/collection/v[12]\.""",
    re.MULTILINE,
)
_PARTS = (re.compile(rb"^info[ \t]*:", re.MULTILINE), re.compile(rb"^paths[ \t]*:", re.MULTILINE))
# Manifests and settings: their values may contain any of these words.
_NEVER = frozenset(("package.json", "package-lock.json", "npm-shrinkwrap.json", "tsconfig.json"))
_ENTRY = re.compile(
    rb"""^[\s{\[-]*["']?interface["']?[ \t]*:[ \t]*(?:[|>"']|interface\b)"""
    rb"""|"interface"\s*:\s*"[^"]*interface[ \t]""",
    re.MULTILINE,
)
_NAME = re.compile(rb"""^[\s{\[-]*["']?name["']?[ \t]*:|"name"\s*:""", re.MULTILINE)
_FENCED = re.compile(
    rb"^[ \t]*(?:```+|~~~+)[ \t]*(?:ts|typescript|mts|tsx)\b(?:(?!```|~~~).)*?\binterface[ \t]",
    re.MULTILINE | re.DOTALL,
)
_NAMED_IN_FRONT = re.compile(rb"\A---[ \t]*\r?\n(?:(?!---).*\r?\n)*?name[ \t]*:")


def may_be_document(path: str) -> bool:
    """Return whether a document may have this file name."""
    return path.endswith(DOCUMENT_SUFFIXES) and os.path.basename(path) not in _NEVER


def is_markdown(name: str) -> bool:
    return name.endswith((".md", ".markdown"))


def is_document(path: str, *, in_package: bool) -> bool:
    """Return whether the file at ``path`` looks like a service document.

    Code in Markdown is common: beside a package.json it must have its name in front matter.
    """
    try:
        with open(path, "rb") as file:
            text = file.read(_HEAD_BYTES)
    except OSError:
        return False
    if text.startswith((b"\xff\xfe", b"\xfe\xff")):
        text = text.replace(b"\0", b"")
    if is_markdown(path):
        if in_package and not _NAMED_IN_FRONT.match(text):
            return False
        return _FENCED.search(text) is not None
    if _MARKS.search(text) or all(part.search(text) for part in _PARTS):
        return True
    return bool(_ENTRY.search(text) and _NAME.search(text))
