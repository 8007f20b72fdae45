"""The costs of a pipeline beside those of its steps, in edit units.

They order pipelines: few steps first, then one package, then data that flows by its name.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from typematch.match.edit_kinds import (
    AWAITED,
    RECEIVER_FIRST,
    UNDEFINED_CHECKED,
    UNINFERRED,
    Edit,
    EditKind,
)

STEP: Final = 60  # each call after the first
PROMISE_EXPECTED: Final = 60  # the query expects a promise, and no step makes one
PROMISE_UNEXPECTED: Final = 60  # the query's result is no promise, and a step has to be awaited
OTHER_PACKAGE: Final = 40  # each package after the first; those of the language count half
LANGUAGE: Final = 25  # a function of the language itself
UNKNOWN_RESULT: Final = 80  # the index knows nothing of the result
DEPRECATED: Final = 40
NO_WORD: Final = 25  # the name of the function has none of the query's words
ANY_RESULT: Final = 500  # the last step returns any
OTHER_TYPE: Final = 25  # a result of another declared type, which is assignable
NO_INPUT: Final = 60  # a function of the language is called with nothing
WEAK_TYPE: Final = 80  # another declared type whose properties are all optional: most objects fit
COMMON: Final = 4  # a value that n functions give: times log2(n)
COMMON_MOST: Final = 40
BARE_RESULT: Final = 100  # the result is a bare type parameter: any value fits it
LITERAL: Final = 20  # an argument that is chosen from the literals of its type
OBJECT: Final = 10  # an argument that is an object of several values
NAMED_OBJECT: Final = 30  # the same for a declared type, which a call may give
ALSO_GIVEN: Final = 30  # a call for a value of a type that an argument of the query has
OPTIONAL: Final = 3  # an optional parameter or property gets a value
UNUSED: Final = 20  # estimate for an argument of the query that a partial pipeline does not use
READ: Final = 5  # each property that is read
FIRST_ELEMENT: Final = 15  # the first element of an array stands for the value

EXCLUDED: Final = 10_000

# How the names of a value and a parameter of a common type (string, number ...) agree.
SAME_NAME: Final = 0
PART_OF_NAME: Final = 8
SHARED_WORD: Final = 20
OTHER_NAME: Final = 45
NO_NAME: Final = 20
GIVEN_OTHERWISE: Final = 40  # an argument of the query under another name, at most
OTHER_OWNER: Final = 50  # an `id`, but of something else

# Edits that are worth another cost in a pipeline than in an adapter.
_EDIT_COSTS: Mapping[EditKind, int] = {
    AWAITED: 0,  # a pipeline is asynchronous if it has to be
    RECEIVER_FIRST: 0,  # methods are called on results
    UNDEFINED_CHECKED: 25,  # as for a first element
}


# A type parameter that only the expected result determines: an argument may still do so.
_UNDETERMINED = 15


def result_cost(edits: Iterable[Edit]) -> int:
    """Return the cost of the edits of a function whose arguments are not known yet."""
    return sum(
        _UNDETERMINED if edit.kind is UNINFERRED else _EDIT_COSTS.get(edit.kind, edit.cost)
        for edit in edits
    )


def edit_cost(edits: Iterable[Edit]) -> int:
    """Return the cost of the edits of a step."""
    return sum(_EDIT_COSTS.get(edit.kind, edit.cost) for edit in edits)
