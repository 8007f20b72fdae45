"""Cutting identifiers and texts into words."""

from __future__ import annotations

import pytest

from typematch.index.text.words import split_identifier, with_identifiers_split, words_of


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
def test_words_of_an_identifier(name: str, expected: str) -> None:
    assert " ".join(split_identifier(name)) == expected


def test_words_of_a_text_are_those_of_its_identifiers() -> None:
    assert words_of('don\'t "readFile"!') == ("don", "t", "read", "file")


def test_identifiers_in_prose_are_spread_beside_themselves() -> None:
    spread = with_identifiers_split("Like readFile, but plain.")
    assert spread == "Like readFile read file, but plain."
