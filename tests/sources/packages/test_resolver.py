from __future__ import annotations

import os
from pathlib import Path

import pytest

from file_trees import Write
from typematch.sources.packages import Resolver, discover

MONOREPO = Path(__file__).parents[3] / "fixtures" / "monorepo"


def resolved(
    root: Path, specifier: str, importer: str, *, requested: Path | None = None
) -> str | None:
    """Return the catalog's name of what ``specifier`` means in ``importer``."""
    resolver = Resolver(discover([requested or root]))
    found = resolver.resolve(specifier, root / importer)
    return None if found is None else resolver.file_name(found)


@pytest.mark.parametrize(
    ("specifier", "files", "expected"),
    [
        ("./x", ["x.ts", "x.d.ts"], "x.ts"),
        ("./x", ["x.tsx"], "x.tsx"),
        ("./x", ["x.d.ts", "x/index.ts"], "x.d.ts"),
        ("./x", ["x/index.ts"], "x/index.ts"),
        ("./x.js", ["x.ts"], "x.ts"),
        ("./x.js", ["x.d.ts", "x.js"], "x.d.ts"),
        ("./x.mjs", ["x.mts", "x.ts"], "x.mts"),
        ("./x.cjs", ["x.d.cts"], "x.d.cts"),
        ("./x.ts", ["x.d.ts"], "x.d.ts"),
        ("./x.d.ts", ["x.d.ts"], "x.d.ts"),
        ("./x.service", ["x.service.ts"], "x.service.ts"),
        ("./x.css", ["x.css", "x.d.css.ts"], "x.d.css.ts"),
        (".", ["index.ts"], "index.ts"),
        ("./", ["index.ts"], "index.ts"),
        ("../x", ["x.ts"], None),
        ("./x.json", ["x.json"], None),
        ("", [], None),
        ("./", [], None),
    ],
)
def test_relative_specifiers(
    write: Write, specifier: str, files: list[str], expected: str | None
) -> None:
    root = write(dict.fromkeys([f"src/{file}" for file in ["main.ts", *files]], ""))
    wanted = None if expected is None else f"project/src/{expected}"
    assert resolved(root, specifier, "src/main.ts") == wanted


def test_a_folder_resolves_as_its_manifest_says(write: Write) -> None:
    root = write({"main.ts": "", "part/package.json": {"types": "lib/a.ts"}, "part/lib/a.ts": ""})
    assert resolved(root, "./part", "main.ts") == "project/part/lib/a.ts"


def test_installed_packages(write: Write) -> None:
    root = write(
        {
            "main.ts": "",
            "package.json": {"name": "app", "dependencies": {"typed": "1", "plain": "1"}},
            "node_modules/typed/package.json": {"exports": {".": "./a.js", "./b": "./lib/b.js"}},
            "node_modules/typed/a.d.ts": "",
            "node_modules/typed/lib/b.d.ts": "",
            "node_modules/plain/package.json": {"main": "plain.js"},
            "node_modules/plain/plain.js": "",
            "node_modules/@types/plain/package.json": {"name": "@types/plain"},
            "node_modules/@types/plain/index.d.ts": "",
            "node_modules/@types/plain/deep/part.d.ts": "",
            "node_modules/@types/node/index.d.ts": "",
        }
    )
    expected = {
        "typed": "typed/a.d.ts",
        "typed/b": "typed/lib/b.d.ts",
        "typed/lib/b.js": None,  # not exported
        "plain": "@types/plain/index.d.ts",
        "plain/deep/part": "@types/plain/deep/part.d.ts",
        "types:plain": "@types/plain/index.d.ts",
        "types:node": "@types/node/index.d.ts",
        "types:gone": None,
        "fs": None,
        "node:fs": None,
        "lib:es2022": None,
        "gone": None,
        "a\0b": None,
        "./a\0b/c": None,
        "x" * 100_000: None,
        "/" * 1000: None,
        "../" * 1000: None,
        "https://example.org/x.js": None,
    }
    assert {specifier: resolved(root, specifier, "main.ts") for specifier in expected} == expected


