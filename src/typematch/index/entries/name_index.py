"""Lookup by name: declarations for the types of a query, entries by id."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from difflib import get_close_matches

from typematch.index.engines.engine import Database
from typematch.index.entries.selection import EVERYTHING, Selection
from typematch.index.entries.sql_conditions import like_pattern, where
from typematch.index.records import ProjectPackages
from typematch.ir.entry import MEMBER_KINDS, TYPE_DECLARING_KINDS
from typematch.ir.fingerprint import exact_fingerprint
from typematch.ir.types import THIS, UNANNOTATED, UNREADABLE, Object
from typematch.package_names import LIBRARY, typed_name

_KINDS = ", ".join(f"'{kind}'" for kind in TYPE_DECLARING_KINDS)
_SCOPE_QUERIES = {
    "pkg": "SELECT name FROM package ORDER BY name",
    "kind": "SELECT DISTINCT kind FROM entry ORDER BY kind",
    "tag": "SELECT DISTINCT tag FROM tag ORDER BY tag",
    "module": (
        "SELECT DISTINCT module FROM entry UNION "
        # The part of an alias before its last colon.
        "SELECT rtrim(rtrim(qualified_name, replace(qualified_name, ':', '')), ':') FROM alias "
        "WHERE qualified_name LIKE '%:%' ORDER BY 1"
    ),
    "path": "SELECT name FROM file ORDER BY name",
    "http": "SELECT DISTINCT http FROM entry WHERE http <> '' ORDER BY http",
    "lang": "SELECT DISTINCT source FROM entry ORDER BY source",
    "source": "SELECT DISTINCT source FROM entry ORDER BY source",
    "service": "SELECT DISTINCT service FROM entry WHERE service <> '' ORDER BY service",
}
_DECLARING = (
    "SELECT y.key, e.id FROM symbol y JOIN entry e ON e.declaration = y.id "
    f"WHERE e.kind NOT IN ({', '.join(map(repr, MEMBER_KINDS))}) AND y.key"
)
_ALIASES = (
    "SELECT e.name_id FROM alias a JOIN entry e ON e.id = a.entry "
    "JOIN package p ON p.id = e.package"
)
# Types exported by a name whose last part is another: User of AuthUser, default of Graph.
_RENAMED = (
    "SELECT n.qualified_name, n.id FROM (SELECT a.qualified_name, e.id, e.name, e.kind "
    "FROM alias a JOIN entry e ON e.id = a.entry "
    "UNION SELECT qualified_name, id, name, kind FROM entry) n "
    f"WHERE n.kind IN ({_KINDS}) AND n.qualified_name <> n.name "
    "AND n.qualified_name NOT LIKE '%.' || n.name AND n.qualified_name NOT LIKE '%:' || n.name "
    "ORDER BY 2, 1"
)
# Exported by the entry point of a package, or a member of the namespace that it exports.
_IMPORTABLE = (
    "e.exported AND y.key NOT LIKE 'global#%' AND e.qualified_name NOT LIKE '%:%' "
    "AND e.qualified_name NOT LIKE '%.%.%'"
)
_SCOPES = ("pkg", "path", "module")
# Keys of intrinsic types, which are not undeclared names.
_INTRINSIC_KEYS = frozenset(intrinsic.name for intrinsic in (THIS, UNANNOTATED, UNREADABLE))
_NAME_SEPARATOR = re.compile(r"[#.:/]")
_MAX_LENGTH_DIFFERENCE = 3  # of similar names, in characters
_MIN_ID_SIMILARITY = 0.75
_MIN_SIMILARITY = 0.6
_LAST_CHARACTER = "\U0010ffff"  # sorts after every other


class NameIndex:
    """The names of one file."""

    def __init__(self, database: Database) -> None:
        self._database = database
        # Names of types by their lower case; None until they are read.
        self._type_names: dict[str, str] | None = None
        # Names that nothing declares by their last part; None until they are read.
        self._undeclared: dict[str, list[str]] | None = None
        # Numbers of entries by another name of their type; None until they are read.
        self._renamed: dict[str, list[int]] | None = None

    def clear_cache(self) -> None:
        self._type_names = None
        self._undeclared = None
        self._renamed = None

    def global_key(self, name: str, /) -> str | None:
        key = f"global#{name}"
        query = "SELECT 1 FROM symbol s JOIN fragment g ON g.symbol = s.id WHERE s.key = ? LIMIT 1"
        return key if self._database.query(query, (key,)) else None

    def exported_types(self, name: str, /, selection: Selection = EVERYTHING) -> tuple[str, ...]:
        return self._declared(name, selection, "e.exported") or self._declared(
            name, selection, "TRUE"
        )

    def declared_types(self, name: str, /, selection: Selection = EVERYTHING) -> tuple[str, ...]:
        return self._declared(name, selection, "TRUE")

    def importable_types(self, name: str, /, selection: Selection) -> tuple[str, ...]:
        return self._declared(name, selection, _IMPORTABLE)

    def undeclared_names(self, name: str, /) -> tuple[str, ...]:
        suffix = f".{name}"
        keys = self._undeclared_by_last_part().get(name.rpartition(".")[2], ())
        return tuple(key for key in keys if key == name or key.endswith(suffix))

    def _undeclared_by_last_part(self) -> dict[str, list[str]]:
        if self._undeclared is None:
            query = (
                "SELECT y.key FROM symbol y WHERE y.key NOT LIKE '%#%' "
                "AND EXISTS (SELECT 1 FROM mention WHERE symbol = y.id) ORDER BY y.key"
            )
            self._undeclared = {}
            for (key,) in self._database.query(query):
                if key not in _INTRINSIC_KEYS:
                    self._undeclared.setdefault(key.rpartition(".")[2], []).append(key)
        return self._undeclared

    def _renamed_types(self) -> dict[str, list[int]]:
        """Return the entries of types with an alias of another name, by the alias's last part."""
        if self._renamed is None:
            self._renamed = {}
            for alias, number in self._database.query(_RENAMED):
                last = _NAME_SEPARATOR.split(alias)[-1]
                self._renamed.setdefault(last, []).append(number)
        return self._renamed

    def project_packages(self) -> ProjectPackages:
        roots = [row[0] for row in self._database.query("SELECT DISTINCT root FROM request")]
        packages = frozenset(row[0] for row in self._database.query(_SCOPE_QUERIES["pkg"]))
        own = sorted({root.partition("#")[0] for root in roots if "#" in root})
        direct = sorted(
            name
            for root in roots
            for name in (root, typed_name(root))
            if name in packages and name not in (LIBRARY, *own)
        )
        return ProjectPackages(tuple(own), tuple(direct))

    def is_language_global(self, name: str, /) -> bool:
        query = (
            "SELECT 1 FROM symbol s JOIN fragment g ON g.symbol = s.id "
            "JOIN file f ON f.id = g.file WHERE s.key = ? "
            f"AND (f.name LIKE '{LIBRARY}/%' OR f.name LIKE '%/lib/lib.es%') LIMIT 1"
        )
        return bool(self._database.query(query, (f"global#{name}",)))

    def packages_declaring_global(self, name: str, /) -> AbstractSet[str]:
        query = (
            "SELECT DISTINCT p.name FROM symbol s JOIN fragment g ON g.symbol = s.id "
            "JOIN file f ON f.id = g.file JOIN package p ON p.id = f.package WHERE s.key = ?"
        )
        return {row[0] for row in self._database.query(query, (f"global#{name}",))}

    def has_exact_signature(self, target: Object, /) -> bool:
        query = "SELECT 1 FROM function WHERE spelling = ? LIMIT 1"
        return bool(self._database.query(query, (exact_fingerprint(target),)))

    def co_occur(self, keys: Sequence[str], /) -> bool:
        symbols = ["(SELECT id FROM symbol WHERE key = ?)" for _ in keys]
        others = "".join(
            f" AND EXISTS (SELECT 1 FROM mention WHERE symbol = {symbol} AND function = m.function)"
            for symbol in symbols[1:]
        )
        query = f"SELECT 1 FROM mention m WHERE m.symbol = {symbols[0]}{others} LIMIT 1"
        return bool(self._database.query(query, keys))

    def _declared(self, name: str, selection: Selection, exported: str) -> tuple[str, ...]:
        scope = [condition for condition in selection if condition.key in _SCOPES]
        scope_condition, values = where(scope)
        last = name.rpartition(".")[2]
        numbers = self._renamed_types().get(last)
        renamed = f" OR e.id IN ({', '.join(map(str, numbers))})" if numbers else ""
        query = (
            "SELECT DISTINCT y.key FROM entry e JOIN symbol y ON y.id = e.declaration "
            f"WHERE (e.name = ?{renamed}) AND {exported} AND e.kind IN ({_KINDS}) "
            f"AND {scope_condition} AND (e.qualified_name = ? "
            "OR e.qualified_name LIKE ? ESCAPE '\\' OR e.qualified_name LIKE ? ESCAPE '\\' "
            "OR EXISTS (SELECT 1 FROM alias a WHERE a.entry = e.id AND (a.qualified_name = ? "
            "OR a.qualified_name LIKE ? ESCAPE '\\')) "
            "OR y.key LIKE ? ESCAPE '\\') ORDER BY 1"
        )
        suffix = like_pattern(name)
        names = (name, f"%.{suffix}", f"%:{suffix}", name, f"%.{suffix}", f"%#{suffix}")
        return tuple(row[0] for row in self._database.query(query, (last, *values, *names)))

    def type_named(self, noun: str, /) -> str | None:
        whole = "".join(word[:1].upper() + word[1:] for word in noun.split())
        query = (
            f"SELECT name FROM entry WHERE name IN (?, ?) AND kind IN ({_KINDS}) "
            "ORDER BY NOT exported, name <> ? LIMIT 1"
        )
        found = self._database.query(query, (noun, whole, noun))
        if found:
            return str(found[0][0])
        is_name = noun != noun.lower()
        return noun if is_name and self.undeclared_names(noun) else None

    def similar_type_names(
        self, names: Sequence[str], /, limit: int = 3
    ) -> dict[str, tuple[str, ...]]:
        lowered = self._lowered_type_names()
        similar: dict[str, tuple[str, ...]] = {}
        for name in names:
            close = get_close_matches(name.lower(), lowered, n=limit, cutoff=_MIN_SIMILARITY)
            similar[name] = tuple(lowered[match] for match in close)
        return similar

    def _lowered_type_names(self) -> dict[str, str]:
        """Return the names of types by their lower case: case is the most common mistake."""
        if self._type_names is None:
            query = f"SELECT DISTINCT name FROM entry WHERE kind IN ({_KINDS}) ORDER BY name"
            self._type_names = {}
            for (name,) in self._database.query(query):
                self._type_names.setdefault(name.lower(), name)
        return self._type_names

    def similar_ids(self, id_or_suffix: str, /, limit: int = 3) -> tuple[str, ...]:
        *container, name = _NAME_SEPARATOR.split(id_or_suffix.lower())
        rows = self._database.query("SELECT DISTINCT lower(name) FROM entry ORDER BY 1")
        near = [known for (known,) in rows if abs(len(known) - len(name)) <= _MAX_LENGTH_DIFFERENCE]
        query = (
            "SELECT name_id FROM entry WHERE lower(name) = ? "
            "ORDER BY NOT name_id LIKE ? ESCAPE '\\', NOT exported, length(name_id) LIMIT 1"
        )
        inside = f"%{like_pattern(container[-1])}%" if container else "%"
        close = get_close_matches(name, near, n=limit, cutoff=_MIN_ID_SIMILARITY)
        return tuple(self._database.query(query, (match, inside))[0][0] for match in close)

    def scope_values(self, facet: str, /) -> tuple[str, ...]:
        query = _SCOPE_QUERIES.get(facet)
        return tuple(row[0] for row in self._database.query(query)) if query else ()

    def find(self, id_or_suffix: str, /, limit: int = 20) -> list[str]:
        exact = self._database.query("SELECT name_id FROM entry WHERE name_id = ?", (id_or_suffix,))
        if exact:
            return [exact[0][0]]
        package, separator, name = id_or_suffix.rpartition("#")
        while separator:
            query = f"{_ALIASES} WHERE a.qualified_name = ? AND p.name = ? ORDER BY 1 LIMIT ?"
            rows = self._database.query(query, (name, package, limit))
            if rows:
                return [row[0] for row in rows]
            # An instance member has a second ``#`` in its name.
            package, separator, container = package.rpartition("#")
            name = f"{container}#{name}"
        # A suffix starts at a boundary: ``chunk`` is no suffix of ``unchunk``.
        suffix = like_pattern(id_or_suffix)
        patterns = [f"%{boundary}{suffix}" for boundary in ("#", ".", "/", ":")]
        last = id_or_suffix.replace("#", ".").replace(":", ".").rpartition(".")[2].partition("~")[0]
        condition = " OR ".join("name_id LIKE ? ESCAPE '\\'" for _ in patterns)
        # The name of an operation may hold any character, so it is not narrowed by its last part.
        narrowed = "(name = ? OR service <> '') AND " if last.isidentifier() else ""
        query = f"SELECT name_id FROM entry WHERE {narrowed}({condition}) ORDER BY name_id LIMIT ?"
        values = [*([last] if narrowed else []), *patterns, limit]
        found = [row[0] for row in self._database.query(query, values)]
        return found or self._with_alias(suffix, patterns, limit)

    def _with_alias(self, name: str, patterns: Sequence[str], limit: int) -> list[str]:
        """Return the ids of entries with an alias that is ``name`` or matches a pattern."""
        condition = " OR ".join("a.qualified_name LIKE ? ESCAPE '\\'" for _ in (name, *patterns))
        query = f"{_ALIASES} WHERE {condition} GROUP BY 1 ORDER BY 1 LIMIT ?"
        return [row[0] for row in self._database.query(query, (name, *patterns, limit))]

    def ids_beginning(self, text: str, /, limit: int = 20) -> list[str]:
        bounds = (text, text + _LAST_CHARACTER)
        names = (
            "SELECT name FROM entry WHERE name >= ? AND name < ? "
            "GROUP BY name HAVING count(*) = 1 ORDER BY name LIMIT ?"
        )
        ids = "SELECT name_id FROM entry WHERE name_id >= ? AND name_id < ? ORDER BY 1 LIMIT ?"
        rows = [
            row for query in (names, ids) for row in self._database.query(query, (*bounds, limit))
        ]
        return list(dict.fromkeys(row[0] for row in rows))[:limit]

    def type_names_beginning(self, text: str, /, limit: int = 20) -> list[str]:
        query = (
            "SELECT name FROM entry JOIN symbol y ON y.id = declaration "
            f"WHERE name >= ? AND name < ? AND kind IN ({_KINDS}) GROUP BY name "
            "ORDER BY max(CASE WHEN exported THEN 1 ELSE 0 END) DESC, "
            "max(CASE WHEN y.key LIKE 'global#%' THEN 1 ELSE 0 END) DESC, "
            "length(name), name LIMIT ?"
        )
        rows = self._database.query(query, (text, text + _LAST_CHARACTER, limit))
        return [row[0] for row in rows]

    def entry_numbers(self, ids: Iterable[str], /) -> dict[str, int]:
        numbers: dict[str, int] = {}
        for entry_id in ids:
            rows = self._database.query("SELECT id FROM entry WHERE name_id = ?", (entry_id,))
            numbers.update((entry_id, row[0]) for row in rows)
        return numbers

    def entries_declaring(self, keys: Iterable[str], /) -> dict[str, int]:
        """Exported entries come first."""
        numbers: dict[str, int] = {}
        suffix = "ORDER BY e.exported DESC, e.id"
        for declaration, number in self._database.select_in(_DECLARING, keys, suffix=suffix):
            numbers.setdefault(declaration, number)
        return numbers
