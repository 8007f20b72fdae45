from __future__ import annotations

import io

from typematch.serve.cli.progress import progress_on


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_no_progress_is_reported_without_a_terminal() -> None:
    with progress_on(io.StringIO()) as progress:
        assert progress is None


def test_a_terminal_shows_done_and_total() -> None:
    screen = Screen()
    with progress_on(screen) as progress:
        assert progress is not None
        progress("reading", 3, 0, "files")
        progress("indexing", 5, 1200, "files")
    assert "3 files" in screen.getvalue()
    assert "5 of 1,200 files" in screen.getvalue()
