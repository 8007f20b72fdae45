"""The searches of ``fixtures/printshop``, a project with npm packages of exact versions.

They were written before any of them was run.  Each names what should be among the first three.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

from typematch.catalog import Catalog
from typematch.errors import TypematchError
from typematch.match.verdict import Fit

_PROJECT = Path(__file__).parents[2] / "fixtures" / "printshop"
SEARCHES = [
    tuple(line.split("\t"))
    for line in (_PROJECT / "searches.tsv").read_text("utf-8").splitlines()
    if not line.startswith("#")
]
_REQUIRED_SHARE = 0.9

pytestmark = [
    pytest.mark.network,
    pytest.mark.xdist_group("real project"),  # installed and indexed once
    pytest.mark.skipif(shutil.which("npm") is None, reason="npm is not installed"),
]


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("real") / "printshop"
    shutil.copytree(_PROJECT, folder)
    command = ["npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"]
    subprocess.run(command, cwd=folder, check=True, timeout=600)
    return folder


@pytest.fixture(scope="module")
def catalog(project: Path) -> Iterator[Catalog]:
    with Catalog(project.parent / "typematch.db") as opened:
        opened.add(project, infer="tsc")
        yield opened


@pytest.fixture(scope="module")
def catalog_without_compiler(
    project: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Catalog]:
    """Index the part of the project that uses zod alone."""
    part = tmp_path_factory.mktemp("part") / "printshop"
    for folder in ("src/orders", "node_modules/zod"):
        shutil.copytree(project / folder, part / folder)
    manifest = {"name": "printshop", "dependencies": {"zod": "3.23.8"}}
    (part / "package.json").write_text(json.dumps(manifest), encoding="utf-8")
    with Catalog(part.parent / "off.db") as opened:
        opened.add(part, infer="off", model=None)
        yield opened


def _answer(catalog: Catalog, command: str, arguments: Sequence[str]) -> list[str]:
    """Return ids, or what the command says."""
    if command == "search":
        return [hit.entry.id for hit in catalog.search(arguments[0], limit=3)]
    if command == "match":
        interfaces = catalog.match(_PROJECT / arguments[0], limit=3)
        return [found.id for interface in interfaces for found in interface.implementations]
    if command == "relate":
        return ["yes" if isinstance(catalog.relate(*arguments), Fit) else "no"]
    try:
        return [catalog.get(arguments[0]).id]
    except TypematchError as error:
        return [str(error.hint)]


def _matches(answer: Sequence[str], patterns: str) -> bool:
    return any(fnmatchcase(given, pattern) for given in answer for pattern in patterns.split("|"))


def _splits(row: Sequence[str]) -> tuple[Sequence[str], str, str]:
    """Return the arguments of a row, what is wanted, and what is not."""
    count = 2 if row[0] == "relate" else 1
    return row[1 : 1 + count], row[1 + count], row[2 + count] if len(row) > 2 + count else ""


def test_what_is_wanted_is_among_the_first_three(catalog: Catalog) -> None:
    missed = []
    for row in SEARCHES:
        arguments, wanted, unwanted = _splits(row)
        answer = _answer(catalog, row[0], arguments)
        if not _matches(answer, wanted) or (unwanted and _matches(answer, unwanted)):
            missed.append(f"{' '.join(row[:-1])}  expected {wanted}, found {answer}")
    assert len(SEARCHES) == 80
    found_count = len(SEARCHES) - len(missed)
    assert found_count >= _REQUIRED_SHARE * len(SEARCHES), "\n".join(missed)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("(selector: string) => Element | null", "lib#*#querySelector"),
        ("(cents: number, currency: string) => Money", "printshop#Money#constructor"),
        ("kind:constructor returns:Money", "printshop#Money#constructor"),
        ("new (...) => Turntable", "printshop#Turntable#constructor"),
        ("(count: number) => this pkg:printshop", "printshop#Report#limit"),
        (":: { name: string; email?: string } pkg:printshop", "printshop#Customer*"),
        ("(Customer) => string", "printshop#greeting"),
    ],
)
def test_the_first_hit(catalog: Catalog, query: str, expected: str) -> None:
    assert fnmatchcase(catalog.search(query)[0].entry.id, expected)


@pytest.mark.parametrize("fixture", ["catalog", "catalog_without_compiler"])
@pytest.mark.parametrize(
    ("source", "target", "expected"),
    [
        ("Customer", "{ name: string; email?: string }", True),
        ("{ name: string; email?: string }", "Customer", True),
        ("{ name: number }", "Customer", False),
        ("{ email: string }", "Customer", False),
        ("Customer", "{ email: string }", False),
        ("Order['items']", "{ title: string; quantity: number; cents: number }[]", True),
        ("Order['items']", "{ title: number }[]", False),
    ],
)
def test_a_type_that_zod_infers_has_its_members(
    fixture: str, source: str, target: str, expected: bool, request: pytest.FixtureRequest
) -> None:
    opened: Catalog = request.getfixturevalue(fixture)
    assert isinstance(opened.relate(source, target), Fit) == expected
