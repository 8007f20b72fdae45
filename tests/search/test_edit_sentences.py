"""The sentences of edits, as hits show them."""

from __future__ import annotations

from pathlib import Path

import pytest

from typematch.catalog import Catalog
from typematch.match.edit_kinds import (
    ALIAS_FOLLOWED,
    INSTANTIATED,
    MORE_SPECIFIC,
    NARROWER_RESULT,
    OPTIONAL_LEFT_OUT,
    UNINFERRED,
    WIDER_PARAMETER,
    Edit,
)
from typematch.search.present.edit_sentences import informative_edits, short_sentence, shortened


@pytest.mark.parametrize(
    ("edit", "is_shown"),
    [
        pytest.param(Edit(ALIAS_FOLLOWED, a="URL", b="URL"), False, id="itself"),
        pytest.param(Edit(ALIAS_FOLLOWED, a="Id", b="string"), True, id="an alias"),
        pytest.param(Edit(INSTANTIATED, a="T", b="any"), False, id="any"),
        pytest.param(Edit(UNINFERRED, a="T", b="any"), True, id="any that costs"),
        pytest.param(Edit(MORE_SPECIFIC), True, id="without types"),
        pytest.param(Edit(NARROWER_RESULT, a="x", b="x"), True, id="with the second alone"),
        pytest.param(Edit(OPTIONAL_LEFT_OUT, a="size"), True, id="with one"),
    ],
)
def test_an_edit_that_says_nothing_is_not_shown(edit: Edit, is_shown: bool) -> None:
    assert bool(informative_edits([edit])) == is_shown


@pytest.mark.parametrize(
    ("text", "limit", "expected"),
    [
        ("Map<string, number>", 20, "Map<string, number>"),
        ("Map<string, Record<string, number[]>>", 30, "Map<string, Record<…>>"),
        ("Map<string, Record<string, number[]>>", 12, "Map<…>"),
        (
            "(a: string, b: { id: string }) => Promise<Buffer>",
            40,
            "(a: string, b: {…}) => Promise<Buffer>",
        ),
        ("A | B | C | D | E | F", 10, "A | B | C…"),
        ("", 10, ""),
    ],
)
def test_a_long_type_is_shortened_from_the_inside(text: str, limit: int, expected: str) -> None:
    assert shortened(text, limit) == expected
    assert len(expected) <= limit


def test_type_parameters_of_a_class_that_a_method_does_not_mention_have_no_name(
    tmp_path: Path,
) -> None:
    (tmp_path / "index.d.ts").write_text(
        "export class Shelf<T> { size<K>(key: K): Map<K, symbol>; add(item: T): void; }"
    )
    with Catalog(tmp_path / "typematch.db") as catalog:
        catalog.add(tmp_path / "index.d.ts", model=None)
        hit = catalog.adapt("(s: Shelf<string>, n: bigint) => Map<bigint, symbol>", "Shelf#size")
    assert hit is not None
    assert [edit.sentence for edit in hit.edits] == [
        "called on Shelf<_>",
        "_ = string",
        "K = bigint",
        "key accepts any type",
    ]


def test_a_sentence_has_short_types() -> None:
    long = f"Result<{', '.join(f'Type{number}' for number in range(20))}>"
    assert short_sentence(Edit(WIDER_PARAMETER, a="data", b=long)) == "data accepts more: Result<…>"
