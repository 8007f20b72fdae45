"""Resolves ``exports``, ``imports`` and ``typesVersions`` to targets, without file access.

Conditions are tried in the order written, as Node and the TypeScript compiler do.  Unlike them,
every target that applies is returned, best first, so that one that does not exist falls back to
the next: for a search an entry point with typings behind an unusual condition is better than
none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

# The TypeScript version that versioned conditions are evaluated for.
TYPESCRIPT = (6, 0, 0)

_MAX_NESTING = 32  # of conditions in conditions; what is deeper is left out

Active = Callable[[str], bool]
_COMPARATOR = re.compile(
    r"(>=|<=|>|<|=|\^|~)?\s*v?(\d+|[xX*])(?:\.(\d+|[xX*]))?(?:\.(\d+|[xX*]))?[\w.+-]*"
)


def importing(condition: str) -> bool:
    """Return whether ``condition`` holds for typings imported by an ES module."""
    return condition in {"types", "import", "default"} or _versioned(condition)


def requiring(condition: str) -> bool:
    """Return whether ``condition`` holds for typings required by a CommonJS module."""
    return condition in {"types", "require", "default"} or _versioned(condition)


def anyhow(condition: str) -> bool:
    """Return True, unless ``condition`` is for another TypeScript."""
    return not condition.startswith("types@") or _versioned(condition)


def _versioned(condition: str) -> bool:
    return condition.startswith("types@") and satisfies(TYPESCRIPT, condition[len("types@") :])


def lookup(table: Mapping[str, object], subpath: str) -> tuple[object, str] | None:
    """Return the value for ``subpath`` and what ``*`` stands for in it, None if nothing matches.

    An exact key comes first, then the pattern with the longest text before its ``*``, then the
    longest.
    """
    if subpath in table and "*" not in subpath:
        return table[subpath], ""
    best: tuple[int, int, str, str] | None = None
    for key in table:
        before, star, after = key.partition("*")
        if not star or not _between(subpath, before, after):
            continue
        found = (len(before), len(key), key, subpath[len(before) : len(subpath) - len(after)])
        if best is None or found[:2] > best[:2]:
            best = found
    return None if best is None else (table[best[2]], best[3])


def _between(text: str, before: str, after: str) -> bool:
    return (
        len(text) > len(before) + len(after) - (0 if before or after else 1)
        and text.startswith(before)
        and text.endswith(after)
    )


def targets(value: object, active: Active, star: str = "") -> list[str]:
    """Return the targets whose conditions hold, best first, with ``star`` for each ``*``.

    ``null`` ends the list: what it stands for is not exported, whatever follows.
    """
    found: list[str] = []
    for target in _walk(value, active):
        if target is None:
            break
        replaced = target.replace("*", star) if star else target
        if replaced not in found:
            found.append(replaced)
    return found


def _walk(value: object, active: Active, nesting: int = 0) -> Iterator[str | None]:
    if nesting > _MAX_NESTING:
        return
    if value is None or isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from (target for target in _walk(item, active, nesting + 1) if target is not None)
    elif isinstance(value, dict):
        for condition, item in value.items():
            if active(condition):
                yield from _walk(item, active, nesting + 1)


def versioned_paths(
    types_versions: tuple[tuple[str, Mapping[str, object]], ...],
) -> Mapping[str, object] | None:
    """Return the patterns of the first range in ``typesVersions`` that holds, else None."""
    for versions, paths in types_versions:
        if satisfies(TYPESCRIPT, versions):
            return paths
    return None


def satisfies(version: tuple[int, int, int], versions: str) -> bool:
    """Return whether ``version`` lies in an npm range, ``>=4.2 <6 || ^7``; never in nonsense."""
    return any(_satisfies_all(version, part.strip()) for part in versions.split("||"))


def _satisfies_all(version: tuple[int, int, int], comparators: str) -> bool:
    if comparators in {"", "*"}:
        return True
    hyphen = re.fullmatch(r"(\S+)\s+-\s+(\S+)", comparators)
    if hyphen:
        comparators = f">={hyphen[1]} <={hyphen[2]}"
    found = list(_COMPARATOR.finditer(comparators))
    rest = _COMPARATOR.sub("", comparators).strip()
    return bool(found) and not rest and all(_holds(version, match) for match in found)


def _holds(version: tuple[int, int, int], match: re.Match[str]) -> bool:
    numbers = [int(part[:9]) for part in match.groups()[1:] if part and part.isdigit()]
    if not numbers:
        return True
    low = (*numbers, 0, 0)[:3]
    # The first version past those that the written part stands for: 5.6 means 5.6.anything.
    high = _bumped(numbers, len(numbers) - 1)
    match match[1]:
        case ">=":
            return version >= low
        case ">":
            return version >= high
        case "<=":
            return version < high
        case "<":
            return version < low
        case "^":
            first = next((i for i, number in enumerate(numbers) if number), len(numbers) - 1)
            return low <= version < _bumped(numbers, first)
        case "~":
            return low <= version < _bumped(numbers, min(1, len(numbers) - 1))
        case _:
            return low <= version < high


def _bumped(numbers: list[int], place: int) -> tuple[int, ...]:
    return (*numbers[:place], numbers[place] + 1, 0, 0)[:3]
