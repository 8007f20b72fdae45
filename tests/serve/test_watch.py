"""Watching: watch roots, relevant changes, and that the database is up to date after changes."""

from __future__ import annotations

import queue
import re
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

import httpx
import pytest

from measuring import dumped, environment, family_of, typematch
from typematch.catalog import Catalog
from typematch.errors import LockedError, SourceError, UsageError
from typematch.ingest.run import IndexReport
from typematch.serve.watch.format import cycle_document, cycle_lines
from typematch.serve.watch.index_loop import IndexCycle, index_cycles
from typematch.serve.watch.repositories import branches, git_directory_of
from typematch.serve.watch.watch_roots import is_relevant_change, roots_for

MAX_DELAY = 60.0  # seconds; the limit of a wait, generous because other tests run at the same time


# Watch roots --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "flags", "expected"),
    [
        pytest.param("src/a.ts", {}, True, id="code"),
        pytest.param("src/a.js", {}, False, id="JavaScript"),
        pytest.param("specs/pets.yaml", {}, True, id="a document"),
        pytest.param("tsconfig.json", {}, True, id="settings"),
        pytest.param("src/.gitignore", {}, True, id="rules"),
        pytest.param("src/a.ts~", {}, False, id="backup file of an editor"),
        pytest.param("src/moved", {"is_folder": True}, True, id="moved folder"),
        pytest.param("src/v1.2", {"deleted": True}, True, id="deleted, maybe a folder"),
        pytest.param("node_modules/x/index.d.ts", {}, True, id="an installed package"),
        pytest.param("node_modules/.pnpm/x/index.d.ts", {}, True, id="pnpm store"),
        pytest.param(".next/types/a.ts", {}, False, id="a hidden folder"),
        pytest.param(".git/HEAD", {}, True, id="the branch"),
        pytest.param(".git/index", {}, False, id="git index"),
        pytest.param(".git/logs/HEAD", {}, False, id="git log"),
        pytest.param(".git/refs/a.ts", {"deleted": True}, False, id="git ref with a code suffix"),
        pytest.param("typematch.db-wal", {}, False, id="database journal"),
        pytest.param("typematch.db", {}, False, id="the database, written"),
        pytest.param("typematch.db", {"deleted": True}, True, id="the database, deleted"),
    ],
)
def test_which_changes_are_relevant(path: str, flags: dict[str, bool], expected: bool) -> None:
    # Hidden folders above the project do not matter.
    root = Path("/home/me/.work/project")
    all_flags = {"deleted": False, "is_folder": False, **flags}
    database = root / "typematch.db"
    assert (
        is_relevant_change(root / path, roots=(root,), database=database, **all_flags) is expected
    )


def test_watch_roots_of_a_folder_a_file_and_a_missing_path(tmp_path: Path) -> None:
    (tmp_path / "package.json").write_text('{"name": "top", "dependencies": {"dep": "1"}}')
    (tmp_path / "src").mkdir()
    (tmp_path / "src/a.ts").write_text('export * from "dep";')
    dependency = tmp_path / "node_modules/dep"
    dependency.mkdir(parents=True)
    (dependency / "package.json").write_text('{"name": "dep", "types": "i.d.ts"}')
    (dependency / "i.d.ts").write_text("export const one: 1;")
    assert roots_for([tmp_path]).directories == (tmp_path,)
    part = roots_for([tmp_path / "src"])
    installed = tmp_path / "node_modules"
    assert (part.recursive, part.flat) == ((installed, tmp_path / "src"), (tmp_path,))
    file = roots_for([tmp_path / "src/a.ts"])
    assert (file.recursive, file.flat) == ((installed,), (tmp_path, tmp_path / "src"))
    missing = roots_for([tmp_path / "not/yet/there"])
    assert missing.flat == (tmp_path,)


def test_a_replaced_folder_gives_different_watch_roots(tmp_path: Path) -> None:
    folder = tmp_path / "code"
    folder.mkdir()
    before = roots_for([folder])
    assert roots_for([folder]) == before
    folder.rename(tmp_path / "away")
    folder.mkdir()
    assert roots_for([folder]) != before


