"""The examples of the documents print what the documents show."""

from __future__ import annotations

from pathlib import Path

import pytest

from docs_examples import (
    check,
    documents,
    environment_for,
    needs_packages,
    rewritten,
    without_time_limit,
)


@pytest.mark.slow
@pytest.mark.parametrize("path", documents(), ids=lambda path: path.stem)
def test_the_output_of_every_example_is_current(path: Path) -> None:
    if needs_packages(path.read_text(encoding="utf-8")):
        pytest.skip("needs npm packages; .ci/run compares it")
    assert not check(path, write=False)


def test_the_output_of_an_example_is_replaced() -> None:
    text = "```console\n$ echo one\nout of date\n$ echo two\n```\n\n```sh\necho three\n```\n"
    with environment_for("") as environment:
        shown = rewritten(text, environment)
    assert (
        shown == "```console\n$ echo one\none\n\n$ echo two\ntwo\n```\n\n```sh\necho three\n```\n"
    )


def test_python_examples_show_their_results() -> None:
    text = "```pycon\n>>> for number in range(2):\n...     print(number)\n9\n>>> 1 + 1\n```\n"
    with environment_for("") as environment:
        shown = rewritten(text, environment)
    assert shown == (
        "```pycon\n>>> for number in range(2):\n...     print(number)\n0\n1\n>>> 1 + 1\n2\n```\n"
    )


def test_a_time_limit_makes_no_difference_where_the_hits_are_the_same() -> None:
    whole = "Read as: (x: A) => B\n\na#b  (x: A) => B\n\n1 of 9 hits\n"
    ended = whole.replace(
        "B\n\na", "B\nNote: The search ended after 1.28 s; there may be more.\n\na"
    )
    assert without_time_limit(ended.replace("1 of 9", "1 of at least 9")) == whole
    unrelated = "1 of at least 9 hits\n"
    assert without_time_limit(unrelated) == unrelated
