from __future__ import annotations

import pytest

from typematch.search.present.snippets import WIDTH, snippet, stem

DOC = """Split an array into pieces of one length.

The last piece may be shorter. See fs.readFile for reading. Nothing is copied."""


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        pytest.param(["nothing", "array"], "Split an array into pieces of one length.", id="first"),
        pytest.param(["short", "last"], "The last piece may be shorter.", id="most of the words"),
        pytest.param(["reads"], "See fs.readFile for reading.", id="endings, and dots in names"),
        pytest.param(["copies"], "Nothing is copied.", id="the end"),
        pytest.param(["of"], "", id="a stop word says nothing"),
        pytest.param(["banana"], "", id="nothing found"),
    ],
)
def test_snippet(asked: list[str], expected: str) -> None:
    assert snippet(DOC, asked) == expected


def test_a_long_sentence_is_cut_around_the_first_word() -> None:
    text = "one " * 100 + "needle " + "two " * 100
    found = snippet(text, ["needle"])
    assert "needle" in found
    assert found.startswith("…")
    assert found.endswith("…")
    assert len(found) <= WIDTH


def test_short_words_keep_their_ending() -> None:
    assert [stem(word) for word in ("files", "bus", "retries", "sorted")] == [
        "fil", "bus", "retr", "sort",
    ]  # fmt: skip
