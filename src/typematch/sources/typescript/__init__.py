"""Reads TypeScript: the text of a file into a ``Module``, the text of a type into a ``Type``.

tree-sitter parses; ``lower`` and its siblings turn syntax nodes into the values of ``ir``.  Names
stay as written: ``program`` resolves them.
"""

from typematch.sources.typescript.read import read_module, read_type

__all__ = ["read_module", "read_type"]
