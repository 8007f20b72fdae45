"""A server with hostile and ordinary entries, and a browser, for the tests of the web page."""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from serve.servers import serving
from typematch.catalog import Catalog

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from serve.pages import OpenPage

FIXTURES = Path(__file__).parent.parent.parent / "fixtures"
HOSTILE = {
    "package.json": '{"name": "hostile", "types": "index.d.ts"}',
    "index.d.ts": """
        /**
         * <script>document.title = "owned"</script><img src=x onerror="document.title='owned'">
         * [click me](javascript:document.title='owned') [data](data:text/html,x)
         * [safe](https://example.org/safe)
         */
        export function hostile(
            markup: "<img src=x onerror=document.title='owned'>", quote: '"><b>bold</b>'
        ): void;
        /** Reversed \u202eeman\u202c and \u0007 rung. */
        export function reversed(name: "\u202eevil\u202c"): "\u202eevil\u202c";
        export interface Hostile { "<script>document.title='owned'</script>": string }
    """,
    "api.yaml": """
        openapi: 3.0.0
        info: { title: "<b>Bold</b> service", version: "1" }
        paths:
          "/<i>thing</i>/{id}":
            get:
              summary: "<img src=x onerror=document.title='owned'>"
              tags: ["<u>tag</u>"]
              responses: { "200": { description: "<em>fine</em>" } }
          "/a/LONG":
            get:
              operationId: long
              responses: { "200": { description: fine } }
    """.replace("LONG", "very-long-part/" * 12),
}


def _create_database(folder: Path) -> Path:
    hostile = folder / "hostile"
    hostile.mkdir()
    for name, text in HOSTILE.items():
        (hostile / name).write_text(textwrap.dedent(text))
    database = folder / "typematch.db"
    with Catalog(database) as catalog:
        sources = [FIXTURES / name for name in ("toolbox", "deadline", "musicbox", "bookshop")]
        catalog.add(*sources, hostile, hostile / "api.yaml", model=None)
    return database


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(_create_database(tmp_path_factory.mktemp("page"))) as url:
        yield url


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    from playwright.sync_api import Error, sync_playwright

    with sync_playwright() as playwright:
        for executable in (None, *map(shutil.which, ("chromium", "google-chrome"))):
            try:
                browser = playwright.chromium.launch(executable_path=executable)
            except Error:
                continue
            yield browser
            browser.close()
            return
        pytest.skip("THE WEB PAGE IS NOT TESTED: no Chromium; scripts/browser installs one")


@pytest.fixture
def open_page(browser: Browser, address: str) -> Iterator[OpenPage]:
    """Return a function that opens the page at a path; fails on script errors at the end."""
    from serve.pages import wait_for_answer

    errors: list[str] = []
    requested: list[str] = []
    servers = {address}
    contexts = []

    def open_(path: str = "/", *, at: str = address, **options: Any) -> Page:
        options = {"viewport": {"width": 1300, "height": 900}, **options}
        servers.add(at)
        context = browser.new_context(**options)
        context.set_default_timeout(30_000)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(f"{error} {error.stack}"))
        page.on("request", lambda request: requested.append(request.url))
        page.goto(f"{at}{path}")
        wait_for_answer(page)
        return page

    yield open_
    for context in contexts:
        context.close()
    assert errors == []
    assert [
        url for url in requested if not url.startswith(tuple(servers))
    ] == []  # no other host is used
