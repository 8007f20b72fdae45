"""Finds and runs the TypeScript compiler that a project has installed."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path

from typematch.errors import OutsideError


def installed_compiler(modules: Iterable[str | Path]) -> Path | None:
    """Return the script of tsc in the first of the ``node_modules`` folders that has it."""
    compilers = (Path(folder, "typescript", "bin", "tsc") for folder in modules)
    return next((path for path in compilers if path.is_file()), None)


def run_tsc(
    compiler: Path, arguments: Sequence[str], *, folder: Path, seconds: float
) -> subprocess.CompletedProcess[str]:
    """Run ``compiler``, the script of tsc, in ``folder``; errors of types are no failure.

    Raises:
        OutsideError: Node.js is not installed, or the compiler takes longer than ``seconds``.
        OSError: the compiler cannot be run.
    """
    node = shutil.which("node")
    if node is None:
        raise OutsideError(
            "Node.js is not installed", hint="Install it from nodejs.org; tsc needs it."
        )
    try:
        return subprocess.run(
            [node, str(compiler), *arguments],
            cwd=folder,
            capture_output=True,
            text=True,
            encoding="utf-8",
            errors="replace",
            timeout=seconds,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise OutsideError(f"tsc took more than {seconds:g} seconds") from error
