from __future__ import annotations

from collections.abc import Mapping

import pytest

from file_trees import Write
from typematch.sources.packages import DiscoveredPackages, Resolver, discover
from typematch.sources.packages.model import Package


@pytest.mark.parametrize(
    ("manifest", "files", "expected"),
    [
        pytest.param(
            {"exports": "./dist/a.js"},
            ["dist/a.js", "dist/a.d.ts"],
            {".": "dist/a.d.ts"},
            id="sibling",
        ),
        pytest.param(
            {"exports": {"import": "./a.mjs", "require": "./a.cjs"}},
            ["a.d.mts", "a.d.cts"],
            {".": "a.d.mts"},
            id="import before require",
        ),
        pytest.param(
            {"exports": {"require": {"types": "./a.d.cts"}}},
            ["a.d.cts"],
            {".": "a.d.cts"},
            id="require where there is nothing else",
        ),
        pytest.param(
            {"exports": {"./b": "./b.js", ".": "./a.js"}},
            ["a.d.ts", "b.d.ts"],
            {".": "a.d.ts", "./b": "b.d.ts"},
            id="the main one first",
        ),
        pytest.param(
            {"exports": {".": "./a.js", "./*": "./lib/*.js", "./secret/*": None}},
            [
                "a.d.ts",
                "lib/x.js",
                "lib/x.d.ts",
                "lib/y/z.js",
                "lib/y/z.d.ts",
                "lib/untyped.js",
                "lib/secret/s.js",
                "lib/secret/s.d.ts",
                "other.js",
                "other.d.ts",
            ],
            {".": "a.d.ts", "./x": "lib/x.d.ts", "./y/z": "lib/y/z.d.ts"},
            id="patterns by the files on disk, without what null hides",
        ),
        pytest.param(
            {"exports": {"./*": {"types": "./types/*.d.ts", "default": "./lib/*.js"}}},
            ["types/x.d.ts", "lib/x.js", "lib/y.js"],
            {"./x": "types/x.d.ts"},
            id="patterns of typings alone",
        ),
        pytest.param(
            {"exports": {".": "./a.js", "./also": "./a.js"}},
            ["a.d.ts"],
            {".": "a.d.ts", "./also": "a.d.ts"},
            id="two subpaths of one file",
        ),
        pytest.param(
            {"exports": {".": "./a.js", "./*": "./*.js", "./*.js": "./*.js"}},
            ["a.d.ts", "a.js", "b.d.ts", "b.js"],
            {".": "a.d.ts", "./b": "b.d.ts"},
            id="a pattern gives a file once",
        ),
        pytest.param(
            {"exports": {".": "./a.js", "./*": {"@own/source": "./src/*", "types": "./lib/*"}}},
            ["a.d.ts", "src/x.ts", "lib/x.cjs", "lib/x.d.ts", "lib/x.js", "lib/y.d.mts"],
            {".": "a.d.ts", "./x.js": "lib/x.d.ts", "./y.mjs": "lib/y.d.mts"},
            id="a pattern without extension gives the names that code imports",
        ),
        pytest.param(
            {"exports": {".": "./a.js", "./dist/*": "./dist/*", "./src/*": "./src/*"}},
            ["a.d.ts", "a.js", "dist/b.d.ts", "dist/b.mjs", "dist/gone.d.ts", "src/b.ts"],
            {".": "a.d.ts", "./dist/b.js": "dist/b.d.ts"},
            id="a pattern gives no typings without a script",
        ),
        pytest.param(
            {"exports": {".": {"types": "./a.d.ts"}, "./src/*": "./src/*"}},
            ["a.d.ts", "src/b.d.ts"],
            {".": "a.d.ts", "./src/b.js": "src/b.d.ts"},
            id="a pattern of a package without scripts",
        ),
        pytest.param(
            {"exports": {".": "./a.js", "./internal/*": "./*.js", "./_*": "./*.js"}},
            ["a.d.ts", "a.js", "b.d.ts", "b.js"],
            {".": "a.d.ts"},
            id="nothing internal that a pattern gives",
        ),
        pytest.param(
            {"exports": {".": "./a.js", "./_c": "./c.js", "./b": "./b.js", "./*": "./*.js"}},
            ["a.d.ts", "a.js", "b.d.ts", "b.js", "c.d.ts", "c.js"],
            {".": "a.d.ts", "./b": "b.d.ts", "./_c": "c.d.ts"},
            id="what is named, internal subpaths last",
        ),
        pytest.param(
            {"exports": {".": "./gone.js"}, "types": "a.d.ts"},
            ["a.d.ts"],
            {".": "a.d.ts"},
            id="types",
        ),
        pytest.param({"typings": "lib/a"}, ["lib/a.d.ts"], {".": "lib/a.d.ts"}, id="typings"),
        pytest.param({"types": "lib"}, ["lib/index.d.ts"], {".": "lib/index.d.ts"}, id="a folder"),
        pytest.param({"main": "lib/a.js"}, ["lib/a.d.ts"], {".": "lib/a.d.ts"}, id="main"),
        pytest.param({}, ["index.d.ts"], {".": "index.d.ts"}, id="index"),
        pytest.param(
            {},
            [
                "index.d.ts",
                "index.js",
                "b.d.ts",
                "b.js",
                "untyped.js",
                "types-only.d.ts",
                "_private.d.ts",
                "_private.js",
                "lib/deep.d.ts",
                "lib/deep.js",
            ],
            {".": "index.d.ts", "./b": "b.d.ts"},
            id="without exports the modules beside the manifest",
        ),
        pytest.param(
            {
                "types": "index.d.ts",
                "typesVersions": {"<5": {"*": ["old/*"]}, "*": {"*": ["new/*"]}},
            },
            ["index.d.ts", "old/index.d.ts", "new/index.d.ts"],
            {".": "new/index.d.ts"},
            id="typesVersions",
        ),
    ],
)
def test_entry_points(
    write: Write,
    manifest: Mapping[str, object],
    files: list[str],
    expected: Mapping[str, str],
) -> None:
    home = "node_modules/thing/"
    root = write(
        {f"{home}package.json": {"name": "thing", **manifest}} | {home + file: "" for file in files}
    )
    (package,) = discover([root / home]).packages
    found = {key: path.relative_to(root / home).as_posix() for key, path in package.entry_points}
    assert found == expected
    assert next(iter(found)) == next(iter(expected))


