"""Documents become services, operations and schemas that are found like code."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

import typematch
from typematch.catalog import Catalog

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


def test_facets_choose_operations(catalog: Catalog) -> None:
    assert found(catalog, "http:DELETE") == ["cancelAdoption"]
    assert found(catalog, 'http:"PUT /animals*"') == ["adopt"]
    assert sorted(found(catalog, "tag:adoptions")) == ["adopt", "cancelAdoption"]
    assert found(catalog, 'service:"pet adoption" kind:service') == ["PetAdoption"]
    assert "Receipt" in found(catalog, "kind:schema source:openapi")


def test_words_find_an_operation(catalog: Catalog) -> None:
    assert found(catalog, "take in an animal")[0] == "registerAnimal"


def test_a_service_is_found_by_the_operations_that_it_must_have(catalog: Catalog) -> None:
    asked = ":: { cancelAdoption(id: number): Promise<void> }"
    assert found(catalog, asked) == ["PetAdoption"]


def test_what_an_operation_is_called_with_is_kept(catalog: Catalog) -> None:
    entry = catalog.get("adopt")
    assert entry.signature == (
        "(animalId: number, body: { adopter: Person; visits?: string[] }, XRequestID?: string)"
        " => Promise<void | Papers>"
    )
    assert entry.endpoint is not None
    assert entry.endpoint.places == (
        ("path", "animalId"), ("body", "application/json"), ("header", "X-Request-ID"),
    )  # fmt: skip
    assert entry.endpoint.security == ("apiKey",)
    assert entry.service == "Pet Adoption"
    assert entry.version == "2.1.0"
    assert entry.line == 64


def test_a_second_run_reads_only_what_changed(
    tmp_path: Path, petshop: Path, changing: Catalog
) -> None:
    assert changing.add(petshop, model=None).unchanged == changing.stats().files
    people = petshop / "shared" / "people.yaml"
    people.write_text(people.read_text().replace("name: { type", "nick: { type"))
    report = changing.add(petshop, model=None)
    assert report.files - report.unchanged == 1
    assert "nick?: string" in changing.get("Person").signature
    with typematch.open(tmp_path / "fresh.db") as fresh:
        fresh.add(petshop, model=None)
        assert list(fresh.entries()) == list(changing.entries())


def test_what_is_gone_is_removed(petshop: Path, changing: Catalog) -> None:
    (petshop / "index.ts").write_text("export const here = 1;")
    (petshop / "adoption.yaml").unlink()
    assert changing.add(petshop, model=None).removed == 1
    assert [entry.name for entry in changing.entries("petshop")] == ["here"]
