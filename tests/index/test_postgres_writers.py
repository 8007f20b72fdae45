"""Several runs write one schema of a server at the same time."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

import typematch
from databases import Server, copy_schema
from typematch.config import location_of
from typematch.errors import LockedError
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
    """Return the dump without what says which requests are complete."""
    with closing(locations.open_for_reading(location_of(url))) as database:
        return [line for line in dump(database) if not line.startswith("meta ('inputs")]


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


def test_the_same_package_is_written_by_one_run_at_a_time(make: Callable[[str], str]) -> None:
    url = make("same")
    with (
        closing(locations.open_for_reading(location_of(url))) as first,
        closing(locations.open_for_reading(location_of(url))) as second,
        first.writing(("shop",)),
    ):
        second.busy_seconds = 0.1
        with pytest.raises(LockedError, match="another process is writing shop"):  # noqa: SIM117
            with second.writing(("shop",)):
                pass
        with second.writing(("bakery",)):
            pass
