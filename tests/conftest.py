"""What all tests share: Hypothesis profiles and golden files."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# No deadline: a shared machine makes timing a coin toss.  `ci` is what .ci/run asks for: the same
# examples each time, so that it tells of the change.  `explore` looks for what nobody thought of.
_SLOW = (HealthCheck.too_slow,)
settings.register_profile("dev", max_examples=25, deadline=None)
settings.register_profile(
    "ci", max_examples=300, deadline=None, derandomize=True, suppress_health_check=_SLOW
)
settings.register_profile("explore", max_examples=5_000, deadline=None, suppress_health_check=_SLOW)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "dev"))

Golden = Callable[[str, str], None]

FIXTURES = Path(__file__).parent.parent / "fixtures"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden",
        action="store_true",
        help="rewrite the golden files with what the program prints now; the diff is the review",
    )


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Golden:
    """Compare a text with ``golden/NAME`` beside the test file, or rewrite that file."""
    folder = Path(request.path).parent / "golden"
    update = bool(request.config.getoption("--update-golden"))

    def check(name: str, text: str) -> None:
        file = folder / name
        if update:
            folder.mkdir(exist_ok=True)
            file.write_text(text, encoding="utf-8")
            return
        assert file.exists(), f"{file} is missing: run pytest --update-golden and review it"
        assert text == file.read_text(encoding="utf-8")

    return check


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a database with the two packages in ``fixtures``; tests must not write to it."""
    from typematch.catalog import Catalog

    path = tmp_path_factory.mktemp("tiny") / "typematch.db"
    with Catalog(path) as catalog:
        # Without vectors: what is expected of words must not hang on a model.
        catalog.add(FIXTURES / "toolbox", FIXTURES / "patience", model=None)
    return path
