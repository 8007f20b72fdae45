"""Watching: what is looked at, what counts, and that the file is true a moment after a change."""

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
from typematch.serve.watch.format import round_document, round_lines
from typematch.serve.watch.index_loop import IndexCycle, rounds
from typematch.serve.watch.repositories import branches, repository_of
from typematch.serve.watch.watch_roots import counts, cover_of

WITHIN = 4.0  # seconds after the last change


# What is looked at -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "how", "expected"),
    [
        pytest.param("src/a.ts", {}, True, id="code"),
        pytest.param("src/a.js", {}, False, id="no code that is read"),
        pytest.param("specs/pets.yaml", {}, True, id="a document"),
        pytest.param("tsconfig.json", {}, True, id="settings"),
        pytest.param("src/.gitignore", {}, True, id="rules"),
        pytest.param("src/a.ts~", {}, False, id="what an editor leaves"),
        pytest.param("src/moved", {"is_folder": True}, True, id="a folder moved here"),
        pytest.param("src/v1.2", {"deleted": True}, True, id="what may have been a folder"),
        pytest.param("node_modules/x/index.d.ts", {}, True, id="an installed package"),
        pytest.param("node_modules/.pnpm/x/index.d.ts", {}, True, id="where pnpm installs"),
        pytest.param(".next/types/a.ts", {}, False, id="a hidden folder"),
        pytest.param(".git/HEAD", {}, True, id="the branch"),
        pytest.param(".git/index", {}, False, id="the rest of git's"),
        pytest.param(".git/logs/HEAD", {}, False, id="git's log"),
        pytest.param(".git/refs/a.ts", {"deleted": True}, False, id="a branch called as code is"),
        pytest.param("typematch.db-wal", {}, False, id="the database's own log"),
        pytest.param("typematch.db", {}, False, id="the database, written"),
        pytest.param("typematch.db", {"deleted": True}, True, id="the database, deleted"),
    ],
)
def test_what_counts(path: str, how: dict[str, bool], expected: bool) -> None:
    # That the project itself lies in a hidden folder does not matter.
    root = Path("/home/me/.work/project")
    asked = {"deleted": False, "is_folder": False, **how}
    database = root / "typematch.db"
    assert counts(root / path, places=(root,), database=database, **asked) is expected


def test_folders_are_looked_at_with_all_below_them_and_files_beside_them(tmp_path: Path) -> None:
    (tmp_path / "package.json").write_text('{"name": "top", "dependencies": {"dep": "1"}}')
    (tmp_path / "src").mkdir()
    (tmp_path / "src/a.ts").write_text('export * from "dep";')
    dependency = tmp_path / "node_modules/dep"
    dependency.mkdir(parents=True)
    (dependency / "package.json").write_text('{"name": "dep", "types": "i.d.ts"}')
    (dependency / "i.d.ts").write_text("export const one: 1;")
    assert cover_of([tmp_path]).places == (tmp_path,)
    part = cover_of([tmp_path / "src"])
    installed = tmp_path / "node_modules"
    assert (part.deep, part.shallow) == ((installed, tmp_path / "src"), (tmp_path,))
    file = cover_of([tmp_path / "src/a.ts"])
    assert (file.deep, file.shallow) == ((installed,), (tmp_path, tmp_path / "src"))
    missing = cover_of([tmp_path / "not/yet/there"])
    assert missing.shallow == (tmp_path,)


def test_another_folder_in_the_place_of_one_is_another_cover(tmp_path: Path) -> None:
    place = tmp_path / "code"
    place.mkdir()
    before = cover_of([place])
    assert cover_of([place]) == before
    place.rename(tmp_path / "away")
    place.mkdir()
    assert cover_of([place]) != before


