"""Read TypeScript: the text of a file to a ``Module``, the text of a type to a ``Type``."""

from typematch.sources.typescript.read import read_module, read_type

__all__ = ["read_module", "read_type"]
