"""The published protocol: how recall and precision are counted, and what the files hold."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from typematch.errors import SourceError, UsageError
from typematch.evaluate.relevance.services import (
    evaluate,
    measure_requests,
    report,
    restbench,
    socbench,
    summary,
)

DOCUMENT = {
    "openapi": "3.0.0",
    "info": {"title": "Pets", "version": "1"},
    "paths": {
        "/pets": {
            "get": {"summary": "List all pets", "responses": {"200": {"description": "ok"}}},
            "delete": {"summary": "Remove all pets", "responses": {"200": {"description": "ok"}}},
        }
    },
}
REQUEST = {"query": "list pets", "expected": [{"verb": "get", "path": "/pets", "services": []}]}
DOMAIN = {
    "instance": 1,
    "domain": "pets",
    "specs": [{"service": "pets", "openapi": DOCUMENT}],
    "queries": [REQUEST],
}


def test_recall_and_precision_of_the_first_hits() -> None:
    expected = [{"verb": "get", "path": f"/{name}"} for name in "ab"]
    rows = measure_requests(
        [{"query": "", "expected": expected}],
        lambda _: ["GET /x", "GET /a", "", "GET /a", "GET /y", "GET /b"],
    )
    assert (rows[0]["recall@5"], rows[0]["recall@10"]) == (0.5, 1.0)
    # What has no verb and path is no operation, and one that comes twice is one.
    assert (rows[0]["precision@5"], rows[0]["precision@10"]) == (1 / 3, 0.5)
    assert rows[0]["missing"] == []
    assert summary(rows)["recall@20"] == 1.0


def test_both_benchmarks_from_their_files(tmp_path: Path) -> None:
    (tmp_path / "1.jsonl.gz").write_bytes(gzip.compress(json.dumps(DOMAIN).encode()))
    (tmp_path / "pets.json.gz").write_bytes(gzip.compress(json.dumps(DOMAIN).encode()))
    assert [task.name for task in socbench(tmp_path)] == [
        "instance 1, by domain",
        "instance 1, all at once",
    ]
    [task] = restbench(tmp_path)
    result = evaluate([task], ["default", "fields"])
    assert result["default"][task.name]["summary"]["recall@5"] == 1.0
    table = report("restbench", result)
    assert "NV-Embed-v2 7B, published best" in table
    assert "1.000/" in table


def test_missing_data_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="no instances"):
        list(socbench(tmp_path))
    with pytest.raises(SourceError, match="no documents"):
        list(restbench(tmp_path))
    (tmp_path / "pets.json.gz").write_bytes(gzip.compress(json.dumps(DOMAIN).encode()))
    with pytest.raises(UsageError, match="no strategy 'summary'"):
        evaluate(list(restbench(tmp_path)), ["summary"])
