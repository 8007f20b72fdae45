"""Words of identifiers and texts."""

from __future__ import annotations

import pytest

from typematch.index.text.words import expand_identifiers, split_identifier, words_of


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        pytest.param("getUserById", "get user by id", id="camel case"),
        pytest.param("parseHTMLText", "parse html text", id="a run of capitals"),
        pytest.param("SNAKE_CASE", "snake case", id="constants"),
        pytest.param("base64ToUtf8", "base 64 to utf 8", id="numbers"),
        pytest.param("@scope/some-package", "scope some package", id="packages"),
        pytest.param("größe_ändern", "größe ändern", id="other alphabets"),
        pytest.param("🎉", "", id="no word at all"),
    ],
)
def test_an_identifier_is_split_into_words(name: str, expected: str) -> None:
    assert " ".join(split_identifier(name)) == expected


def test_identifiers_in_a_text_are_split() -> None:
    assert words_of('don\'t "readFile"!') == ("don", "t", "read", "file")


def test_identifiers_in_prose_are_followed_by_their_words() -> None:
    expanded = expand_identifiers("Like readFile, but plain.")
    assert expanded == "Like readFile read file, but plain."


def test_a_long_word_without_capitals_is_read_once() -> None:
    word = "a" * 300_000  # reading it again from each letter would take hours
    assert expand_identifiers(f"{word} {word}_b") == f"{word} {word}_b {word} b"
