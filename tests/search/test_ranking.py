from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from typematch.index.store import EntrySummary
from typematch.index.text.words import split_identifier as parts
from typematch.search.fuse.ordering import name_fit, rank


def brief(id: str, *, exported: bool = True, path: str = "p/index.d.ts") -> EntrySummary:  # noqa: A002
    name = id.rpartition("#")[2].rpartition(".")[2]
    return EntrySummary(0, id, name, id.partition("#")[0], path, 1, "function", exported, False)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        pytest.param("getUserById", ("get", "user", "by", "id"), id="camel case"),
        pytest.param("parseHTMLText2", ("parse", "html", "text", "2"), id="an abbreviation"),
        pytest.param("MAX_SIZE", ("max", "size"), id="capitals and underscores"),
        pytest.param("z.core._cidrv4", ("z", "core", "cidrv", "4"), id="a path"),
        pytest.param("überTragen", ("über", "tragen"), id="letters beyond ASCII"),
    ],
)
def test_identifiers_fall_into_words(name: str, expected: tuple[str, ...]) -> None:
    assert parts(name) == expected


@pytest.mark.parametrize(
    ("asked", "better", "worse"),
    [
        pytest.param("chunk", "l#chunk", "l#chunkBy", id="the very name beats a longer one"),
        pytest.param("chunk", "l#chunkBy", "l#rechunk", id="a whole word beats a part of one"),
        pytest.param("map", "l#map", "map#of", id="the name beats the package"),
        pytest.param("queue map", "l#Queue#map", "l#Queue#push", id="words may be the container's"),
    ],
)
def test_which_name_fits_better(asked: str, better: str, worse: str) -> None:
    words = asked.split()
    assert name_fit(words)(brief(better)) > name_fit(words)(brief(worse))


def test_a_name_without_the_word_does_not_fit() -> None:
    assert name_fit(["chunk"])(brief("l#sortBy")) == 0


@given(st.lists(st.text("abcXYZ_19.", min_size=1), max_size=3), st.text("abcXYZ_19.#", min_size=1))
def test_fit_is_between_zero_and_one(asked: list[str], name: str) -> None:
    assert 0 <= name_fit([word.lower() for word in asked])(brief(f"p#{name}")) <= 1


def test_what_ranks_first() -> None:
    plain = brief("p#chunk")
    ordered = [
        rank(0, 0.5, plain),
        rank(4, 1.0, plain),
        rank(4, 0.9, plain),
        rank(4, 0.9, brief("p#longer")),
        rank(4, 0.9, replace(brief("p#longer"), path="p/deep/inside/index.d.ts")),
        rank(4, 0.9, brief("p#A#m")),
        rank(4, 0.9, brief("p#a", exported=False)),
    ]
    assert ordered == sorted(ordered)
    assert len(set(ordered)) == len(ordered)
