"""Several runs write one schema of a server at the same time."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import pytest

import typematch
from databases import Server, copy_schema, not_waiting
from typematch.config import location_of
from typematch.index.dump import dump
from typematch.index.engines import locations
from typematch.index.engines.engine import DriverConnection
from typematch.index.engines.postgres import PostgresDatabase

# Two projects that depend on one package, each in a version of its own.
_PROJECTS = {
    "one": "export interface Shared { a: string }\nexport interface Only1 { s: Shared }\n",
    "two": "export interface Shared { a: string; b?: Date }\nexport interface Only2 { n: 2 }\n",
}


def write_project(root: Path, name: str, shared: str, result: str = "string") -> Path:
    project = root / name
    dependency = project / "node_modules" / "shared"
    dependency.mkdir(parents=True, exist_ok=True)
    (project / "package.json").write_text(
        f'{{"name": "{name}", "types": "index.ts", "dependencies": {{"shared": "1"}}}}'
    )
    (project / "index.ts").write_text(
        'import { Shared } from "shared";\n'
        f"export interface Own{name} extends Shared {{ own: {result} }}\n"
        f"export declare function use{name}(x: Own{name}, y: Shared): {result};\n"
    )
    (dependency / "package.json").write_text('{"name": "shared", "types": "index.d.ts"}')
    (dependency / "index.d.ts").write_text(shared)
    return project


@pytest.fixture(scope="module")
def seed(server: Server, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The schema of a catalog with the library."""
    folder = tmp_path_factory.mktemp("seed")
    (folder / "seed.ts").write_text("export const seed = 1;")
    with typematch.open(server.url("seed")) as catalog:
        catalog.add(folder / "seed.ts", model=None)
    return "seed"


@pytest.fixture
def make(server: Server, seed: str) -> Callable[[str], str]:
    """Return a function that copies the seed to a new schema and returns its address."""

    def made(name: str) -> str:
        server.execute(f"DROP SCHEMA IF EXISTS {name} CASCADE")
        copy_schema(server, seed, name)
        return server.url(name)

    return made


def index(url: str, *paths: Path) -> None:
    with typematch.open(url, create=False) as catalog:
        catalog.add(*paths, model=None)


def contents(url: str) -> list[str]:
    with closing(locations.open_for_reading(location_of(url))) as database:
        return dump(database)


@contextmanager
def before_transaction(
    monkeypatch: pytest.MonkeyPatch, count: int, action: Callable[[], None]
) -> Iterator[None]:
    """Do something before the transaction with that number, from 0."""
    transaction = PostgresDatabase.transaction
    begun = 0

    @contextmanager
    def interrupted(database: PostgresDatabase) -> Iterator[DriverConnection]:
        nonlocal begun
        begun += 1
        if begun == count + 1:
            action()
        with transaction(database) as connection:
            yield connection

    with monkeypatch.context() as patch:
        patch.setattr(PostgresDatabase, "transaction", interrupted)
        yield


