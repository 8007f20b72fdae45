"""Forget a package."""

from __future__ import annotations

from typematch.index.database import Database
from typematch.index.entries.declaration_store import StoredDeclarations
from typematch.index.masks.mask_pass import complete_masks, forget_masks
from typematch.index.writing import IndexWriter


def remove_package(database: Database, package: str) -> int:
    """Delete a package's files and all they hold; return how many entries went.

    What hangs on its declarations elsewhere is marked, to be read again by the next run.
    """
    writer = IndexWriter(database)
    names = [file.name for file in writer.files().values() if file.package == package]
    if not names:
        return 0
    before = database.connection.execute("SELECT count(*) FROM entry").fetchone()[0]
    changed = {key for name in names for key in writer.fragments_of(name)}
    writer.forget_inputs()
    writer.add_pending(changed, writer.dependants(changed) - set(names))
    writer.write_package(package, "", (), names)
    writer.forget_package(package)
    forget_masks(database)
    complete_masks(writer, StoredDeclarations(database), lambda done, total: None)  # noqa: ARG005
    writer.collect()
    after = database.connection.execute("SELECT count(*) FROM entry").fetchone()[0]
    return int(before) - int(after)
