"""Reads the fields of a package.json that typematch needs."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from typematch.ir.literals import well_formed_json

# All four kinds of dependencies are indexed: bundled applications list theirs as devDependencies.
_DEPENDENCY_FIELDS = ("dependencies", "devDependencies", "peerDependencies", "optionalDependencies")

_NO_NAME = re.compile(r"[#\x00-\x1f\x7f]")


@dataclass(frozen=True, slots=True)
class Manifest:
    """A package.json; a field of the wrong type counts as absent.

    Attributes:
        keywords: in one line.
        types: ``types`` or ``typings``.
        exports: by subpath; a single target or condition table is that of ``.``.  None where the
            package does not restrict what is imported from it.
        imports: by specifier, ``#x``.
        types_versions: (range of TypeScript versions, {pattern: targets}) in the order written.
        required: names and ranges of ``dependencies`` alone, what the package needs to run.
        dependencies: names of all dependencies, sorted.
        workspaces: the folder patterns of npm and yarn workspaces.
    """

    name: str = ""
    version: str = ""
    description: str = ""
    keywords: str = ""
    types: str = ""
    main: str = ""
    exports: Mapping[str, object] | None = None
    imports: Mapping[str, object] = field(default_factory=dict)
    types_versions: tuple[tuple[str, Mapping[str, object]], ...] = ()
    required: Mapping[str, str] = field(default_factory=dict)
    dependencies: tuple[str, ...] = ()
    workspaces: tuple[str, ...] = ()


def read_manifest(path: str) -> Manifest | None:
    """Return the package.json at ``path``, or None if it cannot be read as a JSON object."""
    try:
        data = read_json(Path(path).read_bytes())
    except (OSError, ValueError, RecursionError):
        return None
    return parse_manifest(data) if isinstance(data, dict) else None


def read_json(text: bytes) -> object:
    """Return the value of a JSON text; its strings can be encoded as UTF-8.

    Raises:
        ValueError: it is not JSON.
        RecursionError: it is nested too deeply.
    """
    return json.loads(well_formed_json(text.decode(json.detect_encoding(text), "replace")))


def parse_manifest(data: Mapping[str, object]) -> Manifest:
    return Manifest(
        name=_name(data.get("name")),
        version=_text(data.get("version")),
        description=_line(data.get("description")),
        keywords=_keywords(data.get("keywords")),
        types=_text(data.get("types")) or _text(data.get("typings")),
        main=_text(data.get("main")),
        exports=_exports(data.get("exports")),
        imports=_table(data.get("imports")),
        types_versions=tuple(
            (versions, _table(paths))
            for versions, paths in _table(data.get("typesVersions")).items()
        ),
        required={
            name: wanted
            for name, wanted in _table(data.get("dependencies")).items()
            if isinstance(wanted, str)
        },
        dependencies=tuple(
            sorted({name for key in _DEPENDENCY_FIELDS for name in _table(data.get(key))})
        ),
        workspaces=_workspaces(data.get("workspaces")),
    )


def _exports(value: object) -> Mapping[str, object] | None:
    if value is None:
        return None
    if isinstance(value, dict) and any(key.startswith(".") for key in value):
        # "./lib/" is the older spelling of "./lib/*".
        return {
            (key + "*" if key.endswith("/") else key): (
                target + "*" if key.endswith("/") and isinstance(target, str) else target
            )
            for key, target in value.items()
        }
    return {".": value}


def _workspaces(value: object) -> tuple[str, ...]:
    if isinstance(value, dict):
        value = value.get("packages")
    if not isinstance(value, list):
        return ()
    return tuple(pattern for pattern in value if isinstance(pattern, str))


def _name(value: object) -> str:
    """Return a package name; empty for one with ``#``, which ends a file's name in keys."""
    text = _text(value)
    return "" if _NO_NAME.search(text) else text


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _table(value: object) -> Mapping[str, object]:
    return value if isinstance(value, dict) else {}


def _line(value: object) -> str:
    return " ".join(_text(value).split())


def _keywords(value: object) -> str:
    # Some manifests write them as one string.
    return " ".join(filter(None, map(_line, value if isinstance(value, list) else [value])))
