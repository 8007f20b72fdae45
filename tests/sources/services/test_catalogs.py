"""Entries of catalogs, in the formats that they are written in."""

from __future__ import annotations

import json

import pytest

from sources.openapi.documents import operations, read, schemas
from typematch.ir.module import DeclarationStatement, Module

CODE = """\
interface Rates {
  /** Asks. */
  quote(to: Place): Promise<Quote>;
}
type Place = string;
type Quote = { price: number };
"""


def services(module: Module) -> dict[str, DeclarationStatement]:
    return {
        declaration.name: declaration
        for declaration in module.scope.declarations
        if declaration.service_role is not None and declaration.service_role.role == "service"
    }


def markdown(text: str) -> Module:
    return read(text, name="entry.md")


def test_a_markdown_entry_has_its_name_from_the_heading_and_its_text_around_the_code() -> None:
    module = markdown(f"# Shipping  rates\n\nWhat it costs.\n\n```ts\n{CODE}```\n\nNo returns.\n")
    (service,) = services(module).values()
    assert service.service_role is not None
    assert (service.service_role.service, service.name, service.line) == (
        "Shipping rates",
        "Rates",
        6,
    )
    assert service.doc is not None
    assert service.doc.text == "Shipping rates. What it costs.\n\nNo returns."
    assert operations(module)["quote"].line == 8
    assert operations(module)["quote"].overloads[0].text == "(to: Place) => Promise<Quote>"
    assert list(schemas(module)) == ["Place", "Quote"]


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_front_matter_overrides_the_heading(line_end: str) -> None:
    text = (
        f"---\nname: Prices\nversion: 2.0\ntags: [money]\n---\n# Other\n```typescript\n{CODE}```\n"
    )
    module = markdown(text.replace("\n", line_end))
    (service,) = services(module).values()
    assert service.service_role is not None
    assert (service.service_role.service, service.service_role.version) == ("Prices", "2.0")
    assert operations(module)["quote"].labels == ("money",)
    assert operations(module)["quote"].line == 10


def test_each_heading_of_a_file_is_an_entry() -> None:
    module = markdown(
        f"# All\n\n## One\n\nFirst.\n\n```ts\n{CODE}```\n## Two\n\nSecond.\n```ts\n{CODE}```\n"
    )
    assert {
        name: declaration.service_role.service
        for name, declaration in services(module).items()
        if declaration.service_role
    } == {
        "Rates": "One",
        "Rates_2": "Two",
    }


@pytest.mark.parametrize("wrapped", ["one", "list", "services"])
def test_yaml_and_json_contain_an_entry_or_a_list_of_entries(wrapped: str) -> None:
    entry = {"name": "Shipping", "description": "Costs.", "interface": CODE, "tags": ["a"]}
    value = {"one": entry, "list": [entry], "services": {"services": [entry]}}[wrapped]
    module = read(json.dumps(value, indent=1), name="entry.json")
    (service,) = services(module).values()
    assert service.service_role is not None
    assert service.service_role.service == "Shipping"
    assert operations(module)["quote"].labels == ("a",)


def test_lines_are_those_of_the_yaml_file_and_of_the_json_key() -> None:
    indented = CODE.replace("\n", "\n    ")
    module = read(f"- name: A\n  interface: |\n    {indented}", name="entry.yaml")
    assert operations(module)["quote"].line == 5
    entry = {"name": "A", "interface": CODE}
    module = read(json.dumps(entry, indent=1), name="entry.json")
    assert operations(module)["quote"].line == 3


def test_the_service_is_the_interface_of_that_name_or_one_that_no_other_type_mentions() -> None:
    code = "interface Quote { price(): number }\ninterface Api { get(): Quote }\n"
    assert list(services(markdown(f"# X\n```ts\n{code}```\n"))) == ["Api"]
    assert list(services(markdown(f"# Quote\n```ts\n{code}```\n"))) == ["Quote"]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        pytest.param("# A\n```ts\nconst x = 1;\n```\n", "has an interface", id="no interface"),
        pytest.param(
            "# A\n```ts\ninterface {{{\n```\n", "or none without syntax errors", id="no TypeScript"
        ),
        pytest.param(f"```ts\n{CODE}```\n", "the entry has no name", id="no name"),
        pytest.param(
            f"---\nname: [1]\n---\n```ts\n{CODE}```\n",
            "the front matter cannot be read",
            id="front",
        ),
        pytest.param("", "no fenced block", id="empty"),
    ],
)
def test_an_invalid_markdown_entry_has_a_reason(text: str, why: str) -> None:
    assert why in markdown(text).unreadable


def test_a_partly_invalid_interface_is_partly_read() -> None:
    module = markdown("# A\n```ts\ninterface A { a(): string; b(: number; c(): Date }\n```\n")
    assert "a" in operations(module)
    assert module.problems
    assert "have syntax errors" in module.problems[0]


def test_an_invalid_entry_is_reported_and_the_others_are_read() -> None:
    entries = [
        {"name": "Good", "interface": CODE},
        {"name": "Bad", "interface": "type X = {"},
        {"interface": CODE},
        {"name": "Odd", "interface": []},
    ]
    module = read(json.dumps(entries), name="entries.json")
    assert len(services(module)) == 1
    assert module.problems == (
        "#/2: name: field required; this entry is left out",
        "#/3 (Odd): interface: input should be a valid string; this entry is left out",
        "#/1: the code has no interface with members, or none without syntax errors; "
        "the entry 'Bad' is left out",
    )
