"""Postman collections: requests become operations, examples types."""

from __future__ import annotations

import json
from typing import Any

import pytest

from sources.openapi.documents import operations, read
from typematch.ir.module import Module


def collection(*items: dict[str, Any], **rest: Any) -> Module:
    info = {"name": "Things", "_postman_id": "1", "schema": "x/collection/v2.1.0/collection.json"}
    return read(json.dumps({"info": info, "item": list(items), **rest}), name="a.json")


def request(url: Any, method: str = "GET", name: str = "It", **rest: Any) -> dict[str, Any]:
    response = rest.pop("response", [])
    return {"name": name, "request": {"method": method, "url": url, **rest}, "response": response}


def text_of(item: dict[str, Any], **rest: Any) -> str:
    module = collection(item, **rest)
    assert module.problems == ()
    (member,) = operations(module).values()
    return member.text


@pytest.mark.parametrize(
    ("url", "path"),
    [
        pytest.param("{{base}}/a/:id", "/a/{id}", id="v2.0, a text"),
        pytest.param("https://example.org:80/a/{{id}}?x=1#y", "/a/{id}", id="with a server"),
        pytest.param({"raw": "example.org/a", "path": ["a", ":id"]}, "/a/{id}", id="parts"),
        pytest.param({"raw": "{{base}}/a.{{id}}"}, "/a.{id}", id="a variable in a part"),
        pytest.param({"path": "/a/{{id}}"}, "/a/{id}", id="a path as text"),
        pytest.param("{{base}}", "/", id="no path"),
        pytest.param(None, "/", id="nothing"),
    ],
)
def test_paths_have_the_syntax_of_openapi(url: Any, path: str) -> None:
    (member,) = operations(collection(request(url))).values()
    assert member.endpoint is not None
    assert member.endpoint.path == path
    assert [name for place, name in member.endpoint.parameters if place == "path"] == (
        ["id"] if "{id}" in path else []
    )


def test_parameters_have_the_types_of_their_examples() -> None:
    url = {
        "raw": "",
        "path": ["a", ":id"],
        "variable": [{"key": "id", "value": "7", "description": {"content": "Which"}}],
        "query": [
            {"key": "all", "value": "true"},
            {"key": "x", "value": "{{known}}"},
            {"key": None},
        ],
    }
    item = request(
        url, header=[{"key": "X-A", "value": "b"}, {"key": "Authorization", "value": "x"}]
    )
    assert text_of(item, variable=[{"key": "known", "value": "1.5"}]) == (
        "(id: number, all?: boolean, x?: number, XA?: string) => Promise<unknown>"
    )


def test_bodies_and_results_have_the_types_of_their_examples() -> None:
    item = request(
        "{{base}}/a",
        "POST",
        body={"mode": "raw", "raw": '{"id": {{id}}, "tags": ["a", 1], "at": null}'},
        response=[
            {"code": 200, "body": '[{"a": 1}, {"a": "x", "b": true}]'},
            {"code": 200, "body": "[]"},
            {"code": 500, "body": "oops"},
        ],
    )
    assert text_of(item) == (
        "(body: { at: null; id: unknown; tags: (string | number)[] })"
        " => Promise<{ a: string | number; b?: boolean }[]>"
    )


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param(
            {"mode": "urlencoded", "urlencoded": [{"key": "n", "value": "1"}]},
            "{ n: number }",
            id="a form",
        ),
        pytest.param({"mode": "file"}, "string", id="a file"),
        pytest.param({"mode": "raw", "raw": "hello"}, "string", id="text"),
        pytest.param(
            {"mode": "graphql", "graphql": {"query": "{a}"}},
            "{ query: string; variables: { [key: string]: unknown } }",
            id="graphql",
        ),
    ],
)
def test_bodies_of_every_mode(body: dict[str, Any], expected: str) -> None:
    assert text_of(request("/a", "PUT", body=body)) == f"(body: {expected}) => Promise<unknown>"


def test_folders_become_tags_and_duplicate_names_are_numbered() -> None:
    inner = {"name": "Admin", "item": [request("/a", name="Get a thing"), request("/b", name="It")]}
    module = collection({"name": "Users", "item": [inner]}, request("/c", name="It"))
    assert {name: operation.labels for name, operation in operations(module).items()} == {
        "getAThing": ("Users", "Admin"),
        "it": ("Users", "Admin"),
        "getC": (),
    }
    assert "the name 'it' belongs to GET /b" in module.problems[0]


def test_invalid_items_of_a_collection_are_reported_and_the_others_are_read() -> None:
    module = collection(
        7,  # type: ignore[arg-type]
        {"name": "neither"},
        request("/a", "BREW", name="coffee"),
        request("/ok", "POST", name="ok", body={
            "mode": "raw", "raw": "{oops", "options": {"raw": {"language": "json"}},
        }),
    )  # fmt: skip
    assert list(operations(module)) == ["ok"]
    assert module.problems == (
        "#/item/0: the item is not a mapping; left out",
        "#/item/1: the item has neither items nor a request; left out",
        "#/item/2/request: unknown method 'brew'; left out",
        "#/item/3/request/body: the body is not JSON; read as text",
    )


def test_a_version_1_collection_is_an_error() -> None:
    module = read(json.dumps({"id": "x", "order": [], "requests": []}), name="a.json")
    assert "export it as v2" in module.unreadable
