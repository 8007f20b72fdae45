"""Downloads a published package with ``npm pack``: nothing is installed, no script runs.

A fetched package lies in the cache as it would in a project,
``<name>@<version>/node_modules/<name>``, beside the packages that its declaration files import
from, so that imports resolve there like anywhere else:

- a package without typings brings ``@types/<name>``;
- of the ``dependencies`` of what was fetched, those come too that its declaration files mention,
  and theirs in turn, level by level until ``MAX_PACKAGES`` lie there.  Of two versions of a
  package the first that was wanted stays.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import tarfile
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from typematch.config import cache_folder
from typematch.errors import FetchError, NpmMissingError, SourceError
from typematch.package_names import typed_name, typings_name
from typematch.sources.packages.entry_points import EntryPoints
from typematch.sources.packages.fs_cache import FileSystemCache
from typematch.sources.packages.manifest import Manifest, read_manifest
from typematch.sources.packages.model import DECLARATION_SUFFIXES, MAX_BYTES
from typematch.sources.packages.source_of_build import BuildSources
from typematch.sources.packages.tsconfig import Configs

MAX_PACKAGES = 40
TIMEOUT_SECONDS = 300

# Only registry names: npm would also pack folders, git repositories and tarballs, and run their
# scripts.
_NAME = re.compile(r"(?:@[\w~][\w.~-]*/)?[\w~][\w.~-]*")
_WANTED = re.compile(rf"({_NAME.pattern})(?:@([\w.~^<>=|*+ -]+))?")
_VERSION = re.compile(r"[\w.+-]+")
_EXACT = re.compile(r"\d+\.\d+\.\d+(?:-[\w.-]+)?")
_MENTIONED = re.compile(rb"""["']((?:@[\w.~-]+/)?[\w.~-]+)(?:/[^"'\n]*)?["']""")
_COMPLETE = ".complete"


def npm_pack(specification: str, *, cache: Path | None = None) -> Path:
    """Return the folder of the package ``name`` or ``name@version``; download it if needed.

    An exact version that was fetched before is not asked for again; a range or tag is looked up
    each time.

    Args:
        cache: where fetched packages are kept; default typematch's folder in the user's cache.

    Raises:
        SourceError: ``specification`` is no name of a published package.
        NpmMissingError: npm is needed and not installed.
        FetchError: npm could not: offline, unknown name or version.
    """
    match = _WANTED.fullmatch(specification)
    if match is None:
        raise SourceError(
            "this is not the name of a published package",
            f"npm:{specification}",
            "Write npm:NAME or npm:NAME@VERSION, for example npm:date-fns@4.",
        )
    name, version = match[1], (match[2] or "latest").strip()
    folder = cache or cache_folder(os.environ)
    if folder is None:
        raise FetchError(f"npm:{specification}", "there is no cache folder: HOME is not set")
    store = folder / "npm"
    if _EXACT.fullmatch(version):
        home = store / _folder_name(name, version)
        if (home / _COMPLETE).exists():
            return home / "node_modules" / name
    return _fetch(name, version, store, requested=f"npm:{specification}")


def _folder_name(name: str, version: str) -> str:
    return f"{name.replace('/', '+')}@{version}"


def _fetch(name: str, version: str, store: Path, *, requested: str) -> Path:
    npm = shutil.which("npm")
    if npm is None:
        raise NpmMissingError(requested)
    try:
        return _fetch_into(store, npm, name, version, requested)
    except OSError as error:
        raise FetchError(requested, f"the cache folder {store} cannot be used ({error})") from error


def _fetch_into(store: Path, npm: str, name: str, version: str, requested: str) -> Path:
    store.mkdir(parents=True, exist_ok=True)
    # Written to a temporary folder and renamed, so that a killed run leaves no incomplete package.
    with tempfile.TemporaryDirectory(dir=store, prefix=".fetching-") as work:
        modules = Path(work) / "node_modules"
        _pack(npm, [f"{name}@{version}"], modules, requested=requested)
        manifest = read_manifest(str(modules / name / "package.json")) or Manifest()
        if not _VERSION.fullmatch(manifest.version):
            raise FetchError(requested, "its package.json gives no version")
        home = store / _folder_name(name, manifest.version)
        if not (home / _COMPLETE).exists():
            _add_companions(npm, name, manifest.version, modules)
            (Path(work) / _COMPLETE).touch()
            _move(Path(work), home)
            Path(work).mkdir(exist_ok=True)  # for the temporary folder to remove
    return home / "node_modules" / name


def _move(work: Path, home: Path) -> None:
    shutil.rmtree(home, ignore_errors=True)
    try:
        work.rename(home)
    except OSError:
        if not (home / _COMPLETE).exists():  # another process may have fetched the same
            raise


def _add_companions(npm: str, name: str, version: str, modules: Path) -> None:
    """Fetch the packages that the declaration files import, as the module's docstring says."""
    latest = [name]
    if not _is_typed(modules / name) and typings_name(name):
        typings = typings_name(name)
        major = version.partition(".")[0]  # @types follow the major version of their package
        if not any(
            _try_pack(npm, [f"{typings}@{version}"], modules) for version in (major, "latest")
        ):
            return
        latest = [typings]
    fetched = {name, *latest}
    while latest and len(fetched) < MAX_PACKAGES:
        dependencies: dict[str, str] = {}
        for package in latest:
            for dependency, versions in _imported_dependencies(modules / package).items():
                if dependency not in fetched:
                    dependencies.setdefault(dependency, versions)
        latest = list(dependencies)[: MAX_PACKAGES - len(fetched)]
        fetched.update(latest)
        _try_pack(npm, [f"{name}@{dependencies[name]}" for name in latest], modules)