def git(folder: Path, *words: str) -> None:
    config = ["-c", "user.name=t", "-c", "user.email=t@t", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", "-C", str(folder), *config, *words], check=True, capture_output=True)


def test_branches_of_a_working_tree_and_a_linked_one(tmp_path: Path) -> None:
    main, linked = tmp_path / "main", tmp_path / "beside"
    main.mkdir()
    assert git_directory_of(main) is None
    git(main, "init", "-q", "-b", "trunk")
    assert branches([main / "src", main]) == {main / ".git": "trunk"}
    git(main, "commit", "-q", "--allow-empty", "-m", "x")
    git(main, "worktree", "add", "-q", "-b", "topic/x", str(linked))
    assert list(branches([linked]).values()) == ["topic/x"]
    git(linked, "checkout", "-q", "--detach")
    [detached] = branches([linked]).values()
    assert len(detached) == 10


# Formatting ---------------------------------------------------------------------------------------

AT = datetime(2026, 1, 2, 3, 4, 5)
ROOT = Path("/work")


@pytest.mark.parametrize(
    ("cycle", "expected"),
    [
        pytest.param(IndexCycle(report=IndexReport(5, 3, 3), seconds=0.1), [], id="nothing to do"),
        pytest.param(
            IndexCycle(
                (("changed", ROOT / "a.ts"), ("added", ROOT / "new"), ("added", ROOT / "new/b.ts")),
                report=IndexReport(1_205, 3, 1),
                seconds=0.25,
            ),
            ["03:04:05  changed a.ts, added new/b.ts: 2 files indexed; 1,205 entries now, 0.2 s"],
            id="changes",
        ),
        pytest.param(
            IndexCycle(
                tuple(("deleted", ROOT / f"{name}.ts") for name in "abcd"),
                report=IndexReport(1, 1, 1, removed=4, failed=(("c.ts", "cannot be read"),)),
            ),
            [
                "03:04:05  4 changes: 4 files removed; 1 entry now, 0.0 s",
                "          failed: c.ts: cannot be read",
            ],
            id="many changes and a failure",
        ),
        pytest.param(
            IndexCycle(
                (("changed", ROOT / ".git/HEAD"),),
                (("main", "topic"),),
                report=IndexReport(5, 3, 3),
            ),
            ["03:04:05  branch main -> topic: no content changed; 5 entries now, 0.0 s"],
            id="a branch",
        ),
        pytest.param(
            IndexCycle(error=SourceError("there is nothing", "src", "Name another.")),
            [
                "03:04:05  rescan: not indexed: src: there is nothing",
                "          Name another.",
            ],
            id="an error",
        ),
    ],
)  # fmt: skip
def test_lines_of_an_index_cycle(cycle: IndexCycle, expected: list[str]) -> None:
    assert list(cycle_lines(cycle, ROOT, AT)) == expected
    assert cycle_document(cycle)["format"] == "typematch.watch/1"


# While files change -------------------------------------------------------------------------------


class Watched:
    """Watches a folder into ``database`` and collects the cycles."""

    def __init__(self, folder: Path, database: Path) -> None:
        self.folder = folder
        self.database = database
        self.cycles: queue.SimpleQueue[IndexCycle] = queue.SimpleQueue()
        self.stop = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        for cycle in index_cycles([self.folder], self.database, self.stop, model=None):
            self.cycles.put(cycle)

    def await_up_to_date(self) -> None:
        """Wait until the database equals a freshly indexed one."""
        changed = time.monotonic()
        expected = fresh_dump(self.folder)
        while dumped(self.database) != expected:
            assert time.monotonic() - changed < MAX_DELAY, "the database is not up to date in time"
            time.sleep(0.05)

    def take_cycles(self) -> list[IndexCycle]:
        """Return the cycles since the last call, after waiting for pending ones."""
        time.sleep(1.0)
        return [self.cycles.get() for _ in range(self.cycles.qsize())]

    def close(self) -> None:
        self.stop.set()
        self._thread.join(timeout=10)
        assert not self._thread.is_alive()


def fresh_dump(folder: Path) -> list[str]:
    with tempfile.TemporaryDirectory() as apart:
        database = Path(apart) / "fresh.db"
        with Catalog(database) as catalog:
            catalog.add(folder, model=None)
        return dumped(database)


@contextmanager
def watching(folder: Path, database: Path) -> Iterator[Watched]:
    watched = Watched(folder, database)
    try:
        first = watched.cycles.get(timeout=60)
        assert first.error is None, first.error
        assert first.changes == ()
        yield watched
    finally:
        watched.close()


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    (folder / "src").mkdir(parents=True)
    (folder / "package.json").write_text('{"name": "project"}')
    for number in range(10):
        write(folder / f"src/f{number}.ts", number)
    return folder


def write(file: Path, number: int) -> None:
    text = f"export declare function f{number}(a: string): {number};\n"
    file.write_text(f"{text}export interface I{number} {{ a: {number} }}\n")


@pytest.mark.slow
def test_edited_added_renamed_and_deleted_files_are_indexed(project: Path) -> None:
    # Writes to the database inside the watched folder trigger no cycle.
    with watching(project, project / "typematch.db") as watched:
        for number in range(10):
            write(project / f"src/f{number}.ts", number + 100)
        watched.await_up_to_date()
        deep = project / "src/new/deep"
        deep.mkdir(parents=True)
        write(deep / "more.ts", 50)
        (project / "src/f1.ts").rename(project / "src/moved.ts")
        (project / "src/f2.ts").unlink()
        watched.await_up_to_date()
        (project / "src/new").rename(project / "elsewhere")
        watched.await_up_to_date()
        shutil.rmtree(project / "elsewhere")
        watched.await_up_to_date()
        assert all(cycle.error is None for cycle in watched.take_cycles())
        (project / "src/f3.ts").touch()
        (project / "src/notes.txt").write_text("no code")
        assert [cycle for cycle in watched.take_cycles() if not cycle.is_idle] == []


@pytest.mark.slow
def test_a_branch_switch_is_indexed(project: Path, tmp_path: Path) -> None:
    git(project, "init", "-q", "-b", "trunk")
    git(project, "add", "-A")
    git(project, "commit", "-q", "-m", "one")
    git(project, "checkout", "-q", "-b", "topic")
    for number in range(5):
        write(project / f"src/f{number}.ts", number + 200)
    (project / "src/f9.ts").unlink()
    git(project, "commit", "-q", "-a", "-m", "two")
    with watching(project, tmp_path / "t.db") as watched:
        git(project, "checkout", "-q", "trunk")  # the tree is clean before and after
        watched.await_up_to_date()
        switches = [cycle.branches for cycle in watched.take_cycles()]
        assert (("topic", "trunk"),) in switches


@pytest.mark.slow
def test_a_folder_that_is_moved_away_and_back_is_watched_again(
    project: Path, tmp_path: Path
) -> None:
    with watching(project / "src", tmp_path / "t.db") as watched:
        (project / "src").rename(project / "away")
        cycle = watched.cycles.get(timeout=MAX_DELAY)
        while cycle.error is None:
            cycle = watched.cycles.get(timeout=MAX_DELAY)
        assert isinstance(cycle.error, SourceError)
        (project / "away").rename(project / "src")
        write(project / "src/f1.ts", 300)
        watched.await_up_to_date()
        # The new folder has another inode and is watched too.
        time.sleep(1.0)
        write(project / "src/f2.ts", 301)
        watched.await_up_to_date()


@pytest.mark.slow
def test_a_deleted_database_is_created_again(project: Path) -> None:
    with watching(project, project / "typematch.db") as watched:
        (project / "typematch.db").unlink()
        (project / "typematch.db-wal").unlink(missing_ok=True)
        (project / "typematch.db-shm").unlink(missing_ok=True)
        while not (project / "typematch.db").exists():
            watched.cycles.get(timeout=MAX_DELAY)
        watched.await_up_to_date()


def test_a_locked_database_is_retried(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    added = Catalog.add
    refused = threading.Event()

    def refuse_once(catalog: Catalog, *words: object, **options: object) -> IndexReport:
        if watched.cycles.empty() and not refused.is_set() and armed.is_set():
            refused.set()
            raise LockedError(str(catalog.path))
        return added(catalog, *words, **options)  # type: ignore[arg-type]

    armed = threading.Event()
    with watching(project, tmp_path / "t.db") as watched:
        monkeypatch.setattr(Catalog, "add", refuse_once)
        armed.set()
        write(project / "src/f1.ts", 400)
        cycle = watched.cycles.get(timeout=MAX_DELAY)
        assert isinstance(cycle.error, LockedError)
        # The cycle is retried without a further change.
        assert watched.cycles.get(timeout=MAX_DELAY).indexed == 1


def test_an_npm_package_cannot_be_watched(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be watched"):
        next(index_cycles(["npm:x"], tmp_path / "t.db", threading.Event()))


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="no list of processes in /proc")
@pytest.mark.parametrize("ending", ["interrupted", "killed"])
def test_a_server_updates_its_database_and_leaves_no_process_behind(
    ending: str, project: Path, tmp_path: Path
) -> None:
    database = str(tmp_path / "not-there-yet.db")
    words = ("--port", "0", "--workers", "1", "--seconds", "60", "--watch", str(project))
    command = typematch("serve", *words, "--db", database)
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment()) as server:
        try:
            assert server.stdout is not None
            [address] = re.findall(r"http://[\d.]+:\d+", server.stdout.readline())
            await_hit(address, "f1", "project#f1", seconds=60)
            write(project / "src/new.ts", 700)
            await_hit(address, "f700", "project#f700", seconds=MAX_DELAY)
            family = family_of(server.pid)
            assert len(family) > 2
        except BaseException:
            server.kill()  # the context manager waits for the process
            raise
        server.send_signal(signal.SIGINT if ending == "interrupted" else signal.SIGKILL)
    ended = time.monotonic() + MAX_DELAY
    while any(map(is_alive, family)):
        assert time.monotonic() < ended, "processes are left behind"
        time.sleep(0.1)


def await_hit(address: str, query: str, id_: str, *, seconds: float) -> None:
    end = time.monotonic() + seconds
    ids: list[str] = []
    while id_ not in ids:
        assert time.monotonic() < end, ids
        answer = httpx.get(f"{address}/api/search", params={"q": query}, timeout=60).json()
        ids = [hit["entry"]["id"] for hit in answer.get("hits", ())]


def is_alive(process: int) -> bool:
    try:
        status = Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return False
    return status.rpartition(")")[2].split()[0] != "Z"
