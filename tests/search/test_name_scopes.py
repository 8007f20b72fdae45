"""Where the names in a query are looked up, in a project with dependencies."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from file_trees import writer
from typematch.catalog import Catalog
from typematch.match.verdict import Undecided

FILES: dict[str, object] = {
    "package.json": {"name": "app", "dependencies": {"express": "1", "ui": "1", "cloud": "1"}},
    "main.ts": """
        import "ui";
        export interface Money { cents: number }
        export interface Event { at: number }
        export interface Promise2<T> { value: T }
        export function pay(money: Money): void {}
        export function log(event: Event): void {}
    """,
    "node_modules/express/package.json": {"name": "express", "types": "index.d.ts"},
    "node_modules/express/index.d.ts": """
        import { Deep } from "deep";
        declare function e(): e.Express;
        declare namespace e {
          interface Express { use(deep: Deep): void }
          interface Request { url: string }
          interface Money { dollars: number }
          interface Set<T> { t: T }
          interface Map { zoom: number }
          interface Window<T> { t: T }
          interface Entity { id: string }
          interface Store<T extends Entity> { all(): T[] }
          function store<E extends Entity>(name: string, like: E): Store<E>;
          interface RequestHandler { (request: Request): void }
          namespace inner { interface Only {} }
        }
        export = e;
    """,
    "node_modules/ui/package.json": {"name": "ui", "types": "index.d.ts"},
    "node_modules/ui/index.d.ts": """
        declare global {
          interface Element {}
          interface HTMLElement extends Element {}
          interface Request { method: string }
          interface Window { title: string }
          var Entity: { new (id: number): Element };
        }
        export function fetch(request: globalThis.Request): void;
        export function mount(at: HTMLElement): void;
    """,
    "node_modules/cloud/package.json": {
        "name": "cloud",
        "exports": {
            ".": "./index.d.ts",
            "./zone": {"import": "./zone.d.mts", "require": "./zone.d.ts"},
            "./zone/old": "./zone.d.ts",
        },
    },
    "node_modules/cloud/zone.d.mts": "export interface Zone { z: 1 }",
    "node_modules/cloud/zone.d.ts": "export interface Zone { z: 1; old?: 1 }",
    "node_modules/cloud/index.d.ts": """
        import * as API from "./api";
        declare class Cloud { region: string }
        declare namespace Cloud {
          export { type Region as Region };
          export { API as Chat };
        }
        interface Region { code: string }
        export { Cloud as default };
        export { Cloud };
    """,
    "node_modules/cloud/api.d.ts": """
        export interface Message { text: string }
        export declare const limit: number;
    """,
    "node_modules/deep/package.json": {"name": "deep", "types": "index.d.ts"},
    "node_modules/deep/index.d.ts": """
        export interface Deep { d: 1 }
        export interface Request { d: 2 }
        interface WeakRef<T> { d: T }
        interface Hidden { d: 3 }
        export {};
    """,
}


@pytest.fixture(scope="module")
def catalog(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Catalog]:
    root = tmp_path_factory.mktemp("scopes")
    with Catalog(root / "typematch.db") as opened:
        opened.add(writer(root / "app")(FILES), model=None)
        yield opened


@pytest.mark.parametrize(
    ("query", "meaning"),
    [
        pytest.param(
            "(Money) => void", "Money is app/main.ts#Money, not Money@express", id="the project"
        ),
        pytest.param(
            "(Money) => void  pkg:express",
            "Money is express/index.d.ts#e.Money, not Money@app",
            id="pkg: before the project",
        ),
        pytest.param(
            "(Request) => void",
            "Request is express/index.d.ts#e.Request or global#Request",
            id="a direct dependency and a global",
        ),
        pytest.param("(Set<string>) => void", "", id="ECMAScript before dependencies"),
        pytest.param("(Map<string, number>) => void", "", id="ECMAScript, where both may be meant"),
        pytest.param(
            "(Map) => void",
            "Map is global#Map or express/index.d.ts#e.Map",
            id="beside ECMAScript a dependency's declaration, where that needs type arguments",
        ),
        pytest.param(
            "(Window) => void",
            "Window is global#Window, not Window@express",
            id="a global, where a dependency's declaration needs type arguments",
        ),
        pytest.param("(Deep) => void", "Deep is deep/index.d.ts#Deep", id="the rest"),
        pytest.param(
            "(Window<string>) => void",
            "Window is express/index.d.ts#e.Window, not Window@global",
            id="a dependency's declaration that takes the type arguments",
        ),
        pytest.param(
            "(Request@deep) => void",
            'import("deep").Request is deep/index.d.ts#Request',
            id="a package",
        ),
        pytest.param(
            '(import("express").Request) => void',
            'import("express").Request is express/index.d.ts#e.Request',
            id="an import type",
        ),
        pytest.param(
            "(WeakRef<object>) => void  pkg:deep",
            "",
            id="a global before what a package does not export",
        ),
        pytest.param(
            "(Hidden) => void  pkg:deep",
            "Hidden is deep/index.d.ts#Hidden",
            id="what a package does not export, without a global",
        ),
        pytest.param("(Request@global) => void", "", id="the global"),
        pytest.param(
            "(Entity) => void",
            "Entity is express/index.d.ts#e.Entity",
            id="not a global that is only a value",
        ),
        pytest.param(
            "(Cloud.Region) => void",
            "Cloud.Region is cloud/index.d.ts#Region",
            id="an export of a namespace that has a second name",
        ),
        pytest.param(
            "(Cloud.Chat.Message) => void",
            "Cloud.Chat.Message is cloud/api.d.ts#Message",
            id="an export of a module in such a namespace",
        ),
        pytest.param("(Cloud.Chat.limit) => void", "", id="not a value in it"),
        pytest.param(
            '(import("cloud").default) => void',
            'import("cloud").default is cloud/index.d.ts#Cloud',
            id="a default export that has a name",
        ),
        pytest.param(
            "(Zone) => void",
            "Zone is cloud/zone.d.mts#Zone",
            id="a declaration in two formats of a module",
        ),
        pytest.param("(Money) => void  -pkg:app", "Money is express/index.d.ts#e.Money", id="not"),
    ],
)
def test_a_name_is_looked_up_scope_by_scope(catalog: Catalog, query: str, meaning: str) -> None:
    read_as = catalog.search(query).read_as
    assert read_as.partition("   (")[2].rstrip(")") == meaning.rstrip(")")


def test_the_chosen_declaration_is_searched(catalog: Catalog) -> None:
    def first(query: str) -> str:
        return catalog.search(query)[0].entry.id

    assert first("(request: Request@express) => void") == "express#e.RequestHandler#()"
    assert first("(request: Request@global) => void") == "ui#fetch"


def test_a_variable_has_the_constraint_of_the_type_parameter_it_is_passed_to(
    catalog: Catalog,
) -> None:
    [hit, *_] = catalog.search("(name: string, like: T) => Store<T>")
    assert (hit.entry.id, hit.cost) == ("express#e.store", 0)


def test_an_empty_interface_in_place_of_the_dom_is_unknown(catalog: Catalog) -> None:
    result = catalog.search("(at: HTMLElement) => void")
    [notice] = result.notices
    assert notice.startswith("HTMLElement stands for any type: ui declares it as an empty")
    assert "Install typescript" in notice


def test_an_unknown_package_of_a_name_is_a_notice(catalog: Catalog) -> None:
    [notice] = catalog.search("(Request@none) => void").notices
    assert notice.startswith('Nothing here is called import("none").Request')


def test_without_a_project_a_packages_global_shares_its_place_with_exported_types(
    tmp_path: Path,
) -> None:
    writer(tmp_path)(
        {
            "node_modules/ui/package.json": {"name": "ui", "types": "index.d.ts"},
            "node_modules/ui/index.d.ts": """
                declare global { interface Options { url: string } interface Event { at: 1 } }
                export function get(options: globalThis.Options): void;
            """,
            "node_modules/build/package.json": {"name": "build", "types": "index.d.ts"},
            "node_modules/build/index.d.ts": """
                export interface Options { debug: boolean }
                export interface Event { name: string }
                export interface Result { code: string }
                export function build(options: Options): Result;
            """,
            "node_modules/@types/node/package.json": {"name": "@types/node", "types": "index.d.ts"},
            "node_modules/@types/node/index.d.ts": "interface Event { type: string }",
        }
    )
    with Catalog(tmp_path / "typematch.db") as catalog:
        catalog.add(tmp_path / "node_modules", model=None)
        found = catalog.search("(options: Options) => Result")
        assert found[0].entry.id == "build#build"
        assert "Options is build/index.d.ts#Options or global#Options" in found.read_as
        assert "Event" not in catalog.search("(event: Event) => void").read_as.partition("   (")[2]


def test_a_name_may_be_another_one_than_that_of_the_entry(tmp_path: Path) -> None:
    writer(tmp_path)(
        {
            "node_modules/auth/package.json": {"name": "auth", "types": "index.d.ts"},
            "node_modules/auth/index.d.ts": """
                import { User as AuthUser, Wide } from "./types";
                export { AuthUser, Wide as Wider };
                export * from "./types";
            """,
            "node_modules/auth/types.d.ts": """
                export interface User { email: string }
                export interface Wide { width: number }
                export function invite(email: string): Promise<User>;
                export function widen(by: number): Wide;
            """,
        }
    )
    with Catalog(tmp_path / "typematch.db") as catalog:
        catalog.add(tmp_path / "node_modules", model=None)
        for name in ("User", "AuthUser", "User@auth"):
            found = catalog.search(f"(email: string) => Promise<{name}>")
            assert "is auth/types.d.ts#User" in found.read_as
            assert found[0].entry.id == "auth#invite"
        for name in ("Wide", "Wider"):
            assert catalog.search(f"(by: number) => {name}")[0].entry.id == "auth#widen"


def test_names_that_nothing_declares_and_readings_of_a_name_are_searched(tmp_path: Path) -> None:
    writer(tmp_path)(
        {
            "node_modules/ui/package.json": {"name": "ui", "types": "index.d.ts"},
            "node_modules/ui/index.d.ts": """
                export interface Options { theme: string }
                export function mount(at: HTMLElement, options: Options): string;
                export function text(at: HTMLElement | null): string;
                export function title(name: string): string;
            """,
            "node_modules/log/package.json": {"name": "log", "types": "index.d.ts"},
            "node_modules/log/index.d.ts": """
                export interface Base { level: number }
                export interface Options extends Base { file: string }
                export function open(name: string, options: Options): number;
                export function close(name: string, base: Base): number;
            """,
        }
    )
    with Catalog(tmp_path / "typematch.db") as catalog:
        catalog.add(tmp_path / "node_modules", model=None)
        mounted = catalog.search("(at: HTMLElement, options: Options) => string")
        assert next((hit.entry.id, hit.cost) for hit in mounted) == ("ui#mount", 0)
        assert any("HTMLElement: it is compared by its name" in text for text in mounted.notices)
        sentence = catalog.search("takes HTMLElement and returns string")
        assert "takes HTMLElement" in sentence.read_as
        [notice] = catalog.search("(at: unannotated) => string  pkg:ui").notices
        assert notice.startswith("Nothing here is called unannotated")
        named = catalog.search("(at: HTMLElement) => string  is:assignable pkg:ui")
        assert [hit.entry.id for hit in named] == ["ui#text"]
        # The second reading of Options is compared with the functions of its package.
        opened = catalog.search("(name: string, options: Options) => number")
        assert [hit.entry.id for hit in opened][:2] == ["log#open", "log#close"]
        verdict = catalog.relate("HTMLElement", "string")
        assert isinstance(verdict, Undecided)
        assert "HTMLElement" in verdict.reason


def test_a_type_that_is_not_exported_is_found_by_the_names_that_modules_give_it(
    tmp_path: Path,
) -> None:
    files: dict[str, object] = {
        "package.json": {"name": "app", "dependencies": {"host": "1"}},
        "main.ts": "export {};",
        "node_modules/host/package.json": {"name": "host", "types": "index.d.ts"},
        "node_modules/host/index.d.ts": 'import { Form } from "kinds"; export type F = Form;',
        "node_modules/kinds/package.json": {"name": "kinds", "types": "index.d.ts"},
        "node_modules/kinds/index.d.ts": "interface Kind { k: 1 } export { Kind, Kind as Form };",
    }
    with Catalog(tmp_path / "typematch.db") as catalog:
        catalog.add(writer(tmp_path / "app")(files), model=None)
        assert "Form is kinds/index.d.ts#Kind" in catalog.search("returns:Form").read_as
        named = catalog.search("name:Form kind:interface")
        assert [hit.entry.id for hit in named] == ["kinds#Kind"]


def test_code_imports_the_class_of_the_member_that_it_calls(tmp_path: Path) -> None:
    files: dict[str, object] = {
        "package.json": {"name": "app", "dependencies": {"eyes": "1", "optics": "1"}},
        "main.ts": "export {};",
        "node_modules/eyes/package.json": {"name": "eyes", "types": "index.d.ts"},
        "node_modules/eyes/index.d.ts": "export interface Lens { power: number }",
        "node_modules/optics/package.json": {"name": "optics", "types": "index.d.ts"},
        "node_modules/optics/index.d.ts": "export class Lens { modify(by: number): string; }",
    }
    with Catalog(tmp_path / "typematch.db") as catalog:
        catalog.add(writer(tmp_path / "app")(files), model=None)
        hit = catalog.adapt("(lens: Lens, by: number) => string", "optics#Lens#modify")
    assert hit is not None
    assert hit.adapter is not None
    assert hit.adapter.imports == ('import type { Lens } from "optics"',)
