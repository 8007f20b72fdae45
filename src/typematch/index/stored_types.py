"""What ``Store`` says of declarations and function types: names, and candidates of a search."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING, Protocol

from typematch.index.entries.selection import EVERYTHING, Selection
from typematch.index.records import (
    Candidate,
    FunctionBounds,
    MemberGroup,
    ProjectPackages,
    TypePosition,
)
from typematch.ir.declaration import Declaration
from typematch.ir.types import Object, Type

if TYPE_CHECKING:
    from typematch.index.masks.function_arrays import FunctionArrays, Numbers


class StoredTypes(Protocol):
    """The part of ``Store`` about declarations and types.  ``get`` makes it a ``Declarations``."""

    def get(self, key: str, /) -> Declaration | None: ...

    # Names -----------------------------------------------------------------------------------

    def global_key(self, name: str, /) -> str | None:
        """Return ``global#name`` if that is declared (``name`` may be dotted), else None."""
        ...

    def exported_types(self, name: str, /, selection: Selection = EVERYTHING) -> tuple[str, ...]:
        """Return the keys of exported type declarations of a (dotted) name, in order of key.

        If none is exported, the keys of those that are not: signatures show them.  Only ``pkg``,
        ``path`` and ``module`` of ``selection`` count.  A namespace path from a package's entry
        point (``z.ZodType``) is a name too.
        """
        ...

    def declared_types(self, name: str, /, selection: Selection = EVERYTHING) -> tuple[str, ...]:
        """Return the keys of all type declarations of a name, exported or not, in order of key."""
        ...

    def importable_types(self, name: str, /, selection: Selection) -> tuple[str, ...]:
        """Return those of ``exported_types`` that code imports by this name.

        That is from the package itself, or as a member of the namespace that it exports.
        """
        ...

    def undeclared_names(self, name: str, /) -> tuple[str, ...]:
        """Return the names that function types mention and nothing in the store declares.

        Only ``name``, and those that end in it after a dot; in order.
        """
        ...

    def project_packages(self) -> ProjectPackages:
        """Return the projects in the store and their direct dependencies."""
        ...

    def is_language_global(self, name: str, /) -> bool:
        """Return whether ECMAScript declares a global type of this name."""
        ...

    def packages_declaring_global(self, name: str, /) -> AbstractSet[str]:
        """Return the packages whose files declare a global of this name."""
        ...

    def has_exact_signature(self, target: Object, /) -> bool:
        """Return whether a function type equals ``target`` but for names of parameters."""
        ...

    def co_occur(self, keys: Sequence[str], /) -> bool:
        """Return whether one function type mentions all these declarations (at least one key).

        Fastest with the rarest key first.
        """
        ...

    def type_named(self, noun: str, /) -> str | None:
        """Return the name of the declared type that a singular noun means: ``user`` -> ``User``.

        An exact match precedes a capitalised one, an exported type one that is not.  Without any, a
        name with capitals that types mention and nothing declares is one: ``HTMLElement``.
        """
        ...

    def similar_type_names(
        self, names: Sequence[str], /, limit: int = 3
    ) -> dict[str, tuple[str, ...]]:
        """Return for each name those of declared types spelled most like it, best first."""
        ...

    def similar_ids(self, id_or_suffix: str, /, limit: int = 3) -> tuple[str, ...]:
        """Return the ids of entries whose names are spelled most like that of ``id_or_suffix``."""
        ...

    def scope_values(self, facet: str, /) -> tuple[str, ...]:
        """Return the stored values of a facet of names (``pkg``, ``kind``, ...); () for others."""
        ...

    # Candidates ------------------------------------------------------------------------------

    def function_bounds(
        self, target: Object, selection: Selection = EVERYTHING, *, mismatch: int | None = None
    ) -> FunctionBounds:
        """Return a lower bound of the cost of every function type, receiver forms included.

        Args:
            target: a function type with one call signature.
            selection: only the types of entries that meet it.
            mismatch: the cost of a pair of types that no conversion relates; None if a function
                with such a pair does not fit.
        """
        ...

    def functions_with_types_of(self, target: Object, /) -> Numbers:
        """Return the functions that mention a type that ``target`` mentions, ascending.

        Receiver forms, which have negative numbers, mention the type of the receiver, too.  Types
        of the language, which thousands mention, do not count.
        """
        ...

    def functions_using(self, keys: tuple[str, ...], /) -> Numbers:
        """Return the functions that mention one of these declarations, ascending.

        All functions of the packages that declare them are among them, and receiver forms.
        """
        ...

    def function_arrays(self) -> FunctionArrays:
        """Return the arrays of all function types, from which their bounds are computed."""
        ...

    def candidate(self, number: int, selection: Selection = EVERYTHING) -> Candidate:
        """Return a type of ``function_bounds`` with its entries that meet ``selection``."""
        ...

    def member_groups(self, number: int, /) -> Sequence[MemberGroup]:
        """Return the groups of a function type's entries, at least one.

        Members of classes whose type parameters have different constraints are in different ones.
        """
        ...

    def entries_within_bound(self, target: Object, ceiling: int, /) -> frozenset[int]:
        """Return the entries with a function type whose lower bound is at most ``ceiling``."""
        ...

    def matching_entries(self, selection: Selection, /) -> tuple[int, ...]:
        """Return the numbers of the entries that meet ``selection``, ascending."""
        ...

    def candidate_wholes(
        self, target: Object, selection: Selection = EVERYTHING
    ) -> list[Candidate]:
        """Return the entries that may be assignable to ``target``, each with all its overloads."""
        ...

    def candidate_types(self, target: Type, selection: Selection = EVERYTHING) -> list[Candidate]:
        """Return the types named by entries that may be assignable to ``target``."""
        ...

    def types_at(
        self,
        position: TypePosition,
        target: Type | None = None,
        *,
        name: str = "",
        selection: Selection = EVERYTHING,
    ) -> Iterator[tuple[int, Type]]:
        """Yield (number, type) of the distinct types at ``position``, in order of number.

        Args:
            target: only types that may be assignable to it (``returns``) or from it
                (``parameter``); ignored for ``property``.
            name: only types of properties of that name; ignored for other positions.
            selection: only types of entries that meet it.
        """
        ...

    def type(self, number: int, /) -> Type:
        """Return the type of that number; KeyError if there is none."""
        ...

    def prefetch_types(self, numbers: Sequence[int], /) -> None:
        """Read with few statements what ``type`` may be called for next."""
        ...

    def type_text(self, number: int, /) -> str:
        """Return the type of that number as TypeScript text."""
        ...