def git(folder: Path, *words: str) -> None:
    who = ["-c", "user.name=t", "-c", "user.email=t@t", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", "-C", str(folder), *who, *words], check=True, capture_output=True)


def test_branches_of_a_working_tree_and_of_one_beside_it(tmp_path: Path) -> None:
    main, beside = tmp_path / "main", tmp_path / "beside"
    main.mkdir()
    assert repository_of(main) is None
    git(main, "init", "-q", "-b", "trunk")
    assert branches([main / "src", main]) == {main / ".git": "trunk"}
    git(main, "commit", "-q", "--allow-empty", "-m", "x")
    git(main, "worktree", "add", "-q", "-b", "topic/x", str(beside))
    assert list(branches([beside]).values()) == ["topic/x"]
    git(beside, "checkout", "-q", "--detach")
    [detached] = branches([beside]).values()
    assert len(detached) == 10


# What is told ------------------------------------------------------------------------------------

AT = datetime(2026, 1, 2, 3, 4, 5)
ROOT = Path("/work")


@pytest.mark.parametrize(
    ("done", "expected"),
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
            id="many, and what failed",
        ),
        pytest.param(
            IndexCycle(
                (("changed", ROOT / ".git/HEAD"),),
                (("main", "topic"),),
                report=IndexReport(5, 3, 3),
            ),
            ["03:04:05  branch main -> topic: no change of content; 5 entries now, 0.0 s"],
            id="a branch",
        ),
        pytest.param(
            IndexCycle(error=SourceError("there is nothing", "src", "Name another.")),
            [
                "03:04:05  looked: not indexed: src: there is nothing\n"
                "          Name another."
            ],
            id="an error",
        ),
    ],
)  # fmt: skip
def test_what_a_round_did_is_told(done: IndexCycle, expected: list[str]) -> None:
    assert list(round_lines(done, ROOT, AT)) == expected
    assert round_document(done)["format"] == "typematch.watch/1"


# Beside changes ----------------------------------------------------------------------------------


class Watched:
    """A folder that is watched into ``database``, and what the rounds did."""

    def __init__(self, folder: Path, database: Path) -> None:
        self.folder = folder
        self.database = database
        self.done: queue.SimpleQueue[IndexCycle] = queue.SimpleQueue()
        self.stop = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        for done in rounds([self.folder], self.database, self.stop, model=None):
            self.done.put(done)

    def await_truth(self) -> None:
        """Wait until the database says what a fresh one says."""
        changed = time.monotonic()
        expected = fresh(self.folder)
        while dumped(self.database) != expected:
            assert time.monotonic() - changed < WITHIN, "the database is not true in time"
            time.sleep(0.05)

    def rounds(self) -> list[IndexCycle]:
        """Return the rounds since the last time, once there are no more."""
        time.sleep(1.0)
        return [self.done.get() for _ in range(self.done.qsize())]

    def close(self) -> None:
        self.stop.set()
        self._thread.join(timeout=10)
        assert not self._thread.is_alive()


def fresh(folder: Path) -> list[str]:
    with tempfile.TemporaryDirectory() as apart:
        database = Path(apart) / "fresh.db"
        with Catalog(database) as catalog:
            catalog.add(folder, model=None)
        return dumped(database)


@contextmanager
def watching(folder: Path, database: Path) -> Iterator[Watched]:
    watched = Watched(folder, database)
    try:
        first = watched.done.get(timeout=60)
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
def test_files_that_are_edited_added_renamed_and_deleted(project: Path) -> None:
    # The database lies beside what is watched, and does not wake it.
    with watching(project, project / "typematch.db") as watched:
        for number in range(10):
            write(project / f"src/f{number}.ts", number + 100)
        watched.await_truth()
        deep = project / "src/new/deep"
        deep.mkdir(parents=True)
        write(deep / "more.ts", 50)
        (project / "src/f1.ts").rename(project / "src/moved.ts")
        (project / "src/f2.ts").unlink()
        watched.await_truth()
        (project / "src/new").rename(project / "elsewhere")
        watched.await_truth()
        shutil.rmtree(project / "elsewhere")
        watched.await_truth()
        assert all(done.error is None for done in watched.rounds())
        (project / "src/f3.ts").touch()
        (project / "src/notes.txt").write_text("no code")
        assert [done for done in watched.rounds() if not done.is_idle] == []


