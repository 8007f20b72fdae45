"""Documents become services, operations and schemas that are found like code."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

import typematch
from databases import copy_database
from typematch.catalog import Catalog
from typematch.index.dump import dump
from typematch.index.sql_store import open_store
from typematch.ingest.run import run
from typematch.serve.cli.endpoint import call_lines, entry_heading, response_lines
from typematch.sources.packages.documents import is_document, may_be_document

FIXTURES = Path(__file__).parent.parent / "fixtures"


@pytest.fixture
def petshop(tmp_path: Path) -> Path:
    return Path(shutil.copytree(FIXTURES / "petshop", tmp_path / "petshop"))


@pytest.fixture(scope="module")
def catalog(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Catalog]:
    """The fixture as it is."""
    with typematch.open(tmp_path_factory.mktemp("services") / "test.db") as made:
        report = made.add(FIXTURES / "petshop", model=None)
        assert (report.failed, report.problems) == ((), ())
        yield made


@pytest.fixture(scope="module")
def with_library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A catalog that has the globals, which take longer than all documents here."""
    folder = tmp_path_factory.mktemp("library")
    (folder / "seed.ts").write_text("export const seed = 1;")
    with typematch.open(folder / "library.db") as made:
        made.add(folder / "seed.ts", model=None)
    return folder / "library.db"


@pytest.fixture
def empty(tmp_path: Path, with_library: Path) -> Iterator[Catalog]:
    with typematch.open(copy_database(with_library, tmp_path / "test.db"), create=False) as made:
        yield made


@pytest.fixture
def changing(tmp_path: Path, petshop: Path) -> Iterator[Catalog]:
    """A catalog of a copy that may be changed."""
    with typematch.open(tmp_path / "test.db") as made:
        made.add(petshop, model=None)
        yield made


def found(catalog: Catalog, query: str) -> list[str]:
    return [hit.entry.name for hit in catalog.search(query)]


def test_an_operation_is_found_by_its_shape(catalog: Catalog) -> None:
    hit = catalog.search("(id: number) => Promise<{ id: number; name: string }>").top
    assert hit is not None
    assert hit.entry.http == "GET /animals/{animalId}"
    assert hit.entry.name == "getAnimalsByAnimalId"


def test_facets_select_operations(catalog: Catalog) -> None:
    assert sorted(found(catalog, "http:DELETE")) == ["cancel", "cancelAdoption"]
    assert found(catalog, 'http:"/bookings/*/photo"') == ["sendAPhoto"]
    assert found(catalog, 'http:"PUT /animals*"') == ["adopt"]
    assert sorted(found(catalog, "tag:adoptions")) == ["adopt", "cancelAdoption"]
    assert found(catalog, 'service:"pet adoption" kind:service') == ["PetAdoption"]
    assert "Receipt" in found(catalog, "kind:schema source:openapi")


def test_words_find_an_operation(catalog: Catalog) -> None:
    assert found(catalog, "take in an animal")[0] == "registerAnimal"


def test_a_service_is_found_by_required_operations(catalog: Catalog) -> None:
    asked = ":: { cancelAdoption(id: number): Promise<void> }"
    assert found(catalog, asked) == ["PetAdoption"]


def test_an_operation_keeps_the_locations_of_its_parameters(catalog: Catalog) -> None:
    entry = catalog.get("adopt")
    assert entry.signature == (
        "(animalId: number, body: { adopter: Person; visits?: string[] }, XRequestID?: string)"
        " => Promise<void | Papers>"
    )
    assert entry.endpoint is not None
    assert entry.endpoint.parameters == (
        ("path", "animalId"), ("body", "application/json"), ("header", "X-Request-ID"),
    )  # fmt: skip
    assert entry.endpoint.security == ("apiKey",)
    assert entry.service == "Pet Adoption"
    assert entry.version == "2.1.0"
    assert entry.line == 64


