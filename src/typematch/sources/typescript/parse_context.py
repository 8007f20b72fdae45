"""Hold one text while it is read: its bytes, its syntax tree, and the type parameters in scope."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import TypeAlias

import tree_sitter_typescript
from tree_sitter import Language, Node, Parser

from typematch.ir.types import Type, Var

# Deeper nesting than people write.  Everything after this reader walks types recursively.
MAX_NESTING = 60
ERROR = 65535  # tree-sitter's kind of a node that could not be parsed

_NEWLINE = re.compile(rb"\n")
_COMMENT = re.compile(
    r"""("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`)|/\*.*?\*/|//[^\n]*""", re.DOTALL
)

# Around the end of a line: an opening bracket or the sign before a union, or a closing bracket.
_OPENED = re.compile(r"([(\[<])[ \t]*\r?\n\s*(?:[|&]\s+)?|(=>?|:)[ \t]*\r?\n\s*[|&]\s+")
_CLOSED = re.compile(r",?[ \t]*\r?\n\s*([)\]>])(?!=)|[;,][ \t]*\r?\n\s*(?=\})")

TypeReader: TypeAlias = "Callable[[ParseContext, Node], Type]"


class Dialect:
    """A grammar with its table of kinds: node kinds by number, so that no name is decoded twice."""

    def __init__(self, language: Language) -> None:
        self.parser = Parser(language)
        self.kinds: dict[int, str] = {ERROR: "ERROR"}
        for number in range(language.node_kind_count):
            self.kinds[number] = language.node_kind_for_id(number) or ""
        self.fields = {
            name: number
            for number in range(1, language.field_count + 1)
            if (name := language.field_name_for_id(number)) is not None
        }


@cache
def dialect(jsx: bool) -> Dialect:
    """Return the grammar of ``.tsx`` or of all other files."""
    pointer = (
        tree_sitter_typescript.language_tsx()
        if jsx
        else tree_sitter_typescript.language_typescript()
    )
    return Dialect(Language(pointer))


class ParseContext:
    """One text being read.

    Attributes:
        text: the original bytes; slices of it are what was written.
        errors: places that could not be read, beside those of the syntax tree.
        specifiers: (offset, module specifier) of each module named.
        readonlys: where arrays and tuples begin that have ``readonly`` before them.
        tail: what belongs to the result of the constructor type that is read next.
    """

    __slots__ = (
        "_lines", "ambient", "errors", "kinds", "level", "nesting", "readers", "readonlys",
        "specifiers", "tail",        "text", "variables",
    )  # fmt: skip

    def __init__(
        self, text: bytes, kinds: Mapping[int, str], readers: Mapping[int, TypeReader]
    ) -> None:
        self.text = text
        self.kinds = kinds
        self.readers = readers
        self.variables: dict[str, tuple[int, int]] = {}
        self.level = 0
        self.nesting = 0
        self.errors = 0
        self.ambient = False
        self.readonlys: set[int] = set()
        self.tail: list[tuple[str, Node]] = []
        self.specifiers: list[tuple[int, str]] = []
        self._lines: list[int] | None = None

    def slice(self, node: Node) -> str:
        """Return what was written where ``node`` stands."""
        return self.text[node.start_byte : node.end_byte].decode("utf-8", "replace")

    def between(self, start: int, end: int) -> str:
        """Return what was written between two offsets, white space folded and comments gone."""
        return fold(self.text[start:end].decode("utf-8", "replace"))

    def line(self, offset: int) -> int:
        """Return the line of an offset, counted from 1."""
        if self._lines is None:
            self._lines = [match.start() for match in _NEWLINE.finditer(self.text)]
        return bisect_right(self._lines, offset - 1) + 1

    def variable(self, name: str) -> Var | None:
        """Return the type parameter in scope of that name."""
        found = self.variables.get(name)
        return None if found is None else Var(self.level - found[0], found[1])

    def bind(self, names: Iterable[str]) -> dict[str, tuple[int, int]]:
        """Enter a binder; give the result to ``release`` to leave it."""
        outer = self.variables
        self.level += 1
        inner = outer.copy()
        for index, name in enumerate(names):
            inner[name] = (self.level, index)
        self.variables = inner
        return outer

    def release(self, outer: dict[str, tuple[int, int]]) -> None:
        self.variables = outer
        self.level -= 1

    def parts(self, node: Node) -> list[Node]:
        """Return the named children that are no comments."""
        kinds = self.kinds
        return [child for child in node.named_children if kinds[child.kind_id] != "comment"]


def fold(text: str) -> str:
    """Return ``text`` on one line, without comments, as one would have written it on one line."""
    if "/*" in text or "//" in text:
        text = _COMMENT.sub(lambda match: match[1] or " ", text)
    if "\n" in text:
        text = _OPENED.sub(lambda match: match[1] or f"{match[2]} ", text)
        text = _CLOSED.sub(lambda match: match[1] or " ", text)
    return " ".join(text.split())
