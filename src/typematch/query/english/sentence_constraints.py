"""Reads the constraints on types in an English sentence: the entry point of this package.

``async function that takes an array of users and returns a map`` has a typed parameter, a result
and a flag.  Each is returned with its span and a confidence; the words that no constraint comes
from remain as search text.  The sentence is split into clauses by ``grammars/phrases.lark``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from typematch.ir.type_parts import Parameter, Predicate, Signature
from typematch.ir.types import BOOLEAN, ELLIPSIS, WILDCARD
from typematch.query.english.local_context import NounLookup
from typematch.query.english.sentence import SentenceBuilder
from typematch.query.english.tagger import tag_sentence
from typematch.query.english.tokens import TaggedToken
from typematch.query.model import IS_FLAGS, Constraint, Flag, SentenceConstraints, TypeValue
from typematch.query.signature.grammar import SyntaxNode, load_table
from typematch.query.signature.letters import bind_letters
from typematch.query.signature.syntax import as_node
from typematch.query.signature.type_expr import ParsedSignature

_FACET_KINDS = {"type alias": "alias"}  # where they differ from the values of ``kind:``


def read_sentence(text: str, nouns: NounLookup | None = None) -> SentenceConstraints:
    """Return what ``text`` says about types; never raises.

    Args:
        nouns: maps nouns to declared types; without it only capitalised words name types.
    """
    tokens = tag_sentence(text, nouns)
    builder = SentenceBuilder()
    for clause in _clauses(tokens):
        builder.add_clause(clause)
    return builder.constraints(text, tokens)


def sentence_signature(sentence: SentenceConstraints) -> ParsedSignature | None:
    """Return the function that a sentence describes; None if it says nothing about types.

    It is for ranking: parameters and results that are not described are ``...`` and ``_``.
    """
    if not sentence.parameters and sentence.returns is None and sentence.arity is None:
        return None
    parameters = [
        Parameter("", parameter.type, parameter.optional) for parameter in sentence.parameters
    ]
    high = None if sentence.arity is None else sentence.arity.high
    if high is None or high > len(parameters):
        parameters.append(Parameter("", ELLIPSIS, False, True))
    result = sentence.returns
    if result is not None and result.is_guard:
        predicate = Predicate(-1, result.type, False)
        return bind_letters(Signature(tuple(parameters), BOOLEAN, (), None, predicate))
    return bind_letters(Signature(tuple(parameters), WILDCARD if result is None else result.type))


def sure_constraints(sentence: SentenceConstraints) -> tuple[Constraint, ...]:
    """Return what a sentence states with certainty, as facets.

    Capital letters in their types are names; ``signature.letters`` converts them.
    """
    constraints = [
        Constraint("param", (TypeValue(parameter.type, parameter.text),))
        for parameter in sentence.parameters
        if parameter.sure
    ]
    result = sentence.returns
    if result is not None and result.sure:
        constraints.append(Constraint("returns", (TypeValue(result.type, result.text),)))
    if sentence.arity is not None and sentence.arity_sure:
        constraints.append(Constraint("arity", (sentence.arity,)))
    if sentence.asynchronous is not None and sentence.asynchronous_sure:
        constraints.append(Constraint("is", (Flag("async"),), not sentence.asynchronous))
    if sentence.kind:
        kind = _FACET_KINDS.get(sentence.kind, sentence.kind)
        constraints.append(Constraint("kind", (Flag(kind),)))
    flags = [Constraint("is", (Flag(flag),)) for flag in sentence.flags if flag in IS_FLAGS]
    return (*constraints, *flags)


def _clauses(terms: Sequence[TaggedToken]) -> Iterator[SyntaxNode]:
    """Yield the longest clause at each position; terms that start none are skipped."""
    grammar = load_table("phrases", ("clause",))
    tokens = [term.token for term in terms]
    start = 0
    while start < len(tokens):
        length = 0 if tokens[start].kind == "WORD" else grammar.longest(tokens[start:], "clause")
        if length:
            yield as_node(grammar.parse(tokens[start : start + length], "clause"))
        elif tokens[start].kind in ("VERB", "DATIVE", "CONVERT", "CHECK", "BREAK"):
            token = tokens[start]
            yield SyntaxNode("verb", (token,), token.column, token.end)
        start += length or 1
