"""Operations of documents, old and new, whole and broken."""

from __future__ import annotations

from typing import Any

import pytest

from sources.openapi.documents import document, operations, read, schemas


def of(operation: dict[str, Any], path: str = "/things/{id}", **rest: Any) -> str:
    """Return the text of the one operation."""
    (member,) = operations(read(document({path: {"get": operation}}, **rest))).values()
    return member.text


def answering(status: str, schema: Any) -> dict[str, Any]:
    return {status: {"description": "", "content": {"application/json": {"schema": schema}}}}


def test_parameters_are_ordered_by_required_and_then_by_location() -> None:
    operation = {
        "parameters": [
            {"name": "X-Trace", "in": "header", "schema": {"type": "string"}},
            {"name": "page[size]", "in": "query", "schema": {"type": "integer"}},
            {"name": "token", "in": "cookie", "required": True, "schema": {"type": "string"}},
            {"name": "id", "in": "path", "required": True, "schema": {"type": "string"}},
            {"name": "id", "in": "query", "schema": {"type": "number"}},
            {"name": "Accept", "in": "header", "schema": {"type": "string"}},
        ]
    }
    assert of(operation) == (
        "(id: string, token: string, pageSize?: number, queryId?: number, XTrace?: string)"
        " => Promise<unknown>"
    )


def test_an_operation_overrides_the_parameters_of_its_path() -> None:
    shared = [{"name": "n", "in": "query", "schema": {"type": "string"}}]
    own = [{"name": "n", "in": "query", "required": True, "schema": {"type": "number"}}]
    module = read(document({"/a": {"parameters": shared, "get": {"parameters": own}}}))
    assert operations(module)["getA"].text == "(n: number) => Promise<unknown>"


@pytest.mark.parametrize(
    ("responses", "expected"),
    [
        pytest.param({}, "unknown", id="no responses"),
        pytest.param({"204": {"description": ""}}, "void", id="no content"),
        pytest.param(
            {**answering("200", {"type": "string"}), **answering("201", {"type": "number"})},
            "string | number",
            id="several success responses",
        ),
        pytest.param(answering("2XX", {"type": "string"}), "string", id="a range"),
        pytest.param(answering("default", {"type": "string"}), "string", id="only the default"),
        pytest.param(
            {**answering("200", {"type": "string"}), **answering("404", {"type": "number"})},
            "string",
            id="errors are not results",
        ),
        pytest.param({"404": {"description": ""}}, "void", id="only errors"),
    ],
)
def test_the_result_is_the_union_of_the_success_responses(responses: Any, expected: str) -> None:
    assert of({"responses": responses}, "/a") == f"() => Promise<{expected}>"


def test_the_json_media_type_is_preferred() -> None:
    content = {
        "text/csv": {"schema": {"type": "string"}},
        "application/vnd.api+json; charset=utf-8": {"schema": {"type": "number"}},
    }
    responses = {"200": {"description": "", "content": content}}
    assert of({"responses": responses}, "/a") == "() => Promise<number>"


def test_every_response_is_documented() -> None:
    module = read(document({"/a": {"get": {"responses": answering("404", {"type": "string"})}}}))
    endpoint = operations(module)["getA"].endpoint
    assert endpoint is not None
    assert endpoint.responses == (("404", "", "string"),)


def test_a_2_0_document_gives_the_same_module_as_a_3_0_document() -> None:
    module = read(
        """
swagger: '2.0'
info: {title: Old, version: 1}
consumes: [application/json]
parameters:
  limit: {name: limit, in: query, type: integer, format: int32}
responses:
  pets: {description: Pets, schema: {type: array, items: {$ref: '#/definitions/Pet'}}}
paths:
  /pets:
    get:
      operationId: list
      parameters:
        - $ref: '#/parameters/limit'
        - {name: tags, in: query, type: array, items: {type: string, enum: [a, b]}}
      responses:
        200: {$ref: '#/responses/pets'}
    post:
      operationId: add
      parameters:
        - {name: pet, in: body, required: true, schema: {$ref: '#/definitions/Pet'}}
      responses:
        201: {description: Added}
  /pets/{id}/photo:
    post:
      operationId: photograph
      consumes: [multipart/form-data]
      parameters:
        - {name: id, in: path, required: true, type: string}
        - {name: image, in: formData, required: true, type: file}
        - {name: caption, in: formData, type: string}
      responses:
        200: {description: Stored, schema: {type: boolean}}
definitions:
  Pet: {type: object, required: [name], properties: {name: {type: string}}}
"""
    )
    assert module.problems == ()
    assert {name: operation.text for name, operation in operations(module).items()} == {
        "list": '(limit?: number, tags?: ("a" | "b")[]) => Promise<Pet[]>',
        "add": "(pet: Pet) => Promise<void>",
        "photograph": "(id: string, body: { caption?: string; image: string }) => Promise<boolean>",
    }
    photograph = operations(module)["photograph"].endpoint
    assert photograph is not None
    assert photograph.parameters == (("path", "id"), ("body", "multipart/form-data"))
    assert schemas(module)["Pet"].text == "type Pet = { name: string }"


