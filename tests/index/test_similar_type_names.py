from __future__ import annotations

from pathlib import Path

from typematch.catalog import Catalog
from typematch.index.sql_store import open_store


def test_names_that_another_connection_writes_are_found(tmp_path: Path) -> None:
    database = tmp_path / "typematch.db"
    source = tmp_path / "shop.d.ts"
    with Catalog(database) as catalog:
        source.write_text("export interface Customer { id: string }")
        catalog.add(source)
        reader = open_store(database, create=False)
        with reader.snapshot():
            assert reader.similar_type_names(["customr", "Invoize"]) == {
                "customr": ("Customer",),
                "Invoize": (),
            }
        source.write_text("export interface Invoice { id: string }")
        catalog.add(source)
        with reader.snapshot():
            assert reader.similar_type_names(["Invoize"]) == {"Invoize": ("Invoice",)}
        reader.close()
