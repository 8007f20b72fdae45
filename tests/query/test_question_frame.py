from __future__ import annotations

import pytest

from typematch.query.parse import parse
from typematch.query.question_frame import without_question_frame


@pytest.mark.parametrize(
    "query",
    [
        "how to split a list into batches",
        "How do I split a list into batches",
        "what is the best way to split a list into batches",
        "which function should I use to split a list into batches",
        "is there a built-in way to split a list into batches",
        "I need to split a list into batches",
        "find me a function to split a list into batches",
        "function to split a list into batches",
        "please split a list into batches",
        "split a list into batches in TypeScript?",
        "how can we split a list into batches with node.js",
    ],
)
def test_the_frame_of_a_question_is_no_search_term(query: str) -> None:
    assert without_question_frame(query).split() == ["split", "a", "list", "into", "batches"]
    assert len(without_question_frame(query)) == len(query)
    assert parse(query).words == "split a list into batches"


@pytest.mark.parametrize(
    "query",
    [
        "how to",
        "howl",
        "function to string",
        "a function that takes a string and returns a number",
        "ways to go",
        "typescript",
        "parse typescript",
        "please",
    ],
)
def test_other_words_stay(query: str) -> None:
    assert without_question_frame(query) == query


def test_facets_and_columns_stay() -> None:
    query = parse("how to read a file pkg:@types/node -sync")
    assert query.words == "read a file -sync"
    assert [constraint.key for constraint in query.constraints] == ["pkg"]
    assert query.text == "how to read a file pkg:@types/node -sync"