def test_a_run_between_any_two_transactions_of_another_loses_nothing(
    make: Callable[[str], str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shared = _PROJECTS["one"]
    one, two = (write_project(tmp_path, name, shared) for name in ("one", "two"))
    expected_url = make("in_turn")
    index(expected_url, one)
    index(expected_url, two)
    expected = contents(expected_url)
    count, happened = 0, True
    while happened:
        url, happened = make("between"), False

        def other(url: str = url) -> None:
            nonlocal happened
            happened = True
            index(url, two)

        with before_transaction(monkeypatch, count, other):
            index(url, one)
        if happened:
            assert contents(url) == expected, f"before transaction {count}"
        count += 1
    assert count > 5


@pytest.mark.parametrize("killed_after", [1, 2, 4])
def test_a_killed_run_beside_another_is_completed_by_the_next(
    make: Callable[[str], str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    killed_after: int,
) -> None:
    """The killed one changes a declaration that files of both depend on."""
    one, two = (write_project(tmp_path, name, shared) for name, shared in _PROJECTS.items())
    start = make("start")
    index(start, one)
    write_project(tmp_path, "one", _PROJECTS["one"], "number")
    for count in range(6):
        url = make("killed")

        def killed(url: str = url) -> None:
            def kill() -> None:
                raise KeyboardInterrupt

            with (
                before_transaction(monkeypatch, killed_after, kill),
                pytest.raises(KeyboardInterrupt),
            ):
                index(url, two)

        index(url, one)
        write_project(tmp_path, "one", _PROJECTS["one"], f"{count}")
        with before_transaction(monkeypatch, count, killed):
            index(url, one)
        index(url, two)
        index(url, one)
        fresh = make("fresh")
        for project in (one, two, one):
            index(fresh, project)
        assert contents(url) == contents(fresh), f"killed before transaction {count}"


def test_two_jobs_at_once_store_what_one_after_the_other_stores(
    server: Server, tmp_path: Path
) -> None:
    projects = [write_project(tmp_path, name, _PROJECTS["one"]) for name in ("one", "two", "three")]
    expected = server.url("jobs_in_turn")
    for project in projects:
        with typematch.open(expected) as catalog:
            catalog.add(project, model=None)
    url = server.url("jobs_at_once")
    jobs = [
        subprocess.Popen(
            [sys.executable, "-m", "typematch", "index", str(project), "--db", url, "--no-vectors"],
            stdout=subprocess.DEVNULL,
        )
        for project in projects
    ]
    assert [job.wait() for job in jobs] == [0, 0, 0]
    assert contents(url) == contents(expected)
    assert not server.execute("SELECT * FROM jobs_at_once.claim")


def test_a_run_waits_while_another_writes_the_same_package(make: Callable[[str], str]) -> None:
    url = location_of(make("same"))
    with (
        closing(locations.open_for_reading(url)) as first,
        closing(locations.open_for_reading(url)) as second,
        ExitStack() as other,
    ):
        other.enter_context(first.writing(("shop",), not_waiting))
        waits = []

        def waiting(what: str, seconds: float) -> None:
            waits.append((what, seconds))
            if len(waits) == 3:
                other.close()

        with second.writing(("shop", "bakery"), waiting):
            pass
        assert [what for what, _ in waits] == ["shop"] * 3
        assert waits[-1][1] > 0


def test_a_run_that_gives_up_waiting_holds_no_package(make: Callable[[str], str]) -> None:
    url = location_of(make("given_up"))

    def interrupt(what: str, seconds: float) -> None:  # noqa: ARG001
        raise KeyboardInterrupt

    with (
        closing(locations.open_for_reading(url)) as first,
        closing(locations.open_for_reading(url)) as second,
        closing(locations.open_for_reading(url)) as third,
        first.writing(("shop",), not_waiting),
    ):
        with (
            pytest.raises(KeyboardInterrupt),
            second.writing(("bakery", "shop"), interrupt),
        ):
            pass
        with third.writing(("bakery",), not_waiting):
            pass


def _restore_sigint() -> None:
    """A shell without job control starts what runs in the background with SIGINT ignored."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.mark.parametrize("ends", ["the other run", "Ctrl-C"])
def test_the_command_says_what_it_waits_for(
    make: Callable[[str], str], tmp_path: Path, ends: str
) -> None:
    url = make("said")
    project = write_project(tmp_path, "one", _PROJECTS["one"])
    index(url, project)
    command = [sys.executable, "-m", "typematch", "index", str(project), "--db", url]
    with closing(locations.open_for_reading(location_of(url))) as other, ExitStack() as run:
        run.enter_context(other.writing(("one",), not_waiting))
        job = subprocess.Popen(
            [*command, "--no-vectors"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            preexec_fn=_restore_sigint,
        )
        with job:
            assert job.stdout is not None
            assert job.stderr is not None
            line = job.stderr.readline()
            assert line == (
                "typematch: waiting for another run that writes one; Ctrl-C ends the wait\n"
            )
            if ends == "Ctrl-C":
                job.send_signal(signal.SIGINT)
                assert job.wait(60) == 130
                return
            run.close()
            printed = job.stdout.read()
            assert job.wait() == 0
    assert "       0  indexed\n" in printed
    [note] = [line for line in printed.splitlines() if line.startswith("Note: waited")]
    assert note.endswith(" s for another run that wrote one; nothing had changed")


def test_a_job_beside_another_is_complete(
    make: Callable[[str], str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its next run does not look at every file, unless the other has replaced one of them."""
    one, two = (write_project(tmp_path, name, _PROJECTS["one"]) for name in ("one", "two"))
    url = make("beside")

    def other() -> None:
        index(url, two)

    for count in range(4):
        url = make("beside")
        with before_transaction(monkeypatch, count, other):
            index(url, one)
        assert are_complete(url, one, two) == [True, True], f"before transaction {count}"
    write_project(tmp_path, "two", _PROJECTS["two"])
    write_project(tmp_path, "one", _PROJECTS["one"], "number")
    with before_transaction(monkeypatch, 4, other):
        index(url, one)
    assert are_complete(url, one, two) == [False, True]
    index(url, one)
    assert are_complete(url, one, two) == [True, False]


def are_complete(url: str, *projects: Path) -> list[bool]:
    """Return whether each is complete: its next run would change nothing."""

    class ChangedError(Exception):
        """The run begins to change something."""

    def change(*_: object) -> None:
        raise ChangedError

    found = []
    for project in projects:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("typematch.ingest.run._Run._update", change)
            try:
                index(url, project)
                found.append(True)
            except ChangedError:
                found.append(False)
    return found
