"""The search without one of its parts at a time."""

from __future__ import annotations

from pathlib import Path

import pytest

from file_trees import writer
from typematch.catalog import Catalog
from typematch.evaluate.corpus import JoinedFunctions
from typematch.evaluate.relevance import ablations
from typematch.index.sql_store import open_store

_TYPES = """
export declare abstract class CustomerResource {
  /** Create one. */
  create(fields: string): void;
}
export declare abstract class InvoiceResource {
  /** Create one. */
  create(fields: string): void;
}
"""


def test_each_part_is_left_out_of_one_row(tmp_path: Path) -> None:
    root = writer(tmp_path / "shop")(
        {"package.json": {"name": "shop", "types": "index.d.ts"}, "index.d.ts": _TYPES}
    )
    wanted = "shop#InvoiceResource#create"
    query = {"id": "q", "style": "meaning", "query": "create invoice", "relevant": {wanted: 2}}
    with Catalog(tmp_path / "typematch.db") as catalog:
        catalog.add(root)
        ids = {entry.id: frozenset((entry.id,)) for entry in catalog.entries()}
    store = open_store(tmp_path / "typematch.db", create=False)
    try:
        functions = JoinedFunctions((), ids, {}, frozenset())
        result = ablations.evaluate([query], functions, store, unseen=frozenset(("q",)))
    finally:
        store.close()
    scores = {name: row["all"]["ndcg@10"] for name, row in result["systems"].items()}
    assert {"as it is", "without priors", "without embedding", "without context"} < set(scores)
    assert result["halves"]["held out"]["as it is"]["all"]["ndcg@10"] == scores["as it is"]
    # Nothing but its class tells which of the two methods is meant.
    assert scores["as it is"] == 1.0
    assert scores["without context"] == pytest.approx(0.631, abs=0.001)
    assert "without context" in ablations.report(result)
