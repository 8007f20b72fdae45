"""The type of JSX: ``Element`` of the namespace ``JSX``, which the runtime of the file declares."""

from __future__ import annotations

import re

from tree_sitter import Node

from typematch.ir.module import JSX_RUNTIME
from typematch.ir.types import Named
from typematch.sources.typescript.parse_context import ParseContext

# White space, ``#!`` and comments before the first token; pragmas stand in block comments.
_LEADING = re.compile(rb"(?:\s+|#!.*|//.*|/\*(?s:.*?)\*/)*+")
_BLOCK_COMMENT = re.compile(rb"/\*.*?\*/", re.DOTALL)
_PRAGMA = re.compile(rb"@(jsx|jsxImportSource|jsxRuntime)[ \t]+([^\s*]+)", re.IGNORECASE)


def jsx_element_type(context: ParseContext, node: Node) -> Named:
    """Return the type of a JSX expression, and record the module that it imports implicitly."""
    specifier = f"{JSX_RUNTIME}{_pragmas(context.text)}"
    context.specifiers.append((node.start_byte, specifier))
    return Named(("JSX", "Element"), (), specifier)


def _pragmas(text: bytes) -> str:
    """Return ``RUNTIME#FACTORY`` of a file; see ``ir.module.JSX_RUNTIME``."""
    leading = _LEADING.match(text)
    assert leading is not None  # it may be empty
    if b"@jsx" not in leading[0].lower():
        return ""
    runtime = factory = ""
    for comment in _BLOCK_COMMENT.findall(leading[0]):
        for name, value in _PRAGMA.findall(comment):
            text_value = value.decode("utf-8", "replace")
            match name.lower():
                case b"jsx":
                    factory = factory or text_value.partition(".")[0]
                case b"jsximportsource":
                    runtime = text_value if runtime != "." else runtime
                case _:
                    runtime = "." if text_value == "classic" else runtime or "+"
    return f"{runtime}#{factory}" if factory else runtime
