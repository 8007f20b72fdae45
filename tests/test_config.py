from __future__ import annotations

from pathlib import Path

import pytest

from typematch.config import database_path
from typematch.errors import MissingDatabaseError


def test_what_is_given_counts_most(tmp_path: Path) -> None:
    found = database_path("mine.db", {"TYPEMATCH_DB": "other.db"}, tmp_path)
    assert found == Path("mine.db")


def test_then_the_environment(tmp_path: Path) -> None:
    assert database_path(None, {"TYPEMATCH_DB": "other.db"}, tmp_path) == Path("other.db")


def test_then_the_nearest_one_upward(tmp_path: Path) -> None:
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    (tmp_path / "typematch.db").touch()
    assert database_path(None, {}, inner) == tmp_path.resolve() / "typematch.db"
    (tmp_path / "a" / "typematch.db").touch()
    assert database_path(None, {}, inner) == tmp_path.resolve() / "a" / "typematch.db"


NOWHERE = Path("/there is no such folder/inside")


def test_without_any_a_new_one_is_for_those_who_create() -> None:
    assert database_path(None, {}, NOWHERE, create=True) == NOWHERE / "typematch.db"


def test_without_any_a_reader_is_told_how_to_make_one() -> None:
    with pytest.raises(MissingDatabaseError, match="typematch index"):
        database_path(None, {}, NOWHERE)
