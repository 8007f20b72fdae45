"""Parses a query: facets, words, and a signature or a type."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from typematch.errors import QuerySyntaxError, TypeSyntaxError
from typematch.query.english.local_context import NounLookup
from typematch.query.english.sentence_constraints import read_sentence
from typematch.query.excluded_words import excluded_flags, without_synchronous
from typematch.query.facets import read_constraint, with_facet
from typematch.query.model import Query, SentenceConstraints
from typematch.query.pasted_code import query_of_code
from typematch.query.question_frame import without_question_frame
from typematch.query.read_as import read_as
from typematch.query.signature.grammar import Syntax, SyntaxNode, UnexpectedToken, load_table
from typematch.query.signature.lexer import Token
from typematch.query.signature.type_expr import is_type, read_signature, read_type
from typematch.query.split import split_query, tokenize_words
from typematch.query.suggestions import parameters_end, suggestion
from typematch.word_operators import is_excluded

MAX_LENGTH = 20_000  # characters
MAX_PHRASES = 1_000  # characters
MAX_PREFIXES = 50
MAX_FACET_TYPES = 20  # in the facets of a query; each is compared with all types of the catalog
_MAX_SENTENCE_WORDS = 40  # of a sentence that is read for constraints on types
_NAME_BEFORE_SIGNATURE = re.compile(r"\s*([^\W\d]\w*(?:\s+[^\W\d]\w*)*)\s+([(<].*)", re.DOTALL)
_NEW = re.compile(r"(\s*)new(?=\s*[(<])")
_EXAMPLES = "Try: (string) => number   or: debounce   or: :: {id: string}"


def parse(text: str, nouns: NounLookup | None = None) -> Query:
    """Parse a query.

    Args:
        nouns: maps the nouns of an English sentence to declared types.

    Raises:
        QuerySyntaxError: with the column and a hint.
    """
    if len(text) > MAX_LENGTH:
        raise QuerySyntaxError(
            text,
            MAX_LENGTH,
            problem=f"the query has {len(text):,} characters, the limit is {MAX_LENGTH:,}",
            hint="Shorten the query.",
        )
    if not any(c.isprintable() and not c.isspace() for c in text):
        raise QuerySyntaxError(text, 0, ("a signature", "words", "a facet"), _EXAMPLES)
    if code := query_of_code(text):
        return _parse(code, nouns)
    return _parse(text, nouns)


def _parse(text: str, nouns: NounLookup | None) -> Query:
    query = Query(text)
    asked = without_question_frame(text)
    words: list[str] = []
    try:
        tree = _parse_tree(asked)
    except QuerySyntaxError:
        _parse_tree(text)  # raises the same error, with the text as it was written
        raise
    for part in tree.children:
        query = _with_part(query, part, words)
    _check_words(query, words, tree)
    flags = excluded_flags(words)
    query = replace(query, words=" ".join(words), constraints=(*query.constraints, *flags))
    if query.words and query.signature is None and query.type is None:
        query = replace(query, sentence=_sentence(asked, nouns))
    if query == Query(text):
        raise QuerySyntaxError(text, len(text.rstrip()), ("a name", "a type"), _EXAMPLES)
    return replace(query, read_as=read_as(query))


def _check_words(query: Query, words: Sequence[str], tree: SyntaxNode) -> None:
    """Refuse words that take long to look up in a full-text index."""
    prefixes = sum(word.endswith("*") for word in words)
    if prefixes > MAX_PREFIXES:
        problem = f"{prefixes} words end with *, the limit is {MAX_PREFIXES}"
        raise QuerySyntaxError(query.text, 0, problem=problem, hint="Leave some out.")
    length = sum(map(len, query.phrases))
    if length > MAX_PHRASES:
        problem = f"the phrases have {length:,} characters, the limit is {MAX_PHRASES:,}"
        nodes = (part for part in tree.children if isinstance(part, SyntaxNode))
        column = min(node.column for node in nodes if node.rule == "phrase")
        raise QuerySyntaxError(query.text, column, problem=problem, hint="Leave out the quotes.")


def _sentence(text: str, nouns: NounLookup | None) -> SentenceConstraints | None:
    """Return the constraints in the words outside of facets and quotes; None without any."""
    rest = split_query(text).rest
    excluded: list[Token] = []
    for token in tokenize_words(rest, 0, len(rest)):
        if token.kind == "PHRASE" or is_excluded(token.text):
            excluded += [token] if token.kind == "WORD" else []
            rest = rest[: token.column] + " " * (token.end - token.column) + rest[token.end :]
    # A single word is a name ("map"); a very long text is a request for several operations.
    if not 2 <= len(rest.split()) <= _MAX_SENTENCE_WORDS:
        return None
    sentence = without_synchronous(read_sentence(rest, nouns), excluded)
    return None if sentence == SentenceConstraints(rest, words=sentence.words) else sentence


def _parse_tree(text: str) -> SyntaxNode:
    tokens = _tokens(text)
    try:
        tree = load_table("query", ("query",)).parse(tokens, "query")
    except UnexpectedToken as error:
        raise QuerySyntaxError(text, error.token.column, hint=_EXAMPLES) from error
    assert isinstance(tree, SyntaxNode)
    return tree


def _tokens(text: str) -> list[Token]:
    """Return the tokens for query.lark: facets first, then words, then the signature or type."""
    pieces = split_query(text)
    tokens, rest = pieces.tokens, pieces.rest
    start = 0
    if pieces.separator >= 0:
        start = pieces.separator + 2
        tokens += tokenize_words(rest, 0, pieces.separator)
        tokens.append(Token("NAMED", "::", pieces.separator, start))
        if not rest[start:].strip():
            return tokens
    # Padded with blanks, so that the columns of errors are those of the query.
    body = " " * start + rest[start:]
    if pieces.arrow >= start or _looks_like_signature(body):
        tokens.append(Token("SIGNATURE", body, start, len(rest)))
    elif _is_parameter_list(body):
        tokens.append(Token("SIGNATURE", body.rstrip() + " =>", start, len(rest)))
    elif start:
        tokens.append(Token("TYPE", body, start, len(rest)))
    else:
        tokens += tokenize_words(rest, 0, len(rest))
    return tokens


def _is_parameter_list(text: str) -> bool:
    """Whether a text without an arrow is a parameter list."""
    signature, _ = _without_new(text)
    if not signature.strip().startswith(("(", "<")):
        return False
    try:
        read_signature(f"{signature} =>")
    except TypeSyntaxError:
        return False
    return True


def _looks_like_signature(body: str) -> bool:
    """Whether a text without an arrow outside of brackets is a malformed signature."""
    text = body.strip()
    if text.startswith(("(", "<", "{", "[")) and ("=>" in text or "->" in text):
        return not is_type(text)  # (string -> number
    if not text.startswith(("(", "<")):
        return False
    end = parameters_end(text)
    if end < 0:
        return True  # (string, number
    return text[end:].lstrip().startswith((":", "=", "-")) and _is_parameter_list(text[:end])


def _with_part(query: Query, part: Syntax, words: list[str]) -> Query:
    """Return ``query`` with one more part of the tree; words are added to ``words``."""
    match part:
        case SyntaxNode("word", (Token(_, word),)):
            words.append(word)
            return query
        case SyntaxNode("phrase", (Token(_, phrase),)):
            words.append(phrase)
            return replace(query, phrases=(*query.phrases, phrase))
        case SyntaxNode("facet", children):
            return _with_facet(query, children)
        case Token("NAMED"):
            named = replace(query, name=" ".join(words), phrases=())
            words.clear()
            return named
        case Token("SIGNATURE", text):
            return _with_signature(query, text)
        case Token("TYPE", text):
            try:
                return replace(query, type=read_type(text))
            except TypeSyntaxError as error:
                hint = suggestion(text, error, read_type)
                raise _query_error(query.text, error, hint) from error
        case _:
            raise AssertionError(f"unknown part: {part}")


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
    constraint = read_constraint(query.text, key, values, negated=tokens[0].kind == "NOT")
    if (
        len(constraint.types) + sum(len(known.types) for known in query.constraints)
        > MAX_FACET_TYPES
    ):
        raise QuerySyntaxError(
            query.text,
            key.column,
            problem=f"the facets have more than {MAX_FACET_TYPES} types",
            hint="Leave some out.",
        )
    return with_facet(query, constraint, key.column)


def _without_new(text: str) -> tuple[str, bool]:
    """Return a signature with blanks in place of a leading ``new``, and whether it had one."""
    without = _NEW.sub(r"\1   ", text, count=1) if _NEW.match(text) else text
    return without, without != text


def _with_signature(query: Query, text: str) -> Query:
    signature, constructs = _without_new(text)
    try:
        parsed = read_signature(signature)
    except TypeSyntaxError as error:
        hint = _name_hint(signature) or suggestion(signature, error, read_signature)
        if constructs and hint:
            hint = hint.replace("Try: ", "Try: new ", 1)
        raise _query_error(query.text, error, hint or error.hint or _EXAMPLES) from error
    return replace(query, signature=parsed.type, variables=parsed.variables, constructs=constructs)


def _name_hint(text: str) -> str:
    """Return the correct form if ``text`` is words followed by a signature."""
    match = _NAME_BEFORE_SIGNATURE.match(text)
    if match is None:
        return ""
    return f"Separate words from a signature: {match[1]} :: {' '.join(match[2].split())}"


def _query_error(text: str, error: TypeSyntaxError, hint: str) -> QuerySyntaxError:
    """Return an error of a type as one of the query ``text``; the columns are the same."""
    return QuerySyntaxError(
        text, error.column, error.expected, hint or error.hint, problem=error.problem
    )
