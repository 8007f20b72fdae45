"""Labels are compared with what a query says, type by type."""

from __future__ import annotations

import pytest

from typematch.evaluate.relevance.constraints import (
    KnownTypes,
    evaluate,
    extracted_constraints,
    labelled_sentences,
    plain_type,
    report,
)
from typematch.query.parse import parse


@pytest.mark.parametrize(
    ("left", "other"),
    [
        ("readonly string[]", "Array< string >"),
        ("(x: T) => boolean", "(item: A) => boolean"),
        ("Map<K, V>", "Map<A,B>"),
        ("value is string", "x is string"),
    ],
)
def test_equal_types_have_one_normalised_text(left: str, other: str) -> None:
    assert plain_type(left) == plain_type(other)


@pytest.mark.parametrize(
    ("left", "other"), [("T[]", "T[][]"), ("(a: A, b: B) => A", "(a: A, b: B) => B")]
)
def test_different_types_have_different_normalised_texts(left: str, other: str) -> None:
    assert plain_type(left) != plain_type(other)


def test_extracted_constraints_have_the_format_of_the_labels() -> None:
    found = extracted_constraints(
        parse("sort :: (T[], string) => Promise<T[]>  pkg:lodash -is:deprecated")
    )
    assert found == {
        "params": ["T[]", "string"],
        "returns": "Promise<T[]>",
        "arity": 2,
        "async": True,
        "pkg": "lodash",
        "not": ["deprecated"],
    }


def test_fields_are_right_wrong_or_missing() -> None:
    rows = [
        {
            "id": "1",
            "style": "words",
            "query": "takes a string and a number",
            "constraints": {"params": ["number", "string"], "arity": 3, "kind": "method"},
        }
    ]
    result = evaluate(rows, lambda row: parse(row["query"]))
    assert result["styles"] == {"words": {"right": 1, "wrong": 1, "missing": 1}}
    assert "33.33 %" in report(result, show=False)
    assert "arity wrong: 2, labelled 3" in report(result, show=True)


def test_sentences_are_read_with_their_labels() -> None:
    text = "# why\n\nsentence takes users\nknows    User\nparam    User[]\narity    1..\n"
    [row] = labelled_sentences(text)
    assert row["query"] == "takes users"
    assert row["constraints"] == {"params": ["User[]"], "arity": 1}
    result = evaluate([row], lambda row: parse(row["query"], KnownTypes(row["knows"])))
    assert result["styles"]["own"]["right"] == 2
