"""Words that no entry has are read as other spellings or synonyms, and the answer says so."""

from __future__ import annotations

from pathlib import Path

import pytest

from typematch.catalog import Catalog
from typematch.search.prepare.word_readings import _is_slip


@pytest.mark.parametrize(
    ("query", "reading"),
    [
        ("chunkk", "chunkk is read as chunk"),
        ("cunk an array", "cunk is read as chunk"),
        ("cuhnk an array", "cuhnk is read as chunk"),
        ("chnuk :: (items: T[], size: number) => T[][]", "chnuk is read as chunk"),
    ],
)
def test_a_misspelled_word_is_read_as_a_word_of_a_name(
    tiny: Path, query: str, reading: str
) -> None:
    with Catalog(tiny) as catalog:
        result = catalog.search(query)
        assert result.hits[0].entry.name == "chunk"
    assert reading in result.read_as
    assert not any("did you mean" in notice for notice in result.notices)


def test_values_of_facets_stay_as_they_are(tiny: Path) -> None:
    with Catalog(tiny) as catalog:
        result = catalog.search("chunkk -path:src/chunkk/*.ts")
    assert result.hits[0].entry.name == "chunk"
    assert "-path:src/chunkk/*.ts" in result.read_as


@pytest.mark.parametrize(
    "query", ["split an array", '"chunkk"', "split -chunkk", "Chunkk", "chunkk*"]
)
def test_known_quoted_excluded_and_proper_words_stay_as_they_are(tiny: Path, query: str) -> None:
    with Catalog(tiny) as catalog:
        assert "is read as" not in catalog.search(query).read_as


@pytest.mark.parametrize(("word", "other"), [("cold", "could"), ("mach", "much"), ("fom", "from")])
def test_no_word_is_read_as_a_function_word(word: str, other: str) -> None:
    assert not _is_slip(word, other)


def test_an_unknown_word_is_read_as_its_synonym_in_a_name(tmp_path: Path) -> None:
    (tmp_path / "index.d.ts").write_text(
        "export declare function cloneTree(tree: object): object;\n", encoding="utf-8"
    )
    with Catalog(tmp_path / "typematch.db") as catalog:
        catalog.add(tmp_path, model=None)
        result = catalog.search("duplicate tree")
    assert result.hits[0].entry.name == "cloneTree"
    assert "duplicate is read as clone" in result.read_as


@pytest.mark.parametrize(
    ("word", "other", "is_slip"),
    [
        ("debonce", "debounce", True),
        ("fucntion", "function", True),
        ("throtttle", "throttle", True),
        ("debpunce", "debounce", True),
        ("bread", "break", False),
        ("bread", "read", False),
        ("cold", "col", False),
        ("radio", "ratio", False),
    ],
)
def test_a_slip_is_one_letter(word: str, other: str, is_slip: bool) -> None:
    assert _is_slip(word, other) is is_slip
