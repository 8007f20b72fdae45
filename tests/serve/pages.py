"""What tests of the web page share: waiting for an answer, searching."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Page

OpenPage = Callable[..., Page]  # the fixture ``open_page``


def wait_for_answer(page: Page) -> None:
    """Wait until no request is pending."""
    if page.locator(".box").count():
        page.locator(".box:not(.waiting)").wait_for()


def search(page: Page, query: str) -> None:
    page.get_by_role("searchbox").fill(query)
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"\?q="))
    wait_for_answer(page)
