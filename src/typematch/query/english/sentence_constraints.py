"""Read what an English sentence says about types.

``async function that takes an array of users and returns a map`` says three things, and this module
returns them as values: typed parameters, a result, and so on, each with the place it was said at
and how sure the reading is.  What it cannot read stays text.

The sentence is cut into clauses by ``grammars/phrases.lark``; a clause says what goes in or what
comes out, and the clauses together make one function.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from typematch.query.english.local_context import Nouns
from typematch.query.english.sentence import SentenceBuilder
from typematch.query.english.tagger import tagged
from typematch.query.english.tokens import TaggedToken
from typematch.query.model import IS, Constraint, Flag, SentenceConstraints, TypeValue
from typematch.query.signature.grammar import SyntaxNode, table
from typematch.query.signature.lexer import Token
from typematch.query.signature.syntax import node_of
from typematch.query.signature.type_expr import ReadSignature, read_signature, read_type

_KINDS = {"type alias": "alias"}  # as ``kind:`` calls them


def signature_text(said: SentenceConstraints) -> str:
    """Return the function that is spoken of as a query writes it; empty if no type is said."""
    if not said.parameters and said.returns is None and said.arity is None:
        return ""
    inputs = [one.text + "?" * one.optional for one in said.parameters]
    high = None if said.arity is None else said.arity.high
    if high is None or high > len(inputs):
        inputs.append("...")
    return f"({', '.join(inputs)}) => {said.returns.text if said.returns else '_'}"


def signature_of(said: SentenceConstraints) -> ReadSignature | None:
    """Return the function that is spoken of, to be compared with others; None for none.

    It steers: a sentence is no signature, and what it leaves open is ``_`` or ``...``.
    """
    text = signature_text(said)
    return read_signature(text) if text else None


def sure_constraints(said: SentenceConstraints) -> tuple[Constraint, ...]:
    """Return what the sentence says for certain, as the facets that one could have typed."""
    found = [
        Constraint("param", (TypeValue(read_type(one.text), one.text),))
        for one in said.parameters
        if one.sure
    ]
    if said.returns is not None and said.returns.sure:
        text = said.returns.text
        found.append(Constraint("returns", (TypeValue(read_type(text), text),)))
    if said.arity is not None and said.arity_sure:
        found.append(Constraint("arity", (said.arity,)))
    if said.asynchronous is not None and said.asynchronous_sure:
        found.append(Constraint("is", (Flag("async"),), not said.asynchronous))
    if said.kind:
        found.append(Constraint("kind", (Flag(_KINDS.get(said.kind, said.kind)),)))
    return (*found, *[Constraint("is", (Flag(flag),)) for flag in said.flags if flag in IS])


def read_phrases(text: str, nouns: Nouns | None = None) -> SentenceConstraints:
    """Return what ``text`` says about types; never raises.

    Args:
        nouns: knows which declared type a noun means; without it only names in capitals do.
    """
    terms = tagged(text, nouns)
    told = SentenceBuilder()
    for clause, _ in _clauses(terms):
        if clause is not None:
            told.hear(clause)
    return told.phrases(text, terms)


def _clauses(
    terms: Sequence[TaggedToken],
) -> Iterator[tuple[SyntaxNode | None, Sequence[TaggedToken]]]:
    """Yield the longest clause at each place; None for a term that begins none."""
    grammar = table("phrases", ("clause",))
    tokens = [term.token for term in terms]
    start = 0
    while start < len(tokens):
        length = 0 if tokens[start].kind == "WORD" else grammar.longest(tokens[start:], "clause")
        if not length:
            yield _verb(tokens[start]), terms[start : start + 1]
            start += 1
            continue
        yield (
            node_of(grammar.parse(tokens[start : start + length], "clause")),
            terms[start : start + length],
        )
        start += length


def _verb(token: Token) -> SyntaxNode | None:
    """Return a clause for a verb that stands alone but tells something: "sum"."""
    if token.kind in ("VERB", "DATIVE", "CONVERT", "CHECK", "BREAK"):
        return SyntaxNode("verb", (token,), token.column, token.end)
    return None
