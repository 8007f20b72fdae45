"""State of reading one text: its bytes, node kinds, and the type parameters in scope."""

from __future__ import annotations

import re
import sys
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import tree_sitter_typescript
from tree_sitter import Language, Node, Parser

from typematch.ir.types import Type, Var

if TYPE_CHECKING:
    from typematch.sources.typescript.inference.function_scope import FunctionScope

# Levels.  More than code has in practice; everything behind the reader walks types recursively.
MAX_NESTING = 60
_MAX_FOLDED = 50_000
ERROR = 65535  # tree-sitter's kind id of an error node

_NEWLINE = re.compile(rb"\n")
_COMMENT = re.compile(
    r"""("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`)|/\*.*?\*/|//[^\n]*""", re.DOTALL
)

# Line breaks after an opening bracket or before the first `|` of a union, and before a closing
# bracket.
_OPENED = re.compile(r"([(\[<])[ \t]*\r?\n\s*(?:[|&]\s+)?|(=>?|:)[ \t]*\r?\n\s*[|&]\s+")
_CLOSED = re.compile(r",?[ \t]*\r?\n\s*([)\]>])(?!=)|[;,][ \t]*\r?\n\s*(?=\})")

TypeReader: TypeAlias = "Callable[[ParseContext, Node], Type]"


class IncompleteSyntaxError(Exception):
    """A node or token that the grammar promises is missing, as in any tree that was repaired.

    The nearest type, expression, member or statement is left out, and the rest is read.
    """


class ReadingState(NamedTuple):
    """What ``ParseContext.recover`` restores."""

    level: int
    nesting: int
    ambient: bool
    variables: dict[str, tuple[int, int]]


class Dialect:
    """A grammar with its node kinds and fields by number, so that no kind name is decoded twice."""

    def __init__(self, language: Language) -> None:
        self._language = language
        self.kinds: dict[int, str] = {ERROR: "ERROR"}
        for number in range(language.node_kind_count):
            self.kinds[number] = language.node_kind_for_id(number) or ""
        self.fields = {
            name: number
            for number in range(1, language.field_count + 1)
            if (name := language.field_name_for_id(number)) is not None
        }

    def parser(self) -> Parser:
        """Return a new parser: during a parse it calls Python code, where threads may switch."""
        return Parser(self._language)


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
    """State of reading one text.

    Attributes:
        text: the original bytes; names and texts are slices of it.
        errors: number of nodes that could not be lowered, in addition to syntax errors.
        specifiers: (byte offset, module specifier) of each module that the text names.
        readonly_offsets: byte offsets of arrays and tuples that follow a ``readonly`` modifier.
        misplaced_operands: (operator, operand) pairs that belong to the result of the next
            constructor type.
        variables: (binder level, index) of each type parameter in scope, by name.
        level: number of binders around the current node.
        function_scope: the names of the function whose body is read.
    """

    __slots__ = (
        "_lines",
        "ambient",
        "errors",
        "function_scope",
        "kinds",
        "level",
        "misplaced_operands",
        "nesting",
        "readers",
        "readonly_offsets",
        "specifiers",
        "text",
        "variables",
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
        self.readonly_offsets: set[int] = set()
        self.misplaced_operands: list[tuple[str, Node]] = []
        self.function_scope: FunctionScope | None = None
        self.specifiers: list[tuple[int, str]] = []
        self._lines: list[int] | None = None

    def source(self, node: Node) -> str:
        """Return the source text of ``node``."""
        # Interned, because the same few names are all over a program.
        return sys.intern(self.text[node.start_byte : node.end_byte].decode("utf-8", "replace"))

    def source_between(self, start: int, end: int) -> str:
        """Return the source text between two byte offsets, folded to one line, without comments."""
        return sys.intern(fold(self.text[start:end].decode("utf-8", "replace")))

    def line(self, offset: int) -> int:
        """Return the line of a byte offset, counted from 1."""
        if self._lines is None:
            self._lines = [match.start() for match in _NEWLINE.finditer(self.text)]
        return bisect_right(self._lines, offset - 1) + 1

    def variable(self, name: str) -> Var | None:
        """Return the type parameter in scope of that name."""
        found = self.variables.get(name)
        return None if found is None else Var(self.level - found[0], found[1])

    def enter_binder(self, names: Iterable[str]) -> dict[str, tuple[int, int]]:
        """Enter a binder with these type parameters; return the argument of ``leave_binder``."""
        outer = self.variables
        self.level += 1
        inner = outer.copy()
        for index, name in enumerate(names):
            inner[name] = (self.level, index)
        self.variables = inner
        return outer

    def leave_binder(self, outer: dict[str, tuple[int, int]]) -> None:
        self.variables = outer
        self.level -= 1

    def named_children(self, node: Node) -> list[Node]:
        """Return the named children except comments."""
        kinds = self.kinds
        return [child for child in node.named_children if kinds[child.kind_id] != "comment"]

    def child(self, node: Node, index: int) -> Node:
        """Return a named child that the grammar promises, comments not counted.

        Raises:
            IncompleteSyntaxError: it is missing.
        """
        return pick(self.named_children(node), index)

    def name(self, node: Node) -> str:
        """Return the source text of a name or literal.

        Raises:
            IncompleteSyntaxError: it is empty, so the parser has inserted the node.
        """
        text = self.source(node)
        if not text:
            raise IncompleteSyntaxError
        return text

    def state(self) -> ReadingState:
        return ReadingState(self.level, self.nesting, self.ambient, self.variables)

    def recover(self, state: ReadingState) -> None:
        """Continue behind an ``IncompleteSyntaxError``, which is counted as an error."""
        self.level, self.nesting, self.ambient = state.level, state.nesting, state.ambient
        self.variables = state.variables
        self.misplaced_operands = []
        self.errors += 1


def pick(parts: Sequence[Node], index: int) -> Node:
    """Return a part that the grammar promises.

    Raises:
        IncompleteSyntaxError: it is missing.
    """
    if not -len(parts) <= index < len(parts):
        raise IncompleteSyntaxError
    return parts[index]


def fold(text: str) -> str:
    """Return ``text`` on one line, without comments, formatted as if it had been one line.

    Of a text of more than ``_MAX_FOLDED`` characters only blanks are folded: the patterns read the
    rest again for each comment that does not end, and for each of many empty lines.
    """
    if len(text) > _MAX_FOLDED:
        return " ".join(text.split())
    if "/*" in text or "//" in text:
        text = _COMMENT.sub(lambda match: match[1] or " ", text)
    if "\n" in text:
        text = _OPENED.sub(lambda match: match[1] or f"{match[2]} ", text)
        text = _CLOSED.sub(lambda match: match[1] or " ", text)
    return " ".join(text.split())
