from __future__ import annotations

import io
import json
import os
import sys
import tarfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from typematch.errors import FetchError, NpmMissingError, SourceError
from typematch.sources.packages import Resolver, discover, npm_pack

pytestmark = pytest.mark.skipif(
    not hasattr(tarfile, "data_filter"), reason="archives are unpacked with Python 3.11.4 or later"
)

# A fake npm: copies the archives of its folder, and records the requested names.
NPM = """\
import json, pathlib, shutil, sys
here = pathlib.Path(__file__).parent
folder = sys.argv[sys.argv.index("--pack-destination") + 1]
wanted = sys.argv[sys.argv.index("--") + 1:]
with (here / "requested").open("a") as requested:
    print(*wanted, file=requested)
assert "--ignore-scripts" in sys.argv
published = json.loads((here / "published.json").read_text())
answer = []
for name_and_range in wanted:
    if name_and_range not in published:
        sys.exit("npm error code E404\\nnpm error 404 Not Found")
    name, version = published[name_and_range]
    file = name.replace("@", "").replace("/", "-") + "-" + version + ".tgz"
    shutil.copy(here / file, folder)
    answer.append({"name": name, "version": version, "filename": file})
print(json.dumps(answer))
"""


@pytest.fixture
def registry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of a registry, and put an npm that knows it alone first in the path."""
    if sys.platform == "win32":
        pytest.skip("npm is started through a shell script here")
    folder = tmp_path / "registry"
    folder.mkdir()
    (folder / "npm.py").write_text(NPM)
    (folder / "npm").write_text(f'#!/bin/sh\nexec "{sys.executable}" "{folder}/npm.py" "$@"\n')
    (folder / "npm").chmod(0o755)
    (folder / "published.json").write_text("{}")
    (folder / "requested").touch()
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    return folder


def publish(
    registry: Path,
    name: str,
    version: str,
    files: Mapping[str, str],
    *,
    dependencies: Mapping[str, str] | None = None,
    answers: tuple[str, ...] = (),
) -> None:
    manifest = {"name": name, "version": version, "dependencies": dependencies or {}}
    archive = registry / (name.replace("@", "").replace("/", "-") + f"-{version}.tgz")
    with tarfile.open(archive, "w:gz") as packed:
        for path, text in {"package.json": json.dumps(manifest), **files}.items():
            member = tarfile.TarInfo(f"package/{path}")
            member.size = len(text.encode())
            packed.addfile(member, io.BytesIO(text.encode()))
        link = tarfile.TarInfo("package/passwords")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        packed.addfile(link)
    published = json.loads((registry / "published.json").read_text())
    published.update({f"{name}@{answer}": (name, version) for answer in (version, *answers)})
    (registry / "published.json").write_text(json.dumps(published))


def requested(registry: Path) -> list[str]:
    return (registry / "requested").read_text().split()


def test_a_package_is_fetched_with_the_packages_its_typings_import(
    registry: Path, tmp_path: Path
) -> None:
    publish(
        registry,
        "thing",
        "2.1.0",
        {"index.d.ts": 'export { Part } from "part/inner"; import "@s/deep";'},
        dependencies={"part": "^1", "@s/deep": "*", "runtime-only": "1"},
        answers=("^2",),
    )
    publish(registry, "part", "1.4.0", {"inner.d.ts": "export class Part {}"}, answers=("^1",))
    publish(registry, "@s/deep", "0.1.0", {"index.d.ts": ""}, answers=("*",))
    folder = npm_pack("thing@^2", cache=tmp_path / "cache")
    assert folder == tmp_path / "cache/npm/thing@2.1.0/node_modules/thing"
    assert not (folder / "passwords").exists()
    assert requested(registry) == ["thing@^2", "part@^1", "@s/deep@*"]
    resolver = Resolver(discover([folder]))
    found = resolver.resolve("part/inner", (folder / "index.d.ts").resolve())
    assert found
    assert resolver.file_name(found) == "part/inner.d.ts"


def test_an_untyped_package_is_fetched_with_its_typings(registry: Path, tmp_path: Path) -> None:
    publish(registry, "@a/plain", "3.2.0", {"index.js": ""}, answers=("latest",))
    publish(registry, "@types/a__plain", "3.0.1", {"index.d.ts": ""}, answers=("3",))
    found = discover(["npm:@a/plain"], fetch=lambda one: npm_pack(one, cache=tmp_path / "cache"))
    (package,) = found.packages
    assert (package.name, package.version) == ("@a/plain", "3.2.0")
    assert package.typings_for == "@types/a__plain"


def test_an_exact_version_is_fetched_once(registry: Path, tmp_path: Path) -> None:
    publish(registry, "thing", "1.0.0", {"index.d.ts": ""}, answers=("1",))
    first = npm_pack("thing@1.0.0", cache=tmp_path)
    assert npm_pack("thing@1.0.0", cache=tmp_path) == first
    assert npm_pack("thing@1", cache=tmp_path) == first
    assert requested(registry) == ["thing@1.0.0", "thing@1"]
    assert [path.name for path in (tmp_path / "npm").iterdir()] == ["thing@1.0.0"]


def test_a_missing_dependency_is_ignored(registry: Path, tmp_path: Path) -> None:
    publish(registry, "thing", "1.0.0", {"index.d.ts": 'import "part"'}, dependencies={"part": "1"})
    assert (npm_pack("thing@1.0.0", cache=tmp_path) / "index.d.ts").exists()


@pytest.mark.parametrize(
    "wanted", ["", "..", "../x", "@a/../b", "/etc", "x@../y", "x@git+ssh://h/y", "x y", "-x", "@a"]
)
def test_only_valid_package_names_are_passed_to_npm(
    registry: Path, tmp_path: Path, wanted: str
) -> None:
    with pytest.raises(SourceError, match="not the name of a published package"):
        npm_pack(wanted, cache=tmp_path)
    assert requested(registry) == []


def test_an_unknown_package_is_a_one_line_error(registry: Path, tmp_path: Path) -> None:
    with pytest.raises(FetchError, match=r"npm:gone@9: .*no package of that name is published"):
        npm_pack("gone@9", cache=tmp_path)
    assert requested(registry) == ["gone@9"]
    assert list((tmp_path / "npm").iterdir()) == []


def test_a_damaged_archive_is_an_error(registry: Path, tmp_path: Path) -> None:
    publish(registry, "thing", "1.0.0", {"index.d.ts": ""})
    (registry / "thing-1.0.0.tgz").write_bytes(b"no archive")
    with pytest.raises(FetchError, match="cannot be unpacked"):
        npm_pack("thing@1.0.0", cache=tmp_path)


def test_a_cache_that_cannot_be_written_is_an_error(registry: Path, tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file, not a folder")
    with pytest.raises(FetchError, match=r"the cache folder .* cannot be used"):
        npm_pack("thing", cache=tmp_path / "cache")
    assert requested(registry) == []


def test_a_missing_npm_is_an_error_with_advice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(NpmMissingError, match=r"Install Node\.js"):
        npm_pack("thing", cache=tmp_path)


@pytest.mark.network
def test_a_real_package(tmp_path: Path) -> None:
    found = discover(["npm:p-limit@6.0.0"], fetch=lambda one: npm_pack(one, cache=tmp_path))
    (package,) = found.packages
    assert (package.name, package.version) == ("p-limit", "6.0.0")
    assert package.entry_points[0][0] == "."
