"""Parses the files of a run in processes, before the search along imports asks for them.

Files are parsed in rounds: the first files of all packages, then all that these import, and so on.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from typematch.child_processes import workers
from typematch.index.store import StoredFile
from typematch.ingest.file_reader import FileReader, ParsedFile, SourceFile, digest
from typematch.sources.openapi.loading import TEXT_SPECIFIER
from typematch.sources.packages import Resolver

# Files of a round; for fewer, starting a process takes longer than it saves.
_MIN_FILES = 100
_BATCH = 10  # files


@dataclass(frozen=True, slots=True)
class ParseTask:
    """A file to be parsed: ``name`` in the catalog, place, contents."""

    name: str
    path: Path
    text: bytes


def parse_ahead(
    paths: Iterable[Path],
    stored: Mapping[str, StoredFile],
    reader: FileReader,
    resolver: Resolver,
    progress: Callable[[int], None],
    *,
    jobs: int,
) -> dict[Path, ParsedFile]:
    """Return the files at ``paths``, and what they import, that are new or changed.

    Args:
        progress: receives the number of files parsed so far.

    Raises:
        WorkerError: one of the processes was killed.
    """
    parsed: dict[Path, ParsedFile] = {}
    seen: set[Path] = set()
    packages: set[Path] = set()
    found = dict.fromkeys(paths)
    parse: Callable[[Iterable[Sequence[ParseTask]]], Iterator[Sequence[bytes | None]]] | None = None
    with ExitStack() as processes:
        while found:
            seen.update(found)
            specifiers: dict[Path, Sequence[str]] = {}
            tasks = list(_tasks(found, stored, reader, resolver, specifiers))
            if parse is None and len(tasks) >= _MIN_FILES:
                parse = processes.enter_context(workers(jobs, _batch_parser, reader)).map
            batches = [tasks[at : at + _BATCH] for at in range(0, len(tasks), _BATCH)]
            answers = map(_batch_parser(reader), batches) if parse is None else parse(batches)
            for batch, answer in zip(batches, answers, strict=True):
                for task, document in zip(batch, answer, strict=True):
                    if document is None:
                        continue  # parsed when the search asks for it
                    # The document was written by a process of this program.
                    file = parsed[task.path] = pickle.loads(document)
                    specifiers[task.path] = file.summary.specifiers
                progress(len(parsed))
            found = dict.fromkeys(
                path for path in _imported(specifiers, resolver, packages) if path not in seen
            )
    return parsed


def _tasks(
    paths: Iterable[Path],
    stored: Mapping[str, StoredFile],
    reader: FileReader,
    resolver: Resolver,
    specifiers: dict[Path, Sequence[str]],
) -> Iterator[ParseTask]:
    """Yield the files to be parsed; add the imports of all others to ``specifiers``."""
    for path in paths:
        name = resolver.file_name(path)
        text = reader.bytes_if_readable(path)
        known = stored.get(name)
        if text is None:
            continue  # the search reports it
        if known and known.content_digest == reader.content_digest(path, text, known.specifiers):
            specifiers[path] = known.specifiers
        else:
            yield ParseTask(name, path, text)


def _imported(
    specifiers: Mapping[Path, Sequence[str]], resolver: Resolver, packages: set[Path]
) -> Iterator[Path]:
    """Yield what files import, and the entry points of imported packages.

    Args:
        packages: the roots of those whose entry points were yielded.
    """
    for importer, named in specifiers.items():
        for specifier in named:
            if specifier.startswith(TEXT_SPECIFIER):
                continue
            try:
                path = resolver.resolve(specifier, importer)
                package = None if path is None else resolver.imported_package(path, importer)
            except Exception:  # the search resolves it again, and reports it
                continue
            if path is not None:
                yield path
            if package is not None and package.root not in packages:
                packages.add(package.root)
                yield from (file for _, file in package.entry_points)


def _batch_parser(
    reader: FileReader,
) -> Callable[[Sequence[ParseTask]], list[bytes | None]]:
    """Return what parses batches: a pickled ``ParsedFile`` for each file.

    None for a file whose types are nested too deeply to be pickled.
    """

    def parse(task: ParseTask) -> bytes | None:
        file = SourceFile(task.name, "", task.path, b"")
        before = len(reader.failed)
        reader.parse(file, task.text)
        failed = tuple(reader.failed[before:])
        del reader.failed[before:]
        assert file.module is not None
        assert file.summary is not None
        parsed = ParsedFile(
            digest(task.text), file.content_digest, file.module, file.summary, failed
        )
        try:
            return pickle.dumps(parsed, pickle.HIGHEST_PROTOCOL)
        except RecursionError:
            return None

    return lambda batch: [parse(task) for task in batch]
