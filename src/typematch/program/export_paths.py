"""Names under which packages export declarations, and the import statements for them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal as OneOf

from typematch.package_names import typed_name

ExportForm = OneOf["named", "default", "equals", "global", "internal"]
# The compiler imports ``x.d.mts`` as ``x.mjs``.
_DECLARATION_FILE = re.compile(r"\.d\.([cm]?)ts\Z")


@dataclass(frozen=True, slots=True)
class ExportPath:
    """Name of a declaration in a package, and how to import it.

    Attributes:
        name: the qualified name without the package; if ``prefix`` is not empty, it begins with
            that and ``:``.
        prefix: the subpath, or the name of an ambient module.
        module: the module specifier; empty if nothing is to be imported.
        form: how the first segment of the name is imported.  ``global`` needs no import;
            ``internal`` cannot be imported.
        aliases: other qualified names.
        hidden_members: members that are not reachable by this path.
        constant: key of the constant whose members this path leads to; empty for members of a type.
    """

    package: str
    name: str
    prefix: str = ""
    module: str = ""
    form: ExportForm = "internal"
    aliases: tuple[str, ...] = ()
    hidden_members: frozenset[str] = frozenset()
    constant: str = ""

    @property
    def exported(self) -> bool:
        return self.form != "internal"

    def with_name(self, name: str) -> ExportPath:
        """Return the path of another name that is imported in the same form."""
        return ExportPath(
            self.package,
            name,
            self.prefix,
            self.module,
            self.form,
            hidden_members=self.hidden_members,
        )

    def import_statement(self, name: str) -> str:
        """Return the import statement for ``name``: this path's own name, or a member's.

        Empty if nothing is to be imported.
        """
        module = import_specifier(self.module)
        path = name.removeprefix(f"{self.prefix}:") if self.prefix else name
        outermost = path.replace("#", ".").split(".")[0]
        match self.form:
            case "named":
                return f'import {{ {outermost} }} from "{module}"'
            case "default":
                return f'import {_identifier(module)} from "{module}"'
            case "equals":
                member = path.removeprefix(f"{outermost}.").replace("#", ".").split(".")[0]
                imports_module = member == outermost or "#" in path[: len(outermost) + 1]
                local_name = (
                    outermost if outermost.replace("$", "_").isidentifier() else _identifier(module)
                )
                imported = local_name if imports_module else f"{{ {member} }}"
                return f'import {imported} from "{module}"'
            case _:
                return ""


def import_specifier(module: str) -> str:
    """Return what code imports: ``d3-scale`` for its typings, ``x.js`` for a declaration file."""
    module = typed_name(module) or module
    return _DECLARATION_FILE.sub(lambda suffix: f".{suffix[1]}js", module)


def _identifier(module: str) -> str:
    """Return a local name for the default export of ``module``: ``pLimit`` for ``p-limit``."""
    words = module.rpartition("/")[2].replace(".", "-").replace("_", "-").split("-")
    return words[0] + "".join(word[:1].upper() + word[1:] for word in words[1:])
