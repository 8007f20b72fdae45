"""Searches that a measurement changes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from typematch.evaluate.relevance.intent import variant_ranker
from typematch.index.sql_store import SqlStore, open_store
from typematch.index.vectors.open_embedders import OpenEmbedders
from typematch.search.retrieve.retrieved import Retrieved, RetrievedByType, RetrievedByWords
from typematch.search.retrieve.variant import STANDARD, Variant
from typematch.search.score.weights import WEIGHTS, Priors


@pytest.fixture
def store(tiny: Path) -> Iterator[SqlStore]:
    opened = open_store(tiny, create=False)
    yield opened
    opened.close()


def ranked(store: SqlStore, text: str, variant: Variant = STANDARD) -> list[str]:
    return list(variant_ranker(store, variant, OpenEmbedders().stored)(text))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("split an array", RetrievedByWords),
        ("split :: (items: T[], size: number) => T[][]", RetrievedByWords),
        ("(items: T[], size: number) => T[][]", RetrievedByType),
    ],
)
def test_what_was_found_is_observed_and_the_order_stays(
    store: SqlStore, text: str, expected: type
) -> None:
    seen: list[Retrieved] = []
    assert ranked(store, text, Variant(observe=seen.append)) == ranked(store, text)
    assert isinstance(seen[-1], expected)


def test_a_sentence_is_words_alone_without_sentences(store: SqlStore) -> None:
    text = "function that takes a string and returns a number"
    seen: list[Retrieved] = []
    ranked(store, text, Variant(observe=seen.append))
    ranked(store, text, Variant(sentences=False, observe=seen.append))
    sorts = [found.query_kind for found in seen if isinstance(found, RetrievedByWords)]
    assert (sorts[0], sorts[-1]) == ("sentence", "words")


def test_priors_order_entries_that_words_alone_do_not(store: SqlStore) -> None:
    fields_first = replace(WEIGHTS, priors=Priors(not_callable=3.0))
    assert ranked(store, "a user name")[0] == "deadline#findUser"
    assert ranked(store, "a user name", Variant(fields_first))[0] == "toolbox#User#name"
