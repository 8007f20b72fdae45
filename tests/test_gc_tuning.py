"""The garbage collector's thresholds, and what is collected when a process ends."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

# An object in a reference cycle, which only the collector finds.
_PROGRAM = """
import gc, sys
from typematch.serve.cli.open_catalog import open_catalog

class Node:
    def __init__(self):
        self.own = self
    def __del__(self):
        print("collected")

before = gc.get_threshold()
if sys.argv[1:]:
    open_catalog(sys.argv[1], create=True).close()
print("restored" if gc.get_threshold() == before else "relaxed")
Node()
"""


# Other tests of this process may have relaxed the collector until its end.
_NESTED = """
import gc
from typematch.gc_tuning import relaxed_gc

before = gc.get_threshold()
with relaxed_gc():
    relaxed = gc.get_threshold()
    with relaxed_gc():
        pass
    print(gc.get_threshold() == relaxed > before)
print(gc.get_threshold() == before)
"""


def printed(program: str, *arguments: str) -> list[str]:
    command = [sys.executable, "-c", program, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()


def test_the_end_of_the_last_context_restores_the_thresholds() -> None:
    assert printed(_NESTED) == ["True", "True"]


def test_nothing_is_collected_after_a_command(tmp_path: Path) -> None:
    assert printed(_PROGRAM) == ["restored", "collected"]
    assert printed(_PROGRAM, str(tmp_path / "new.db")) == ["relaxed"]
