from __future__ import annotations

import io

from typematch.serve.cli.progress import progress_on


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_nothing_is_reported_where_nobody_looks() -> None:
    with progress_on(io.StringIO()) as progress:
        assert progress is None


def test_a_terminal_sees_what_is_done_of_how_much() -> None:
    screen = Screen()
    with progress_on(screen) as progress:
        assert progress is not None
        progress("reading", 3, 0, "files")
        progress("indexing", 5, 1200, "files")
    assert "3 files" in screen.getvalue()
    assert "5 of 1,200 files" in screen.getvalue()
