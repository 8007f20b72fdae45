"""Links in JSDoc comments."""

from __future__ import annotations

import pytest

from typematch.sources.typescript.jsdoc import read_doc


@pytest.mark.parametrize(
    ("comment", "text"),
    [
        ("See {@link Map}.", "See `Map`."),
        ("See {@link Map | the map}.", "See the map."),
        ("See {@linkcode Map the map}.", "See the map."),
        ("{@linkplain\n  Map |} and {@link}", "`Map` and {@link}"),
        ("{@link | x} {@link a b", "{@link | x} {@link a b"),
        ("{@link {a} b}", "{a b}"),
    ],
)
def test_links_become_their_labels(comment: str, text: str) -> None:
    doc = read_doc(f"/** {comment} */")
    assert doc is not None
    assert doc.text == text


def test_links_that_do_not_end_are_read_once() -> None:
    """Reading the rest of the text again for each would take hours."""
    doc = read_doc(f"/** {'{@link a ' * 200_000}*/")
    assert doc is not None
    assert doc.text.endswith("{@link a")
