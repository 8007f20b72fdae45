from __future__ import annotations

from pathlib import Path

import pytest

from typematch.serve.cli.source_links import find_source_file, path_from_here


@pytest.mark.parametrize(
    ("name", "file"),
    [
        pytest.param("rxjs/dist/a.d.ts", "node_modules/rxjs/dist/a.d.ts", id="installed"),
        pytest.param("@types/x/a.d.ts", "node_modules/@types/x/a.d.ts", id="in a scope"),
        pytest.param("mine/src/a.ts", "src/a.ts", id="the project's own"),
        pytest.param("@me/mine/src/a.ts", "src/a.ts", id="the project's own, in a scope"),
    ],
)
def test_a_source_file_is_found_from_a_subfolder(tmp_path: Path, name: str, file: str) -> None:
    (tmp_path / file).parent.mkdir(parents=True)
    (tmp_path / file).touch()
    inner = tmp_path / "some" / "where"
    inner.mkdir(parents=True)
    assert find_source_file(name, [inner]) == str(tmp_path.resolve() / file)


def test_a_missing_file_has_no_path(tmp_path: Path) -> None:
    assert find_source_file("no-such-package/index.d.ts", [tmp_path]) == ""
    assert find_source_file("lone", [tmp_path]) == ""


@pytest.mark.parametrize("name", ["/outside/a.ts", "../outside/a.ts", "p/../../outside/a.ts"])
def test_a_database_file_leads_nowhere_else(tmp_path: Path, name: str) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "a.ts").touch()
    folder = tmp_path / "project" / "p"
    folder.mkdir(parents=True)
    name = name.replace("/outside", f"{tmp_path}/outside", 1) if name[0] == "/" else name
    assert find_source_file(name, [folder.parent]) == ""


def test_a_path_is_shown_from_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path.resolve() / "src" / "a.ts"
    file.parent.mkdir()
    file.touch()
    for folder, shown in ((tmp_path, "src/a.ts"), (file.parent, "a.ts")):
        monkeypatch.chdir(folder)
        assert path_from_here("mine/src/a.ts", str(file)) == shown
    (tmp_path / "other").mkdir()
    monkeypatch.chdir(tmp_path / "other")
    assert path_from_here("mine/src/a.ts", str(file)) == "mine/src/a.ts"
    assert path_from_here("mine/src/a.ts", "") == "mine/src/a.ts"
