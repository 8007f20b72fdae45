"""Shell completion: argcomplete parses the line, this module supplies the candidates.

The shell runs ``typematch`` with the line in ``COMP_LINE`` and reads the candidates from a separate
file descriptor.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Mapping, MutableMapping, Sequence
from typing import TYPE_CHECKING

from argcomplete.completers import FilesCompleter, SuppressCompleter
from argcomplete.finders import CompletionFinder
from argcomplete.lexers import split_line

from typematch.control_characters import escape_line
from typematch.errors import TypematchError
from typematch.serve.cli.main import COMMANDS

if TYPE_CHECKING:
    from typematch.catalog import Catalog

# argcomplete reads # as the start of a comment, even inside a word; ids contain it.
_HASH_PLACEHOLDER = "\x1a"


def complete_line(environment: MutableMapping[str, str]) -> list[str]:
    """Return the line's command, to complete its arguments; without one, complete the command.

    In the second case this ends the process.
    """
    environment["COMP_LINE"] = environment["COMP_LINE"].replace("#", _HASH_PLACEHOLDER)
    *_, words, _ = split_line(environment["COMP_LINE"], int(environment["COMP_POINT"]))
    commands = [word for word in words[1:] if word in COMMANDS]
    if commands:
        # The words before the command are skipped.
        environment["_ARGCOMPLETE"] = str(words.index(commands[0]) + 1)
        return commands[:1]
    parser = ArgumentParser(prog="typematch")
    choices = parser.add_subparsers()
    for name, command in COMMANDS.items():
        choices.add_parser(name, help=command.summary)
    _Finder()(parser, always_complete_options=False)
    return []


def complete_arguments(parser: ArgumentParser) -> None:
    """Write the completions for a command's parser, and end the process."""
    for action in parser._actions:
        completer = _COMPLETERS.get(action.dest)
        if completer is not None:
            action.completer = completer  # type: ignore[attr-defined]
    _Finder()(parser, always_complete_options=False, default_completer=SuppressCompleter())


def _queries(prefix: str, parsed_args: Namespace, **_: object) -> Sequence[str]:
    return _from_catalog(parsed_args, prefix, lambda catalog, text: catalog.complete(text))


def _ids(prefix: str, parsed_args: Namespace, **_: object) -> Sequence[str]:
    return _from_catalog(parsed_args, prefix, lambda catalog, text: catalog.complete_id(text))


def _packages(prefix: str, parsed_args: Namespace, **_: object) -> Sequence[str]:
    def names(catalog: Catalog, _: str) -> Sequence[str]:
        return [name for name, *_ in catalog.stats().package_counts]

    return _from_catalog(parsed_args, prefix, names)


def _cleaners(prefix: str, **_: object) -> Sequence[str]:
    from typematch.sources.cleaning import CLEANERS

    chosen = prefix[: prefix.rfind(",") + 1]
    return [f"{chosen}{name}" for name in CLEANERS]


def _from_catalog(
    arguments: Namespace, prefix: str, complete: Callable[[Catalog, str], Sequence[str]]
) -> Sequence[str]:
    """Return completions from the database; none on errors, which a shell would not show."""
    from typematch.serve.cli.open_catalog import open_catalog

    try:
        with open_catalog(getattr(arguments, "db", None)) as catalog:
            return [
                completion.replace("#", _HASH_PLACEHOLDER)
                for completion in complete(catalog, prefix.replace(_HASH_PLACEHOLDER, "#"))
            ]
    except TypematchError:
        return ()


def _restored(completion: str) -> str:
    return completion.replace(_HASH_PLACEHOLDER, "#")


class _Finder(CompletionFinder):
    """Restores the ``#`` of ids."""

    def quote_completions(
        self, completions: list[str], cword_prequote: str, last_wordbreak_pos: int | None
    ) -> list[str]:
        # One that has to be escaped to be shown cannot be completed.
        typeable = [text for text in completions if _restored(text) == escape_line(_restored(text))]
        quoted = super().quote_completions(typeable, cword_prequote, last_wordbreak_pos)
        completed = [_restored(completion) for completion in quoted]
        for completion in completed:
            self._display_completions.setdefault(
                completion, ""
            )  # zsh shows a description beside each
        return completed


_FILES = FilesCompleter()
_COMPLETERS: Mapping[str, Callable[..., Sequence[str]]] = {
    "query": _queries,
    "id": _ids,
    "package": _packages,
    "keep": _cleaners,
    "paths": _FILES,
    "watch": _FILES,
    "db": _FILES,
    "file": _FILES,
    "like": _FILES,
    "declarations": _FILES,
}
