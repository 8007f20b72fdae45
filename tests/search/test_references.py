"""What an entry's types refer to, across the files and packages of a small catalog."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from typematch.catalog import Catalog
from typematch.search.present.references import References

SHOP = """
import { Money } from "money";
import { Address } from "./address";
/** Somebody who buys. */
export interface Customer { name: string; address: Address; balance: Money; orders: Order[] }
export interface Order { customer: Customer; lines: Line[]; placed: Date }
export interface Line { product: Product; price: Money }
export interface Product { name: string; bundle?: Product[]; supplier: Supplier }
export interface Supplier { address: Address; contract: Contract }
export function ship(order: Order): Promise<void>;
export function plain(text: string): number;
"""
FILES = {
    "package.json": '{"name": "shop", "version": "1.0.0", "types": "index.d.ts"}',
    "index.d.ts": SHOP,
    "address.d.ts": "export interface Address { street: string; country: Country }\n"
    "export type Country = 'de' | 'fr';",
    "node_modules/money/package.json": '{"name": "money", "version": "1.0.0", "types": "m.d.ts"}',
    "node_modules/money/m.d.ts": "export interface Money { amount: number; currency: Currency }\n"
    "export type Currency = 'EUR';",
}


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Catalog]:
    folder = tmp_path_factory.mktemp("shop")
    for name, text in FILES.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    with Catalog(folder / "typematch.db") as catalog:
        catalog.add(folder, model=None)
        yield catalog


def _names(found: References) -> list[tuple[str, int]]:
    return [(one.name, one.depth) for one in found.found]


def test_breadth_first_and_each_once_across_files_and_packages(shop: Catalog) -> None:
    found = shop.references("shop#ship", depth=3)
    assert _names(found) == [
        ("Order", 1),
        ("Customer", 2),
        ("Line", 2),
        ("Address", 3),
        ("Money", 3),
        ("Product", 3),
    ]
    money = found.found[4]
    assert (money.id, money.package, money.by) == ("money#Money", "money", "shop#Customer")
    assert money.text == "interface Money {\n  amount: number;\n  currency: Currency;\n}"


def test_what_lies_deeper_is_counted(shop: Catalog) -> None:
    assert shop.references("shop#ship", depth=3).deeper == 3  # Country, Currency, Supplier
    everything = shop.references("shop#ship", depth=None, max_tokens=None)
    assert everything.deeper == 0
    assert len(everything.found) == 9


def test_cycles_are_named_by_the_shortest_way_round(shop: Catalog) -> None:
    found = shop.references("shop#ship", depth=4)
    assert found.cycles == (("Order", "Customer", "Order"), ("Product", "Product"))


def test_an_entry_on_a_cycle_is_not_shown_again(shop: Catalog) -> None:
    found = shop.references("shop#Order", depth=2)
    assert "Order" not in [one.name for one in found.found]
    assert ("Order", "Customer", "Order") in found.cycles


def test_a_name_that_nothing_declares_is_missing(shop: Catalog) -> None:
    found = shop.references("shop#Supplier", depth=1)
    assert found.missing == (("Contract", "shop#Supplier"),)


def test_what_the_language_declares_is_only_named(shop: Catalog) -> None:
    assert shop.references("shop#ship", depth=1).standard == ("Date", "Promise")


def test_the_budget_leaves_out_what_does_not_fit(shop: Catalog) -> None:
    everything = shop.references("shop#ship", depth=3, max_tokens=None)
    budget = everything.tokens - 1
    found = shop.references("shop#ship", depth=3, max_tokens=budget)
    assert found.tokens <= budget
    assert found.left_out == len(everything.found) - len(found.found) == 1
    nothing = shop.references("shop#ship", depth=3, max_tokens=1)
    assert (nothing.found, nothing.left_out) == ((), 6)
    assert nothing.text  # the entry itself is always given


def test_an_entry_of_plain_types_refers_to_nothing(shop: Catalog) -> None:
    found = shop.references("shop#plain")
    assert (found.found, found.missing, found.cycles, found.left_out) == ((), (), (), 0)
