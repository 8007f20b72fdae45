"""Whatever is typed gets an answer, or a sentence that says why there is none."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from conftest import FIXTURES
from typematch.catalog import Catalog


@pytest.fixture(scope="module")
def catalog(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Catalog]:
    with Catalog(tmp_path_factory.mktemp("odd") / "typematch.db") as opened:
        opened.add(FIXTURES / "toolbox")
        yield opened


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ("配列をソートする", "No name here has any of these words."),
        ("\N{FIRE}", "The query has no words, only punctuation."),
        ("funktion die eine liste sortiert", "Nothing here is close to this"),
        ("the of and", "Nothing here is close to this"),
        ("kind:service", "No entry meets kind:service"),
    ],
)
def test_what_has_no_answer_gets_a_sentence(catalog: Catalog, query: str, sentence: str) -> None:
    result = catalog.search(query)
    assert len(result) <= 3
    assert any(sentence in notice for notice in result.notices)


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("split an \N{FIRE} array into chunks", "chunk"),
        ("function chunk<T>(arr: T[], size: number): T[][] { ... }", "chunk"),
        ("chunk an " + "ab " * 5000, "chunk"),
        ("kind:function name:chunk", "chunk"),
    ],
)
def test_what_has_an_answer_gets_it(catalog: Catalog, query: str, first: str) -> None:
    [hit, *_] = catalog.search(query, limit=5)
    assert hit.entry.name == first


def test_a_description_of_functions_is_one_request(catalog: Catalog) -> None:
    result = catalog.search("functions that take a string and return a number")
    assert result.clauses == ()
    assert result.top is not None
    assert result.top.entry.name == "parseNumber"
    assert len(catalog.search("take a string, then return a number in cents").clauses) == 2
