"""What JSON Schema lets through, as types."""

from __future__ import annotations

from typing import Any

import pytest

from sources.openapi.documents import document, read, schema_text, schemas


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        pytest.param({}, "unknown", id="empty schema"),
        pytest.param({"type": "integer", "format": "int64"}, "number", id="formats are ignored"),
        pytest.param({"type": "string", "format": "binary"}, "string", id="binary"),
        pytest.param({"enum": ["a", 1, 1.5, True, None]}, 'true | "a" | 1 | 1.5 | null', id="enum"),
        pytest.param({"const": {"a": [1]}}, "{ a: [1] }", id="const of any value"),
        pytest.param({"enum": [1e-7, 1e21]}, "1e-7 | 1e+21", id="spelling of numbers"),
        pytest.param({"type": "string", "nullable": True}, "string | null", id="nullable in 3.0"),
        pytest.param({"type": "string", "x-nullable": True}, "string | null", id="and in 2.0"),
        pytest.param({"type": ["string", "null"]}, "string | null", id="nullable in 3.1"),
        pytest.param({"type": ["integer", "array"], "items": {}}, "number | unknown[]", id="kinds"),
        pytest.param({"type": "array"}, "unknown[]", id="array of anything"),
        pytest.param({"items": {"type": "string"}}, "string[]", id="items make an array"),
        pytest.param(
            {"prefixItems": [{"type": "string"}, {"type": "number"}]},
            "[string, number]",
            id="tuple",
        ),
        pytest.param(
            {"type": "array", "prefixItems": [{"type": "string"}], "items": {"type": "number"}},
            "[string, ...number[]]",
            id="tuple with a rest",
        ),
        pytest.param({"type": "object"}, "{ [key: string]: unknown }", id="any object"),
        pytest.param(
            {
                "type": "object",
                "properties": {"a": {"type": "string"}, "b-c": {}},
                "required": ["a"],
            },
            '{ a: string; "b-c"?: unknown }',
            id="properties",
        ),
        pytest.param(
            {"properties": {"a": {"readOnly": True}}}, "{ readonly a?: unknown }", id="read only"
        ),
        pytest.param(
            {"additionalProperties": {"type": "number"}}, "{ [key: string]: number }", id="map"
        ),
        pytest.param(
            {"type": "object", "additionalProperties": False},
            "{ [key: string]: never }",
            id="empty",
        ),
        pytest.param(
            {"properties": {"a": {"type": "string"}}, "additionalProperties": {"type": "number"}},
            "{ a?: string } & { [key: string]: number }",
            id="properties and a map",
        ),
        pytest.param(
            {"patternProperties": {"^x-": {"type": "string"}}, "additionalProperties": False},
            "{ [key: `x-${string}`]: string }",
            id="pattern that is a prefix",
        ),
        pytest.param(
            {
                "properties": {"a": {"type": "number"}},
                "patternProperties": {"^x-": {"type": "string"}, "^[a-z]+$": {"type": "number"}},
            },
            "{ a?: number } & { [key: `x-${string}`]: string }",
            id="patterns beside properties",
        ),
        pytest.param(
            {"patternProperties": {"^x-": {"type": "string"}, "^[a-z]+$": {"type": "number"}}},
            "{ [key: string]: string | number }",
            id="patterns alone",
        ),
        pytest.param(
            {
                "patternProperties": {"^x-": {"type": "string"}},
                "additionalProperties": {"type": "number"},
            },
            "{ [key: string]: string | number }",
            id="patterns and a map",
        ),
        pytest.param(
            {"oneOf": [{"type": "string"}, {"type": "number"}], "nullable": True},
            "string | number | null",
            id="one of",
        ),
        pytest.param(
            {"properties": {"a": {}}, "anyOf": [{"required": ["a"]}, {"required": ["b"]}]},
            "{ a?: unknown } & ({ b: unknown } | { a: unknown })",
            id="any of, beside properties",
        ),
        pytest.param(
            {"allOf": [{"$ref": "#/components/schemas/Other"}], "required": ["name"]},
            "{ name: unknown } & Other",
            id="makes a property of its part required",
        ),
        pytest.param(
            {"allOf": [{"$ref": "#/components/schemas/Other"}], "nullable": True},
            "Other | null",
            id="a reference that may be null",
        ),
        pytest.param({"not": {"type": "string"}}, "unknown", id="not is left out"),
        pytest.param(
            {"properties": {"next": {"$ref": "#/components/schemas/It"}}},
            "{ next?: It }",
            id="recursion",
        ),
    ],
)
def test_schemas_become_types(schema: dict[str, Any], expected: str) -> None:
    assert schema_text(schema, Other={"type": "object"}) == expected


