"""Searches in a real project: npm packages of exact versions, the DOM, own files without types."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from file_trees import writer
from typematch.catalog import Catalog

SEARCHES = [
    tuple(line.split("\t"))
    for line in (Path(__file__).parent / "real_project.txt").read_text("utf-8").splitlines()
    if line and not line.startswith("#")
]
FILES: dict[str, object] = {
    "package.json": {
        "name": "app",
        "version": "1.0.0",
        "dependencies": {
            "@types/express": "4.17.21",
            "@types/lodash": "4.17.13",
            "@types/node": "20.17.6",
            "@types/react": "18.3.12",
            "@types/three": "0.169.0",
            "express": "4.21.1",
            "knex": "3.1.0",
            "lodash": "4.17.21",
            "react": "18.3.1",
            "rxjs": "7.8.1",
            "three": "0.169.0",
            "typescript": "5.6.3",
            "zod": "3.23.8",
        },
    },
    "tsconfig.json": {
        "compilerOptions": {
            "lib": ["ES2022", "DOM"],
            "strict": True,
            "module": "NodeNext",
            "moduleResolution": "NodeNext",
        }
    },
    "src/plain.ts": """
        export class Plain { constructor(a: string) { this.x = a.length } x: number }
        export class Builder {
          take(count: number): this { return this }
          where(column: string, value: string): this { return this }
        }
        export class Money { constructor(readonly cents: number) {} }
        export function isText(value: unknown): value is string { return typeof value === "string" }
    """,
    "src/people.ts": """
        import { z } from "zod";
        export const Person = z.object({ name: z.string(), age: z.number().optional() });
        export type Person = z.infer<typeof Person>;
        export function greet(p: Person) { return "hi " + p.name }
        export function twice(n: number) { return n * 2 }
        export function half(n: number) { return n / 2 }
        export function make(name: string) { return { name, tags: [name] } }
        export const build = (a: string) => new Set([a]);
    """,
}
_REQUIRED_SHARE = 0.9

pytestmark = [
    pytest.mark.network,
    pytest.mark.skipif(shutil.which("npm") is None, reason="npm is not installed"),
]


@pytest.fixture(scope="module")
def catalog(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Catalog]:
    root = tmp_path_factory.mktemp("real")
    project = writer(root / "app")(FILES)
    command = ["npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"]
    subprocess.run(command, cwd=project, check=True, timeout=600)
    with Catalog(root / "typematch.db") as opened:
        opened.add(project, infer="tsc")
        yield opened


def test_what_is_wanted_is_among_the_first_three(catalog: Catalog) -> None:
    missed = []
    for query, expected in SEARCHES:
        found = [hit.entry.id for hit in catalog.search(query, limit=3)]
        if not any(entry.startswith(expected) for entry in found):
            missed.append(f"{query}  expected {expected}, found {found}")
    found_count = len(SEARCHES) - len(missed)
    assert found_count >= _REQUIRED_SHARE * len(SEARCHES), "\n".join(missed)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("(selector: string) => Element | null", "lib#Document#querySelector"),
        ("(a: string) => Plain", "app#Plain#constructor"),
        ("kind:constructor returns:Plain", "app#Plain#constructor"),
        ("new (...) => Plain", "app#Plain#constructor"),
        ("(count: number) => this pkg:app", "app#Builder#take"),
        (":: { name: string; age?: number } pkg:app", "app#Person"),
        ("(Person) => string", "app#greet"),
    ],
)
def test_the_first_hit(catalog: Catalog, query: str, expected: str) -> None:
    assert catalog.search(query)[0].entry.id.startswith(expected)
