"""Shared by all tests: Hypothesis profiles, golden files, a small database."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from databases import Server, ServerInsteadOfFiles, running_server
from typematch.index.engines import locations

# No deadline: timing on a shared machine is unreliable.  `ci`, used by .ci/run, is derandomized, so
# that a failure is caused by the change.  `explore` runs many random examples.
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
        help="rewrite the golden files with the current output; review the diff",
    )
    parser.addoption(
        "--store",
        choices=("sqlite", "postgresql"),
        default="sqlite",
        help="where catalogs are: in files, or on a PostgreSQL server that the tests start",
    )


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Return the processes of ``-n auto``: three for two cores, since many tests wait.

    They wait for servers, browsers and watched files.
    """
    return (os.cpu_count() or 1) * 3 // 2


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--store") == "postgresql":
        skipped = pytest.mark.skip(reason="about SQLite files")
        for item in items:
            if item.get_closest_marker("sqlite_file"):
                item.add_marker(skipped)


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """Return a PostgreSQL server; skips the test where there is none."""
    with running_server() as started:
        yield started


@pytest.fixture(scope="session", autouse=True)
def _store(request: pytest.FixtureRequest) -> Iterator[None]:
    """With ``--store postgresql``, keep on a server what tests keep in files."""
    with pytest.MonkeyPatch.context() as patch:
        if request.config.getoption("--store") == "postgresql":
            instead = ServerInsteadOfFiles(request.getfixturevalue("server"))
            patch.setattr(locations, "sqlite", instead)
        yield


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Golden:
    """Compare a text with ``golden/NAME`` beside the test file; --update-golden rewrites it."""
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
def tiny(tmp_path_factory: pytest.TempPathFactory, _store: None) -> Path:
    """Return a database of the fixtures toolbox and deadline; tests must not write to it."""
    from typematch.catalog import Catalog

    path = tmp_path_factory.mktemp("tiny") / "typematch.db"
    with Catalog(path) as catalog:
        # Without vectors: these expectations must not depend on an embedding model.
        catalog.add(FIXTURES / "toolbox", FIXTURES / "deadline", model=None)
    return path
