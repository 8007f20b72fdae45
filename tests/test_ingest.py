"""Runs over small projects on disk: what is found, what is updated, what is removed."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path

import pytest

import typematch
from databases import copy_database
from fakes.letters import LetterCountEmbedder
from typematch.errors import SourceError
from typematch.index.dump import dump
from typematch.index.engines import locations
from typematch.index.engines.engine import Database, DriverConnection
from typematch.index.sql_store import SqlStore, open_store
from typematch.index.text.full_text import full_text_query
from typematch.ingest.run import IndexReport, run

_FILES = {
    "package.json": '{"name": "shop", "version": "1.0.0", "types": "src/index.ts"}',
    "src/index.ts": 'export * from "./cart";\nexport { price as cost } from "./price";\n',
    "src/cart.ts": (
        'import { Item } from "./item";\nexport interface Cart { items: Item[] }\n'
        "export function total(cart: Cart): number { return 0 }\n"
        "export async function pay(cart: Cart) { return total(cart) }\n"
    ),
    "src/item.ts": "export type Item = { id: string; amount: number };\n",
    "src/price.ts": (
        'import { Item } from "./item";\nimport { Rate } from "./rate";\n'
        "export const price: Rate = (item) => 1;\n"
    ),
    "src/rate.ts": 'import { Item } from "./item";\nexport type Rate = (item: Item) => number;\n',
}


@pytest.fixture(scope="session")
def library_catalog(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A catalog with the standard library, copied by each test instead of indexed."""
    folder = tmp_path_factory.mktemp("library")
    write(folder, "other/index.ts", "export declare function nothing(): void;\n")
    store = open_store(folder / "t.db")
    run([folder / "other"], store)
    store.close()
    return folder / "t.db"


@pytest.fixture
def project(tmp_path: Path, library_catalog: Path) -> Path:
    for name in ("t.db", "fresh.db", *(f"fresh{step}.db" for step in range(8))):
        copy_database(library_catalog, tmp_path / name)
    root = tmp_path / "shop"
    for name, text in _FILES.items():
        write(root, name, text)
    return root


def write(root: Path, name: str, text: str) -> None:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def indexed(path: Path, root: Path) -> tuple[IndexReport, list[str]]:
    """Index ``root`` into ``path``; return the report and the dump."""
    store = open_store(path)
    try:
        report = run([root], store)
        return report, dump(store.database)
    finally:
        store.close()


def ids(path: Path) -> set[str]:
    store = open_store(path)
    try:
        return {entry.id for entry in store.all_entries("shop")}
    finally:
        store.close()


def test_all_exports_of_a_project_are_found(project: Path, tmp_path: Path) -> None:
    report, _ = indexed(tmp_path / "new.db", project)
    assert report.failed == ()
    assert report.unchanged == 0
    assert {"shop#Cart", "shop#total", "shop#pay", "shop#cost"} <= ids(tmp_path / "new.db")


def test_a_second_run_reads_nothing(project: Path, tmp_path: Path) -> None:
    first, before = indexed(tmp_path / "t.db", project)
    second, after = indexed(tmp_path / "t.db", project)
    assert (second.files, second.unchanged, second.entries) == (first.files,) * 2 + (first.entries,)
    assert after == before


def test_a_changed_declaration_updates_its_dependents(project: Path, tmp_path: Path) -> None:
    indexed(tmp_path / "t.db", project)
    write(
        project, "src/rate.ts", "export type Rate = (item: string, at: Date) => Promise<number>;\n"
    )
    report, after = indexed(tmp_path / "t.db", project)
    assert 0 < report.files - report.unchanged < report.files
    store = open_store(tmp_path / "t.db")
    cost = store.entries([store.entry_numbers(["shop#cost"])["shop#cost"]])[0]
    store.close()
    assert (cost.max_arity, cost.is_async) == (2, True)
    assert after == indexed(tmp_path / "fresh.db", project)[1]


