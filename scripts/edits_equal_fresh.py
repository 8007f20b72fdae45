"""Edits an indexed project at random; checks that updating equals indexing from nothing.

    python scripts/edits_equal_fresh.py PROJECT [--edits 50] [--seed 1] [--every 1]

A copy of PROJECT is indexed once and then edited: files are added, changed, deleted and renamed,
globals and modules augmented.  After each edit the same catalog is updated; every so many edits a
logical dump of it is compared with that of a fresh index.  Exit code 1 at the first difference,
which is printed.
"""

from __future__ import annotations

import argparse
import difflib
import random
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path

from measuring import dumped
from typematch.catalog import Catalog
from typematch.errors import SourceError

_SUFFIXES = (".d.ts", ".ts", ".mts", ".cts")
_WORDS = ("load", "Box", "parse", "Item", "each", "Shape", "merge", "Result", "wait", "Key")
_TYPES = ("string", "number[]", "Promise<string>", "() => void", "{ id: string }", "Map<string, 1>")


class Editor:
    """Makes one edit at a time, the same ones for the same seed and project."""

    def __init__(self, root: Path, seed: int) -> None:
        self.root = root
        self.random = random.Random(seed)
        self.made = 0
        self.kinds: tuple[Callable[[], str | None], ...] = (
            self.add,
            self.append,
            self.retype,
            self.rename_declaration,
            self.delete,
            self.move,
            self.augment_global,
            self.augment_module,
            self.remove_line,
        )

    def edit(self) -> str:
        """Make one change on disk; return its description."""
        while True:
            done = self.random.choice(self.kinds)()
            if done:
                self.made += 1
                return done

    def files(self) -> list[Path]:
        return sorted(
            path
            for path in self.root.rglob("*")
            if path.name.endswith(_SUFFIXES) and path.is_file() and not path.is_symlink()
        )

    def _file(self) -> Path:
        return self.random.choice(self.files())

    def _shown(self, file: Path) -> str:
        return file.relative_to(self.root).as_posix()

    def _declaration(self, exported: str = "export ") -> str:
        name = f"{self.random.choice(_WORDS)}{self.made}"
        one, other = self.random.choice(_TYPES), self.random.choice(_TYPES)
        return self.random.choice(
            (
                f"{exported}declare function {name}(a: {one}, b?: {other}): {other};",
                f"{exported}interface {name} {{ a: {one}; run(x: {other}): {one} }}",
                f"{exported}type {name} = {one} | {other};",
                f"{exported}declare const {name}: (x: {one}) => {other};",
                f"{exported}declare class {name}<T> {{ value: T; get(k: {one}): {other} }}",
            )
        )

    def add(self) -> str:
        """Add a file, and export it from another one, so that it is reachable."""
        other = self._file()
        new = other.with_name(f"added{self.made}.ts")
        lines = [self._declaration() for _ in range(3)]
        new.write_text("\n".join(lines) + "\n", encoding="utf-8")
        if not other.name.endswith((".mts", ".cts")):
            self._extend(other, f'export * from "./{new.name.removesuffix(".ts")}";')
        return f"add {self._shown(new)}, exported from {self._shown(other)}"

    def append(self) -> str:
        file = self._file()
        self._extend(file, self._declaration())
        return f"append to {self._shown(file)}"

    def _extend(self, file: Path, line: str) -> None:
        with file.open("ab") as opened:
            opened.write(f"\n{line}\n".encode())

    def retype(self) -> str | None:
        """Turn one occurrence of a keyword type into another type."""
        return self._replace(r":\s*(string|number|boolean)\b", ": Date | null", "retype in")

    def rename_declaration(self) -> str | None:
        """Rename a declaration, but not its uses."""
        pattern = r"\b(?<=interface )([A-Z]\w*)|\b(?<=type )([A-Z]\w*)|\b(?<=function )(\w+)"
        return self._replace(pattern, f"Renamed{self.made}", "rename a declaration in")

    def _replace(self, pattern: str, text: str, title: str) -> str | None:
        file = self._file()
        before = file.read_text(encoding="utf-8", errors="replace")
        places = list(re.finditer(pattern, before))
        if not places:
            return None
        place = self.random.choice(places)
        after = before[: place.start()] + text + before[place.end() :]
        file.write_text(after, encoding="utf-8")
        return f"{title} {self._shown(file)}: {place.group()!r}"

    def delete(self) -> str | None:
        files = self.files()
        if len(files) < 4:
            return None
        file = self.random.choice(files)
        file.unlink()
        return f"delete {self._shown(file)}"

    def move(self) -> str | None:
        files = self.files()
        if len(files) < 4:
            return None
        file = self.random.choice(files)
        file.rename(file.with_name(f"moved{self.made}{file.name[file.name.index('.') :]}"))
        return f"rename {self._shown(file)}"

    def augment_global(self) -> str:
        file = self._file()
        member = f"extra{self.made}"
        target = self.random.choice(("Array<T>", "String", "Promise<T>", "Function"))
        body = f"interface {target} {{ {member}(x: string): number }}"
        self._extend(file, f"declare global {{ {body} }}\nexport {{}};")
        return f"augment global {target} in {self._shown(file)}"

    def augment_module(self) -> str:
        """Add a member to an interface of a neighbouring module."""
        file, other = self._file(), self._file()
        names = re.findall(
            r"interface (\w+) *\{", other.read_text(encoding="utf-8", errors="replace")
        )
        name = self.random.choice(names) if names else f"Anew{self.made}"
        stem = re.sub(r"(\.d)?\.[mc]?ts$", "", other.name)
        up = "../" * (len(file.relative_to(self.root).parts) - 1) or "./"
        where = f"{up}{(other.relative_to(self.root).parent / stem).as_posix()}"
        body = f"interface {name} {{ more{self.made}: Date }}"
        self._extend(file, f'declare module "{where}" {{ {body} }}\nexport {{}};')
        return f"augment {name} of {self._shown(other)} in {self._shown(file)}"

    def remove_line(self) -> str | None:
        file = self._file()
        lines = file.read_text(encoding="utf-8", errors="replace").splitlines(keepends=True)
        if not lines:
            return None
        gone = lines.pop(self.random.randrange(len(lines)))
        file.write_text("".join(lines), encoding="utf-8")
        return f"remove a line of {self._shown(file)}: {gone.strip()[:60]!r}"


