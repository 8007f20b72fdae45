"""Reads a Postman collection, v2.0 or v2.1: its requests are operations, its folders are tags.

Types of parameters, bodies and results are inferred from the examples.  ``:id`` and ``{{id}}`` in a
path are parameters; a variable at the start of a URL is the server's address.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from typematch.ir.module import Module
from typematch.sources.cleaning import Cleaner
from typematch.sources.openapi.examples import schema_of, schema_of_text
from typematch.sources.openapi.loading import DocumentError, Loaded
from typematch.sources.openapi.models import Info
from typematch.sources.openapi.naming import TypeNames
from typematch.sources.openapi.operations import METHODS, OperationReader
from typematch.sources.openapi.pointers import At, Pointers, SiblingDocuments
from typematch.sources.openapi.schema import Schemas
from typematch.sources.openapi.service import RawOperation, ServiceReader

_SERVER = re.compile(r"\A(?:[a-z][a-z0-9+.-]*://)?(?:\{\{[^{}]*\}\}|[^/?#{}]*)", re.IGNORECASE)
_IN_PATH = re.compile(r"\{\{\s*([^{}]+?)\s*\}\}|(?<=/):([A-Za-z_]\w*)")
_BARE_VARIABLE = re.compile(r'(?<!["\w])\{\{([^{}"]*)\}\}(?!["\w])')
_FORMS = {"urlencoded": "application/x-www-form-urlencoded", "formdata": "multipart/form-data"}


def is_postman(value: Any) -> bool:
    """Return whether a value is a collection, of whatever version."""
    if not isinstance(value, dict) or not isinstance(value.get("info"), dict):
        return isinstance(value, dict) and "requests" in value and "order" in value
    info = value["info"]
    return "_postman_id" in info or "/collection/v" in str(info.get("schema", ""))


def read_postman(
    loaded: Loaded, *, path: str, siblings: SiblingDocuments, cleaner: Cleaner
) -> Module:
    """Return the declarations of a collection; ``path`` gives its fallback name.

    Raises:
        DocumentError: it is a version 1 collection, or has no requests.
    """
    value = loaded.value
    if not isinstance(value.get("item"), list):
        raise DocumentError("the Postman collection has no items, or is version 1: export it as v2")
    pointers = Pointers(value, siblings)
    schemas = Schemas(pointers, TypeNames(), siblings=True)
    operations = OperationReader(pointers, schemas, cleaner)
    head = value["info"]
    info = Info(
        title=str(head.get("name") or ""),
        version=_version(head.get("version")),
        description=_prose(head.get("description")) or _prose(value.get("description")),
    )
    stem = path.rpartition("/")[2].removesuffix(".json").removesuffix(".postman_collection")
    lines = _ItemLines(loaded.text)
    service = ServiceReader(
        info, stem, "postman", pointers, schemas, operations, cleaner, lambda _: 1
    )
    return service.module(_RequestReader(value, pointers, lines).operations())


@dataclass(slots=True)
class _ItemLines:
    """Finds the lines of items by their names, in text order."""

    text: str
    offset: int = 0
    line: int = 1

    def line_of(self, name: str) -> int:
        for quoted_name in (json.dumps(name), json.dumps(name, ensure_ascii=False)):
            pattern = re.compile(r'"name"\s*:\s*' + re.escape(quoted_name))
            match = pattern.search(self.text, self.offset)
            if match:
                self.line += self.text.count("\n", self.offset, match.start())
                self.offset = match.start()
                break
        return self.line


class _RequestReader:
    def __init__(self, value: Mapping[str, Any], pointers: Pointers, lines: _ItemLines) -> None:
        self._value = value
        self._pointers = pointers
        self._lines = lines
        self._variables = {
            str(mapping.get("key") or mapping.get("id")): mapping.get("value")
            for mapping in _mappings(value.get("variable"))
        }

    def operations(self) -> Iterator[RawOperation]:
        yield from self._items(self._value["item"], At(keys=("item",)), (), self._value)

    def _items(
        self, items: Sequence[Any], at: At, folders: tuple[str, ...], holder: Mapping[str, Any]
    ) -> Iterator[RawOperation]:
        for position, item in enumerate(items):
            here = at / position
            if not isinstance(item, dict):
                self._pointers.problem(here, "the item is not a mapping; left out")
                continue
            name = str(item.get("name") or "")
            line = self._lines.line_of(name) if name else 1
            inner = {**item, "auth": item.get("auth") or holder.get("auth")}
            if isinstance(item.get("item"), list):
                yield from self._items(item["item"], here / "item", (*folders, name), inner)
            elif "request" in item:
                found = self._request(item, name, here, folders, inner["auth"], line)
                if found is not None:
                    yield found
            else:
                self._pointers.problem(here, "the item has neither items nor a request; left out")

    def _request(
        self,
        item: Mapping[str, Any],
        name: str,
        at: At,
        folders: tuple[str, ...],
        auth: Any,
        line: int,
    ) -> RawOperation | None:
        value = item["request"]
        request = {"method": "GET", "url": value} if isinstance(value, str) else value
        if not isinstance(request, dict):
            self._pointers.problem(at / "request", "the request is not a mapping; left out")
            return None
        method = str(request.get("method") or "GET").lower()
        if method not in METHODS:
            self._pointers.problem(at / "request", f"unknown method {method!r}; left out")
            return None
        path, parameters = self._url(request.get("url"))
        parameters += self._headers(request.get("header"))
        operation = {
            "summary": name,
            "description": _prose(request.get("description")) or _prose(item.get("description")),
            "tags": [folder for folder in folders if folder],
            "parameters": parameters,
            "requestBody": self._body(request.get("body"), at / "request" / "body"),
            "responses": self._responses(item.get("response")),
        }
        auth = request.get("auth") or auth
        if (
            isinstance(auth, dict)
            and isinstance(auth.get("type"), str)
            and auth["type"] != "noauth"
        ):
            operation["security"] = [{auth["type"]: []}]
        return RawOperation(method, path, operation, at, line, name=name)

    # The request ----------------------------------------------------------------------------------

    def _url(self, url: Any) -> tuple[str, list[dict[str, Any]]]:
        """Return the path in OpenAPI's syntax, and the path and query parameters."""
        url_parts: Mapping[str, Any] = url if isinstance(url, dict) else {"raw": str(url or "")}
        raw = str(url_parts.get("raw") or "")
        path = url_parts.get("path")
        if isinstance(path, list):
            parts = [
                str(segment.get("value", "") if isinstance(segment, dict) else segment)
                for segment in path
            ]
            path = "/" + "/".join(parts)
        elif not isinstance(path, str):
            path = _SERVER.sub("", raw, count=1).partition("?")[0].partition("#")[0]
        path = path if path.startswith("/") else f"/{path}"
        variables = {
            str(mapping.get("key") or mapping.get("id")): mapping
            for mapping in _mappings(url_parts.get("variable"))
        }
        names = dict.fromkeys(match[1] or match[2] for match in _IN_PATH.finditer(path))
        parameters = [
            {
                "name": name,
                "in": "path",
                "required": True,
                "description": _prose(variables.get(name, {}).get("description")),
                "schema": schema_of_text(
                    variables.get(name, {}).get("value") or self._variables.get(name)
                ),
            }
            for name in names
        ]
        query = url_parts.get("query")
        if not isinstance(query, list):
            pairs = [pair.partition("=") for pair in raw.partition("?")[2].split("&") if pair]
            query = [{"key": key, "value": value} for key, _, value in pairs]
        parameters += [self._parameter(parameter, "query") for parameter in _with_key(query)]
        openapi_path = _IN_PATH.sub(lambda match: f"{{{match[1] or match[2]}}}", path)
        return openapi_path, parameters

    def _headers(self, headers: Any) -> list[dict[str, Any]]:
        return [self._parameter(header, "header") for header in _with_key(headers)]

    def _parameter(self, mapping: Mapping[str, Any], place: str) -> dict[str, Any]:
        return {
            "name": mapping["key"],
            "in": place,
            "description": _prose(mapping.get("description")),
            "schema": schema_of_text(self._known(mapping.get("value"))),
        }

    def _known(self, value: Any) -> Any:
        """Return the value of a collection variable for ``{{name}}``; other values unchanged."""
        if isinstance(value, str) and value.startswith("{{") and value.endswith("}}"):
            return self._variables.get(value[2:-2].strip(), value)
        return value

    def _body(self, body: Any, at: At) -> dict[str, Any] | None:
        if not isinstance(body, dict) or body.get("disabled") is True:
            return None
        mode = str(body.get("mode"))
        if mode in _FORMS:
            fields = list(_with_key(body.get(mode)))
            properties = {
                field["key"]: {"type": "string", "format": "binary"}
                if field.get("type") == "file"
                else schema_of_text(self._known(field.get("value")))
                for field in fields
            }
            required = [field["key"] for field in fields if field.get("disabled") is not True]
            schema = {"type": "object", "properties": properties, "required": required}
            return _content(_FORMS[mode], schema)
        if mode == "graphql":
            schema = schema_of([{"query": "", "variables": {}}])
            return _content("application/json", schema)
        if mode == "file":
            return _content("application/octet-stream", {"type": "string", "format": "binary"})
        raw = body.get("raw")
        if mode != "raw" or not isinstance(raw, str) or not raw.strip():
            return None
        options = body.get("options")
        raw_options = options.get("raw") if isinstance(options, dict) else None
        language = raw_options.get("language") if isinstance(raw_options, dict) else None
        value, is_json = _json(raw)
        if not is_json:
            if language == "json":
                self._pointers.problem(at, "the body is not JSON; read as text")
            return _content("text/plain", {"type": "string"})
        return _content("application/json", schema_of([value]), value)

    # The responses --------------------------------------------------------------------------------

    def _responses(self, responses: Any) -> dict[str, Any]:
        """Return the responses by status; the examples of one status give one type."""
        found: dict[str, list[Mapping[str, Any]]] = {}
        for mapping in _mappings(responses):
            found.setdefault(str(mapping.get("code") or "default"), []).append(mapping)
        return {status: self._response(examples) for status, examples in found.items()}

    def _response(self, examples: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        description = str(examples[0].get("name") or examples[0].get("status") or "")
        bodies = [example["body"] for example in examples if isinstance(example.get("body"), str)]
        values = [_json(body) for body in bodies if body.strip()]
        if not values:
            return {"description": description}
        if all(is_json for _, is_json in values):
            json_values = [value for value, _ in values]
            return {
                "description": description,
                **_content("application/json", schema_of(json_values), json_values[0]),
            }
        return {"description": description, **_content("text/plain", {"type": "string"})}


def _content(media: str, schema: Mapping[str, Any], example: Any = None) -> dict[str, Any]:
    return {"required": True, "content": {media: {"schema": schema, "example": example}}}


def _json(text: str) -> tuple[Any, bool]:
    """Return the value of a body, and whether it is JSON with ``{{variables}}`` as values."""
    try:
        return json.loads(_BARE_VARIABLE.sub(lambda match: json.dumps(match[0]), text)), True
    except (ValueError, RecursionError):
        return None, False


def _mappings(value: Any) -> Iterator[Mapping[str, Any]]:
    return (item for item in (value if isinstance(value, list) else ()) if isinstance(item, dict))


def _with_key(value: Any) -> Iterator[Mapping[str, Any]]:
    for mapping in _mappings(value):
        if isinstance(mapping.get("key"), str) and mapping["key"]:
            yield mapping


def _prose(value: Any) -> str:
    """Return a description, which is a string or a mapping with ``content``."""
    if isinstance(value, dict):
        value = value.get("content")
    return value if isinstance(value, str) else ""


def _version(value: Any) -> str:
    if isinstance(value, dict):
        return ".".join(str(value.get(part, 0)) for part in ("major", "minor", "patch"))
    return value if isinstance(value, str) else ""