def test_an_undocumented_main_export_has_the_description_of_its_package(
    project: Path, tmp_path: Path
) -> None:
    def documentation(path: Path) -> dict[str, str]:
        with closing(open_store(path)) as store:
            entries = store.all_entries("shop")
            return {entry.id: entry.doc.summary for entry in entries if entry.doc is not None}

    write(
        project,
        "src/index.ts",
        "export class Shop {}\nexport type shop = 1;\n/** Weigh. */\nexport function scale() {}\n"
        "export default function open() {}\nexport function close() {}\n",
    )
    indexed(tmp_path / "t.db", project)
    for number, purpose in enumerate(("Sell  things.", "Sell\nother things.")):
        manifest = {**json.loads(_FILES["package.json"]), "description": purpose}
        write(project, "package.json", json.dumps(manifest))
        after = indexed(tmp_path / "t.db", project)[1]
        assert after == indexed(tmp_path / f"fresh{number}.db", project)[1]
        described = dict.fromkeys(("shop#Shop", "shop#default"), " ".join(purpose.split()))
        assert documentation(tmp_path / "t.db") == {"shop#scale": "Weigh.", **described}


def test_changed_keywords_are_embedded_again(project: Path, tmp_path: Path) -> None:
    def indexed_with_vectors(path: Path) -> list[str]:
        with closing(open_store(path)) as store:
            run([project], store, embedder=LetterCountEmbedder)
            assert store.texts_without_vector() == 0
            return dump(store.database)

    indexed_with_vectors(tmp_path / "t.db")
    for number, keywords in enumerate((["tills", "tills"], "receipts", [1, None], [])):
        manifest = {**json.loads(_FILES["package.json"]), "keywords": keywords}
        write(project, "package.json", json.dumps(manifest))
        after = indexed_with_vectors(tmp_path / "t.db")
        assert after == indexed_with_vectors(tmp_path / f"fresh{number}.db")
        words = ("tills tills", "receipts", "", "")[number]
        assert [f"('shop', '{words}'" in line for line in after].count(True) == 1


def test_a_deleted_file_is_removed(project: Path, tmp_path: Path) -> None:
    indexed(tmp_path / "t.db", project)
    (project / "src/price.ts").unlink()
    write(project, "src/index.ts", 'export * from "./cart";\n')
    report, after = indexed(tmp_path / "t.db", project)
    assert report.removed == 1
    assert "shop#cost" not in ids(tmp_path / "t.db")
    assert after == indexed(tmp_path / "fresh.db", project)[1]


