"""Type variables of types that were built instead of parsed: single capital letters.

``type_expr`` gives capital letters their meaning while it lowers text.  The types of an English
sentence are built bottom-up and keep letters as names; these functions convert them afterwards.
"""

from __future__ import annotations

from typing import TypeVar, cast

from typematch.ir.constructors import renormalize
from typematch.ir.intern import InternedNode, rebuild
from typematch.ir.type_parts import Signature, TypeParameter
from typematch.ir.types import WILDCARD, Named, Object, Type, Var
from typematch.query.signature.type_expr import ParsedSignature

N = TypeVar("N", bound=InternedNode)


def bind_letters(call: Signature) -> ParsedSignature:
    """Return a function type with ``call``, which binds the letters in it, in order of occurrence.

    ``call`` has no type parameters.  The result is what ``read_signature`` returns for its text.
    """
    indices: dict[str, int] = {}
    bound = _with_letters(call, indices, 0)
    type_parameters = (TypeParameter(),) * len(indices)
    function = Object(
        calls=(Signature(bound.parameters, bound.returns, type_parameters, None, bound.predicate),)
    )
    return ParsedSignature(function, tuple(indices))


def letters_as_wildcards(type_: Type) -> Type:
    """Return ``type_`` with ``_`` for each letter, as ``read_type`` does."""
    return _with_letters(type_, None, 0)


def _with_letters(node: N, indices: dict[str, int] | None, depth: int) -> N:
    """Replace letters by variables ``depth`` binders further out, or by wildcards without indices.

    New letters are added to ``indices``.
    """
    match node:
        case Named((name,), (), None) if len(name) == 1 and name.isupper():
            if indices is None:
                return cast(N, WILDCARD)
            return cast(N, Var(depth, indices.setdefault(name, len(indices))))
        case _:
            rebuilt = rebuild(
                node, lambda part, crossed: _with_letters(part, indices, depth + crossed)
            )
            return cast(N, renormalize(rebuilt))
