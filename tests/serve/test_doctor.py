"""Checks of ``doctor``: installation, intact and damaged files."""

from __future__ import annotations

import importlib.metadata
import json
import random
from pathlib import Path

import pytest

from conftest import FIXTURES
from databases import copy_database
from typematch.catalog import Catalog
from typematch.errors import DamagedDatabaseError, TypematchError
from typematch.index import health
from typematch.index.engines.sqlite import open_for_writing
from typematch.index.engines.sqlite_driver import driver
from typematch.serve.cli.main import main

Output = pytest.CaptureFixture[str]


@pytest.fixture
def copy(tiny: Path, tmp_path: Path) -> Path:
    return copy_database(tiny, tmp_path / "copy.db")


def checks(database: Path, capsys: Output) -> tuple[int, dict[str, dict[str, str]]]:
    """Return the exit code, and the checks by subject."""
    code = main(["doctor", "--json", "--db", str(database)])
    document = json.loads(capsys.readouterr().out)
    assert document["format"] == "typematch.doctor/1"
    return code, {check["subject"]: check for check in document["checks"]}


def test_an_intact_file_passes(copy: Path, capsys: Output) -> None:
    code, by_subject = checks(copy, capsys)
    assert code == 0
    states = {subject: check["state"] for subject, check in by_subject.items()}
    assert (states["driver"], states["model"], states["file"]) == ("ok", "ok", "ok")
    assert "entries" in by_subject["database"]["message"]
    # The file has no vectors.
    assert states["vectors"] == "note"


