"""What SQL finds in a store is what the filters say of each function."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from typematch.index.masks.filter_reference import (
    MISFITS,
    SignatureMasks,
    lowest_tier,
    passes_overloaded,
)
from typematch.index.masks.mask import NEEDS_NONE
from typematch.index.masks.query_masks import asked_masks
from typematch.index.masks.signature_columns import RESULT, shape_of
from typematch.index.masks.type_masks import TypeMasks
from typematch.index.sqlite import SqliteStore, open_store
from typematch.ingest.run import run
from typematch.ir.types import Object, Type
from typematch.search.prepare.prepared_query import read

_TEXT = """
export interface Item { id: string; size?: number }
export class Box<V> {
  value: V;
  map<W>(change: (value: V) => W): Box<W>;
  put(value: V): this;
  static of<V>(value: V): Box<V>;
}
export declare function pick(items: Item[], id: string): Item | undefined;
export declare function load(id: string): Promise<Item>;
export declare function isItem(value: unknown): value is Item;
export declare function join(parts: readonly string[], by?: string): string;
export declare function join(parts: Iterable<number>, ...by: string[]): string;
export declare function wide(a: string, b: number, c: Item, d: Date, e: symbol): void;
export declare function id<T extends object>(value: T): T;
export declare const later: (ms: number, ...rest: any[]) => void;
"""
_QUERIES = (
    "(id: string, items: Item[]) => Item",
    "(id: string) => Item",
    "(value: unknown) => value is Item",
    "<T>(xs: T[]) => string",
    "(parts: number[]) => string",
    "(a: number, b: string, c: Item, d: Date, e: symbol) => void",
    "(a: string, ...) => void",
    "(box: Box<T>, f: (value: T) => U) => Box<U>",
    "(...numbers: number[]) => _",
    "(x?: string) => string",
    "() => never",
)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SqliteStore]:
    folder = tmp_path_factory.mktemp("shop")
    (folder / "index.ts").write_text(_TEXT, encoding="utf-8")
    store = open_store(folder / "t.db")
    run([folder], store)
    yield store
    store.close()


def masks_of(found: Type, facets: TypeMasks, more: Type | None = None) -> SignatureMasks:
    """Return the masks of a function type, or of a method whose receiver is ``more``."""
    shape = shape_of(found)
    places = [NEEDS_NONE if one is None else facets.needs(one) for one in shape.places]
    moved = more is not None
    if more is not None:
        places = [facets.needs(more), *places[:-1]]
    return SignatureMasks(
        facets.has(shape.returns),
        tuple(places),
        shape.min_arity + moved,
        None if shape.max_arity is None else shape.max_arity + moved,
        shape.count + moved,
        shape.guard,
        shape.bounded & RESULT | (shape.bounded & ~RESULT) << moved,
    )


def every(store: SqliteStore) -> dict[tuple[int, bool], SignatureMasks]:
    """Return the masks of all function types and receiver forms, by number."""
    facets = TypeMasks(store)
    connection = store.database.connection
    found: dict[tuple[int, bool], SignatureMasks] = {}
    for (number,) in connection.execute("SELECT type FROM function").fetchall():
        found[number, False] = masks_of(store.type(number), facets)
    for number, method, container in connection.execute("SELECT * FROM receiver").fetchall():
        receiver = store.types.get(container)
        found[-number, True] = masks_of(store.type(method), facets, receiver)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("text", _QUERIES)
def test_candidates_are_what_the_filters_pass(store: SqliteStore, text: str) -> None:
    (asked,) = read(text, store).signatures
    masks = asked_masks(asked, store)
    expected: dict[tuple[int, bool], int] = {
        # The receiver form costs something, so tier 0 never holds it.
        key: max(lowest_tier(one, masks), key[1])
        for key, one in every(store).items()
    }
    found: dict[tuple[int, bool], int] = {}
    for tier in range(MISFITS):
        for one in store.candidates(asked, tier, misfits=tier == MISFITS - 1):
            assert found.setdefault((one.type, one.receiver), tier) == tier
    assert found == {key: min(tier, MISFITS - 1) for key, tier in expected.items()}
    strict = {one.type for one in store.candidates(asked, MISFITS - 1)}
    assert strict == {key[0] for key, tier in expected.items() if tier == MISFITS - 1}


@pytest.mark.slow
@pytest.mark.parametrize("text", _QUERIES)
def test_overloads_are_judged_together(store: SqliteStore, text: str) -> None:
    (asked,) = read(text, store).signatures
    masks, facets = asked_masks(asked, store), TypeMasks(store)
    connection = store.database.connection
    expected = set()
    for (entry,) in connection.execute("SELECT id FROM entry WHERE signatures > 1").fetchall():
        overloads = [store.type(number) for number in store.signatures_of(entry)]
        if any(passes_overloaded(masks_of(one, facets), masks) for one in overloads):
            expected.add(entry)
    found = {entry for one in store.assignable(asked) if one.overloads for entry, _ in one.entries}
    assert found == expected


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "name", "just_so"),
    [
        ("(list: Item[], key: string) => Item | undefined", "pick", True),
        ("(key: string, list: Item[]) => Promise<Item>", "pick", False),
        ("(x: unknown) => x is Item", "isItem", True),
        ("<A, B>(f: (a: A) => B) => Box<B>", "map", True),
        ("(id: string) => Item", "load", False),
        ("<T>(value: T) => T", "id", False),  # its T has a constraint
    ],
)
def test_what_reads_alike_is_found_without_a_filter(
    store: SqliteStore, text: str, name: str, just_so: bool
) -> None:
    (asked,) = read(text, store).signatures
    entries = [entry for one in store.alike(asked) for entry, _ in one.entries]
    assert name in {entry.name for entry in store.entries(entries)}
    assert store.has_spelling(asked) == (just_so or name == "id")  # Object.seal's T has none


def test_which_declarations_one_function_mentions(store: SqliteStore) -> None:
    [item], [box] = store.exported("Item"), store.exported("Box")
    assert store.are_together([item])
    assert store.are_together([item, "global#Array"])
    assert store.are_together(["global#Promise", item])
    assert not store.are_together([item, box])
    assert not store.are_together([item, "nowhere.ts#None"])


def test_a_method_is_a_function_of_its_receiver(store: SqliteStore) -> None:
    (asked,) = read("(box: Box<T>, f: (value: T) => U) => Box<U>", store).signatures
    forms = [one for one in store.candidates(asked, 1) if one.receiver]
    found = {entry.id: one for one in forms for entry in store.entries([one.entries[0][0]])}
    form = next(one for key, one in found.items() if key.endswith("#Box#map"))
    shown = store.type(form.type)
    assert isinstance(shown, Object)
    assert store.text(form.type) == ("<T, U>(receiver: Box<T>, change: (value: T) => U) => Box<U>")
