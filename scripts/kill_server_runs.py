"""Kills index runs on a PostgreSQL server, and the server under them, at random moments.

    python scripts/kill_server_runs.py [--kills 20] [--seed N]

Clients and servers are killed with SIGKILL, as often each.  Runs begin with an empty schema and
with one of an earlier state of the sources, in turns.  A run that ended before does not count.
After each kill every package is as it was before or after, a search works, and the same command
again gives the contents of a fresh catalog.  A client that lost its server says so.
"""

from __future__ import annotations

import argparse
import random
import secrets
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from databases import Server, copy_schema, running_server
from measuring import dumped, entry_counts, environment, machine, typematch
from typematch import open as typematch_opened

_FIXTURES = Path(__file__).resolve().parent.parent / "fixtures"
_PACKAGES = ("toolbox", "deadline", "bookshop", "petshop")
_MAX_TRIES = 50  # runs until one is killed before it ends


class Place:
    """A folder with packages in two states, and the catalogs of both on a server."""

    def __init__(self, folder: Path, server: Server) -> None:
        self.folder = folder
        self.server = server
        self.seconds = {}
        for state in ("first", "second"):
            self.show(state)
            begun = time.perf_counter()
            if self.run(self.index(state)).wait():
                raise SystemExit(f"the {state} state cannot be indexed")
            self.seconds[state] = time.perf_counter() - begun
        self.fresh = {state: dumped(server.url(state)) for state in self.seconds}
        self.whole = [Counter(), *(entry_counts(server.url(state)) for state in self.seconds)]

    def show(self, state: str) -> None:
        """Make the packages what they are in a state: a comment and a function are new."""
        shutil.rmtree(self.folder / "project", ignore_errors=True)
        for name in _PACKAGES:
            shutil.copytree(_FIXTURES / name, self.folder / "project" / name)
        if state == "second":
            for file in self.sources():
                file.chmod(0o644)
                file.write_text(f"{file.read_text()}\nexport declare function added(): Date;\n")

    def sources(self) -> Iterator[Path]:
        yield from sorted((self.folder / "project").rglob("*.ts"))

    def index(self, schema: str) -> list[str]:
        paths = [str(self.folder / "project" / name) for name in _PACKAGES]
        return typematch("index", *paths, "--db", self.server.url(schema))

    @staticmethod
    def run(command: list[str]) -> subprocess.Popen[str]:
        return subprocess.Popen(
            command,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            env=environment(),
            text=True,
        )

    def begin(self, *, empty: bool) -> None:
        self.server.execute("DROP SCHEMA IF EXISTS killed CASCADE")
        if not empty:
            copy_schema(self.server, "first", "killed")

    def killed(self, victim: str, seconds: float) -> list[str] | None:
        """Kill after so many seconds; return problems, None if the run ended before."""
        process = self.run(self.index("killed"))
        try:
            process.wait(seconds)
            return None
        except subprocess.TimeoutExpired:
            pass
        if victim == "client":
            process.kill()
            process.communicate()
            return []
        self.server.kill()
        _, printed = process.communicate()
        self.server.start_again()
        if process.returncode == 0:
            return None
        expected = ("the connection to the server was lost", "the server cannot be reached")
        if process.returncode != 3 or not any(part in printed for part in expected):
            return [f"exit code {process.returncode}: {printed[-300:]}"]
        return []

    def left(self) -> list[str]:
        """Return what is wrong with what the killed run has left, and with the next run."""
        address = self.server.url("killed")
        found = entry_counts(address)
        problems = [
            f"{package}: {number} entries"
            for package, number in sorted(found.items())
            if all(number != whole[package] for whole in self.whole)
        ]
        if found:
            with typematch_opened(address, create=False) as catalog:
                catalog.search("(a: string) => _", limit=5)
        process = self.run(self.index("killed"))
        _, printed = process.communicate()
        if process.returncode:
            return [*problems, f"the next run ends with {process.returncode}: {printed[-300:]}"]
        if dumped(address) != self.fresh["second"]:
            problems.append("the next run does not end as a fresh one")
        return problems


def check(kills: int, seed: int) -> int:
    chance = random.Random(seed)
    print(f"{machine()}\nseed {seed}", flush=True)
    bad, missed = 0, 0
    with running_server() as server, tempfile.TemporaryDirectory() as folder:
        place = Place(Path(folder), server)
        for number in range(2 * kills):
            victim, empty = ("client", "server")[number % 2], number % 4 < 2
            for _ in range(_MAX_TRIES):
                place.begin(empty=empty)
                moment = chance.uniform(0.2, place.seconds["first" if empty else "second"])
                problems = place.killed(victim, moment)
                if problems is not None:
                    break
                missed += 1
            else:
                raise SystemExit("runs end before they can be killed")
            problems += place.left()
            bad += bool(problems)
            for problem in problems:
                print(f"{number:3} {victim} killed after {moment:.2f} s: {problem}", flush=True)
    print(
        f"{kills} kills of clients and {kills} of servers (seed {seed}): {bad} problems; "
        f"{missed} runs ended before they were killed"
    )
    return 1 if bad else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--kills", type=int, default=20, help="of clients, and of servers")
    parser.add_argument("--seed", type=int, default=None, help="by default a new one")
    options = parser.parse_args()
    return check(options.kills, secrets.randbelow(10**9) if options.seed is None else options.seed)


if __name__ == "__main__":
    sys.exit(main())