def _is_typed(folder: Path) -> bool:
    disk = FileSystemCache()
    return bool(EntryPoints(disk, BuildSources(disk, Configs(disk))).list_all(str(folder)))


def _imported_dependencies(folder: Path) -> Mapping[str, str]:
    """Return those of the package's ``dependencies`` that its declaration files mention."""
    manifest = read_manifest(str(folder / "package.json")) or Manifest()
    dependencies = {
        name: versions
        for name, versions in manifest.required.items()
        if _WANTED.fullmatch(f"{name}@{versions}")
    }
    mentioned: set[str] = set()
    for file in (
        sorted(folder.rglob("*.ts")) + sorted(folder.rglob("*.[mc]ts")) if dependencies else ()
    ):
        if file.name.endswith(DECLARATION_SUFFIXES) and file.stat().st_size <= MAX_BYTES:
            mentioned.update(match.decode() for match in _MENTIONED.findall(file.read_bytes()))
    return {
        name: versions
        for name, versions in dependencies.items()
        if name in mentioned or typed_name(name) in mentioned
    }


def _try_pack(npm: str, specifications: Sequence[str], modules: Path) -> bool:
    """Fetch the imported packages; a missing one is ignored."""
    if not specifications:
        return True
    try:
        _pack(npm, specifications, modules, requested=specifications[0])
    except FetchError:
        # One unknown name fails the whole call.
        fetched = (
            [_try_pack(npm, [specification], modules) for specification in specifications]
            if len(specifications) > 1
            else []
        )
        return any(fetched)
    return True


def _pack(npm: str, specifications: Sequence[str], modules: Path, *, requested: str) -> None:
    """Fetch and unpack published packages into ``modules``."""
    modules.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        for found in _packed(npm, specifications, folder, requested):
            name, file = found.get("name"), found.get("filename")
            if not (isinstance(name, str) and _NAME.fullmatch(name) and isinstance(file, str)):
                raise FetchError(requested, "the output of npm pack has an unexpected format")
            # Older versions of npm report "@scope/name-1.0.0.tgz" and write "scope-name-1.0.0.tgz".
            archive = Path(folder) / file.removeprefix("@").replace("/", "-")
            _unpack(archive, modules / name, requested)


def _packed(
    npm: str, specifications: Sequence[str], folder: str, requested: str
) -> Iterable[Mapping[str, object]]:
    try:
        done = subprocess.run(
            [
                npm,
                "pack",
                "--json",
                "--ignore-scripts",
                "--pack-destination",
                folder,
                "--",
                *specifications,
            ],
            cwd=folder,
            capture_output=True,
            stdin=subprocess.DEVNULL,
            timeout=TIMEOUT_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise FetchError(requested, f"no answer within {TIMEOUT_SECONDS} seconds") from error
    except OSError as error:
        raise FetchError(requested, f"npm could not be started ({error})") from error
    if done.returncode:
        raise FetchError(requested, _reason(done.stderr.decode("utf-8", "replace")))
    try:
        answer = json.loads(done.stdout)
    except ValueError as error:
        raise FetchError(
            requested, "npm pack did not answer with JSON; npm 7 or later is needed"
        ) from error
    return [item for item in answer if isinstance(item, dict)] if isinstance(answer, list) else []


def _reason(stderr: str) -> str:
    """Return the essential line of npm's error output."""
    if re.search(r"\bE404\b|\bENOVERSIONS\b", stderr):
        return "no package of that name is published"
    if re.search(r"\bETARGET\b", stderr):
        return "no published version matches"
    if re.search(
        r"\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH)\b", stderr
    ):
        return "the registry cannot be reached"
    lines = [line for line in stderr.splitlines() if line.startswith(("npm error", "npm ERR!"))]
    return (
        re.sub(r"^npm (?:error|ERR!)\s*", "", lines[0]) if lines else "it failed without a reason"
    )


def _unpack(archive: Path, folder: Path, requested: str) -> None:
    """Unpack the single folder of a package's archive (usually ``package/``) to ``folder``."""
    if not hasattr(tarfile, "data_filter"):
        raise FetchError(
            requested, "this Python cannot unpack archives safely; 3.11.4 or later can"
        )
    try:
        with tempfile.TemporaryDirectory() as work:
            with tarfile.open(archive, "r:gz") as packed:
                packed.extractall(work, members=_files(packed), filter="data")
            tops = sorted(Path(work).iterdir())
            if len(tops) != 1 or not tops[0].is_dir():
                raise FetchError(requested, "its archive is not that of a package")
            folder.parent.mkdir(parents=True, exist_ok=True)
            shutil.copytree(tops[0], folder, dirs_exist_ok=True)
    except (OSError, EOFError, tarfile.TarError) as error:
        raise FetchError(requested, f"its archive cannot be unpacked ({error})") from error


def _files(packed: tarfile.TarFile) -> Iterable[tarfile.TarInfo]:
    """Yield folders and regular files; links and devices are skipped."""
    return (member for member in packed if member.isfile() or member.isdir())
