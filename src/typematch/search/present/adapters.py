"""Write the adapters of a page of hits."""

from __future__ import annotations

from typematch.adapt.adapter import write_adapter
from typematch.adapt.model import Adapter, MatchedCall, TypeQueries
from typematch.index.store import Store
from typematch.ir.declaration import Declaration
from typematch.ir.entry import Entry
from typematch.ir.type_parts import Signature
from typematch.ir.types import Free, Type
from typematch.match.assignability.relation import Relation
from typematch.program.reduction.bounded import expanded, single_call
from typematch.program.reduction.limits import Limits
from typematch.query.model import Query
from typematch.search.prepare.prepared_query import PreparedQuery, resolve_sentence
from typematch.search.score.type_match import TypeMatch

_LIMITS = Limits(steps=400, depth=48, expansion=32, tail=200, product=1_000)


class AdapterWriter:
    """Writes the adapters of the matches of one query.

    Args:
        variables: the names of the type parameters of the query's function types.
    """

    def __init__(self, variables: tuple[str, ...], store: Store) -> None:
        self._variables = variables
        self._scope = StoreScope(store)
        self._types = page_types(self._scope)

    def adapter(self, entry: Entry, match: TypeMatch) -> Adapter | None:
        """Return the adapter of a match; None if its edits do not say how to call the entry."""
        if match.reading is None or match.overload >= len(entry.signatures):
            return None
        call = MatchedCall(
            match.reading, self._variables, entry, match.overload, match.edits, match.assignment
        )
        return write_adapter(call, self._scope, self._types)


def adapter_writer(prepared: PreparedQuery, store: Store) -> AdapterWriter | None:
    """Return the writer for a query's signature, typed or read from a sentence; None without."""
    if prepared.signatures:
        return AdapterWriter(prepared.variables, store)
    return _sentence_writer(prepared.query, store)


def page_types(scope: StoreScope) -> TypeQueries:
    """Return the ``TypeQueries`` of one page."""
    return _PageTypes(Relation(scope, limits=_LIMITS))


def _sentence_writer(query: Query, store: Store) -> AdapterWriter | None:
    resolved = resolve_sentence(query, store)
    return None if resolved is None else AdapterWriter(resolved.variables, store)


class StoreScope:
    """The declarations of a store, and the entries under which they are exported."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._entries: dict[str, Entry | None] = {}

    def get(self, key: str, /) -> Declaration | None:
        return self._store.get(key)

    def entry_of(self, key: str, /) -> Entry | None:
        if key not in self._entries:
            number = self._store.entries_declaring((key,)).get(key)
            self._entries[key] = None if number is None else self._store.entries([number])[0]
        return self._entries[key]

    def entry_with_id(self, id_: str, /) -> Entry | None:
        number = self._store.entry_numbers((id_,)).get(id_)
        return None if number is None else self._store.entries([number])[0]


class _PageTypes:
    """Answers questions about types, each within its own limits."""

    def __init__(self, relation: Relation) -> None:
        self._relation = relation
        self._reducer = relation.reducer

    def declare(self, variable: Free, constraint: Type | None, /) -> None:
        self._reducer.constraints[variable] = constraint

    def expand(self, t: Type, /) -> Type:
        return expanded(self._reducer, t)

    def single_call(self, t: Type, /) -> Signature | None:
        return single_call(self._reducer, t)

    def is_assignable(self, source: Type, target: Type, /) -> bool:
        return bool(self._relation.assign(source, target))
