"""The sample behind scripts/check_imports.py."""

from __future__ import annotations

from pathlib import Path

from check_imports import drawn_entries, import_cases
from file_trees import writer
from typematch.catalog import Catalog


def test_entries_that_can_be_imported_are_drawn(tmp_path: Path) -> None:
    root = writer(tmp_path)(
        {
            "node_modules/box/package.json": {
                "name": "box",
                "version": "1.0.0",
                "types": "index.d.ts",
            },
            "node_modules/box/index.d.ts": "export declare function open(): Inner;\n"
            "export declare class Box { size: number }\n"
            "interface Inner { a: string }\nexport {};\n",
        }
    )
    database = root / "box.db"
    with Catalog(database) as catalog:
        catalog.add(root / "node_modules" / "box")
    total, entries = drawn_entries(database, seed=1, sample=2)
    assert total == 4
    assert drawn_entries(database, seed=1, sample=2)[1] == entries
    every = drawn_entries(database, seed=1, sample=9)[1]
    assert sorted(case.text for case in import_cases("box", every)) == [
        'import { Box } from "box"',
        'import { Box } from "box"',
        'import { Box } from "box"',
        'import { open } from "box"',
    ]
