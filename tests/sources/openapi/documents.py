"""Documents to try things on."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from typematch.ir.module import DeclarationStatement, Member, Module
from typematch.sources.documents import read_document
from typematch.sources.openapi.loading import DocumentError


class Files:
    """Files beside a document, in memory."""

    def __init__(self, files: Mapping[str, object] | None = None) -> None:
        self._files = files or {}

    def read(self, path: str) -> bytes:
        if path.startswith(".."):
            raise DocumentError("leads out of the folder that is indexed")
        if path not in self._files:
            raise DocumentError("there is no such file")
        content = self._files[path]
        return (content if isinstance(content, str) else json.dumps(content)).encode()


def read(document: object, files: Mapping[str, object] | None = None, name: str = "") -> Module:
    text = document if isinstance(document, str) else json.dumps(document)
    path = name or ("api.yaml" if isinstance(document, str) else "api.json")
    return read_document(text.encode(), path=path, siblings=Files(files))


def document(paths: Mapping[str, Any] | None = None, **rest: Any) -> dict[str, Any]:
    return {
        "openapi": "3.0.3",
        "info": {"title": "Things", "version": "1"},
        "paths": paths or {},
        **rest,
    }


def operations(module: Module) -> dict[str, Member]:
    return {
        member.name: member for declared in module.scope.declarations for member in declared.members
    }


def schemas(module: Module) -> dict[str, DeclarationStatement]:
    return {
        declaration.name: declaration
        for declared in module.scope.declarations
        if declared.body is not None
        for declaration in declared.body.declarations
    }


def schema_text(schema: object, **others: object) -> str:
    """Return the type of a schema as text; ``others`` are schemas that it may name."""
    version = str(others.pop("version", "3.0.3"))
    made = document(components={"schemas": {"It": schema, **others}}, openapi=version)
    module = read(made)
    return schemas(module)["It"].text.removeprefix("type It = ")
