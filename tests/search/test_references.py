"""References of entries across the files and packages of a small catalog."""

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


def _names(graph: References) -> list[tuple[str, int]]:
    return [(declaration.name, declaration.depth) for declaration in graph.declarations]


def test_declarations_are_found_breadth_first_and_once_across_files_and_packages(
    shop: Catalog,
) -> None:
    graph = shop.references("shop#ship", depth=3)
    assert _names(graph) == [
        ("Order", 1),
        ("Customer", 2),
        ("Line", 2),
        ("Address", 3),
        ("Money", 3),
        ("Product", 3),
    ]
    money = graph.declarations[4]
    assert (money.id, money.package, money.referenced_by) == (
        "money#Money",
        "money",
        "shop#Customer",
    )
    assert money.text == "interface Money {\n  amount: number;\n  currency: Currency;\n}"


def test_declarations_beyond_the_depth_are_counted(shop: Catalog) -> None:
    assert shop.references("shop#ship", depth=3).beyond_depth == 3  # Country, Currency, Supplier
    everything = shop.references("shop#ship", depth=None, max_tokens=None)
    assert everything.beyond_depth == 0
    assert len(everything.declarations) == 9


def test_cycles_are_reported_by_their_shortest_path(shop: Catalog) -> None:
    graph = shop.references("shop#ship", depth=4)
    assert graph.cycles == (("Order", "Customer", "Order"), ("Product", "Product"))


def test_the_entry_itself_is_not_among_its_references(shop: Catalog) -> None:
    graph = shop.references("shop#Order", depth=2)
    assert "Order" not in [declaration.name for declaration in graph.declarations]
    assert ("Order", "Customer", "Order") in graph.cycles


def test_an_undeclared_name_is_missing(shop: Catalog) -> None:
    graph = shop.references("shop#Supplier", depth=1)
    assert graph.missing == (("Contract", "shop#Supplier"),)


def test_standard_declarations_are_named_but_not_followed(shop: Catalog) -> None:
    assert shop.references("shop#ship", depth=1).standard == ("Date", "Promise")


def test_declarations_that_exceed_the_budget_are_omitted(shop: Catalog) -> None:
    everything = shop.references("shop#ship", depth=3, max_tokens=None)
    budget = everything.tokens - 1
    graph = shop.references("shop#ship", depth=3, max_tokens=budget)
    assert graph.tokens <= budget
    assert graph.omitted == len(everything.declarations) - len(graph.declarations) == 1
    nothing = shop.references("shop#ship", depth=3, max_tokens=1)
    assert (nothing.declarations, nothing.omitted) == ((), 6)
    assert nothing.text  # the own declaration is always included


def test_an_entry_of_primitive_types_has_no_references(shop: Catalog) -> None:
    graph = shop.references("shop#plain")
    assert (graph.declarations, graph.missing, graph.cycles, graph.omitted) == ((), (), (), 0)
