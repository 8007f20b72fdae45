"""What is taken out of texts before they are indexed."""

from __future__ import annotations

import pytest

from typematch.sources.cleaning import CLEANERS, Cleaner

BLOB = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk" * 2


@pytest.mark.parametrize(
    ("sort", "text", "expected"),
    [
        pytest.param("blobs", f"A logo: {BLOB}== here", "A logo: here", id="a run of base64"),
        pytest.param(
            "blobs", f"See data:image/png;base64,{BLOB} now", "See now", id="a data URL"
        ),
        pytest.param("html", "<p>One<br/>two &amp; <b>3</b></p>", "One\ntwo & 3", id="tags"),
        pytest.param("html", "A<!-- x -->B <script>x()</script>", "A B", id="comments, scripts"),
        pytest.param("markup", "# Get **all** `x`\n\n- a\n- b", "Get all x\n\na\n\nb", id="markup"),
        pytest.param("markup", "See [docs](/x 't') ![logo](l.png)", "See docs logo", id="links"),
        pytest.param("markup", "|A|B|\n|-|-|\n|c|d|", "A B\n\nc d", id="a table"),
        pytest.param("links", "Read https://bit.ly/3abc now", "Read now", id="a short link"),
        pytest.param(
            "links",
            "At https://example.org/a?utm_source=x&page=2&gclid=7",
            "At https://example.org/a?page=2",
            id="tracking parameters",
        ),
        pytest.param(
            "examples", f"Call:\n```\n{'x = 1; ' * 60}\n```\nso.", "Call:\n\nso.", id="long code"
        ),
    ],
)  # fmt: skip
def test_cleaners_remove_markup_and_count_it(sort: str, text: str, expected: str) -> None:
    cleaner = Cleaner()
    assert cleaner.prose(text) == expected
    times, characters = cleaner.removed[sort]
    assert times >= 1
    assert 0 < characters <= len(text)
    kept = Cleaner(frozenset(CLEANERS))
    assert " ".join(kept.prose(text).split()) == " ".join(text.split())
    assert kept.removed == {}


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("Takes a Promise<T> and an <id>, if a < b > c.", id="type arguments"),
        pytest.param("Returns snake_case_names and 2 * 3 * 4.", id="underscores and stars"),
        pytest.param(f"At /{'a/very/long/path/' * 5}To1", id="path"),
        pytest.param("https://example.org/a?page=2", id="a plain link"),
        pytest.param("a" * 200, id="a long word"),
    ],
)  # fmt: skip
def test_text_that_resembles_markup_stays(text: str) -> None:
    cleaner = Cleaner()
    assert cleaner.prose(text) == text
    assert cleaner.removed == {}


@pytest.mark.parametrize("part", ["<!-- ", "<script>", "```\n", "[", "![", "*_", "&#", "data:;a"])
def test_a_long_text_is_cut(part: str) -> None:
    assert len(Cleaner().prose(part * 200_000)) <= 20_000


def test_cleaning_is_idempotent() -> None:
    text = f"<h1>Pets</h1>\n\n*All* of them: {BLOB}\n\n1. one\n2. two"
    once = Cleaner().prose(text)
    again = Cleaner()
    assert again.prose(once) == once
    assert again.removed == {}