def test_references_to_other_files_are_resolved() -> None:
    files = {
        "paths/things.yaml": """
parameters:
  - $ref: ../shared.json#/limit
get:
  operationId: things
  responses:
    200: {description: ok, content: {application/json: {schema: {$ref: './thing.yaml'}}}}
""",
        "paths/thing.yaml": "properties: {owner: {$ref: '../shared.json#/owner'}}",
        "shared.json": {
            "limit": {"name": "limit", "in": "query", "schema": {"type": "integer"}},
            "owner": {"type": "string"},
        },
    }
    module = read(document({"/things": {"$ref": "paths/things.yaml"}}), files)
    assert module.problems == ()
    assert operations(module)["things"].text == "(limit?: number) => Promise<thing>"
    assert schemas(module)["thing"].text == "type thing = { owner?: owner }"
    assert module.specifiers == (
        "text:paths/things.yaml", "text:shared.json", "text:paths/thing.yaml"
    )  # fmt: skip


def test_lines_are_counted_in_the_source_text() -> None:
    text = '{"openapi": "3.0.0",\n"info": {"title": "T"},\n"paths": {\n"/a": {\n"get": {}}}}'
    assert operations(read(text, name="a.json"))["getA"].line == 5
    yaml = "openapi: 3.0.0\ninfo: {title: T}\npaths:\n  /a:\n    get: {}\n  /b:\n    get: {}\n"
    assert [operation.line for operation in operations(read(yaml)).values()] == [5, 7]


# Bad input ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("reference", "why"),
    [
        pytest.param(
            "#/components/schemas/Gone",
            "its target does not exist: there is no 'components'",
            id="a missing target",
        ),
        pytest.param("gone.yaml#/A", "there is no such file", id="a file that is not there"),
        pytest.param("../../../etc/passwd", "leads out of the", id="out of the folder"),
        pytest.param("/etc/passwd", "leads out of the", id="an absolute path"),
        pytest.param(
            "https://example.org/a.yaml#/A", "is a URL: nothing is downloaded", id="a URL"
        ),
        pytest.param("file:///etc/passwd", "is a URL: nothing is downloaded", id="a URL of a file"),
        pytest.param("broken.yaml", "invalid YAML at line 2", id="a broken file"),
        pytest.param("#thing", "names an anchor", id="an anchor"),
        pytest.param(7, "the $ref is not a string", id="a number"),
    ],
)
def test_an_unresolved_reference_is_reported_and_the_rest_is_read(
    reference: object, why: str
) -> None:
    responses = answering(
        "200", {"properties": {"a": {"$ref": reference}, "b": {"type": "string"}}}
    )
    module = read(document({"/a": {"get": {"responses": responses}}}), {"broken.yaml": "a: [1"})
    assert operations(module)["getA"].text == "() => Promise<{ a?: unknown; b?: string }>"
    (problem,) = module.problems
    assert why in problem
    assert problem.startswith("#/paths/~1a/get/responses/200/content/application~1json/schema/")


def test_a_parameter_with_a_circular_reference_is_left_out() -> None:
    parameters = {
        "P": {"$ref": "#/components/parameters/Q"},
        "Q": {"$ref": "#/components/parameters/P"},
    }
    operation = {"parameters": [{"$ref": "#/components/parameters/P"}]}
    module = read(document({"/a": {"get": operation}}, components={"parameters": parameters}))
    assert operations(module)["getA"].text == "() => Promise<unknown>"
    assert "is circular" in module.problems[0]


def test_operation_names_are_unique() -> None:
    twice = {"operationId": "same"}
    module = read(document({"/a": {"get": twice}, "/b": {"get": twice}, "/b/": {"get": twice}}))
    assert list(operations(module)) == ["same", "getB", "getB2"]
    assert module.problems[0] == (
        "#/paths/~1b/get: the name 'same' belongs to GET /a; this operation is named getB"
    )


def test_an_invalid_operation_does_not_affect_the_others() -> None:
    module = read(
        document({"/a": {"get": {"parameters": "x"}, "put": {}}, "/b": 7, "/c": {"get": {}}})
    )
    assert list(operations(module)) == ["putA", "getC"]
    assert module.problems == (
        "#/paths/~1a/get: parameters: input should be a valid list; this operation is left out",
        "#/paths/~1b: the path is not a mapping; left out",
    )


