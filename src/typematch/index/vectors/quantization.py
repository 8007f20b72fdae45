"""Vectors of length one, and vectors as stored: one byte for each dimension."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_LEVELS = 127  # largest absolute value in a stored vector


def unit_vectors(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return each row divided by its length; rows of zeros stay as they are."""
    import numpy as np

    length = np.linalg.norm(vectors, axis=-1, keepdims=True)
    unit: NDArray[np.float32] = np.divide(
        vectors, length, out=np.zeros_like(vectors), where=length > 0
    )
    return unit


def quantized(vectors: NDArray[np.float32]) -> NDArray[np.int8]:
    """Return vectors as int8, each scaled to use all levels: only the direction counts."""
    import numpy as np

    largest = np.abs(vectors).max(axis=-1, keepdims=True)
    scaled = vectors * (_LEVELS / np.maximum(largest, 1e-12))
    levels: NDArray[np.int8] = np.rint(scaled).astype(np.int8)
    return levels
