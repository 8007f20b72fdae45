"""The npm packages of a benchmark, installed and indexed, and the compiler's data about them."""

from __future__ import annotations

import gzip
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import Any, TypeAlias

from typematch.catalog import Catalog
from typematch.config import cache_folder
from typematch.errors import FetchError, NpmMissingError, SourceError, WrongVersionError
from typematch.ir.entry import Entry

Row: TypeAlias = dict[str, Any]
Key: TypeAlias = tuple[str, str, int, str]

# A property whose name is a unique symbol, as the checker escapes it (``getPropertyNameFromType``).
_ESCAPED_SYMBOL = re.compile(r"__@(\w+)@\d+")


def read_lines(file: Path) -> Iterator[Row]:
    """Yield the objects of a ``.jsonl`` or ``.jsonl.gz`` file.

    Raises:
        SourceError: the file is missing or damaged.
    """
    try:
        data = file.read_bytes()
        text = (gzip.decompress(data) if file.suffix == ".gz" else data).decode("utf-8")
        for line in text.splitlines():
            if line.strip():
                yield json.loads(line)
    except OSError as error:
        raise SourceError("this data file cannot be read", str(file), str(error)) from error
    except ValueError as error:
        raise SourceError("this data file is damaged", str(file), str(error)) from error


def corpus_folder(data: Path, corpus: Path | None) -> Path:
    """Return the folder with the corpus's ``package.json`` and ``node_modules``.

    Without ``corpus`` it is a folder in the user's cache, which npm fills the first time.
    """
    if corpus is not None:
        if not (corpus / "node_modules").is_dir():
            raise SourceError(
                "there is no node_modules here", str(corpus), "Run npm install there."
            )
        return corpus
    manifest = _manifest(data / "corpus")
    folder = _cache() / f"corpus-{blake2b(manifest.read_bytes(), digest_size=6).hexdigest()}"
    if not (folder / "node_modules" / ".package-lock.json").is_file():
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copy(manifest, folder / "package.json")
        _npm_install(folder)
    return folder


def _manifest(corpus: Path) -> Path:
    manifest = corpus / "package.json"
    if not manifest.is_file():
        raise SourceError("the corpus's package.json is missing", str(manifest))
    return manifest


def _cache() -> Path:
    folder = cache_folder(os.environ)
    if folder is None:
        raise SourceError("there is no cache folder", hint="Set HOME, or name --corpus and --db.")
    return folder / "evaluate"


def _npm_install(folder: Path) -> None:
    command = ["npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"]
    print(f"installing the corpus in {folder} ...", file=sys.stderr)
    try:
        subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
    except FileNotFoundError as error:
        raise NpmMissingError("the corpus") from error
    except subprocess.CalledProcessError as error:
        raise FetchError("the corpus", f"npm install gave {error.returncode}") from error


def package_folders(corpus: Path) -> list[Path]:
    """Return the folders of the corpus's packages, sorted by name."""
    manifest = json.loads(_manifest(corpus).read_text(encoding="utf-8"))
    dependencies = manifest.get("dependencies", {})
    return [corpus / "node_modules" / name for name in sorted(dependencies)]


def open_catalog(data: Path, corpus: Path | None, database: Path | None) -> Catalog:
    """Open the catalog of the corpus.

    An existing ``database`` is used as it is.  Otherwise the corpus is indexed into it, or into a
    file in the user's cache, which is updated.
    """
    if database is not None and database.exists():
        return Catalog(database, create=False)
    folder = corpus_folder(data, corpus)
    path = database or _cache() / f"{folder.name}.db"
    path.parent.mkdir(parents=True, exist_ok=True)
    opened = _open_or_recreate(path)
    print(f"indexing {folder} into {path} ...", file=sys.stderr)
    opened.add(folder)
    return opened


def _open_or_recreate(path: Path) -> Catalog:
    try:
        return Catalog(path)
    except WrongVersionError:
        # A cached index of an older version: derived data.
        for suffix in ("", "-wal", "-shm"):
            Path(f"{path}{suffix}").unlink(missing_ok=True)
        return Catalog(path)


def function_key(function: Mapping[str, Any]) -> Key:
    return function["package"], function["file"], function["line"], _symbol_name(function["name"])


def _symbol_name(name: str) -> str:
    """Return a name with ``[Symbol.iterator]`` for the checker's ``__@iterator@218``."""
    return _ESCAPED_SYMBOL.sub(
        lambda escaped: f"[Symbol.{escaped[1]}]" if escaped[1][0].islower() else f"[{escaped[1]}]",
        name,
    )


def entry_key(entry: Entry) -> Key:
    return entry.package, entry.path, entry.line, entry.qualified_name


@dataclass(frozen=True, slots=True)
class JoinedFunctions:
    """The compiler's functions joined with the catalog's entries.

    Attributes:
        rows: the compiler's functions, in the order of the data.
        ids: function ids by entry id.
        entries: entries by function id; functions without an entry of their name are absent.
        by_alias: entries by function id, of the functions whose name is only an alias of the entry
            on their line.
        universal: ids of the functions that match at least half of all queries.
    """

    rows: tuple[Row, ...]
    ids: Mapping[str, frozenset[str]]
    entries: Mapping[str, Entry]
    universal: frozenset[str]
    by_alias: Mapping[str, Entry] = field(default_factory=dict)


def join_entries(rows: Iterable[Row], entries: Iterable[Entry]) -> JoinedFunctions:
    """Join on package, file, line and name; two functions with one key share the entry.

    The name is that of the entry, else one of its aliases.
    """
    rows, entries = tuple(rows), tuple(entries)
    by_key: dict[Key, list[str]] = {}
    for row in rows:
        by_key.setdefault(function_key(row), []).append(row["id"])
    ids: dict[str, frozenset[str]] = {}
    found: dict[str, Entry] = {}
    for entry in entries:
        same = by_key.get(entry_key(entry), ())
        if same:
            ids[entry.id] = frozenset(same)
        for function in same:
            # Of several entries with one key, the callable one counts.
            if function not in found or (entry.signatures and not found[function].signatures):
                found[function] = entry
    by_alias: dict[str, Entry] = {}
    for entry in entries:
        package, path, line, _ = entry_key(entry)
        keys = ((package, path, line, alias) for alias in entry.aliases)
        others = {name for key in keys for name in by_key.get(key, ()) if name not in found}
        if others:
            ids[entry.id] = ids.get(entry.id, frozenset()) | others
            by_alias.update(dict.fromkeys(sorted(others), entry))
    universal = frozenset(row["id"] for row in rows if row.get("universal"))
    return JoinedFunctions(rows, ids, found, universal, by_alias)


def load_functions(data: Path, opened: Catalog) -> JoinedFunctions:
    """Return ``functions.jsonl.gz`` joined with the catalog's entries."""
    return join_entries(read_lines(data / "functions.jsonl.gz"), opened.entries())
