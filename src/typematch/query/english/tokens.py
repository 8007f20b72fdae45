"""Splits a sentence into terms: words, or sequences of words that the lexicon lists as one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from typematch.query.english.lexicon import LEXICON, MAX_TERM_WORDS, NOT_PLURAL
from typematch.query.signature.lexer import Token
from typematch.query.signature.type_expr import is_type

MAX_WORDS = 90  # words of a text that are analysed; the rest stays plain text

_PIECE = re.compile(
    r"""(?P<type> [A-Za-z_$][\w$.]* (?: <[^<>]*(?:<[^<>]*>[^<>]*)*> (?:\[\])* | (?:\[\])+ ) )
      | (?P<word> [^\W_][\w]* ) (?P<possessive> ['\u2019]s\b )?
      | (?P<mark> [,;:.!?] )""",
    re.VERBOSE,
)
# Terminals of the grammar that are nouns.
NOUN_TAGS = frozenset(
    ("ATOM", "ROLE", "DECLARED", "VAR", "TYPE", "LIST", "KEYED", "PAIR", "VALUE", "UNIT", "FUNC",
     "UNKNOWN_NOUN")
)  # fmt: skip
VERB_TAGS = frozenset(("TAKE", "GIVE", "MAKE", "CONVERT", "CHECK", "DATIVE", "VERB"))


@dataclass(frozen=True, slots=True)
class TaggedToken:
    """A term of the sentence.

    Attributes:
        tag: a terminal of the grammar.
        meaning: as in ``lexicon.Sense``; the text itself until the term is tagged.
        column, end: the term is text[column:end].
        lemma: the term in lower case and in the singular.
    """

    tag: str
    meaning: str
    column: int
    end: int
    lemma: str
    plural: bool = False

    @property
    def token(self) -> Token:
        return Token(self.tag, self.meaning, self.column, self.end)


def split_terms(text: str) -> Iterator[TaggedToken]:
    """Yield the terms of a sentence in order; of overlapping lexicon terms the longest.

    Their tags are provisional: KNOWN (in the lexicon), WORD, TYPE (TypeScript), COMMA and BREAK.
    """
    pieces = list(_pieces(text))
    index = 0
    while index < len(pieces):
        piece = pieces[index]
        if piece.kind == "mark":
            yield TaggedToken(_mark_tag(text, piece), "", piece.column, piece.end, piece.text)
        elif piece.kind == "type" and is_type(piece.text):
            yield TaggedToken("TYPE", piece.text, piece.column, piece.end, piece.text)
        else:
            length, lemma, plural = _longest_term(pieces, index)
            column, end = piece.column, pieces[index + length - 1].end
            tag = "KNOWN" if length > 1 or (lemma,) in LEXICON else "WORD"
            yield TaggedToken(tag, text[column:end], column, end, lemma, plural)
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
        kind = str(match.lastgroup if match.lastgroup != "possessive" else "word")
        words += kind != "mark"
        if words > MAX_WORDS:
            return
        yield _Piece(kind, match[kind], match.start(), match.end())


def _mark_tag(text: str, piece: _Piece) -> str:
    if piece.text == ",":
        return "COMMA"
    inside_word = piece.text in ".:" and text[piece.end : piece.end + 1].strip()
    return "WORD" if inside_word else "BREAK"


def _longest_term(pieces: list[_Piece], index: int) -> tuple[int, str, bool]:
    """Return the length in pieces of the term at ``index``, its lemma, whether it is a plural."""
    words: list[str] = []
    for piece in pieces[index : index + MAX_TERM_WORDS]:
        if piece.kind == "mark":
            break
        words.append(piece.text.lower())
    for length in range(len(words), 0, -1):
        key = tuple(words[:length])
        if key in LEXICON:
            return length, " ".join(key), False
        for singular in singulars(key[-1]):
            if (*key[:-1], singular) in LEXICON:
                return length, " ".join((*key[:-1], singular)), True
    lemma = next(iter(singulars(words[0])), words[0]) if words else pieces[index].text
    return 1, lemma, bool(words) and lemma != words[0]


def singulars(word: str) -> Iterator[str]:
    """Yield the possible singulars of a plural, most likely first; nothing for other words."""
    if len(word) < 4 or not word.endswith("s") or word.endswith("ss") or word in NOT_PLURAL:
        return
    if word.endswith("ies") and len(word) > 4:
        yield f"{word[:-3]}y"
    if word.endswith(("ses", "xes", "zes", "ches", "shes")):
        yield word[:-2]
    if word.endswith("ices"):
        yield f"{word[:-4]}ex"
        yield f"{word[:-4]}ix"
    yield word[:-1]