def test_show_prints_parameters_and_responses_of_an_operation(catalog: Catalog) -> None:
    adopt = catalog.get("adopt")
    assert entry_heading(adopt) == "operation of Pet Adoption 2.1.0 in petshop"
    assert list(call_lines(adopt)) == [
        "PUT /animals/{animalId}/adoption",
        "animalId in path",
        "body as application/json",
        "XRequestID in header, as X-Request-ID",
        "security: apiKey",
        "tags: animals, adoptions",
    ]
    assert list(response_lines(adopt)) == [
        "200  Papers  The papers",
        "204  void  It lives there already",
    ]


def test_services_are_counted(catalog: Catalog) -> None:
    counts = catalog.facets("kind:operation")["service"]
    assert counts == {"Pet Adoption": 5, "Grooming": 4, "Vaccinations": 3, "Pet Insurance": 2}
    assert next(iter(counts)) == "Pet Adoption"


def test_all_versions_of_openapi_give_the_same_types(catalog: Catalog) -> None:
    texts = {entry.name: entry.signature for entry in catalog.entries("petshop")}
    assert texts["vaccinationsOf"] == (
        '(pet: number, against?: ("distemper" | "flu" | "rabies")[]) => Promise<Vaccination[]>'
    )
    assert texts["Vaccination"] == (
        "type Vaccination = { against: string; batch?: string | null; on: string }"
    )
    assert texts["Range"] == "type Range = [number, number]"
    assert texts["State"] == 'type State = "open" | "refused" | "settled"'
    asked = '(of: { born: string; species: "cat" }) => Promise<{ monthly: number }[]>'
    assert found(catalog, asked)[0] == "quote"


def test_a_long_type_is_shortened_in_lists_and_complete_in_show(
    tmp_path: Path, empty: Catalog
) -> None:
    inner = {f"field{n}": {"type": "string", "description": "x"} for n in range(60)}
    outer = {f"part{n}": {"type": "object", "properties": inner} for n in range(5)}
    schema = {"type": "object", "properties": outer}
    content = {"application/json": {"schema": {"$ref": "#/components/schemas/Large"}}}
    large = {"application/json": {"schema": schema}}
    operation = {
        "operationId": "large",
        "requestBody": {"required": True, "content": content},
        "responses": {"200": {"description": "", "content": large}},
    }
    document = {"openapi": "3.0.0", "info": {"title": "T"}, "paths": {"/a": {"put": operation}}}
    document["components"] = {"schemas": {"Large": schema}}
    (tmp_path / "large.json").write_text(json.dumps(document))
    empty.add(tmp_path / "large.json", model=None)
    for entry in (empty.get("T#large"), empty.get("T.Large")):
        assert "part4?: ..." in entry.signature
        assert len(entry.signature) < 2_000
        assert empty.declaration(entry).count("field59?: string") == 5
    assert "body: T.Large" in empty.declaration(empty.get("T#large"))


def test_a_postman_collection_is_a_service(catalog: Catalog) -> None:
    assert found(catalog, "source:postman kind:service") == ["Grooming"]
    assert sorted(found(catalog, "tag:Salons")) == ["listFreeSlots"]
    asked = "(salon: number, day: string) => Promise<{ start: string; minutes: number }[]>"
    assert found(catalog, asked)[0] == "listFreeSlots"
    assert catalog.get("listFreeSlots").line == 18


def test_a_second_run_reads_only_what_changed(petshop: Path, changing: Catalog) -> None:
    assert changing.add(petshop, model=None).unchanged == changing.stats().files
    people = petshop / "shared" / "people.yaml"
    people.write_text(people.read_text().replace("name: { type", "nick: { type"))
    report = changing.add(petshop, model=None)
    assert report.files - report.unchanged == 1
    assert "nick?: string" in changing.get("Person").signature


