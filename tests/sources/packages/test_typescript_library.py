"""TypeScript's library, as the tsconfig.json of a project asks for it."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from file_trees import Write
from typematch.catalog import Catalog
from typematch.index.dump import dump
from typematch.index.sql_store import open_store
from typematch.sources.packages import discover

ES5 = """
interface Array<T> { first(): T }
declare function parse(text: string): number;
"""
DOM = """
interface Element { id: string }
interface ParentNode {
  querySelector<E extends Element = Element>(selectors: string): E | null;
}
interface Element { closest<E extends Element = Element>(selectors: string): E | null }
"""
LIBRARY = {
    "lib.d.ts": '/// <reference lib="es5" />\n/// <reference lib="dom" />\n',
    "lib.es5.d.ts": ES5,
    "lib.es2015.d.ts": '/// <reference lib="es5" />\n',
    "lib.es2022.full.d.ts": '/// <reference lib="es5" />\n/// <reference lib="dom" />\n',
    "lib.esnext.full.d.ts": '/// <reference lib="es5" />\n/// <reference lib="dom" />\n',
    "lib.dom.d.ts": DOM,
}


def library(package: str) -> dict[str, object]:
    files: dict[str, object] = {
        f"node_modules/{package}/lib/{name}": text for name, text in LIBRARY.items()
    }
    return {**files, f"node_modules/{package}/package.json": {"name": package, "version": "5.0.0"}}


def project(options: object, package: str = "typescript") -> dict[str, object]:
    return {
        **library(package),
        "package.json": {"name": "app", "dependencies": {"react": "1"}},
        "tsconfig.json": {"compilerOptions": options},
        "main.ts": "export function start(at: Element): void {}",
        "node_modules/react/package.json": {"name": "react", "types": "index.d.ts"},
        "node_modules/react/index.d.ts": "declare global { interface Element {} }\nexport {};",
    }


def names(root: Path) -> list[str]:
    [own] = [package for package in discover([root]).packages if package.own]
    return [path.name for path in own.library]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"lib": ["ES6", "DOM"]}, ["lib.es2015.d.ts", "lib.dom.d.ts"]),
        ({"lib": ["es5"], "target": "es2022"}, ["lib.es5.d.ts"]),
        ({"target": "ES2022"}, ["lib.es2022.full.d.ts"]),
        ({"target": "ES5"}, ["lib.d.ts"]),
        ({"target": "ES2099"}, ["lib.esnext.full.d.ts"]),
        ({}, ["lib.esnext.full.d.ts"]),
        ({"lib": "dom", "target": 5}, ["lib.esnext.full.d.ts"]),
    ],
)
def test_lib_and_target_select_the_files(
    write: Write, options: object, expected: list[str]
) -> None:
    assert names(write(project(options))) == expected


def test_lib_is_inherited_and_read_of_referenced_projects(write: Write) -> None:
    root = write(project({}))
    write({"base.json": {"compilerOptions": {"lib": ["es5"]}}})
    write({"tsconfig.json": {"extends": "./base.json"}})
    assert names(root) == ["lib.es5.d.ts"]
    write({"tsconfig.json": {"references": [{"path": "./base.json"}]}})
    assert names(root) == ["lib.es5.d.ts"]


def test_an_unknown_name_in_lib_is_a_notice(write: Write) -> None:
    found = discover([write(project({"lib": ["es5", "dmo", "../lib/dom"]}))])
    assert [notice.partition("tsconfig.json")[2] for notice in found.notices] == [
        ": the installed TypeScript has no library dmo, ../lib/dom (lib)."
    ]


def test_typescript_7_has_its_library_in_the_package_of_the_platform(write: Write) -> None:
    root = write(project({"lib": ["dom"]}, "@typescript/typescript-linux-x64"))
    write({"node_modules/typescript/package.json": {"name": "typescript", "version": "7.0.0"}})
    assert names(root) == ["lib.dom.d.ts"]


def test_the_library_replaces_ours_and_owns_the_globals(write: Write, tmp_path: Path) -> None:
    root = write(project({"lib": ["es5", "DOM"]}))
    with Catalog(tmp_path / "t.db") as catalog:
        catalog.add(root, model=None)
        hits = catalog.search("(selector: string) => Element | null")
        assert hits[0].entry.id == "lib#ParentNode#querySelector"
        assert catalog.get("Element").path == "typescript/lib/lib.dom.d.ts"
        paths = {entry.path for entry in catalog.entries("lib")}
        assert not any(path.startswith("lib/") for path in paths)


def test_a_later_run_without_typescript_keeps_the_library(write: Write, tmp_path: Path) -> None:
    root = write(project({"target": "ES2022"}))
    (tmp_path / "other").mkdir()
    (tmp_path / "other/more.ts").write_text("export function more(at: Element): Element[]")
    with Catalog(tmp_path / "t.db") as catalog:
        catalog.add(root, model=None)
        before = [entry.id for entry in catalog.entries("lib")]
        catalog.add(tmp_path / "other", model=None)
        assert [entry.id for entry in catalog.entries("lib")] == before
        hits = catalog.search("(at: Element) => Element[]  name:more")
        assert hits[0].cost == 0


DISPOSABLE = """
interface Disposable { dispose(): void }
interface Array<T> extends Disposable {}
"""


def referring(name: str) -> dict[str, object]:
    """Return a project with the library es5, and a dependency that refers to another library."""
    return {
        **project({"lib": ["es5"]}),
        "node_modules/typescript/lib/lib.esnext.disposable.d.ts": DISPOSABLE,
        "node_modules/typescript/lib/lib.es2020.bigint.d.ts": "interface BigInt { low: number }",
        "node_modules/typescript/lib/lib.es2019.bigint.d.ts": "interface BigInt { old: number }",
        # A file of that name in a package is not TypeScript's.
        "node_modules/react/lib.esnext.disposable.d.ts": "interface Other {}",
        "node_modules/react/index.d.ts": f'/// <reference lib="{name}" />\nexport const a: 1;',
    }


def library_paths(catalog: Catalog) -> set[str]:
    return {entry.path.rpartition("/")[2] for entry in catalog.entries("lib")}


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("ESNext.Disposable", {"lib.esnext.disposable.d.ts"}),
        ("esnext.bigint", {"lib.es2020.bigint.d.ts"}),
        ("es6", set()),  # refers to es5 alone
        ("none", set()),
        ("../../react/index", set()),
    ],
)
def test_a_file_refers_to_a_library(
    write: Write, tmp_path: Path, name: str, expected: set[str]
) -> None:
    root = write(referring(name))
    with Catalog(tmp_path / "t.db") as catalog:
        catalog.add(root, model=None)
        assert library_paths(catalog) == {"lib.es5.d.ts"} | expected


def test_own_code_refers_to_a_library(write: Write, tmp_path: Path) -> None:
    root = write(referring("none"))
    write({"main.ts": '/// <reference lib="dom" />\nexport declare const at: Element;'})
    with Catalog(tmp_path / "t.db") as catalog:
        catalog.add(root, model=None)
        assert catalog.get("lib#Element").path == "typescript/lib/lib.dom.d.ts"


def test_a_library_without_references_goes_away(write: Write, tmp_path: Path) -> None:
    def indexed(name: str) -> tuple[bool, bool, object]:
        with Catalog(tmp_path / name) as catalog:
            catalog.add(root, model=None)
            is_disposable = bool(catalog.relate("1[]", "{ dispose(): void }"))
            has_library = "lib.esnext.disposable.d.ts" in library_paths(catalog)
        with closing(open_store(tmp_path / name)) as store:
            return is_disposable, has_library, dump(store.database)

    root = write(referring("esnext.disposable"))
    first = indexed("t.db")
    write({"node_modules/react/index.d.ts": "export const a: 1;"})
    without = indexed("t.db")
    assert without == indexed("without.db")
    assert (first[:2], without[:2]) == ((True, True), (False, False))
    write(referring("esnext.disposable"))
    assert indexed("t.db") == first


def test_without_typescript_a_reference_adds_nothing(write: Write, tmp_path: Path) -> None:
    text = '/// <reference lib="dom" />\nexport declare const a: 1;'
    root = write({"package.json": {"name": "app"}, "main.ts": text})
    with Catalog(tmp_path / "t.db") as catalog:
        report = catalog.add(root, model=None)
        assert report.unresolved == ()
        assert catalog.get("lib#Array#map").path == "lib/arrays.d.ts"


def test_without_typescript_the_library_is_ours(write: Write, tmp_path: Path) -> None:
    root = write({"package.json": {"name": "app"}, "main.ts": "export const a = 1"})
    with Catalog(tmp_path / "t.db") as catalog:
        catalog.add(root, model=None)
        assert catalog.get("lib#Array#map").path == "lib/arrays.d.ts"
