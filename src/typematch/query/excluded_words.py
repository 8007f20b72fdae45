"""Reads excluded words: ``-word`` must not occur, and ``-deprecated`` excludes by property too."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from typematch.ir.types import WILDCARD
from typematch.query.english.type_builders import promise_of
from typematch.query.model import (
    IS_FLAGS,
    STRICTNESS,
    Confidence,
    Constraint,
    Flag,
    SentenceConstraints,
    SentenceType,
)
from typematch.query.signature.lexer import Token
from typematch.word_operators import is_excluded

_FLAGS = {flag: flag for flag in IS_FLAGS if flag not in STRICTNESS} | {"asynchronous": "async"}
_SYNCHRONOUS = frozenset(("sync", "synchronous", "synchronously", "blocking"))


def excluded_flags(words: Sequence[str]) -> tuple[Constraint, ...]:
    """Return a negated ``is:`` for each excluded word that names a property of entries."""
    names = [word[1:].lower() for word in words if is_excluded(word)]
    flags = dict.fromkeys(_FLAGS[name] for name in names if name in _FLAGS)
    return tuple(Constraint("is", (Flag(flag),), negated=True) for flag in flags)


def without_synchronous(
    sentence: SentenceConstraints, excluded: Sequence[Token]
) -> SentenceConstraints:
    """Return a sentence that likely asks for a promise if ``-sync`` is an excluded word."""
    for token in excluded:
        if token.text[1:].lower() in _SYNCHRONOUS and sentence.asynchronous is None:
            promise = SentenceType(promise_of(WILDCARD), Confidence.LIKELY, token.column, token.end)
            return replace(sentence, asynchronous=True, returns=sentence.returns or promise)
    return sentence