def test_an_index_after_edits_equals_a_fresh_one(tmp_path: Path, petshop: Path) -> None:
    def indexed(database: str) -> list[str]:
        with closing(open_store(tmp_path / database)) as store:
            run([petshop], store)
            return dump(store.database)

    before = indexed("old.db")
    adoption, people = petshop / "adoption.yaml", petshop / "shared" / "people.yaml"
    originals = {file: file.read_text() for file in (adoption, people)}
    people.write_text(originals[people].replace("city", "town"))
    assert indexed("old.db") == indexed("fresh1.db") != before
    adoption.write_text(originals[adoption].replace("Pet Adoption", "Homes"))
    (petshop / "second.yaml").write_text(originals[adoption].replace("NewAnimal", "Guest"))
    (petshop / "grooming.postman_collection.json").unlink()
    assert indexed("old.db") == indexed("fresh2.db")
    people.unlink()
    assert indexed("old.db") == indexed("fresh3.db")
    for file, text in originals.items():
        file.write_text(text)
    (petshop / "second.yaml").unlink()
    shutil.copy(FIXTURES / "petshop" / "grooming.postman_collection.json", petshop)
    assert indexed("old.db") == before


def test_deleted_documents_are_removed(petshop: Path, changing: Catalog) -> None:
    (petshop / "index.ts").write_text("export const here = 1;")
    (petshop / "adoption.yaml").unlink()
    assert changing.add(petshop, model=None).removed == 1
    left = {entry.service for entry in changing.entries("petshop") if entry.service}
    assert left == {"Grooming", "Pet Insurance", "Vaccinations"}


def test_catalogs_of_all_formats_are_found(empty: Catalog) -> None:
    assert empty.add(FIXTURES / "catalog", model=None).problems == ()
    names = [entry.service for entry in empty.entries("catalog") if entry.kind == "service"]
    assert names == ["Currency conversion", "Parcel tracking", "Shipping rates", "Weather"]
    asked = "(place: { latitude: number; longitude: number }) => Promise<{ celsius: number }[]>"
    assert found(empty, asked)[0] == "forecast"
    assert found(empty, "parcel tracking")[0] == "ParcelTracking"
    assert sorted(found(empty, "tag:prices source:catalog")) == ["ShippingRates", "quote"]
    entry = empty.get("Sighting")
    assert (entry.kind, entry.service) == ("schema", "Parcel tracking")
    assert "place: string;" in empty.declaration(entry)


def test_markdown_of_a_project_needs_a_name_in_front_matter(tmp_path: Path, empty: Catalog) -> None:
    text = "# Usage\n```ts\ninterface Api { go(): void }\n```\n"
    (tmp_path / "package.json").write_text('{"name": "app"}')
    (tmp_path / "index.ts").write_text("export const here = 1;")
    (tmp_path / "README.md").write_text(text)
    (tmp_path / "entry.md").write_text(f"---\nname: Going\n---\n{text}")
    empty.add(tmp_path, model=None)
    services = [entry for entry in empty.entries("app") if entry.kind == "service"]
    assert [service.service for service in services] == ["Going"]


def test_cleaned_texts_are_counted_and_can_be_kept(tmp_path: Path, empty: Catalog) -> None:
    file = tmp_path / "api.yaml"
    file.write_text(
        """
openapi: 3.0.0
info: {title: Marked, version: 1}
paths:
  /a:
    get:
      description: <b>Gets</b> the *first* one.
      responses:
        200:
          description: One
          headers: {X-Left: {description: Calls that remain}}
          content: {application/json: {example: {name: Rex}}}
        404: {description: Nothing is there}
"""
    )
    empty.add(file, model=None)
    doc = empty.get("getA").doc
    assert doc is not None
    assert doc.text == "Gets the first one."
    assert doc.tags == (("returns", "One"), ("example", '{"name": "Rex"}'))
    stats = empty.stats()
    assert [kind for kind, times, _ in stats.removed if times == 1] == [
        "headers", "errors", "markup",
    ]  # fmt: skip
    ((name, tokens, indexed),) = stats.documents
    assert name.endswith("/api.yaml")
    assert tokens > indexed > 0
    assert empty.add(file, model=None, keep=["errors", "headers", "html"]).unchanged > 0
    doc = empty.get("getA").doc
    assert doc is not None
    assert doc.text == "<b>Gets</b> the first one."
    assert ("throws", "404 Nothing is there") in doc.tags
    assert ("remarks", "Header X-Left: Calls that remain") in doc.tags
    assert [kind for kind, _, _ in empty.stats().removed] == ["markup"]
    with pytest.raises(typematch.TypematchError, match="there is no 'texts' to keep"):
        empty.add(file, keep=["texts"])


