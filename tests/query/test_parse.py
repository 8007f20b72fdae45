"""Parsing of whole queries, and the errors of malformed ones."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from typematch.errors import QuerySyntaxError
from typematch.ir.types import NUMBER, STRING, Named
from typematch.match.strictness import Strictness
from typematch.query.model import (
    FACETS,
    Constraint,
    Flag,
    Form,
    Glob,
    HasValue,
    Query,
    Range,
    TextValue,
    TypeValue,
)
from typematch.query.parse import MAX_LENGTH, parse
from typematch.query.signature.type_expr import read_type


@pytest.mark.parametrize(
    ("text", "read_as"),
    [
        ("(items: T[], size: number) => T[][]", "<T>(items: T[], size: number) => T[][]"),
        (
            "debounce :: (f: (...) => _, ms: number) => _   pkg:lodash",
            "name 'debounce'  (f: (...) => _, ms: number) => _  pkg:lodash",
        ),
        (
            "kind:method returns:Promise<_> arity:1..2 -is:deprecated name:*read*",
            "kind:method  returns:Promise<_>  arity:1..2  -is:deprecated  name:*read*",
        ),
        (":: {id: string}", "types assignable to { id: string }"),
        ("user :: {id: string}", "name 'user'  types assignable to { id: string }"),
        ("(string) =>", "(string) => _"),
        ("(string, number)", "(string, number) => _"),
        ("=> number", "(...) => number"),
        ("string -> number", "(string) => number"),
        ("(name: string, kind: number) => x", "(name: string, kind: number) => x"),
        (
            "kind:function (a: string) => number pkg:x",
            "(a: string) => number  kind:function  pkg:x",
        ),
        ("<T extends {id: string}>(xs: T[]) => T", "<T extends { id: string }>(xs: T[]) => T"),
        (
            "retry with backoff  is:async -pkg:lodash",
            "words 'retry with backoff'  is:async  -pkg:lodash",
        ),
        ("debounce ::", "name 'debounce'"),
        (
            "what's the (best) way, don't you think",
            "words \"what's the (best) way, don't you think\"",
        ),
        ("see https://example.org/x", "words 'see https://example.org/x'"),
        ("is:exact limit:5 sort:cost x", "words 'x'  is:exact  sort:cost  limit:5"),
        ('"exact phrase" more', "words '\"exact phrase\" more'"),
        (
            "returns:(a: string) => number kind:function",
            "returns:(a: string) => number  kind:function",
        ),
    ],
)
def test_a_query_is_rendered_in_normal_form(text: str, read_as: str) -> None:
    assert parse(text).read_as == read_as


@pytest.mark.parametrize(
    ("text", "constraint"),
    [
        ("kind:function,method", Constraint("kind", (Flag("function"), Flag("method")))),
        ("kind:Function", Constraint("kind", (Flag("function"),))),
        ("-pkg:lodash", Constraint("pkg", (Glob("lodash"),), negated=True)),
        ("arity:2", Constraint("arity", (Range(2, 2),))),
        ("arity:1..3", Constraint("arity", (Range(1, 3),))),
        ("arity:2..", Constraint("arity", (Range(2, None),))),
        ("arity:>=2", Constraint("arity", (Range(2, None),))),
        ("arity:<2", Constraint("arity", (Range(0, 1),))),
        ("has:id", Constraint("has", (HasValue("id", None),))),
        (
            "has:id:string,name",
            Constraint("has", (HasValue("id", STRING, "string"), HasValue("name", None))),
        ),
        (
            "param:Map<string, number>",
            Constraint(
                "param", (TypeValue(Named(("Map",), (STRING, NUMBER)), "Map<string, number>"),)
            ),
        ),
        (
            "returns:string | null",
            Constraint("returns", (TypeValue(read_type("string | null"), "string | null"),)),
        ),
        ('http:"GET /users/*"', Constraint("http", (Glob("GET /users/*"),))),
        ("like:lodash#_.chunk", Constraint("like", (TextValue("lodash#_.chunk"),))),
    ],
)
def test_facets_become_constraints(text: str, constraint: Constraint) -> None:
    assert parse(text).constraints == (constraint,)


def test_settings_are_not_constraints() -> None:
    query = parse("is:loose limit:7 sort:name is:async x")
    assert query.constraints == (Constraint("is", (Flag("async"),)),)
    assert (query.strictness, query.limit, query.sort) == (Strictness.LOOSE, 7, "name")
    assert parse("x").strictness is Strictness.WITH_EDITS
    assert parse("x").limit is None


def test_a_repeated_facet_is_two_constraints() -> None:
    assert len(parse("tag:beta tag:since").constraints) == 2


def test_quoted_phrases_are_words_and_phrases() -> None:
    query = parse('find "user by id" quickly')
    assert query.words == "find user by id quickly"
    assert query.phrases == ("user by id",)


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("(string -> number", 8, "Try: (string) => number"),
        ("(string) = number", 9, "Try: (string) => number"),
        ("(a: string): number", 11, "Try: (a: string) => number"),
        ("(a: string, b", 13, "Try: (a: string, b) => _"),
        ("pkg:x (a: string => number", 17, "Try: (a: string) => number"),
        ("debounce (f: _) => _", 9, "debounce :: (f: _) => _"),
        ("knd:x", 0, "Did you mean kind:?"),
        ("zzz:x", 0, "The facets are: kind name"),
        ("kind:fnuction", 5, "Did you mean kind:function?"),
        ("is:asinc", 3, "Did you mean is:async?"),
        ("how to sort knd:method", 12, "Did you mean kind:?"),
        ('path:"x y" "' + "a" * 1_001 + '"', 11, "the phrases have 1,001 characters"),
        ("arity:x", 6, "expected a number"),
        ("arity:3..1", 6, "non-empty"),
        ("arity:..", 6, "a range like 1..3"),
        ("limit:0", 6, "a number from 1"),
        ("-limit:3", 1, "no '-'"),
        ("is:exact,loose", 0, "one value"),
        ("kind: function", 5, "expected a value"),
        ("kind:function, method", 14, "expected a value"),
        ("returns:Map<string", 18, "Try: returns:Map<string>"),
        ('has:":string"', 4, "the name of a field"),
        ("", 0, "Try:"),
        (" \n\0", 0, "Try:"),
        ("::", 2, "expected a name or a type"),
        ("(a: string\0) => number", 10, "U+0000"),
        ("x" * (MAX_LENGTH + 1), MAX_LENGTH, "20,001 characters"),
        ("(" * 5000, 100, "nested deeper"),
        ("param:" + "[" * 5000, 106, "nested deeper"),
    ],
)
def test_a_malformed_query_has_an_error_with_column_and_hint(
    text: str, column: int, message: str
) -> None:
    with pytest.raises(QuerySyntaxError, match=re.escape(message)) as caught:
        parse(text)
    assert caught.value.column == column
    assert caught.value.text == text
    assert caught.value.exit_code == 2


@pytest.mark.parametrize(
    "text",
    [f"{f.key}:{v}" for f in FACETS.values() for v in f.values.split(", ") if v != '"GET /users*"'],
)
def test_the_example_values_of_facets_are_valid(text: str) -> None:
    assert parse(text) != Query(text)


def test_facets_with_fixed_values_list_them() -> None:
    for facet in FACETS.values():
        assert (facet.form is Form.FLAG) == bool(facet.flags)
        assert facet.help


def _parse_or_syntax_error(text: str) -> None:
    try:
        query = parse(text)
    except QuerySyntaxError as caught:
        error = caught
    else:
        assert query.text == text
        assert query.read_as
        return
    assert 0 <= error.column <= len(text)


@given(st.text(max_size=60))
def test_any_text_is_a_query_or_an_error_with_a_column(text: str) -> None:
    _parse_or_syntax_error(text)


_PIECES = st.sampled_from(
    ["kind:method", "-is:async", "returns:T[]", "has:a:b", "::", "=>", "->", "(", ")", "(a: T, b)",
     "<", ">", "{", "}", "word", '"a phrase"', '"', "'", "`", "arity:1..", "pkg:", "T", "_", "...",
     ",", "don't"]
)  # fmt: skip


@given(st.lists(_PIECES, max_size=10))
def test_any_sequence_of_tokens_is_a_query_or_an_error(pieces: list[str]) -> None:
    _parse_or_syntax_error(" ".join(pieces))


@pytest.mark.parametrize(
    ("text", "read_as"),
    [
        pytest.param(
            "copy images -deprecated",
            "words 'copy images -deprecated'  -is:deprecated",
            id="a property",
        ),
        pytest.param(
            "copy images -sync",
            "words 'copy images -sync'  returns Promise<_> (likely)  is:async (likely)",
            id="not synchronous",
        ),
        pytest.param("copy -lodash", "words 'copy -lodash'", id="a word"),
        pytest.param(
            'debou* "file system" -sync',
            "words 'debou* \"file system\" -sync'",
            id="quotes are kept",
        ),
    ],
)
def test_excluded_words_are_read_as_their_negation(text: str, read_as: str) -> None:
    assert parse(text).read_as == read_as
