"""Read a query: its facets, its words, its signature or type."""

from __future__ import annotations

import re
from dataclasses import replace

from typematch.errors import QuerySyntaxError, TypeSyntaxError
from typematch.query.english.local_context import Nouns
from typematch.query.english.sentence_constraints import read_phrases
from typematch.query.facets import constraint_of, with_setting
from typematch.query.model import Query, SentenceConstraints
from typematch.query.read_as import read_as
from typematch.query.signature.grammar import Syntax, SyntaxNode, UnexpectedToken, table
from typematch.query.signature.lexer import Token
from typematch.query.signature.type_expr import is_type, read_signature, read_type
from typematch.query.split import cut, words
from typematch.query.suggestions import closing, suggestion

MAX_LENGTH = 20_000  # characters
_MOST_SPOKEN = 40  # words of a sentence that is read for what it says about types
_NAMED = re.compile(r"\s*([^\W\d]\w*(?:\s+[^\W\d]\w*)*)\s+([(<].*)", re.DOTALL)
_EXAMPLES = "Try: (string) => number   or: debounce   or: :: {id: string}"


def parse(text: str, nouns: Nouns | None = None) -> Query:
    """Return what ``text`` asks.

    Args:
        nouns: knows which declared types the nouns of an English sentence mean.

    Raises:
        QuerySyntaxError: it cannot be read; the error has the column and what to do.
    """
    if len(text) > MAX_LENGTH:
        raise QuerySyntaxError(
            text,
            MAX_LENGTH,
            problem=f"the query has {len(text):,} characters, and {MAX_LENGTH:,} are the most",
            hint="Ask for less at once.",
        )
    if not any(c.isprintable() and not c.isspace() for c in text):
        raise QuerySyntaxError(text, 0, ("a signature", "words", "a facet"), _EXAMPLES)
    query = Query(text)
    spoken: list[str] = []
    for part in _parse_atoms(text).children:
        query = _with(query, part, spoken)
    query = replace(query, words=" ".join(spoken))
    if query.words and query.signature is None and query.type is None:
        query = replace(query, said=_said(text, nouns))
    if query == Query(text):
        raise QuerySyntaxError(text, len(text.rstrip()), ("a name", "a type"), _EXAMPLES)
    return replace(query, read_as=read_as(query))


def _said(text: str, nouns: Nouns | None) -> SentenceConstraints | None:
    """Return what the words outside of facets and quotes say about types."""
    rest = cut(text).rest
    for quoted in words(rest, 0, len(rest)):
        if quoted.kind == "PHRASE":
            rest = rest[: quoted.column] + " " * (quoted.end - quoted.column) + rest[quoted.end :]
    # A word alone is a name: who types "map" asks for what is called so.  And nobody takes forty
    # words to describe the types of a function: that is a request for several things.
    if not 2 <= len(rest.split()) <= _MOST_SPOKEN:
        return None
    said = read_phrases(rest, nouns)
    return None if said == SentenceConstraints(rest, words=said.words) else said


def _parse_atoms(text: str) -> SyntaxNode:
    tokens = _tokens(text)
    try:
        tree = table("query", ("query",)).parse(tokens, "query")
    except UnexpectedToken as error:
        raise QuerySyntaxError(text, error.token.column, hint=_EXAMPLES) from error
    assert isinstance(tree, SyntaxNode)
    return tree


def _tokens(text: str) -> list[Token]:
    """Return the tokens of the query: facets first, then words, then what types.lark reads."""
    pieces = cut(text)
    tokens, rest = pieces.tokens, pieces.rest
    start = 0
    if pieces.separator >= 0:
        start = pieces.separator + 2
        tokens += words(rest, 0, pieces.separator)
        tokens.append(Token("NAMED", "::", pieces.separator, start))
        if not rest[start:].strip():
            return tokens
    # What stood before is left blank: so the columns of errors are those of the query.
    written = " " * start + rest[start:]
    if pieces.arrow >= start or _is_meant_as_signature(written):
        tokens.append(Token("SIGNATURE", written, start, len(rest)))
    elif _is_half(written):
        tokens.append(Token("SIGNATURE", written.rstrip() + " =>", start, len(rest)))
    elif start:
        tokens.append(Token("TYPE", written, start, len(rest)))
    else:
        tokens += words(rest, 0, len(rest))
    return tokens


def _is_half(written: str) -> bool:
    """Whether a text without an arrow is a list of parameters."""
    if not written.strip().startswith(("(", "<")):
        return False
    try:
        read_signature(f"{written} =>")
    except TypeSyntaxError:
        return False
    return True


def _is_meant_as_signature(written: str) -> bool:
    """Whether a text with no arrow outside brackets can only be a signature gone wrong."""
    text = written.strip()
    if text.startswith(("(", "<", "{", "[")) and ("=>" in text or "->" in text):
        return not is_type(text)  # (string -> number
    if not text.startswith(("(", "<")):
        return False
    end = closing(text)
    if end < 0:
        return True  # (string, number
    return text[end:].lstrip().startswith((":", "=", "-")) and _is_half(text[:end])


def _with(query: Query, part: Syntax, spoken: list[str]) -> Query:
    """Return ``query`` with one more part of the tree; words are added to ``spoken``."""
    match part:
        case SyntaxNode("word", (Token(_, said),)):
            spoken.append(said)
            return query
        case SyntaxNode("phrase", (Token(_, said),)):
            spoken.append(said)
            return replace(query, phrases=(*query.phrases, said))
        case SyntaxNode("facet", children):
            return _with_facet(query, children)
        case Token("NAMED"):
            named = replace(query, name=" ".join(spoken), phrases=())
            spoken.clear()
            return named
        case Token("SIGNATURE", written):
            return _with_signature(query, written)
        case Token("TYPE", written):
            try:
                return replace(query, type=read_type(written))
            except TypeSyntaxError as error:
                raise _in_query(query.text, error, suggestion(written, error, read_type)) from error
        case _:
            raise AssertionError(f"no reader for {part}")


def _with_facet(query: Query, children: tuple[Syntax, ...]) -> Query:
    tokens = [child for child in children if isinstance(child, Token)]
    values = [
        token
        for child in children
        if isinstance(child, SyntaxNode)
        for token in child.children
        if isinstance(token, Token)
    ]
    key = tokens[-1]
    constraint = constraint_of(query.text, key, values, negated=tokens[0].kind == "NOT")
    return with_setting(query, constraint, key.column)


def _with_signature(query: Query, written: str) -> Query:
    try:
        read = read_signature(written)
    except TypeSyntaxError as error:
        hint = _name_hint(written) or suggestion(written, error, read_signature)
        raise _in_query(query.text, error, hint or error.hint or _EXAMPLES) from error
    return replace(query, signature=read.type, variables=read.variables)


def _name_hint(written: str) -> str:
    """Say how to write words before a signature, where that is what was written."""
    match = _NAMED.match(written)
    if match is None:
        return ""
    return f"Words stand before two colons: {match[1]} :: {' '.join(match[2].split())}"


def _in_query(text: str, error: TypeSyntaxError, hint: str) -> QuerySyntaxError:
    """Return the same error, shown in the whole query."""
    return QuerySyntaxError(
        text, error.column, error.expected, hint or error.hint, problem=error.problem
    )