def test_operation_names_may_contain_any_character(tmp_path: Path, empty: Catalog) -> None:
    names = ["pets.list", "pets:archive", "pets/get", "Get all pets!", "10"]
    paths = {f"/{n}": {"get": {"operationId": name}} for n, name in enumerate(names)}
    document = {"openapi": "3.0.0", "info": {"title": "Pets"}, "paths": paths}
    (tmp_path / "pets.json").write_text(json.dumps(document))
    assert empty.add(tmp_path / "pets.json", model=None).problems == ()
    for name in names:
        entry = empty.get(name)
        assert (entry.name, entry.container) == (name, "Pets")
        assert [hit.entry.name for hit in empty.search(f'name:"{name}"')] == [name]
    in_module = empty.search(f"module:{tmp_path.name} kind:operation")
    assert {hit.entry.name for hit in in_module} == set(names)


@pytest.mark.parametrize(
    ("name", "text", "taken"),
    [
        pytest.param(
            "a.json", '{"info": {}, "openapi": "3.0.0", "paths": {}}', True, id="one line"
        ),
        pytest.param("a.yml", "swagger: '2.0'\n", True, id="quoted"),
        pytest.param("a.yaml", "info:\n  title: x\npaths:\n", True, id="without a version"),
        pytest.param("a.yaml", "plugins:\n  openapi: ./a.yaml\n", False, id="a setting"),
        pytest.param("a.yaml", "paths:\n  - src\n", False, id="paths of something else"),
        pytest.param("package.json", '{"dependencies": {"openapi": "3.1.0"}}', False, id="npm"),
        pytest.param("a.json", '{"name": "x", "interface": "eth0"}', False, id="a network"),
        pytest.param("a.yaml", "name: x\ninterface: |\n  interface X {}\n", True, id="an entry"),
        pytest.param("a.json", '[{"name":"x","interface":"interface X {}"}]', True, id="entries"),
        pytest.param(
            "a.json", '{"name":"x","interface":"//\\ninterface X {}"}', True, id="a second line"
        ),
        pytest.param("a.json", '{"interface":"' + "\\n" * 30_000, False, id="no end"),
    ],
)
def test_documents_are_recognised_by_their_first_bytes(
    tmp_path: Path, name: str, text: str, taken: bool
) -> None:
    file = tmp_path / name
    file.write_text(text)
    found = may_be_document(name) and is_document(str(file), in_package=False)
    assert found is taken


# Bad input ----------------------------------------------------------------------------------------


def test_invalid_documents_are_reported_and_the_others_are_indexed(
    tmp_path: Path, empty: Catalog
) -> None:
    folder = tmp_path / "specs"
    folder.mkdir()
    for number in range(393):
        (folder / f"{number}.json").write_text(
            json.dumps(
                {
                    "openapi": "3.0.0",
                    "info": {"title": f"Service {number}", "version": "1"},
                    "paths": {f"/things{number}": {"get": {}}},
                }
            )
        )
    broken = {
        "a.json": '{"openapi": "3.0.0", "paths": {',
        "b.yaml": "openapi: 3.0.0\n info: x",
        "c.yaml": "openapi: 9.0.0",
        "d.yaml": "openapi: 3.0.0\ninfo: {title: x}",
        "e.yaml": "openapi: 3.0.0\nx: " + "[" * 10_000,
        "f.json": '{"swagger": 2, "paths": {}}',
        "g.yaml": "openapi: 3.0.0\ninfo: &a [*a]",
    }
    for name, text in broken.items():
        (folder / name).write_text(text)
    report = empty.add(folder, model=None)
    assert sorted(name for name, _ in report.failed) == [f"specs/{name}" for name in broken]
    assert all(reason for _, reason in report.failed)
    assert len([entry for entry in empty.entries("specs") if entry.kind == "operation"]) == 393
    again = empty.add(folder, model=None)
    assert (again.unchanged, again.failed) == (again.files, report.failed)


