"""A database that cannot be opened or written says why, and loses nothing."""

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
from typematch.index.database import Database, checkpoint, open_for_reading, open_for_writing
from typematch.index.dump import dump
from typematch.index.sqlite import SqliteStore, open_store
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


def test_what_is_no_database(tmp_path: Path) -> None:
    text, other = tmp_path / "text.db", tmp_path / "other.db"
    text.write_text("once upon a time, and a very good time it was", encoding="utf-8")
    altered(other, "CREATE TABLE moocow (name TEXT)")
    for one in (text, other, tmp_path):
        for opened in (open_for_reading, open_for_writing):
            with pytest.raises(NotADatabaseError):
                opened(one)
    assert text.read_text(encoding="utf-8").startswith("once upon")


def test_damage_is_found_when_it_is_met(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[100:4096] = b"\x07" * 3996
    path.write_bytes(data)
    with pytest.raises(NotADatabaseError):
        open_for_reading(path)


def test_another_version_is_to_be_rebuilt(path: Path) -> None:
    altered(path, "PRAGMA user_version = 7")
    for opened in (open_for_reading, open_for_writing):
        with pytest.raises(WrongVersionError, match="remove the file and index again"):
            opened(path)


def test_what_is_missing(tmp_path: Path) -> None:
    with pytest.raises(MissingDatabaseError):
        open_for_reading(tmp_path / "t.db")
    with pytest.raises(DatabaseError, match="folder does not exist") as caught:
        open_for_writing(tmp_path / "nowhere" / "t.db")
    assert caught.value.exit_code == 3


def test_an_empty_file_is_taken_to_write_in(tmp_path: Path) -> None:
    empty = tmp_path / "t.db"
    empty.touch()
    open_for_writing(empty).close()
    open_for_reading(empty).close()


def test_a_file_that_was_just_being_made_is_made_anew(tmp_path: Path) -> None:
    """What a kill leaves between the making of the file and that of its tables."""
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


def test_no_permission_to_write(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(ReadOnlyError):
        open_for_writing(path)
    with pytest.raises(ReadOnlyError):
        open_for_writing(path.with_name("new.db"))
    open_for_reading(path).close()


def test_a_file_on_read_only_media_is_read(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nothing can be made beside the file, it is opened as one that never changes."""
    from typematch.index import database as module

    connect, asked = module._connect, list[str]()

    def refused(database: Database, uri: str) -> object:
        asked.append(uri)
        if "immutable" not in uri:
            raise database.module.OperationalError("unable to open database file")
        return connect(database, uri)

    monkeypatch.setattr(module, "_connect", refused)
    database = open_for_reading(path)
    assert "immutable=1" in asked[-1]
    with pytest.raises(ReadOnlyError), database.transaction() as connection:
        connection.execute("INSERT INTO meta VALUES ('a', 'b')")
    database.close()


def test_a_writer_waits_for_another_and_says_so(path: Path) -> None:
    first, second = open_for_writing(path), open_for_writing(path, busy_seconds=0.05)
    reader = open_for_reading(path)
    with first.transaction() as connection:
        connection.execute("INSERT INTO meta VALUES ('a', 'b')")
        with pytest.raises(LockedError), second.transaction():
            pass
        # Whoever reads sees what was there before.
        count = "SELECT count(*) FROM meta WHERE name = 'a'"
        assert reader.connection.execute(count).fetchone() == (0,)
    assert reader.connection.execute(count).fetchone() == (1,)
    for one in (first, second, reader):
        one.close()


def project(root: Path, name: str, count: int) -> Path:
    folder = root / name
    folder.mkdir()
    (folder / "package.json").write_text(f'{{"name": "{name}", "types": "index.d.ts"}}')
    lines = (f"export function f{n}(a: string, b: {{ n{n}: number }}): void;" for n in range(count))
    (folder / "index.d.ts").write_text("\n".join(lines), encoding="utf-8")
    return folder


def full_at_once(store: SqliteStore) -> None:
    connection = store.database.connection
    checkpoint(store.database)
    pages = connection.execute("PRAGMA page_count").fetchone()[0]
    connection.execute(f"PRAGMA max_page_count = {pages + 4}").fetchall()


@pytest.mark.slow
def test_a_full_disk_loses_nothing_that_was_there(tmp_path: Path) -> None:
    small, large = project(tmp_path, "small", 3), project(tmp_path, "large", 800)
    store = open_store(tmp_path / "t.db")
    run([small], store)
    full_at_once(store)
    with pytest.raises(DatabaseError, match="no space left"):
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


@pytest.mark.slow
def test_an_interrupt_in_the_middle_of_a_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small, large = project(tmp_path, "small", 3), project(tmp_path, "large", 30)
    store = open_store(tmp_path / "t.db")
    run([small], store)
    with monkeypatch.context() as patch:
        patch.setattr("typematch.index.writing.tell_apart", interrupted)
        with pytest.raises(KeyboardInterrupt):
            run([large], store)
    assert [entry.name for entry in store.all_entries()][-3:] == ["f0", "f1", "f2"]
    assert not list(store.all_entries("large"))
    run([large], store)
    assert len(list(store.all_entries("large"))) == 30
    store.close()


def interrupted(*_: object) -> None:
    raise KeyboardInterrupt
