from __future__ import annotations

import pytest

from typematch.sources.packages.exports import (
    TYPESCRIPT,
    importing,
    lookup,
    requiring,
    satisfies,
    targets,
)


@pytest.mark.parametrize(
    ("versions", "holds"),
    [
        ("*", True),
        (">=4.2", True),
        ("<5", False),
        ("<=5.6", False),
        ("<=5.8", True),
        (">=5.7.0 <6", True),
        ("5", True),
        ("5.8", True),
        ("5.9.x", False),
        ("^5.1", True),
        ("~5.1", False),
        ("<4 || >=5.8", True),
        ("4.0 - 5.8", True),
        ("soon", False),
    ],
)
def test_a_version_range_contains_typescript_5_8_3(versions: str, holds: bool) -> None:
    assert satisfies((5, 8, 3), versions) == holds


def test_the_assumed_typescript_version_supports_the_newest_syntax() -> None:
    assert satisfies(TYPESCRIPT, ">=5.9")


@pytest.mark.parametrize(
    ("subpath", "value"),
    [
        pytest.param("./a", ("exact", ""), id="an exact key first"),
        pytest.param("./deep/x.js", ("deep", "x.js"), id="then the longest prefix"),
        pytest.param("./deep/x.css", ("styles", "x"), id="then the longest key"),
        pytest.param("./other/x", ("any", "other/x"), id="a star stands for slashes too"),
        pytest.param("elsewhere", None, id="nothing matches"),
    ],
)
def test_lookup(subpath: str, value: tuple[str, str] | None) -> None:
    table = {"./*": "any", "./deep/*": "deep", "./deep/*.css": "styles", "./a": "exact"}
    assert lookup(table, subpath) == value


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        pytest.param("./a.js", ["./a.js"], id="a plain target"),
        pytest.param(
            {"types": "./a.d.ts", "default": "./a.js"}, ["./a.d.ts", "./a.js"], id="in order"
        ),
        pytest.param(
            {"import": {"types": "./a.d.mts"}, "require": {"types": "./a.d.cts"}},
            ["./a.d.mts"],
            id="nested conditions",
        ),
        pytest.param(
            {"types@<5": "./old.d.ts", "types@>=5": "./new.d.ts", "types": "./a.d.ts"},
            ["./new.d.ts", "./a.d.ts"],
            id="versioned conditions",
        ),
        pytest.param({"types": None, "default": "./a.js"}, [], id="null hides what follows"),
        pytest.param({"browser": None, "default": "./a.js"}, ["./a.js"], id="unless not meant"),
        pytest.param([{"node": "./n.js"}, "./a.js"], ["./a.js"], id="alternatives"),
        pytest.param(None, [], id="null"),
        pytest.param(7, [], id="nonsense"),
    ],
)
def test_targets_for_an_import(value: object, expected: list[str]) -> None:
    assert targets(value, importing) == expected


def test_targets_for_a_require() -> None:
    value = {"import": "./a.mjs", "require": "./a.cjs", "default": "./a.js"}
    assert targets(value, requiring) == ["./a.cjs", "./a.js"]


def test_every_star_of_a_target_is_replaced() -> None:
    assert targets("./dist/*/*.d.ts", importing, "x") == ["./dist/x/x.d.ts"]
