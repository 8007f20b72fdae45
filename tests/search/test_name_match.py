from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from typematch.index.store import EntrySummary
from typematch.index.text.words import split_identifier
from typematch.search.score.name_match import name_scorer, sort_key


def summary(
    id: str,  # noqa: A002
    *,
    exported: bool = True,
    path: str = "p/index.d.ts",
) -> EntrySummary:
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
def test_identifiers_are_split_into_words(name: str, expected: tuple[str, ...]) -> None:
    assert split_identifier(name) == expected


@pytest.mark.parametrize(
    ("words", "better", "worse"),
    [
        pytest.param("chunk", "l#chunk", "l#chunkBy", id="the exact name beats a longer one"),
        pytest.param("chunk", "l#chunkBy", "l#rechunk", id="a whole word beats a substring"),
        pytest.param("map", "l#map", "map#of", id="the name beats the package"),
        pytest.param("queue map", "l#Queue#map", "l#Queue#push", id="words may be the container's"),
        pytest.param("test each", "l#test.each", "l#Suite#eachTest", id="a container and a name"),
        pytest.param("each", "l#each", "l#test.each2", id="a name beats a container and a name"),
    ],
)
def test_name_scores_are_ordered(words: str, better: str, worse: str) -> None:
    score = name_scorer(words.split())
    assert score(summary(better)) > score(summary(worse))


def test_a_name_without_the_word_scores_zero() -> None:
    assert name_scorer(["chunk"])(summary("l#sortBy")) == 0


@given(st.lists(st.text("abcXYZ_19.", min_size=1), max_size=3), st.text("abcXYZ_19.#", min_size=1))
def test_name_scores_are_between_zero_and_one(words: list[str], name: str) -> None:
    assert 0 <= name_scorer([word.lower() for word in words])(summary(f"p#{name}")) <= 1


def test_sort_keys_order_by_cost_name_export_and_length() -> None:
    plain = summary("p#chunk")
    ordered = [
        sort_key(0, 0.5, plain),
        sort_key(4, 1.0, plain),
        sort_key(4, 0.9, plain),
        sort_key(4, 0.9, summary("p#longer")),
        sort_key(4, 0.9, summary("p#longer", path="p/deep/inside/index.d.ts")),
        sort_key(4, 0.9, summary("p#A#m")),
        sort_key(4, 0.9, summary("p#a", exported=False)),
    ]
    assert ordered == sorted(ordered)
    assert len(set(ordered)) == len(ordered)
