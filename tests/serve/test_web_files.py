"""The files of the web page: they obey the security policy and know every value of the API."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import pytest

from typematch.query.chips import ChipKind
from typematch.query.model import FACETS, SORTS, Form
from typematch.search.present.facet_counts import COUNTED_FACETS
from typematch.search.score.alignment import Mark
from typematch.serve import http

WEB = Path(http.__file__).parent.parent / "web"
FILES = sorted(path for path in WEB.rglob("*") if path.is_file())
SCRIPTS = [path for path in FILES if path.suffix == ".js"]
PAGES = [path for path in FILES if path.suffix == ".html"]


def keys(script: str, table: str) -> set[str]:
    """Return the keys of a constant object in a script."""
    text = (WEB / "scripts" / script).read_text()
    [body] = re.findall(rf"const {table} = \{{(.*?)\}};", text, re.DOTALL)
    return set(re.findall(r'(?:^|[\s,{])"?([\w-]+)"?: "', body))


def test_every_alignment_mark_has_a_label_and_a_colour() -> None:
    assert keys("drawing.js", "LABELS") == set(get_args(Mark))
    styles = (WEB / "styles/match.css").read_text()
    assert {mark for mark in get_args(Mark) if f".mark-{mark}" not in styles} == set()
    precedence = (WEB / "scripts/drawing.js").read_text().partition("const PRECEDENCE = [")[2]
    assert set(re.findall(r'"([\w-]+)"', precedence.partition("]")[0])) == set(get_args(Mark))


def test_every_chip_kind_facet_and_sort_order_is_known() -> None:
    assert keys("chips.js", "LABELS") == set(get_args(ChipKind))
    assert keys("facets.js", "TITLES") == set(COUNTED_FACETS)
    options = re.findall(r'<option value="(\w*)"', (WEB / "index.html").read_text())
    assert {option or "relevance" for option in options} == set(SORTS)


def test_every_facet_has_a_colour() -> None:
    text = (WEB / "scripts/query_parts.js").read_text()
    facets, typed = re.findall(r"(?:FACETS|TYPED) = new Set\((.*?)\);", text, re.DOTALL)
    names = set(re.findall(r"\w+", facets)) - {"split"}
    assert names == set(FACETS)
    forms = (Form.TYPE, Form.FIELD)
    assert set(re.findall(r"\w+", typed)) == {key for key in FACETS if FACETS[key].form in forms}


@pytest.mark.parametrize("page", PAGES, ids=lambda path: str(path.relative_to(WEB)))
def test_pages_have_no_inline_script_or_style(page: Path) -> None:
    text = page.read_text()
    assert re.findall(r"<script(?![^>]*\bsrc=)", text) == []
    assert re.findall(r"<style|\sstyle=|\son\w+=|javascript:", text) == []
    for address in re.findall(r'(?:src|href)="([^"#]*)"', text):
        if not address.startswith("/api/") and address:
            file = WEB / address.lstrip("/")
            assert file.is_file() or (file / "index.html").is_file(), address


@pytest.mark.parametrize("file", FILES, ids=lambda path: str(path.relative_to(WEB)))
def test_no_file_refers_to_another_host(file: Path) -> None:
    addresses = re.findall(r"(?:https?:)?//[\w-]+\.[\w.-]+[\w/.]*", file.read_text())
    assert set(addresses) <= {"http://www.w3.org/2000/svg"}


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_scripts_do_not_parse_text_as_markup(script: Path) -> None:
    text = script.read_text()
    assert re.findall(r"innerHTML|outerHTML|insertAdjacent|document\.write|\beval\(", text) == []
    for imported in re.findall(r'from "(/[^"]+)"', text):
        assert (WEB / imported.lstrip("/")).is_file(), imported
