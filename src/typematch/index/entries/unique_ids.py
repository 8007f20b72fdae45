"""Unique ids: entries with equal ids get the suffixes ``~2``, ``~3``, ... in a fixed order."""

from __future__ import annotations

from typematch.index.database import DriverConnection


def assign_unique_ids(connection: DriverConnection, package: int) -> None:
    """Set the ids of a package's entries.

    Among equal ids, exported entries come first, then order of file and position; the first keeps
    its id.
    """
    update = "UPDATE entry SET name_id = raw_id WHERE package = ? AND name_id <> raw_id"
    clashing = (
        "SELECT e.id, e.raw_id FROM entry e JOIN file f ON f.id = e.file WHERE e.raw_id IN "
        "(SELECT raw_id FROM entry WHERE package = ? GROUP BY raw_id HAVING count(*) > 1) "
        "AND e.package = ? ORDER BY e.raw_id, e.exported DESC, f.name, e.position"
    )
    clashes = connection.execute(clashing, (package, package)).fetchall()
    # Temporary ids first: the index on ids is unique.
    connection.executemany(
        "UPDATE entry SET name_id = raw_id || '~~' || id WHERE id = ?", [row[:1] for row in clashes]
    )
    clashing_numbers = {row[0] for row in clashes}
    if clashing_numbers:
        others = [
            (number,)
            for (number,) in connection.execute(
                "SELECT id FROM entry WHERE package = ? AND name_id <> raw_id", (package,)
            )
            if number not in clashing_numbers
        ]
        connection.executemany("UPDATE entry SET name_id = raw_id WHERE id = ?", others)
    else:
        connection.execute(update, (package,))
    seen: dict[str, int] = {}
    named: list[tuple[str, int]] = []
    for number, raw in clashes:
        count = seen.get(raw, 0) + 1
        # Some ids end in ~2 already: declarations of one name in one file get such a suffix.
        while count > 1 and _is_taken(connection, package, f"{raw}~{count}"):
            count += 1
        seen[raw] = count
        named.append((raw if count == 1 else f"{raw}~{count}", number))
    connection.executemany("UPDATE entry SET name_id = ? WHERE id = ?", named)


def _is_taken(connection: DriverConnection, package: int, raw: str) -> bool:
    query = "SELECT 1 FROM entry WHERE package = ? AND raw_id = ?"
    return connection.execute(query, (package, raw)).fetchone() is not None
