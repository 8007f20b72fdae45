"""Names of npm packages, of their typings (``@types/a__b`` types ``@a/b``), and of modules."""

from __future__ import annotations

import re
from functools import lru_cache

# The package of the standard library's declarations; it is indexed without being asked for.
LIBRARY = "lib"
# In the ``lib`` folder of ``typescript``; TypeScript 7 has it in the package of the platform.
_COMPILER_LIBRARY = re.compile(
    r"(?:.*/)?(?:typescript|@typescript/typescript-[\w-]+)/lib/lib\.(?:[\w.]+\.)?d\.ts"
)
_TYPINGS = "@types/"
_DECLARATION_FILE = re.compile(r"\.d\.([cm]?)ts\Z")
_SOURCE_SUFFIX = re.compile(r"(?:/index)?(?:\.d)?\.[jt]sx?\Z")
# The compiler imports ``x.mts`` and ``x.d.mts`` as ``x.mjs``.
_MODULE_SUFFIX = re.compile(r"(?:\.d)?\.([cm])[jt]s\Z")
_SCRIPT_SUFFIX = re.compile(r"(?:\.d)?\.[jt]sx?\Z")
# What the paths of one module in several formats differ in.
_FORMAT_FOLDER = re.compile(
    r"(?<=/)(?:browser|build|cjs|commonjs|dist|dts|es|esm|lib|mjs|module|types|umd)/"
)
_FORMAT_EXTENSION = re.compile(r"(?:\.(?:cjs|esm|min|src|umd))?(\.d)?\.[cm]?ts\Z")
_INDEX_OR_SUFFIX = re.compile(r"(?:/index)?\.[cm]?jsx?\Z")


def is_compiler_library(path: str) -> bool:
    """Return whether a file, its path separated by ``/``, is of an installed compiler's library."""
    return _COMPILER_LIBRARY.fullmatch(path) is not None


def is_library_file(file: str) -> bool:
    """Return whether a file is of the standard library: ours or an installed compiler's."""
    return file.startswith(f"{LIBRARY}/") or is_compiler_library(file)


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


def is_project_module(module: str) -> bool:
    """Return whether ``module`` is what ``project_module`` returns."""
    return module.startswith("./")


def project_module(file: str, *, with_extension: bool = False) -> str:
    """Return the module of a file of a project, from the folder of its package: ``./src/model``.

    Args:
        with_extension: name the script that the file becomes: ``./src/model.js``.
    """
    inside = file.removeprefix(f"{leading_package(file)}/")
    if with_extension:
        extension = ".jsx" if inside.endswith(".jsx") else ".js"
        inside = _SCRIPT_SUFFIX.sub(extension, inside)
    else:
        inside = _SOURCE_SUFFIX.sub("", inside)
    return f"./{_MODULE_SUFFIX.sub(lambda suffix: f'.{suffix[1]}js', inside)}"


def without_extension(module: str) -> str:
    """Return what ``project_module`` returns without its extension or ``/index.js``."""
    return _INDEX_OR_SUFFIX.sub("", module)


@lru_cache(maxsize=20_000)  # ranking asks for the paths of hundreds of entries
def without_module_format(file: str) -> str:
    """Return the path of a file without what the formats of one module differ in.

    It is the same for ``p/client.d.mts`` and ``p/client.d.ts``, for ``p/esm/x.d.ts`` and
    ``p/cjs/x.d.ts``.
    """
    return _FORMAT_EXTENSION.sub(r"\1.ts", _FORMAT_FOLDER.sub("", file))
