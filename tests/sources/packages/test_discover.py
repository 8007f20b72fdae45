from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from file_trees import Write
from typematch.errors import NoTypingsError, SourceError
from typematch.sources.packages import MAX_BYTES, DiscoveredPackages, discover

MONOREPO = Path(__file__).parents[3] / "fixtures" / "monorepo"


def own_files(found: DiscoveredPackages) -> dict[str, list[str]]:
    return {
        package.name: [file.relative_to(package.root).as_posix() for file in package.files]
        for package in found.packages
        if package.own
    }


def reasons(found: DiscoveredPackages) -> dict[str, str]:
    """Return what was skipped, by the first words of the reason."""
    return {skip.reason.split(":")[0]: f"{skip.count} {skip.path}" for skip in found.skipped}


def test_a_project_consists_of_its_code_and_its_installed_dependencies(write: Write) -> None:
    root = write(
        {
            "package.json": {
                "name": "app",
                "version": "3.1.0",
                "dependencies": {"typed": "1", "gone": "1"},
                "devDependencies": {"untyped": "1", "@types/node": "22"},
            },
            "src/main.ts": "",
            "src/view.tsx": "",
            "src/old.js": "",
            "node_modules/typed/index.d.ts": "",
            "node_modules/untyped/index.js": "",
            "node_modules/@types/node/index.d.ts": "",
            "node_modules/indirect/index.d.ts": "",
        }
    )
    found = discover([root])
    assert own_files(found) == {"app": ["src/main.ts", "src/view.tsx"]}
    assert [package.name for package in found.packages] == ["app", "@types/node", "typed"]
    assert found.packages[0].version == "3.1.0"
    assert reasons(found) == {
        "JavaScript": f"1 {root}/src/old.js",
        "dependency that is not installed (npm install)": "1 gone",
        "package without typings, and without @types": "1 untyped",
    }


def test_a_package_whose_types_point_nowhere_is_skipped(write: Write) -> None:
    root = write(
        {
            "package.json": {"name": "app", "dependencies": {"nowhere": "1"}},
            "main.ts": "",
            "node_modules/nowhere/package.json": {"types": "gone.d.ts"},
            "node_modules/nowhere/index.js": "",
        }
    )
    assert reasons(discover([root])) == {
        "package whose `types` names a file that does not exist": "1 nowhere"
    }


def test_each_workspace_is_a_package() -> None:
    found = discover([MONOREPO])
    assert own_files(found) == {
        "acme": ["examples/tour.ts"],
        "web": ["src/main.tsx", "src/view.ts"],
        "@acme/shapes": ["src/geometry.ts", "src/index.ts"],
        "@acme/store": ["src/index.ts", "src/internal/cache.ts"],
    }
    shapes = next(package for package in found.packages if package.name == "@acme/shapes")
    assert shapes.entry_points == (
        (".", MONOREPO / "packages/shapes/src/index.ts"),
        ("./geometry", MONOREPO / "packages/shapes/src/geometry.ts"),
    )


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("package.json", '{"name": "all", "workspaces": ["libs/**", "!**/old"]}'),
        ("package.json", '{"name": "all", "workspaces": {"packages": ["libs/a", "./libs/*/b/"]}}'),
        ("pnpm-workspace.yaml", "packages:\n  # ours\n  - 'libs/**'\n  - '!**/old'\nother: 1\n"),
        ("pnpm-workspace.yaml", 'packages: ["libs/a", libs/group/b]  # both\n'),
    ],
)
def test_workspaces_as_npm_yarn_and_pnpm_write_them(write: Write, name: str, content: str) -> None:
    root = write(
        {
            name: content,
            "libs/a/package.json": {"name": "a"},
            "libs/a/index.ts": "",
            "libs/group/b/package.json": {"name": "b"},
            "libs/group/b/index.ts": "",
            "libs/old/package.json": {"name": "old"},
            "libs/none/readme.md": "",
        }
    )
    assert own_files(discover([root])) == {"a": ["index.ts"], "b": ["index.ts"]}


