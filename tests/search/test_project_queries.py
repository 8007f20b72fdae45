"""Queries as a user asks them in a project of their own: constructors, fluent methods, files."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from file_trees import writer
from typematch.catalog import Catalog
from typematch.errors import UsageError

PLAIN = """
export class Ample { constructor(); x: number; y: number }
export class Plain { constructor(a: string); x: number }
export class Length { constructor(text: string); unit: string }
export function plain(a: string): Plain;
export abstract class Base { reset(): Derived }
export class Derived extends Base {
  copy(): Base;
  take(count: number): this;
  skip(count: number): Derived;
  where(column: string, value: string): this;
  count(extra: number): number;
}
"""
NODE = """
declare module "fs" {
  export function readFile(path: string): string;
}
declare module "node:fs" { export * from "fs"; }
"""


@pytest.fixture(scope="module")
def catalog(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Catalog]:
    root = tmp_path_factory.mktemp("project")
    project = writer(root / "own")(
        {
            "package.json": {"name": "own", "dependencies": {"@types/node": "1"}},
            "index.d.ts": PLAIN,
            "src/files/read.ts": "export function readText(path: string): string { return path }",
        }
    )
    modules = {"node_modules/@types/node/index.d.ts": NODE}
    writer(root / "own")(
        {**modules, "node_modules/@types/node/package.json": {"name": "@types/node"}}
    )
    with Catalog(root / "typematch.db") as opened:
        opened.add(project, model=None)
        yield opened


def names(catalog: Catalog, query: str) -> list[str]:
    return [hit.entry.qualified_name for hit in catalog.search(f"{query}  pkg:own")]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        pytest.param("(a: string) => Length", "Length#constructor", id="by its class"),
        pytest.param("kind:constructor returns:Length", "Length#constructor", id="by facets"),
        pytest.param("kind:constructor returns:Plain", "Plain#constructor", id="the very class"),
        pytest.param("new (a: string) => Plain", "Plain#constructor", id="by new"),
        pytest.param("new (...) => Plain", "Plain#constructor", id="by new, any arguments"),
        pytest.param("new (string)", "Plain#constructor", id="by new, without a result"),
        pytest.param("plain :: new (_) => _", "Plain#constructor", id="by new and a name"),
    ],
)
def test_a_constructor_is_found(catalog: Catalog, query: str, expected: str) -> None:
    assert names(catalog, query)[:1] == [expected]


def test_new_finds_nothing_but_constructors(catalog: Catalog) -> None:
    result = catalog.search("new (a: string) => Plain  pkg:own")
    assert {hit.entry.kind for hit in result} == {"constructor"}
    assert result.read_as.startswith("new (a: string) => Plain")
    assert names(catalog, "new () => Base") == ["Derived#constructor"]


def test_new_meets_is_assignable(catalog: Catalog) -> None:
    found = names(catalog, "new (a: string) => Plain  is:assignable")
    assert sorted(found) == ["Ample#constructor", "Plain#constructor"]


def test_parts_of_a_query_with_new_keep_it(catalog: Catalog) -> None:
    result = catalog.search("new (a: string) => Plain")
    assert [part.without for part in result.parts] == ["new () => Plain", "new (a: string) => _"]
    assert result.query_signature is not None
    assert result.query_signature.text == "new (a: string) => Plain"


def test_this_finds_methods_that_return_their_own_class(catalog: Catalog) -> None:
    assert set(names(catalog, "(count: number) => this")[:2]) == {"Derived#take", "Derived#skip"}
    assert names(catalog, "(column: string, value: string) => this")[0] == "Derived#where"
    fluent = ["Base#reset", "Derived#skip", "Derived#take", "Derived#where"]
    assert sorted(names(catalog, "returns:this")) == fluent
    assert "Derived#take" not in names(catalog, "kind:method -returns:this")


def test_this_is_never_given_up(catalog: Catalog) -> None:
    result = catalog.search("(a: Date, b: Date, c: Date, d: Date) => this  pkg:nothing,own")
    assert {hit.entry.name for hit in result} <= {"reset", "skip", "take", "where"}


def test_this_stands_alone(catalog: Catalog) -> None:
    with pytest.raises(UsageError, match="returns:this,string: 'this' stands alone"):
        catalog.search("returns:this,string")


@pytest.mark.parametrize("path", ["src/*", "src", "./src/files", "own/src/*", "*/read.ts"])
def test_a_path_is_read_within_the_indexed_folder(catalog: Catalog, path: str) -> None:
    result = catalog.search(f"path:{path}")
    assert [hit.entry.id for hit in result] == ["own#readText"]


def test_a_path_of_the_project_is_none_of_a_package(catalog: Catalog) -> None:
    assert not catalog.search("path:index.d.ts pkg:@types/node").hits
    assert catalog.search("path:index.d.ts pkg:own").hits


@pytest.mark.parametrize("module", ["node:fs", "fs"])
def test_a_module_is_the_specifier_of_an_import(catalog: Catalog, module: str) -> None:
    result = catalog.search(f"module:{module}")
    assert [hit.entry.id for hit in result] == ["@types/node#fs:readFile"]


@pytest.mark.parametrize("name", ["unit", "UNIT", "un*"])
def test_a_field_is_found_in_any_case_with_and_without_its_type(
    catalog: Catalog, name: str
) -> None:
    for query in (f"kind:class has:{name}", f"kind:class has:{name}:string"):
        result = catalog.search(query)
        assert (result.ids, result.relaxed) == (("own#Length",), ()), query


def test_every_counted_property_is_a_value_of_is(catalog: Catalog) -> None:
    counts = catalog.facets()["is"]
    assert counts
    for flag, count in counts.items():
        assert len(catalog.search(f"is:{flag}", limit=None).ids) == count, flag


def test_like_finds_other_entries_of_a_similar_type(catalog: Catalog) -> None:
    like = catalog.search("like:own#plain")
    assert "own#plain" not in [hit.entry.id for hit in like]
    assert like.hits[0].entry.id == "own#Plain#constructor"
    assert [hit.entry.id for hit in catalog.search("like:own#Length pkg:own")] == []
    assert catalog.search("like:own#Derived#skip pkg:own").hits[0].entry.name == "take"


def test_like_compares_each_overload_with_all_functions(tmp_path: Path) -> None:
    folder = writer(tmp_path / "shop")(
        {
            "index.d.ts": "export interface Money { cents: number }\n"
            "export declare function pay(money: Money): boolean;\n"
            "export declare function pay(order: Order): boolean;\n"
            "export interface Order { id: string }"
        }
    )
    with Catalog(tmp_path / "typematch.db") as opened:
        opened.add(folder, model=None)
        opened.add(
            writer(tmp_path / "other")(
                {"index.d.ts": "export declare function day(named: { id: string }): boolean;"}
            ),
            model=None,
        )
        alike = [hit.entry.id for hit in opened.search("like:shop#pay", limit=None)]
    assert "other#day" in alike


def test_parameter_names_of_one_letter_do_not_order_hits(tmp_path: Path) -> None:
    folder = writer(tmp_path / "shop")(
        {
            "index.d.ts": "export declare function later<D extends Date, R extends Date = D>("
            "date: D | string | number, amount: number, options?: { in?: R }): R;\n"
            "export declare function first(n: number, d: Date): Date;\n"
            "export declare function next(when?: Date, by?: number): Date;\n"
            "export interface Box<T> { nth(n?: number): T | undefined;\n"
            "  pick(n: number, d: number): T }"
        }
    )
    with Catalog(tmp_path / "typematch.db") as opened:
        opened.add(folder, model=None)
        hits = opened.search("(d: Date, n: number) => Date").hits
    costs = [hit.cost or 0.0 for hit in hits]
    assert len(costs) > 2
    assert costs == sorted(costs)


def test_files_of_a_project_for_node_are_imported_with_their_extension(tmp_path: Path) -> None:
    write = writer(tmp_path / "app")
    project = write(
        {
            "package.json": {"name": "app", "private": True},
            "tsconfig.json": {"compilerOptions": {"module": "esnext"}},
            "src/index.ts": "export function first(): void {}",
            "src/text-case.tsx": "export default (text: string): string => text;",
            "src/third.mts": "export function third(): void {}",
            "src/old.jsx": "export function old() {}",
            "src/types.d.ts": "export declare function fourth(): void;",
        }
    )
    modules = {
        "first": "./src/index.js",
        "default": "./src/text-case.js",
        "third": "./src/third.mjs",
        "fourth": "./src/types.js",
    }
    with Catalog(tmp_path / "typematch.db") as catalog:
        catalog.add(project, model=None)
        assert catalog.get("app#first").import_statement == 'import { first } from "./src"'
        write({"tsconfig.json": {"compilerOptions": {"module": "nodenext"}}})
        catalog.add(project, model=None)
        entries = {e.name: e.import_statement for e in catalog.entries("app")}
        hit = catalog.adapt("() => void", "app#first")
    named = {
        name: f'import {{ {name} }} from "{module}"'
        for name, module in modules.items()
        if name != "default"
    }
    assert entries == {**named, "default": 'import textCase from "./src/text-case.js"'}
    assert hit is not None
    assert hit.adapter is not None
    assert hit.adapter.imports == ('import { first } from "./src/index.js"',)


def test_default_exports_of_a_project_have_their_declared_names(tmp_path: Path) -> None:
    project = writer(tmp_path / "app")(
        {
            "package.json": {"name": "app", "private": True},
            "src/money.ts": "export default function format(cents: number): string { return '' }",
            "src/cache.ts": "export default class Cache { get(key: string): string { return '' } }",
            "src/load.ts": "export default function $load(url: string): string { return '' }",
            "src/plain.ts": "export default (text: string): string => text;",
        }
    )
    with Catalog(tmp_path / "typematch.db") as catalog:
        catalog.add(project, model=None)
        imports = {e.id: e.import_statement for e in catalog.entries("app")}
    assert imports == {
        "app#format": 'import format from "./src/money"',
        "app#Cache": 'import Cache from "./src/cache"',
        "app#Cache#constructor": 'import Cache from "./src/cache"',
        "app#Cache#get": 'import Cache from "./src/cache"',
        "app#$load": 'import $load from "./src/load"',
        "app#default": 'import plain from "./src/plain"',
    }
