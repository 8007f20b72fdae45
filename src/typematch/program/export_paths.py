"""Say where a declaration is found, and how one imports it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal as OneOf

Form = OneOf["named", "default", "equals", "global", "internal"]


@dataclass(frozen=True, slots=True)
class ExportPath:
    """Where a declaration is found.

    Attributes:
        name: the qualified name, without the package; it begins with ``prefix`` and ``:`` unless
            that is empty.
        module: what stands after ``from``; empty where nothing is to be imported.
        form: how the outermost part of the name is imported.
            ``global`` needs no import: it is global, or the exporting code has no entry point.
        aliases: other qualified names.
        hides: names of members that are not found here.
        through: the key of the constant whose members are found here; empty for those of a type.
    """

    package: str
    name: str
    prefix: str = ""
    module: str = ""
    form: Form = "internal"
    aliases: tuple[str, ...] = ()
    hides: frozenset[str] = frozenset()
    through: str = ""

    @property
    def exported(self) -> bool:
        return self.form != "internal"

    def at(self, name: str) -> ExportPath:
        """Return the place of something called ``name`` that is reached the same way."""
        return ExportPath(self.package, name, self.prefix, self.module, self.form, hides=self.hides)

    def import_statement(self, name: str) -> str:
        """Return the line that brings in what is called ``name``, this place's name or a member's.

        Or nothing.
        """
        path = name.removeprefix(f"{self.prefix}:") if self.prefix else name
        outermost = path.replace("#", ".").split(".")[0]
        match self.form:
            case "named":
                return f'import {{ {outermost} }} from "{self.module}"'
            case "default":
                return f'import {_identifier(self.module)} from "{self.module}"'
            case "equals":
                member = path.removeprefix(f"{outermost}.").replace("#", ".").split(".")[0]
                whole = member == outermost or "#" in path[: len(outermost) + 1]
                itself = (
                    outermost
                    if outermost.replace("$", "_").isidentifier()
                    else _identifier(self.module)
                )
                named = itself if whole else f"{{ {member} }}"
                return f'import {named} from "{self.module}"'
            case _:
                return ""


def _identifier(module: str) -> str:
    """Return a local name for the default export of ``module``.

    ``p-limit`` is called ``pLimit``.
    """
    words = module.rpartition("/")[2].replace(".", "-").replace("_", "-").split("-")
    return words[0] + "".join(word[:1].upper() + word[1:] for word in words[1:])
