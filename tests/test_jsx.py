"""The result of components that do not annotate it: ``JSX.Element`` of the file's runtime."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from file_trees import writer
from typematch.catalog import Catalog
from typematch.ir.types import Named, Reference, Type

Results = tuple[dict[str, Type], tuple[str, ...]]
REACT = "export = React; export as namespace React; declare namespace React"
RUNTIMES = {
    "@types/react/package.json": {
        "name": "@types/react", "types": "index.d.ts",
        "exports": {".": "./index.d.ts", "./jsx-runtime": "./jsx-runtime.d.ts"},
    },
    "@types/react/index.d.ts": f"{REACT} {{ namespace JSX {{ interface Element {{ type: 1 }} }} }}",
    "@types/react/jsx-runtime.d.ts": 'export { JSX } from "./";',
    "preact/jsx-runtime.d.ts": "export namespace JSX { interface Element { vnode: 1 } }",
    "preact/index.d.ts": "export declare namespace h { namespace JSX { interface Element {} } }",
}  # fmt: skip
OLD_REACT = {
    "@types/react/index.d.ts": f"{REACT} {{}} declare global {{ namespace JSX {{"
    " interface Element { type: 1 } } }",
}
REACT_ELEMENT = "@types/react/index.d.ts#React.JSX.Element"
PREACT_ELEMENT = "preact/jsx-runtime.d.ts#JSX.Element"


CASES = {
    "no-options": ("", {}, REACT_ELEMENT),
    "automatic": ("", {"jsx": "react-jsx"}, REACT_ELEMENT),
    "global-factory": ("", {"jsx": "preserve"}, REACT_ELEMENT),
    "factory": ('import * as React from "react"; ', {"jsx": "react"}, REACT_ELEMENT),
    "option": ("", {"jsx": "react-jsx", "jsxImportSource": "preact"}, PREACT_ELEMENT),
    "pragma": ("// x\n/** @jsxImportSource preact */ ", {"jsx": "react"}, PREACT_ELEMENT),
    "classic": (
        '/** @jsxRuntime classic @jsx h.create */ import { h } from "preact"; ',
        {"jsx": "react-jsx"},
        "preact/index.d.ts#h.JSX.Element",
    ),
    "late-pragma": (
        "export {}; /** @jsxImportSource preact */ ", {"jsx": "react-jsx"}, REACT_ELEMENT,
    ),
}  # fmt: skip


def results(root: Path, modules: Mapping[str, object], components: Mapping[str, object]) -> Results:
    """Return the result of each component by its name, and the specifiers that lead nowhere.

    Args:
        modules: the files of ``node_modules``.
        components: the text of each file by its path; each declares ``Card`` as its only function.
    """
    names = {path.rpartition("/")[0] for path in modules}
    project = {"package.json": {"name": "app", "dependencies": dict.fromkeys(names, "1")}}
    manifests = {f"node_modules/{name}/package.json": {"name": name} for name in names}
    tree = {f"node_modules/{path}": content for path, content in modules.items()}
    with Catalog(writer(root)({**project, **components, **manifests, **tree}) / "c.db") as catalog:
        report = catalog.add(root, model=None)
        cards = [entry for entry in catalog.entries() if entry.id.startswith("app#Card")]
        found = {
            card.path.split("/")[-2]: card.signatures[0].type.calls[0].returns for card in cards
        }
    return found, tuple(specifier for specifier, _ in report.unresolved)


def test_the_namespace_of_jsx_follows_options_pragmas_and_scope(tmp_path: Path) -> None:
    files: dict[str, object] = {}
    for folder, (head, options, _) in CASES.items():
        files[f"{folder}/card.tsx"] = f"{head}export function Card() {{ return <b/>; }}"
        files[f"{folder}/tsconfig.json"] = {"compilerOptions": options}
    expected = {folder: Reference(key) for folder, (_, _, key) in CASES.items()}
    assert results(tmp_path, RUNTIMES, files) == (expected, ())


@pytest.mark.parametrize(
    ("modules", "expected"),
    [
        pytest.param(OLD_REACT, Reference("global#JSX.Element"), id="of the global namespace"),
        pytest.param({}, Named(("JSX", "Element")), id="of none"),
    ],
)
def test_without_a_runtime(tmp_path: Path, modules: Mapping[str, object], expected: Type) -> None:
    files = {"src/card.tsx": "export const Card = () => <b/>;"}
    assert results(tmp_path, modules, files) == ({"src": expected}, ())
