"""Files, imports and configurations that go wrong: the run ends, and counts them."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from typematch.catalog import Catalog
from typematch.ingest.run import IndexReport
from typematch.ir.module import Module
from typematch.program.export_path_index import ExportPathIndex
from typematch.program.resolution.module_summary import summarize_module
from typematch.program.resolution.symbols import Program
from typematch.sources.packages import Resolver
from typematch.sources.packages.fs_cache import LEADS_OUT


def project(root: Path, files: dict[str, str]) -> Path:
    (root / "shop" / ".git").mkdir(parents=True)
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return root / "shop"


def index(tmp_path: Path, files: dict[str, str]) -> tuple[IndexReport, set[str]]:
    """Index the folder ``shop``; return the report and the names of its entries."""
    with Catalog(tmp_path / "t.db") as catalog:
        report = catalog.add(project(tmp_path, files), model=None)
        return report, {entry.name for entry in catalog.entries("shop")}


_GOOD = {
    "shop/package.json": '{"name": "shop"}',
    "shop/good.ts": "export declare function good(): void;",
}


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("interface M{c:W<M,,>", set()),
        ("class", set()),
        ("import{?}from''", set()),
        ("export interface Kept { a: string }\nimport{?}from''\nclass", {"Kept"}),
        ('export interface Kept { "\\ud800": 1 }\nimport x from "\\ud800";', {"Kept"}),
        ('export const kept = "\\ud800" as const;\nexport enum E { "\\ud800" }', {"kept", "E"}),
    ],
)
def test_a_broken_file_stops_neither_the_run_nor_itself(
    tmp_path: Path, text: str, kept: set[str]
) -> None:
    report, names = index(tmp_path, {**_GOOD, "shop/bad.ts": text})
    assert report.failed == ()
    assert kept | {"good"} <= names


def test_a_document_with_lone_surrogates_is_indexed(tmp_path: Path) -> None:
    text = (
        '{"openapi": "3.0.0", "info": {"title": "Shop\\ud800", "version": "1"}, "paths": '
        '{"/a\\udfff": {"get": {"operationId": "list\\ud800", "summary": "\\ud83d\\ude00 \\udc00",'
        ' "responses": {"200": {"description": "\\\\ud800"}}}}}}'
    )
    report, names = index(tmp_path, {"shop/api.json": text})
    assert report.failed == ()
    assert any(name.startswith("list") for name in names)


@pytest.mark.parametrize(
    ("owner", "method"),
    [
        (Program, "fragments"),
        (Program, "resolution_digest"),
        (ExportPathIndex, "export_digest"),
        (Resolver, "resolve"),
    ],
)
def test_any_exception_is_a_named_failure_of_one_file(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    owner: type,
    method: str,
) -> None:
    original = getattr(owner, method)

    def failing(self: object, *arguments: object) -> object:
        if any("bad.ts" in str(argument) for argument in arguments):
            raise RuntimeError("an error\nof two lines \ud800")
        return original(self, *arguments)

    monkeypatch.setattr(owner, method, failing)
    files = {**_GOOD, "shop/bad.ts": "import './good'; export const bad = 1;"}
    with caplog.at_level(logging.DEBUG, logger="typematch"):
        report, names = index(tmp_path, files)
    assert report.failed == (("shop/bad.ts", "RuntimeError: an error of two lines \\ud800"),)
    assert "good" in names
    assert "Traceback" in caplog.text


def test_a_module_that_cannot_be_summarized_is_a_named_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(module: Module) -> object:
        if any(declared.name == "bad" for declared in module.scope.declarations):
            raise RecursionError("too deep")
        return summarize_module(module)

    monkeypatch.setattr("typematch.ingest.file_reader.summarize_module", failing)
    report, names = index(tmp_path, {**_GOOD, "shop/bad.ts": "export const bad = 1;"})
    assert report.failed == (("shop/bad.ts", "RecursionError: too deep"),)
    assert "good" in names


def test_the_setting_for_debugging_writes_tracebacks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from typematch.serve.cli.main import main

    def failing(*_arguments: object) -> object:
        raise RuntimeError("an error")

    root = project(tmp_path, _GOOD)
    monkeypatch.setattr(Program, "fragments", failing)
    monkeypatch.setenv("TYPEMATCH_DEBUG", "1")
    log = logging.getLogger("typematch")
    try:
        assert main(["index", str(root), "--db", str(tmp_path / "t.db"), "--no-vectors"]) == 0
    finally:
        log.handlers.clear()
        log.setLevel(logging.NOTSET)
    assert "Traceback" in capsys.readouterr().err


def test_only_own_code_leaves_its_folder_and_that_is_said(tmp_path: Path) -> None:
    report, _ = index(
        tmp_path,
        {
            "secret.d.ts": "export declare const secret: 1;",
            "shared.ts": "export const shared = 1;",
            "shop/package.json": '{"name": "shop", "dependencies": {"dep": "1"}}',
            "shop/index.ts": "import { shared } from '../shared'; export const a = shared;",
            "shop/node_modules/dep/package.json": '{"types": "index.d.ts"}',
            "shop/node_modules/dep/index.d.ts": "export * from '../../../secret';",
        },
    )
    assert report.notices == (
        f"Own code imports files outside of its folder: {(tmp_path / 'shared.ts').resolve()}.",
    )
    assert [count for _, reason, count in report.skipped if reason == LEADS_OUT] == [1]
    with Catalog(tmp_path / "t.db") as catalog:
        everything = {entry.name for entry in catalog.entries()}
    assert "secret" not in everything
    assert {"a", "shared"} <= everything
