"""The options of a project that change types, as its compiler reads them."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from typematch.sources.packages import FileSystemCache
from typematch.sources.packages.tsconfig import Configs
from typematch.sources.tsc import run_tsc

# Options that change types; paths among them are made absolute.
_KEPT = (
    "allowImportingTsExtensions", "allowSyntheticDefaultImports", "customConditions",
    "esModuleInterop", "exactOptionalPropertyTypes", "experimentalDecorators",
    "ignoreDeprecations", "jsx", "jsxFactory", "jsxImportSource", "lib", "module",
    "moduleDetection", "moduleResolution", "noImplicitAny", "noImplicitThis",
    "noUncheckedIndexedAccess", "resolveJsonModule", "strict", "strictBindCallApply",
    "strictBuiltinIteratorReturn", "strictFunctionTypes", "strictNullChecks",
    "strictPropertyInitialization", "target", "types", "useDefineForClassFields",
    "useUnknownInCatchVariables", "verbatimModuleSyntax",
)  # fmt: skip
_WITHOUT_CONFIG: Mapping[str, Any] = {
    "strict": True,
    "target": "esnext",
    "module": "esnext",
    "moduleResolution": "bundler",
    "esModuleInterop": True,
    "jsx": "preserve",
}


def nearest_config(folder: Path) -> Path | None:
    """Return the tsconfig.json of ``folder`` or of the nearest folder above it; None without one.

    Of one that has only references, it is the first of these.
    """
    configs = Configs(FileSystemCache())
    nearest = configs.of_folder(str(folder))
    if nearest is None:
        return None
    if nearest.references and nearest.files == () and nearest.include is None:
        referenced = map(configs.read, nearest.references)
        nearest = next((config for config in referenced if config is not None), nearest)
    return Path(nearest.path)


def project_options(
    compiler: Path, config: Path | None, *, folder: Path, seconds: float
) -> dict[str, Any]:
    """Return the options of ``config`` that change types; defaults if it has none.

    Args:
        compiler: the script of tsc, which reads the file; it runs in ``folder``.

    Raises:
        OutsideError: Node.js is not installed, or the compiler takes longer than ``seconds``.
        OSError: the compiler cannot be run.
    """
    found: dict[str, Any] = {}
    if config is not None and config.is_file():
        arguments = ["--showConfig", "--project", str(config)]
        output = run_tsc(compiler, arguments, folder=folder, seconds=seconds).stdout
        try:
            read = json.loads(output)
            found = read["compilerOptions"] if isinstance(read, dict) else {}
        except (ValueError, KeyError):
            found = {}
    if config is None or not found:
        return dict(_WITHOUT_CONFIG)
    options = {name: found[name] for name in _KEPT if name in found}
    paths = found.get("paths")
    if isinstance(paths, dict):
        base = config.parent / str(found.get("baseUrl", "."))
        options["paths"] = {
            pattern: [os.path.normpath(base / str(target)) for target in targets]
            for pattern, targets in paths.items()
            if isinstance(targets, list)
        }
    return options
