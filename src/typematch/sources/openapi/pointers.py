"""Follow ``$ref``: inside a document and into the files beside it, never out of the folder.

Nothing is fetched, and nothing is changed: a document's values stay as they were read, and a part
is known by its file and the keys that lead to it.
"""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol
from urllib.parse import unquote

from typematch.sources.openapi.loading import DocumentError, Pointer, load

_MOST_STEPS = 64  # references that lead to references


@dataclass(frozen=True, slots=True)
class At:
    """Where a part stands: a file, from the folder of the document (empty: the document itself)."""

    file: str = ""
    keys: Pointer = ()

    def __truediv__(self, key: object) -> At:
        return At(self.file, (*self.keys, str(key)))

    def __str__(self) -> str:
        shown = "".join(f"/{key.replace('~', '~0').replace('/', '~1')}" for key in self.keys)
        return f"{self.file}#{shown}" if self.file else f"#{shown}"


class SiblingDocuments(Protocol):
    """The files in the folder that is indexed."""

    def read(self, path: str, /) -> bytes:
        """Return the bytes of a file; ``path`` counts from the folder of the document.

        Raises:
            DocumentError: it is not there, or not in the folder; the message says which.
        """
        ...


class Pointers:
    """All parts that one document may refer to.

    Attributes:
        problems: what is wrong, and where; in the order of discovery, each once.
        read: the other files that were asked for, whether they were there or not.
    """

    def __init__(self, document: Mapping[str, Any], beside: SiblingDocuments) -> None:
        self._beside = beside
        self._values: dict[str, Any] = {"": document}
        self._broken: dict[str, str] = {}
        self.problems: dict[str, None] = {}
        self.read: dict[str, None] = {}

    def problem(self, at: At, what: str) -> None:
        self.problems[f"{at}: {what}"] = None

    def target(self, reference: object, at: At) -> At | None:
        """Return what a ``$ref`` that stands ``at`` leads to; None, with a problem, if nowhere."""
        if not isinstance(reference, str):
            self.problem(at, "a $ref that is no text")
            return None
        file, _, fragment = reference.partition("#")
        if "://" in file or file.startswith("//"):
            self.problem(at, f"$ref {_short(reference)} is a URL: nothing is fetched")
            return None
        if fragment and not fragment.startswith("/"):
            self.problem(at, f"$ref {_short(reference)} names an anchor; only /paths are followed")
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
        """Return the part at ``at``, which ``target`` has found."""
        return self._value(at)

    def follow(self, value: Any, at: At) -> tuple[Any, At] | None:
        """Return a part, and where it stands, behind any references; None, with a problem."""
        seen: set[At] = set()
        while isinstance(value, dict) and "$ref" in value:
            if at in seen or len(seen) > _MOST_STEPS:
                self.problem(at, f"$ref {_short(str(value['$ref']))} leads back to itself")
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
            raise DocumentError("leads out of the folder that is indexed")
        return posixpath.normpath(posixpath.join(posixpath.dirname(base), file))

    def _value(self, at: At) -> Any:
        value = self._document(at.file)
        for key in at.keys:
            if isinstance(value, dict) and key in value:
                value = value[key]
            elif isinstance(value, list) and key.isdigit() and int(key) < len(value):
                value = value[int(key)]
            else:
                raise DocumentError(f"there is nothing there, {key!r} is missing")
        return value

    def _document(self, file: str) -> Any:
        if file in self._broken:
            raise DocumentError(self._broken[file])
        if file not in self._values:
            self.read[file] = None
            try:
                self._values[file] = load(self._beside.read(file), file).value
            except DocumentError as error:
                self._broken[file] = str(error)
                raise
        return self._values[file]


def _short(text: str) -> str:
    return repr(text if len(text) <= 80 else f"{text[:80]}...")
