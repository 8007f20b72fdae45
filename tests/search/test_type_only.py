"""What exists only as a type is marked, and comes after what can be called."""

from pathlib import Path

import pytest

from typematch import Catalog
from typematch.adapt.snippet import snippet

DECLARATIONS = """
declare module "files" {
    export interface Options { flag: string }
    export type Callback = (error: Error | null) => void;
    export class Handle { close(): void }
    export function remove(path: string, callback: Callback): void;
    export namespace remove {
        function __promisify__(path: string): Promise<void>;
    }
    export function removeLater(path: string): Promise<void>;
}
"""


@pytest.fixture
def catalog(tmp_path: Path) -> Catalog:
    (tmp_path / "package.json").write_text('{"name": "files", "types": "index.d.ts"}')
    (tmp_path / "index.d.ts").write_text(DECLARATIONS)
    catalog = Catalog(tmp_path / "t.db")
    catalog.add(tmp_path, model=None)
    return catalog


def test_type_only_entries_can_be_listed_and_excluded(catalog: Catalog) -> None:
    with catalog:
        only = catalog.search("is:type-only pkg:files", limit=20)
        others = catalog.search("-is:type-only pkg:files kind:class,interface,function", limit=20)
    assert {hit.entry.name for hit in only.hits} == {"Options", "Callback", "__promisify__"}
    assert {hit.entry.name for hit in others.hits} == {"Handle", "remove", "removeLater"}


def test_promisified_functions_come_last_and_are_called_through_promisify(
    catalog: Catalog,
) -> None:
    with catalog:
        found = catalog.search("(path: string) => Promise<void>", limit=5)
        names = [hit.entry.name for hit in found.hits if hit.cost == 0]
        assert names == ["removeLater", "__promisify__"]
        hit = catalog.adapt("(path: string) => Promise<void>", found.hits[1].entry.id)
    assert hit is not None
    assert hit.adapter is not None
    assert snippet(hit.adapter).splitlines()[:2] == [
        'import { remove } from "files";',
        'import { promisify } from "util";',
    ]
    assert "promisify(remove)" in snippet(hit.adapter)
