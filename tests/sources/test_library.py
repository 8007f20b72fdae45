from __future__ import annotations

from typematch.sources.library import files


def test_library_files_are_named_as_in_a_catalog_and_come_in_order() -> None:
    names = [name for name, _ in files()]
    assert names == sorted(names)
    assert "lib/arrays.d.ts" in names
    assert all(name.startswith("lib/") and name.endswith(".d.ts") for name in names)


def test_library_is_global_scripts_without_imports_or_exports() -> None:
    for name, text in files():
        lines = text.decode("utf-8").splitlines()
        assert not [line for line in lines if line.startswith(("import ", "export "))], name
