"""An adapter as a piece of code to paste: imports, then a constant."""

from __future__ import annotations

from collections.abc import Iterator

from typematch.adapt.model import Adapter

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
    yield from (f"// {note}" for note in adapter.notes)
    if adapter.undeclared:
        yield f"// cannot be imported: {', '.join(adapter.undeclared)}"
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
