from __future__ import annotations

from pathlib import Path

import pytest

from typematch.catalog import Catalog
from typematch.search.llm_protocols import Expansion
from typematch.search.prepare.prepared_query import prepare_query
from typematch.search.prepare.query_expansion import expand_query


@pytest.mark.parametrize(
    "settings",
    ["is:assignable", "is:exact", "limit:3 sort:name strict:yes", "pkg:toolbox -is:deprecated"],
)
def test_other_wordings_have_the_facets_and_settings_of_the_query(
    tiny: Path, settings: str
) -> None:
    expansion = Expansion(phrasings=("divide a sequence",), constraints=("returns:_[][]",))
    with Catalog(tiny, create=False) as catalog:
        prepared = prepare_query(f"split a list  {settings}", catalog._store)
        expanded = expand_query(prepared, expansion, catalog._store)
    query = prepared.query
    assert len(expanded.wordings) == 2
    for wording in (prepared.query for prepared in expanded.wordings.values()):
        assert wording.constraints[: len(query.constraints)] == query.constraints
        assert (wording.strictness, wording.limit, wording.sort, wording.strict) == (
            query.strictness, query.limit, query.sort, query.strict,
        )  # fmt: skip
