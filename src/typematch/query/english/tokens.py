"""Cut a sentence into terms: words, or several that the vocabulary has as one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from typematch.query.english.lexicon import LONGEST, SINGULAR, WORDS
from typematch.query.signature.lexer import Token
from typematch.query.signature.type_expr import is_type

MAX_WORDS = 90  # of a text that are looked at; the others stay text

_PIECE = re.compile(
    r"""(?P<type> [A-Za-z_$][\w$.]* (?: <[^<>]*(?:<[^<>]*>[^<>]*)*> (?:\[\])* | (?:\[\])+ ) )
      | (?P<word> [^\W_][\w]* ) (?P<own> ['\u2019]s\b )?
      | (?P<mark> [,;:.!?] )""",
    re.VERBOSE,
)
# Tags of what may be a noun, and of verbs.
NOUNS = frozenset(
    (
        "ATOM",
        "ROLE",
        "DECLARED",
        "VAR",
        "TYPE",
        "LIST",
        "KEYED",
        "PAIR",
        "VALUE",
        "UNIT",
        "FUNC",
        "UNTOLD",
    )
)
VERBS = frozenset(("TAKE", "GIVE", "MAKE", "CONVERT", "CHECK", "DATIVE", "VERB"))


@dataclass(frozen=True, slots=True)
class TaggedToken:
    """A term of the sentence: text[column:end], ``lemma`` in lower case and in the singular."""

    kind: str
    meaning: str
    column: int
    end: int
    lemma: str
    plural: bool = False

    @property
    def token(self) -> Token:
        return Token(self.kind, self.meaning, self.column, self.end)


def terms_of(text: str) -> Iterator[TaggedToken]:
    """Yield the terms of a sentence in order, the longest that the vocabulary has first.

    Their kinds are KNOWN, WORD, TYPE and the marks; ``tagging`` tells more.
    """
    pieces = list(_pieces(text))
    index = 0
    while index < len(pieces):
        piece = pieces[index]
        if piece.kind == "mark":
            yield TaggedToken(_mark(text, piece), "", piece.column, piece.end, piece.text)
        elif piece.kind == "type" and is_type(piece.text):
            yield TaggedToken("TYPE", piece.text, piece.column, piece.end, piece.text)
        else:
            length, lemma, plural = _longest(pieces, index)
            column, end = piece.column, pieces[index + length - 1].end
            kind = "KNOWN" if length > 1 or (lemma,) in WORDS else "WORD"
            yield TaggedToken(kind, text[column:end], column, end, lemma, plural)
            index += length - 1
        index += 1


@dataclass(frozen=True, slots=True)
class _Piece:
    kind: str  # type, word or mark
    text: str
    column: int
    end: int


def _pieces(text: str) -> Iterator[_Piece]:
    words = 0
    for match in _PIECE.finditer(text):
        kind = str(match.lastgroup if match.lastgroup != "own" else "word")
        words += kind != "mark"
        if words > MAX_WORDS:
            return
        yield _Piece(kind, match[kind], match.start(), match.end())


def _mark(text: str, piece: _Piece) -> str:
    if piece.text == ",":
        return "COMMA"
    inside = piece.text in ".:" and text[piece.end : piece.end + 1].strip()
    return "WORD" if inside else "BREAK"


def _longest(pieces: list[_Piece], index: int) -> tuple[int, str, bool]:
    """Return the length of the term at ``index`` in pieces, its lemma, whether it is a plural."""
    words: list[str] = []
    for piece in pieces[index : index + LONGEST]:
        if piece.kind == "mark":
            break
        words.append(piece.text.lower())
    for length in range(len(words), 0, -1):
        key = tuple(words[:length])
        if key in WORDS:
            return length, " ".join(key), False
        for singular in singulars(key[-1]):
            if (*key[:-1], singular) in WORDS:
                return length, " ".join((*key[:-1], singular)), True
    single = next(iter(singulars(words[0])), words[0]) if words else pieces[index].text
    return 1, single, bool(words) and single != words[0]


def singulars(word: str) -> Iterator[str]:
    """Yield what ``word`` may be the plural of, the likeliest first."""
    if len(word) < 4 or not word.endswith("s") or word.endswith("ss") or word in SINGULAR:
        return
    if word.endswith("ies") and len(word) > 4:
        yield f"{word[:-3]}y"
    if word.endswith(("ses", "xes", "zes", "ches", "shes")):
        yield word[:-2]
    if word.endswith("ices"):
        yield f"{word[:-4]}ex"
        yield f"{word[:-4]}ix"
    yield word[:-1]