def test_doctor_prints_one_line_per_check(copy: Path, capsys: Output) -> None:
    assert main(["doctor", "--db", str(copy)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("typematch ")
    assert any(line.startswith("ok    file") and "intact" in line for line in lines)


def test_missing_vectors_are_a_note(tmp_path: Path, capsys: Output) -> None:
    with Catalog(tmp_path / "t.db") as catalog:
        catalog.add(FIXTURES / "toolbox")
    assert checks(tmp_path / "t.db", capsys)[1]["vectors"]["state"] == "ok"
    with Catalog(tmp_path / "t.db") as catalog:
        catalog.add(FIXTURES / "deadline", model=None)
    waiting = checks(tmp_path / "t.db", capsys)[1]["vectors"]
    assert waiting["state"] == "note"
    assert "texts have no vector yet" in waiting["message"]


def test_vectors_of_a_missing_model_are_bad(tmp_path: Path, capsys: Output) -> None:
    with Catalog(tmp_path / "t.db") as catalog:
        catalog.add(FIXTURES / "toolbox")
    database = open_for_writing(tmp_path / "t.db")
    with database.transaction() as connection:
        connection.execute("UPDATE meta SET value = '/no/such/model' WHERE name = 'model name'")
    database.close()
    code, by_subject = checks(tmp_path / "t.db", capsys)
    assert (code, by_subject["vectors"]["state"]) == (3, "bad")
    assert "/no/such/model" in by_subject["vectors"]["message"]


def test_a_damaged_file_is_bad(copy: Path, capsys: Output) -> None:
    content = bytearray(copy.read_bytes())
    middle = len(content) // 2
    content[middle : middle + 20_000] = b"\xa5" * 20_000
    copy.write_bytes(content)
    code, by_subject = checks(copy, capsys)
    assert code == 3
    bad = [check for check in by_subject.values() if check["state"] == "bad"]
    assert bad
    assert "index again" in bad[0]["hint"]


def page_of(database: Path, table: str) -> int:
    """Return the offset of the last page of a table."""
    module = driver()
    connection = module.connect(database)
    root = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (table,))
    number = int(root.fetchone()[0])
    size = int(connection.execute("PRAGMA page_size").fetchone()[0])
    connection.close()
    offset = (number - 1) * size
    content = database.read_bytes()
    if content[offset] in (2, 5):  # an inner page: its right-most child
        offset = (int.from_bytes(content[offset + 8 : offset + 12], "big") - 1) * size
    return offset


def damaged(database: Path, offset: int, content: bytes) -> None:
    data = bytearray(database.read_bytes())
    data[offset : offset + len(content)] = content
    database.write_bytes(data)


@pytest.mark.parametrize(
    ("table", "part"),
    [
        ("entry", "table entry"),
        ("fragment", "table fragment"),
        ("type", "table type"),
        ("entry_by_package", "table entry or its indexes"),
        ("text_data", "full text text"),
    ],
)
def test_damage_names_the_part_and_the_packages(
    table: str, part: str, copy: Path, capsys: Output
) -> None:
    damaged(copy, page_of(copy, table), bytes(4096))
    code, by_subject = checks(copy, capsys)
    assert (code, by_subject["file"]["state"]) == (3, "bad")
    assert part in by_subject["file"]["message"]
    assert "Delete the file and index again: " in by_subject["file"]["hint"]
    assert "toolbox" in by_subject["file"]["hint"]


@pytest.mark.parametrize(("table", "column"), [("entry", "blob"), ("file", "summary")])
def test_contents_that_cannot_be_decoded_name_their_package(
    table: str, column: str, copy: Path, capsys: Output
) -> None:
    database = open_for_writing(copy)
    with database.transaction() as connection:
        connection.execute(
            f"UPDATE {table} SET {column} = x'ff' WHERE id = (SELECT max(e.id) FROM {table} e "
            "JOIN package p ON p.id = e.package WHERE p.name = 'toolbox')"
        )
    database.close()
    message = checks(copy, capsys)[1]["file"]["message"]
    assert "not readable: toolbox" in message


def test_a_file_that_is_cut_off_says_so_and_what_it_held(copy: Path, capsys: Output) -> None:
    content = copy.read_bytes()
    copy.write_bytes(content[: len(content) * 9 // 10])
    code, by_subject = checks(copy, capsys)
    assert (code, by_subject["database"]["state"]) == (3, "bad")
    assert "its end is missing" in by_subject["database"]["message"]
    assert "toolbox" in by_subject["database"]["hint"]
    with pytest.raises(DamagedDatabaseError, match=r"index again: .*toolbox"):
        Catalog(copy, create=False)


def test_a_schema_that_is_no_text_is_damage(copy: Path) -> None:
    content = copy.read_bytes()
    assert b"CREATE TABLE entry (" in content
    copy.write_bytes(content.replace(b"CREATE TABLE entry (", b"CREATE TABLE \xc5ntry \xff"))
    with pytest.raises(DamagedDatabaseError) as caught, Catalog(copy, create=False) as catalog:
        catalog.search("split a list")
    assert "typematch doctor" in caught.value.hint


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(30))
def test_no_damage_is_a_traceback_and_none_that_a_search_meets_is_silent(
    seed: int, copy: Path
) -> None:
    chance = random.Random(seed)
    content = bytearray(copy.read_bytes())
    first, second = (chance.randrange(len(content) // 4096) * 4096 for _ in range(2))
    match seed % 5:
        case 0:
            content[first : first + 4096] = bytes(4096)
        case 1:
            content[first : first + 4096] = chance.randbytes(4096)
        case 2:
            for _ in range(20):
                content[first + chance.randrange(4096)] ^= 1 << chance.randrange(8)
        case 3:
            del content[first + chance.randrange(4096) :]
        case _:
            page = content[first : first + 4096]
            content[first : first + 4096] = content[second : second + 4096]
            content[second : second + 4096] = page
    copy.write_bytes(content)

    found = True
    try:
        found = health.file_health(copy).damage is not None
    except TypematchError as error:
        assert error.hint  # noqa: PT017
    met = False
    try:
        with Catalog(copy, create=False) as catalog:
            for query in ("split a list", "(x: string) => number", "kind:class"):
                catalog.search(query)
            assert len(list(catalog.entries())) >= 0
    except TypematchError as error:
        assert error.hint  # noqa: PT017
        met = True
    assert found or not met


def test_an_unfinished_index_run_is_a_note(copy: Path, capsys: Output) -> None:
    database = open_for_writing(copy)
    with database.transaction() as connection:
        connection.execute("INSERT INTO pending SELECT id FROM symbol LIMIT 1")
    database.close()
    code, by_subject = checks(copy, capsys)
    assert (code, by_subject["file"]["state"]) == (0, "note")
    assert "did not finish" in by_subject["file"]["message"]


@pytest.mark.parametrize("content", [b"no database", None, b""])
def test_a_missing_or_invalid_file_is_bad(
    content: bytes | None, tmp_path: Path, capsys: Output
) -> None:
    if content is not None:
        (tmp_path / "t.db").write_bytes(content)
    code, by_subject = checks(tmp_path / "t.db", capsys)
    assert (code, by_subject["database"]["state"]) == (3, "bad")
    assert str(tmp_path / "t.db") in by_subject["database"]["message"]
    assert by_subject["database"]["hint"]


def test_missing_optional_packages_are_notes(
    copy: Path, monkeypatch: pytest.MonkeyPatch, capsys: Output
) -> None:
    def not_found(package: str) -> str:
        raise importlib.metadata.PackageNotFoundError(package)

    monkeypatch.setattr("typematch.serve.cli.catalog_commands.doctor.version", not_found)
    monkeypatch.setattr("typematch.serve.cli.catalog_commands.doctor.shutil.which", lambda _: None)
    code, by_subject = checks(copy, capsys)
    assert code == 0
    assert by_subject["mcp"]["state"] == by_subject["npm"]["state"] == "note"
    assert "pip install 'typematch[mcp]'" in by_subject["mcp"]["hint"]


def test_exactly_one_driver_is_used(copy: Path) -> None:
    drivers = health.drivers()
    assert [driver.is_used for driver in drivers].count(True) == 1
    assert all(driver.version for driver in drivers)
    assert health.file_health(copy).damage is None
