"""Errors of opening and writing a database; a failed write loses nothing committed."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

import pytest

from typematch.errors import (
    DatabaseError,
    LockedError,
    MissingDatabaseError,
    NotADatabaseError,
    ReadOnlyError,
    WrongVersionError,
)
from typematch.index import dump as dump_module
from typematch.index.dump import dump
from typematch.index.engines.sqlite import SqliteDatabase, open_for_reading, open_for_writing
from typematch.index.file_format import APPLICATION_ID, STAMP
from typematch.index.sql_store import SqlStore, open_store
from typematch.ingest.run import run


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A database with nothing in it."""
    made = tmp_path / "t.db"
    open_for_writing(made).close()
    return made


def altered(path: Path, statement: str) -> None:
    connection = sqlite3.connect(path)
    connection.execute(statement)
    connection.commit()
    connection.close()


def test_other_files_are_not_databases(tmp_path: Path) -> None:
    text, other = tmp_path / "text.db", tmp_path / "other.db"
    text.write_text("once upon a time, and a very good time it was", encoding="utf-8")
    altered(other, "CREATE TABLE moocow (name TEXT)")
    for file in (text, other, tmp_path):
        for opened in (open_for_reading, open_for_writing):
            with pytest.raises(NotADatabaseError):
                opened(file)
    assert text.read_text(encoding="utf-8").startswith("once upon")


