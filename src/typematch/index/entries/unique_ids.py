"""Tell entries of one name apart: of equal ids the first keeps its own."""

from __future__ import annotations

from typematch.index.database import Connection


def tell_apart(connection: Connection, package: int) -> None:
    """Give the entries of a package their ids; of equal ones the first keeps its own."""
    update = "UPDATE entry SET name_id = raw_id WHERE package = ? AND name_id <> raw_id"
    clashing = (
        "SELECT e.id, e.raw_id FROM entry e JOIN file f ON f.id = e.file WHERE e.raw_id IN "
        "(SELECT raw_id FROM entry WHERE package = ? GROUP BY raw_id HAVING count(*) > 1) "
        "AND e.package = ? ORDER BY e.raw_id, e.exported DESC, f.name, e.position"
    )
    clashes = connection.execute(clashing, (package, package)).fetchall()
    # First out of each other's way: the index on the ids is unique.
    connection.executemany(
        "UPDATE entry SET name_id = raw_id || '~~' || id WHERE id = ?", [row[:1] for row in clashes]
    )
    taken = {row[0] for row in clashes}
    if taken:
        others = [
            (number,)
            for (number,) in connection.execute(
                "SELECT id FROM entry WHERE package = ? AND name_id <> raw_id", (package,)
            )
            if number not in taken
        ]
        connection.executemany("UPDATE entry SET name_id = raw_id WHERE id = ?", others)
    else:
        connection.execute(update, (package,))
    seen: dict[str, int] = {}
    named: list[tuple[str, int]] = []
    for number, raw in clashes:
        count = seen.get(raw, 0) + 1
        # An id may end in ~2 by itself: of several things of one name in one file, say.
        while count > 1 and _is_taken(connection, package, f"{raw}~{count}"):
            count += 1
        seen[raw] = count
        named.append((raw if count == 1 else f"{raw}~{count}", number))
    connection.executemany("UPDATE entry SET name_id = ? WHERE id = ?", named)


def _is_taken(connection: Connection, package: int, raw: str) -> bool:
    query = "SELECT 1 FROM entry WHERE package = ? AND raw_id = ?"
    return connection.execute(query, (package, raw)).fetchone() is not None
