"""LALR(1) parser: lark compiles the grammars in ``grammars/`` to tables, this module runs them.

Compiling a table takes a few tenths of a second with the import of lark; loading it a few
milliseconds.  So tables are cached in the user's cache folder, under a digest of the grammar.  They
are JSON, so that a forged table can cause wrong parses but cannot run code.  If the folder is not
writable, the table is compiled in every process.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any, TypeAlias

from typematch.config import cache_folder
from typematch.query.signature.lexer import Token

CACHE_FORMAT = 1  # of the cached table

# Tokens that are left out of the tree.
_PUNCTUATION = frozenset(
    ("ARROW", "SPREAD", "CONDITION", "COLON", "COMMA", "SEMICOLON", "DOT", "RPAREN", "LSQUARE",
     "RSQUARE", "LBRACE", "RBRACE", "LESS", "GREATER", "BAR", "AMPERSAND", "EQUALS", "KEYOF",
     "UNIQUE", "TYPEOF", "IMPORT", "IS", "IN", "AS", "NEW", "GET", "SET", "EXTENDS", "INFER",
     "LPAREN")
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class SyntaxNode:
    """A node of the tree: ``rule`` is the name or the alias of its rule; it is text[column:end]."""

    rule: str
    children: tuple[Syntax, ...]
    column: int
    end: int


Syntax: TypeAlias = SyntaxNode | Token


@dataclass(frozen=True, slots=True)
class Rule:
    origin: str
    size: int
    label: str
    inline: bool  # the node is replaced by its children
    collapse: bool  # a node with a single child is replaced by the child


class UnexpectedToken(Exception):  # noqa: N818 - callers turn it into one of typematch.errors
    """``token`` is not accepted at its position; ``expected`` are the kinds that are."""

    def __init__(self, token: Token, expected: frozenset[str]) -> None:
        super().__init__(token, expected)
        self.token = token
        self.expected = expected


@dataclass(frozen=True, slots=True)
class ParseTable:
    """An LALR(1) table: an action is the next state, or ``-1 - rule`` to reduce."""

    states: Sequence[Mapping[str, int]]
    rules: Sequence[Rule]
    starts: Mapping[str, int]
    ends: Mapping[str, int]

    def parse(self, tokens: Sequence[Token], start: str) -> Syntax:
        """Return the tree of ``tokens`` for the rule ``start``.

        Raises:
            UnexpectedToken: its kind is ``$END`` at the end of the text.
        """
        states = [self.starts[start]]
        values: list[tuple[int, int, tuple[Syntax, ...]]] = []
        finish = self.ends[start]
        end = tokens[-1].end if tokens else 0
        for token in (*tokens, Token("$END", "", end, end)):
            while True:
                action = self.states[states[-1]].get(token.kind)
                if action is None:
                    raise UnexpectedToken(token, frozenset(self._acceptable(states)))
                if action >= 0:
                    break
                self._reduce(self.rules[-1 - action], states, values, token.column)
                if token.kind == "$END" and states[-1] == finish:
                    return values[-1][2][0]
            states.append(action)
            kept = () if token.kind in _PUNCTUATION else (token,)
            values.append((token.column, token.end, kept))
        raise AssertionError("the end of the text is always accepted or refused")

    def longest(self, tokens: Sequence[Token], start: str) -> int:
        """Return the length of the longest prefix of ``tokens`` that is a ``start``; 0 for none."""
        states = [self.starts[start]]
        length = 0
        for index, token in enumerate(tokens):
            while (action := self.states[states[-1]].get(token.kind)) is not None and action < 0:
                self._reduce_states(self.rules[-1 - action], states)
            if action is None:
                break
            states.append(action)
            if self._accepts_end(states, self.ends[start]):
                length = index + 1
        return length

    def _reduce_states(self, rule: Rule, states: list[int]) -> None:
        """Reduce without building a tree."""
        if rule.size:
            del states[-rule.size :]
        states.append(self.states[states[-1]][rule.origin])

    def _accepts_end(self, states: list[int], finish: int) -> bool:
        trial = list(states)
        while trial[-1] != finish:
            action = self.states[trial[-1]].get("$END")
            if action is None or action >= 0:
                return False
            self._reduce_states(self.rules[-1 - action], trial)
        return True

    def _reduce(
        self,
        rule: Rule,
        states: list[int],
        values: list[tuple[int, int, tuple[Syntax, ...]]],
        position: int,
    ) -> None:
        parts = values[len(values) - rule.size :]
        if rule.size:
            del states[-rule.size :], values[-rule.size :]
        children = tuple(child for part in parts for child in part[2])
        column, end = (parts[0][0], parts[-1][1]) if parts else (position, position)
        if not rule.inline and not (rule.collapse and len(children) == 1):
            children = (SyntaxNode(rule.label, children, column, end),)
        states.append(self.states[states[-1]][rule.origin])
        values.append((column, end, children))

    def _acceptable(self, states: list[int]) -> Iterator[str]:
        """Yield the token kinds that can be shifted after ``states``, reductions included."""
        for kind in self.states[states[-1]]:
            if kind == "$END" or kind.isupper():
                trial = list(states)
                while (action := self.states[trial[-1]].get(kind)) is not None:
                    if action >= 0:
                        yield kind
                        break
                    rule = self.rules[-1 - action]
                    if rule.size:
                        del trial[-rule.size :]
                    following = self.states[trial[-1]].get(rule.origin)
                    if following is None:
                        break
                    if kind == "$END" and following in self.ends.values():
                        yield kind
                        break
                    trial.append(following)


@cache
def load_table(name: str, starts: tuple[str, ...]) -> ParseTable:
    """Return the table of ``grammars/<name>.lark``, from the cache if possible."""
    text = grammar_text(name)
    # Without lark's version: every version compiles the same table, and reading it takes 15 ms.
    key = "\0".join((str(CACHE_FORMAT), *starts, text))
    digest = blake2b(key.encode(), digest_size=12).hexdigest()
    folder = cache_folder(os.environ)
    cached = folder / f"{name}-{digest}.json" if folder else None
    if cached is not None:
        try:
            return _from_json(json.loads(cached.read_bytes()))
        except (OSError, ValueError, LookupError, TypeError):
            pass  # missing or damaged
    data = compile_table(text, starts)
    if cached is not None:
        _write_cache(cached, json.dumps(data, separators=(",", ":")))
    return _from_json(data)


def grammar_text(name: str) -> str:
    """Return the text of a grammar: of the checkout if there is one, else of the installation."""
    checkout = Path(__file__).resolve().parents[4] / "grammars" / f"{name}.lark"
    if checkout.is_file():
        return checkout.read_text(encoding="utf-8")
    from importlib.resources import files

    return (files("typematch") / "grammars" / f"{name}.lark").read_text(encoding="utf-8")


def compile_table(text: str, starts: Sequence[str]) -> dict[str, Any]:
    """Compile a grammar to a table of plain data."""
    from lark import Lark  # late: slow to import, and not needed with a cached table
    from lark.lexer import Lexer

    class NoLexer(Lexer):
        """Tokens come from ``signature.lexer`` and ``english.tagger``."""

        def __init__(self, conf: object) -> None:
            pass

        def lex(self, *_: object) -> Iterator[Any]:
            return iter(())

    grammar = Lark(text, parser="lalr", lexer=NoLexer, start=list(starts), maybe_placeholders=False)
    lalr: Any = grammar.parser.parser
    table = lalr.parser.parse_table
    numbers: dict[Any, int] = {}
    states = [
        {
            symbol: argument
            if action.name == "Shift"
            else -1 - numbers.setdefault(argument, len(numbers))
            for symbol, (action, argument) in table.states[state].items()
        }
        for state in range(len(table.states))
    ]
    rules = [
        [
            rule.origin.name,
            len(rule.expansion),
            rule.alias or rule.origin.name,
            rule.origin.name.startswith("_"),
            bool(rule.options.expand1) and rule.alias is None,
        ]
        for rule in numbers
    ]
    return {
        "states": states,
        "rules": rules,
        "starts": table.start_states,
        "ends": table.end_states,
    }


def _from_json(data: Any) -> ParseTable:
    return ParseTable(
        tuple(data["states"]),
        tuple(Rule(*rule) for rule in data["rules"]),
        data["starts"],
        data["ends"],
    )


def _write_cache(path: Path, text: str) -> None:
    """Write a cache file atomically; errors are ignored."""
    import tempfile  # late: needed only after compiling

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, suffix=".new")
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        Path(name).replace(path)
    except OSError:
        pass
