"""Takes the screenshots of the page for README.

    python scripts/screenshots.py --db FILE

FILE holds the packages of ``scripts/demo``.  Needs Chromium (``scripts/browser`` gets one).
"""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from urllib.parse import urlencode

from playwright.sync_api import Error, Playwright, sync_playwright

from bench_load import serving

FOLDER = Path(__file__).resolve().parent / "screenshots"


@dataclass(frozen=True, slots=True)
class Picture:
    """A screenshot: a query, the entry whose alignment is shown, the entry in the panel if any."""

    name: str
    query: str
    hit: str
    open: str = ""
    width: int = 1200
    height: int = 740
    scheme: Literal["light", "dark"] = "light"


PICTURES = (
    Picture(
        "match",
        "read file :: (encoding: BufferEncoding, path: string) => string  is:async",
        "@types/node#fs:promises.readFile",
    ),
    Picture(
        "panel",
        "split a list into batches  pkg:lodash",
        "lodash#_.chunk",
        open="lodash#_.chunk",
        scheme="dark",
    ),
)


def take(playwright: Playwright, address: str, picture: Picture) -> Path:
    browser = playwright.chromium.launch(executable_path=_installed(playwright))
    try:
        page = browser.new_page(
            viewport={"width": picture.width, "height": picture.height},
            color_scheme=picture.scheme,
        )
        asked = {"q": picture.query} | ({"open": picture.open} if picture.open else {})
        page.goto(f"{address}/?{urlencode(asked)}")
        page.locator(f'.hit.active[data-id="{picture.hit}"] .match-lines path').first.wait_for()
        page.locator(".box:not(.waiting)").wait_for()
        page.evaluate("scrollTo(0, 0)")
        file = FOLDER / f"{picture.name}.png"
        page.screenshot(path=file)
        return file
    finally:
        browser.close()


def _installed(playwright: Playwright) -> str | None:
    """Return the path of a browser; None for Playwright's own."""
    if Path(playwright.chromium.executable_path).exists():
        return None
    return shutil.which("chromium") or shutil.which("google-chrome")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--db", type=Path, required=True)
    options = parser.parse_args(arguments)
    FOLDER.mkdir(exist_ok=True)
    with serving(options.db) as address, sync_playwright() as playwright:
        for picture in PICTURES:
            try:
                file = take(playwright, address, picture)
            except Error as error:
                print(f"{picture.name}: {error.message}", file=sys.stderr)
                return 1
            print(f"{file}: {file.stat().st_size / 1000:.0f} kB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
