"""Resolves ``$ref`` inside a document and in files of its folder, never outside of it.

Nothing is downloaded.  A part of a document is identified by its file and its JSON pointer.
"""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol
from urllib.parse import unquote

from typematch.sources.openapi.loading import DocumentError, Pointer, load

_MAX_REFERENCES = 64  # length of a chain of references


@dataclass(frozen=True, slots=True)
class At:
    """Location of a part: a file relative to the document's folder ("" for itself), and keys."""

    file: str = ""
    keys: Pointer = ()

    def __truediv__(self, key: object) -> At:
        return At(self.file, (*self.keys, str(key)))

    def __str__(self) -> str:
        fragment = "".join(f"/{key.replace('~', '~0').replace('/', '~1')}" for key in self.keys)
        return f"{self.file}#{fragment}" if self.file else f"#{fragment}"


class SiblingDocuments(Protocol):
    """Reads files of the folder that is indexed."""

    def read(self, path: str, /) -> bytes:
        """Return the bytes of a file; ``path`` is relative to the document's folder.

        Raises:
            DocumentError: the file is missing, or outside the indexed folder.
        """
        ...


class Pointers:
    """Resolves the references of one document.

    Attributes:
        problems: messages with their locations, in order of discovery, without duplicates.
        read: the other files that were requested, whether they exist or not.
    """

    def __init__(self, document: Mapping[str, Any], siblings: SiblingDocuments) -> None:
        self._siblings = siblings
        self._values: dict[str, Any] = {"": document}
        self._broken: dict[str, str] = {}
        self.problems: dict[str, None] = {}
        self.read: dict[str, None] = {}

    def problem(self, at: At, what: str) -> None:
        self.problems[f"{at}: {what}"] = None

    def target(self, reference: object, at: At) -> At | None:
        """Return the target of a ``$ref`` at ``at``; None, with a problem, if it has none."""
        if not isinstance(reference, str):
            self.problem(at, "the $ref is not a string")
            return None
        file, _, fragment = reference.partition("#")
        if "://" in file or file.startswith("//"):
            self.problem(at, f"$ref {_short(reference)} is a URL: nothing is downloaded")
            return None
        if fragment and not fragment.startswith("/"):
            self.problem(
                at, f"$ref {_short(reference)} names an anchor; use a JSON pointer (#/...)"
            )
            return None
        try:
            path = self._path(unquote(file), at.file)
            keys = tuple(
                unquote(key).replace("~1", "/").replace("~0", "~")
                for key in fragment.split("/")[1:]
            )
            found = At(path, keys)
            self._value(found)
        except DocumentError as error:
            self.problem(at, f"$ref {_short(reference)}: {error}")
            return None
        return found

    def value(self, at: At) -> Any:
        """Return the part at a location that ``target`` returned."""
        return self._value(at)

    def follow(self, value: Any, at: At) -> tuple[Any, At] | None:
        """Resolve a chain of references; return the part and its location, or None on error."""
        seen: set[At] = set()
        while isinstance(value, dict) and "$ref" in value:
            if at in seen or len(seen) > _MAX_REFERENCES:
                self.problem(at, f"$ref {_short(str(value['$ref']))} is circular")
                return None
            seen.add(at)
            found = self.target(value["$ref"], at)
            if found is None:
                return None
            value, at = self._value(found), found
        return value, at

    def _path(self, file: str, base: str) -> str:
        if not file:
            return base
        if posixpath.isabs(file) or "\\" in file or "\0" in file:
            raise DocumentError("it leads out of the indexed folder")
        return posixpath.normpath(posixpath.join(posixpath.dirname(base), file))

    def _value(self, at: At) -> Any:
        value = self._document(at.file)
        for key in at.keys:
            if isinstance(value, dict) and key in value:
                value = value[key]
            elif isinstance(value, list) and key.isdigit() and int(key) < len(value):
                value = value[int(key)]
            else:
                raise DocumentError(f"its target does not exist: there is no {key!r}")
        return value

    def _document(self, file: str) -> Any:
        if file in self._broken:
            raise DocumentError(self._broken[file])
        if file not in self._values:
            self.read[file] = None
            try:
                self._values[file] = load(self._siblings.read(file), file).value
            except DocumentError as error:
                self._broken[file] = str(error)
                raise
        return self._values[file]


def _short(text: str) -> str:
    return repr(text if len(text) <= 80 else f"{text[:80]}...")
