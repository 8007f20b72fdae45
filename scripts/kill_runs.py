"""Kills runs at random moments; checks what is left, and that the next run ends as a fresh one.

    python scripts/kill_runs.py [PACKAGE ...] [--kills 100] [--seed N] [--operations index,...]

Five operations are killed with SIGKILL in turn: ``index`` (from nothing), ``reindex`` (after edits,
forth and back), ``remove``, ``watch`` (in its first round and in the round after a change) and
``enrich`` (single requests and batches, against a local server).  PACKAGE are the folders of a
project and of its dependencies, by default some of the fixtures.  They are copied.  The moment is
drawn from the CPU time of an undisturbed run; every tenth kill falls into its last half second.  A
run that ended before does not count.

After each kill the file opens (or was not there yet) and is intact, every package in it is as it
was before or after, a search works, and the same command again gives the dump of a fresh file.
Linux only.
"""

from __future__ import annotations

import argparse
import os
import random
import secrets
import shutil
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

# One thread in each process, so that it can be copied.
os.environ["OPENBLAS_NUM_THREADS"] = os.environ["OMP_NUM_THREADS"] = "1"
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from edits_equal_fresh import Editor, differences
from fakes.messages_api import MessagesApi
from fakes.models import enrichment_model
from forked import Run, in_copy, quiet
from measuring import dumped, entry_counts, machine
from typematch.catalog import Catalog
from typematch.index.engines.sqlite import open_for_reading

_FIXTURES = Path(__file__).resolve().parent.parent / "fixtures"
_PACKAGES = ("bookshop", "deadline", "toolbox", "stores", "required_interfaces")
_EDITS = 8
_LAST_SECONDS = 0.5
_MAX_SHOWN = 16  # lines of a problem
_MAX_TRIES = 50  # runs until one is killed before it ends

# Entries by package.
Sizes = Counter[str]


@dataclass(frozen=True, slots=True)
class Operation:
    """A command that is killed.

    Attributes:
        before: the database that it begins with; None for none.
        project: the state of the packages when it begins.
        arguments: of the command.
        reruns: of the commands that finish what was begun.
        expected: the fresh database that the result equals, by the number of steps that were done.
        steps: actions at each line that the command prints.
        lines: an undisturbed run has printed so many; 0: it ends by itself.
    """

    name: str
    before: Path | None
    project: str
    arguments: Sequence[str]
    reruns: Sequence[Sequence[str]]
    expected: Sequence[Path]
    steps: Sequence[Callable[[], None]] = ()
    lines: int = 0


