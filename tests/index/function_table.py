"""An index with a single function, to compute its bounds from the stored arrays."""

from __future__ import annotations

from pathlib import Path

from typematch.index.engines.sqlite import open_for_writing
from typematch.index.masks.function_arrays import FunctionArrays, read_function_arrays
from typematch.index.masks.function_bounds import function_bounds, may_be_assignable
from typematch.index.masks.mask_pass import complete_masks
from typematch.index.masks.query_masks import query_masks
from typematch.index.row_buffer import RowBuffer
from typematch.ir.declaration import Declarations
from typematch.ir.types import Object

_WRITTEN = (
    *("type", "symbol", "function", "signature", "source_mask", "target_mask"),
    *("type_dependency", "mention", "parameter"),
)


class FunctionTable:
    """Stores one function at a time as an indexing run does, masks included."""

    def __init__(self, path: Path) -> None:
        self._database = open_for_writing(path)

    def close(self) -> None:
        self._database.close()

    def bound(
        self,
        candidate: Object,
        query: Object,
        declarations: Declarations,
        *,
        mismatch: int | None = None,
    ) -> int:
        """Return the lower bound of the cost of ``candidate``."""
        functions = self._stored(candidate, declarations)
        masks = query_masks(query, declarations)
        return int(function_bounds(functions, masks, mismatch=mismatch)[0])

    def may_be_assignable(
        self, candidate: Object, query: Object, declarations: Declarations, *, erased: bool = False
    ) -> bool:
        """Return whether ``candidate``, ``erased``: as one of several overloads, may fit."""
        functions = self._stored(candidate, declarations)
        masks = query_masks(query, declarations)
        interpretation = masks.erased if erased else masks.skolemized
        return bool(may_be_assignable(functions, interpretation, erased=erased)[0])

    def _stored(self, candidate: Object, declarations: Declarations) -> FunctionArrays:
        rows = RowBuffer(self._database)
        with self._database.transaction() as connection:
            for table in _WRITTEN:
                connection.execute(f"DELETE FROM {table}")
            entry, receiver, ordinal = 1, False, 0
            rows.add("signature", entry, receiver, ordinal, rows.function(candidate))
            rows.flush()
        complete_masks(rows, declarations, lambda done, total: None)  # noqa: ARG005
        return read_function_arrays(self._database)
