from __future__ import annotations

from pathlib import Path

import pytest

from typematch.config import cache_folder, database_path


def test_an_explicit_path_takes_precedence(tmp_path: Path) -> None:
    path = database_path("mine.db", {"TYPEMATCH_DB": "other.db"}, tmp_path)
    assert path == Path("mine.db")


def test_the_environment_variable_comes_next(tmp_path: Path) -> None:
    assert database_path(None, {"TYPEMATCH_DB": "other.db"}, tmp_path) == Path("other.db")


def test_the_nearest_file_in_a_parent_folder_comes_next(tmp_path: Path) -> None:
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    (tmp_path / "typematch.db").touch()
    assert database_path(None, {}, inner) == tmp_path / "typematch.db"
    (tmp_path / "a" / "typematch.db").touch()
    assert database_path(None, {}, inner) == tmp_path / "a" / "typematch.db"


def test_the_default_is_in_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Path, "is_file", lambda _: False)
    assert database_path(None, {}, tmp_path) == tmp_path / "typematch.db"


def test_the_cache_folder_is_in_the_home_folder() -> None:
    home = str(Path("/").resolve() / "home")
    assert cache_folder({"HOME": home}) == Path(home) / ".cache" / "typematch"
    assert cache_folder({}) is None
