"""Files that a document refers to, read only from inside the indexed folders."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from typematch.sources.openapi.loading import DocumentError
from typematch.sources.packages import MAX_BYTES


@dataclass(frozen=True, slots=True)
class SiblingFiles:
    """The files beside a document.

    Attributes:
        folder: the document's folder; paths are relative to it.
        roots: the folders and documents to index; a document allows its own folder.
    """

    folder: Path
    roots: Sequence[Path]

    def read(self, path: str) -> bytes:
        """Return the bytes of a file.

        Raises:
            DocumentError: the file is missing, too large, or outside the roots, also if a symbolic
                link leads there.
        """
        try:
            target = (self.folder / path).resolve()
            folders = [root if root.is_dir() else root.parent for root in self.roots]
            if not any(target.is_relative_to(folder) for folder in folders):
                raise DocumentError("leads out of the folder that is indexed")
            if not target.is_file():
                raise DocumentError("there is no such file")
            if target.stat().st_size > MAX_BYTES:
                raise DocumentError(f"that file is larger than {MAX_BYTES // 1_000_000} MB")
            return target.read_bytes()
        except (OSError, ValueError) as error:
            raise DocumentError("that file cannot be read") from error