def test_a_large_document_is_read(tmp_path: Path, empty: Catalog) -> None:
    paths = {
        f"/things/{number}": {"get": {"description": "A thing. " * 60, "operationId": f"t{number}"}}
        for number in range(5_000)
    }
    document = {"openapi": "3.1.0", "info": {"title": "Large", "version": "1"}, "paths": paths}
    file = tmp_path / "large.json"
    file.write_text(json.dumps(document))
    assert file.stat().st_size > 3_000_000
    assert empty.add(file, model=None).failed == ()
    assert empty.get("t4999").http == "GET /things/4999"


def test_references_and_links_do_not_leave_the_folder(tmp_path: Path, empty: Catalog) -> None:
    secret = tmp_path / "secret.yaml"
    secret.write_text("properties: {password: {const: hunter2}}")
    folder = tmp_path / "specs"
    folder.mkdir()
    (folder / "link.yaml").symlink_to(secret)
    (folder / "api.yaml").write_text(
        """
openapi: 3.0.0
info: {title: Curious, version: 1}
paths: {}
components:
  schemas:
    A: {$ref: ../secret.yaml}
    B: {$ref: link.yaml}
    C: {$ref: ../../../../../../etc/passwd}
    D: {$ref: '%2e%2e/secret.yaml'}
"""
    )
    report = empty.add(folder, model=None)
    assert len(report.problems) == 4
    assert all("leads out of the folder" in problem for _, problem in report.problems)
    texts = [empty.get(f"Curious.{name}").signature for name in "ABCD"]
    assert texts == [f"type {name} = unknown" for name in "ABCD"]


def test_files_that_are_not_documents_are_counted(petshop: Path, empty: Catalog) -> None:
    (petshop / "notes.json").write_text("[1, 2]")
    (skipped,) = empty.add(petshop, model=None).skipped
    assert skipped[1:] == (
        "not a document by itself: read if a document refers to it", 2
    )  # fmt: skip


def test_searches_over_recursive_schemas_end(tmp_path: Path, empty: Catalog) -> None:
    def to(name: str) -> dict[str, object]:
        return {"$ref": f"#/components/schemas/{name}"}

    edges: dict[str, dict[str, object]] = {
        "Property": {"properties": {"next": to("Item"), "id": {"type": "string"}}},
        "Item": {"type": "array", "items": to("Tuple")},
        "Tuple": {"prefixItems": [to("Map"), to("Property")]},
        "Map": {"additionalProperties": to("All")},
        "All": {"allOf": [{"properties": {"all": to("All")}}, to("Property")]},
        "One": {"oneOf": [to("All"), to("Any"), {"type": "null"}]},
        "Any": {"anyOf": [{"items": to("One")}, to("Map")]},
        "Patterns": {"patternProperties": {"^x": to("Patterns")}},
    }
    paths = {
        f"/{name}": {
            "post": {
                "operationId": f"turn{name}",
                "requestBody": {
                    "required": True,
                    "content": {"application/json": {"schema": to(name)}},
                },
                "responses": {
                    "200": {
                        "description": "",
                        "content": {"application/json": {"schema": to("One")}},
                    }
                },
            }
        }
        for name in edges
    }
    document = {"openapi": "3.1.0", "info": {"title": "Recurring"}, "paths": paths}
    document["components"] = {"schemas": edges}
    (tmp_path / "recurring.json").write_text(json.dumps(document))
    assert empty.add(tmp_path / "recurring.json", model=None).problems == ()
    for strictness in ("", "is:assignable", "is:loose"):
        result = empty.search(f"(x: {{ id: string }}) => Promise<_>  kind:operation {strictness}")
        assert "turnProperty" in [hit.entry.name for hit in result]
        assert not result.undecided
    assert "Property" in found(empty, ":: { id?: string }  kind:schema")
