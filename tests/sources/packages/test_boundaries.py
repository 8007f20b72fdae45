"""What a dependency's manifest or links say is not followed out of the dependency's folder."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from file_trees import Write
from typematch.sources.packages import FileSystemCache, Resolver, discover
from typematch.sources.packages.discover import NO_NAME
from typematch.sources.packages.fs_cache import LEADS_OUT, UNREADABLE
from typematch.sources.packages.project_files import BAD_PATTERN

_SECRET = {
    "package.json": {"name": "own", "dependencies": {"dep": "1"}},
    "secret.d.ts": "export declare const secret: 1;",
    "secret/index.d.ts": "export declare const secret: 1;",
    "src/index.ts": "export const own = 1;",
}


def paths_of(root: Path) -> tuple[list[str], set[tuple[str, int]]]:
    """Return the entry points of ``dep``, and the reasons with the number of skipped files."""
    found = discover([root])
    files = [
        path.relative_to(root).as_posix()
        for package in found.packages
        if package.name == "dep"
        for _, path in package.entry_points
    ]
    return files, {(skip.reason, skip.count) for skip in found.skipped}


@pytest.mark.parametrize(
    "manifest",
    [
        {"exports": "./../../secret.js"},
        {"exports": {".": {"types": "./../../secret.d.ts"}}},
        {"exports": {"./s": "./../../secret.js", ".": "./index.js"}},
        {"exports": {"./*": "./../../*.d.ts", ".": "./index.js"}},
        {"types": "../../secret.d.ts"},
        {"types": "../../secret"},
        {"main": "../../secret/index.js"},
        {"typings": "../../secret/"},
        {"types": "x", "typesVersions": {"*": {"x": ["../../secret.d.ts"]}}},
        {"types": "./sub"},
        {"types": "./link"},
        {"types": "./folder"},
        {"exports": {".": "./index.js", "./*": "./folder/*.d.ts"}},
    ],
)
def test_manifests_and_links_of_a_dependency_do_not_lead_out_of_it(
    write: Write, manifest: Mapping[str, object]
) -> None:
    root = write(
        {
            **_SECRET,
            "node_modules/dep/package.json": {"name": "dep", **manifest},
            "node_modules/dep/index.d.ts": "export declare const dep: 1;",
            "node_modules/dep/sub/package.json": {"types": "../../../secret.d.ts"},
        }
    )
    (root / "node_modules/dep/link.d.ts").symlink_to(root / "secret.d.ts")
    (root / "node_modules/dep/folder").symlink_to(root / "secret")
    files, skipped = paths_of(root)
    assert files == ["node_modules/dep/index.d.ts"]
    assert LEADS_OUT in {reason for reason, _ in skipped}


def test_a_manifest_may_lead_up_inside_its_package(write: Write) -> None:
    root = write(
        {
            **_SECRET,
            "node_modules/dep/package.json": {"name": "dep", "types": "./sub"},
            "node_modules/dep/sub/package.json": {"types": "../types/a.d.ts"},
            "node_modules/dep/types/a.d.ts": "export declare const dep: 1;",
        }
    )
    files, skipped = paths_of(root)
    assert files == ["node_modules/dep/types/a.d.ts"]
    assert LEADS_OUT not in {reason for reason, _ in skipped}


def test_imports_of_a_dependency_stay_among_installed_packages(write: Write) -> None:
    root = write(
        {
            **_SECRET,
            "node_modules/dep/package.json": {"name": "dep", "types": "index.d.ts"},
            "node_modules/dep/index.d.ts": "export * from '../../secret';",
            "node_modules/other/index.d.ts": "export declare const other: 1;",
        }
    )
    (root / "node_modules/dep/node_modules").mkdir()
    (root / "node_modules/dep/node_modules/linked").symlink_to(root / "secret")
    (root / "node_modules/dep/link.d.ts").symlink_to(root / "secret.d.ts")
    (root / "node_modules/dep/folder").symlink_to(root / "secret")
    disk = FileSystemCache()
    resolver = Resolver(discover([root], disk=disk), disk=disk)
    importer = root / "node_modules/dep/index.d.ts"
    outside = (
        "lib:/../../../secret",
        "../../secret",
        str(root / "secret"),
        "linked",
        "./link",
        "./folder",
        "./folder/index",
    )
    assert [resolver.resolve(specifier, importer) for specifier in outside] == [None] * len(outside)
    assert resolver.resolve("../other", importer) == root / "node_modules/other/index.d.ts"
    assert {reason for _, reason in disk.take_notes()} == {LEADS_OUT}
    # Own code may import what it likes by a path, but not through a dependency.
    own = root / "src/index.ts"
    assert resolver.resolve("../secret", own) == root / "secret.d.ts"
    for specifier in ("dep/../../secret", "dep/link", "dep/folder", "../node_modules/dep/link"):
        assert resolver.resolve(specifier, own) is None


def test_linked_packages_are_followed(write: Write) -> None:
    """Pnpm links each package into place; a workspace is linked into ``node_modules``."""
    root = write(
        {
            "package.json": {"name": "own", "dependencies": {"dep": "1", "shop": "*"}},
            "src/index.ts": "export const own = 1;",
            "packages/shop/package.json": {"name": "shop", "types": "src/w.ts"},
            "packages/shop/src/w.ts": "export const w = 1;",
            "node_modules/.pnpm/dep@1/node_modules/dep/package.json": {"types": "index.d.ts"},
            "node_modules/.pnpm/dep@1/node_modules/dep/index.d.ts": "export * from 'inner';",
            "node_modules/.pnpm/inner@1/node_modules/inner/index.d.ts": "export const i: 1;",
        }
    )
    store = root / "node_modules/.pnpm"
    (root / "node_modules/dep").symlink_to(store / "dep@1/node_modules/dep")
    (root / "node_modules/shop").symlink_to(root / "packages/shop")
    (store / "dep@1/node_modules/inner").symlink_to(store / "inner@1/node_modules/inner")
    disk = FileSystemCache()
    found = discover([root], disk=disk)
    resolver = Resolver(found, disk=disk)
    importer = store / "dep@1/node_modules/dep/index.d.ts"
    inner = store / "inner@1/node_modules/inner/index.d.ts"
    assert resolver.resolve("inner", importer) == inner
    own = root / "src/index.ts"
    assert resolver.resolve("shop", own) == root / "packages/shop/src/w.ts"
    assert LEADS_OUT not in {skip.reason for skip in found.skipped}
    assert disk.take_notes() == []


def test_a_dependency_needs_a_package_name(write: Write) -> None:
    root = write({**_SECRET, "package.json": {"name": "own", "dependencies": {"../secret": "1"}}})
    (root / "node_modules").mkdir()
    _, skipped = paths_of(root)
    assert (NO_NAME, 1) in skipped


def test_lines_of_ignore_files_that_are_no_pattern_are_counted(write: Write) -> None:
    root = write(
        {
            ".gitignore": "!\nbuilt.ts\n\\\n[z-a]\n[[\n",
            ".typematchignore": "gen\\/*\n",
            "a.ts": "export const a = 1;",
            "built.ts": "export const b = 1;",
        }
    )
    found = discover([root])
    assert [path.name for package in found.packages for path in package.files] == ["a.ts"]
    skip = next(skip for skip in found.skipped if skip.reason == BAD_PATTERN)
    assert skip.count == 4
    assert ".gitignore:1" in skip.path or ".typematchignore:1" in skip.path


@pytest.mark.parametrize("text", ["{", "[]", '{"name": ', "\ud800"])
def test_manifests_and_configs_that_cannot_be_read_are_counted(write: Write, text: str) -> None:
    root = write({"src/index.ts": "import '@/x'; export const a = 1;"})
    for name in ("package.json", "tsconfig.json"):
        (root / name).write_bytes(text.encode("utf-8", "surrogatepass"))
    disk = FileSystemCache()
    found = discover([root], disk=disk)
    Resolver(found, disk=disk).resolve("@/x", root / "src/index.ts")
    notes = [*found.skipped, *disk.take_notes()]
    assert sum("package.json" in str(note) and UNREADABLE in str(note) for note in notes) == 1
    assert sum("tsconfig.json" in str(note) and UNREADABLE in str(note) for note in notes) == 1


@pytest.mark.parametrize(
    "manifest",
    [
        '{"name": "\\ud800", "dependencies": {"\\ud800": "1", "a\\u0000": ""}}',
        '{"name": "a#b\\u0000", "types": "\\u0000", "exports": {"\\ud800": "./\\ud800*"}}',
        '{"name": "a", "exports": ' + '{"x":' * 600 + '"./src/index.ts"' + "}" * 600 + "}",
        '{"name": "a", "types": "y", "typesVersions": {">=' + "9" * 6000 + '": {"*": ["*"]}}}',
    ],
)
def test_strange_manifests_do_not_stop_discovery(write: Write, manifest: str) -> None:
    root = write({"package.json": manifest, "src/index.ts": "export const a = 1;"})
    found = discover([root])
    Resolver(found).resolve("a", root / "src/index.ts")
    for text in (*(package.name for package in found.packages), *(s.path for s in found.skipped)):
        assert "#" not in text
        text.encode("utf-8")
