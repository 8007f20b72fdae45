"""A signature with an object of options, read as one that takes them one by one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import typematch
from typematch.ir.render import render
from typematch.query.signature.type_expr import read_signature
from typematch.search.score.spread_options import spread


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        pytest.param(
            "(path: string, options: { size: number; deep?: boolean }) => string",
            "(path: string, deep?: boolean, size: number) => string",
            id="its parts stand in its place",
        ),
        pytest.param("(path: string) => string", None, id="no object"),
        pytest.param("(a: { x: 1 }, b: { y: 2 }) => void", None, id="two of them"),
        pytest.param("(options?: { x: 1 }) => void", None, id="one that may be left out"),
        pytest.param("(table: { [key: string]: 1 }) => void", None, id="any keys"),
        pytest.param("(options: {}) => void", None, id="no parts"),
    ],
)
def test_spread(asked: str, expected: str | None) -> None:
    found = spread(read_signature(asked).type)
    assert (found and render(found[0])) == expected


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


def test_options_are_given_one_by_one(shop: typematch.Catalog) -> None:
    asked = "(path: string, options: { width: number, height: number }) => Uint8Array"
    [hit, *_] = shop.search(asked)
    assert hit.entry.name == "crop"
    assert "options given one by one" in [edit.sentence for edit in hit.edits]


def test_an_argument_is_given_as_part_of_the_options(shop: typematch.Catalog) -> None:
    [hit, *_] = shop.search("(path: string, width: number) => Date  kind:function")
    assert hit.entry.name == "shrink"
    assert "width given as part of options" in [edit.sentence for edit in hit.edits]
