from __future__ import annotations

from pathlib import Path

import pytest

from file_trees import Write
from typematch.sources.packages.fs_cache import FileSystemCache
from typematch.sources.packages.tsconfig import Configs, TsConfig, read_jsonc


def read(root: Path, name: str = "tsconfig.json") -> TsConfig:
    config = Configs(FileSystemCache()).read(str(root / name))
    assert config is not None
    return config


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": 1,} // end', {"a": 1}),
        ('{/* "b": 2, */ "a": [1, 2,\n],}', {"a": [1, 2]}),
        ('{"url": "http://x/*", "c": ",]"}', {"url": "http://x/*", "c": ",]"}),
        ('{"a": "\\\\", // b"\n "c": 1}', {"a": "\\", "c": 1}),
        ('\ufeff{"a": 1}', {"a": 1}),
        ("{", None),
        ("", None),
        ("[" * 100_000, None),
    ],
)
def test_json_with_comments(tmp_path: Path, text: str, value: object) -> None:
    path = tmp_path / "some.json"
    path.write_text(text, "utf-8")
    assert read_jsonc(str(path)) == value


def test_extends_merges_the_later_over_the_earlier(write: Write) -> None:
    root = write(
        {
            "tsconfig.json": {"extends": ["./one", "./two.json", "@acme/config/strict.json"]},
            "one.json": {"compilerOptions": {"baseUrl": "a", "outDir": "out"}},
            "two.json": {"compilerOptions": {"baseUrl": "b"}},
            "node_modules/@acme/config/strict.json": {"compilerOptions": {"rootDir": "../../../s"}},
        }
    )
    config = read(root)
    assert config.base_url == f"{root}/b"
    assert config.out_dir == f"{root}/out"
    assert config.root_dir == f"{root}/s"


@pytest.mark.parametrize(
    ("options", "required"),
    [
        ({}, False),
        ({"module": "NodeNext"}, True),
        ({"module": "node16"}, True),
        ({"module": "preserve"}, False),
        ({"module": "commonjs"}, False),
        ({"module": "esnext", "moduleResolution": "Node16"}, True),
        ({"module": "nodenext", "moduleResolution": "bundler"}, False),
        ({"moduleResolution": "node"}, False),
        ({"moduleResolution": "node10"}, False),
        ({"moduleResolution": 16}, False),
    ],
)
def test_relative_imports_with_extensions(
    write: Write, options: dict[str, object], required: bool
) -> None:
    root = write(
        {"base.json": {"compilerOptions": options}, "tsconfig.json": {"extends": "./base"}}
    )
    assert read(root).requires_extensions == required


def test_paths_are_relative_to_their_config_and_use_an_inherited_base_url(write: Write) -> None:
    root = write(
        {
            "base.json": {"compilerOptions": {"baseUrl": ".", "paths": {"@/*": ["lib/*"]}}},
            "app/tsconfig.json": {"extends": "../base.json"},
            "app/own.json": {
                "extends": "../base.json",
                "compilerOptions": {"paths": {"~/*": ["app/src/*"]}},
            },
            "app/alone.json": {"compilerOptions": {"paths": {"~/*": ["./src/*"]}}},
        }
    )
    assert read(root, "app/tsconfig.json").paths == {"@/*": (f"{root}/lib/*",)}
    assert read(root, "app/own.json").paths == {"~/*": (f"{root}/app/src/*",)}
    assert read(root, "app/alone.json").paths == {"~/*": (f"{root}/app/src/*",)}


def test_a_config_that_extends_itself_is_still_read(write: Write) -> None:
    root = write({"tsconfig.json": {"extends": "./tsconfig", "compilerOptions": {"outDir": "o"}}})
    assert read(root).out_dir == f"{root}/o"


@pytest.mark.parametrize(
    ("config", "covered"),
    [
        ({}, ["a.ts", "src/b.ts", "src/deep/c.test.ts"]),
        ({"files": ["a.ts"]}, ["a.ts"]),
        ({"include": ["src"]}, ["src/b.ts", "src/deep/c.test.ts"]),
        ({"include": ["src/*"]}, ["src/b.ts"]),
        ({"include": ["src/*.ts"], "files": ["a.ts"]}, ["a.ts", "src/b.ts"]),
        ({"exclude": ["**/*.test.ts"]}, ["a.ts", "src/b.ts"]),
        ({"include": ["**/deep/*.ts"]}, ["src/deep/c.test.ts"]),
    ],
)
def test_files_that_a_config_includes(
    write: Write, config: dict[str, list[str]], covered: list[str]
) -> None:
    root = write({"tsconfig.json": config})
    files = ["a.ts", "src/b.ts", "src/deep/c.test.ts"]
    assert [file for file in files if read(root).covers(str(root / file))] == covered
