"""Installs packages drawn by a seed from a list of popular ones, to measure on.

    python scripts/draw_packages.py FOLDER --seed 7 --count 60
    python -m typematch.evaluate exports --data FOLDER --corpus FOLDER --db FILE

Prints the packages with the versions that npm installed.  Needs npm; runs no install script.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

LIST = Path(__file__).with_name("popular_packages.txt")


def listed() -> list[str]:
    """Return the names of the list, in its order."""
    lines = LIST.read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def install(folder: Path, packages: Sequence[str]) -> None:
    """Install packages into ``node_modules`` of a folder with a ``package.json`` of its own."""
    folder.mkdir(parents=True, exist_ok=True)
    manifest = {"private": True, "dependencies": dict.fromkeys(packages, "*")}
    (folder / "package.json").write_text(json.dumps(manifest, indent=2), encoding="utf-8")
    options = [
        "--ignore-scripts",
        "--no-audit",
        "--no-fund",
        "--legacy-peer-deps",
        "--loglevel=error",
    ]
    subprocess.run(["npm", "install", *options], cwd=folder, check=True)


def installed_version(folder: Path, package: str) -> str:
    manifest = folder / "node_modules" / package / "package.json"
    version = json.loads(manifest.read_text(encoding="utf-8"))["version"]
    return str(version)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("folder", type=Path, help="where to install; must not exist")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=60, help="number of packages (default: 60)")
    options = parser.parse_args()
    if options.folder.exists():
        parser.error(f"{options.folder} exists; name a new folder")
    names = listed()
    if not 0 < options.count <= len(names):
        parser.error(f"--count is from 1 to {len(names)}, the length of {LIST.name}")
    drawn = sorted(random.Random(options.seed).sample(names, options.count))
    install(options.folder, drawn)
    print(f"seed {options.seed}, {len(drawn)} of {len(names)} packages:")
    for package in drawn:
        print(f"  {package}@{installed_version(options.folder, package)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
