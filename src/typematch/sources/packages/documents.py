"""Tell descriptions of services from the many other files in JSON and YAML.

A glance at the text decides, so that a project with thousands of data files is walked as fast as
before; whether the document is in order is for its reader to say.
"""

from __future__ import annotations

import re

from typematch.sources.packages.model import DOCUMENT_SUFFIXES

_GLANCE = 65_536  # bytes; the version stands first by custom
# A version, or the paths, at the top of a document; JSON may be on one line.
_MARKS = re.compile(
    rb"""^\s*\{?\s*["']?(?:openapi|swagger)["']?\s*:|"(?:openapi|swagger)"\s*:\s*["']?[123]\."""
    rb"""|^["']?paths["']?\s*:""",
    re.MULTILINE,
)


def may_be_document(name: str) -> bool:
    return name.endswith(DOCUMENT_SUFFIXES)


def is_document(path: str) -> bool:
    """Return whether the file at ``path`` looks like a description of a service."""
    try:
        with open(path, "rb") as file:
            text = file.read(_GLANCE)
    except OSError:
        return False
    if text.startswith((b"\xff\xfe", b"\xfe\xff")):
        text = text.replace(b"\0", b"")
    return _MARKS.search(text) is not None
