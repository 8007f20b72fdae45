"""Git repositories: the current branch, and whether git is writing the working tree."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path


def git_directory_of(path: Path) -> Path | None:
    """Return the git directory of the working tree that contains ``path``; None outside one."""
    for folder in (path, *path.parents):
        git_directory = folder / ".git"
        if git_directory.is_dir():
            return git_directory
        content = _read(git_directory)
        if content.startswith("gitdir:"):  # a linked working tree
            return (folder / content.removeprefix("gitdir:").strip()).resolve()
    return None


def branches(paths: Iterable[Path]) -> dict[Path, str]:
    """Return the branch by git directory, or the first ten digits of a detached commit."""
    directories = {repository for path in paths if (repository := git_directory_of(path))}
    return {directory: _branch(directory) for directory in sorted(directories)}


def is_git_writing(paths: Iterable[Path]) -> bool:
    """Whether git holds the index lock of a repository."""
    return any((directory / "index.lock").exists() for directory in branches(paths))


def _branch(repository: Path) -> str:
    head = _read(repository / "HEAD")
    return head.removeprefix("ref: refs/heads/") if head.startswith("ref: ") else head[:10]


def _read(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8").strip()
    except (OSError, ValueError):
        return ""