def test_files_that_are_not_sources_are_skipped_with_a_reason(write: Write) -> None:
    root = write(
        {
            "tsconfig.json": '{"compilerOptions": {"outDir": "made",},} // all',
            "a.ts": "",
            "a.d.ts": "",
            "b.min.ts": "",
            "made/a.d.ts": "",
            "dist/a.d.ts": "",
            "build/steps.ts": "",
            ".hidden/x.ts": "",
            "sub/node_modules/x/index.d.ts": "",
            "c.jsx": "",
            "readme.md": "",
        }
    )
    (root / "huge.ts").write_bytes(b" " * (MAX_BYTES + 1))
    (root / "link.ts").symlink_to("a.ts")
    (root / "again").symlink_to(root)
    found = discover([root])
    assert own_files(found) == {"project": ["a.ts", "build/steps.ts"]}
    assert reasons(found) == {
        "declarations built from a source in the same folder": f"1 {root}/a.d.ts",
        "minified": f"1 {root}/b.min.ts",
        "build output": f"2 {root}/dist, {root}/made",
        "JavaScript": f"1 {root}/c.jsx",
        "hidden folder": f"1 {root}/.hidden",
        "larger than 10 MB": f"1 {root}/huge.ts",
        "node_modules": f"1 {root}/sub/node_modules",
        "symbolic link in own code": f"2 {root}/again, {root}/link.ts",
    }


