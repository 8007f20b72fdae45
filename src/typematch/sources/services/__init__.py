"""Reads service catalogs: entries with a name, prose and a TypeScript interface."""

from typematch.sources.services.catalog_entries import CatalogEntry, from_markdown, from_values
from typematch.sources.services.read import read_entries

__all__ = ["CatalogEntry", "from_markdown", "from_values", "read_entries"]
