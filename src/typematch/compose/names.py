"""How well the name of a value fits the name of a parameter: ``Playlist.id`` and ``playlistId``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from typematch.compose import pipeline_costs
from typematch.index.text.words import singular, split_identifier

_IDENTIFIERS = frozenset(("id", "key", "uri", "name"))
# Words of names that do not say what something is.
_GENERAL = frozenset(
    ("a", "an", "all", "by", "current", "find", "for", "get", "is", "item", "list", "load", "new",
     "object", "of", "on", "paging", "read", "response", "result", "search", "simplified", "the",
     "to", "create", "add", "make", "fetch", "first", "data", "value", "api", "information")
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class DataName:
    """The words of a name, and those around it.

    Attributes:
        words: of the property, parameter or function that has the value.
        context: of the type or function that it belongs to.
    """

    words: tuple[str, ...]
    context: frozenset[str] = frozenset()


@lru_cache(maxsize=20_000)
def name_words(name: str) -> tuple[str, ...]:
    """Return the words of an identifier in the singular."""
    return tuple(singular(word) for word in split_identifier(name))


def data_name(name: str, context: Sequence[str] = ()) -> DataName:
    words = [word for text in context for word in name_words(text)]
    return DataName(name_words(name), frozenset(words))


def name_cost(source: DataName, target: DataName) -> int:
    """Return the cost of passing a value of a common type to a parameter."""
    if not source.words or not target.words or _is_letter(source) or _is_letter(target):
        return pipeline_costs.NO_NAME
    if source.words == target.words:
        return pipeline_costs.SAME_NAME
    wanted, given = frozenset(target.words), frozenset(source.words)
    if wanted <= given or given <= wanted:
        return pipeline_costs.PART_OF_NAME
    if (given & wanted) - _GENERAL:
        return pipeline_costs.SHARED_WORD
    return pipeline_costs.OTHER_NAME


def read_cost(source: DataName, target: DataName) -> int | None:
    """Return the cost of passing a property to a parameter; None if their names disagree.

    Args:
        source: the property, with what it is a property of as context.
        target: the parameter, with its function as context.
    """
    given, wanted = source.words, target.words
    if not given or not wanted:
        return None
    context = source.context - _GENERAL
    if given == wanted:
        expected = target.context - _GENERAL
        is_general = len(given) == 1 and given[0] in _IDENTIFIERS
        if not is_general:
            return pipeline_costs.SAME_NAME
        return pipeline_costs.SAME_NAME if context & expected else pipeline_costs.OTHER_OWNER
    if given[-1] == wanted[-1]:
        if len(wanted) == 1:  # `artistId` for `id`
            belongs = set(given[:-1]) & target.context
        else:  # `id` of an artist for `artistId`
            belongs = set(wanted[:-1]) & (context | set(given[:-1]))
        return pipeline_costs.PART_OF_NAME if belongs else pipeline_costs.OTHER_OWNER
    if len(given) == 1 and given[0] in _IDENTIFIERS:
        return pipeline_costs.SHARED_WORD if set(wanted) & context else pipeline_costs.OTHER_NAME
    return None


def _is_letter(name: DataName) -> bool:
    return len(name.words) == 1 and len(name.words[0]) == 1