class Place:
    """A folder with the packages in two states and the databases of both."""

    def __init__(self, folder: Path, packages: Sequence[Path], seed: int) -> None:
        self.folder = folder
        self.database = folder / "killed.db"
        self.project = folder / "project"
        self.names = [package.name for package in packages]
        dependencies = Path("node_modules")
        for package in packages:
            where = dependencies if package is not packages[0] else Path()
            shutil.copytree(package, folder / "first" / where / package.name, symlinks=True)
        self.removed = self.names[-1]
        for path in (folder / "first").rglob("*"):
            path.chmod(path.stat().st_mode | 0o200)
        shutil.copytree(folder / "first", folder / "second", symlinks=True)
        shutil.rmtree(folder / "second" / dependencies / self.removed)
        editor = Editor(folder / "second", seed)
        self.edits = [editor.edit() for _ in range(_EDITS)]
        shutil.copytree(folder / "first", folder / "less", symlinks=True)
        shutil.rmtree(folder / "less" / dependencies / self.removed)

    def show(self, state: str) -> None:
        """Make the project what it is in a state: ``first``, ``second`` or ``less``."""
        shutil.rmtree(self.project, ignore_errors=True)
        shutil.copytree(self.folder / state, self.project, symlinks=True)

    def index(self, database: Path) -> list[str]:
        # The same paths in every state: which packages there are belongs to the state.
        paths = (self.project / self.names[0], self.project / "node_modules")
        return ["index", *map(str, paths), "--db", str(database)]

    def fresh(self, state: str) -> Path:
        """Return a new database of a state."""
        self.show(state)
        file = self.folder / f"{state}.db"
        if in_copy(partial(quiet, self.index(file))):
            raise SystemExit(f"the {state} state cannot be indexed")
        return file

    def enrichment(self, database: Path, *, now: bool) -> list[str]:
        words = ["enrich", f"pkg:{self.names[0]}", "--yes", *(["--now"] if now else [])]
        return [*words, "--db", str(database), "--cache", str(database.with_suffix(".cache"))]

    def warm_up(self) -> None:
        """Load in this process what the commands load, so that its copies have it."""
        self.show("first")
        warm = self.folder / "warm.db"
        quiet(self.index(warm))
        quiet(self.enrichment(warm, now=True))
        damage(warm, [])

    def operations(self) -> dict[str, tuple[Operation, ...]]:
        first, second = self.fresh("first"), self.fresh("second")
        less = self.fresh("less")
        enriched = self.folder / "enriched.db"
        shutil.copy(first, enriched)
        if in_copy(partial(quiet, self.enrichment(enriched, now=True))):
            raise SystemExit("enrich fails")
        file = self.database
        index = self.index(file)
        remove = ["remove", self.removed, "--db", str(file)]
        watch = ["watch", *index[1:], "--json"]
        show_first, show_second = partial(self.show, "first"), partial(self.show, "second")
        # Two rounds: what changed before, and what changes once the first round is over.
        forth = Operation(
            "watch", second, "first", watch, (index,), (first, second), (show_second,), 2
        )
        back = Operation(
            "watch", first, "second", watch, (index,), (second, first), (show_first,), 2
        )
        return {
            "index": (Operation("index", None, "first", index, (index,), (first,)),),
            "reindex": (
                Operation("reindex", first, "second", index, (index,), (second,)),
                Operation("reindex", second, "first", index, (index,), (first,)),
            ),
            "remove": (Operation("remove", first, "less", remove, (remove, index), (less,)),),
            "watch": (forth, back),
            "enrich": tuple(
                Operation("enrich", first, "first", words, (words,), (enriched,))
                for words in (self.enrichment(file, now=now) for now in (True, False))
            ),
        }

    def begin(self, operation: Operation) -> Run:
        self.show(operation.project)
        for path in self.folder.glob("killed.*"):
            path.unlink()
        if operation.before is not None:
            shutil.copy(operation.before, self.database)
        return Run(operation.arguments)


def damage(database: Path, allowed: Sequence[Sizes]) -> list[str]:
    """Return what is wrong with the file that a killed run has left."""
    # A package is committed with its files.  What another package's file adds to it (a member of
    # a global interface, say) comes with that other package.
    found = entry_counts(database)
    problems = [
        f"{package}: {number} entries, not {sorted({whole[package] for whole in allowed})}"
        for package, number in sorted(found.items())
        if all(number != whole[package] for whole in allowed)
    ]
    if not found:
        return problems
    opened = open_for_reading(database)
    try:
        [checked] = opened.connection.execute("PRAGMA quick_check").fetchone()
    finally:
        opened.close()
    if checked != "ok":
        problems.append(f"quick_check: {checked}")
    with Catalog(database, create=False) as catalog:
        catalog.search("(a: string) => _", limit=5)
    return problems


def finished(
    operation: Operation, database: Path, expected: Path, allowed: Sequence[Sizes]
) -> list[str]:
    """Return what is wrong with the file, and with what the next run makes of it."""
    problems = damage(database, allowed)
    for words in operation.reruns:
        code = quiet(words)
        # A removal that was complete says so with 1.
        if code and (words[0], code) != ("remove", 1):
            return [*problems, f"the next {words[0]} ends with {code}"]
    return [*problems, *differences(dumped(expected), dumped(database))]