def test_a_folder_with_a_manifest_is_an_entry_point_if_exports_are_missing(write: Write) -> None:
    home = "node_modules/old"
    root = write(
        {
            f"{home}/package.json": {"typings": "lib/index.d.ts"},
            f"{home}/lib/index.d.ts": "",
            f"{home}/lib/part.d.ts": "",
            f"{home}/part/package.json": {"typings": "../lib/part.d.ts"},
            f"{home}/lib/deep.d.ts": "",
        }
    )
    (package,) = discover([root / home]).packages
    assert [key for key, _ in package.entry_points] == [".", "./part"]


def test_an_export_pattern_of_an_unbuilt_workspace_gives_its_sources(write: Write) -> None:
    root = write(
        {
            "package.json": {"name": "own", "exports": {"./*": "./dist/*.js"}},
            "src/a.ts": "",
            "src/deep/b.tsx": "",
            "src/types.d.ts": "",
        }
    )
    (package,) = discover([root]).packages
    assert package.entry_points == (
        ("./a", root / "src/a.ts"),
        ("./deep/b", root / "src/deep/b.tsx"),
    )


def test_types_of_an_untyped_package_are_that_package(write: Write) -> None:
    root = write(
        {
            "package.json": {"dependencies": {"@types/a__b": "1", "@a/b": "2"}},
            "node_modules/@a/b/package.json": {"name": "@a/b", "version": "2.0.0"},
            "node_modules/@a/b/index.js": "",
            "node_modules/@types/a__b/package.json": {"name": "@types/a__b", "version": "1.9.0"},
            "node_modules/@types/a__b/index.d.ts": "",
        }
    )
    typings = root / "node_modules/@types/a__b"
    for asked in (root, root / "node_modules/@a/b", typings):
        (package,) = discover([asked]).packages
        assert (package.name, package.version) == ("@a/b", "2.0.0")
        assert package.typings_for == "@types/a__b"
        assert package.entry_points == ((".", typings / "index.d.ts"),)


