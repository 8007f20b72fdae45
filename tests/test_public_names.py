"""The public names of ``typematch``, and what importing it loads."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import typematch

HEAVY = (
    "anthropic",
    "lark",
    "rich",
    "sqlalchemy",
    "tree_sitter",
    "typematch.catalog",
    "typematch.ir.types",
)


@pytest.mark.parametrize("name", typematch.__all__)
def test_every_public_name_can_be_imported(name: str) -> None:
    assert getattr(typematch, name) is not None


def test_all_is_sorted_and_equals_the_lazy_import_table() -> None:
    assert list(typematch.__all__) == sorted(typematch.__all__)
    assert {*typematch._MODULES, "__version__"} == set(typematch.__all__)


def test_a_private_name_raises_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'Catalogue'"):
        typematch.Catalogue  # noqa: B018


def test_dir_lists_the_public_names() -> None:
    assert set(typematch.__all__) <= set(dir(typematch))


def test_importing_typematch_imports_nothing_heavy() -> None:
    program = f"import sys, typematch; print(*(n for n in {HEAVY!r} if n in sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == ""


def test_the_package_docstring_names_every_package() -> None:
    assert typematch.__doc__ is not None
    for package in Path(typematch.__file__).parent.glob("*/__init__.py"):
        assert f"``{package.parent.name}``" in typematch.__doc__


@pytest.mark.sqlite_file
def test_a_plain_search_imports_no_sdk(tiny: Path) -> None:
    program = (
        "import sys, typematch\n"
        f"with typematch.open({str(tiny)!r}) as catalog: catalog.search('chunk')\n"
        "print(*(n for n in sys.modules if n.startswith(('anthropic', 'typematch.llm'))))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == ""


def test_indexing_typescript_imports_nothing_that_reads_documents(tmp_path: Path) -> None:
    (tmp_path / "a.ts").write_text("export const a: string[];", encoding="utf-8")
    program = (
        "import sys, typematch\n"
        f"with typematch.open({str(tmp_path / 'a.db')!r}) as catalog:\n"
        f"    catalog.add({str(tmp_path)!r}, model=None)\n"
        "print(*(n for n in ('pydantic', 'yaml') if n in sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == ""
