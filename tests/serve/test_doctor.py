"""What doctor finds: what is there, what is missing, and files that something happened to."""

from __future__ import annotations

import importlib.metadata
import json
import shutil
from pathlib import Path

import pytest

from conftest import FIXTURES
from typematch.catalog import Catalog
from typematch.index import health
from typematch.index.database import open_for_writing
from typematch.serve.cli.main import main

Output = pytest.CaptureFixture[str]


@pytest.fixture
def copy(tiny: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(tiny, tmp_path / "copy.db"))


def checks(database: Path, capsys: Output) -> tuple[int, dict[str, dict[str, str]]]:
    """Return the exit code, and what was found by subject."""
    code = main(["doctor", "--json", "--db", str(database)])
    document = json.loads(capsys.readouterr().out)
    assert document["format"] == "typematch.doctor/1"
    return code, {one["subject"]: one for one in document["checks"]}


def test_a_sound_file(copy: Path, capsys: Output) -> None:
    code, found = checks(copy, capsys)
    assert code == 0
    states = {subject: one["state"] for subject, one in found.items()}
    assert (states["driver"], states["model"], states["file"]) == ("ok", "ok", "ok")
    assert "entries" in found["database"]["said"]
    # The file has none, which is no fault of it.
    assert states["vectors"] == "note"


def test_it_is_printed_for_people(copy: Path, capsys: Output) -> None:
    assert main(["doctor", "--db", str(copy)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("typematch ")
    assert any(line.startswith("ok    file") and "sound" in line for line in lines)


def test_the_vectors_of_a_file(tmp_path: Path, capsys: Output) -> None:
    with Catalog(tmp_path / "t.db") as catalog:
        catalog.add(FIXTURES / "toolbox")
    assert checks(tmp_path / "t.db", capsys)[1]["vectors"]["state"] == "ok"
    with Catalog(tmp_path / "t.db") as catalog:
        catalog.add(FIXTURES / "patience", model=None)
    waiting = checks(tmp_path / "t.db", capsys)[1]["vectors"]
    assert waiting["state"] == "note"
    assert "texts wait" in waiting["said"]


def test_vectors_of_a_model_that_is_not_there(tmp_path: Path, capsys: Output) -> None:
    with Catalog(tmp_path / "t.db") as catalog:
        catalog.add(FIXTURES / "toolbox")
    database = open_for_writing(tmp_path / "t.db")
    with database.transaction() as connection:
        connection.execute("UPDATE meta SET value = '/no/such/model' WHERE name = 'model name'")
    database.close()
    code, found = checks(tmp_path / "t.db", capsys)
    assert (code, found["vectors"]["state"]) == (3, "bad")
    assert "/no/such/model" in found["vectors"]["said"]


def test_a_damaged_file(copy: Path, capsys: Output) -> None:
    content = bytearray(copy.read_bytes())
    middle = len(content) // 2
    content[middle : middle + 20_000] = b"\xa5" * 20_000
    copy.write_bytes(content)
    code, found = checks(copy, capsys)
    assert code == 3
    bad = [one for one in found.values() if one["state"] == "bad"]
    assert bad
    assert "index again" in bad[0]["hint"]


def test_a_run_that_did_not_come_to_its_end(copy: Path, capsys: Output) -> None:
    database = open_for_writing(copy)
    with database.transaction() as connection:
        connection.execute("INSERT INTO pending SELECT id FROM symbol LIMIT 1")
    database.close()
    code, found = checks(copy, capsys)
    assert (code, found["file"]["state"]) == (0, "note")
    assert "did not come to its end" in found["file"]["said"]


@pytest.mark.parametrize("content", [b"no database", None, b""])
def test_a_file_that_is_no_database_or_missing(
    content: bytes | None, tmp_path: Path, capsys: Output
) -> None:
    if content is not None:
        (tmp_path / "t.db").write_bytes(content)
    code, found = checks(tmp_path / "t.db", capsys)
    assert (code, found["database"]["state"]) == (3, "bad")
    assert str(tmp_path / "t.db") in found["database"]["said"]
    assert found["database"]["hint"]


def test_what_is_not_installed(copy: Path, monkeypatch: pytest.MonkeyPatch, capsys: Output) -> None:
    def nothing(package: str) -> str:
        raise importlib.metadata.PackageNotFoundError(package)

    monkeypatch.setattr("typematch.serve.cli.catalog_commands.doctor.version", nothing)
    monkeypatch.setattr("typematch.serve.cli.catalog_commands.doctor.shutil.which", lambda _: None)
    code, found = checks(copy, capsys)
    assert code == 0
    assert found["mcp"]["state"] == found["npm"]["state"] == "note"
    assert "pip install 'typematch[mcp]'" in found["mcp"]["hint"]


def test_one_driver_is_used(copy: Path) -> None:
    drivers = health.drivers()
    assert [one.is_used for one in drivers].count(True) == 1
    assert all(one.version for one in drivers)
    assert health.file_health(copy).problems == ()
