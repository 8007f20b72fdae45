"""A reader sees one state of the file while other processes write."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from typematch.catalog import Catalog
from typematch.config import Location
from typematch.errors import UsageError
from typematch.index.engines.engine import BUSY_SECONDS
from typematch.ir.entry import Entry


@pytest.fixture
def code(tmp_path: Path) -> Path:
    folder = tmp_path / "code"
    folder.mkdir()
    (folder / "package.json").write_text('{"name": "code"}')
    return folder


def write(code: Path, alias: str, *, database: Location) -> None:
    (code / "alias.ts").write_text(f"export type Alias = {alias};")
    (code / "use.ts").write_text(
        'import { Alias } from "./alias";\nexport declare function use(a: Alias): Date;'
    )
    with Catalog(database) as writer:
        writer.add(code, model=None)


@pytest.fixture
def reader(code: Path, tmp_path: Path) -> Iterator[Catalog]:
    database = tmp_path / "t.db"
    write(code, "string", database=database)
    with Catalog(database, create=False) as catalog:
        yield catalog


def fits(reader: Catalog, signature: str) -> bool:
    found = reader.search(f"{signature} pkg:code is:assignable", limit=None)
    return [hit.entry.id for hit in found] == ["code#use"]


def test_the_next_search_sees_what_another_process_wrote(reader: Catalog, code: Path) -> None:
    assert fits(reader, "(a: string) => Date")
    assert not fits(reader, "(a: number) => Date")
    assert "string" in reader.references("code#use").declarations[0].text
    write(code, "number", database=reader.path)
    assert fits(reader, "(a: number) => Date")
    assert not fits(reader, "(a: string) => Date")
    assert "number" in reader.references("code#use").declarations[0].text


def test_a_search_sees_one_state_of_the_file(
    reader: Catalog, code: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A write between two reads of one search does not change its result."""
    store = reader._store
    read_entries = store.entries

    def write_before_reading(numbers: Sequence[int]) -> list[Entry]:
        (code / "alias.ts").unlink()
        (code / "use.ts").unlink()
        (code / "other.ts").write_text("export declare function other(): Date;")
        with Catalog(reader.path) as writer:
            writer.add(code, model=None)
        return read_entries(numbers)

    with monkeypatch.context() as patched:
        patched.setattr(store, "entries", write_before_reading)
        found = reader.search("use pkg:code")
    assert [hit.entry.id for hit in found] == ["code#use"]
    assert [hit.entry.id for hit in reader.search("name:* pkg:code")] == ["code#other"]


def test_a_search_leaves_no_transaction_open(reader: Catalog, code: Path) -> None:
    reader.search("use")
    with pytest.raises(ValueError, match="stop here"):
        list(_failing(reader))
    # The same catalog can write now.
    (code / "more.ts").write_text("export declare const more: 1;")
    reader.add(code, model=None)
    assert reader.get("code#more").name == "more"


def _failing(reader: Catalog) -> Iterator[None]:
    for entry in reader.entries("code"):
        reader.get(entry.id)
        raise ValueError("stop here")
    yield


def test_a_catalog_cannot_write_within_its_own_snapshot(reader: Catalog, code: Path) -> None:
    with reader.snapshot():
        reader.get("code#use")
        with pytest.raises(UsageError, match="while a snapshot of it is read"):
            reader.add(code, model=None)
    assert reader.add(code, model=None).files


def test_a_writer_does_not_wait_for_long_readers(reader: Catalog, code: Path) -> None:
    with reader.snapshot():
        assert fits(reader, "(a: string) => Date")
        start = time.monotonic()
        write(code, "number", database=reader.path)
        assert time.monotonic() - start < BUSY_SECONDS
        assert fits(reader, "(a: string) => Date")
    assert fits(reader, "(a: number) => Date")


@pytest.mark.slow
def test_a_reader_never_sees_half_a_package(code: Path, tmp_path: Path) -> None:
    """Two files of a package change together many times; every result has both or none."""
    database = tmp_path / "t.db"

    def generation(number: int) -> None:
        for file in ("one", "two"):
            text = f"export declare function {file}{number}(a: string): {number};\n"
            (code / f"{file}.ts").write_text(text)
        with Catalog(database) as writer:
            writer.add(code, model=None)

    def write_on() -> None:
        for number in range(1, 25):
            generation(number)

    generation(0)
    writing = threading.Thread(target=write_on)
    seen = []
    with Catalog(database, create=False) as reader:
        writing.start()
        while writing.is_alive():
            found = reader.search("(a: string) => _  pkg:code  is:assignable", limit=None)
            seen.append(sorted(hit.entry.name for hit in found))
        writing.join()
    assert [names for names in seen if len({name[3:] for name in names}) != 1] == []
    assert all(len(names) == 2 for names in seen)
    assert len({tuple(names) for names in seen}) > 2
