"""The candidates of a store: function types with bounds and entries, overload sets."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from typematch.index.entries.selection import Condition, GlobCondition
from typematch.index.masks.function_bounds import function_bounds
from typematch.index.masks.query_masks import query_masks
from typematch.index.masks.signature_columns import mentioned_names
from typematch.index.records import TypePosition
from typematch.index.sql_store import SqlStore, open_store
from typematch.ingest.run import run
from typematch.ir.types import Object
from typematch.match.edits.query_signature import replace_wildcards
from typematch.match.strictness import Strictness
from typematch.match.verdict import NO_FIT_COST, Fit
from typematch.search.prepare.prepared_query import prepare_query
from typematch.search.score.scoring import TypeScorers, skolemize_outer

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
type Tagged<X> = X extends { tag: infer T } ? T : string;
export interface Registry<R> {
  lookup<V extends Tagged<R>>(value: V): V;
  first(): Tagged<R>;
}
type _Clock = typeof globalThis extends { noSuchName: any } ? {} : Box<Date>;
interface Clock extends _Clock {}
export declare function tick(clock: Clock): Clock;
export declare function entry<T extends object>(x: T | null | undefined): T[keyof T] | undefined;
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
    "(value: Date) => Date",
    "(xs: number[]) => number",
    "(clock: Box<Date>) => { value: Date }",
)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SqlStore]:
    folder = tmp_path_factory.mktemp("shop")
    (folder / "index.ts").write_text(_TEXT, encoding="utf-8")
    store = open_store(folder / "t.db")
    run([folder], store)
    yield store
    store.close()


@pytest.mark.parametrize("text", _QUERIES)
def test_all_functions_have_bounds_and_entries(store: SqlStore, text: str) -> None:
    (query,) = prepare_query(text, store).signatures
    functions = store.function_bounds(query)
    connection = store.database.connection
    expected: dict[int, list[tuple[int, int]]] = {}
    sql = "SELECT function, entry, ordinal FROM signature ORDER BY entry, ordinal"
    for function, entry, ordinal in connection.execute(sql).fetchall():
        expected.setdefault(function, []).append((entry, ordinal))
    assert set(functions.numbers.tolist()) == set(expected)
    for number in functions.numbers.tolist():
        candidate = store.candidate(number)
        assert candidate.type == number
        assert candidate.receiver == (number < 0)
        assert sorted(candidate.entries) == sorted(expected[number])


@pytest.mark.parametrize("text", _QUERIES)
def test_no_bound_is_above_the_cost_of_a_fit(store: SqlStore, text: str) -> None:
    (query,) = prepare_query(text, store).signatures
    functions = store.function_bounds(query)
    bounds = dict(zip(functions.numbers.tolist(), functions.bounds.tolist(), strict=True))
    scorers = TypeScorers(store)
    scorer = scorers.function_scorer(query, prepare_query(text, store).variables)
    for number, bound in bounds.items():
        verdict = scorer.verdict(store.type(number), None)
        if isinstance(verdict, Fit):
            assert bound <= verdict.cost, store.type_text(number)


def test_a_selection_restricts_functions_and_their_entries(store: SqlStore) -> None:
    (query,) = prepare_query("(id: string) => Item", store).signatures
    named = (Condition("name", (GlobCondition("load"),)),)
    functions = store.function_bounds(query, named)
    entries = [
        entry
        for number in functions.numbers.tolist()
        for entry, _ in store.candidate(number, named).entries
    ]
    assert {entry.name for entry in store.entries(entries)} == {"load"}


@pytest.mark.parametrize(
    ("position", "name", "entry", "expected"),
    [
        ("returns", "", "pick", {"Item | undefined"}),
        ("parameter", "", "pick", {"Item[]", "string"}),
        ("property", "", "Item", {"string", "number"}),
        ("property", "id", "Item", {"string"}),
        ("returns", "", "absent", set()),
    ],
)
def test_a_selection_restricts_the_types_at_a_position(
    store: SqlStore, position: TypePosition, name: str, entry: str, expected: set[str]
) -> None:
    selection = (Condition("name", (GlobCondition(entry),)),)
    found = dict(store.types_at(position, name=name, selection=selection))
    assert {store.type_text(number) for number in found} == expected
    assert found.items() <= dict(store.types_at(position, name=name)).items()


@pytest.mark.parametrize("text", _QUERIES)
def test_the_bounds_of_a_few_functions_are_those_over_all(store: SqlStore, text: str) -> None:
    (query,) = prepare_query(text, store).signatures
    masks = query_masks(query, store.declarations)
    functions = store.function_arrays()
    for rows in (np.arange(len(functions))[::3], np.arange(0)):
        few = function_bounds(functions.take(rows), masks, mismatch=400)
        assert few.tolist() == function_bounds(functions, masks, mismatch=400)[rows].tolist()


@pytest.mark.slow
@pytest.mark.parametrize("text", _QUERIES)
def test_an_overload_set_is_a_candidate_if_it_is_assignable(store: SqlStore, text: str) -> None:
    prepared = prepare_query(text, store)
    (query,) = prepared.signatures
    wholes = {entry for c in store.candidate_wholes(query) for entry, _ in c.entries}
    relation = TypeScorers(store).relation(Strictness.ASSIGNABLE)
    connection = store.database.connection
    rows = connection.execute("SELECT id, signatures FROM entry WHERE signatures > 0").fetchall()
    for entry, _ in rows:
        overloads = [store.type(type_id) for type_id in store.signatures_of(entry)]
        calls = tuple(c for o in overloads if isinstance(o, Object) for c in o.calls)
        if relation.assign(skolemize_outer(Object(calls=calls)), replace_wildcards(query)):
            assert entry in wholes


def test_declarations_co_occur_if_one_function_mentions_both(store: SqlStore) -> None:
    [item], [box] = store.exported_types("Item"), store.exported_types("Box")
    assert store.co_occur([item])
    assert store.co_occur([item, "global#Array"])
    assert store.co_occur(["global#Promise", item])
    assert not store.co_occur([item, box])
    assert not store.co_occur([item, "nowhere.ts#None"])


def test_functions_that_mention_a_type_of_the_query(store: SqlStore) -> None:
    (query,) = prepare_query("(item: Item, text: string) => Promise<string>", store).signatures
    functions = store.functions_with_types_of(query).tolist()
    [item] = store.exported_types("Item")
    assert functions
    assert functions == sorted(functions)
    assert all(item in mentioned_names(store.type(number)) for number in functions)
    (of_language,) = prepare_query("(text: string) => Promise<string>", store).signatures
    assert not len(store.functions_with_types_of(of_language))


def test_receiver_forms_mention_what_the_method_mentions_and_the_receiver(store: SqlStore) -> None:
    (query,) = prepare_query("(box: Box<string>) => symbol", store).signatures
    numbers = store.functions_with_types_of(query).tolist()
    receiver_forms = {store.type_text(number) for number in numbers if number < 0}
    assert len(receiver_forms) == 2  # of `map` and `put`
    (query,) = prepare_query("(items: Item[]) => symbol", store).signatures
    assert min(store.functions_with_types_of(query).tolist()) > 0  # Item has no methods


def test_a_method_is_a_candidate_with_its_receiver_as_first_argument(store: SqlStore) -> None:
    (query,) = prepare_query("(box: Box<T>, f: (value: T) => U) => Box<U>", store).signatures
    functions = store.function_bounds(query)
    may_fit = functions.numbers[functions.bounds < NO_FIT_COST]
    receiver_forms = [store.candidate(number) for number in may_fit.tolist() if number < 0]
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