def updated(root: Path, database: Path) -> list[str]:
    """Index ``root`` into a catalog, new or not, and return its dump."""
    with Catalog(database) as catalog:
        try:
            catalog.add(root)
        except SourceError as error:
            # Everything may have been deleted; a fresh index says so too.
            return [f"nothing to index: {error.what}"]
    return dumped(database)


def differences(fresh: Sequence[str], ours: Sequence[str]) -> list[str]:
    """Return the first lines in which two dumps differ, each cut."""
    lines = difflib.unified_diff(fresh, ours, "fresh", "updated", lineterm="", n=1)
    return [line[:300] for line in islice(lines, 60)]


def check(project: Path, *, edits: int, seed: int, every: int) -> int:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / project.name
        shutil.copytree(project, root, symlinks=True)
        kept = Path(folder) / "kept.db"
        ours = updated(root, kept)
        editor = Editor(root, seed)
        for number in range(1, edits + 1):
            print(f"{number:3}  {editor.edit()}", flush=True)
            ours = updated(root, kept)
            if number % every and number != edits:
                continue
            fresh_file = Path(folder) / f"fresh{number}.db"
            fresh = updated(root, fresh_file)
            if ours != fresh:
                print(f"\nafter edit {number} the updated catalog differs from a fresh one:")
                print("\n".join(differences(fresh, ours)))
                return 1
            fresh_file.unlink()
        print(f"\n{edits} edits (seed {seed}): updated and fresh are equal, {len(ours)} lines")
    return 0


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("project", type=Path)
    parser.add_argument("--edits", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--every", type=int, default=1, help="compare after so many edits")
    options = parser.parse_args(arguments)
    return check(
        options.project.resolve(), edits=options.edits, seed=options.seed, every=options.every
    )


if __name__ == "__main__":
    sys.exit(main())