def test_a_require_resolves_to_the_require_condition(write: Write) -> None:
    exports = {"import": {"types": "./a.d.mts"}, "require": {"types": "./a.d.cts"}}
    root = write(
        {
            "node_modules/both/package.json": {"exports": exports},
            "node_modules/both/a.d.mts": "",
            "node_modules/both/a.d.cts": "",
            "main.ts": "",
            "main.cts": "",
        }
    )
    assert resolved(root, "both", "main.ts") == "both/a.d.mts"
    assert resolved(root, "both", "main.cts") == "both/a.d.cts"


@pytest.mark.parametrize(
    ("importer", "specifier", "expected"),
    [
        pytest.param(
            "apps/web/src/main.tsx", "@acme/shapes", "@acme/shapes/src/index.ts", id="source"
        ),
        pytest.param(
            "apps/web/src/main.tsx",
            "@acme/shapes/geometry",
            "@acme/shapes/src/geometry.ts",
            id="of a subpath, by outDir and rootDir",
        ),
        pytest.param(
            "apps/web/src/main.tsx", "@acme/store", "@acme/store/src/index.ts", id="by custom"
        ),
        pytest.param(
            "apps/web/src/main.tsx", "~/view", "web/src/view.ts", id="paths of a reference"
        ),
        pytest.param(
            "packages/shapes/src/index.ts",
            "@store/internal/cache",
            "@acme/store/src/internal/cache.ts",
            id="paths of an extended config",
        ),
        pytest.param("packages/shapes/src/index.ts", "~/view", None, id="paths of another project"),
        pytest.param(
            "packages/store/src/index.ts",
            "#internal/cache",
            "@acme/store/src/internal/cache.ts",
            id="imports",
        ),
        pytest.param(
            "packages/shapes/src/geometry.ts",
            "@acme/shapes",
            "@acme/shapes/src/index.ts",
            id="itself",
        ),
    ],
)
def test_a_monorepo_that_was_neither_installed_nor_built(
    importer: str, specifier: str, expected: str | None
) -> None:
    assert resolved(MONOREPO, specifier, importer) == expected


def test_a_workspace_resolves_its_sibling_workspaces() -> None:
    web = MONOREPO / "apps/web"
    found = resolved(MONOREPO, "@acme/store", "apps/web/src/main.tsx", requested=web)
    assert found == "@acme/store/src/index.ts"


def test_root_dirs_are_merged(write: Write) -> None:
    root = write(
        {
            "tsconfig.json": '{"compilerOptions": {"rootDirs": ["src", "made"]}}',
            "src/views/main.ts": "",
            "made/views/template.ts": "",
        }
    )
    assert resolved(root, "./template", "src/views/main.ts") == "project/made/views/template.ts"


def test_base_url(write: Write) -> None:
    root = write(
        {
            "tsconfig.json": '{"compilerOptions": {"baseUrl": "src"}}',
            "src/main.ts": "",
            "src/model/user.ts": "",
        }
    )
    assert resolved(root, "model/user", "src/main.ts") == "project/src/model/user.ts"


def linked_project(write: Write) -> Path:
    """Return a project with ``node_modules`` as pnpm makes them: linked, in a circle."""
    store = "node_modules/.pnpm"
    root = write(
        {
            "package.json": {"name": "app", "dependencies": {"a": "1", "b": "1"}},
            "main.ts": "",
            f"{store}/a@1.0.0/node_modules/a/package.json": {"name": "a", "version": "1.0.0"},
            f"{store}/a@1.0.0/node_modules/a/index.d.ts": "",
            f"{store}/b@1.0.0/node_modules/b/package.json": {"name": "b", "version": "1.0.0"},
            f"{store}/b@1.0.0/node_modules/b/index.d.ts": "",
            f"{store}/c@1.0.0/node_modules/c/package.json": {"name": "c", "version": "1.0.0"},
            f"{store}/c@1.0.0/node_modules/c/index.d.ts": "",
            f"{store}/c@2.0.0/node_modules/c/package.json": {"name": "c", "version": "2.0.0"},
            f"{store}/c@2.0.0/node_modules/c/index.d.ts": "",
        }
    )
    for link, target in {
        "node_modules/a": ".pnpm/a@1.0.0/node_modules/a",
        "node_modules/b": ".pnpm/b@1.0.0/node_modules/b",
        f"{store}/a@1.0.0/node_modules/b": "../../b@1.0.0/node_modules/b",
        f"{store}/b@1.0.0/node_modules/a": "../../a@1.0.0/node_modules/a",
        f"{store}/a@1.0.0/node_modules/c": "../../c@1.0.0/node_modules/c",
        f"{store}/b@1.0.0/node_modules/c": "../../c@2.0.0/node_modules/c",
        f"{store}/node_modules/c": "../c@2.0.0/node_modules/c",
    }.items():
        (root / link).parent.mkdir(parents=True, exist_ok=True)
        (root / link).symlink_to(target, target_is_directory=True)
    return root


