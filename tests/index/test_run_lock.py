"""One run at a time writes a file; others wait."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest

import typematch
from databases import not_waiting
from typematch.errors import DatabaseError, ReadOnlyError
from typematch.index.engines import run_lock as module
from typematch.index.engines.run_lock import run_lock

_HOLDER = """
import sys, time
from pathlib import Path
from typematch.index.engines.run_lock import run_lock
with run_lock(Path(sys.argv[1]), lambda *_: None):
    print("held", flush=True)
    time.sleep(60)
"""


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "t.db"


class Ending:
    """Ends the other run when it is waited for the second time."""

    def __init__(self, other: ExitStack) -> None:
        self.waits: list[str] = []
        self._other = other

    def __call__(self, what: str, seconds: float) -> None:  # noqa: ARG002
        self.waits.append(what)
        if len(self.waits) == 2:
            self._other.close()


def test_a_run_waits_until_the_other_has_ended(database: Path) -> None:
    with ExitStack() as other:
        other.enter_context(run_lock(database, not_waiting))
        waiting = Ending(other)
        with run_lock(database, waiting):
            pass
    assert waiting.waits == [str(database)] * 2
    assert not list(database.parent.iterdir())


def test_a_killed_run_holds_no_lock(database: Path) -> None:
    command = [sys.executable, "-c", _HOLDER, str(database)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"

        def kill(what: str, seconds: float) -> None:  # noqa: ARG001
            holder.send_signal(signal.SIGKILL)

        with run_lock(database, kill):
            assert holder.wait() == -signal.SIGKILL
    assert not list(database.parent.iterdir())


def test_a_lock_file_that_was_deleted_meanwhile_does_not_count(
    database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between opening and locking it, its last holder ends, and another run begins."""
    with ExitStack() as other:
        opened = os.open

        def slow(path: Path, flags: int, mode: int = 0o777) -> int:
            file = opened(path, flags, mode)
            path.unlink()
            monkeypatch.undo()
            other.enter_context(run_lock(database, not_waiting))
            return file

        monkeypatch.setattr(os, "open", slow)
        waiting = Ending(other)
        with run_lock(database, waiting):
            pass
    assert len(waiting.waits) == 2


def test_a_lock_file_that_cannot_be_created(database: Path) -> None:
    lock = database.with_name("t.db-lock")
    lock.symlink_to(database.parent / "elsewhere")
    with pytest.raises(ReadOnlyError, match=r"t\.db-lock"), run_lock(database, not_waiting):
        pass
    assert not (database.parent / "elsewhere").exists()


def test_a_file_system_without_locks(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(file: int) -> None:  # noqa: ARG001
        raise OSError(37, "No locks available")

    monkeypatch.setattr(module, "_lock", refused)
    with (
        pytest.raises(DatabaseError, match="cannot lock files"),
        run_lock(database, not_waiting),
    ):
        pass


@pytest.mark.sqlite_file
def test_two_commands_on_one_file_write_one_after_the_other(tmp_path: Path) -> None:
    for name in ("one", "two"):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "package.json").write_text(f'{{"name": "{name}", "types": "index.d.ts"}}')
        (folder / "index.d.ts").write_text(f"export declare function use{name}(a: string): 1;")
    database = tmp_path / "t.db"
    command = [sys.executable, "-m", "typematch", "index", "--no-vectors", "--db", str(database)]
    jobs = [
        subprocess.Popen([*command, str(tmp_path / name)], stdout=subprocess.DEVNULL)
        for name in ("one", "two")
    ]
    assert [job.wait() for job in jobs] == [0, 0]
    with typematch.open(database, create=False) as catalog:
        assert {"one#useone", "two#usetwo"} <= {entry.id for entry in catalog.entries()}
