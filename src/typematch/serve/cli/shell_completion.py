"""Tell a shell how a line may go on: argcomplete reads the line, this knows the words.

The shell runs the command itself with the line in its environment (``COMP_LINE``), and takes what
is written to a descriptor of its own.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Mapping, MutableMapping, Sequence
from typing import TYPE_CHECKING

from argcomplete.completers import FilesCompleter, SuppressCompleter
from argcomplete.finders import CompletionFinder
from argcomplete.lexers import split_line

from typematch.errors import TypematchError
from typematch.serve.cli.main import VERBS

if TYPE_CHECKING:
    from typematch.catalog import Catalog

# argcomplete takes a # for the beginning of a comment, also within a word, as ids have it.
_HASH = "\x1a"


def complete_line(environment: MutableMapping[str, str]) -> list[str]:
    """Return the line's verb, to be run for its arguments; where there is none, complete it.

    In the second case this does not return.
    """
    environment["COMP_LINE"] = environment["COMP_LINE"].replace("#", _HASH)
    *_, words, _ = split_line(environment["COMP_LINE"], int(environment["COMP_POINT"]))
    verbs = [word for word in words[1:] if word in VERBS]
    if verbs:
        # What stands before the verb is left out.
        environment["_ARGCOMPLETE"] = str(words.index(verbs[0]) + 1)
        return verbs[:1]
    made = ArgumentParser(prog="typematch")
    choices = made.add_subparsers()
    for verb, what in VERBS.items():
        choices.add_parser(verb, help=what)
    _Finder()(made, always_complete_options=False)
    return []


def complete_arguments(made: ArgumentParser) -> None:
    """Write how the line may go on for a verb's parser, and end the process."""
    for action in made._actions:
        completer = _COMPLETERS.get(action.dest)
        if completer is not None:
            action.completer = completer  # type: ignore[attr-defined]
    _Finder()(made, always_complete_options=False, default_completer=SuppressCompleter())


def _queries(prefix: str, parsed_args: Namespace, **_: object) -> Sequence[str]:
    return _asked(parsed_args, prefix, lambda catalog, text: catalog.complete(text))


def _ids(prefix: str, parsed_args: Namespace, **_: object) -> Sequence[str]:
    return _asked(parsed_args, prefix, lambda catalog, text: catalog.complete_id(text))


def _packages(prefix: str, parsed_args: Namespace, **_: object) -> Sequence[str]:
    def names(catalog: Catalog, _: str) -> Sequence[str]:
        return [name for name, *_ in catalog.stats().by_package]

    return _asked(parsed_args, prefix, names)


def _sorts(prefix: str, **_: object) -> Sequence[str]:
    from typematch.sources.cleaning import SORTS

    chosen = prefix[: prefix.rfind(",") + 1]
    return [f"{chosen}{sort}" for sort in SORTS]


def _asked(
    arguments: Namespace, prefix: str, ask: Callable[[Catalog, str], Sequence[str]]
) -> Sequence[str]:
    """Return what the database knows; nothing where there is none, since nobody reads an error."""
    from typematch.serve.cli.open_catalog import open_catalog

    try:
        with open_catalog(getattr(arguments, "db", None)) as catalog:
            return [one.replace("#", _HASH) for one in ask(catalog, prefix.replace(_HASH, "#"))]
    except TypematchError:
        return ()


class _Finder(CompletionFinder):
    """Gives the ``#`` of ids back."""

    def quote_completions(
        self, completions: list[str], cword_prequote: str, last_wordbreak_pos: int | None
    ) -> list[str]:
        quoted = super().quote_completions(completions, cword_prequote, last_wordbreak_pos)
        given = [one.replace(_HASH, "#") for one in quoted]
        for one in given:
            self._display_completions.setdefault(one, "")  # zsh shows what is written beside each
        return given


_FILES = FilesCompleter()
_COMPLETERS: Mapping[str, Callable[..., Sequence[str]]] = {
    "query": _queries,
    "id": _ids,
    "package": _packages,
    "keep": _sorts,
    "paths": _FILES,
    "watch": _FILES,
    "db": _FILES,
    "file": _FILES,
    "like": _FILES,
    "declarations": _FILES,
}
