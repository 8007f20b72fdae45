"""Names in documentation are those of entries."""

from pathlib import Path

from typematch import Catalog

DECLARATIONS = """
export declare class Cart {
    /** Adds; see {@link remove}, {@link Cart.size}, {@link #size} and {@link Nothing}. */
    add(item: string): void;
    remove(item: string): void;
    size: number;
}
export declare namespace tills {
    /**
     * Opens, as {@link close} does not and {@link pay} might; a {@link Promise}.
     * With `pay()` and `amount`.
     */
    function open(amount: number): void;
    function close(): void;
}
export declare function close(): void;
/** @deprecated use [a class]{@link Cart} */
export declare function pay(amount: number): void;
export declare function pay(amount: string): void;
"""


def test_names_are_looked_up_from_the_entry_outwards(tmp_path: Path) -> None:
    (tmp_path / "package.json").write_text('{"name": "shop", "types": "index.d.ts"}')
    (tmp_path / "index.d.ts").write_text(DECLARATIONS)
    with Catalog(tmp_path / "t.db") as catalog:
        catalog.add(tmp_path, model=None)
        links = {
            name: catalog.doc_links(catalog.get(f"shop#{name}"))
            for name in ("Cart#add", "tills.open", "pay", "close")
        }
    assert links == {
        "Cart#add": {
            "remove": "shop#Cart#remove",
            "Cart.size": "shop#Cart#size",
            "#size": "shop#Cart#size",
        },
        "tills.open": {"close": "shop#tills.close", "pay": "shop#pay", "pay()": "shop#pay"},
        "pay": {"Cart": "shop#Cart"},
        "close": {},
    }
