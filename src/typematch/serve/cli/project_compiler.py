"""Compiles a module with the TypeScript that a project has installed."""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from typematch.errors import OutsideError
from typematch.sources.compiler_options import nearest_config, project_options
from typematch.sources.tsc import installed_compiler, run_tsc

_FILE = "adapter.ts"
_CONFIG = "tsconfig.json"
_TIMEOUT_SECONDS = 120.0
_MESSAGE = re.compile(r"(?P<file>.+?)\(\d+,\d+\): ")


def compiler_messages(text: str, folder: Path) -> list[str]:
    """Return what tsc says about a module in ``folder``, a line each; none if it accepts it.

    The compiler is that of the nearest ``node_modules`` of the folder or its parents.  Relative
    imports of the module lead from the folder of the nearest ``package.json``.  Options that change
    types are those of the nearest ``tsconfig.json``.  What the compiler says about other files is
    left out.

    Raises:
        OutsideError: there is no compiler, Node.js is not installed, the folder cannot be written,
            or the compiler takes too long.
    """
    compiler = _project_compiler(folder)
    try:
        # Imports are resolved from the module's folder upwards, so it is inside the project.
        with tempfile.TemporaryDirectory(prefix=".typematch-", dir=folder) as inside:
            Path(inside, _FILE).write_text(text, encoding="utf-8")
            config = nearest_config(folder.resolve())
            settings = {
                "compilerOptions": {
                    **project_options(
                        compiler, config, folder=Path(inside), seconds=_TIMEOUT_SECONDS
                    ),
                    "noEmit": True,
                    "skipLibCheck": True,
                    # A relative import is looked up in all rootDirs.
                    "rootDirs": [".", str(_package_folder(folder))],
                    # Of all files that it imports.
                    "rootDir": folder.resolve().anchor,
                },
                "files": [_FILE],
            }
            Path(inside, _CONFIG).write_text(json.dumps(settings), encoding="utf-8")
            arguments = ["--project", inside, "--pretty", "false"]
            done = run_tsc(compiler, arguments, folder=Path(inside), seconds=_TIMEOUT_SECONDS)
    except OSError as error:
        hint = "Run the command in a folder that can be written."
        raise OutsideError(f"cannot compile here ({error.strerror})", str(folder), hint) from error
    lines = [line for line in (done.stdout + done.stderr).splitlines() if line.strip()]
    if done.returncode and not lines:
        return [f"tsc ended with exit code {done.returncode}"]
    return list(_own_messages(lines)) if done.returncode else []


def _own_messages(lines: Iterable[str]) -> Iterator[str]:
    """Yield the lines of messages without those about other files."""
    is_own = True
    for line in lines:
        if not line.startswith(" "):  # the lines that explain a message are indented
            message = _MESSAGE.match(line)
            is_own = message is None or message["file"] in (_FILE, _CONFIG)
        if is_own:
            yield line


def _package_folder(folder: Path) -> Path:
    start = folder.resolve()
    parents = (start, *start.parents)
    return next((parent for parent in parents if (parent / "package.json").is_file()), start)


def _project_compiler(folder: Path) -> Path:
    start = folder.resolve()
    compiler = installed_compiler(parent / "node_modules" for parent in (start, *start.parents))
    if compiler is None:
        raise OutsideError(
            "there is no TypeScript in node_modules of this folder or its parents",
            str(folder),
            "Run the command in a project with TypeScript, or: npm install --save-dev typescript",
        )
    return compiler
