"""Blocks of rows for products of matrices."""

from __future__ import annotations

# Rows converted to floats together.  They fit the processor's cache: a third of the time and a
# quarter of the memory of converting the whole matrix.
BLOCK_ROWS = 256
# Multiplications of one product.  OpenBLAS splits a product of half a million over threads, which
# wait for the next one in a loop: up to 25 ms of CPU time for a product of 20 microseconds.
_MAX_MULTIPLICATIONS = 1 << 18


def product_rows(columns: int, dimension: int) -> int:
    """Return how many rows to multiply at once with a ``(dimension, columns)`` matrix."""
    return min(BLOCK_ROWS, max(1, _MAX_MULTIPLICATIONS // max(1, columns * dimension)))
