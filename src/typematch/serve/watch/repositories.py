"""Say which branch is checked out, and whether git is at work."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path


def repository_of(path: Path) -> Path | None:
    """Return the folder that git keeps for the working tree around ``path``."""
    for folder in (path, *path.parents):
        inside = folder / ".git"
        if inside.is_dir():
            return inside
        named = _read(inside)
        if named.startswith("gitdir:"):  # a working tree beside the first one
            return (folder / named.removeprefix("gitdir:").strip()).resolve()
    return None


def branches(paths: Iterable[Path]) -> dict[Path, str]:
    """Return by repository the branch that is checked out, or how its commit's name begins."""
    found = {repository for path in paths if (repository := repository_of(path))}
    return {one: _branch(one) for one in sorted(found)}


def is_git_at_work(paths: Iterable[Path]) -> bool:
    """Whether git is writing a working tree."""
    return any((one / "index.lock").exists() for one in branches(paths))


def _branch(repository: Path) -> str:
    head = _read(repository / "HEAD")
    return head.removeprefix("ref: refs/heads/") if head.startswith("ref: ") else head[:10]


def _read(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8").strip()
    except (OSError, ValueError):
        return ""