def _package(write: Write, exports: Mapping[str, str], modules: Mapping[str, str]) -> Package:
    """Return an installed package; each module has a script."""
    scripts = [name.replace(".d.", ".").replace("ts", "js") for name in modules]
    files = {**dict.fromkeys(scripts, ""), **modules, "package.json": {"exports": exports}}
    root = write(
        {
            "package.json": {"dependencies": {"p": "1"}},
            **{f"node_modules/p/{name}": text for name, text in files.items()},
        }
    )
    [package] = discover([root]).packages
    return package


def _read(package: Package) -> dict[str, str]:
    return {
        subpath: file.relative_to(package.root).as_posix() for subpath, file in package.entry_points
    }


def test_a_module_that_repeats_another_in_a_second_format_is_not_read(write: Write) -> None:
    text = "import { B } from './b.js';\nimport('.');\nexport declare const a: B;\n"
    package = _package(
        write,
        {".": "./index.mjs", "./a": "./a.js", "./a.mjs": "./a.mjs", "./*": "./*"},
        {
            "index.d.mts": "export * from './a.mjs';",
            "index.d.ts": "export * from './a';\r\n",
            "a.d.ts": f"{text}//# sourceMappingURL=a.d.ts.map",
            "a.d.mts": text.replace("./b.js", "./b.mjs").replace("'.'", "'./index.mjs'"),
            "b.d.ts": "export type B = 1;",
            "b.d.mts": "export type B = 1;",
            "browser/b.d.ts": "export type B = 1;",
            "node/b.d.ts": "export type B = 1;",
        },
    )
    read = _read(package)
    assert read["./b.mjs"] == "b.d.mts"  # in the format of the main module
    assert read["./node/b.js"] == "node/b.d.ts"  # no format, but another module
    assert not read.keys() & {"./b.js", "./browser/b.js"}
    for discovered in ((package,), ()):  # a package that only code imports is read alike
        resolver = Resolver(DiscoveredPackages(discovered))
        for specifier in ("./b.mjs", "./b", "./browser/b", "p/browser/b.js", "p/b.js"):
            assert resolver.resolve(specifier, package.root / "x.d.ts") == package.root / "b.d.mts"


def test_modules_that_import_different_modules_are_read(write: Write) -> None:
    barrel = "export * from './middle';"
    package = _package(
        write,
        {".": "./index.js", "./browser": "./browser/index.js", "./*": "./*"},
        {
            "index.d.ts": barrel,
            "browser/index.d.ts": barrel,
            "middle.d.ts": "export * from './client'; export * from '.';",
            "browser/middle.d.ts": "export * from './client'; export * from '.';",
            "client.d.ts": "export declare function readFile(): void;",
            "browser/client.d.ts": "export declare function fetchBlob(): void;",
            "extension.d.ts": "export type Extension = '.mjs';",
            "extension.d.mts": "export type Extension = '.js';",
            "text.d.ts": "/** See './client'. */ export type Text = 1;",
            "text.d.mts": "/** See ./client. */ export type Text = 1;",
        },
    )
    read = _read(package)
    assert read["./browser"] == "browser/index.d.ts"
    assert read["./browser/middle.js"] == "browser/middle.d.ts"
    assert read["./extension.mjs"] == "extension.d.mts"
    assert read["./text.mjs"] == "text.d.mts"
