"""Deletion of a source file's rows, and of rows that nothing refers to.

The second is a *sweep* at the end of a run.  Whatever may leave something to sweep notes so in the
same transaction, so that the run after a killed one sweeps, too.
"""

from __future__ import annotations

from typematch.index.engines.engine import Database, DriverConnection

_ENTRIES_OF_FILE = "(SELECT id FROM entry WHERE file = ?)"
_DELETE_FILE = (
    f"DELETE FROM signature WHERE entry IN {_ENTRIES_OF_FILE}",
    f"DELETE FROM doc WHERE entry IN {_ENTRIES_OF_FILE}",
    f"DELETE FROM alias WHERE entry IN {_ENTRIES_OF_FILE}",
    f"DELETE FROM tag WHERE entry IN {_ENTRIES_OF_FILE}",
    f"DELETE FROM supply WHERE entry IN {_ENTRIES_OF_FILE}",
    f"DELETE FROM entry_vector WHERE entry IN {_ENTRIES_OF_FILE}",
    f"DELETE FROM enrichment_vector WHERE entry IN {_ENTRIES_OF_FILE}",
    f"DELETE FROM entry_enrichment WHERE entry IN {_ENTRIES_OF_FILE}",
    "DELETE FROM entry WHERE file = ?",
    "DELETE FROM fragment WHERE file = ?",
    "DELETE FROM file_dependency WHERE file = ?",
    "DELETE FROM unresolved WHERE file = ?",
    "DELETE FROM problem WHERE file = ?",
    "DELETE FROM document WHERE file = ?",
    "DELETE FROM removed WHERE file = ?",
    "DELETE FROM reach WHERE file = ?",
    "DELETE FROM file WHERE id = ?",
)
_SWEEP = "sweep"  # the row of ``meta`` that a sweep is due
# A difference of sets is linear on every engine; NOT IN is quadratic where PostgreSQL expects too
# many rows for a hash table.
_DELETE_UNREFERENCED = (
    "DELETE FROM package_vector WHERE package IN (SELECT package FROM package_vector "
    "EXCEPT SELECT package FROM file EXCEPT SELECT package FROM entry)",
    "DELETE FROM vector WHERE id IN (SELECT id FROM vector "
    "EXCEPT SELECT vector FROM entry_vector EXCEPT SELECT vector FROM enrichment_vector "
    "EXCEPT SELECT vector FROM package_vector)",
    "DELETE FROM enrichment WHERE digest IN (SELECT digest FROM enrichment "
    "EXCEPT SELECT digest FROM entry_enrichment)",
    "DELETE FROM function WHERE type IN (SELECT type FROM function "
    "EXCEPT SELECT function FROM signature)",
    "DELETE FROM receiver WHERE -id IN (SELECT -id FROM receiver "
    "EXCEPT SELECT function FROM signature)",
    "DELETE FROM parameter WHERE function IN (SELECT function FROM parameter "
    "EXCEPT SELECT type FROM function)",
    "DELETE FROM mention WHERE function IN (SELECT function FROM mention "
    "EXCEPT SELECT type FROM function)",
    "DELETE FROM source_mask WHERE type IN (SELECT type FROM source_mask "
    "EXCEPT SELECT returns FROM function EXCEPT SELECT type FROM entry)",
    "DELETE FROM target_mask WHERE type IN (SELECT type FROM target_mask "
    "EXCEPT SELECT type FROM parameter EXCEPT SELECT container FROM receiver"
    + "".join(f" EXCEPT SELECT position{n} FROM function" for n in range(4))
    + ")",
    "DELETE FROM property WHERE type IN (SELECT type FROM property EXCEPT SELECT type FROM entry)",
    "DELETE FROM property_name WHERE id IN (SELECT id FROM property_name "
    "EXCEPT SELECT name FROM property)",
    "DELETE FROM type_dependency WHERE type IN (SELECT type FROM type_dependency "
    "EXCEPT SELECT type FROM source_mask EXCEPT SELECT type FROM target_mask)",
    "DELETE FROM type WHERE id IN (SELECT id FROM type EXCEPT SELECT type FROM function "
    "EXCEPT SELECT type FROM source_mask EXCEPT SELECT type FROM target_mask "
    "EXCEPT SELECT property_type FROM property)",
    "DELETE FROM package WHERE id IN (SELECT id FROM package EXCEPT SELECT package FROM file "
    "EXCEPT SELECT package FROM entry)",
    "DELETE FROM symbol WHERE id IN (SELECT id FROM symbol EXCEPT SELECT symbol FROM fragment "
    "EXCEPT SELECT symbol FROM file_dependency EXCEPT SELECT symbol FROM type_dependency "
    "EXCEPT SELECT symbol FROM mention EXCEPT SELECT symbol FROM pending "
    "EXCEPT SELECT declaration FROM entry)",
)


def delete_file(database: Database, name: str) -> set[int]:
    """Delete a file and its entries; return the numbers of the entries' packages."""
    connection = database.connection
    row = connection.execute("SELECT id FROM file WHERE name = ?", (name,)).fetchone()
    if row is None:
        return set()
    query = "SELECT DISTINCT package FROM entry WHERE file = ?"
    packages = {package for (package,) in connection.execute(query, row)}
    mark_sweep_due(connection)
    database.texts.delete_file_rows(row[0])
    for statement in _DELETE_FILE:
        connection.execute(statement, row)
    return packages


def mark_sweep_due(connection: DriverConnection) -> None:
    """Note, in the caller's transaction, that the next run must sweep."""
    connection.execute("INSERT INTO meta VALUES (?, 'due') ON CONFLICT DO NOTHING", (_SWEEP,))


def sweep_is_due(connection: DriverConnection) -> bool:
    query = "SELECT 1 FROM meta WHERE name = ?"
    return connection.execute(query, (_SWEEP,)).fetchone() is not None


def delete_unreferenced(database: Database) -> None:
    """Delete vectors, enrichments, functions, types and symbols that nothing refers to.

    Corrects the totals of the full-text index, too.  Then no sweep is due.
    """
    connection = database.connection
    for statement in _DELETE_UNREFERENCED:
        connection.execute(statement)
    database.texts.correct_totals()
    connection.execute("DELETE FROM meta WHERE name = ?", (_SWEEP,))
