"""npm packages, projects, workspaces: their files, the files' names, the meaning of imports.

``discover`` turns what a user names into packages; a ``Resolver`` answers for their imports:

    found = discover(["."])
    resolver = Resolver(found)
    path = resolver.resolve("rxjs/operators", importer)
    resolver.file_name(path)  # "rxjs/dist/types/operators/index.d.ts"
    resolver.owner(path)  # "rxjs"

In this package paths are absolute strings: a ``Path`` costs more than the probe it is made for.
"""

from typematch.sources.packages.discover import discover
from typematch.sources.packages.documents import may_be_document
from typematch.sources.packages.fetch import npm_pack
from typematch.sources.packages.fs_cache import FileSystemCache
from typematch.sources.packages.model import MAX_BYTES, DiscoveredPackages, Package, Skipped
from typematch.sources.packages.project_files import may_count
from typematch.sources.packages.resolver import Resolver
from typematch.sources.packages.skipped import SkippedFiles

__all__ = [
    "MAX_BYTES",
    "DiscoveredPackages",
    "FileSystemCache",
    "Package",
    "Resolver",
    "Skipped",
    "SkippedFiles",
    "discover",
    "may_be_document",
    "may_count",
    "npm_pack",
]
