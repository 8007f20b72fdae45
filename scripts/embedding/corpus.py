"""Reads the documentation of installed packages with typematch's own front end."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from typematch.errors import TypematchError
from typematch.ir.module import DeclarationStatement, Doc, Member, Overload, Scope
from typematch.sources.packages import FileSystemCache, Resolver, discover
from typematch.sources.typescript import read_module

MAX_FILES = 3_000  # of one package; only a handful are larger, and they repeat themselves
MAX_BYTES = 10_000_000
_MAX_DOC = 1_500
_MAX_TAG = 300
_MAX_SIGNATURE = 400
_BRACED = re.compile(r"^\{[^}]*\}\s*")
_PARAMETER = re.compile(r"\[?[\w$.]+\S*\]?\s*-?\s*(.*)", re.DOTALL)
_PROSE_TAGS = frozenset(("description", "desc", "summary"))


@dataclass(frozen=True, slots=True)
class Documented:
    """A declaration and its JSDoc comment; the texts are empty without a comment.

    ``kind`` is func, functype (a type or an interface that is called), ctor, prop, enumm, or as in
    ``ir.module``.  ``stem`` names the file of a thing that stands in no container.
    """

    package: str
    container: str
    name: str
    kind: str
    signature: str
    stem: str = ""
    prose: str = ""
    parameters: tuple[str, ...] = ()
    returns: str = ""


@dataclass(frozen=True, slots=True)
class _Found:
    container: str
    name: str
    kind: str
    signature: str
    doc: Doc | None


def installed(folder: Path, left_out: frozenset[str]) -> list[tuple[str, Path]]:
    """Return name and root of every package in ``folder/node_modules``, except those left out."""
    found: list[tuple[str, Path]] = []
    for path in sorted((folder / "node_modules").iterdir()):
        if path.name.startswith("@"):
            found += [(f"{path.name}/{inner.name}", inner) for inner in sorted(path.iterdir())]
        elif path.is_dir() and not path.name.startswith("."):
            found.append((path.name, path))
    return [(name, root) for name, root in found if name not in left_out]


def read_package(name: str, root: Path) -> Iterator[Documented]:
    """Yield the declarations of a package that are reachable from its entry points."""
    disk = FileSystemCache()
    try:
        found = discover([root], disk=disk)
    except TypematchError:  # no typings: nothing to learn from
        return
    resolver = Resolver(found, disk=disk)
    files = [file for package in found.packages for _, file in package.entry_points]
    files += [file for package in found.packages for file in package.files]
    if name == "typescript":  # its globals are no module, so nothing leads to them
        files += sorted((root / "lib").glob("lib.*.d.ts"))
    seen = set(files)
    inside = f"{root.resolve()}/"
    known: set[tuple[str, str, str, str]] = set()
    index = 0
    while index < min(len(files), MAX_FILES):
        file = files[index]
        index += 1
        if not file.is_file() or file.stat().st_size > MAX_BYTES:
            continue
        module = read_module(file.read_bytes(), path=str(file))
        for specifier in module.specifiers:
            target = resolver.resolve(specifier, file)
            below = str(target)[len(inside) :] if str(target).startswith(inside) else ""
            if target is not None and below and "node_modules/" not in below and target not in seen:
                seen.add(target)
                files.append(target)
        for declared in _scope("", module.scope):
            key = (
                declared.container,
                declared.name,
                declared.signature,
                declared.doc.text if declared.doc else "",
            )
            if key not in known:
                known.add(key)
                yield _documented(name, _stem(file, root), declared)


def _stem(file: Path, root: Path) -> str:
    stem = file.name.split(".")[0]
    if stem != "index":
        return stem
    return file.parent.name if file.parent != root else ""


def _documented(package: str, stem: str, found: _Found) -> Documented:
    doc = found.doc or Doc("", "")
    texts = [(tag, " ".join(_BRACED.sub("", text).split())) for tag, text in doc.tags]
    said = (_PARAMETER.match(text) for tag, text in texts if tag in {"param", "arg"})
    prose = doc.text or next((text for tag, text in doc.tags if tag in _PROSE_TAGS), "")
    return Documented(
        package=package,
        container=found.container,
        name=found.name,
        kind=found.kind,
        signature=found.signature[:_MAX_SIGNATURE],
        stem="" if found.container else stem,
        prose=prose[:_MAX_DOC],
        parameters=tuple(match[1][:_MAX_TAG] for match in said if match and match[1]),
        returns=next((text[:_MAX_TAG] for tag, text in texts if tag in {"returns", "return"}), ""),
    )


def _scope(container: str, scope: Scope) -> Iterator[_Found]:
    for declared in scope.declarations:
        if not declared.name.startswith("_"):
            yield from _declared(container, declared)
    for inner in scope.scopes:
        yield from _scope(inner.name if inner.kind == "ambient" else container, inner)


def _declared(container: str, declared: DeclarationStatement) -> Iterator[_Found]:
    path = f"{container}.{declared.name}" if container else declared.name
    if declared.kind != "namespace":
        yield _head(container, declared)
    yield from _members(path, declared.members)
    for member in declared.enum_members:
        yield _Found(path, member.name, "enumm", "", member.doc)
    if declared.body is not None:
        yield from _scope(path, declared.body)


def _head(container: str, declared: DeclarationStatement) -> _Found:
    if declared.overloads:
        kind = "functype" if declared.kind == "alias" else "func"
        doc = _first_doc(declared.overloads, declared.doc)
        return _Found(container, declared.name, kind, declared.overloads[0].text, doc)
    calls = [member for member in declared.members if member.kind == "call" and member.overloads]
    if calls:
        doc = declared.doc or _first_doc(calls[0].overloads, None)
        return _Found(container, declared.name, "functype", calls[0].overloads[0].text, doc)
    return _Found(container, declared.name, declared.kind, _gist(declared), declared.doc)


def _gist(declared: DeclarationStatement) -> str:
    """Return the text that replaces the signature of a declaration without call signatures."""
    match declared.kind:
        case "alias":
            return declared.text.partition("=")[2].strip()
        case "const":
            return declared.text.partition(":")[2].strip() or declared.text
        case "enum":
            return " ".join(["enum", *(member.name for member in declared.enum_members[:12])])
        case "class" | "interface":
            names = [
                member.name for member in declared.members[:12] if member.kind != "constructor"
            ]
            return " ".join([declared.kind, *names])
        case _:
            return declared.text


def _members(container: str, members: tuple[Member, ...]) -> Iterator[_Found]:
    for member in members:
        if member.kind == "call" or member.visibility == "private" or member.name.startswith("["):
            continue
        if member.overloads:
            kind = "ctor" if member.kind == "constructor" else "func"
            doc = _first_doc(member.overloads, member.doc)
            yield _Found(container, member.name, kind, member.overloads[0].text, doc)
        else:
            text = member.text.partition(":")[2].strip()
            yield _Found(container, member.name, "prop", text, member.doc)
            yield from _members(f"{container}.{member.name}", member.members)


def _first_doc(overloads: tuple[Overload, ...], otherwise: Doc | None) -> Doc | None:
    return next((overload.doc for overload in overloads if overload.doc is not None), otherwise)
