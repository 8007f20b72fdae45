from __future__ import annotations

from typematch.sources.library.declaration_files import declaration_files


def test_library_files_have_catalog_names_and_are_sorted() -> None:
    names = [name for name, _ in declaration_files()]
    assert names == sorted(names)
    assert "lib/arrays.d.ts" in names
    assert all(name.startswith("lib/") and name.endswith(".d.ts") for name in names)


def test_library_is_global_scripts_without_imports_or_exports() -> None:
    for name, text in declaration_files():
        lines = text.decode("utf-8").splitlines()
        assert not [line for line in lines if line.startswith(("import ", "export "))], name
