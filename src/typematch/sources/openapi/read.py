"""Reads an OpenAPI document (2.0, 3.0, 3.1): its operations and its named schemas."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from typematch.ir.module import Module
from typematch.sources.cleaning import Cleaner
from typematch.sources.openapi.loading import DocumentError, Loaded
from typematch.sources.openapi.models import Info, ShapeError, checked
from typematch.sources.openapi.naming import TypeNames
from typematch.sources.openapi.operations import METHODS, OperationReader, security_schemes
from typematch.sources.openapi.pointers import At, Pointers, SiblingDocuments
from typematch.sources.openapi.schema import Schemas
from typematch.sources.openapi.service import RawOperation, ServiceReader


def read_openapi(
    loaded: Loaded, *, path: str, siblings: SiblingDocuments, cleaner: Cleaner
) -> Module:
    """Return the declarations of a document.

    Args:
        path: its file name is the service's name where the document has no title.
        siblings: reads the files that the document refers to.  The module's specifiers name those
            that were read, behind ``TEXT_SPECIFIER``.

    Raises:
        DocumentError: it is not an OpenAPI document, or has neither operations nor schemas.
    """
    value = _mapping_of(loaded.value)
    version = _version(value)
    pointers = Pointers(value, siblings)
    later = re.match(r"3\.(?:[2-9]|\d\d)", version)
    if later:
        pointers.problem(At(), f"version {version} is newer than this reader; read as 3.1")
        version = "3.1"
    for number, key in loaded.duplicate_keys:
        pointers.problem(
            At(), f"the key {key!r} at line {number} is a duplicate; the last one counts"
        )
    schemas = Schemas(pointers, TypeNames(), siblings=version.startswith("3.1"))
    consumes = value.get("consumes")
    operations = OperationReader(
        pointers,
        schemas,
        cleaner,
        security_schemes(value.get("security")),
        is_version_2=version.startswith("2"),
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
    """Return the ``info`` of a document; an empty one, with a problem, if it is invalid."""
    try:
        return checked(Info, value.get("info", {}))
    except ShapeError as error:
        pointers.problem(At(keys=("info",)), f"{error}; the file's name is used")
        return Info()


def line_of(loaded: Loaded, at: At) -> int:
    """Return the line of ``at``, or of its innermost ancestor with a known line, counted from 1."""
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
        pointers.problem(at, "'paths' is not a mapping; only schemas are indexed")
        return
    for path, raw in paths.items():
        if path.startswith("x-"):
            continue
        followed = pointers.follow(raw, at / path)
        if followed is None:
            continue
        item, there = followed
        if isinstance(item, dict):
            yield path, item, there
        else:
            pointers.problem(at / path, "the path is not a mapping; left out")


def _named_schemas(value: Mapping[str, Any], version: str, pointers: Pointers) -> Iterator[At]:
    at = At(keys=("components", "schemas"))
    components = value.get("components")
    schemas = components.get("schemas") if isinstance(components, dict) else None
    if version.startswith("2"):
        at, schemas = At(keys=("definitions",)), value.get("definitions")
    if isinstance(schemas, dict):
        yield from (at / name for name in schemas)
    elif schemas is not None:
        pointers.problem(at, "the schemas are not a mapping; left out")


def _mapping_of(value: Any) -> Mapping[str, Any]:
    if isinstance(value, dict):
        return value
    raise DocumentError("not an OpenAPI document: expected a mapping with the key 'openapi'")


def _version(value: Mapping[str, Any]) -> str:
    """Return the OpenAPI version: ``2.0``, ``3.0.3``, ...

    Raises:
        DocumentError: the document names no version, or an unsupported one.
    """
    version_value = value.get("openapi", value.get("swagger"))
    if version_value is None:
        raise DocumentError("the document has neither the key 'openapi' nor 'swagger'")
    version = str(version_value)
    if not re.match(r"2(?:\.|\Z)|3\.", version):
        raise DocumentError(f"version {version[:40]!r} is not supported: use 2.0, 3.0 or 3.1")
    return version
