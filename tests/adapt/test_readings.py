"""Adapters of queries whose names have several readings."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from file_trees import writer
from typematch.catalog import Catalog

ABOUT = """
export declare class Moment { year: number; constructor(at: bigint); }
export declare function parsed(at: RegExp): Moment;
"""
# Its functions mention no `Moment`: they return what is assignable to one.
ABOVE = """
export interface Moment { readonly zone: string }
export interface Zoned<A> extends Moment { readonly given: A }
export declare function made(text: string): Zoned<string>;
export declare function gathered<A>(items: A[]): (text: string) => Zoned<A>;
"""


@pytest.fixture(scope="module")
def catalog(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Catalog]:
    root = tmp_path_factory.mktemp("readings")
    with Catalog(root / "typematch.db") as made:
        for name, declared in (("about", ABOUT), ("above", ABOVE)):
            package = {"name": name, "version": "1.0.0", "types": "index.d.ts"}
            files = {"package.json": package, "index.d.ts": declared}
            made.add(writer(root / name)(files), model=None)
        yield made


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("(text: string) => Moment", "made"),
        ("(text: string) => Moment  is:assignable", "made"),
        ("(text: string, items: bigint[]) => Moment", "(text, items) => gathered(items)(text)"),
        ("takes a string and returns a Moment", "made"),
    ],
)
def test_types_of_an_adapter_are_those_of_the_reading_that_matched(
    catalog: Catalog, query: str, code: str
) -> None:
    hits = catalog.search(query, limit=None).hits
    [adapter] = [hit.adapter for hit in hits if hit.adapter and hit.adapter.code == code]
    assert any('import type { Moment } from "above"' in line for line in adapter.imports)
    assert not any('"about"' in line for line in adapter.imports)


def test_an_entry_is_adapted_to_the_reading_that_it_matches(catalog: Catalog) -> None:
    hit = catalog.adapt("(text: string) => Moment", "above#made")
    assert hit is not None
    assert hit.adapter is not None
    assert any('"above"' in line for line in hit.adapter.imports)
    assert not any('"about"' in line for line in hit.adapter.imports)
