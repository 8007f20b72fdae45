"""Which runs may be skipped: those of requests that are complete, whatever others have written."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from typematch.index.dump import dump
from typematch.index.sql_store import open_store
from typematch.ingest.run import run


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name in ("base", "one", "two"):
        write(tmp_path, name, f"export interface Of{name} {{ {name}: string }}\n")
    return tmp_path


def write(root: Path, name: str, text: str) -> None:
    folder = root / "node_modules" / name
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "package.json").write_text(f'{{"name": "{name}", "types": "index.d.ts"}}')
    (folder / "index.d.ts").write_text(text)


def index(root: Path, *names: str, database: str = "t.db") -> bool:
    """Index packages; return whether the run was skipped, as it would have changed nothing."""
    updates: list[str] = []
    with closing(open_store(root / database)) as store, pytest.MonkeyPatch.context() as patch:
        update: Callable[..., object] = vars(run_class())["_update"]

        def noted(self: object) -> object:
            updates.append("")
            return update(self)

        patch.setattr(run_class(), "_update", noted)
        run([root / "node_modules" / name for name in names], store)
    return not updates


def run_class() -> type:
    from typematch.ingest import run as module

    found: type = module._Run
    return found


def dumped(root: Path, database: str) -> list[str]:
    with closing(open_store(root / database)) as store:
        return dump(store.database)


def test_a_run_of_another_request_leaves_a_request_complete(root: Path) -> None:
    assert not index(root, "one")
    assert not index(root, "two")
    assert index(root, "one")
    assert index(root, "two")


def test_a_changed_file_ends_all_requests_that_reach_it(root: Path) -> None:
    use = 'import { Ofbase } from "base";\nexport declare function f(x: Ofbase): 1;\n'
    for name in ("one", "two"):
        write(root, name, use)
        index(root, name)
    old = "export interface Ofbase { base: string }\n"
    write(root, "base", "export interface Ofbase { base: number }\n")
    assert not index(root, "one")
    write(root, "base", old)  # now "two" reads what it was completed with
    assert not index(root, "two")
    assert not index(root, "one")
    for name in ("one", "two", "one"):
        index(root, name, database="fresh.db")
    assert dumped(root, "t.db") == dumped(root, "fresh.db")


def test_a_dependent_that_becomes_stale_ends_its_request(root: Path) -> None:
    write(root, "one", "export declare class One { then: Promise<string>['then'] }\n")
    index(root, "one")
    augmented = "{ interface Promise<T> { second(): T } }"
    write(root, "two", f"declare global {augmented}\nexport {{}};\n")
    assert not index(root, "two")
    assert not index(root, "one")
    assert index(root, "one")


def test_a_request_for_a_part_is_not_complete_when_the_whole_was_indexed(root: Path) -> None:
    index(root, "one")
    write(root, "one", "export interface Ofone { other: string }\n")
    index(root, "one", "two")
    write(root, "one", "export interface Ofone { one: string }\n")
    assert not index(root, "one")


def test_a_killed_run_of_another_request_is_completed(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    index(root, "one")

    def killed(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("typematch.index.sql_writer.complete_masks", killed)
        with pytest.raises(KeyboardInterrupt):
            index(root, "two")
    assert not index(root, "one")
    assert index(root, "one")


def test_removing_a_package_ends_the_requests_that_reach_it(root: Path) -> None:
    index(root, "one")
    index(root, "two")
    with closing(open_store(root / "t.db")) as store, store.writing(("two",)) as writer:
        writer.remove_package("two")
    assert index(root, "one")
    assert not index(root, "two")
