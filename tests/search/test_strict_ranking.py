"""The order of what the compiler accepts: fits that say little of the query's types come last."""

from __future__ import annotations

from pathlib import Path

from file_trees import writer
from typematch import catalog

_FILES = {
    "package.json": '{"name": "shop", "version": "1.0.0", "types": "index.d.ts"}',
    "index.d.ts": """
export interface Money { amount: number; currency: string }
export declare function anything(value: any): any;
export declare function always(): boolean;
export declare function isDefined<T>(value: T): boolean;
export declare function isMoney(value: unknown): boolean;
export declare function isFree(price: Money): boolean;
export declare const compare: {
  <A extends string>(value: A): A;
  <A>(value: A): A;
};
""",
}


def test_fits_that_say_little_come_last(tmp_path: Path) -> None:
    root = writer(tmp_path / "shop")(_FILES)
    with catalog.open(tmp_path / "typematch.db") as shop:
        shop.add(root, model=None)
        hits = shop.search("(price: Money) => boolean is:assignable pkg:shop", limit=None).hits
    explained = {hit.entry.name: [edit.sentence for edit in hit.edits] for hit in hits}
    assert next(iter(explained)) == "isFree"
    assert explained == {
        "isFree": [],
        "compare": ["the overload contains any"],
        "always": ["price is not used"],
        "isMoney": ["value is any or unknown"],
        "isDefined": ["value is any or unknown"],
        "anything": ["value is any or unknown", "the result is any or unknown"],
    }
