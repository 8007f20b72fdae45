"""Finds the stored types that may fit a query, by masks over arrays, before decoding types."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter

import numpy as np

from typematch.index.engines.engine import Database
from typematch.index.entries.declaration_store import StoredDeclarations
from typematch.index.entries.selection import EVERYTHING, Selection
from typematch.index.entries.sql_conditions import like, where
from typematch.index.entries.type_store import TypeStore
from typematch.index.masks.assignment_bounds import Bounds
from typematch.index.masks.function_arrays import (
    Flags,
    FunctionArrays,
    Numbers,
    read_function_arrays,
)
from typematch.index.masks.function_bounds import function_bounds, may_be_assignable
from typematch.index.masks.query_masks import QueryMaskSet, query_masks
from typematch.index.masks.signature_columns import mentioned_names
from typematch.index.masks.type_masks import TypeMasks
from typematch.index.records import Candidate, FunctionBounds, MemberGroup, TypePosition
from typematch.ir.declaration import is_global
from typematch.ir.lift import mentioned_parameters
from typematch.ir.type_parts import TypeParameter
from typematch.ir.types import Object, Type

_BATCH = 500  # types loaded together
_MAX_BOUNDS = 4  # queries whose bounds are cached
_MAX_USING = 32  # sets of declarations whose functions are cached
_MAX_PACKAGES = 16  # packages whose functions are cached
_MAX_SHARE = 0.1  # of the functions, selected: of fewer the bounds are computed apart
_ONE_GROUP = (MemberGroup(),)
# The functions that mention a declaration, their receiver forms, and those of its own methods.
_MENTIONED = "symbol s JOIN mention m ON m.symbol = s.id"
_MENTIONING = (
    f"SELECT m.function FROM {_MENTIONED} WHERE s.key = ? UNION "
    f"SELECT -r.id FROM {_MENTIONED} JOIN receiver r ON r.method = m.function WHERE s.key = ? "
    "UNION SELECT -id FROM receiver WHERE container IN (SELECT e.type FROM symbol s "
    "JOIN fragment g ON g.symbol = s.id JOIN entry e ON e.file = g.file "
    "WHERE s.key = ? AND e.declaration = s.id AND e.kind IN ('class', 'interface'))"
)
_DECLARING = (
    "SELECT DISTINCT f.package FROM symbol s JOIN fragment g ON g.symbol = s.id "
    "JOIN file f ON f.id = g.file WHERE s.key = ?"
)
# The functions and the types that entries declare.
_FUNCTIONS = (
    "SELECT s.function FROM entry e JOIN signature s ON s.entry = e.id WHERE NOT s.receiver"
)
_TYPES = "SELECT e.type FROM entry e WHERE e.type IS NOT NULL"
# Where the types at a position are: column, table, the column of their owners, and the owners.
_POSITIONS: dict[TypePosition, tuple[str, str, str, str]] = {
    "parameter": ("type", "parameter", "function", _FUNCTIONS),
    "returns": ("returns", "function", "type", _FUNCTIONS),
    "property": ("property_type", "property", "type", _TYPES),
}


class CandidateFinder:
    """The candidate queries of ``index.store.Store``; it documents the methods."""

    def __init__(
        self, database: Database, types: TypeStore, declarations: StoredDeclarations
    ) -> None:
        self._database = database
        self._types = types
        self._declarations = declarations
        self._arrays: FunctionArrays | None = None
        self._last_masks: tuple[Object, StoredDeclarations, QueryMaskSet] | None = None
        self._last_selection: tuple[Selection, Flags] | None = None
        self._last_bounds: OrderedDict[tuple[Object, int | None], Bounds] = OrderedDict()
        self._last_using: OrderedDict[tuple[str, ...], Numbers] = OrderedDict()
        self._last_packages: OrderedDict[int, Numbers] = OrderedDict()
        self._groups: dict[int, Sequence[MemberGroup]] = {}

    def clear_cache(self) -> None:
        self._arrays = None
        self._last_masks = None
        self._last_selection = None
        self._last_bounds.clear()
        self._last_using.clear()
        self._last_packages.clear()
        self._groups.clear()

    def function_bounds(
        self, query: Object, selection: Selection = EVERYTHING, *, mismatch: int | None = None
    ) -> FunctionBounds:
        functions = self.function_arrays()
        if not selection:
            return FunctionBounds(functions.numbers, self._bounds(query, mismatch))
        selected = np.flatnonzero(functions.signatures.rows_with(self._selected(selection)))
        if (query, mismatch) in self._last_bounds or len(selected) > _MAX_SHARE * len(functions):
            bounds = self._bounds(query, mismatch)[selected]
        else:
            few = functions.take(selected)
            bounds = function_bounds(few, self._query_masks(query), mismatch=mismatch)
        return FunctionBounds(functions.numbers[selected], bounds)

    def _bounds(self, query: Object, mismatch: int | None) -> Bounds:
        """Return the bounds of all functions; those of the last few queries are cached.

        A search has several queries, and may ask for the bounds of each in several selections.
        """
        key = (query, mismatch)
        bounds = self._last_bounds.get(key)
        if bounds is None:
            masks = self._query_masks(query)
            bounds = self._last_bounds[key] = function_bounds(
                self.function_arrays(), masks, mismatch=mismatch
            )
            if len(self._last_bounds) > _MAX_BOUNDS:
                self._last_bounds.popitem(last=False)
        return bounds

    def functions_with_types_of(self, target: Object, /) -> Numbers:
        names = mentioned_names(target)
        return self._mentioning([name for name in names if "#" in name and not is_global(name)])

    def functions_using(self, keys: tuple[str, ...], /) -> Numbers:
        using = self._last_using.get(keys)
        if using is None:
            using = self._last_using[keys] = self._functions_using(keys)
            if len(self._last_using) > _MAX_USING:
                self._last_using.popitem(last=False)
        return using

    def _functions_using(self, keys: Sequence[str]) -> Numbers:
        packages = {row[0] for key in keys for row in self._database.query(_DECLARING, (key,))}
        of_packages = [self._functions_of_package(package) for package in packages]
        return np.unique(np.concatenate([*of_packages, self._mentioning(keys)]))

    def _functions_of_package(self, package: int) -> Numbers:
        """Return the functions of a package's entries; they are cached."""
        known = self._last_packages.get(package)
        if known is None:
            rows = self._database.query("SELECT e.id FROM entry e WHERE e.package = ?", (package,))
            functions = self.function_arrays()
            known = functions.numbers[functions.signatures.rows_with(self._flags(rows))]
            self._last_packages[package] = known
            if len(self._last_packages) > _MAX_PACKAGES:
                self._last_packages.popitem(last=False)
        return known

    def _mentioning(self, keys: Iterable[str]) -> Numbers:
        functions: list[int] = []
        for key in keys:
            rows = self._database.query(_MENTIONING, (key, key, key))
            functions += [row[0] for row in rows]
        return np.unique(np.array(functions, dtype=np.int64))

    def candidate(self, number: int, selection: Selection = EVERYTHING) -> Candidate:
        functions = self.function_arrays()
        signatures = functions.signatures
        row = functions.row_of(number)
        group = slice(signatures.starts[row], signatures.starts[row + 1])
        entries, ordinals = signatures.entries[group], signatures.ordinals[group]
        if selection:
            selected = self._selected(selection)[group]
            entries, ordinals = entries[selected], ordinals[selected]
        pairs = zip(entries.tolist(), ordinals.tolist(), strict=True)
        return Candidate(number, tuple(pairs), number < 0)

    def member_groups(self, number: int, /) -> Sequence[MemberGroup]:
        groups = self._groups.get(number)
        if groups is None:
            groups = self._groups[number] = self._group_members(number)
        return groups

    def _group_members(self, number: int) -> Sequence[MemberGroup]:
        function = self._types.get(number) if number > 0 else None
        if not isinstance(function, Object) or not function.loose_depth:
            return _ONE_GROUP  # a receiver form has the type parameters of its container
        entries = [entry for entry, _ in self.candidate(number).entries]
        groups: dict[tuple[TypeParameter, ...], list[int]] = {}
        for entry, key in sorted(self._declarations_of(entries).items()):
            declaration = self._declarations.get(key)
            declared = () if declaration is None else declaration.type_parameters
            groups.setdefault(mentioned_parameters(function, declared), []).append(entry)
        if len(groups) > 1:
            return [MemberGroup(outer, frozenset(group)) for outer, group in groups.items()]
        return [MemberGroup(outer) for outer in groups] or _ONE_GROUP

    def entries_within_bound(self, query: Object, ceiling: int, /) -> frozenset[int]:
        functions = self.function_arrays()
        bounds = self._bounds(query, None)
        signatures = functions.signatures
        within = (bounds <= ceiling)[signatures.rows_of_signatures()]
        return frozenset(signatures.entries[within].tolist())

    def candidate_wholes(self, query: Object, selection: Selection = EVERYTHING) -> list[Candidate]:
        masks, functions = self._query_masks(query), self.function_arrays()
        signatures = functions.signatures
        rows = signatures.rows_of_signatures()
        is_single = signatures.counts[signatures.entries] == 1
        may_fit = np.where(
            is_single,
            may_be_assignable(functions, masks.skolemized)[rows],
            may_be_assignable(functions, masks.erased, erased=True)[rows],
        )
        may_fit &= functions.numbers[rows] > 0
        if selection:
            may_fit &= self._selected(selection)
        candidates: dict[tuple[int, ...], list[tuple[int, int]]] = {}
        single = may_fit & is_single
        pairs = zip(
            functions.numbers[rows[single]].tolist(),
            signatures.entries[single].tolist(),
            strict=True,
        )
        for function, entry in pairs:
            candidates.setdefault((function,), []).append((entry, 0))
        overloaded = np.unique(signatures.entries[may_fit & ~is_single])
        for entry, overloads in self._overload_types(overloaded.tolist()):
            candidates.setdefault(overloads, []).append((entry, 0))
        return list(self._by_container(candidates))

    def _by_container(
        self, candidates: Mapping[tuple[int, ...], Sequence[tuple[int, int]]]
    ) -> Iterator[Candidate]:
        """Yield one candidate per overload set, split by class if it mentions its parameters."""
        members = {
            functions: entries
            for functions, entries in candidates.items()
            if any(self._types.get(type_id).loose_depth for type_id in functions)
        }
        container_of = self._declarations_of(
            [entry for entries in members.values() for entry, _ in entries]
        )
        for functions, entries in candidates.items():
            grouped: dict[str, list[tuple[int, int]]] = {}
            for pair in entries:
                grouped.setdefault(container_of.get(pair[0], ""), []).append(pair)
            for container, pairs in grouped.items():
                overloads = functions if len(functions) > 1 else ()
                yield Candidate(functions[0], tuple(pairs), False, overloads, container)

    def _declarations_of(self, entries: Sequence[int]) -> dict[int, str]:
        """Return the declaration key of each entry."""
        query = "SELECT e.id, y.key FROM entry e JOIN symbol y ON y.id = e.declaration WHERE e.id"
        return dict(self._database.select_in(query, entries))

    def candidate_types(self, target: Type, selection: Selection = EVERYTHING) -> list[Candidate]:
        passing = self._assignable_types(target)
        condition, values = where(selection)
        sql = (
            f"SELECT e.type, e.id FROM entry e WHERE e.type IS NOT NULL AND {condition} "
            "ORDER BY 1, 2"
        )
        grouped: dict[int, list[tuple[int, int]]] = {}
        for type_id, entry in self._database.query(sql, tuple(values)):
            if type_id in passing:
                grouped.setdefault(type_id, []).append((entry, 0))
        return [Candidate(type_id, tuple(pairs)) for type_id, pairs in grouped.items()]

    def types_at(
        self,
        position: TypePosition,
        query: Type | None = None,
        *,
        name: str = "",
        selection: Selection = EVERYTHING,
    ) -> Iterator[tuple[int, Type]]:
        sql, values = _types_at_sql(position, name, selection)
        type_ids = [row[0] for row in self._database.query(f"{sql} ORDER BY t", tuple(values))]
        if query is not None and position != "property":
            is_target = position == "parameter"
            passing = self._accepting_types(query) if is_target else self._assignable_types(query)
            type_ids = [type_id for type_id in type_ids if type_id in passing]
        for first in range(0, len(type_ids), _BATCH):
            batch = type_ids[first : first + _BATCH]
            self._types.load(batch)
            for type_id in batch:
                yield type_id, self._types.get(type_id)

    def _accepting_types(self, source: Type) -> frozenset[int]:
        """Return the types that ``source`` may be assignable to."""
        targets = self.function_arrays().targets
        accepting = targets.accepting(TypeMasks(self._declarations).source_mask(source))
        return frozenset(targets.types[accepting].tolist())

    def _assignable_types(self, target: Type) -> frozenset[int]:
        """Return the types that may be assignable to ``target``."""
        sources = self.function_arrays().sources
        assignable = sources.assignable_to(TypeMasks(self._declarations).target_mask(target))
        return frozenset(sources.types[assignable].tolist())

    def function_arrays(self) -> FunctionArrays:
        if self._arrays is None:
            self._arrays = read_function_arrays(self._database)
        return self._arrays

    def _selected(self, selection: Selection) -> Flags:
        """Return for each signature of the arrays whether its entry is in the selection."""
        if self._last_selection is None or self._last_selection[0] != selection:
            selected, values = where(selection)
            rows = self._database.query(f"SELECT e.id FROM entry e WHERE {selected}", values)
            self._last_selection = (selection, self._flags(rows))
        return self._last_selection[1]

    def _flags(self, rows: Iterable[Sequence[int]]) -> Flags:
        """Return for each signature of the arrays whether a row is the number of its entry."""
        entries = self.function_arrays().signatures.entries
        flags = np.zeros(int(entries.max(initial=0)) + 1, dtype=np.bool_)
        numbers = np.fromiter((row[0] for row in rows), dtype=np.int64)
        flags[numbers[numbers < len(flags)]] = True
        return flags[entries]

    def _query_masks(self, query: Object) -> QueryMaskSet:
        """Return the masks of a query; those of the last query are cached."""
        if self._last_masks is None or self._last_masks[:2] != (query, self._declarations):
            masks = query_masks(query, self._declarations)
            self._last_masks = (query, self._declarations, masks)
        return self._last_masks[2]

    def _overload_types(self, entries: Sequence[int]) -> Iterator[tuple[int, tuple[int, ...]]]:
        """Yield (entry, its function types in order)."""
        sql = "SELECT entry, function FROM signature WHERE NOT receiver AND entry"
        rows = self._database.select_in(sql, entries, suffix="ORDER BY entry, ordinal")
        for entry, group in groupby(rows, key=itemgetter(0)):
            yield entry, tuple(function for _, function in group)


def _types_at_sql(
    position: TypePosition, name: str, selection: Selection
) -> tuple[str, list[object]]:
    column, table, owner, owners = _POSITIONS[position]
    conditions, values = [f"{column} IS NOT NULL"], list[object]()
    if name:  # of a property
        text, names = like("name", name)
        conditions.append(f"name IN (SELECT id FROM property_name WHERE {text})")
        values += names
    if selection:
        selected, selected_values = where(selection)
        conditions.append(f"{owner} IN ({owners} AND {selected})")
        values += selected_values
    return f"SELECT DISTINCT {column} AS t FROM {table} WHERE {' AND '.join(conditions)}", values
