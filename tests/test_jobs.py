"""Indexing in several processes: the same contents as in one, whatever happens to a process."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

import typematch
from typematch.child_processes import workers
from typematch.errors import UsageError, WorkerError
from typematch.index.dump import dump
from typematch.index.masks.computed_masks import ComputedMasks, MaskTask
from typematch.index.sql_store import open_store
from typematch.ingest.run import run
from typematch.serve.cli.main import main

_FIXTURES = Path(__file__).parent.parent / "fixtures"
_PATHS = [_FIXTURES / name for name in ("bookshop", "deadline", "stores", "toolbox", "petshop")]


@pytest.fixture(autouse=True)
def _few_files_suffice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("typematch.ingest.parsing_ahead._MIN_FILES", 1)
    monkeypatch.setattr("typematch.ingest.parsing_ahead._BATCH", 2)
    monkeypatch.setattr("typematch.index.masks.mask_pass._MIN_PER_PROCESS", 1)
    monkeypatch.setattr("typematch.index.masks.mask_pass._BATCH", 100)


def indexed(
    path: Path,
    paths: Sequence[Path],
    jobs: int,
    progress: Callable[[str, int, int, str], None] | None = None,
) -> list[str]:
    """Index ``paths`` into the file ``path``; return its dump."""
    store = open_store(path)
    try:
        run(paths, store, progress, jobs=jobs)
        return dump(store.database)
    finally:
        store.close()


def test_the_contents_do_not_depend_on_the_number_of_processes(tmp_path: Path) -> None:
    one = indexed(tmp_path / "1.db", _PATHS, 1)
    assert len(one) > 1_000
    for jobs in (2, 3):
        assert indexed(tmp_path / f"{jobs}.db", _PATHS, jobs) == one


def test_the_contents_do_not_depend_on_how_many_rows_are_inserted_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    at_once = indexed(tmp_path / "1.db", _PATHS, 1)
    monkeypatch.setattr("typematch.index.file_writer._ENTRIES_IN_MEMORY", 3)
    assert indexed(tmp_path / "2.db", _PATHS, 1) == at_once


def test_a_change_is_indexed_as_in_one_process(tmp_path: Path) -> None:
    project = tmp_path / "shop"
    write(project, {"package.json": '{"name": "shop", "types": "index.ts"}'})
    write(project, {"index.ts": 'export * from "./a";\n', "a.ts": "export type A = string[];\n"})
    for name in ("1.db", "2.db"):
        indexed(tmp_path / name, [project], 2)
    write(project, {"a.ts": 'import { B } from "./b";\nexport type A = B[];\n'})
    write(project, {"b.ts": "export interface B { size: number }\n"})
    assert indexed(tmp_path / "2.db", [project], 2) == indexed(tmp_path / "1.db", [project], 1)


def test_a_file_that_cannot_be_pickled_or_parsed_is_indexed_as_in_one_process(
    tmp_path: Path,
) -> None:
    project = tmp_path / "deep"
    deep = f"export type Deep = {'Array<' * 400}string{'>' * 400};\n"
    write(project, {"package.json": '{"name": "deep", "types": "index.ts"}', "deep.ts": deep})
    write(project, {"index.ts": 'export * from "./deep";\nexport * from "./missing";\n'})
    write(project, {"api.yaml": "openapi: 3.0.0\npaths: [1\n"})
    reports = []
    for jobs in (1, 2):
        with typematch.open(tmp_path / f"{jobs}.db") as catalog:
            reports.append(catalog.add(project, model=None, jobs=jobs))
    assert reports[0] == reports[1]
    assert reports[0].failed
    stores = [open_store(tmp_path / f"{jobs}.db") for jobs in (1, 2)]
    assert dump(stores[0].database) == dump(stores[1].database)
    for store in stores:
        store.close()


def test_a_killed_process_ends_the_run_with_a_sentence_and_the_next_run_completes_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    database = tmp_path / "t.db"
    arguments = ["index", *map(str, _PATHS), "--db", str(database), "--no-vectors", "--jobs", "2"]
    with monkeypatch.context() as patch:
        patch.setattr("typematch.index.masks.mask_pass._mask_computer", killed)
        assert main(arguments) == WorkerError.exit_code == 3
    assert "was killed" in capsys.readouterr().err
    with typematch.open(database, create=False) as catalog:
        assert catalog.get("toolbox#chunk").name == "chunk"
    assert indexed(database, _PATHS, 2) == indexed(tmp_path / "fresh.db", _PATHS, 1)


def killed(_: Path) -> Callable[[Sequence[MaskTask]], list[ComputedMasks]]:
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError


def test_an_interrupt_ends_the_processes_and_the_next_run_completes_the_work(
    tmp_path: Path,
) -> None:
    def interrupt(phase: str, done: int, total: int, unit: str) -> None:  # noqa: ARG001
        if phase == "types":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        indexed(tmp_path / "t.db", _PATHS, 2, interrupt)
    assert multiprocessing.active_children() == []
    assert indexed(tmp_path / "t.db", _PATHS, 1) == indexed(tmp_path / "fresh.db", _PATHS, 1)


@pytest.mark.parametrize("method", multiprocessing.get_all_start_methods())
def test_answers_are_in_the_order_of_the_tasks_by_each_start_method(method: str) -> None:
    context = multiprocessing.get_context(method)
    with workers(3, multiplier, 10, context=context) as multipliers:
        assert list(multipliers.map(range(20))) == [number * 10 for number in range(20)]
        assert list(multipliers.map(range(2))) == [0, 10]
        assert list(multipliers.map(())) == []
    assert multiprocessing.active_children() == []


def multiplier(factor: int) -> Callable[[int], int]:
    return lambda number: number * factor


def test_an_error_of_a_process_is_raised_in_its_parent() -> None:
    with workers(2, refuser) as refusers, pytest.raises(UsageError, match="no task"):
        list(refusers.map(range(3)))


def refuser() -> Callable[[int], int]:
    raise UsageError("no task is accepted")


@pytest.mark.skipif(sys.platform == "win32", reason="needs SIGKILL")
def test_a_process_that_is_killed_before_its_task_raises_a_worker_error() -> None:
    def tasks() -> Iterator[int]:
        yield 1
        for process in multiprocessing.active_children():
            process.kill()
            process.join()
        yield 2

    with workers(1, multiplier, 1) as multipliers, pytest.raises(WorkerError):
        list(multipliers.map(tasks()))


def test_the_number_of_processes_is_positive(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with typematch.open(tmp_path / "t.db") as catalog, pytest.raises(UsageError, match="jobs is 0"):
        catalog.add(_PATHS[0], jobs=0)
    assert main(["index", str(_PATHS[0]), "--db", str(tmp_path / "u.db"), "--jobs", "0"]) == 2
    assert "expected a positive integer, not '0'" in capsys.readouterr().err


def write(root: Path, files: dict[str, str]) -> None:
    root.mkdir(exist_ok=True)
    for name, text in files.items():
        (root / name).write_text(text, encoding="utf-8")
