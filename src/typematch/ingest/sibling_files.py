"""Read the files that a document refers to: those in the folder that is indexed, and no others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from typematch.sources.openapi import DocumentError
from typematch.sources.packages import MAX_BYTES


@dataclass(frozen=True, slots=True)
class SiblingFiles:
    """The files around a document in ``folder``.

    ``places`` are what was named to be indexed: folders, or the document itself, which stands for
    its folder.
    """

    folder: Path
    places: Sequence[Path]

    def read(self, path: str) -> bytes:
        """Return the bytes of a file.

        Raises:
            DocumentError: it is missing, too large, or outside, where symbolic links lead too.
        """
        try:
            found = (self.folder / path).resolve()
            roots = [one if one.is_dir() else one.parent for one in self.places]
            if not any(found.is_relative_to(root) for root in roots):
                raise DocumentError("leads out of the folder that is indexed")
            if not found.is_file():
                raise DocumentError("there is no such file")
            if found.stat().st_size > MAX_BYTES:
                raise DocumentError(f"that file is larger than {MAX_BYTES // 1_000_000} MB")
            return found.read_bytes()
        except (OSError, ValueError) as error:
            raise DocumentError("that file cannot be read") from error
