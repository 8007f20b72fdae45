"""Names of npm packages, and of their typings: ``@types/a__b`` types ``@a/b``."""

from __future__ import annotations

import re

_TYPINGS = "@types/"
_DECLARATION_FILE = re.compile(r"\.d\.([cm]?)ts\Z")


def typings_name(name: str) -> str:
    """Return the ``@types`` package of ``name``; empty for a name in ``@types``."""
    if not name or name.startswith(_TYPINGS):
        return ""
    return _TYPINGS + name.removeprefix("@").replace("/", "__")


def typed_name(name: str) -> str:
    """Return the package of an ``@types`` name: ``@a/b`` for ``@types/a__b``; empty for others."""
    if not name.startswith(_TYPINGS):
        return ""
    scope, double, rest = name.removeprefix(_TYPINGS).partition("__")
    return f"@{scope}/{rest}" if double else scope


def imported_name(name: str) -> str:
    """Return the package that code imports: ``@a/b`` for ``@types/a__b``, else ``name``."""
    return typed_name(name) or name


def leading_package(path: str) -> str:
    """Return the package that a path or a specifier begins with: ``@a/b`` of ``@a/b/c.d.ts``."""
    parts = path.split("/")
    return "/".join(parts[:2] if path.startswith("@") else parts[:1])


def emitted_name(path: str) -> str:
    """Return the script that a declaration file describes: ``x.mjs`` for ``x.d.mts``.

    Code imports that; other paths stay as they are.
    """
    return _DECLARATION_FILE.sub(lambda suffix: f".{suffix[1]}js", path)
