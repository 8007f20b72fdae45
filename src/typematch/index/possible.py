"""Say which entries come into question: by a signature's filter, by conditions; numbers alone."""

from __future__ import annotations

from typematch.index.asking import asked_masks
from typematch.index.conditions import where
from typematch.index.database import Database
from typematch.index.overlay import StoredDeclarations
from typematch.index.selection import Selection, listed
from typematch.index.tiers import of_tier
from typematch.ir.types import Object


class Possible:
    """What a store answers about entries before it looks at any of them."""

    database: Database
    declarations: StoredDeclarations

    def possible(self, asked: Object, tiers: int, /) -> frozenset[int]:
        """Return the numbers of the entries that may fit ``asked`` in the first ``tiers``."""
        masks = asked_masks(asked, self.declarations)
        condition = " OR ".join(f"({of_tier(masks, tier)})" for tier in range(tiers))
        # One row for each signature that passes, in no order: there may be tens of thousands.
        query = (
            "SELECT s.entry FROM filter f CROSS JOIN signature s ON s.function = f.function "
            f"WHERE {condition}"
        )
        with self.database.errors():
            return frozenset(row[0] for row in self.database.connection.execute(query))

    def chosen(self, selection: Selection, /) -> tuple[int, ...]:
        """Return the numbers of the entries that meet ``selection``, ascending."""
        lists = [frozenset(found) for one in selection if (found := listed((one,))) is not None]
        # SQLite would read thousands of numbers anew in each statement that has them.
        others = [one for one in selection if listed((one,)) is None]
        if lists and not others:
            return tuple(sorted(frozenset.intersection(*lists)))
        condition, values = where(others)
        query = f"SELECT e.id FROM entry e WHERE {condition} ORDER BY e.id"
        with self.database.errors():
            rows = self.database.connection.execute(query, values).fetchall()
        return tuple(row[0] for row in rows if all(row[0] in some for some in lists))
