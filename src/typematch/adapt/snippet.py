"""An adapter as a piece of code to paste: imports, then a constant."""

from __future__ import annotations

from collections.abc import Iterator

from typematch.adapt.model import Adapter
from typematch.control_characters import escape_line

_WIDTH = 100


def snippet(adapter: Adapter) -> str:
    """Return a module that declares the adapter as a constant, ending in a newline.

    With holes, the constant is a function that takes them and returns the adapter.
    """
    return "\n".join([*_lines(adapter), ""])


def _lines(adapter: Adapter) -> Iterator[str]:
    yield from (f"{statement};" for statement in adapter.imports)
    if adapter.imports:
        yield ""
    notes = list(adapter.notes)
    if adapter.undeclared:
        notes.append(f"cannot be imported: {', '.join(adapter.undeclared)}")
    # A line break in a name would end the comment.
    yield from (f"// {escape_line(note)}" for note in notes)
    if adapter.holes:
        holes = ", ".join(f"{hole.name}: {hole.type}" for hole in adapter.holes)
        head = (
            f"export const {adapter.name} = {adapter.type_parameters}({holes}): ({adapter.type}) =>"
        )
    else:
        head = f"export const {adapter.name}: {adapter.type} ="
    first, *others = adapter.code.split("\n")
    if len(head) + len(first) < _WIDTH:
        yield "\n".join([f"{head} {first}", *others]) + ";"
    else:
        yield head
        yield "\n".join(f"  {line}" for line in (first, *others)) + ";"
