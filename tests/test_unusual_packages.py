"""Packages of unusual shape: what is indexed of them, and what the report says."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from file_trees import writer
from typematch.catalog import Catalog

MANY = 5_000


def indexed(root: Path, files: Mapping[str, object]) -> tuple[dict[str, str], tuple[str, ...]]:
    """Return the import statements of functions by id, and the specifiers that lead nowhere.

    ``files`` are those of ``node_modules``; every package there is a dependency of the project.
    """
    names = {"/".join(path.split("/")[: 1 + path.startswith("@")]) for path in files}
    manifests = {
        f"node_modules/{name}/package.json": {"name": name, "version": "1.0.0"}
        for name in names
        if f"{name}/package.json" not in files
    }
    project = {
        "package.json": {"name": "app", "dependencies": dict.fromkeys(names, "1")},
        "main.ts": "export {};",
    }
    tree = {f"node_modules/{path}": content for path, content in files.items()}
    with Catalog(writer(root)({**project, **manifests, **tree}) / "catalog.db") as catalog:
        report = catalog.add(root)
        found = {
            entry.id: entry.import_statement
            for entry in catalog.entries()
            if entry.signatures and entry.package != "lib"
        }
    return found, tuple(specifier for specifier, _ in report.unresolved)


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        pytest.param(
            {
                "p/index.d.ts": 'export * from "./a"; export { x as y } from "./a";',
                "p/a.d.ts": 'export * from "./index"; export { y as x } from "./index";'
                "export declare function f(): 1;",
            },
            {"p#f": 'import { f } from "p"'},
            id="cyclic re-exports, one of them of nothing",
        ),
        pytest.param(
            {
                "p/index.d.ts": 'export * from "./index"; export * from "p";'
                "export declare function f(): 1;",
            },
            {"p#f": 'import { f } from "p"'},
            id="export * of itself",
        ),
        pytest.param(
            {
                "shell/package.json": {
                    "name": "shell",
                    "exports": {".": "./main.js", "./globals": "./globals.js"},
                },
                "shell/main.d.ts": "export declare function run(): 1;",
                "shell/globals.d.ts": 'import * as _ from "./main.js";'
                "declare global { var run: typeof _.run; }",
                "spec/index.d.ts": "export {}; declare global { function check(): 2; }",
                "old/index.d.ts": "declare function start(): 3;",
                "@types/host/index.d.ts": "export {}; declare global { function halt(): 4; }",
            },
            {
                "shell#run": 'import { run } from "shell"',
                "shell#globals:run": 'import "shell/globals"',
                "spec#check": 'import "spec"',
                "old#start": "",
                "@types/host#halt": "",
            },
            id="global declarations of modules",
        ),
        # The compiler reports TS2308 at the second ``export *`` and keeps the first (checker's
        # ``extendExportSymbols``); what is not exported has no import statement.
        pytest.param(
            {
                "p/index.d.ts": 'export * from "./a"; export * from "./b";',
                "p/a.d.ts": "export declare function both(): 1; export declare function a(): 1;",
                "p/b.d.ts": "export declare function both(): 2; export declare function b(): 2;",
            },
            {
                "p#a": 'import { a } from "p"',
                "p#b": 'import { b } from "p"',
                "p#both": 'import { both } from "p"',
                "p#both~2": "",
            },
            id="export * of two modules with a name in common",
        ),
        pytest.param(
            {
                "p/index.d.ts": "export declare function f(): 1;",
                "host/index.d.ts": 'export { f as g } from "p";',
                "host/node_modules/p/package.json": {"name": "p", "version": "2.0.0"},
                "host/node_modules/p/index.d.ts": "export declare function f(): 2;"
                "export declare function hidden(): 3;",
            },
            {
                "host#g": 'import { g } from "host"',
                "p#f": 'import { f } from "p"',
                "p@2.0.0#hidden": "",
            },
            id="two versions of one package",
        ),
        pytest.param(
            {"main.ts/index.d.ts": "export declare function f(): 1;"},
            {"main.ts#f": 'import { f } from "main.ts"'},
            id="a package named like a file of the project",
        ),
    ],
)
def test_packages_of_unusual_shape(
    tmp_path: Path, files: Mapping[str, object], expected: Mapping[str, str]
) -> None:
    assert indexed(tmp_path, files) == (expected, ())


def test_the_report_names_what_two_export_stars_give_different_meanings(tmp_path: Path) -> None:
    files = {
        "package.json": {"name": "app"},
        "index.ts": 'export * from "./a"; export * from "./b"; export * from "./c";',
        "a.ts": "export function both(): 1 { return 1; } export function a(): 1 { return 1; }",
        "b.ts": 'export function both(): 2 { return 2; } export { a } from "./a";',
        "c.ts": 'export * from "./a"; export function c(): 3 { return 3; }',
        "own.ts": 'export * from "./a"; export * from "./b"; export { both } from "./b";',
    }
    with Catalog(writer(tmp_path)(files) / "catalog.db") as catalog:
        report = catalog.add(tmp_path)
    assert [notice for notice in report.notices if "export *" in notice] == [
        "1 name exported by two `export *` of one file; the first of them counts, as for the "
        "compiler: app/index.ts: both"
    ]


def test_a_module_that_does_not_exist_is_reported(tmp_path: Path) -> None:
    files = {"p/index.d.ts": 'export * from "./gone"; export declare function f(): 1;'}
    assert indexed(tmp_path, files) == ({"p#f": 'import { f } from "p"'}, ("./gone",))


def test_a_directive_without_its_types_is_reported_as_it_is_written(tmp_path: Path) -> None:
    text = '/// <reference types="absent" />\nexport declare function f(): 1;'
    assert indexed(tmp_path, {"p/index.d.ts": text})[1] == ('/// <reference types="absent" />',)


def test_all_names_of_a_long_pattern_are_functions(tmp_path: Path) -> None:
    names = [f"n{number}" for number in range(MANY)]
    members = " ".join(f"{name}(a: string): void;" for name in names)
    pattern = ", ".join(names)
    text = (
        f"interface All {{ {members} }}\nexport declare const {{ {pattern} }}: All;\nexport {{}};"
    )
    found, _ = indexed(tmp_path, {"p/index.d.ts": text})
    assert sum(bool(statement) for statement in found.values()) == MANY
    assert found["p#n4999"] == 'import { n4999 } from "p"'


def test_a_package_named_like_a_folder_of_the_project(tmp_path: Path) -> None:
    root = writer(tmp_path)(
        {
            "package.json": {"name": "app", "version": "1.0.0", "dependencies": {"tools": "1"}},
            "main.ts": 'export * from "tools"; export * from "./tools";',
            "tools/index.ts": "export function own(): 1 { return 1; }",
            "node_modules/tools/index.d.ts": "export declare function theirs(): 2;",
        }
    )
    with Catalog(root / "catalog.db") as catalog:
        catalog.add(root)
        found = {entry.id: entry.path for entry in catalog.entries() if entry.package != "lib"}
    assert found == {"app#own": "app/tools/index.ts", "tools#theirs": "tools/index.d.ts"}
