"""docs/claude.md lists every setting with its default, and every limit of output tokens."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest

from typematch.llm import discover, enrich, expand, rerank, select
from typematch.llm.settings import Settings

TEXT = (Path(__file__).parents[2] / "docs" / "claude.md").read_text(encoding="utf-8")
NAMES = [field.name for field in fields(Settings) if field.name != "problem"]


@pytest.mark.parametrize("name", NAMES)
def test_every_setting_is_documented_with_its_default(name: str) -> None:
    [row] = [row for row in TEXT.splitlines() if row.startswith("|") and f"`{name}`" in row[:30]]
    default = getattr(Settings(), name)
    assert default in ("", {}) or f"| `{default}` |" in row


@pytest.mark.parametrize(
    ("feature", "limit"),
    [
        ("rerank", rerank.MAX_TOKENS),
        ("discover", discover.MAX_TOKENS),
        ("expand, select", expand.MAX_TOKENS),
        ("expand, select", select.MAX_TOKENS),
        ("enrich", enrich.MAX_TOKENS),
    ],
)
def test_the_output_limits_are_documented(feature: str, limit: int) -> None:
    assert f"| {feature} | {limit:,} |" in TEXT
