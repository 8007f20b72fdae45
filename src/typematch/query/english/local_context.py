"""Tags a term by its two neighbours: "map" as a verb or a noun, "users" as a type or a word."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

from typematch.ir.render import is_identifier
from typematch.query.english.lexicon import ADJECTIVES, LEXICON, Sense
from typematch.query.english.tokens import NOUN_TAGS, VERB_TAGS, TaggedToken, singulars

_MODIFIERS = frozenset(("DET", "SAME", "COUNT", "OPTIONAL", "NULLABLE"))
_BEFORE_NOUNS = (
    _MODIFIERS | VERB_TAGS | {"FROM", "WITH", "OF", "TO", "AS", "AND", "OR", "IS"}
)  # fmt: skip
# Tags of nouns that say what a value is for; as the name of a declared type they mean that type.
_GENERAL_NOUNS = frozenset(("VALUE", "ROLE", "UNIT", "FUNC", "PAIR"))
_AFTER_ARTICLE_LETTER = frozenset(
    ("and", "or", "to", "returns", "into", "from", "with", "returning", "in")
)


class NounLookup(Protocol):
    """Maps nouns to declared types; a catalog implements it."""

    def type_named(self, noun: str, /) -> str | None:
        """Return the name of the declared type that a noun means: ``user`` -> ``User``.

        ``noun`` is one or several words, separated by blanks, in the singular, with its own case.
        """
        ...


def resolve_by_neighbours(
    tokens: Sequence[TaggedToken], index: int, nouns: NounLookup | None
) -> TaggedToken:
    """Return ``tokens[index]`` with the tag and meaning that its neighbours select."""
    token = tokens[index]
    before = tokens[index - 1] if index else None
    after = tokens[index + 1] if index + 1 < len(tokens) else None
    if token.tag not in ("KNOWN", "WORD"):
        return token
    if _is_variable(token, before, after):
        return replace(token, tag="VAR")
    if token.tag == "WORD":
        return _as_declared_type(token, before, after, nouns)
    if token.meaning == "URL":
        return replace(token, tag="ATOM")
    senses = LEXICON[tuple(token.lemma.split())]
    sense = senses[-1] if len(senses) == 1 else _choose_sense(token, senses, before, after)
    if sense.tag in VERB_TAGS:
        if _has_tag(before, "OF", "DET", "COUNT", "WITH", "FROM"):
            plural = _as_plural_noun(token)
            if plural is not None:
                return plural
        if token.plural and not token.lemma.endswith("s"):
            token = replace(token, plural=False)
    if sense.tag in _GENERAL_NOUNS and _names_type(token, before, nouns):
        return replace(token, tag="DECLARED")
    return _with_sense(token, sense, before, after, nouns)


def _names_type(token: TaggedToken, before: TaggedToken | None, nouns: NounLookup | None) -> bool:
    """Whether a word of the lexicon is written as the name of a declared type: "a Result"."""
    starts_sentence = before is None or before.tag == "BREAK"
    is_name = token.meaning[:1].isupper() and not starts_sentence and is_identifier(token.meaning)
    return is_name and nouns is not None and nouns.type_named(token.meaning) == token.meaning


def _with_sense(
    token: TaggedToken,
    sense: Sense,
    before: TaggedToken | None,
    after: TaggedToken | None,
    nouns: NounLookup | None,
) -> TaggedToken:
    """Return the term with the tag and meaning of ``sense``, or of an exception to it."""
    if sense.tag == "LIBRARY":
        known = nouns is None or nouns.type_named(sense.meaning) is not None
        container = "KEYED" if sense.meaning in ("Either", "Result") else "LIST"
        return replace(token, tag=container if known else "WORD", meaning=sense.meaning)
    if token.lemma in ("any", "this") and not _may_start_noun(after):
        return replace(token, tag="ATOM", meaning=token.lemma)
    if token.lemma == "one" and _before_pronoun(before) and not _may_start_noun(after):
        return replace(token, tag="VALUE", meaning="value")
    if token.lemma == "options" and token.meaning == "Options" and _has_tag(before, "OF"):
        return replace(token, tag="LIST", meaning="Option", plural=True)
    return replace(token, tag=sense.tag, meaning=sense.meaning)


def _as_plural_noun(token: TaggedToken) -> TaggedToken | None:
    """Return a term listed as a verb as the plural of a noun: "maps" in "a list of maps"."""
    for singular in singulars(token.lemma):
        for sense in LEXICON.get((singular,), ()):
            if sense.tag in NOUN_TAGS:
                return replace(token, tag=sense.tag, meaning=sense.meaning, plural=True)
    return None


def _before_pronoun(before: TaggedToken | None) -> bool:
    """Whether "one" after ``before`` is a pronoun, not a number: "the longest one"."""
    return before is not None and (before.tag == "WORD" or _has_tag(before, "DET", "FLAT"))


def _may_start_noun(after: TaggedToken | None) -> bool:
    """Whether ``after`` may be a noun or a modifier of one."""
    if after is None or after.tag in ("BREAK", "COMMA"):
        return False
    return after.tag == "WORD" or _has_tag(after, *NOUN_TAGS, *_MODIFIERS, "FLAG", "ARGS", "FLAT")


def _is_variable(token: TaggedToken, before: TaggedToken | None, after: TaggedToken | None) -> bool:
    """Whether a term is a type variable: one capital letter that is no article or pronoun."""
    letter = token.meaning
    if len(letter) != 1 or not letter.isupper():
        return False
    if letter in "AI":
        if before is None or before.tag == "BREAK":
            return False
        ends_phrase = after is None or after.tag in ("BREAK", "COMMA")
        return ends_phrase or (after is not None and after.lemma in _AFTER_ARTICLE_LETTER)
    return True


def _as_declared_type(
    token: TaggedToken,
    before: TaggedToken | None,
    after: TaggedToken | None,
    nouns: NounLookup | None,
) -> TaggedToken:
    """Return an unlisted word as the declared type that it means; unchanged if it means none."""
    starts_sentence = before is None or before.tag == "BREAK"
    capital = token.meaning[:1].isupper() and not starts_sentence
    if nouns is not None:
        if not capital and (
            token.lemma in ADJECTIVES or not _is_noun_position(token, before, after)
        ):
            return token
        name = nouns.type_named(token.meaning if capital and not token.plural else token.lemma)
        if name is None or not is_identifier(name):
            return token  # a schema may be called 404, which is no TypeScript name
        return replace(token, tag="DECLARED", meaning=name)
    if token.meaning.isupper():
        return token  # an abbreviation: ISO, JSON
    inner_capital = any(c.isupper() for c in token.meaning[1:])
    if token.meaning.isidentifier() and (capital or inner_capital) and token.meaning[:1].isupper():
        name = token.meaning[:-1] if token.plural else token.meaning
        return replace(token, tag="DECLARED", meaning=name)
    return token


def _is_noun_position(
    token: TaggedToken, before: TaggedToken | None, after: TaggedToken | None
) -> bool:
    """Whether a word in lower case is at the position of a noun: "of users", "a user"."""
    if after is not None and after.tag == "WORD" and not token.plural:
        return False  # "file" in "a file system" is not File
    return before is not None and (before.tag == "COMMA" or _has_tag(before, *_BEFORE_NOUNS))


def _choose_sense(
    token: TaggedToken,
    senses: tuple[Sense, ...],
    before: TaggedToken | None,
    after: TaggedToken | None,
) -> Sense:
    """Choose between verb and noun, or between the two uses of a preposition."""
    tags = {sense.tag: sense for sense in senses}
    verb = next((sense for sense in senses if sense.tag in VERB_TAGS), None)
    noun = next((sense for sense in reversed(senses) if sense.tag not in VERB_TAGS), None)
    if "OF" in tags and "WITH" in tags:
        return tags["OF" if _takes_content(token, before) else "WITH"]
    if verb is None or noun is None:
        return senses[-1]
    starts_clause = before is None or before.tag in ("BREAK", "COMMA")
    starts_clause = starts_clause or _has_tag(before, "TO", "AND", "THAT", "ASYNC", "FLAG")
    has_object = after is not None and (
        _has_tag(after, "DET", "COUNT", "SAME", "WHETHER", "FILLER", *NOUN_TAGS)
        or after.tag == "WORD"
    )
    return verb if starts_clause and has_object and not _has_tag(after, "OF", "FROM") else noun


def _takes_content(preposition: TaggedToken, before: TaggedToken | None) -> bool:
    """Whether a preposition means "of": "promise for", "predicate on", "task with"."""
    senses = () if before is None else _senses(before)
    is_container = any(sense.tag == "LIBRARY" or sense.meaning == "Promise" for sense in senses)
    is_function = any(sense.tag == "FUNC" and sense.meaning != "function" for sense in senses)
    return (is_container and preposition.lemma in ("for", "with")) or (
        is_function and preposition.lemma != "with"
    )


def _senses(token: TaggedToken) -> tuple[Sense, ...]:
    return LEXICON.get(tuple(token.lemma.split()), ()) if token.tag == "KNOWN" else ()


def _has_tag(token: TaggedToken | None, *tags: str) -> bool:
    return token is not None and any(sense.tag in tags for sense in _senses(token))
