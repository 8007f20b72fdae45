"""The imports of a file whose interfaces are to be implemented."""

from __future__ import annotations

from pathlib import Path

import pytest

from file_trees import Write, writer
from typematch.catalog import Catalog

FILES: dict[str, object] = {
    "package.json": {"name": "app", "dependencies": {"rx": "1"}},
    "src/shapes/index.ts": """
        export interface Shape { area(): number }
        export interface Holder<T> { held(): T; hold(it: T): void }
        export class Square implements Shape { area(): number { return 1 } }
        export class Box implements Holder<Square> {
          held(): Square { return new Square() }
          hold(it: Square): void {}
        }
    """,
    "node_modules/rx/package.json": {"name": "rx", "types": "index.d.ts"},
    "node_modules/rx/index.d.ts": """
        export class Stream<T> { private items: T[]; }
        export function first(of: Stream<string>): string;
    """,
}
NEEDED = """
import { Square as Quadrat, Holder, type Shape } from "./src/shapes/index.js";
import * as rx from "rx";
import type { Gone } from "./none";
export interface Boxes extends Holder<Quadrat> {}
export interface Figure extends Shape {}
export interface Firsts { first(stream: rx.Stream<string>): string }
export interface Lost { area(of: Gone, and: Gone): Gone }
"""


@pytest.fixture
def write(tmp_path: Path) -> Write:
    return writer(tmp_path / "project")


def best(found: Catalog, document: Path) -> dict[str, str]:
    """Return the first implementation of each interface, with its share."""
    return {
        match.required.name: f"{match.implementations[0].id} {match.implementations[0].share:.0%}"
        for match in found.match(document)
        if match.implementations
    }


def test_imported_names_mean_indexed_types(write: Write, tmp_path: Path) -> None:
    root = write(FILES)
    with Catalog(tmp_path / "t.db") as catalog:
        catalog.add(root, model=None)
        write({"needed.ts": NEEDED})
        implementations = best(catalog, root / "needed.ts")
        write({"src/nearer.ts": NEEDED.replace("./src/shapes/index.js", "./shapes")})
        assert best(catalog, root / "src" / "nearer.ts") == implementations
    assert implementations["Boxes"] in ("app#Box 100%", "app#Holder 100%")
    assert implementations["Figure"] in ("app#Square 100%", "app#Shape 100%")
    assert implementations["Firsts"] == "rx 100%"
    assert "Lost" not in implementations
