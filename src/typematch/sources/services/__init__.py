"""Read catalogs of services: entries of a name, prose and a TypeScript interface."""

from typematch.sources.services.read import read_entries
from typematch.sources.services.written import Written, from_markdown, from_values

__all__ = ["Written", "from_markdown", "from_values", "read_entries"]
