"""Sentences of a report about what a run found."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

from typematch.index.masks.declared_members import MAX_BASES

_MAX_LISTED = 5  # files, and names of each, in a notice


def star_notices(conflicts: Sequence[tuple[str, Sequence[str]]]) -> Iterator[str]:
    """Yield a sentence on the names of ``conflicts``: (file, names)."""
    if conflicts:
        count = sum(len(names) for _, names in conflicts)
        shown = "; ".join(
            f"{file}: {', '.join(names[:_MAX_LISTED])}" for file, names in conflicts[:_MAX_LISTED]
        )
        rest = "" if count == 1 else "s"
        yield (
            f"{count:,} name{rest} exported by two `export *` of one file; the first of them "
            f"counts, as for the compiler: {shown}"
        )


def heritage_notices(keys: Sequence[str]) -> Iterator[str]:
    """Yield a sentence on declarations whose properties are not listed."""
    if keys:
        rest = "" if len(keys) == 1 else "s"
        yield (
            f"{len(keys):,} type{rest} with more than {MAX_BASES:,} heritage types, inherited ones "
            f"included, cannot be found by properties: {', '.join(keys[:_MAX_LISTED])}"
        )


def annotation_notices(
    unannotated: Iterable[tuple[str, int]], inferable: Container[str]
) -> Iterator[str]:
    """Yield a sentence on each package with types that are neither written nor inferred.

    Args:
        unannotated: (package, entries with such types).
        inferable: the packages of which the installed compiler can infer types.
    """
    for package, count in unannotated:
        if package in inferable:
            subject = "entry of {} has" if count == 1 else "entries of {} have"
            yield (
                f"{count:,} {subject.format(package)} no type for a parameter or the result; with "
                "--infer auto the project's TypeScript compiler infers them"
            )


def waiting_notices(waited: Mapping[str, float], *, is_unchanged: bool) -> Iterator[str]:
    """Yield sentences on other runs that this one waited for."""
    result = "; nothing had changed" if is_unchanged else ""
    for what, seconds in waited.items():
        yield f"waited {max(1, round(seconds))} s for another run that wrote {what}{result}"
