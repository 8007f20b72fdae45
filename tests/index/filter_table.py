"""An index with a single function, to run the SQL of the filters on."""

from __future__ import annotations

from pathlib import Path

from typematch.index.database import open_for_writing
from typematch.index.masks.mask_pass import complete_masks
from typematch.index.masks.query_masks import query_masks
from typematch.index.masks.sql_filters import MISFITS, overload_condition, tier_condition
from typematch.index.row_buffer import RowBuffer
from typematch.ir.declaration import Declarations
from typematch.ir.types import Object

_WRITTEN = (
    *("type", "symbol", "function", "filter", "signature", "source_mask", "target_mask"),
    *("type_dependency", "outline", "mention", "parameter"),
)


class FilterTable:
    """Stores one function at a time as an indexing run does, masks included."""

    def __init__(self, path: Path) -> None:
        self._database = open_for_writing(path)

    def close(self) -> None:
        self._database.close()

    def lowest_tier(self, candidate: Object, query: Object, declarations: Declarations) -> int:
        """Return the one tier whose condition selects ``candidate``; ``MISFITS`` for none."""
        self._store(candidate, declarations)
        masks = query_masks(query, declarations)
        tiers = [tier for tier in range(MISFITS + 1) if self._selects(tier_condition(masks, tier))]
        assert len(tiers) == 1, tiers
        return tiers[0]

    def passes_as_overload(
        self, candidate: Object, query: Object, declarations: Declarations
    ) -> bool:
        """Return whether ``candidate``, as one of several overloads, is selected."""
        self._store(candidate, declarations)
        return self._selects(overload_condition(query_masks(query, declarations)))

    def _store(self, candidate: Object, declarations: Declarations) -> None:
        rows = RowBuffer(self._database)
        with self._database.transaction() as connection:
            for table in _WRITTEN:
                connection.execute(f"DELETE FROM {table}")
            entry, receiver, ordinal = 1, False, 0
            rows.add("signature", entry, receiver, ordinal, rows.function(candidate))
            rows.flush()
        complete_masks(rows, declarations, lambda done, total: None)  # noqa: ARG005

    def _selects(self, condition: str) -> bool:
        sql = (
            f"SELECT 1 FROM filter f JOIN signature s ON s.function = f.function WHERE {condition}"
        )
        return self._database.connection.execute(sql).fetchone() is not None
