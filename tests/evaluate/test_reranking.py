"""The reranking benchmark, with simulated models."""

from __future__ import annotations

from pathlib import Path

import pytest

from fakes.messages_api import Behaviour, MessagesApi, Reply
from fakes.models import always, oracle_model
from typematch.catalog import Catalog
from typematch.errors import ClaudeError
from typematch.evaluate.corpus import JoinedFunctions, Row
from typematch.evaluate.relevance import reranking


def entries(path: Path) -> JoinedFunctions:
    """Return every function of the catalog under its own id."""
    with Catalog(path) as catalog:
        named = {entry.id: entry for entry in catalog.entries() if entry.kind == "function"}
    return JoinedFunctions(
        (), {entry_id: frozenset((entry_id,)) for entry_id in named}, named, frozenset()
    )


def query(text: str, **relevant: int) -> Row:
    grades = {f"toolbox#{name}": grade for name, grade in relevant.items()}
    return {"id": text, "query": text, "style": "meaning", "relevant": grades}


ROWS = [
    query("work on items  pkg:toolbox", filter=2, sortWith=1),
    query("numbers  pkg:toolbox", max=2, parseNumber=1),
]


def run(path: Path, behaviour: Behaviour, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Row:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    with MessagesApi(behaviour) as api, Catalog(path) as catalog:
        monkeypatch.setenv("ANTHROPIC_API_KEY", api.key)
        monkeypatch.setenv("ANTHROPIC_BASE_URL", api.url)
        return reranking.evaluate(catalog, ROWS, entries(path), candidates=30)


def test_an_ideal_reranker_reaches_the_ceiling(
    tiny: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    known = {"filter": 10.0, "sortWith": 5.0, "max": 10.0, "parseNumber": 5.0}
    result = run(tiny, oracle_model(known), monkeypatch, tmp_path)
    scores = {name: styles["all"]["ndcg@10"] for name, styles in result["systems"].items()}
    assert scores["reranked"] == scores["ceiling"] == 1.0
    assert scores["search"] < 1.0
    assert result["cost"]["dollars"] > 0
    assert "queries were not reranked" in reranking.report(result)


def test_a_failed_first_request_is_an_error(
    tiny: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with pytest.raises(ClaudeError, match="the hits were not reranked: the key was refused"):
        run(tiny, always(Reply(status=401)), monkeypatch, tmp_path)
