"""Splits a query into facets, words, phrases and the text of its signature or type.

Facets are recognised outside of brackets only, so ``(name: string, kind: number) => x`` is a
signature.  Facets are replaced by blanks, so columns are those of the query.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from typematch.errors import QuerySyntaxError
from typematch.query.model import FACETS, Form
from typematch.query.signature.lexer import Token

MAX_FACET_VALUES = 100
_KEY = re.compile(r"(-?)([^\W\d]\w*):(?![:/])")
_WORD = re.compile(r'"([^"]*)"|[^\s"]+|"')
_LETTERS = re.compile(r"\w+")
BRACKETS = {"(": ")", "[": "]", "{": "}", "<": ">"}
_TYPE_OPERATOR = re.compile(r"\s*(?:=>|->|\||&)\s*")  # a type continues after these


@dataclass(slots=True)
class QueryPieces:
    """The pieces of a query, as tokens of ``grammars/query.lark``.

    Attributes:
        tokens: of the facets, in order.
        rest: the query with blanks in place of the facets.
        arrow: the column of the first arrow outside of brackets and quotes; -1 for none.
        separator: the column of the first ``::`` outside of brackets and quotes; -1 for none.
        facet_values: number of values of facets so far.
    """

    rest: str
    tokens: list[Token] = field(default_factory=list)
    arrow: int = -1
    separator: int = -1
    facet_values: int = 0


def split_query(text: str) -> QueryPieces:
    """Split ``text``.

    Raises:
        QuerySyntaxError: a facet has an unknown key, or no value.
    """
    pieces = QueryPieces(text)
    stack: list[str] = []
    position = 0
    while position < len(text):
        end = position + 1
        if not stack and (position == 0 or text[position - 1].isspace()):
            end = _read_facet(text, position, pieces)
            if end > position:
                pieces.rest = pieces.rest[:position] + " " * (end - position) + pieces.rest[end:]
                position = end
                continue
            end = position + 1
        if text[position] in "\"'`":
            end = _quotation_end(text, position)
        elif text.startswith(("=>", "->"), position):
            if not stack and pieces.arrow < 0:
                pieces.arrow = position
            end = position + 2
        elif text.startswith("::", position) and not stack:
            if pieces.separator < 0:
                pieces.separator = position
            end = position + 2
        elif run := _LETTERS.match(text, position):
            end = run.end()
        else:
            _track_nesting(text[position], stack)
        position = end
    return pieces


def tokenize_words(text: str, start: int, end: int) -> list[Token]:
    """Return the words and quoted phrases of ``text[start:end]``."""
    tokens = []
    for match in _WORD.finditer(text, start, end):
        kind = "PHRASE" if match[1] is not None else "WORD"
        tokens.append(Token(kind, match[1] or match[0], match.start(), match.end()))
    return tokens


def _track_nesting(character: str, stack: list[str]) -> None:
    """Update the stack of open brackets; a ``<`` that another bracket closes is an operator."""
    if character in BRACKETS:
        stack.append(BRACKETS[character])
    elif character in ")]}":
        while stack and stack[-1] == ">":
            stack.pop()
        if stack and stack[-1] == character:
            stack.pop()
    elif character == ">" and stack and stack[-1] == ">":
        stack.pop()


def _quotation_end(text: str, position: int) -> int:
    """Return the end of the quotation at ``position``; an apostrophe is a character of its own."""
    mark = text[position]
    if mark == "'" and position and (text[position - 1].isalnum() or text[position - 1] == "_"):
        return position + 1
    end = text.find(mark, position + 1)
    return end + 1 if end >= 0 else position + 1


def _read_facet(text: str, position: int, pieces: QueryPieces) -> int:
    """Read a facet at ``position`` into ``pieces``; return its end, ``position`` for none."""
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
        pieces.tokens.append(Token("NOT", "-", position, position + 1))
    pieces.tokens.append(Token("KEY", key, match.start(2), match.end(2)))
    while True:
        pieces.facet_values += 1
        if pieces.facet_values > MAX_FACET_VALUES:
            raise QuerySyntaxError(
                text,
                start,
                problem=f"the facets have more than {MAX_FACET_VALUES} values",
                hint="Leave some out, or replace them by a pattern: pkg:@types/*",
            )
        end = value_end(text, start, typed=has_types(key))
        if end == start:
            raise QuerySyntaxError(text, start, ("a value",), f"Try: {key}:{_example(key)}")
        pieces.tokens.append(_value(text, start, end))
        if text[end : end + 1] != ",":
            return end
        pieces.tokens.append(Token("COMMA", ",", end, end + 1))
        start = end + 1


def _value(text: str, start: int, end: int) -> Token:
    if text[start] == '"' and end - start > 1 and text[end - 1] == '"':
        return Token("QUOTED", text[start + 1 : end - 1], start, end)
    return Token("TEXT", text[start:end], start, end)


def has_types(key: str) -> bool:
    """Return whether the values of a facet are types, or fields with a type."""
    return key in FACETS and FACETS[key].form in (Form.TYPE, Form.FIELD)


def facet_values(key: str, text: str) -> list[str]:
    """Return the values of a facet that stands alone, separated by commas, without their quotes.

    Blanks end no value, so quotes are only needed around commas.
    """
    values = []
    start, end = 0, -1
    while end < len(text):
        start = end + 1
        end = value_end(text, start, typed=has_types(key), alone=True)
        value = text[start:end].strip()
        is_quoted = len(value) > 1 and value[0] == value[-1] == '"' and value.count('"') == 2
        values.append(value[1:-1] if is_quoted else value)
    return values


def value_end(text: str, start: int, *, typed: bool, alone: bool = False) -> int:
    """Return the end of the facet value at ``start``: a comma or blank outside of brackets.

    Args:
        typed: it is a type, or a field with a type.
        alone: only a comma ends it.
    """
    stack: list[str] = []
    position = start
    while position < len(text):
        character = text[position]
        operator = _TYPE_OPERATOR.match(text, position) if typed else None
        if operator is not None:
            position = operator.end()
            continue
        if not stack and (character == "," or (character.isspace() and not alone)):
            break
        if character in "\"'`":
            position = _quotation_end(text, position)
            continue
        if character != "<" or typed:  # arity:<3
            _track_nesting(character, stack)
        position += 1
    return position


def _example(key: str) -> str:
    return FACETS[key].values.split(", ")[0]


def _unknown_key(text: str, column: int, key: str) -> QuerySyntaxError:
    near = closest_match(key, FACETS)
    hint = f"Did you mean {near}:?" if near else f"The facets are: {' '.join(FACETS)}"
    return QuerySyntaxError(
        text,
        column,
        problem=f"there is no facet {key!r}",
        hint=f"{hint}  To search for this text, quote it.",
        corrected=f"{text[:column]}{near}{text[column + len(key) :]}" if near else "",
    )


def closest_match(word: str, choices: Iterable[str]) -> str:
    """Return the choice most similar to ``word``; empty if none is similar."""
    from difflib import get_close_matches  # late: only needed for errors

    return next(iter(get_close_matches(word.lower()[:40], list(choices), n=1, cutoff=0.6)), "")
