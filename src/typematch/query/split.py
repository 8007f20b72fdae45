"""Cut a query into facets, words, phrases and the text of its signature or type.

A facet stands only where no bracket is open, so that ``(name: string, kind: number) => x`` is a
signature.  What is cut out leaves blanks behind: columns stay those of the query.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from typematch.errors import QuerySyntaxError
from typematch.query.model import FACETS, Form
from typematch.query.signature.lexer import Token

_KEY = re.compile(r"(-?)([^\W\d]\w*):(?![:/])")
_WORD = re.compile(r'"([^"]*)"|[^\s"]+|"')
_LETTERS = re.compile(r"\w+")
_OPENING = {"(": ")", "[": "]", "{": "}", "<": ">"}
_JOINS = re.compile(r"\s*(?:=>|->|\||&)\s*")  # a type goes on behind these


@dataclass(slots=True)
class QueryPieces:
    """The pieces of a query, as tokens of ``grammars/query.lark``.

    Attributes:
        tokens: of the facets, in order.
        rest: the query with blanks for the facets.
        arrow: the column of the first arrow outside brackets and quotes, -1 if there is none.
        separator: the column of the first ``::`` outside brackets and quotes, -1 if there is none.
    """

    rest: str
    tokens: list[Token] = field(default_factory=list)
    arrow: int = -1
    separator: int = -1


def cut(text: str) -> QueryPieces:
    """Take ``text`` apart.

    Raises:
        QuerySyntaxError: a facet with an unknown key, or without a value.
    """
    found = QueryPieces(text)
    stack: list[str] = []
    position = 0
    while position < len(text):
        end = position + 1
        if not stack and (position == 0 or text[position - 1].isspace()):
            end = _facet(text, position, found)
            if end > position:
                found.rest = found.rest[:position] + " " * (end - position) + found.rest[end:]
                position = end
                continue
            end = position + 1
        if text[position] in "\"'`":
            end = _quoted(text, position)
        elif text.startswith(("=>", "->"), position):
            if not stack and found.arrow < 0:
                found.arrow = position
            end = position + 2
        elif text.startswith("::", position) and not stack:
            if found.separator < 0:
                found.separator = position
            end = position + 2
        elif run := _LETTERS.match(text, position):
            end = run.end()
        else:
            _nest(text[position], stack)
        position = end
    return found


def words(text: str, start: int, end: int) -> list[Token]:
    """Return the words and quoted phrases of ``text[start:end]``."""
    found = []
    for match in _WORD.finditer(text, start, end):
        kind = "PHRASE" if match[1] is not None else "WORD"
        found.append(Token(kind, match[1] or match[0], match.start(), match.end()))
    return found


def _nest(character: str, stack: list[str]) -> None:
    """Follow the brackets; a ``<`` that is closed by another bracket was none."""
    if character in _OPENING:
        stack.append(_OPENING[character])
    elif character in ")]}":
        while stack and stack[-1] == ">":
            stack.pop()
        if stack and stack[-1] == character:
            stack.pop()
    elif character == ">" and stack and stack[-1] == ">":
        stack.pop()


def _quoted(text: str, position: int) -> int:
    """Return the end of the quoted text at ``position``; of the mark alone in ``don't``."""
    mark = text[position]
    if mark == "'" and position and (text[position - 1].isalnum() or text[position - 1] == "_"):
        return position + 1
    end = text.find(mark, position + 1)
    return end + 1 if end >= 0 else position + 1


def _facet(text: str, position: int, found: QueryPieces) -> int:
    """Read a facet at ``position`` into ``found``; return its end, ``position`` for none."""
    match = _KEY.match(text, position)
    if match is None or text[:position].rstrip().endswith("?"):
        return position
    key, start = match[2], match.end()
    bare = start == len(text) or text[start].isspace()
    if key not in FACETS:
        if bare:
            return position
        raise _unknown_key(text, match.start(2), key)
    if bare:
        raise QuerySyntaxError(text, start, ("a value",), f"Try: {key}:{_example(key)}")
    if match[1]:
        found.tokens.append(Token("NOT", "-", position, position + 1))
    found.tokens.append(Token("KEY", key, match.start(2), match.end(2)))
    while True:
        end = _value_end(text, start, typed=FACETS[key].form in (Form.TYPE, Form.FIELD))
        if end == start:
            raise QuerySyntaxError(text, start, ("a value",), f"Try: {key}:{_example(key)}")
        found.tokens.append(_value(text, start, end))
        if text[end : end + 1] != ",":
            return end
        found.tokens.append(Token("COMMA", ",", end, end + 1))
        start = end + 1


def _value(text: str, start: int, end: int) -> Token:
    if text[start] == '"' and end - start > 1 and text[end - 1] == '"':
        return Token("QUOTED", text[start + 1 : end - 1], start, end)
    return Token("TEXT", text[start:end], start, end)


def _value_end(text: str, start: int, *, typed: bool) -> int:
    """Return where the facet's value at ``start`` ends: at a comma or blank outside brackets."""
    stack: list[str] = []
    position = start
    while position < len(text):
        character = text[position]
        join = _JOINS.match(text, position) if typed else None
        if join is not None:
            position = join.end()
            continue
        if not stack and (character.isspace() or character == ","):
            break
        if character in "\"'`":
            position = _quoted(text, position)
            continue
        if character != "<" or typed:  # arity:<3
            _nest(character, stack)
        position += 1
    return position


def _example(key: str) -> str:
    return FACETS[key].values.split(", ")[0]


def _unknown_key(text: str, column: int, key: str) -> QuerySyntaxError:
    near = nearest(key, FACETS)
    hint = f"Did you mean {near}:?" if near else f"There are: {' '.join(FACETS)}"
    return QuerySyntaxError(
        text,
        column,
        problem=f"there is no facet {key!r}",
        hint=f"{hint}  To search for the words themselves, quote them.",
    )


def nearest(word: str, choices: object) -> str:
    """Return the one of ``choices`` that is most like ``word``; empty if none is."""
    from difflib import get_close_matches  # late: only needed where something is wrong

    assert hasattr(choices, "__iter__")
    found = get_close_matches(word.lower()[:40], list(choices), n=1, cutoff=0.6)
    return found[0] if found else ""
