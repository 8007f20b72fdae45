"""Kills ``index`` at random moments; checks that committed packages are complete.

    python scripts/kill_index.py PROJECT [--kills 20] [--seed 1]

PROJECT is not touched.  Each time a catalog is begun and the process killed with SIGKILL somewhere
between its start and the time that a whole run took.  Then: the file opens (or was not there yet),
every package in it is complete (it has as many entries as in an undisturbed catalog), and a rerun
finishes with the undisturbed catalog's dump.  Every other kill hits one and the same catalog, which
is not begun afresh.
"""

from __future__ import annotations

import argparse
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from measuring import dumped, environment, typematch
from typematch.catalog import Catalog
from typematch.errors import MissingDatabaseError


def index(project: Path, database: Path) -> list[str]:
    return typematch("index", str(project), "--db", str(database))


def whole_run(project: Path, database: Path) -> float:
    """Index to the end; return the seconds."""
    start = time.perf_counter()
    done = subprocess.run(
        index(project, database), env=environment(), capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise SystemExit(f"index gave exit code {done.returncode}:\n{done.stdout}{done.stderr}")
    return time.perf_counter() - start


def killed_run(project: Path, database: Path, seconds: float) -> bool:
    """Index and kill the process after ``seconds``; return whether it was still running."""
    child = subprocess.Popen(
        index(project, database),
        env=environment(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        child.wait(timeout=seconds)
    except subprocess.TimeoutExpired:
        # The process alone, as when memory runs out: its workers must notice by themselves.
        child.send_signal(signal.SIGKILL)
        child.wait()
        return True
    return False


def entries_by_package(database: Path) -> Counter[str]:
    """Return the number of entries of each package; empty if there is no database yet.

    A package is committed with its files.  What another package's file adds to it (a member of a
    global interface, say) comes with that other package.
    """
    try:
        with Catalog(database, create=False) as catalog:
            return Counter(_owner(entry.path) for entry in catalog.entries())
    except MissingDatabaseError:
        return Counter()


def _owner(path: str) -> str:
    """Return the package of a file, from the catalog's name of the file."""
    return "/".join(path.split("/")[: 2 if path.startswith("@") else 1])


def partial(found: Counter[str], whole: Counter[str]) -> list[str]:
    """Return the packages that are neither complete nor absent."""
    return [
        f"{package}: {number} of {whole[package]} entries"
        for package, number in sorted(found.items())
        if number != whole[package]
    ]


def check(project: Path, *, kills: int, seed: int) -> int:
    chance = random.Random(seed)
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        reference = Path(folder) / "reference.db"
        seconds = whole_run(project, reference)
        whole, expected = entries_by_package(reference), dumped(reference)
        print(f"undisturbed: {seconds:.1f} s, {sum(whole.values())} entries", flush=True)
        again_and_again = Path(folder) / "again.db"
        for number in range(1, kills + 1):
            fresh = Path(folder) / f"killed{number}.db"
            # Every other time the same file: a run that resumes is killed too.
            database = fresh if number % 2 else again_and_again
            moment = chance.uniform(0.1, seconds)
            running = killed_run(project, database, moment)
            found = entries_by_package(database)
            broken = partial(found, whole)
            bad += bool(broken)
            print(
                f"{number:3}  {'killed' if running else 'done'} after {moment:5.1f} s: "
                f"{len(found)} of {len(whole)} packages" + "".join(f"\n     {b}" for b in broken),
                flush=True,
            )
            if database is fresh:
                bad += finishes(project, fresh, expected)
                fresh.unlink()
        bad += finishes(project, again_and_again, expected)
    print(f"\n{kills} kills (seed {seed}): {bad} problems")
    return 1 if bad else 0


def finishes(project: Path, database: Path, expected: list[str]) -> int:
    """Index again; return 1 if the result differs from an undisturbed run."""
    whole_run(project, database)
    if dumped(database) == expected:
        return 0
    print("     the rerun's dump differs from the undisturbed one")
    return 1


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("project", type=Path)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    return check(options.project.resolve(), kills=options.kills, seed=options.seed)


if __name__ == "__main__":
    sys.exit(main())
