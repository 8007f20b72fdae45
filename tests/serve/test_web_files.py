"""The files of the page: they keep to what the server's policy allows, and know all it may say."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import pytest

from typematch.query.chips import PartSort
from typematch.query.model import SORTS
from typematch.search.present.counting import COUNTED
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


def test_every_mark_has_words_and_a_colour() -> None:
    assert keys("drawing.js", "SAYS") == set(get_args(Mark))
    styles = (WEB / "styles/match.css").read_text()
    assert {mark for mark in get_args(Mark) if f".mark-{mark}" not in styles} == set()
    telling = (WEB / "scripts/drawing.js").read_text().partition("const TELLING = [")[2]
    assert set(re.findall(r'"([\w-]+)"', telling.partition("]")[0])) == set(get_args(Mark))


def test_every_piece_of_a_query_and_every_facet_is_known() -> None:
    assert keys("chips.js", "SAYS") == set(get_args(PartSort))
    assert keys("facets.js", "TITLES") == set(COUNTED)
    offered = re.findall(r'<option value="(\w*)"', (WEB / "index.html").read_text())
    assert {one or "relevance" for one in offered} == set(SORTS)


@pytest.mark.parametrize("page", PAGES, ids=lambda path: str(path.relative_to(WEB)))
def test_pages_have_no_script_or_style_of_their_own(page: Path) -> None:
    text = page.read_text()
    assert re.findall(r"<script(?![^>]*\bsrc=)", text) == []
    assert re.findall(r"<style|\sstyle=|\son\w+=|javascript:", text) == []
    for address in re.findall(r'(?:src|href)="([^"#]*)"', text):
        if not address.startswith("/api/") and address:
            file = WEB / address.lstrip("/")
            assert file.is_file() or (file / "index.html").is_file(), address


@pytest.mark.parametrize("file", FILES, ids=lambda path: str(path.relative_to(WEB)))
def test_nothing_comes_from_elsewhere(file: Path) -> None:
    addresses = re.findall(r"(?:https?:)?//[\w-]+\.[\w.-]+[\w/.]*", file.read_text())
    assert set(addresses) <= {"http://www.w3.org/2000/svg"}


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_scripts_make_no_markup_of_texts(script: Path) -> None:
    text = script.read_text()
    assert re.findall(r"innerHTML|outerHTML|insertAdjacent|document\.write|\beval\(", text) == []
    for imported in re.findall(r'from "(/[^"]+)"', text):
        assert (WEB / imported.lstrip("/")).is_file(), imported
