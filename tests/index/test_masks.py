"""Masks of types, computed in any order."""

from __future__ import annotations

import pytest

from typematch.index.masks.type_masks import TypeMasks
from typematch.ir.declaration import Declaration
from typematch.ir.types import STRING, Reference, Type


class _Aliases:
    """``A0`` is ``string``, each further alias an alias of the one before."""

    def __init__(self, count: int) -> None:
        bodies: list[Type] = [STRING, *(Reference(f"f#A{number}") for number in range(count - 1))]
        self._declarations = {
            f"f#A{number}": Declaration(f"f#A{number}", f"A{number}", "alias", type=body)
            for number, body in enumerate(bodies)
        }

    def get(self, key: str, /) -> Declaration | None:
        return self._declarations.get(key)


@pytest.mark.parametrize("count", [4, 11, 12, 13, 30])
def test_masks_and_dependencies_do_not_depend_on_earlier_ones(count: int) -> None:
    declarations = _Aliases(count)
    types = [Reference(f"f#A{number}") for number in range(count)]
    results = []
    for order in (types, types[::-1]):
        masks = TypeMasks(declarations)
        found = {}
        for t in order:
            masks.dependencies()
            found[t] = (masks.source_mask(t), masks.target_mask(t), masks.dependencies())
        results.append(found)
    assert results[0] == results[1]
