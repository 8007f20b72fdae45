"""Give each word of a sentence its tag: the tokens of ``grammars/phrases.lark``.

Most words have one tag, by ``vocabulary``.  What a word is by its neighbours ("map" the verb and
"map" the noun, the "or" inside "list of strings or numbers") is decided here, with the words before
and after in view, so that the grammar stays LALR(1).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Protocol

from typematch.errors import TypeSyntaxError
from typematch.query.lexer import Token
from typematch.query.type_expr import read_type
from typematch.query.vocabulary import LONGEST, SINGULAR, WORDS, Word

MAX_WORDS = 90  # of a text that are looked at; the others stay text

_PIECE = re.compile(
    r"""(?P<type> [A-Za-z_$][\w$.]* (?: <[^<>]*(?:<[^<>]*>[^<>]*)*> (?:\[\])* | (?:\[\])+ ) )
      | (?P<word> [^\W_][\w]* ) (?P<own> ['\u2019]s\b )?
      | (?P<mark> [,;:.!?] )""",
    re.VERBOSE,
)
_NOUNS = frozenset(
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
_BEFORE_NOUNS = frozenset(("DET", "SAME", "COUNT", "OPTIONAL", "NULLABLE"))
_VERBS = frozenset(("TAKE", "GIVE", "MAKE", "CONVERT", "CHECK", "DATIVE", "VERB"))
_BEFORE_A_NAME = _BEFORE_NOUNS | _VERBS | {"FROM", "WITH", "OF", "TO", "AS", "AND", "OR", "IS"}
# The head of a query that says what is looked for: "find me a generic function that ...".
_PREAMBLE = frozenset(("DET", "FLAG", "ASYNC", "FILLER", "KIND", "WORD", "MAKE", "COUNT"))
_ASKING = frozenset(
    ("find", "need", "want", "i", "search", "looking", "something", "show", "is", "there", "which",
     "what", "we", "helper", "utility", "pure", "curried", "small")
)  # fmt: skip


class Nouns(Protocol):
    """What the catalog knows about nouns."""

    def type_called(self, noun: str, /) -> str | None:
        """Return the name of the declared type that a noun means: ``user`` -> ``User``.

        ``noun`` is one word or several with spaces between, in the singular, as written.
        """
        ...


@dataclass(frozen=True, slots=True)
class Tagged:
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


def tagged(text: str, nouns: Nouns | None = None) -> list[Tagged]:
    """Return the terms of ``text`` in order, those that grammar and reader know by their tags."""
    pieces = list(_pieces(text))
    found = list(_terms(text, pieces))
    found = [_by_neighbours(found, index, nouns) for index in range(len(found))]
    return list(_with_plurals(_merged(_in_context(_with_ellipses(found)))))


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


def _terms(text: str, pieces: list[_Piece]) -> Iterator[Tagged]:
    """Cut the sentence into terms, the longest that the vocabulary has first."""
    index = 0
    while index < len(pieces):
        piece = pieces[index]
        if piece.kind == "mark":
            yield Tagged(_mark(text, piece), "", piece.column, piece.end, piece.text)
        elif piece.kind == "type" and _is_type(piece.text):
            yield Tagged("TYPE", piece.text, piece.column, piece.end, piece.text)
        else:
            length, lemma, plural = _longest(pieces, index)
            column, end = piece.column, pieces[index + length - 1].end
            kind = "KNOWN" if length > 1 or (lemma,) in WORDS else "WORD"
            yield Tagged(kind, text[column:end], column, end, lemma, plural)
            index += length - 1
        index += 1


def _mark(text: str, piece: _Piece) -> str:
    if piece.text == ",":
        return "COMMA"
    inside = piece.text in ".:" and text[piece.end : piece.end + 1].strip()
    return "WORD" if inside else "BREAK"


def _is_type(text: str) -> bool:
    try:
        read_type(text)
    except TypeSyntaxError:
        return False
    return True


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


# -- one word at a time ----------------------------------------------------------------------------


def _by_neighbours(found: list[Tagged], index: int, nouns: Nouns | None) -> Tagged:
    one = found[index]
    before = found[index - 1] if index else None
    after = found[index + 1] if index + 1 < len(found) else None
    if one.kind not in ("KNOWN", "WORD"):
        return one
    if _is_variable(one, before, after):
        return replace(one, kind="VAR")
    if one.kind == "WORD":
        return _declared(one, before, after, nouns)
    if one.meaning == "URL":
        return replace(one, kind="ATOM")
    uses = WORDS[tuple(one.lemma.split())]
    word = uses[-1]
    if len(uses) > 1:
        word = _chosen(one, uses, before, after)
    if word.tag in _VERBS and _is(before, "OF", "DET", "COUNT", "WITH", "FROM"):
        for singular in singulars(one.lemma):
            for use in WORDS.get((singular,), ()):
                if use.tag in _NOUNS:
                    return replace(one, kind=use.tag, meaning=use.meaning, plural=True)
    if word.tag in _VERBS and one.plural and not one.lemma.endswith("s"):
        one = replace(one, plural=False)
    if word.tag == "FOREIGN":
        known = nouns is None or nouns.type_called(word.meaning) is not None
        kind = "KEYED" if word.meaning in ("Either", "Result") else "LIST"
        return replace(one, kind=kind if known else "WORD", meaning=word.meaning)
    if one.lemma in ("any", "this") and not _may_begin_noun(after):
        return replace(one, kind="ATOM", meaning=one.lemma)
    if one.lemma == "one" and _may_be_one(before) and not _may_begin_noun(after):
        return replace(one, kind="VALUE", meaning="value")
    if one.lemma == "options" and one.meaning == "Options" and _is(before, "OF"):
        return replace(one, kind="LIST", meaning="Option", plural=True)
    return replace(one, kind=word.tag, meaning=word.meaning)


def _may_be_one(before: Tagged | None) -> bool:
    """Whether "one" behind ``before`` is a thing, not a number: "the longest one"."""
    return before is not None and (before.kind == "WORD" or _is(before, "DET", "FLAT"))


def _may_begin_noun(after: Tagged | None) -> bool:
    """Whether what follows may be the noun, or stand before it."""
    if after is None or after.kind in ("BREAK", "COMMA"):
        return False
    return after.kind == "WORD" or _is(after, *_NOUNS, *_BEFORE_NOUNS, "FLAG", "ARGS", "FLAT")


def _is_variable(one: Tagged, before: Tagged | None, after: Tagged | None) -> bool:
    written = one.meaning
    if len(written) != 1 or not written.isupper():
        return False
    if written in "AI":  # the article, unless it stands where only a noun can
        if before is None or before.kind == "BREAK":
            return False
        return after is None or after.kind in ("BREAK", "COMMA") or _may_end_noun(after)
    return True


def _may_end_noun(after: Tagged) -> bool:
    return after.lemma in ("and", "or", "to", "returns", "into", "from", "with", "returning", "in")


def _declared(
    one: Tagged, before: Tagged | None, after: Tagged | None, nouns: Nouns | None
) -> Tagged:
    """Return a word nobody listed as the declared type that it means, if it means one."""
    begins = before is None or before.kind == "BREAK"
    capital = one.meaning[:1].isupper() and not begins
    if nouns is not None:
        if not capital and not _is_noun_by_place(one, before, after):
            return one
        name = nouns.type_called(one.meaning if capital and not one.plural else one.lemma)
        return replace(one, kind="DECLARED", meaning=name) if name else one
    if one.meaning.isupper():
        return one  # ISO, JSON: no type is called so
    inner = any(c.isupper() for c in one.meaning[1:])
    if one.meaning.isidentifier() and (capital or inner) and one.meaning[:1].isupper():
        name = one.meaning[:-1] if one.plural else one.meaning
        return replace(one, kind="DECLARED", meaning=name)
    return one


def _is_noun_by_place(one: Tagged, before: Tagged | None, after: Tagged | None) -> bool:
    """Whether a word in small letters stands where a noun does: "of users", "a user"."""
    if after is not None and after.kind == "WORD" and not one.plural:
        return False  # "a file system" is no File
    return before is not None and (before.kind == "COMMA" or _is(before, *_BEFORE_A_NAME))


def _chosen(
    one: Tagged, uses: tuple[Word, ...], before: Tagged | None, after: Tagged | None
) -> Word:
    """Choose between the verb and the noun that a term may be, or between two functions of it."""
    tags = {use.tag: use for use in uses}
    verb = next((use for use in uses if use.tag in _VERBS), None)
    noun = next((use for use in reversed(uses) if use.tag not in _VERBS), None)
    if "OF" in tags and "WITH" in tags:
        return tags["OF" if _has_of(one, before) else "WITH"]
    if verb is None or noun is None:
        return uses[-1]
    opens = before is None or before.kind in ("BREAK", "COMMA")
    opens = opens or _is(before, "TO", "AND", "THAT", "ASYNC", "FLAG")
    goes_on = after is not None and (
        _is(after, "DET", "COUNT", "SAME", "WHETHER", "FILLER", *_NOUNS) or after.kind == "WORD"
    )
    noun_goes_on = after is not None and _is(after, "OF", "FROM")
    return verb if opens and goes_on and not noun_goes_on else noun


def _has_of(one: Tagged, before: Tagged | None) -> bool:
    """Whether a preposition says what is in a thing: "promise for", "predicate on", "task with"."""
    uses = () if before is None else _uses(before)
    wraps = any(use.tag == "FOREIGN" or use.meaning == "Promise" for use in uses)
    judges = any(use.tag == "FUNC" and use.meaning != "function" for use in uses)
    return (wraps and one.lemma in ("for", "with")) or (judges and one.lemma != "with")


def _uses(one: Tagged) -> tuple[Word, ...]:
    return WORDS.get(tuple(one.lemma.split()), ()) if one.kind == "KNOWN" else ()


def _is(one: Tagged | None, *tags: str) -> bool:
    return one is not None and any(use.tag in tags for use in _uses(one))


# -- the sentence ----------------------------------------------------------------------------------


def _in_context(found: list[Tagged]) -> list[Tagged]:
    """Tell apart what depends on the words further off."""
    found = [one for one in found if one.kind != "FILLER"]
    kind_at = _kind_place(found)
    result: list[Tagged] = []
    verb = ""  # the last one
    pair = keyed = 0  # how many of "pair of X and Y", "map of X to Y" wait for their second half
    for index, one in enumerate(found):
        after = found[index + 1] if index + 1 < len(found) else None
        if one.lemma in ("passes", "passing") and any(r.meaning == "callback" for r in result):
            one = replace(one, kind="GIVE")
        if one.kind in _VERBS or one.kind == "BREAK":
            verb, pair, keyed = one.kind, 0, 0
        elif one.kind == "OF" and result:
            pair += result[-1].kind == "PAIR" and after is not None and not _is_plural(found, index)
            keyed += result[-1].kind == "KEYED"
        elif one.kind in ("AND", "OR") and after is not None:
            if one.kind == "AND" and after.kind == "GIVE":
                one = replace(one, kind="THEN" if _tells_a_function(result) else "AND")
            elif one.kind == "AND" and pair:
                one, pair = replace(one, kind="INNER"), pair - 1
            elif _joins_plurals(result, after):
                one = replace(one, kind="NARROW")
        elif one.kind == "TO":
            one, keyed = _to(one, after, result, verb, keyed)
        elif one.kind == "KIND" and verb in ("TAKE", "GIVE"):
            one = replace(one, kind="UNTOLD" if verb == "TAKE" else "WORD", meaning="untold")
        elif one.kind == "KIND" and not _is_head(found[:index]):
            one = replace(one, kind="WORD")
        elif one.kind == "WORD" and verb == "TAKE" and _stands_for_noun(result, after):
            one = replace(one, kind="UNTOLD", meaning="untold")
        elif one.kind == "MAKE" and one.lemma == "get" and _is_of_function(result):
            one = replace(one, kind="TAKE")
        elif one.kind == "AS" and verb not in ("TAKE", "GIVE"):
            one = replace(one, kind="TO")
        elif index == kind_at:
            kind = "KIND" if one.meaning == "function" else "FLAG"
            one = replace(one, kind=kind, meaning=one.meaning)
            if kind == "FLAG":
                one = replace(one, meaning="callback")
        elif one.kind == "MAKE" and one.lemma == "get" and result and result[-1].kind == "AND":
            one = replace(one, kind="GIVE")
        elif one.kind == "THAT" and after is not None and after.kind in ("VALUE", *_NOUNS):
            one = replace(one, kind="SAME")
        result.append(one)
    return result


def _stands_for_noun(result: list[Tagged], after: Tagged | None) -> bool:
    """Whether an unknown word is itself what is taken: "takes a schema and a string"."""
    for one in reversed(result):
        if one.kind in ("DET", "COUNT", "OPTIONAL", "SAME"):
            break
        if one.kind != "WORD":
            return False
    else:
        return False
    return after is None or after.kind in ("AND", "COMMA", "BREAK", "GIVE", "OR", "WITH", "OF")


def _tells_a_function(result: list[Tagged]) -> bool:
    """Whether "and returns" belongs to the function that an argument is, not to what is asked for.

    A callback returns nothing and a predicate says yes or no: they have no result to tell.
    """
    place = max((i for i, one in enumerate(result) if one.kind == "FUNC"), default=-1)
    if place < 0 or result[place].meaning not in ("function", "mapper"):
        return False
    following = [one.kind for one in result[place + 1 : place + 3]]
    return "TAKE" in following[:1] or following == ["THAT", "TAKE"]


def _is_of_function(result: list[Tagged]) -> bool:
    return len(result) > 1 and result[-1].kind == "THAT" and result[-2].kind == "FUNC"


def _is_plural(found: list[Tagged], index: int) -> bool:
    """Whether the noun behind ``found[index]`` is a plural: "a pair of lists"."""
    for one in found[index + 1 :]:
        if one.kind in _NOUNS:
            return one.plural
        if one.kind in ("DET", "COUNT"):
            return one.kind == "COUNT"
    return False


def _joins_plurals(result: list[Tagged], after: Tagged) -> bool:
    """Whether both sides are alike and inside an ``of``: "list of strings or numbers"."""
    if not result or result[-1].kind not in _NOUNS or after.kind not in _NOUNS:
        return False
    last = next((one.kind for one in reversed(result) if one.kind not in _NOUNS), "")
    return last in ("OF", "NARROW") and result[-1].plural == after.plural


def _to(
    one: Tagged, after: Tagged | None, result: list[Tagged], verb: str, keyed: int
) -> tuple[Tagged, int]:
    if after is None:
        return replace(one, kind="WORD"), keyed
    if after.kind in _VERBS or after.kind == "CHECK":
        return replace(one, kind="WORD"), keyed  # an infinitive
    if keyed and result and result[-1].plural and after.kind in _NOUNS:
        return replace(one, kind="INNER"), keyed - 1
    waits = any(item.kind == "FROM" for item in result)
    if verb == "DATIVE" and not waits:
        return replace(one, kind="WITH"), keyed
    return one, keyed


def _kind_place(found: list[Tagged]) -> int:
    """Return where "function" says what is looked for, not what is passed; -1 for nowhere."""
    for index, one in enumerate(found):
        if one.kind == "FUNC" and one.meaning in ("callback", "node"):
            told = [later.kind for later in found[index + 1 : index + 3]]
            works = len(told) == 2 and told[0] == "THAT" and told[1] not in ("TAKE", "GIVE")
            return index if works else -1
        if one.kind == "FUNC" and one.meaning == "function":
            after = found[index + 1] if index + 1 < len(found) else None
            alone = after is None or after.kind in (
                "THAT", "TAKE", "GIVE", "WITH", "TO", "FROM", "BREAK", "COMMA", "ARITY", "WHETHER",
                "CONVERT", "CHECK", "AND",
            )  # fmt: skip
            return index if alone and not one.plural else -1
        if not _is_preamble(one):
            return -1
    return -1


def _is_head(before: list[Tagged]) -> bool:
    """Whether what follows ``before`` says what is looked for: "find me a method that ..."."""
    return all(_is_preamble(one) for one in before)


def _is_preamble(one: Tagged) -> bool:
    return one.kind in _PREAMBLE and (one.kind != "WORD" or one.lemma in _ASKING)


def _with_ellipses(found: list[Tagged]) -> list[Tagged]:
    """Say the noun twice where it is said once: "a lower and an upper bound"."""
    result = list(found)
    for index in range(len(found) - 4):
        window = found[index + 1 : index + 6]
        if [one.kind for one in window[:3]] != ["WORD", "AND", "DET"]:
            continue
        short, _, _, noun, *rest = window
        if noun.kind == "WORD" and rest:
            [noun] = rest
        elif (short.lemma, noun.lemma.split()[-1]) not in WORDS:
            continue
        if noun.kind in _NOUNS:
            result[index + 1] = replace(short, kind=noun.kind, meaning=noun.meaning)
    return result


def _with_plurals(found: list[Tagged]) -> Iterator[Tagged]:
    """Put a mark before nouns that speak of many without saying how many: "users"."""
    run: list[Tagged] = []
    counted = False
    for one in (*found, None):
        if one is not None and one.kind in _NOUNS:
            run.append(one)
            continue
        if run and run[-1].plural and run[-1].kind != "UNIT" and not counted:
            yield Tagged("MANY", "", run[0].column, run[0].column, "")
        if run:
            yield from run
            run, counted = [], False
        if one is not None:
            counted = one.kind == "COUNT" or (counted and one.kind in ("WORD", "DET"))
            yield one


# -- numbers of arguments --------------------------------------------------------------------------


def _merged(found: list[Tagged]) -> list[Tagged]:
    """Put "at least two arguments" together to one token; drop numbers that count nothing."""
    result: list[Tagged] = []
    index = 0
    while index < len(found):
        made = _arity(found, index)
        if made is not None:
            one, length = made
            result.append(one)
            index += length
            continue
        result.append(found[index])
        index += 1
    return [replace(one, kind="WORD") if one.kind in ("BOUND", "ARGS") else one for one in result]


def _arity(found: list[Tagged], index: int) -> tuple[Tagged, int] | None:
    """Return the token of the number of arguments that begins at ``index``, and its length."""
    start = index
    sign = "="
    if found[index].kind == "BOUND":
        sign = found[index].meaning
        index += 1
    if index >= len(found) or not (count := _number(found[index])):
        return None
    index += 1
    if index < len(found) and found[index].kind == "WORD":
        index += 1
    if index >= len(found) or found[index].lemma not in ("argument", "parameter", "arg", "param"):
        return None
    last = found[index]
    meaning = f"{sign}{count}"
    merged = Tagged("ARITY", meaning, found[start].column, last.end, "arguments")
    return merged, index + 1 - start


def _number(one: Tagged) -> str:
    if one.kind == "COUNT":
        return one.meaning
    return one.meaning if one.meaning.isdecimal() and len(one.meaning) < 3 else ""
