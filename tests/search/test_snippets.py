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


MARKUP = """Split an *array*. It has `chunks`.

- The last chunk
  may be shorter.

See {@link chunk the chunk of an array} of a [list](https://array.test/chunk/last)."""


@pytest.mark.parametrize(
    ("query_words", "expected"),
    [
        pytest.param(["array"], "Split an array.", id="of equals the first"),
        pytest.param(["list", "chunk"], "See the chunk of an array of a list (", id="link"),
        pytest.param(["last", "chunk", "shorter"], "- The last chunk may be shorter.", id="item"),
        pytest.param(["has", "chunks"], "It has `chunks`.", id="code"),
    ],
)
def test_the_markup_of_a_sentence_is_read(query_words: list[str], expected: str) -> None:
    assert snippet(MARKUP, query_words).startswith(expected)


def test_code_with_empty_lines_is_one_part() -> None:
    doc = "Reads a file.\n\n```ts\nconst data = read()\n\nconst *file = data\n```"
    assert snippet(doc, ["const", "file", "data"]) == "const *file = data"


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
