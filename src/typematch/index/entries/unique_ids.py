"""Unique ids: entries with equal ids get the suffixes ``~2``, ``~3``, ... in a fixed order."""

from __future__ import annotations

from typematch.index.engines.engine import DriverConnection

# The id of a row before clashes were resolved; that of a new row has no clash yet.
_RAW = "coalesce(raw_id, name_id)"


def assign_unique_ids(connection: DriverConnection, package: int) -> None:
    """Set the ids of a package's entries.

    Among equal ids, exported entries come first, then order of file and position; the first keeps
    its id.
    """
    clashing = (
        f"SELECT e.id, {_RAW} AS raw FROM entry e JOIN file f ON f.id = e.file WHERE {_RAW} IN "
        f"(SELECT {_RAW} FROM entry WHERE package = ? GROUP BY 1 HAVING count(*) > 1) "
        "AND e.package = ? ORDER BY raw, e.exported DESC, f.name, e.position"
    )
    clashes = connection.execute(clashing, (package, package)).fetchall()
    # Temporary ids first: the index on ids is unique.
    connection.executemany(
        f"UPDATE entry SET raw_id = {_RAW}, name_id = '~' || id WHERE id = ?",
        [row[:1] for row in clashes],
    )
    clashing_numbers = {row[0] for row in clashes}
    query = "SELECT id FROM entry WHERE package = ? AND raw_id IS NOT NULL"
    others = [
        row for row in connection.execute(query, (package,)) if row[0] not in clashing_numbers
    ]
    keep = "UPDATE entry SET name_id = raw_id, raw_id = NULL WHERE id = ?"
    connection.executemany(keep, others)
    seen: dict[str, int] = {}
    renamed: list[tuple[str, int]] = []
    kept: list[tuple[int]] = []
    for number, raw in clashes:
        count = seen.get(raw, 0) + 1
        # Some ids end in ~2 already: declarations of one name in one file get such a suffix.
        while count > 1 and _is_taken(connection, package, f"{raw}~{count}"):
            count += 1
        seen[raw] = count
        if count == 1:
            kept.append((number,))
        else:
            renamed.append((f"{raw}~{count}", number))
    connection.executemany(keep, kept)
    connection.executemany("UPDATE entry SET name_id = ? WHERE id = ?", renamed)


def _is_taken(connection: DriverConnection, package: int, raw: str) -> bool:
    query = (
        "SELECT 1 FROM entry WHERE package = ? AND (raw_id = ? OR raw_id IS NULL AND name_id = ?)"
    )
    return connection.execute(query, (package, raw, raw)).fetchone() is not None
