"""A signature rewritten so that the properties of its options object are parameters."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import typematch
from typematch.ir.render import render
from typematch.query.signature.type_expr import read_signature
from typematch.search.score.spread_options import spread_options


@pytest.mark.parametrize(
    ("signature", "expected"),
    [
        pytest.param(
            "(path: string, options: { size: number; deep?: boolean }) => string",
            "(path: string, deep?: boolean, size: number) => string",
            id="the properties replace the object",
        ),
        pytest.param("(path: string) => string", None, id="no object"),
        pytest.param("(a: { x: 1 }, b: { y: 2 }) => void", None, id="two objects"),
        pytest.param("(options?: { x: 1 }) => void", None, id="an optional object"),
        pytest.param("(table: { [key: string]: 1 }) => void", None, id="an index signature"),
        pytest.param("(options: {}) => void", None, id="no properties"),
    ],
)
def test_spread_options(signature: str, expected: str | None) -> None:
    rewritten = spread_options(read_signature(signature).type)
    assert (rewritten and render(rewritten[0])) == expected


SHOP = """
/** Cut a picture. */
export declare function crop(path: string, width: number, height: number): Uint8Array;
/** Make a picture smaller. */
export declare function shrink(path: string, options: { width: number; fast?: boolean }): Date;
"""


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[typematch.Catalog]:
    folder: Path = tmp_path_factory.mktemp("shop")
    (folder / "shop.d.ts").write_text(SHOP, encoding="utf-8")
    with typematch.open(folder / "shop.db") as catalog:
        catalog.add(folder)
        yield catalog


def test_options_match_separate_parameters(shop: typematch.Catalog) -> None:
    query = "(path: string, options: { width: number, height: number }) => Uint8Array"
    [hit, *_] = shop.search(query)
    assert hit.entry.name == "crop"
    assert "options passed one by one" in [edit.sentence for edit in hit.edits]


def test_an_argument_matches_a_property_of_the_options(shop: typematch.Catalog) -> None:
    [hit, *_] = shop.search("(path: string, width: number) => Date  kind:function")
    assert hit.entry.name == "shrink"
    assert "width passed as part of options" in [edit.sentence for edit in hit.edits]
