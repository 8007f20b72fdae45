"""Work out what a type has as a source and needs as a target: the masks behind the pre-filter.

The law: if ``source`` is assignable to ``target``, then ``needs(target)`` is contained in
``has(source)``.  What cannot be reduced has everything and needs nothing, so it passes.  The *soft*
masks are for the edits of search, which change the source before they ask (``match.bridges``): what
a source has there is all that it or anything it may be turned into has.
"""

from __future__ import annotations

from collections.abc import Iterator

from typematch.index.masks.memo import LIMITS
from typematch.index.masks.placeholders import closed
from typematch.index.masks.source_masks import SourceMasks
from typematch.index.masks.target_masks import TargetMasks
from typematch.ir.types import Property, Type
from typematch.program.reduction.generic import is_generic
from typematch.program.reduction.limits import LimitReached
from typematch.program.reduction.reduce import Reducer


class TypeMasks(SourceMasks, TargetMasks):
    """Computes masks against one set of declarations, and remembers them.

    Args:
        rigid: variables of the query, with their constraints; all others are open.
    """

    def properties(self, t: Type) -> Iterator[Property]:
        """Yield the properties of ``t`` with their types, so far as they are known."""
        reducer = Reducer(self._declared, limits=LIMITS)
        try:
            # What hangs on a variable is not worked out: only its constraint would answer.
            normal = reducer.normal(closed(t))
            if not is_generic(normal):
                yield from reducer.shape(normal)
        except (LimitReached, RecursionError):
            return