def test_ids_stay_unique_if_one_already_ends_in_a_suffix(project: Path, tmp_path: Path) -> None:
    # In each file, the type and the function of one name already have the ids `both` and `both~2`.
    both = "export interface both { a: 1 }\nexport const both = (a: string): number => 1;\n"
    write(project, "src/one.ts", both)
    write(project, "src/two.ts", both)
    report, _ = indexed(tmp_path / "t.db", project)
    assert report.failed == ()
    known = ids(tmp_path / "t.db")
    found = {name for name in known if name.startswith("shop#both") and not name.endswith("#a")}
    assert found == {"shop#both", "shop#both~2", "shop#both~2~2", "shop#both~2~3"}


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_an_index_after_edits_equals_a_fresh_one(project: Path, tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    indexed(tmp_path / "t.db", project)
    for step in range(8):
        edit(project, chance, step)
        _, after = indexed(tmp_path / "t.db", project)
        fresh = tmp_path / f"fresh{step}.db"
        assert after == indexed(fresh, project)[1]


def edit(project: Path, chance: random.Random, step: int) -> None:
    """Add, change, delete or rename a file, or augment a global or another module."""
    files = sorted((project / "src").glob("*.ts"))
    others = [file for file in files if file.name != "index.ts"]
    chosen = chance.choice(others)
    match chance.randrange(6):
        case 0:
            write(project, f"src/new{step}.ts", f"export interface New{step} {{ a: string }}\n")
        case 1:
            text = chosen.read_text()
            chosen.write_text(f"{text}export function extra{step}(n: number): string[];\n")
        case 2 if len(others) > 2:
            chosen.unlink()
        case 3:
            chosen.rename(chosen.with_name(f"moved{step}.ts"))
        case 4:
            text = "export {};\ndeclare global { interface Array<T> { second(): T } }\n"
            write(project, "src/augment.ts", text if step % 2 else "export {};\n")
        case _:
            text = (
                'import "./item";\ndeclare module "./cart" { interface Cart '
                f"{{ note{step}: string }} }}\n"
            )
            write(project, "src/augment_cart.ts", text)


def test_the_next_run_completes_an_interrupted_one(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    indexed(tmp_path / "t.db", project)
    write(project, "src/item.ts", "export type Item = { key: number };\n")
    store = open_store(tmp_path / "t.db")
    with monkeypatch.context() as patch:
        patch.setattr("typematch.index.sql_writer.complete_masks", interrupted)
        with pytest.raises(KeyboardInterrupt):
            run([project], store)
    store.close()
    assert "shop#total" in ids(tmp_path / "t.db")
    _, after = indexed(tmp_path / "t.db", project)
    assert after == indexed(tmp_path / "fresh.db", project)[1]


def interrupted(*_: object, **__: object) -> int:
    raise KeyboardInterrupt


def stop_after(monkeypatch: pytest.MonkeyPatch, commits: int) -> None:
    """Interrupt after that many transactions, as a kill between two of them does."""
    done = 0

    def stopping(commit: Callable[[Database], AbstractContextManager[DriverConnection]]) -> object:
        @contextmanager
        def transaction(database: Database) -> Iterator[DriverConnection]:
            nonlocal done
            if done == commits:
                raise KeyboardInterrupt
            with commit(database) as connection:
                yield connection
            done += 1

        return transaction

    for engine in Database.__subclasses__():
        monkeypatch.setattr(engine, "transaction", stopping(engine.transaction))


def removed(path: Path, package: str) -> None:
    store = open_store(path)
    try:
        with store.writing() as writer:
            writer.remove_package(package)
    finally:
        store.close()


def two_packages(root: Path) -> None:
    for name in ("a", "b"):
        write(root, f"{name}/package.json", f'{{"name": "{name}", "types": "index.d.ts"}}')
        declared = f"export interface Thing{name} {{ {name}: string }}\n"
        used = f"export declare function use{name}(x: Thing{name}): Thing{name}[];\n"
        imported = 'import { Thingb } from "b";\nexport declare const other: Thingb;\n'
        write(root, f"{name}/index.d.ts", declared + used + (imported if name == "a" else ""))


@pytest.mark.parametrize("kind", ["index", "remove"])
def test_a_run_after_a_kill_between_any_two_transactions_equals_a_fresh_one(
    kind: str, tmp_path: Path, library_catalog: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tmp_path / "node_modules"
    two_packages(root)
    before, fresh = tmp_path / "before.db", tmp_path / "fresh.db"
    for path in (before, fresh):
        copy_database(library_catalog, path)
    indexed(before, root)
    shutil.rmtree(root / "b")
    write(root, "a/index.d.ts", "export declare function usea(x: number): string;\n")
    expected = indexed(fresh, root)[1]

    finished = False
    commits = 0
    while not finished:
        path = tmp_path / f"{commits}.db"
        copy_database(before, path)
        with monkeypatch.context() as patch:
            stop_after(patch, commits)
            try:
                if kind == "index":
                    indexed(path, root)
                else:
                    removed(path, "b")
                finished = True
            except KeyboardInterrupt:
                pass
        assert indexed(path, root)[1] == expected, f"killed after {commits} transactions"
        commits += 1
    assert commits > 4


def test_between_two_transactions_a_function_is_found_by_its_old_or_its_new_type(
    tmp_path: Path, library_catalog: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tmp_path / "code"
    write(root, "package.json", '{"name": "code"}')
    write(root, "use.ts", 'import { A } from "./a";\nexport declare function use(a: A): Date;')
    path = copy_database(library_catalog, tmp_path / "t.db")
    for commits in range(9):
        write(root, "a.ts", "export type A = string;")
        indexed(path, root)
        write(root, "a.ts", "export type A = number;")
        with monkeypatch.context() as patch:
            stop_after(patch, commits)
            try:
                indexed(path, root)
                break
            except KeyboardInterrupt:
                pass
        with typematch.open(path, create=False) as catalog:
            totals = [
                catalog.search(f"(a: {a}) => Date  pkg:code is:assignable").total
                for a in ("string", "number")
            ]
        assert sorted(totals) == [0, 1], f"after {commits} transactions"
    assert commits > 4


def test_a_package_of_which_only_single_files_are_imported_has_its_version(
    tmp_path: Path, library_catalog: Path
) -> None:
    root = tmp_path / "app"
    write(root, "package.json", '{"name": "app"}')
    write(root, "index.ts", 'export { f } from "./node_modules/dep/lib/f";')
    write(root, "node_modules/dep/package.json", '{"name": "dep", "version": "2.0.0"}')
    write(root, "node_modules/dep/lib/f.d.ts", "export declare function f(): 1;")
    path = copy_database(library_catalog, tmp_path / "app.db")
    assert "package ('dep', '2.0.0')" in indexed(path, root)[1]


def test_a_removal_completes_a_killed_one(
    tmp_path: Path, library_catalog: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tmp_path / "node_modules"
    two_packages(root)
    indexed(library_catalog.parent / "two.db", root)
    path, whole = tmp_path / "killed.db", tmp_path / "whole.db"
    for copy in (path, whole):
        copy_database(library_catalog.parent / "two.db", copy)
    removed(whole, "b")
    with monkeypatch.context() as patch:
        stop_after(patch, 3)
        with pytest.raises(KeyboardInterrupt):
            removed(path, "b")
    removed(path, "b")
    with (
        closing(locations.open_for_reading(path)) as left,
        closing(locations.open_for_reading(whole)) as right,
    ):
        assert dump(left) == dump(right)


def test_a_run_over_another_folder_keeps_the_first(project: Path, tmp_path: Path) -> None:
    write(project, "tools/build.ts", "export function build(): void {}\n")
    for folder in ("src", "tools"):
        report, _ = indexed(tmp_path / "t.db", project / folder)
        assert report.removed == 0
    assert {"shop#total", "shop#build"} <= ids(tmp_path / "t.db")
    (project / "tools/build.ts").unlink()
    report, _ = indexed(tmp_path / "t.db", project)
    assert report.removed == 1
    assert "shop#build" not in ids(tmp_path / "t.db")


def test_nothing_to_index_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    store: SqlStore = open_store(tmp_path / "t.db")
    with pytest.raises(SourceError):
        run([tmp_path / "empty"], store)
    store.close()


def test_unreadable_files_do_not_stop_a_run(project: Path, tmp_path: Path) -> None:
    (project / "src/picture.ts").write_bytes(b"\x00\x01\x02")
    (project / "src/deep.ts").write_text("type A = " + "[" * 10_000)
    report, _ = indexed(tmp_path / "t.db", project)
    assert any(name.endswith("picture.ts") for name, _ in report.failed)
    assert "shop#total" in ids(tmp_path / "t.db")


def test_an_indexed_standard_library_replaces_the_bundled_one(tmp_path: Path) -> None:
    root = tmp_path / "typescript"
    write(root, "package.json", '{"name": "typescript", "types": "lib/typescript.d.ts"}')
    write(root, "lib/typescript.d.ts", "export declare const version: string;")
    write(root, "lib/lib.d.ts", '/// <reference lib="es5" />\n')
    write(root, "lib/lib.es5.d.ts", "interface Array<T> { first(): T }")
    indexed(tmp_path / "t.db", root / "lib" / "lib.d.ts")
    with typematch.open(tmp_path / "t.db") as catalog:
        found = [entry.id for entry in catalog.entries(package="lib")]
    assert found == ["lib#Array", "lib#Array#first"]


def test_scores_do_not_depend_on_how_often_a_file_was_indexed(
    project: Path, tmp_path: Path
) -> None:
    text = (project / "src/item.ts").read_text(encoding="utf-8")
    for count in range(3):
        long = "".join(f"export function total{n}(cart: number): string;\n" for n in range(20))
        write(project, "src/item.ts", text if count == 2 else text + long)
        indexed(tmp_path / "t.db", project)
    indexed(tmp_path / "fresh.db", project)
    words = full_text_query("total cart item")
    found = []
    for path in (tmp_path / "t.db", tmp_path / "fresh.db"):
        with closing(open_store(path, create=False)) as store:
            scored = store.lexical(words, limit=20)
            names = store.summaries([number for number, _ in scored])
            found.append({names[number].id: score for number, score in scored})
    assert found[0] == found[1]


def test_a_file_that_two_requests_reach_is_kept_when_one_of_them_is_gone(
    tmp_path: Path, library_catalog: Path
) -> None:
    path = copy_database(library_catalog, tmp_path / "t.db")
    imported = 'import { Thing } from "thing";\nexport declare function f(x: Thing): void;\n'
    for name, thing in (("one", "string"), ("two", "number")):
        write(tmp_path, f"{name}/package.json", f'{{"name": "{name}"}}')
        write(tmp_path, f"{name}/index.ts", imported)
        write(tmp_path, f"{name}/node_modules/thing/package.json", '{"types": "index.d.ts"}')
        write(tmp_path, f"{name}/node_modules/thing/index.d.ts", f"export type Thing = {thing};")
        indexed(path, tmp_path / name)
    write(tmp_path, "two/index.ts", "export declare function f(): void;\n")
    report, after = indexed(path, tmp_path / "two")
    assert report.removed == 0
    assert "reach ('one#.', 'thing/index.d.ts')" in after
