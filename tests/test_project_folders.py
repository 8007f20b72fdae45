"""Runs over a folder of a project: what they index of the packages that its code imports."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from file_trees import Write, writer
from typematch.catalog import Catalog
from typematch.ingest.file_reader import FileReader
from typematch.ingest.parsing_ahead import parse_ahead
from typematch.sources.packages import Resolver, discover

Files = dict[str, object]


def installed(name: str, files: Files, **manifest: object) -> Files:
    """Return the files of a package in ``node_modules``."""
    document = {"name": name.rpartition("/node_modules/")[2], "version": "1.0.0", **manifest}
    inside = {f"node_modules/{name}/{path}": text for path, text in files.items()}
    return {f"node_modules/{name}/package.json": document, **inside}


# A small library, so that a run takes a moment.
_TYPESCRIPT = installed(
    "typescript",
    {
        "lib/lib.esnext.full.d.ts": '/// <reference lib="es5" />',
        "lib/lib.es5.d.ts": "interface Array {}",
    },
)
_ONE: Files = {
    "index.d.ts": (
        'import { Base } from "base";\nimport { Hidden } from "./hidden";\n'
        "export declare function one(base: Base): Hidden;"
    ),
    "hidden.d.ts": "export interface Hidden {}",
    "extra.d.ts": "export declare function extra(): void;",
}
_ONE_EXPORTS = {".": "./index.d.ts", "./extra": "./extra.d.ts"}
_BASE: Files = {
    "index.d.ts": (
        'import { Indirect } from "indirect";\nexport interface Base extends Indirect {}\n'
        "export declare function base(): void;"
    ),
    "other.d.ts": "export declare function other(): void;",
    "other.js": "",
}
_INDIRECT: Files = {"index.d.ts": "export interface Indirect {}"}
_DEPENDENCIES = dict.fromkeys(("@types/plain", "base", "one", "parts", "plain", "unused"), "1")


@pytest.fixture
def write(tmp_path: Path) -> Write:
    return writer(tmp_path / "project")


def npm_project(write: Write) -> Path:
    return write(
        {
            **_TYPESCRIPT,
            **installed("one", _ONE, exports=_ONE_EXPORTS),
            **installed("base", _BASE),
            **installed("indirect", _INDIRECT),
            **installed("parts", {"index.d.ts": "export {};", "sub.d.ts": "", "sub.js": ""}),
            "node_modules/parts/sub.d.ts": "export declare function part(): void;",
            **installed("plain", {"index.js": "", "deep.js": ""}),
            **installed(
                "@types/plain",
                {
                    "index.d.ts": "export declare function plain(): void;",
                    "deep.d.ts": "export declare function deep(): void;",
                },
                exports={".": "./index.d.ts", "./deep": "./deep.d.ts"},
            ),
            **installed("undeclared", {"index.d.ts": "export declare function stray(): void;"}),
            **installed("unused", {"index.d.ts": "export declare function unused(): void;"}),
            "package.json": {"name": "app", "dependencies": _DEPENDENCIES},
            "src/main.ts": (
                'import { one } from "one";\nimport { part } from "parts/sub";\n'
                'import { deep } from "plain/deep";\nimport { stray } from "undeclared";\n'
                "export const result = one;\n"
            ),
        }
    )


def pnpm_project(write: Write) -> Path:
    root = write(
        {
            **_TYPESCRIPT,
            **installed(".pnpm/one@1/node_modules/one", _ONE, exports=_ONE_EXPORTS),
            **installed(".pnpm/base@1/node_modules/base", _BASE),
            **installed(".pnpm/indirect@1/node_modules/indirect", _INDIRECT),
            "package.json": {"name": "app", "dependencies": {"alias": "npm:one@1", "base": "1"}},
            "src/main.ts": 'export { one } from "alias";\n',
        }
    )
    modules = root / "node_modules"
    links = {"alias": "one", "base": "base", ".pnpm/one@1/node_modules/base": "base"}
    links[".pnpm/base@1/node_modules/indirect"] = "indirect"
    for link, name in links.items():
        (modules / link).symlink_to(modules / f".pnpm/{name}@1/node_modules/{name}")
    return root


def monorepo(write: Write) -> Path:
    root = write(
        {
            **_TYPESCRIPT,
            **installed("one", _ONE, exports=_ONE_EXPORTS),
            **installed("base", _BASE),
            **installed("indirect", _INDIRECT),
            "package.json": {
                "name": "all",
                "workspaces": ["packages/*"],
                "dependencies": {"base": "1"},
            },
            "packages/a/package.json": {"name": "a", "dependencies": {"b": "*", "one": "1"}},
            "packages/a/src/main.ts": (
                'import { one } from "one";\nimport { b } from "b";\nimport { d } from "d";\n'
                'import { c } from "../../c/src/c";\nexport const result = b;\n'
            ),
            "packages/b/package.json": {
                "name": "b",
                "exports": {".": "./index.ts", "./extra": "./extra.ts"},
            },
            "packages/b/index.ts": "export function b(): void {}",
            "packages/b/extra.ts": "export function extra(): void {}",
            "packages/c/package.json": {"name": "c"},
            "packages/c/tsconfig.json": {"compilerOptions": {"module": "nodenext"}},
            "packages/c/src/c.ts": "export function c(): void {}",
            "packages/d/package.json": {"name": "d", "types": "index.ts"},
            "packages/d/index.ts": "export function d(): void {}",
        }
    )
    (root / "node_modules/d").symlink_to(root / "packages/d")  # b is not linked
    return root


def indexed(root: Path, *folders: str, database: str = "t.db") -> dict[str, str]:
    """Index folders one after the other; return the imports of all entries by id."""
    with Catalog(root / database) as catalog:
        for folder in folders:
            catalog.add(root / folder, model=None)
        return {
            entry.id: entry.import_statement if entry.exported else "internal"
            for entry in catalog.entries()
        }


@pytest.mark.parametrize(
    ("project", "folder"),
    [
        (npm_project, "src"),
        (npm_project, "src/main.ts"),
        (pnpm_project, "src"),
        (monorepo, "packages/a"),
        (monorepo, "packages/a/src"),
    ],
)
def test_a_folder_is_indexed_as_in_a_run_over_the_project(
    write: Write, project: Callable[[Write], Path], folder: str
) -> None:
    root = project(write)
    whole = indexed(root, ".")
    assert {"base#base", "base#other:other"} <= {
        name for name, statement in whole.items() if statement != "internal"
    }
    assert whole["indirect#Indirect"] == "internal"
    assert indexed(root, folder) == whole
    # What the folder does not lead to is not read.
    alone = {name: statement for name, statement in whole.items() if "unused" not in name}
    assert indexed(root, folder, database="alone.db") == alone


def test_imported_packages_are_exported_from_all_entry_points(write: Write) -> None:
    found = indexed(npm_project(write), "src")
    assert found["one#extra:extra"] == 'import { extra } from "one/extra"'
    assert found["one#Hidden"] == "internal"
    assert found["parts#sub:part"] == 'import { part } from "parts/sub"'
    assert found["plain#plain"] == 'import { plain } from "plain"'
    assert found["plain#deep:deep"] == 'import { deep } from "plain/deep"'
    assert found["undeclared#stray"] == 'import { stray } from "undeclared"'


def test_a_package_that_the_folder_does_not_import_stays_as_it_is(write: Write) -> None:
    root = npm_project(write)
    whole = indexed(root, ".")
    write({"node_modules/unused/index.d.ts": "export declare function changed(): void;"})
    assert indexed(root, "src") == whole


def test_what_is_no_longer_imported_is_removed(write: Write) -> None:
    root = npm_project(write)
    indexed(root, "src")
    write({"src/main.ts": 'export { part } from "parts/sub";\n'})
    assert {name.partition("#")[0] for name in indexed(root, "src")} == {"lib", "parts"}


def test_entry_points_of_imported_packages_are_parsed_ahead(write: Write) -> None:
    root = npm_project(write)
    found = discover([root / "src"])
    parsed = parse_ahead(
        [root / "src/main.ts"], {}, FileReader(found), Resolver(found), lambda _: None, jobs=1
    )
    assert root / "node_modules/one/extra.d.ts" in parsed
