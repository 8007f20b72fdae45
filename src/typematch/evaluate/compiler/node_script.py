"""Runs the scripts of this package, which ask the TypeScript compiler."""

from __future__ import annotations

import json
import subprocess
from importlib.resources import as_file, files
from pathlib import Path

from typematch.errors import OutsideError
from typematch.evaluate.corpus import Row

_MEBIBYTES = 6_000  # of Node.js's heap
_QUOTED = 600  # characters of the script's messages


def run_node_script(name: str, *arguments: str | Path) -> list[Row]:
    """Return the lines of JSON that a script prints.

    Args:
        name: of a file of this package.

    Raises:
        OutsideError: node is not installed, or the script failed.
    """
    with as_file(files("typematch.evaluate.compiler") / name) as script:
        command = ["node", f"--max-old-space-size={_MEBIBYTES}", script, *arguments]
        try:
            done = subprocess.run(command, check=True, capture_output=True, text=True)
        except FileNotFoundError as error:
            raise OutsideError("node is not installed", name, "Install Node.js.") from error
        except subprocess.CalledProcessError as error:
            raise OutsideError(f"node failed: {error.stderr[-_QUOTED:]}", name) from error
    return [json.loads(line) for line in done.stdout.splitlines() if line]