def test_a_damaged_file_is_not_opened(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[100:4096] = b"\x07" * 3996
    path.write_bytes(data)
    with pytest.raises(NotADatabaseError):
        open_for_reading(path)


def test_a_file_of_another_version_is_not_opened(path: Path) -> None:
    altered(path, "PRAGMA user_version = 7")
    for opened in (open_for_reading, open_for_writing):
        with pytest.raises(WrongVersionError, match="Delete the file and index again"):
            opened(path)


def test_a_missing_file_or_folder_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(MissingDatabaseError):
        open_for_reading(tmp_path / "t.db")
    with pytest.raises(DatabaseError, match="folder does not exist") as caught:
        open_for_writing(tmp_path / "nowhere" / "t.db")
    assert caught.value.exit_code == 3


def test_an_empty_file_is_initialised(tmp_path: Path) -> None:
    empty = tmp_path / "t.db"
    empty.touch()
    open_for_writing(empty).close()
    open_for_reading(empty).close()
    connection = sqlite3.connect(empty)
    pragmas = ("application_id", "user_version")
    stamp = [connection.execute(f"PRAGMA {pragma}").fetchone()[0] for pragma in pragmas]
    connection.close()
    assert stamp == [APPLICATION_ID, STAMP]


@pytest.mark.sqlite_file
def test_a_file_whose_creation_was_interrupted_is_initialised(tmp_path: Path) -> None:
    """The state after a kill between creating the file and creating its tables."""
    path = tmp_path / "typematch.db"
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 0")
    connection.execute("CREATE TABLE passing (x)")
    connection.execute("DROP TABLE passing")
    connection.close()
    with pytest.raises(MissingDatabaseError):
        open_store(path, create=False)
    open_store(path).close()
    open_store(path, create=False).close()


def test_writing_without_permission_is_an_error(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(ReadOnlyError):
        open_for_writing(path)
    with pytest.raises(DatabaseError, match="cannot be created"):
        open_for_writing(path.with_name("new.db"))
    open_for_reading(path).close()


def test_a_file_on_read_only_media_is_read(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If no file can be created beside it, it is opened as immutable."""
    from typematch.index.engines import sqlite as module

    connect, uris = module._connect, list[str]()

    def refused(database: SqliteDatabase, uri: str) -> object:
        uris.append(uri)
        if "immutable" not in uri:
            raise database.module.OperationalError("unable to open database file")
        return connect(database, uri)

    monkeypatch.setattr(module, "_connect", refused)
    database = open_for_reading(path)
    assert "immutable=1" in uris[-1]
    with pytest.raises(ReadOnlyError), database.transaction() as connection:
        connection.execute("INSERT INTO meta VALUES ('a', 'b')")
    database.close()


def test_a_second_writer_waits_and_then_reports_a_lock(path: Path) -> None:
    first, second = open_for_writing(path), open_for_writing(path, busy_seconds=0.05)
    reader = open_for_reading(path)
    with first.transaction() as connection:
        connection.execute("INSERT INTO meta VALUES ('a', 'b')")
        with pytest.raises(LockedError), second.transaction():
            pass
        # A reader sees the state before the transaction.
        count = "SELECT count(*) FROM meta WHERE name = 'a'"
        assert reader.connection.execute(count).fetchone() == (0,)
    assert reader.connection.execute(count).fetchone() == (1,)
    for database in (first, second, reader):
        database.close()


def project(root: Path, name: str, count: int) -> Path:
    folder = root / name
    folder.mkdir()
    (folder / "package.json").write_text(f'{{"name": "{name}", "types": "index.d.ts"}}')
    lines = (f"export function f{n}(a: string, b: {{ n{n}: number }}): void;" for n in range(count))
    (folder / "index.d.ts").write_text("\n".join(lines), encoding="utf-8")
    return folder


def limit_size(store: SqlStore) -> None:
    connection = store.database.connection
    store.database.checkpoint()
    pages = connection.execute("PRAGMA page_count").fetchone()[0]
    connection.execute(f"PRAGMA max_page_count = {pages + 4}").fetchall()


@pytest.mark.slow
@pytest.mark.sqlite_file
def test_a_full_disk_loses_nothing_committed(tmp_path: Path) -> None:
    small, large = project(tmp_path, "small", 3), project(tmp_path, "large", 800)
    store = open_store(tmp_path / "t.db")
    run([small], store)
    limit_size(store)
    with pytest.raises(DatabaseError, match="no space is left"):
        run([large], store)
    store.close()

    store = open_store(tmp_path / "t.db")
    assert [entry.name for entry in store.all_entries("small")] == ["f0", "f1", "f2"]
    run([large], store)
    after = dump(store.database)
    store.close()
    fresh = open_store(tmp_path / "fresh.db")
    run([small], fresh)
    run([large], fresh)
    assert after == dump(fresh.database)
    fresh.close()


def test_a_dump_shows_one_state_while_another_process_writes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = open_store(tmp_path / "t.db")
    run([project(tmp_path, "own", 3)], store)
    before = dump(store.database)
    writer = open_for_writing(tmp_path / "t.db")
    totals = dump_module._totals

    def write_meanwhile(database: SqliteDatabase) -> list[str]:
        with writer.transaction() as connection:
            connection.execute("DELETE FROM fragment")
        return totals(database)

    monkeypatch.setattr(dump_module, "_totals", write_meanwhile)
    assert dump(store.database) == before
    writer.close()
    store.close()


@pytest.mark.slow
def test_an_interrupt_within_a_package_writes_none_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small, large = project(tmp_path, "small", 3), project(tmp_path, "large", 30)
    store = open_store(tmp_path / "t.db")
    run([small], store)
    with monkeypatch.context() as patch:
        patch.setattr("typematch.index.sql_writer.assign_unique_ids", interrupted)
        with pytest.raises(KeyboardInterrupt):
            run([large], store)
    assert [entry.name for entry in store.all_entries()][-3:] == ["f0", "f1", "f2"]
    assert not list(store.all_entries("large"))
    run([large], store)
    assert len(list(store.all_entries("large"))) == 30
    store.close()


def interrupted(*_: object) -> None:
    raise KeyboardInterrupt


def compacted(store: SqlStore) -> str:
    [(count,)] = store.database.query("SELECT value FROM meta WHERE name = 'compacted'")
    return str(count)


@pytest.mark.sqlite_file
def test_a_run_compacts_a_file_that_has_grown(tmp_path: Path) -> None:
    small, large = project(tmp_path, "small", 3), project(tmp_path, "large", 1_500)
    store, reader = open_store(tmp_path / "t.db"), None
    try:
        run([small], store)
        assert isinstance(store.database, SqliteDatabase)
        first = compacted(store)
        store.export(tmp_path / "copy.db")
        assert (tmp_path / "t.db").stat().st_size == (tmp_path / "copy.db").stat().st_size
        (small / "more.d.ts").write_text("export function more(): void;", encoding="utf-8")
        run([small], store)
        assert compacted(store) == first

        reader = SqlStore(open_for_reading(tmp_path / "t.db"))
        with reader.snapshot():  # it does not stop the run
            run([large], store)
            assert reader.count() < store.count()
        assert int(compacted(store)) > 1.5 * int(first)
        assert reader.count() == store.count()
    finally:
        store.close()
        if reader is not None:
            reader.close()


@pytest.mark.sqlite_file
def test_a_file_that_another_process_locks_is_not_compacted(path: Path) -> None:
    database, other = open_for_writing(path, busy_seconds=0.05), open_for_writing(path)
    try:
        with other.transaction():
            database.compact()
        assert not database.query("SELECT 1 FROM meta WHERE name = 'compacted'")
        assert database.query("PRAGMA temp_store") == [(2,)]
        database.compact()
        assert database.query("SELECT 1 FROM meta WHERE name = 'compacted'")
    finally:
        database.close()
        other.close()
