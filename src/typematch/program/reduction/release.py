"""Break the reference cycles of objects with large caches, so that they are freed at once."""

from __future__ import annotations


def drop_attributes(*parts: object) -> None:
    """Drop the attributes of objects that are not used again.

    Objects of compiled classes have no dictionary of attributes: the cyclic collector frees them.
    """
    for part in parts:
        attributes = getattr(part, "__dict__", None)
        if attributes is not None:
            attributes.clear()