@pytest.mark.slow
def test_another_branch(project: Path, tmp_path: Path) -> None:
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
        watched.await_truth()
        told = [done.branches for done in watched.rounds()]
        assert (("topic", "trunk"),) in told


@pytest.mark.slow
def test_a_place_that_goes_and_comes_again(project: Path, tmp_path: Path) -> None:
    with watching(project / "src", tmp_path / "t.db") as watched:
        (project / "src").rename(project / "away")
        done = watched.done.get(timeout=WITHIN)
        while done.error is None:
            done = watched.done.get(timeout=WITHIN)
        assert isinstance(done.error, SourceError)
        (project / "away").rename(project / "src")
        write(project / "src/f1.ts", 300)
        watched.await_truth()
        # It is another folder than the one that was looked at first, and is looked at all the same.
        time.sleep(1.0)
        write(project / "src/f2.ts", 301)
        watched.await_truth()


@pytest.mark.slow
def test_the_database_is_made_again_when_it_was_deleted(project: Path) -> None:
    with watching(project, project / "typematch.db") as watched:
        (project / "typematch.db").unlink()
        (project / "typematch.db-wal").unlink(missing_ok=True)
        (project / "typematch.db-shm").unlink(missing_ok=True)
        while not (project / "typematch.db").exists():
            watched.done.get(timeout=WITHIN)
        watched.await_truth()


def test_another_process_that_writes_is_waited_for(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    added = Catalog.add
    refused = threading.Event()

    def refuse_once(catalog: Catalog, *words: object, **options: object) -> IndexReport:
        if watched.done.empty() and not refused.is_set() and armed.is_set():
            refused.set()
            raise LockedError(str(catalog.path))
        return added(catalog, *words, **options)  # type: ignore[arg-type]

    armed = threading.Event()
    with watching(project, tmp_path / "t.db") as watched:
        monkeypatch.setattr(Catalog, "add", refuse_once)
        armed.set()
        write(project / "src/f1.ts", 400)
        done = watched.done.get(timeout=WITHIN)
        assert isinstance(done.error, LockedError)
        # Nothing changes any more, and yet it is tried again.
        assert watched.done.get(timeout=WITHIN).indexed == 1


def test_what_is_fetched_is_not_watched(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="does not change"):
        next(rounds(["npm:x"], tmp_path / "t.db", threading.Event()))


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="no list of processes in /proc")
@pytest.mark.parametrize("way", ["interrupted", "killed"])
def test_a_server_keeps_its_database_true_and_leaves_no_process(
    way: str, project: Path, tmp_path: Path
) -> None:
    database = str(tmp_path / "not-there-yet.db")
    words = ("--port", "0", "--workers", "1", "--seconds", "60", "--watch", str(project))
    command = typematch("serve", *words, "--db", database)
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment()) as server:
        assert server.stdout is not None
        [address] = re.findall(r"http://[\d.]+:\d+", server.stdout.readline())
        await_hit(address, "f1", "project#f1", seconds=60)
        write(project / "src/new.ts", 700)
        await_hit(address, "f700", "project#f700", seconds=WITHIN)
        family = family_of(server.pid)
        assert len(family) > 2
        server.send_signal(signal.SIGINT if way == "interrupted" else signal.SIGKILL)
    ended = time.monotonic() + 10
    while any(map(is_alive, family)):
        assert time.monotonic() < ended, "processes are left behind"
        time.sleep(0.1)


def await_hit(address: str, query: str, id_: str, *, seconds: float) -> None:
    end = time.monotonic() + seconds
    found: list[str] = []
    while id_ not in found:
        assert time.monotonic() < end, found
        answer = httpx.get(f"{address}/api/search", params={"q": query}, timeout=60).json()
        found = [hit["entry"]["id"] for hit in answer.get("hits", ())]


def is_alive(process: int) -> bool:
    try:
        said = Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return False
    return said.rpartition(")")[2].split()[0] != "Z"