def test_a_linked_package_is_one_package(write: Write) -> None:
    root = linked_project(write)
    resolver = Resolver(discover([root]))
    a = resolver.resolve("a", root / "main.ts")
    b = resolver.resolve("b", root / "main.ts")
    assert a
    assert b
    assert resolver.resolve("b", a) == b
    assert resolver.resolve("a", b) == a
    assert (resolver.file_name(a), resolver.owner(a)) == ("a/index.d.ts", "a")


def test_of_two_versions_the_top_level_one_has_the_plain_name(write: Write) -> None:
    root = linked_project(write)
    names = set()
    for importer in ("a", "b"):
        resolver = Resolver(discover([root]))
        entry = resolver.resolve(importer, root / "main.ts")
        found = entry and resolver.resolve("c", entry)
        assert found
        names.add((resolver.owner(found), resolver.file_name(found)))
    assert names == {("c@1.0.0", "c@1.0.0/index.d.ts"), ("c", "c/index.d.ts")}


def test_copies_of_one_version_are_one_file(write: Write) -> None:
    copy = {"name": "c", "version": "2.0.0"}
    root = write(
        {
            "package.json": {"dependencies": {"a": "1", "b": "1"}},
            "node_modules/c/package.json": {"name": "c", "version": "1.0.0"},
            "node_modules/c/index.d.ts": "",
            "node_modules/a/index.d.ts": "",
            "node_modules/a/node_modules/c/package.json": copy,
            "node_modules/a/node_modules/c/index.d.ts": "",
            "node_modules/b/index.d.ts": "",
            "node_modules/b/node_modules/c/package.json": copy,
            "node_modules/b/node_modules/c/index.d.ts": "",
        }
    )
    resolver = Resolver(discover([root]))
    first = resolver.resolve("c", root / "node_modules/a/index.d.ts")
    assert first
    assert resolver.resolve("c", root / "node_modules/b/index.d.ts") == first
    assert resolver.file_name(first) == "c@2.0.0/index.d.ts"


def test_circular_links_are_followed_once(write: Write) -> None:
    root = write({"main.ts": "", "node_modules/a/index.d.ts": ""})
    (root / "loop").symlink_to(os.curdir)
    (root / "self.ts").symlink_to("self.ts")
    assert resolved(root, "./loop/loop/main", "main.ts") == "project/main.ts"
    assert resolved(root, "./self", "main.ts") is None


def test_a_file_of_typescripts_library_refers_to_another(write: Write) -> None:
    folder = "node_modules/typescript"
    root = write(
        {
            "package.json": {"name": "app"},
            f"{folder}/package.json": {"name": "typescript", "types": "lib/typescript.d.ts"},
            f"{folder}/lib/typescript.d.ts": "",
            f"{folder}/lib/lib.es2020.full.d.ts": "",
            f"{folder}/lib/lib.es2020.d.ts": "",
            "src/main.ts": "",
        }
    )
    full = f"{folder}/lib/lib.es2020.full.d.ts"
    assert resolved(root, "lib:es2020", full) == "typescript/lib/lib.es2020.d.ts"
    assert resolved(root, "lib:es2020", "src/main.ts") is None
    resolver = Resolver(discover([root / full]))
    assert resolver.owner(root / full) == "lib"
    assert resolver.owner(root / folder / "lib/typescript.d.ts") == "typescript"