def test_a_folder_without_permission_to_list_it_is_counted(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = write({"package.json": {"name": "project"}, "a.ts": "", "locked/b.ts": ""})
    scandir = os.scandir

    def refuse_locked(folder: str) -> Iterator[os.DirEntry[str]]:
        if folder.endswith("locked"):
            raise PermissionError(13, "Permission denied", folder)
        return scandir(folder)

    monkeypatch.setattr(os, "scandir", refuse_locked)
    found = discover([root])
    assert own_files(found) == {"project": ["a.ts"]}
    assert reasons(found) == {"folder without permission to list it": f"1 {root}/locked"}
    with pytest.raises(SourceError, match="folder without permission to list it"):
        discover([root / "locked"])


def test_ignore_files_nest_and_the_nearest_rule_wins(write: Write) -> None:
    root = write(
        {
            ".gitignore": "made/\n*.gen.ts\n!keep.gen.ts\n/only-here.ts\n",
            ".typematchignore": "private/\n!wanted.gen.ts\n",
            "a.ts": "",
            "a.gen.ts": "",
            "keep.gen.ts": "",
            "wanted.gen.ts": "",
            "only-here.ts": "",
            "made/a.ts": "",
            "private/a.ts": "",
            "deep/.gitignore": "!a.gen.ts\nb.ts\n",
            "deep/a.gen.ts": "",
            "deep/b.ts": "",
            "deep/only-here.ts": "",
        }
    )
    found = discover([root])
    expected = ["a.ts", "deep/a.gen.ts", "deep/only-here.ts", "keep.gen.ts", "wanted.gen.ts"]
    assert own_files(found) == {"project": expected}
    assert [skip.count for skip in found.skipped] == [5]
    assert own_files(discover([root / "deep"])) == {"deep": ["a.gen.ts", "only-here.ts"]}


def test_a_named_path_overrides_the_ignore_rules(write: Write) -> None:
    root = write(
        {
            "package.json": {"name": "app"},
            ".gitignore": "dist/\n*.min.ts\n",
            "dist/a.d.ts": "",
            "x.min.ts": "",
            "y.ts": "",
        }
    )
    assert own_files(discover([root / "dist"])) == {"app": ["dist/a.d.ts"]}
    assert own_files(discover([root / "x.min.ts", root])) == {"app": ["x.min.ts", "y.ts"]}


def test_a_folder_of_a_project_keeps_the_projects_name(write: Write) -> None:
    root = write({"package.json": {"name": "app"}, "src/a.ts": "", "b.ts": ""})
    (package,) = discover([root / "src"]).packages
    assert (package.name, package.root, package.requested) == ("app", root, (root / "src",))


def test_typings_beside_a_package_that_has_none_for_its_root(write: Write) -> None:
    root = write(
        {
            "package.json": {"name": "app", "dependencies": {"args": "1"}},
            "a.ts": "",
            "node_modules/args/package.json": {
                "name": "args",
                "version": "2.0.0",
                "exports": {".": "./index.mjs", "./browser": {"types": "./browser.d.ts"}},
            },
            "node_modules/args/browser.d.ts": "export const browser: string;",
            "node_modules/@types/args/package.json": {"name": "@types/args"},
            "node_modules/@types/args/index.d.ts": "export const parse: string;",
        }
    )
    [package] = [package for package in discover([root]).packages if not package.own]
    assert (package.name, package.version, package.typings_for) == ("args", "2.0.0", "@types/args")
    assert [subpath for subpath, _ in package.entry_points] == ["."]


def test_an_unpacked_package_is_a_package_in_any_folder(write: Write) -> None:
    root = write({"package.json": {"name": "made", "types": "dist/a.d.ts"}, "dist/a.d.ts": ""})
    (package,) = discover([root]).packages
    assert (package.own, package.entry_points) == (False, ((".", root / "dist/a.d.ts"),))


def test_a_folder_of_packages_gives_all_packages(write: Write) -> None:
    root = write(
        {
            "node_modules/a/index.d.ts": "",
            "node_modules/@s/b/index.d.ts": "",
            "node_modules/c/index.js": "",
            "node_modules/d/index.js": "",
            "node_modules/@types/d/index.d.ts": "",
            "node_modules/@types/node/index.d.ts": "",
            "node_modules/.bin/a": "",
        }
    )
    names = [package.name for package in discover([root / "node_modules"]).packages]
    assert names == ["@s/b", "@types/node", "a", "d"]
    assert [package.name for package in discover([root / "node_modules/@s"]).packages] == ["@s/b"]


def test_a_path_inside_a_package_gives_the_whole_package(write: Write) -> None:
    root = write({"node_modules/@s/a/index.d.ts": "", "node_modules/@s/a/lib/b.d.ts": ""})
    found = discover([root / "node_modules/@s/a/lib"])
    assert [(package.name, package.own) for package in found.packages] == [("@s/a", False)]
    assert "the whole package is indexed" in found.notices[0]


def test_skipped_files_are_counted_and_three_are_named(write: Write) -> None:
    root = write({"main.ts": "", **{f"{number}.js": "" for number in range(9)}})
    (skipped,) = discover([root]).skipped
    assert skipped.count == 9
    assert skipped.path == f"{root}/0.js, {root}/1.js, {root}/2.js and 6 more"


def test_an_invalid_path_has_a_reason(write: Write) -> None:
    root = write(
        {
            "empty/readme.txt": "",
            "script.js": "",
            "app/package.json": {"name": "app", "dependencies": {"x": "1"}},
            "node_modules/untyped/package.json": {"name": "untyped"},
        }
    )
    cases = {
        "gone": "there is no such file or folder",
        "empty": "nothing to index here",
        "script.js": "this is a JavaScript file",
        "empty/readme.txt": "not a source file",
        "app": "no dependencies with typings",
        "node_modules/nothing": "there is no such file or folder",
    }
    for name, message in cases.items():
        with pytest.raises(SourceError, match=message):
            discover([root / name])
    with pytest.raises(NoTypingsError, match="npm install @types/untyped"):
        discover([root / "node_modules/untyped"])


@pytest.mark.skipif(sys.platform != "linux", reason="names are text on other systems")
def test_a_file_name_that_is_not_utf8_is_skipped_and_reported(write: Write) -> None:
    root = write({"a.ts": ""})
    Path(os.fsdecode(os.fsencode(root) + b"/\xff.ts")).touch()
    found = discover([root])
    assert own_files(found) == {"project": ["a.ts"]}
    assert reasons(found) == {"file name that is not UTF-8": f"1 {root}/\\udcff.ts"}


def test_unreadable_manifests_and_configs_are_ignored(write: Write) -> None:
    root = write(
        {"package.json": "{", "tsconfig.json": '{"extends": "./tsconfig.json"', "a.ts": ""}
    )
    assert own_files(discover([root])) == {"project": ["a.ts"]}


def test_a_fetched_package_is_indexed_like_an_installed_one(write: Write) -> None:
    root = write({"node_modules/thing/package.json": {"name": "thing", "types": "a.d.ts"}})
    (root / "node_modules/thing/a.d.ts").touch()
    asked = []

    def fetch(wanted: str) -> Path:
        asked.append(wanted)
        return root / "node_modules/thing"

    (package,) = discover(["npm:thing@^2"], fetch=fetch).packages
    assert asked == ["thing@^2"]
    assert package.name == "thing"


def test_a_folder_named_lib_is_not_the_standard_library(write: Write) -> None:
    root = write({"lib/a.ts": ""})
    [package] = discover([root / "lib"]).packages
    assert package.name == "project-lib"


def test_a_project_named_lib_is_not_the_standard_library(write: Write) -> None:
    root = write({"package.json": {"name": "lib"}, "a.ts": ""})
    [package] = discover([root]).packages
    assert package.name == f"{root.parent.name}-lib"


def test_an_installed_package_named_lib_is_skipped(write: Write) -> None:
    root = write(
        {
            "package.json": {"name": "app", "dependencies": {"lib": "1"}},
            "a.ts": "",
            "node_modules/lib/package.json": {"name": "lib", "types": "index.d.ts"},
            "node_modules/lib/index.d.ts": "export const a: string;",
        }
    )
    found = discover([root])
    assert [package.name for package in found.packages] == ["app"]
    assert reasons(found)["package that is called lib, as the standard library is here"] == "1 lib"
