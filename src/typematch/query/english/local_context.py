"""Tell what a word is by those beside it: "map" the verb and "map" the noun."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

from typematch.query.english.lexicon import WORDS, Word
from typematch.query.english.tokens import NOUNS, VERBS, TaggedToken, singulars

_BEFORE_NOUNS = frozenset(("DET", "SAME", "COUNT", "OPTIONAL", "NULLABLE"))
_BEFORE_A_NAME = _BEFORE_NOUNS | VERBS | {"FROM", "WITH", "OF", "TO", "AS", "AND", "OR", "IS"}


class Nouns(Protocol):
    """What the catalog knows about nouns."""

    def type_called(self, noun: str, /) -> str | None:
        """Return the name of the declared type that a noun means: ``user`` -> ``User``.

        ``noun`` is one word or several with spaces between, in the singular, as written.
        """
        ...


def by_neighbours(found: Sequence[TaggedToken], index: int, nouns: Nouns | None) -> TaggedToken:
    """Return ``found[index]`` with the tag that it has between its neighbours."""
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
    if word.tag in VERBS and _is(before, "OF", "DET", "COUNT", "WITH", "FROM"):
        for singular in singulars(one.lemma):
            for use in WORDS.get((singular,), ()):
                if use.tag in NOUNS:
                    return replace(one, kind=use.tag, meaning=use.meaning, plural=True)
    if word.tag in VERBS and one.plural and not one.lemma.endswith("s"):
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


def _may_be_one(before: TaggedToken | None) -> bool:
    """Whether "one" behind ``before`` is a thing, not a number: "the longest one"."""
    return before is not None and (before.kind == "WORD" or _is(before, "DET", "FLAT"))


def _may_begin_noun(after: TaggedToken | None) -> bool:
    """Whether what follows may be the noun, or stand before it."""
    if after is None or after.kind in ("BREAK", "COMMA"):
        return False
    return after.kind == "WORD" or _is(after, *NOUNS, *_BEFORE_NOUNS, "FLAG", "ARGS", "FLAT")


def _is_variable(one: TaggedToken, before: TaggedToken | None, after: TaggedToken | None) -> bool:
    written = one.meaning
    if len(written) != 1 or not written.isupper():
        return False
    if written in "AI":  # the article, unless it stands where only a noun can
        if before is None or before.kind == "BREAK":
            return False
        return after is None or after.kind in ("BREAK", "COMMA") or _may_end_noun(after)
    return True


def _may_end_noun(after: TaggedToken) -> bool:
    return after.lemma in ("and", "or", "to", "returns", "into", "from", "with", "returning", "in")


def _declared(
    one: TaggedToken, before: TaggedToken | None, after: TaggedToken | None, nouns: Nouns | None
) -> TaggedToken:
    """Return a word nobody listed as the declared type that it means, if it means one."""
    begins = before is None or before.kind == "BREAK"
    capital = one.meaning[:1].isupper() and not begins
    if nouns is not None:
        if not capital and not _is_noun_by_place(one, before, after):
            return one
        name = nouns.type_called(one.meaning if capital and not one.plural else one.lemma)
        if name is None or not name.replace("$", "_").isidentifier():
            return one  # a schema may be called 404, which no signature can say
        return replace(one, kind="DECLARED", meaning=name)
    if one.meaning.isupper():
        return one  # ISO, JSON: no type is called so
    inner = any(c.isupper() for c in one.meaning[1:])
    if one.meaning.isidentifier() and (capital or inner) and one.meaning[:1].isupper():
        name = one.meaning[:-1] if one.plural else one.meaning
        return replace(one, kind="DECLARED", meaning=name)
    return one


def _is_noun_by_place(
    one: TaggedToken, before: TaggedToken | None, after: TaggedToken | None
) -> bool:
    """Whether a word in small letters stands where a noun does: "of users", "a user"."""
    if after is not None and after.kind == "WORD" and not one.plural:
        return False  # "a file system" is no File
    return before is not None and (before.kind == "COMMA" or _is(before, *_BEFORE_A_NAME))


def _chosen(
    one: TaggedToken, uses: tuple[Word, ...], before: TaggedToken | None, after: TaggedToken | None
) -> Word:
    """Choose between the verb and the noun that a term may be, or between two functions of it."""
    tags = {use.tag: use for use in uses}
    verb = next((use for use in uses if use.tag in VERBS), None)
    noun = next((use for use in reversed(uses) if use.tag not in VERBS), None)
    if "OF" in tags and "WITH" in tags:
        return tags["OF" if _has_of(one, before) else "WITH"]
    if verb is None or noun is None:
        return uses[-1]
    opens = before is None or before.kind in ("BREAK", "COMMA")
    opens = opens or _is(before, "TO", "AND", "THAT", "ASYNC", "FLAG")
    goes_on = after is not None and (
        _is(after, "DET", "COUNT", "SAME", "WHETHER", "FILLER", *NOUNS) or after.kind == "WORD"
    )
    noun_goes_on = after is not None and _is(after, "OF", "FROM")
    return verb if opens and goes_on and not noun_goes_on else noun


def _has_of(one: TaggedToken, before: TaggedToken | None) -> bool:
    """Whether a preposition says what is in a thing: "promise for", "predicate on", "task with"."""
    uses = () if before is None else _uses(before)
    wraps = any(use.tag == "FOREIGN" or use.meaning == "Promise" for use in uses)
    judges = any(use.tag == "FUNC" and use.meaning != "function" for use in uses)
    return (wraps and one.lemma in ("for", "with")) or (judges and one.lemma != "with")


def _uses(one: TaggedToken) -> tuple[Word, ...]:
    return WORDS.get(tuple(one.lemma.split()), ()) if one.kind == "KNOWN" else ()


def _is(one: TaggedToken | None, *tags: str) -> bool:
    return one is not None and any(use.tag in tags for use in _uses(one))
