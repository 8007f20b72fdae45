"""Lexer of TypeScript's type syntax.

Types have contextual keywords only: ``is``, ``get``, ``readonly``, ``new`` are operators or names,
depending on their neighbours, and so is whether a line break ends a member of an object type.  The
lexer decides both, with one token of look-behind and look-ahead, so that the grammar is LALR(1).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

from typematch.errors import TypeSyntaxError


class Token(NamedTuple):
    """``column`` and ``end`` are offsets in characters from the start of the text."""

    kind: str
    text: str
    column: int
    end: int


# Larger types cost a search seconds; no signature that is written by hand is as large.
MAX_BRACKETS = 100  # nesting depth
MAX_MEMBERS = 100  # of a union
MAX_PARAMETERS = 32  # of a function
MAX_VARIABLES = 10  # type parameters of the query's signature

_RAW = re.compile(
    r"""
      (?P<TRIVIA> (?: [\s\ufeff]+ | //[^\r\n\u2028\u2029]* | /\*.*?\*/ )+ )
    | (?P<WORD> [^\W\d][\w$]* | \$[\w$]* )
    | (?P<NUMBER> 0[xX][0-9a-fA-F_]+n? | 0[oO][0-7_]+n? | 0[bB][01_]+n?
                | (?: \d[\d_]*\.?[\d_]* | \.\d[\d_]* ) (?: [eE][+-]?\d[\d_]* )? n? )
    | (?P<STRING> "(?:[^"\\\r\n]|\\.)*" | '(?:[^'\\\r\n]|\\.)*' )
    | (?P<MARK> \.\.\. | => | -> | [()\[\]{}<>|&,;:.=?+`-] )
    """,
    re.VERBOSE | re.DOTALL,
)
# ``Request@express`` is ``import("express").Request``.
_NAME_AT_MODULE = re.compile(
    r"(?P<path>[^\W\d][\w$]*(?:\.[^\W\d][\w$]*)*)@(?P<module>(?:@[\w.-]+/)?\w[\w-]*(?:[.:/][\w-]+)*)"
)
_CHUNK = re.compile(r"(?:[^`\\$]|\\.|\$(?!\{))*(?P<end>`|\$\{)", re.DOTALL)

_MARKS = {
    "...": "SPREAD", "=>": "ARROW", "->": "ARROW", "(": "LPAREN", ")": "RPAREN", "[": "LSQUARE",
    "]": "RSQUARE", "{": "LBRACE", "}": "RBRACE", "<": "LESS", ">": "GREATER", "|": "BAR",
    "&": "AMPERSAND", ",": "COMMA", ";": "SEMICOLON", ":": "COLON", ".": "DOT", "=": "EQUALS",
    "+": "PLUS", "-": "MINUS",
}  # fmt: skip
_CLOSING = {")": "(", "]": "[", "}": "{", ">": "<"}
_OPERANDS = frozenset(
    ("NAME", "VARIABLE", "STRING", "NUMBER", "RPAREN", "RSQUARE", "RBRACE", "GREATER", "TEMPLATE",
     "TEMPLATE_TAIL")
)  # fmt: skip
_PREFIXES = frozenset(
    ("keyof", "typeof", "unique", "readonly", "infer", "abstract", "asserts", "new", "import")
)
_AFTER_OPTIONAL = frozenset((",", ")", "]", "}", ";", ">", "=>", "->"))
_INFIXES = {"extends": "EXTENDS", "is": "IS", "in": "IN", "as": "AS"}


@dataclass(frozen=True, slots=True)
class _RawToken:
    """A token before its kind is decided; ``new_line``: a line break precedes it."""

    form: str  # WORD NUMBER STRING MARK TEMPLATE... END
    text: str
    column: int
    end: int
    new_line: bool

    @property
    def starts_type(self) -> bool:
        return self.form in ("WORD", "NUMBER", "STRING", "TEMPLATE", "TEMPLATE_HEAD") or (
            self.form == "MARK" and self.text in ("(", "[", "{", "<", "-", "?")
        )


def tokenize(text: str) -> list[Token]:
    """Return the tokens of ``text``.

    Raises:
        TypeSyntaxError: an invalid character, an unterminated string or comment, or brackets
            nested deeper than ``MAX_BRACKETS``.
    """
    return _TokenClassifier(_scan(text)).tokens()


def _scan(text: str) -> list[_RawToken]:
    """Return the raw tokens of ``text``, with END as the last one."""
    tokens: list[_RawToken] = []
    open_brackets: list[str] = []
    position, new_line = 0, False
    while position < len(text):
        match = _RAW.match(text, position)
        if match is None:
            raise _unreadable(text, position)
        form, end = match.lastgroup or "", match.end()
        lexeme = match.group()
        at_module = _NAME_AT_MODULE.match(text, position) if form == "WORD" else None
        if at_module is not None:
            tokens += _import_tokens(at_module, new_line=new_line)
            position, new_line = at_module.end(), False
            continue
        if form == "TRIVIA":
            new_line = new_line or any(c in lexeme for c in "\n\r\u2028\u2029")
            position = end
            continue
        if lexeme == "`" or (lexeme == "}" and open_brackets[-1:] == ["${"]):
            form, end = _template(text, position, open_brackets)
        elif form == "MARK":
            _track_nesting(text, position, lexeme, open_brackets)
        tokens.append(_RawToken(form, text[position:end], position, end, new_line))
        position, new_line = end, False
    tokens.append(_RawToken("END", "", len(text), len(text), True))
    return tokens


def _import_tokens(match: re.Match[str], *, new_line: bool) -> list[_RawToken]:
    """Return the tokens of ``import("module").path`` for ``path@module``, all with its columns."""
    forms = [("WORD", "import"), ("MARK", "("), ("STRING", f'"{match["module"]}"'), ("MARK", ")")]
    for name in match["path"].split("."):
        forms += [("MARK", "."), ("WORD", name)]
    start, end = match.span()
    return [
        _RawToken(form, text, start, end, new_line and index == 0)
        for index, (form, text) in enumerate(forms)
    ]


def _track_nesting(text: str, position: int, mark: str, open_brackets: list[str]) -> None:
    """Track the nesting of brackets; the parser reports mismatches."""
    if mark in ("(", "[", "{", "<"):
        open_brackets.append(mark)
        if len(open_brackets) > MAX_BRACKETS:
            raise too_deep_error(text, position)
    elif mark in _CLOSING and open_brackets[-1:] == [_CLOSING[mark]]:
        open_brackets.pop()


def _template(text: str, position: int, open_brackets: list[str]) -> tuple[str, int]:
    """Return the form and the end of the chunk of a template literal at ``position``."""
    chunk = _CHUNK.match(text, position + 1)
    if chunk is None:
        raise TypeSyntaxError(text, len(text), ("'`'",), "The template literal is not closed.")
    opens, closes = text[position] == "`", chunk["end"] == "`"
    if opens and not closes:
        open_brackets.append("${")
        if len(open_brackets) > MAX_BRACKETS:
            raise too_deep_error(text, position)
    if not opens and closes:
        open_brackets.pop()
    kinds = {
        (True, True): "TEMPLATE",
        (True, False): "TEMPLATE_HEAD",
        (False, False): "TEMPLATE_MIDDLE",
    }
    return kinds.get((opens, closes), "TEMPLATE_TAIL"), chunk.end()


def too_deep_error(text: str, column: int) -> TypeSyntaxError:
    return TypeSyntaxError(
        text,
        column,
        problem=f"the type is nested deeper than {MAX_BRACKETS} levels",
        hint="Search for a part of it, or write _ for the inner types.",
    )


def too_many_error(
    text: str, column: int, count: int, noun: str, limit: int, hint: str
) -> TypeSyntaxError:
    return TypeSyntaxError(
        text, column, problem=f"there are {count:,} {noun}, the limit is {limit}", hint=hint
    )


def _unreadable(text: str, position: int) -> TypeSyntaxError:
    character = text[position]
    if character in "\"'":
        return TypeSyntaxError(
            text, position, problem="the string is not closed", hint=f"Close it with {character}."
        )
    if text.startswith("/*", position):
        return TypeSyntaxError(text, position, problem="the comment is not closed")
    shown = repr(character) if character.isprintable() else f"U+{ord(character):04X}"
    return TypeSyntaxError(text, position, problem=f"{shown} is not allowed in a type")


class _TokenClassifier:
    """Decides the kind of each raw token, from left to right.

    Attributes:
        _brackets: the kinds of the open brackets, innermost last.
        _past_name: for each open bracket, whether the member of an object type in it is past its
            name.
    """

    def __init__(self, raw_tokens: list[_RawToken]) -> None:
        self._raw_tokens = raw_tokens
        self._tokens: list[Token] = []
        self._brackets: list[str] = []
        self._past_name: list[bool] = []

    def tokens(self) -> list[Token]:
        index, end = 0, len(self._raw_tokens) - 1
        while index < end:
            raw, following = self._raw_tokens[index], self._raw_tokens[index + 1]
            if raw.new_line and self._ends_member(raw):
                self._add("SEMICOLON", "", raw.column, raw.column)
            kind, length = self._kind(raw, following)
            last = self._raw_tokens[index + length - 1]
            self._add(kind, raw.text if length == 1 else raw.text + last.text, raw.column, last.end)
            index += length
        return self._tokens

    def _kind(self, raw: _RawToken, following: _RawToken) -> tuple[str, int]:
        """Return the kind of the token that starts with ``raw``, and its length in raw tokens."""
        if raw.form == "WORD":
            return self._word(raw, following), 1
        if raw.form != "MARK":
            return raw.form, 1
        return self._question(raw, following) if raw.text == "?" else (_MARKS[raw.text], 1)

    # -- context -----------------------------------------------------------------------------------

    @property
    def _last(self) -> str:
        return self._tokens[-1].kind if self._tokens else ""

    @property
    def _in_object(self) -> bool:
        return self._brackets[-1:] == ["LBRACE"]

    @property
    def _at_name(self) -> bool:
        """Whether the name of a member of an object type is possible here."""
        return (
            self._in_object
            and not self._past_name[-1]
            and self._last in ("LBRACE", "SEMICOLON", "COMMA", "GET", "SET", "READONLY")
        )

    def _add(self, kind: str, text: str, column: int, end: int) -> None:
        if kind == "COMMA" and self._in_object:
            kind = "SEMICOLON"
        if kind in ("LPAREN", "LSQUARE", "LBRACE", "LESS", "TEMPLATE_HEAD"):
            if self._in_object and kind != "LSQUARE":
                self._past_name[-1] = True
            self._brackets.append(kind)
            self._past_name.append(False)
        elif kind in ("RPAREN", "RSQUARE", "RBRACE", "GREATER", "TEMPLATE_TAIL") and self._brackets:
            self._brackets.pop()
            self._past_name.pop()
        elif self._in_object and kind in ("SEMICOLON", "COLON", "OPTIONAL_COLON"):
            self._past_name[-1] = kind != "SEMICOLON"
        self._tokens.append(Token(kind, text, column, end))

    # -- kinds -------------------------------------------------------------------------------------

    def _ends_member(self, raw: _RawToken) -> bool:
        """Whether the line break before ``raw`` ends a member of an object type."""
        if not self._in_object or self._last not in (*_OPERANDS, "OPTIONAL"):
            return False
        if raw.text in ("(", "<"):
            return self._past_name[-1]  # else the name of the method is on the line before
        return raw.form in ("WORD", "STRING", "NUMBER") or raw.text in ("[", "+", "-")

    def _word(self, raw: _RawToken, following: _RawToken) -> str:
        if self._last == "DOT":
            return "NAME"
        if raw.text == "readonly" and self._last in ("PLUS", "MINUS"):
            return "READONLY"
        if self._at_name:
            return self._member_word(raw, following)
        if following.text in (":", ",", ")", "]", ">", ";") and following.form == "MARK":
            return "NAME"
        operand_before = self._last in _OPERANDS
        if operand_before and raw.text in _INFIXES and following.starts_type:
            return _INFIXES[raw.text]
        if not operand_before and raw.text in _PREFIXES and self._is_prefix(raw.text, following):
            return raw.text.upper()
        if raw.text == "const" and self._last in ("LESS", "COMMA") and following.form == "WORD":
            return "CONST"
        return "NAME"

    def _member_word(self, raw: _RawToken, following: _RawToken) -> str:
        names_follow = following.form in ("WORD", "STRING", "NUMBER") or following.text == "["
        modifiers = ("GET", "SET", "READONLY")
        if raw.text in ("get", "set", "readonly") and names_follow and self._last not in modifiers:
            return raw.text.upper()
        if raw.text == "new" and following.text in ("(", "<") and self._last not in modifiers:
            return "NEW"
        return "NAME"

    def _is_prefix(self, word: str, following: _RawToken) -> bool:
        if word == "new":
            return following.text in ("(", "<")
        if word == "import":
            return following.text == "("
        if word == "abstract":
            return following.text == "new"
        if word in ("infer", "typeof"):
            return following.form == "WORD"
        if word == "asserts":
            return following.form == "WORD" and not following.new_line
        if word == "unique":
            return following.text == "symbol"
        return following.starts_type and following.text not in ("<", "?")

    def _question(self, raw: _RawToken, following: _RawToken) -> tuple[str, int]:
        if self._last not in (*_OPERANDS, "PLUS", "MINUS"):
            if following.form == "WORD" and following.column == raw.end:
                return "VARIABLE", 2
        elif following.text == ":" and following.form == "MARK":
            return "OPTIONAL_COLON", 2
        elif (
            (self._in_object and not self._past_name[-1])
            or following.form == "END"
            or (following.form == "MARK" and following.text in _AFTER_OPTIONAL)
        ):
            return "OPTIONAL", 1
        return "CONDITION", 1
