"""Edits a project at random under `typematch watch`; checks that the database follows in time.

    python scripts/watch_equals_fresh.py PROJECT [--rounds 20] [--seed 1] [--most 10] [--within 4]

A copy of PROJECT is put under git and watched in a process of its own, while another one searches.
Each round makes up to so many edits (files are added, changed, deleted and renamed, globals and
modules augmented) or switches to another branch.  So many seconds after the last change what the
database says is compared with what a fresh index says.  Exit code 1 at the first difference, which
is printed, and where the search failed or waited.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from pathlib import Path

from edits_equal_fresh import Editor, differences, updated
from measuring import dumped, environment, machine, typematch
from typematch.catalog import Catalog


class Watching:
    """`typematch watch --json` over a folder.

    Attributes:
        last: when the last round that did something ended, and how long it took.
    """

    def __init__(self, root: Path, database: Path) -> None:
        command = typematch("watch", str(root), "--json", "--db", str(database))
        self._process = subprocess.Popen(
            command, stdout=subprocess.PIPE, text=True, env=environment()
        )
        self.rounds = 0
        self.last = (0.0, 0.0)
        self._ready = threading.Event()
        threading.Thread(target=self._read, daemon=True).start()
        if not self._ready.wait(600):
            raise TimeoutError("watching has not begun")

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            done = json.loads(line)
            report = done["report"] or {"files": 0, "unchanged": 0, "removed": 0}
            self.rounds += 1
            if done["error"] or report["files"] > report["unchanged"] or report["removed"]:
                self.last = (time.monotonic(), done["seconds"])
            self._ready.set()

    def end(self) -> None:
        self._process.terminate()
        self._process.wait()


class Searching(threading.Thread):
    """Searches in a loop; records errors and the duration of each search."""

    def __init__(self, database: Path) -> None:
        super().__init__(daemon=True)
        self._database = database
        self.taken: list[float] = []
        self.wrong: list[str] = []
        self.over = threading.Event()

    def run(self) -> None:
        with Catalog(self._database, create=False) as catalog:
            while not self.over.wait(0.05):
                begun = time.monotonic()
                try:
                    for hit in catalog.search("(a: string) => _", limit=10):
                        assert hit.entry.signature
                except Exception as error:  # whatever it is, it is a finding
                    self.wrong.append(f"{type(error).__name__}: {error}")
                self.taken.append(time.monotonic() - begun)


def git(root: Path, *words: str) -> None:
    who = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", "-C", str(root), *who, *words], check=True, capture_output=True)


def change(editor: Editor, rounds: int, most: int, chosen: random.Random) -> str:
    """Make edits, or switch to another branch; return a description."""
    if rounds % 4 == 0:
        git(editor.root, "add", "-A")
        git(editor.root, "commit", "-q", "--allow-empty", "-m", f"{rounds}")
        branches = ("one", "two", "three")
        name = branches[rounds // 4 % 3]
        known = subprocess.run(
            ["git", "-C", str(editor.root), "rev-parse", "-q", "--verify", name],
            capture_output=True,
            check=False,
        )
        git(editor.root, "checkout", "-q", *([] if known.returncode == 0 else ["-b"]), name)
        return f"branch {name}"
    number = chosen.randint(1, most)
    return "; ".join(editor.edit() for _ in range(number))


def check(project: Path, *, rounds: int, seed: int, most: int, within: float) -> int:
    print(machine())
    chosen = random.Random(seed)
    late: list[float] = []
    beyond: list[float] = []  # seconds after a branch, besides those it takes to index its files
    with tempfile.TemporaryDirectory() as folder:
        root, database = Path(folder) / project.name, Path(folder) / "watched.db"
        shutil.copytree(project, root, symlinks=True)
        git(root, "init", "-q", "-b", "one")
        (root / ".git/info/exclude").write_text("node_modules\n")
        editor = Editor(root, seed)
        watching = Watching(root, database)
        searching = Searching(database)
        searching.start()
        try:
            for number in range(1, rounds + 1):
                did = change(editor, number, most, chosen)
                changed = time.monotonic()
                time.sleep(within)
                ours = dumped(database)
                ended, took = watching.last
                fresh_file = Path(folder) / f"fresh{number}.db"
                fresh = updated(root, fresh_file)
                if ended > changed:
                    late.append(ended - changed)
                    if did.startswith("branch"):
                        beyond.append(ended - changed - took)
                print(f"{number:3}  {max(0.0, ended - changed):4.1f} s ({took:.1f} s)  {did[:110]}")
                if ours != fresh:
                    print(f"\nafter round {number} the watched catalog differs from a fresh one:")
                    print("\n".join(differences(fresh, ours)))
                    return 1
                fresh_file.unlink()
        finally:
            searching.over.set()
            searching.join()
            watching.end()
    taken = sorted(searching.taken)
    print(
        f"\n{rounds} rounds (seed {seed}): what was watched and what is fresh are equal "
        f"{within:g} s after each; true after {sum(late) / len(late):.1f} s, {max(late):.1f} s at "
        f"most"
    )
    if beyond:
        print(
            f"{len(beyond)} branches: true {max(beyond):.1f} s at most after the time it took to "
            f"index them"
        )
    print(
        f"{len(taken):,} searches beside it: median {taken[len(taken) // 2]:.2f} s, longest "
        f"{taken[-1]:.2f} s, {len(searching.wrong)} went wrong {searching.wrong[:3]}"
    )
    return 1 if searching.wrong else 0


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("project", type=Path)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--most", type=int, default=10, help="edits in one round")
    parser.add_argument("--within", type=float, default=4.0, help="seconds after the last change")
    options = parser.parse_args(arguments)
    return check(
        options.project.resolve(),
        rounds=options.rounds,
        seed=options.seed,
        most=options.most,
        within=options.within,
    )


if __name__ == "__main__":
    sys.exit(main())
