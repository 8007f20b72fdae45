"""Every function that ``docs/relation.md`` names in its tables exists."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "relation.md"
_SECTION = re.compile(r"^## (?:Assignability|Inference), .*?(?=^## )", re.MULTILINE | re.DOTALL)
_NAME = re.compile(r"`([a-z_]+(?:\.\w+)*)`")


def named() -> Iterator[tuple[str, str]]:
    """Yield package and name of each entry in the second column of the two tables."""
    for section in _SECTION.findall(DOCUMENT.read_text(encoding="utf-8")):
        package = "inference" if section.startswith("## Inference") else "assignability"
        for line in section.splitlines():
            columns = line.split("|")
            if len(columns) > 3 and "---" not in line:
                yield from ((package, name) for name in _NAME.findall(columns[2]))


@pytest.mark.parametrize(("package", "name"), sorted(set(named())))
def test_a_function_in_the_tables_exists(package: str, name: str) -> None:
    for prefix in ("inference", "match"):
        if name.startswith(f"{prefix}."):
            package, name = name.split(".", 1)
    module, *attributes = name.split(".")
    folder = "" if package == "match" else f"{package}."
    value: object = importlib.import_module(f"typematch.match.{folder}{module}")
    for attribute in attributes:
        value = getattr(value, attribute)


def test_the_tables_name_functions_of_both_packages() -> None:
    assert {package for package, _ in named()} == {"assignability", "inference"}
