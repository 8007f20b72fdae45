"""The examples of the documents print what the documents show."""

from __future__ import annotations

from pathlib import Path

import pytest

from docs_examples import check, documents, environment_for, needs_packages, rewritten


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
