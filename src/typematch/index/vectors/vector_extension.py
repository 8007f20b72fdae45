"""The extension sqlite-vec: found and loaded without importing its package."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typematch.index.engines.engine import DriverConnection


def load_extension(connection: DriverConnection) -> bool:
    """Load sqlite-vec into the connection; return whether it is there and can be loaded."""
    library = _library()
    if library is None or not hasattr(connection, "enable_load_extension"):
        return False
    try:
        connection.enable_load_extension(True)
        try:
            connection.load_extension(library)
        finally:
            connection.enable_load_extension(False)
    except Exception:  # each driver has an error class of its own
        return False
    return True


def _library() -> str | None:
    """Return the path of sqlite-vec's library, without importing the package and numpy."""
    from importlib.util import find_spec

    spec: Any = find_spec("sqlite_vec")
    if spec is None or not spec.submodule_search_locations:
        return None
    return f"{spec.submodule_search_locations[0]}/vec0"
