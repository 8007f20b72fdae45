"""Say which entries meet conditions: their numbers alone."""

from __future__ import annotations

from typematch.index.database import Database
from typematch.index.entries.selection import Selection, listed
from typematch.index.entries.sql_conditions import where


class EntryFilter:
    """What a store answers about conditions before anything is looked at."""

    database: Database

    def chosen(self, selection: Selection, /) -> tuple[int, ...]:
        """Return the numbers of the entries that meet ``selection``, ascending."""
        lists = [frozenset(found) for one in selection if (found := listed((one,))) is not None]
        # SQLite would read thousands of numbers anew in each statement that has them.
        others = [one for one in selection if listed((one,)) is None]
        if lists and not others:
            return tuple(sorted(frozenset.intersection(*lists)))
        condition, values = where(others)
        rows = self.database.rows(
            f"SELECT e.id FROM entry e WHERE {condition} ORDER BY e.id", values
        )
        return tuple(row[0] for row in rows if all(row[0] in some for some in lists))
