from __future__ import annotations

from pathlib import Path

import pytest

from file_trees import Write, writer


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Return a function that writes the files of a project and returns its folder."""
    return writer(tmp_path / "project")