def check(packages: Sequence[Path], *, kills: int, seed: int, names: Sequence[str]) -> int:
    chance = random.Random(seed)
    print(f"{machine()}\nseed {seed}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        server = _Server(Path(folder))
        try:
            place = Place(Path(folder), packages, seed)
            place.warm_up()
            operations = place.operations()
            allowed = [in_copy(partial(entry_counts, place.folder / f"{state}.db"))
                       for state in ("first", "second", "less")]  # fmt: skip
            allowed = [Counter(found) for found in allowed]
            print("\n".join(f"edit: {edit}" for edit in place.edits))
            return _kill(place, operations, allowed, kills, chance, names, seed)
        finally:
            server.close()


def _kill(
    place: Place,
    operations: dict[str, tuple[Operation, ...]],
    allowed: Sequence[Sizes],
    kills: int,
    chance: random.Random,
    names: Sequence[str],
    seed: int,
) -> int:
    cpu = {name: [_whole(place, chosen) for chosen in operations[name]] for name in names}
    print("\n".join(f"{name}: {', '.join(f'{run:.2f}' for run in seconds)} s of CPU time"
                    for name, seconds in cpu.items()), flush=True)  # fmt: skip
    counts: Counter[str] = Counter()
    late: Counter[str] = Counter()
    bad, missed, begun = 0, 0, time.monotonic()
    for number in range(kills):
        name = names[number % len(names)]
        variant = number // len(names) % len(operations[name])
        operation, whole = operations[name][variant], cpu[name][variant]
        is_late = number // len(names) % 10 == 9
        earliest = max(0.0, whole - _LAST_SECONDS) if is_late else 0.0
        for _ in range(_MAX_TRIES):
            moment = chance.uniform(earliest, whole)
            killed, used, done = place.begin(operation).killed_at(
                moment, operation.steps, lines=operation.lines
            )
            if killed:
                break
            missed += 1
        else:
            raise SystemExit(f"{name} ends before it can be killed")
        counts[name] += 1
        late[name] += used > whole - _LAST_SECONDS
        expected = operation.expected[done]
        problems = in_copy(partial(finished, operation, place.database, expected, allowed))
        bad += bool(problems)
        for problem in problems[:_MAX_SHOWN]:
            print(f"{number:4} {name} killed after {used:.3f} s: {problem[:200]}", flush=True)
        if number % 50 == 49:
            print(f"{number + 1:4} kills, {bad} problems, {time.monotonic() - begun:.0f} s",
                  flush=True)  # fmt: skip
    print(
        f"\n{kills} kills (seed {seed}): {bad} problems.  "
        f"{', '.join(f'{name} {count}' for name, count in counts.items())}\n"
        f"within the last {_LAST_SECONDS} s of CPU time of a run: {late.total()} "
        f"({', '.join(f'{name} {count}' for name, count in late.items())}); "
        f"{missed} runs ended before they were killed"
    )
    return 1 if bad else 0


def _whole(place: Place, operation: Operation) -> float:
    """Return the CPU seconds of an undisturbed run."""
    runs = [
        place.begin(operation).killed_at(float("inf"), operation.steps, lines=operation.lines)[1]
        for _ in range(3)
    ]
    return statistics.median(runs)


class _Server:
    """The simulated service of ``enrich``, in a process of its own."""

    def __init__(self, folder: Path) -> None:
        reading, writing = os.pipe()
        self._pid = os.fork()
        if not self._pid:
            with MessagesApi(enrichment_model) as api:
                os.write(writing, f"{api.url}\n{api.key}\n".encode())
                os.close(writing)
                while True:
                    time.sleep(3600)
        os.close(writing)
        with os.fdopen(reading) as lines:
            url, key = lines.read().split()
        settings = folder / "typematch.toml"
        settings.write_text("[claude]\nbatch_poll_seconds = 0.02\n")
        os.chdir(folder)
        for name in ("ANTHROPIC_AUTH_TOKEN", "TYPEMATCH_CLAUDE", "TYPEMATCH_STRONG_MODEL"):
            os.environ.pop(name, None)
        os.environ.update(
            ANTHROPIC_API_KEY=key, ANTHROPIC_BASE_URL=url, XDG_CACHE_HOME=str(folder / "cache")
        )

    def close(self) -> None:
        os.kill(self._pid, 9)
        os.waitpid(self._pid, 0)


def main(arguments: Sequence[str] | None = None) -> int:
    every = ("index", "reindex", "remove", "watch", "enrich")
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("packages", type=Path, nargs="*", metavar="PACKAGE")
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=None, help="by default a new one")
    parser.add_argument("--operations", default=",".join(every))
    options = parser.parse_args(arguments)
    packages = [package.resolve() for package in options.packages]
    return check(
        packages or [_FIXTURES / name for name in _PACKAGES],
        kills=options.kills,
        seed=secrets.randbelow(10**9) if options.seed is None else options.seed,
        names=[name for name in every if name in options.operations.split(",")],
    )


if __name__ == "__main__":
    sys.exit(main())
