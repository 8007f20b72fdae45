"""Read an OpenAPI document, 2.0 to 3.1: find its operations and its named schemas."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from typematch.ir.module import Module
from typematch.sources.cleaning import Cleaner
from typematch.sources.openapi.loading import DocumentError, Loaded
from typematch.sources.openapi.models import Info, ShapeError, checked
from typematch.sources.openapi.naming import TypeNames
from typematch.sources.openapi.operations import METHODS, OperationReader, schemes_of
from typematch.sources.openapi.pointers import At, Pointers, SiblingDocuments
from typematch.sources.openapi.schema import Schemas
from typematch.sources.openapi.service import RawOperation, ServiceReader


def read_openapi(
    loaded: Loaded, *, path: str, beside: SiblingDocuments, cleaner: Cleaner
) -> Module:
    """Return what a document declares; ``path`` gives its name.

    ``beside`` has the files that it refers to.  The module's specifiers name those that were asked
    for, behind ``READS``.

    Raises:
        DocumentError: it is no document, or there is nothing in it.
    """
    value = _mapping_of(loaded.value)
    version = _version(value)
    pointers = Pointers(value, beside)
    later = re.match(r"3\.(?:[2-9]|\d\d)", version)
    if later:
        pointers.problem(At(), f"version {version} is newer than this reader; read as 3.1")
        version = "3.1"
    for number, key in loaded.doubled:
        pointers.problem(
            At(), f"the key {key!r} at line {number} stands twice; the last one counts"
        )
    schemas = Schemas(pointers, TypeNames(), siblings=version.startswith("3.1"))
    consumes = value.get("consumes")
    operations = OperationReader(
        pointers,
        schemas,
        cleaner,
        schemes_of(value.get("security")),
        old=version.startswith("2"),
        consumes=tuple(map(str, consumes)) if isinstance(consumes, list) else (),
    )
    stem = path.rpartition("/")[2].partition(".")[0]
    info = read_info(value, pointers)

    def line(at: At) -> int:
        return line_of(loaded, at)

    service = ServiceReader(info, stem, "openapi", pointers, schemas, operations, cleaner, line)
    named = list(_named_schemas(value, version, pointers))
    return service.module(_operations(value, version, pointers, line), named)


def read_info(value: Mapping[str, Any], pointers: Pointers) -> Info:
    """Return the head of a document; an empty one, with a problem, if it is in no order."""
    try:
        return checked(Info, value.get("info", {}))
    except ShapeError as error:
        pointers.problem(At(keys=("info",)), f"{error}; it goes by its file's name")
        return Info()


def line_of(loaded: Loaded, at: At) -> int:
    """Return the line of the innermost part on the way to ``at`` that is known, from 1."""
    keys = at.keys
    while keys and keys not in loaded.lines:
        keys = keys[:-1]
    return loaded.lines[keys] if keys else 1


def _operations(
    value: Mapping[str, Any], version: str, pointers: Pointers, line: Any
) -> Iterator[RawOperation]:
    for path, item, at in _path_items(value, version, pointers):
        for method in METHODS:
            if method in item:
                here = line(At(keys=("paths", path, method)))
                yield RawOperation(
                    method, path, item[method], at / method, here, item.get("parameters")
                )


def _path_items(
    value: Mapping[str, Any], version: str, pointers: Pointers
) -> Iterator[tuple[str, Mapping[str, Any], At]]:
    paths = value.get("paths")
    at = At(keys=("paths",))
    if paths is None:
        if not version.startswith("3.1"):
            pointers.problem(at, "there are no paths; only schemas are indexed")
        return
    if not isinstance(paths, dict):
        pointers.problem(at, "paths that are no mapping; only schemas are indexed")
        return
    for path, written in paths.items():
        if path.startswith("x-"):
            continue
        followed = pointers.follow(written, at / path)
        if followed is None:
            continue
        item, there = followed
        if isinstance(item, dict):
            yield path, item, there
        else:
            pointers.problem(at / path, "a path that is no mapping; left out")


def _named_schemas(value: Mapping[str, Any], version: str, pointers: Pointers) -> Iterator[At]:
    at = At(keys=("components", "schemas"))
    components = value.get("components")
    schemas = components.get("schemas") if isinstance(components, dict) else None
    if version.startswith("2"):
        at, schemas = At(keys=("definitions",)), value.get("definitions")
    if isinstance(schemas, dict):
        yield from (at / name for name in schemas)
    elif schemas is not None:
        pointers.problem(at, "schemas that are no mapping; left out")


def _mapping_of(value: Any) -> Mapping[str, Any]:
    if isinstance(value, dict):
        return value
    raise DocumentError("this is no document: a mapping with 'openapi' at its top is expected")


def _version(value: Mapping[str, Any]) -> str:
    """Return ``2.0``, ``3.0.3``, ...

    Raises:
        DocumentError: there is none, or none that is known.
    """
    written = value.get("openapi", value.get("swagger"))
    if written is None:
        raise DocumentError("there is neither 'openapi' nor 'swagger' at its top")
    version = str(written)
    if not re.match(r"2(?:\.|\Z)|3\.", version):
        raise DocumentError(f"version {version[:40]!r} is none that is read: 2.0, 3.0, 3.1 are")
    return version
