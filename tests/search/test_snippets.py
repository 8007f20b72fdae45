from __future__ import annotations

import pytest

from typematch.search.present.snippets import WIDTH, snippet, stem

DOC = """Split an array into pieces of one length.

The last piece may be shorter. See fs.readFile for reading. Nothing is copied."""


@pytest.mark.parametrize(
    ("query_words", "expected"),
    [
        pytest.param(
            ["nothing", "array"], "Split an array into pieces of one length.", id="first sentence"
        ),
        pytest.param(["short", "last"], "The last piece may be shorter.", id="most of the words"),
        pytest.param(["reads"], "See fs.readFile for reading.", id="suffixes and dots in names"),
        pytest.param(["copies"], "Nothing is copied.", id="last sentence"),
        pytest.param(["of"], "", id="stop words do not count"),
        pytest.param(["banana"], "", id="no match"),
    ],
)
def test_the_snippet_is_the_sentence_with_most_query_words(
    query_words: list[str], expected: str
) -> None:
    assert snippet(DOC, query_words) == expected


def test_a_long_sentence_is_shortened_around_the_first_match() -> None:
    text = "one " * 100 + "needle " + "two " * 100
    result = snippet(text, ["needle"])
    assert "needle" in result
    assert result.startswith("…")
    assert result.endswith("…")
    assert len(result) <= WIDTH


def test_stems_have_at_least_three_letters() -> None:
    assert [stem(word) for word in ("files", "bus", "retries", "sorted")] == [
        "fil", "bus", "retr", "sort",
    ]  # fmt: skip
