"""Parse by the grammars in ``grammars/``: lark makes their tables, a short loop here runs them.

Making a table takes lark, with its import, a few tenths of a second; reading it back takes a few
milliseconds.  So tables are kept in the user's cache folder, named by what they were made from.
They are JSON, because a table that somebody else put there must not be able to do more than to
parse wrongly.  Where the folder cannot be written, the table is made anew each time.
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

FORMAT = 1  # of the cached table

# Tokens that only hold a text together; the others stay in the tree.
_PUNCTUATION = frozenset(
    ("ARROW", "SPREAD", "CONDITION", "COLON", "COMMA", "SEMICOLON", "DOT", "RPAREN", "LSQUARE",
     "RSQUARE", "LBRACE", "RBRACE", "LESS", "GREATER", "BAR", "AMPERSAND", "EQUALS", "KEYOF",
     "UNIQUE", "TYPEOF", "IMPORT", "IS", "IN", "AS", "NEW", "GET", "SET", "EXTENDS", "INFER",
     "LPAREN")
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class SyntaxNode:
    """A piece of syntax: ``rule`` is the rule's name or its alias; it covers text[column:end]."""

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
    inline: bool  # its children become those of its parent
    collapse: bool  # with a single child, the child stands for it


class UnexpectedToken(Exception):  # noqa: N818 - told to the user as one of typematch.errors
    """``token`` cannot stand where it stands; ``expected`` are the kinds that could."""

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
        """Return the tree of ``tokens`` by the rule ``start``.

        Raises:
            UnexpectedToken: the kind of the end of the text is ``$END``.
        """
        states = [self.starts[start]]
        values: list[tuple[int, int, tuple[Syntax, ...]]] = []
        finish = self.ends[start]
        end = tokens[-1].end if tokens else 0
        for token in (*tokens, Token("$END", "", end, end)):
            while True:
                action = self.states[states[-1]].get(token.kind)
                if action is None:
                    raise UnexpectedToken(token, frozenset(self._possible(states)))
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
        """Return how many of the first ``tokens`` are by themselves a ``start``; 0 for none."""
        states = [self.starts[start]]
        found = 0
        for index, token in enumerate(tokens):
            while (action := self.states[states[-1]].get(token.kind)) is not None and action < 0:
                self._follow(self.rules[-1 - action], states)
            if action is None:
                break
            states.append(action)
            if self._may_end(states, self.ends[start]):
                found = index + 1
        return found

    def _follow(self, rule: Rule, states: list[int]) -> None:
        """Reduce without making a tree."""
        if rule.size:
            del states[-rule.size :]
        states.append(self.states[states[-1]][rule.origin])

    def _may_end(self, states: list[int], finish: int) -> bool:
        trial = list(states)
        while trial[-1] != finish:
            action = self.states[trial[-1]].get("$END")
            if action is None or action >= 0:
                return False
            self._follow(self.rules[-1 - action], trial)
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

    def _possible(self, states: list[int]) -> Iterator[str]:
        """Yield the kinds of token that can really be shifted after ``states``."""
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
def table(name: str, starts: tuple[str, ...]) -> ParseTable:
    """Return the table of ``grammars/<name>.lark``, from the cache if it is there."""
    text = grammar_text(name)
    # Not by lark's version: a grammar's table means the same for each, and asking costs 15 ms.
    key = "\0".join((str(FORMAT), *starts, text))
    digest = blake2b(key.encode(), digest_size=12).hexdigest()
    folder = cache_folder(os.environ)
    cached = folder / f"{name}-{digest}.json" if folder else None
    if cached is not None:
        try:
            return _from_json(json.loads(cached.read_bytes()))
        except (OSError, ValueError, LookupError, TypeError):
            pass  # not there yet, or damaged: made anew
    data = compile_table(text, starts)
    if cached is not None:
        _keep(cached, json.dumps(data, separators=(",", ":")))
    return _from_json(data)


def grammar_text(name: str) -> str:
    """Return the text of a grammar; a checkout's own comes before an installed copy."""
    checkout = Path(__file__).resolve().parents[4] / "grammars" / f"{name}.lark"
    if checkout.is_file():
        return checkout.read_text(encoding="utf-8")
    from importlib.resources import files

    return (files("typematch") / "grammars" / f"{name}.lark").read_text(encoding="utf-8")


def compile_table(text: str, starts: Sequence[str]) -> dict[str, Any]:
    """Let lark make the table of a grammar; what comes back is plain data."""
    from lark import Lark  # late: it takes longer to import than all else that a search needs
    from lark.lexer import Lexer

    class Elsewhere(Lexer):
        """The tokens come from ``query.lexer``."""

        def __init__(self, conf: object) -> None:
            pass

        def lex(self, *_: object) -> Iterator[Any]:
            return iter(())

    grammar = Lark(
        text, parser="lalr", lexer=Elsewhere, start=list(starts), maybe_placeholders=False
    )
    made: Any = grammar.parser.parser
    made = made.parser.parse_table
    numbers: dict[Any, int] = {}
    states = [
        {
            symbol: argument
            if action.name == "Shift"
            else -1 - numbers.setdefault(argument, len(numbers))
            for symbol, (action, argument) in made.states[state].items()
        }
        for state in range(len(made.states))
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
    return {"states": states, "rules": rules, "starts": made.start_states, "ends": made.end_states}


def _from_json(data: Any) -> ParseTable:
    return ParseTable(
        tuple(data["states"]),
        tuple(Rule(*rule) for rule in data["rules"]),
        data["starts"],
        data["ends"],
    )


def _keep(path: Path, text: str) -> None:
    """Write a cache file whole or not at all; a folder that cannot be written is no error."""
    import tempfile  # late: only where a table was made

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, suffix=".new")
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        Path(name).replace(path)
    except OSError:
        pass