def test_siblings_of_a_reference_count_from_3_1_on() -> None:
    schema = {"$ref": "#/components/schemas/Other", "properties": {"a": {"type": "string"}}}
    assert schema_text(schema, Other={"type": "object"}) == "Other"
    both = schema_text(schema, Other={"type": "object"}, version="3.1.0")
    assert both == "Other & { a?: string }"
    described = {"$ref": "#/components/schemas/Other", "description": "Another."}
    assert schema_text(described, Other={}, version="3.1.0") == "Other"


def test_a_discriminator_becomes_a_literal_property_of_each_member() -> None:
    schema = {
        "oneOf": [{"$ref": "#/components/schemas/Cat"}, {"$ref": "#/components/schemas/Dog"}],
        "discriminator": {"propertyName": "kind", "mapping": {"meow": "Cat"}},
    }
    text = schema_text(schema, Cat={"type": "object"}, Dog={"type": "object"})
    assert text.split(" | ") == ['Cat & { kind: "meow" }', 'Dog & { kind: "Dog" }']


@pytest.mark.parametrize("mapped", [False, True])
def test_a_members_own_enum_overrides_the_discriminator(mapped: bool) -> None:
    cat = {"type": "object", "properties": {"kind": {"enum": ["cat"]}}}
    discriminator: dict[str, Any] = {"propertyName": "kind"}
    if mapped:
        discriminator["mapping"] = {"feline": "Cat"}
    schema = {"oneOf": [{"$ref": "#/components/schemas/Cat"}], "discriminator": discriminator}
    module = read(document(components={"schemas": {"It": schema, "Cat": cat}}))
    assert schemas(module)["It"].text == "type It = Cat"
    said = (
        '#/components/schemas/It: the discriminator maps kind "feline" to Cat, '
        "which does not allow it; left out",
    )
    assert module.problems == (said if mapped else ())


def test_a_schema_that_extends_one_with_a_discriminator_has_its_value() -> None:
    module = read(
        document(
            components={
                "schemas": {
                    "Animal": {
                        "type": "object",
                        "properties": {"kind": {"type": "string"}},
                        "discriminator": {
                            "propertyName": "kind",
                            "mapping": {"c": "#/components/schemas/Cat"},
                        },
                    },
                    "Cat": {"allOf": [{"$ref": "#/components/schemas/Animal"}]},
                    "Dog": {"allOf": [{"$ref": "#/components/schemas/Animal"}]},
                }
            }
        )
    )
    texts = {name: declaration.text for name, declaration in schemas(module).items()}
    assert texts["Animal"] == "type Animal = { kind?: string }"
    assert texts["Cat"] == 'type Cat = { kind: "c" } & Animal'
    assert texts["Dog"] == 'type Dog = { kind: "Dog" } & Animal'


def test_invalid_type_names_become_unique_identifiers() -> None:
    named = {"Foo.Bar": {"type": "string"}, "Foo Bar": {"type": "number"}, "Promise": {}, "2d": {}}
    module = read(document(components={"schemas": named}))
    assert list(schemas(module)) == ["Foo_Bar", "Foo_Bar_2", "Promise_2", "_2d"]


@pytest.mark.parametrize(
    "edge",
    [
        pytest.param(lambda ref: {"properties": {"a": ref}}, id="properties"),
        pytest.param(lambda ref: {"items": ref}, id="items"),
        pytest.param(lambda ref: {"prefixItems": [ref]}, id="prefixItems"),
        pytest.param(lambda ref: {"additionalProperties": ref}, id="additionalProperties"),
        pytest.param(lambda ref: {"patternProperties": {"a": ref}}, id="patternProperties"),
        pytest.param(lambda ref: {"allOf": [{"properties": {"a": ref}}]}, id="allOf"),
        pytest.param(lambda ref: {"oneOf": [{"items": ref}, {"type": "string"}]}, id="oneOf"),
        pytest.param(lambda ref: {"anyOf": [{"items": ref}]}, id="anyOf"),
    ],
)
def test_recursive_schemas_are_lowered_once(edge: Any) -> None:
    module = read(document(components={"schemas": {"A": edge({"$ref": "#/components/schemas/A"})}}))
    assert module.problems == ()
    assert "A" in schemas(module)["A"].text.removeprefix("type A = ")


@pytest.mark.parametrize("keyword", ["allOf", "oneOf", "anyOf"])
def test_a_schema_that_refers_only_to_itself_is_unknown_and_reported(keyword: str) -> None:
    named = {
        "Outer": {keyword: [{"$ref": "#/components/schemas/A"}]},
        "A": {keyword: [{"$ref": "#/components/schemas/B"}]},
        "B": {"$ref": "#/components/schemas/A"},
    }
    module = read(document(components={"schemas": named}))
    assert {name: declaration.text for name, declaration in schemas(module).items()} == {
        "Outer": "type Outer = A",
        "A": "type A = unknown",
        "B": "type B = A",
    }
    assert module.problems == (
        "#/components/schemas/A: the schema refers only to itself; read as unknown",
    )
