"""The declarations that ``typematch show`` prints."""

from __future__ import annotations

from pathlib import Path

import pytest

from typematch.catalog import Catalog

CLASS = """
export abstract class Pool<T> {
  protected constructor(readonly size: number, private secret?: string) {}
  static readonly limit: number = 3;
  static of<U>(...items: U[]): Pool<U>;
  private static key: string;
  #count = 0;
  protected release(item: T): void;
  take(): T | undefined;
}
"""
SINGLETON = """
export class Settings {
  private constructor(path: string);
  static readonly shared: Settings;
}
"""
INTERFACE = """
export interface Parser<T> {
  (text: string): T;
  new (strict: boolean): Parser<T>;
  readonly strict: boolean;
  parse(text: string): T;
  parse(bytes: Uint8Array): T;
}
"""


@pytest.mark.parametrize(
    ("source", "name", "declaration"),
    [
        pytest.param(
            CLASS,
            "Pool",
            """\
abstract class Pool<T> {
  protected constructor(size: number, secret?: string);
  static readonly limit: number;
  static of<U>(...items: U[]): Pool<U>;
  protected release(item: T): void;
  readonly size: number;
  take(): T | undefined;
}""",
            id="both sides of a class without its private members",
        ),
        pytest.param(
            SINGLETON,
            "Settings",
            """\
class Settings {
  private constructor();
  static readonly shared: Settings;
}""",
            id="a class that nobody else constructs",
        ),
        pytest.param(
            INTERFACE,
            "Parser",
            """\
interface Parser<T> {
  (text: string): T;
  new (strict: boolean): Parser<T>;
  parse(text: string): T;
  parse(bytes: Uint8Array): T;
  readonly strict: boolean;
}""",
            id="calls and construct signatures of an interface",
        ),
    ],
)
def test_members_are_shown_as_they_are_written(
    tmp_path: Path, source: str, name: str, declaration: str
) -> None:
    (tmp_path / "index.d.ts").write_text(source)
    with Catalog(tmp_path / "catalog.db") as catalog:
        catalog.add(tmp_path / "index.d.ts", model=None)
        assert catalog.declaration(catalog.get(name)) == declaration
