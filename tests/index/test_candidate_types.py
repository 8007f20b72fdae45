"""The candidates of a store: the SQL agrees with the reference, overload sets, near duplicates."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from index.filter_reference import (
    SignatureMasks,
    lowest_tier,
    passes_as_overload,
    signature_masks,
)
from typematch.index.masks.query_masks import query_masks
from typematch.index.masks.sql_filters import MISFITS
from typematch.index.masks.type_masks import TypeMasks
from typematch.index.sqlite import SqliteStore, open_store
from typematch.ingest.run import run
from typematch.ir.types import Object
from typematch.search.prepare.prepared_query import prepare_query

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


def all_signature_masks(store: SqliteStore) -> dict[tuple[int, bool], SignatureMasks]:
    """Return the masks of all functions and receiver forms, by (id, whether a receiver form)."""
    type_masks = TypeMasks(store)
    connection = store.database.connection
    masks: dict[tuple[int, bool], SignatureMasks] = {}
    for (type_id,) in connection.execute("SELECT type FROM function").fetchall():
        masks[type_id, False] = signature_masks(store.type(type_id), type_masks)
    for number, method, container in connection.execute("SELECT * FROM receiver").fetchall():
        receiver = store.types.get(container)
        masks[-number, True] = signature_masks(store.type(method), type_masks, receiver)
    return masks


@pytest.mark.slow
@pytest.mark.parametrize("text", _QUERIES)
def test_every_tier_selects_what_the_reference_does(store: SqliteStore, text: str) -> None:
    (query,) = prepare_query(text, store).signatures
    masks = query_masks(query, store)
    expected: dict[tuple[int, bool], int] = {
        # A receiver form costs something, so tier 0 never selects it.
        key: max(lowest_tier(candidate, masks), key[1])
        for key, candidate in all_signature_masks(store).items()
    }
    selected: dict[tuple[int, bool], int] = {}
    for tier in range(MISFITS):
        for candidate in store.candidates(query, tier, misfits=tier == MISFITS - 1):
            assert selected.setdefault((candidate.type, candidate.receiver), tier) == tier
    assert selected == {key: min(tier, MISFITS - 1) for key, tier in expected.items()}
    last = {candidate.type for candidate in store.candidates(query, MISFITS - 1)}
    assert last == {key[0] for key, tier in expected.items() if tier == MISFITS - 1}


@pytest.mark.slow
@pytest.mark.parametrize("text", _QUERIES)
def test_an_overload_set_is_a_candidate_if_one_of_its_overloads_passes(
    store: SqliteStore, text: str
) -> None:
    (query,) = prepare_query(text, store).signatures
    masks, type_masks = query_masks(query, store), TypeMasks(store)
    connection = store.database.connection
    expected = set()
    for (entry,) in connection.execute("SELECT id FROM entry WHERE signatures > 1").fetchall():
        overloads = [store.type(type_id) for type_id in store.signatures_of(entry)]
        if any(passes_as_overload(signature_masks(o, type_masks), masks) for o in overloads):
            expected.add(entry)
    selected = {
        entry
        for candidate in store.candidate_wholes(query)
        if candidate.overloads
        for entry, _ in candidate.entries
    }
    assert selected == expected


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "name", "exact"),
    [
        ("(list: Item[], key: string) => Item | undefined", "pick", True),
        ("(key: string, list: Item[]) => Promise<Item>", "pick", False),
        ("(x: unknown) => x is Item", "isItem", True),
        ("<A, B>(f: (a: A) => B) => Box<B>", "map", True),
        ("(id: string) => Item", "load", False),
        ("<T>(value: T) => T", "id", False),  # its T has a constraint
    ],
)
def test_near_duplicates_are_found_without_a_filter(
    store: SqliteStore, text: str, name: str, exact: bool
) -> None:
    (query,) = prepare_query(text, store).signatures
    entries = [
        entry for candidate in store.near_duplicates(query) for entry, _ in candidate.entries
    ]
    assert name in {entry.name for entry in store.entries(entries)}
    assert store.has_exact_signature(query) == (exact or name == "id")  # Object.seal's T has none


def test_declarations_co_occur_if_one_function_mentions_both(store: SqliteStore) -> None:
    [item], [box] = store.exported_types("Item"), store.exported_types("Box")
    assert store.co_occur([item])
    assert store.co_occur([item, "global#Array"])
    assert store.co_occur(["global#Promise", item])
    assert not store.co_occur([item, box])
    assert not store.co_occur([item, "nowhere.ts#None"])


def test_a_method_is_a_candidate_with_its_receiver_as_first_argument(store: SqliteStore) -> None:
    (query,) = prepare_query("(box: Box<T>, f: (value: T) => U) => Box<U>", store).signatures
    receiver_forms = [candidate for candidate in store.candidates(query, 1) if candidate.receiver]
    by_id = {
        entry.id: candidate
        for candidate in receiver_forms
        for entry in store.entries([candidate.entries[0][0]])
    }
    receiver_form = next(candidate for key, candidate in by_id.items() if key.endswith("#Box#map"))
    function = store.type(receiver_form.type)
    assert isinstance(function, Object)
    assert store.type_text(receiver_form.type) == (
        "<T, U>(receiver: Box<T>, change: (value: T) => U) => Box<U>"
    )
