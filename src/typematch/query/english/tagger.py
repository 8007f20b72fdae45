"""Give each word of a sentence its tag: the tokens of ``grammars/phrases.lark``.

Most words have one tag, by ``vocabulary``.  What a word is by its neighbours is decided in
``neighbours``, what it is by words further off (the "or" inside "list of strings or numbers") here,
so that the grammar stays LALR(1).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from typematch.query.english.lexicon import WORDS
from typematch.query.english.local_context import Nouns, by_neighbours
from typematch.query.english.tokens import NOUNS, VERBS, TaggedToken, terms_of

# The head of a query that says what is looked for: "find me a generic function that ...".
_PREAMBLE = frozenset(("DET", "FLAG", "ASYNC", "FILLER", "KIND", "WORD", "MAKE", "COUNT"))
_ASKING = frozenset(
    ("find", "need", "want", "i", "search", "looking", "something", "show", "is", "there", "which",
     "what", "we", "helper", "utility", "pure", "curried", "small")
)  # fmt: skip


def tagged(text: str, nouns: Nouns | None = None) -> list[TaggedToken]:
    """Return the terms of ``text`` in order, those that grammar and reader know by their tags."""
    found = list(terms_of(text))
    found = [by_neighbours(found, index, nouns) for index in range(len(found))]
    return list(_with_plurals(_merged(_in_context(_with_ellipses(found)))))


def _in_context(found: list[TaggedToken]) -> list[TaggedToken]:
    """Tell apart what depends on the words further off."""
    found = [one for one in found if one.kind != "FILLER"]
    kind_at = _kind_place(found)
    result: list[TaggedToken] = []
    verb = ""  # the last one
    pair = keyed = 0  # how many of "pair of X and Y", "map of X to Y" wait for their second half
    for index, one in enumerate(found):
        after = found[index + 1] if index + 1 < len(found) else None
        if one.lemma in ("passes", "passing") and any(r.meaning == "callback" for r in result):
            one = replace(one, kind="GIVE")
        if one.kind in VERBS or one.kind == "BREAK":
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
        elif one.kind == "THAT" and after is not None and after.kind in ("VALUE", *NOUNS):
            one = replace(one, kind="SAME")
        result.append(one)
    return result


def _stands_for_noun(result: list[TaggedToken], after: TaggedToken | None) -> bool:
    """Whether an unknown word is itself what is taken: "takes a schema and a string"."""
    for one in reversed(result):
        if one.kind in ("DET", "COUNT", "OPTIONAL", "SAME"):
            break
        if one.kind != "WORD":
            return False
    else:
        return False
    return after is None or after.kind in ("AND", "COMMA", "BREAK", "GIVE", "OR", "WITH", "OF")


def _tells_a_function(result: list[TaggedToken]) -> bool:
    """Whether "and returns" belongs to the function that an argument is, not to what is asked for.

    A callback returns nothing and a predicate says yes or no: they have no result to tell.
    """
    place = max((i for i, one in enumerate(result) if one.kind == "FUNC"), default=-1)
    if place < 0 or result[place].meaning not in ("function", "mapper"):
        return False
    following = [one.kind for one in result[place + 1 : place + 3]]
    return "TAKE" in following[:1] or following == ["THAT", "TAKE"]


def _is_of_function(result: list[TaggedToken]) -> bool:
    return len(result) > 1 and result[-1].kind == "THAT" and result[-2].kind == "FUNC"


def _is_plural(found: list[TaggedToken], index: int) -> bool:
    """Whether the noun behind ``found[index]`` is a plural: "a pair of lists"."""
    for one in found[index + 1 :]:
        if one.kind in NOUNS:
            return one.plural
        if one.kind in ("DET", "COUNT"):
            return one.kind == "COUNT"
    return False


def _joins_plurals(result: list[TaggedToken], after: TaggedToken) -> bool:
    """Whether both sides are alike and inside an ``of``: "list of strings or numbers"."""
    if not result or result[-1].kind not in NOUNS or after.kind not in NOUNS:
        return False
    last = next((one.kind for one in reversed(result) if one.kind not in NOUNS), "")
    return last in ("OF", "NARROW") and result[-1].plural == after.plural


def _to(
    one: TaggedToken, after: TaggedToken | None, result: list[TaggedToken], verb: str, keyed: int
) -> tuple[TaggedToken, int]:
    if after is None:
        return replace(one, kind="WORD"), keyed
    if after.kind in VERBS or after.kind == "CHECK":
        return replace(one, kind="WORD"), keyed  # an infinitive
    if keyed and result and result[-1].plural and after.kind in NOUNS:
        return replace(one, kind="INNER"), keyed - 1
    waits = any(item.kind == "FROM" for item in result)
    if verb == "DATIVE" and not waits:
        return replace(one, kind="WITH"), keyed
    return one, keyed


def _kind_place(found: list[TaggedToken]) -> int:
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


def _is_head(before: list[TaggedToken]) -> bool:
    """Whether what follows ``before`` says what is looked for: "find me a method that ..."."""
    return all(_is_preamble(one) for one in before)


def _is_preamble(one: TaggedToken) -> bool:
    return one.kind in _PREAMBLE and (one.kind != "WORD" or one.lemma in _ASKING)


def _with_ellipses(found: list[TaggedToken]) -> list[TaggedToken]:
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
        if noun.kind in NOUNS:
            result[index + 1] = replace(short, kind=noun.kind, meaning=noun.meaning)
    return result


def _with_plurals(found: list[TaggedToken]) -> Iterator[TaggedToken]:
    """Put a mark before nouns that speak of many without saying how many: "users"."""
    run: list[TaggedToken] = []
    counted = False
    for one in (*found, None):
        if one is not None and one.kind in NOUNS:
            run.append(one)
            continue
        if run and run[-1].plural and run[-1].kind != "UNIT" and not counted:
            yield TaggedToken("MANY", "", run[0].column, run[0].column, "")
        if run:
            yield from run
            run, counted = [], False
        if one is not None:
            counted = one.kind == "COUNT" or (counted and one.kind in ("WORD", "DET"))
            yield one


# -- numbers of arguments --------------------------------------------------------------------------


def _merged(found: list[TaggedToken]) -> list[TaggedToken]:
    """Put "at least two arguments" together to one token; drop numbers that count nothing."""
    result: list[TaggedToken] = []
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


def _arity(found: list[TaggedToken], index: int) -> tuple[TaggedToken, int] | None:
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
    merged = TaggedToken("ARITY", meaning, found[start].column, last.end, "arguments")
    return merged, index + 1 - start


def _number(one: TaggedToken) -> str:
    if one.kind == "COUNT":
        return one.meaning
    return one.meaning if one.meaning.isdecimal() and len(one.meaning) < 3 else ""
