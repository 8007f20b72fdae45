"""docs/team.md shows the files of fixtures/team as they are."""

from __future__ import annotations

import pytest

from conftest import FIXTURES

_SHOWN = (
    "roles.sql",
    "orders/.github/workflows/typematch.yml",
    "payments/.gitlab-ci.yml",
    "agents.json",
)


@pytest.mark.parametrize("name", _SHOWN)
def test_the_document_shows_the_file(name: str) -> None:
    document = (FIXTURES.parent / "docs" / "team.md").read_text()
    assert (FIXTURES / "team" / name).read_text().rstrip() in document
