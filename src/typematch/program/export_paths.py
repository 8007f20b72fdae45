"""The form of one export path: the name of a declaration in a package, and its import statement.

The paths of all declarations of a program are found by ``program.export_path_index``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal as OneOf

from typematch.ir.render import is_identifier
from typematch.ir.reserved_words import RESERVED
from typematch.package_names import (
    emitted_name,
    imported_name,
    is_project_module,
    without_extension,
)

_NOT_IN_NAME = re.compile(r"[\W_]+")
_NO_MEMBER = re.compile(r"[^.#]+")
# Names that one package gives twice are numbered.
_NUMBER = re.compile(r"~\d+\Z")
ExportForm = OneOf["named", "default", "equals", "global", "internal"]


@dataclass(frozen=True, slots=True)
class ExportPath:
    """Name of a declaration in a package, and how to import it.

    Attributes:
        name: the qualified name without the package; if ``prefix`` is not empty, it begins with
            that and ``:``.
        prefix: the subpath, or the name of an ambient module.
        module: the module specifier; of a file of a project without entry points its path in the
            folder of the package, ``./src/model``; empty if nothing is to be imported.
        form: how the first segment of the name is imported.  ``global`` is declared once
            ``module`` is imported, if there is one; ``internal`` cannot be imported.
        aliases: other qualified names.
        hidden_members: members that are not reachable by this path.
        reexports: pairs of a member and a name that a module exports it by; this path leads to no
            other member.  None if it leads to all.
        constant: key of the constant whose members this path leads to; empty for members of a type.
        declared: the declared name of a default export; empty for the other forms.
    """

    package: str
    name: str
    prefix: str = ""
    module: str = ""
    form: ExportForm = "internal"
    aliases: tuple[str, ...] = ()
    hidden_members: frozenset[str] = frozenset()
    reexports: frozenset[tuple[str, str]] | None = None
    constant: str = ""
    declared: str = ""

    def reaches(self, member: str) -> bool:
        """Return whether a member of what the path leads to is reachable by it and its own name."""
        is_listed = self.reexports is None or (member, member) in self.reexports
        return is_listed and member not in self.hidden_members

    def other_names(self, member: str) -> tuple[str, ...]:
        """Return the names other than its own by which a member is exported: ``a as b``."""
        names = (name for local, name in self.reexports or () if local == member)
        return tuple(sorted(name for name in names if name != member))

    @property
    def exported(self) -> bool:
        return self.form != "internal"

    @property
    def is_main(self) -> bool:
        """Whether it is what the package is named after: ``default``, ``export =``, its name.

        Or the last words of its name: ``stringify`` of ``csv-stringify``.
        """
        if not self.exported or self.prefix or not _NO_MEMBER.fullmatch(self.name):
            return False
        words = self.package.rpartition("/")[2].split("-")
        endings = {_letters("".join(words[first:])) for first in range(len(words))}
        is_whole_module = self.form in ("default", "equals") and not is_project_module(self.module)
        return is_whole_module or _letters(self.name) in endings

    @property
    def is_named_default(self) -> bool:
        """Whether it is the default export of a declaration that has a name."""
        return is_identifier(self.declared) and self.declared != "default"

    def with_name(self, name: str) -> ExportPath:
        """Return the path of another name that is imported in the same form."""
        return ExportPath(
            self.package,
            name,
            self.prefix,
            self.module,
            self.form,
            hidden_members=self.hidden_members,
            reexports=self.reexports,
            declared=self.declared,
        )

    def import_statement(self, name: str) -> str:
        """Return the import statement for ``name``: this path's own name, or a member's.

        Empty if nothing is to be imported.
        """
        module = import_specifier(self.module)
        path = name.removeprefix(f"{self.prefix}:") if self.prefix else name
        outermost = _NUMBER.sub("", path.replace("#", ".").split(".")[0])
        match self.form:
            case "named":
                return f'import {{ {_specifier(outermost)} }} from "{module}"'
            case "default":
                return f'import {self._default_import_name(module)} from "{module}"'
            case "equals":
                member = path.removeprefix(f"{outermost}.").replace("#", ".").split(".")[0]
                imports_module = member == outermost or "#" in path[: len(outermost) + 1]
                local_name = outermost if is_identifier(outermost) else _identifier(module)
                imported = (
                    _local_name(local_name) if imports_module else f"{{ {_specifier(member)} }}"
                )
                return f'import {imported} from "{module}"'
            case "global" if self.module:
                return f'import "{module}"'
            case _:
                return ""

    def _default_import_name(self, module: str) -> str:
        """Return the local name of a default import: ``Link``, as declared, for ``next/link``.

        What a file of the project exports keeps its declared name, whatever the name of the file.
        """
        name = _identifier(module)
        same = self.is_named_default and (
            is_project_module(module) or _letters(self.declared) == _letters(name)
        )
        return _local_name(self.declared) if same else name


def import_specifier(module: str) -> str:
    """Return what code imports: ``d3-scale`` for its typings, ``x.js`` for a declaration file."""
    return emitted_name(imported_name(module))


def _identifier(module: str) -> str:
    """Return a local name for the default export of ``module``: ``pLimit`` for ``p-limit``."""
    module = without_extension(module) if is_project_module(module) else module
    words = [word for word in _NOT_IN_NAME.split(module.rpartition("/")[2]) if word]
    name = "".join((*words[:1], *(word[:1].upper() + word[1:] for word in words[1:])))
    return _local_name(name if name and not name[0].isdigit() else f"_{name}")


def _local_name(name: str) -> str:
    return f"{name}_" if name in RESERVED else name


def _specifier(name: str) -> str:
    """Return what a named import has between its braces: ``function as function_``."""
    local = _local_name(name)
    return name if local == name else f"{name} as {local}"


def _letters(name: str) -> str:
    """Return letters and digits of a name, in lower case: ``p-limit`` and ``pLimit`` agree."""
    return _NOT_IN_NAME.sub("", name).lower()