@pytest.mark.parametrize(
    ("text", "why"),
    [
        pytest.param("", "the file is empty", id="empty"),
        pytest.param("[1]", "expected a mapping with the key 'openapi'", id="a list"),
        pytest.param("paths: {}", "neither the key 'openapi' nor 'swagger'", id="no version"),
        pytest.param(
            "openapi: 4.0.0", "version '4.0.0' is not supported", id="an unknown newer version"
        ),
        pytest.param(
            "swagger: '1.2'", "version '1.2' is not supported", id="an unsupported old version"
        ),
        pytest.param("openapi: 3.0.0\n  info: x", "invalid YAML at line 2", id="invalid YAML"),
        pytest.param("openapi: 3.0.0\npaths: {", "invalid YAML at line 3", id="an open bracket"),
        pytest.param("openapi: 3.0.0\ninfo: *gone", "anchor", id="an alias of nothing"),
        pytest.param("a: &a [*a]", "a YAML alias contains itself", id="an alias of itself"),
        pytest.param("[" * 100_000, "nested deeper than 200 levels", id="deep flow"),
        pytest.param(
            "\n".join(f"{' ' * level}a:" for level in range(1_000)),
            "nested deeper",
            id="deep blocks",
        ),
        pytest.param("openapi: 3.0.0\n---\na: 1", "a second YAML document", id="two documents"),
        pytest.param(
            "swagger: '2.0'\ninfo: {title: x}", "neither operations nor schemas", id="no paths"
        ),
        pytest.param(
            "swagger: '2.0'\npaths: {}\ninfo: {title: x}",
            "neither operations nor schemas",
            id="empty paths",
        ),
    ],
)
def test_an_invalid_document_has_a_reason(text: str, why: str) -> None:
    module = read(text)
    assert why in module.unreadable
    assert module.scope.declarations == ()


def test_a_json_error_has_line_and_column() -> None:
    module = read('{"openapi": "3.0.0",\n "info": }', name="a.json")
    assert module.unreadable == "invalid JSON at line 2, column 10: Expecting value"
    assert "nested deeper than 200" in read("[" * 1_000_000, name="a.json").unreadable


def test_exponential_yaml_aliases_are_an_error() -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 12)]
    module = read("openapi: 3.0.0\n" + "\n".join(lines))
    assert module.unreadable == "the YAML aliases expand to more than 5,000,000 values"


def test_an_unknown_newer_version_is_read_as_3_1() -> None:
    module = read("openapi: 3.2.0\ninfo: {title: x}\ncomponents: {schemas: {A: {type: string}}}")
    assert schemas(module)["A"].text == "type A = string"
    assert module.problems == ("#: version 3.2.0 is newer than this reader; read as 3.1",)


def test_a_document_without_paths_still_has_its_schemas() -> None:
    module = read("swagger: '2.0'\ninfo: {title: x}\ndefinitions: {A: {type: string}}")
    assert schemas(module)["A"].text == "type A = string"
    assert module.problems == ("#/paths: there are no paths; only schemas are indexed",)


def test_keys_are_strings_and_duplicate_keys_are_reported() -> None:
    module = read(
        "openapi: 3.0.0\ninfo: {title: x}\npaths:\n  /a: {get: {operationId: one}}\n"
        "  /a: {get: {responses: {200: {description: 2001-01-01}}}}\n"
    )
    assert operations(module)["getA"].endpoint is not None
    assert module.problems == ("#: the key '/a' at line 5 is a duplicate; the last one counts",)


def test_a_schema_beyond_the_nesting_limit_becomes_unknown() -> None:
    schema: dict[str, Any] = {"type": "string"}
    for _ in range(90):
        schema = {"type": "array", "items": schema}
    module = read(document(components={"schemas": {"Deep": schema}}))
    assert schemas(module)["Deep"].text.startswith("type Deep = unknown[][]")
    assert "nested deeper than 60 levels" in module.problems[0]


def test_a_schema_of_another_file_is_where_the_document_first_refers_to_it() -> None:
    text = """\
openapi: 3.0.3
info: {title: Shop, version: "1"}
paths:
  /pets:
    $ref: 'paths.yaml#/pets'
  /pet:
    get:
      responses: {"200": {description: One, content: {a/b: {schema: {$ref: 'pets.yaml#/Pet'}}}}}
"""
    files = {
        "pets.yaml": {"Pet": {"properties": {"owner": {"$ref": "#/Owner"}}}, "Owner": {}},
        "paths.yaml": {"pets": {"get": {"responses": {"200": {"$ref": "#/answer"}}}}}
        | {"answer": {"description": "", "content": {"a/b": {"schema": {"$ref": "#/Cat"}}}}}
        | {"Cat": {}},
    }
    lines = {name: schema.line for name, schema in schemas(read(text, files)).items()}
    assert lines == {"Pet": 7, "Owner": 7, "Cat": 1}
