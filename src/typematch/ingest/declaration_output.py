"""Runs the project's own TypeScript compiler for the declarations of its sources.

Nothing is executed but the compiler, with a configuration of our own: of the project's only options
that concern types are taken.  It writes into a temporary folder alone.
"""

from __future__ import annotations

import json
import re
import tempfile
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from typematch.errors import OutsideError
from typematch.sources.compiler_options import project_options
from typematch.sources.packages import Package
from typematch.sources.tsc import installed_compiler, run_tsc

MODES = ("off", "auto", "tsc")
_TIMEOUT_SECONDS = 600.0
_ERROR = re.compile(r"^error TS\d+: [^\n]*", re.MULTILINE)
_MAX_ERROR = 200  # characters
_SOURCES = {".ts": ".d.ts", ".tsx": ".d.ts", ".mts": ".d.mts", ".cts": ".d.cts"}
_DECLARATIONS = (".d.ts", ".d.mts", ".d.cts")


@dataclass(frozen=True, slots=True)
class DeclarationOutput:
    """Declaration files by the path of their source; ``notices`` say what that cost."""

    texts: Mapping[Path, bytes] = field(default_factory=dict)
    notices: tuple[str, ...] = ()


def declaration_output(
    packages: Iterable[Package], modules: Mapping[Path, Sequence[str]], mode: str
) -> DeclarationOutput:
    """Return the declaration output of the own code among ``packages``.

    Args:
        modules: the ``node_modules`` folders of each package, by its root.
        mode: one of ``MODES``.

    Raises:
        OutsideError: there is no compiler, and the mode is ``tsc``.
    """
    texts: dict[Path, bytes] = {}
    notices: list[str] = []
    for package in packages:
        sources = [path for path in package.files if _is_source(path)]
        if mode == "off" or not package.own or not sources:
            continue
        try:
            texts |= _emitted(package.root, sources, modules[package.root], notices)
        except OutsideError as error:
            if mode == "tsc":
                raise
            notices.append(f"{package.name}: types were read without the compiler: {error.what}.")
    return DeclarationOutput(texts, tuple(notices))


def _is_source(path: Path) -> bool:
    return path.suffix in _SOURCES and not path.name.endswith(_DECLARATIONS)


def _emitted(
    root: Path, sources: Sequence[Path], modules: Sequence[str], notices: list[str]
) -> dict[Path, bytes]:
    started = time.monotonic()
    compiler = installed_compiler(modules)
    if compiler is None:
        hint = "Install it: npm install --save-dev typescript"
        raise OutsideError("there is no typescript in node_modules", str(root), hint)
    with tempfile.TemporaryDirectory(prefix="typematch-") as folder:
        inside = Path(folder).resolve()
        options = _options(compiler, root, inside)
        type_roots = [str(path) for path in (Path(m, "@types") for m in modules) if path.is_dir()]
        settings = {
            "compilerOptions": {
                **options,
                "typeRoots": type_roots,
                "declaration": True,
                "emitDeclarationOnly": True,
                "noEmitOnError": False,
                "skipLibCheck": True,
                # Below the root of the file system nothing is written outside of outDir.
                "rootDir": root.anchor,
                "outDir": str(inside / "out"),
            },
            "files": [str(path) for path in sources],
        }
        (inside / "tsconfig.json").write_text(json.dumps(settings), encoding="utf-8")
        printed = _run(compiler, ["--project", str(inside)], inside)
        texts = _read_output(inside / "out", sources)
    if not texts:
        notices.append(
            f"{root.name}: the compiler wrote no declarations{_first_error(printed)}. Types were "
            "read without it."
        )
        return texts
    noun = "file" if len(sources) == 1 else "files"
    notices.append(
        f"The compiler inferred types of {len(texts):,} of {len(sources):,} {noun} of {root.name} "
        f"in {time.monotonic() - started:.1f} s."
    )
    return texts


def _first_error(printed: str) -> str:
    """Return the first error that is about no file, such as an option that is not known."""
    found = _ERROR.search(printed)
    return f" ({found[0].strip()[:_MAX_ERROR]})" if found is not None else ""


def _options(compiler: Path, root: Path, inside: Path) -> dict[str, Any]:
    try:
        return project_options(
            compiler, root / "tsconfig.json", folder=inside, seconds=_TIMEOUT_SECONDS
        )
    except OSError as error:
        raise _not_run(error) from error


def _run(compiler: Path, arguments: Sequence[str], folder: Path) -> str:
    """Return what the compiler prints."""
    try:
        return run_tsc(compiler, arguments, folder=folder, seconds=_TIMEOUT_SECONDS).stdout
    except OSError as error:
        raise _not_run(error) from error


def _not_run(error: OSError) -> OutsideError:
    return OutsideError(f"the compiler cannot be run ({error.strerror})")


def _read_output(folder: Path, sources: Iterable[Path]) -> dict[Path, bytes]:
    texts = {}
    for source in sources:
        inside = source.relative_to(source.anchor)
        output = folder / inside.with_suffix("")
        written = output.with_name(output.name + _SOURCES[source.suffix])
        if written.is_file():
            texts[source] = written.read_bytes()
    return texts
