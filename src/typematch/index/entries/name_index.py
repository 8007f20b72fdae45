"""Find things by name: declarations for a query's types, entries by their ids."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches

from typematch.index.database import Database
from typematch.index.entries.selection import EVERYTHING, Selection
from typematch.index.entries.sql_conditions import like, where
from typematch.ir.fingerprint import spelling
from typematch.ir.types import Object

_TYPE_KINDS = "('interface', 'class', 'alias', 'enum', 'schema', 'service')"
_SCOPES = {
    "pkg": "SELECT name FROM package ORDER BY name",
    "kind": "SELECT DISTINCT kind FROM entry ORDER BY kind",
    "tag": "SELECT DISTINCT tag FROM tag ORDER BY tag",
    "module": "SELECT DISTINCT module FROM entry ORDER BY module",
    "path": "SELECT name FROM file ORDER BY name",
    "http": "SELECT DISTINCT http FROM entry WHERE http <> '' ORDER BY http",
    "lang": "SELECT DISTINCT source FROM entry ORDER BY source",
    "source": "SELECT DISTINCT source FROM entry ORDER BY source",
    "service": "SELECT DISTINCT service FROM entry WHERE service <> '' ORDER BY service",
}
_MEMBER_KINDS = "('method', 'property', 'accessor', 'constructor', 'call', 'operation')"
_LIKENESS = 0.6
_LAST_SIGN = "\U0010ffff"  # stands behind every other


class NameIndex:
    """What a store answers about names."""

    database: Database

    def global_key(self, name: str, /) -> str | None:
        key = f"global#{name}"
        query = "SELECT 1 FROM symbol s JOIN fragment g ON g.symbol = s.id WHERE s.key = ? LIMIT 1"
        return key if self.database.rows(query, (key,)) else None

    def exported(self, name: str, /, selection: Selection = EVERYTHING) -> tuple[str, ...]:
        return self._declared(name, selection, "e.exported") or self._declared(name, selection, "1")

    def declared(self, name: str, /, selection: Selection = EVERYTHING) -> tuple[str, ...]:
        return self._declared(name, selection, "1")

    def has_spelling(self, asked: Object, /) -> bool:
        query = "SELECT 1 FROM function WHERE spelling = ? LIMIT 1"
        return bool(self.database.rows(query, (spelling(asked),)))

    def are_together(self, keys: Sequence[str], /) -> bool:
        ids = [f"(SELECT id FROM symbol WHERE key = ?{place})" for place in range(1, len(keys) + 1)]
        others = "".join(
            f" AND EXISTS (SELECT 1 FROM mention WHERE symbol = {one} AND function = m.function)"
            for one in ids[1:]
        )
        query = f"SELECT 1 FROM mention m WHERE m.symbol = {ids[0]}{others} LIMIT 1"
        return bool(self.database.rows(query, keys))

    def _declared(self, name: str, selection: Selection, which: str) -> tuple[str, ...]:
        scope = [one for one in selection if one.facet in ("pkg", "path")]
        condition, values = where(scope)
        last = name.rpartition(".")[2]
        query = (
            f"SELECT DISTINCT e.declaration FROM entry e WHERE e.name = ? AND {which} "
            f"AND e.kind IN {_TYPE_KINDS} AND {condition} AND (e.qualified_name = ? "
            "OR e.qualified_name LIKE ? ESCAPE '\\' OR e.qualified_name LIKE ? ESCAPE '\\' "
            "OR EXISTS (SELECT 1 FROM alias a WHERE a.entry = e.id AND (a.qualified_name = ? "
            "OR a.qualified_name LIKE ? ESCAPE '\\')) "
            "OR e.declaration LIKE ? ESCAPE '\\') ORDER BY 1"
        )
        ends = like(name)
        names = (name, f"%.{ends}", f"%:{ends}", name, f"%.{ends}", f"%#{ends}")
        return tuple(row[0] for row in self.database.rows(query, (last, *values, *names)))

    def type_called(self, noun: str, /) -> str | None:
        whole = "".join(word[:1].upper() + word[1:] for word in noun.split())
        query = (
            f"SELECT name FROM entry WHERE name IN (?, ?) AND kind IN {_TYPE_KINDS} "
            "ORDER BY NOT exported, name <> ? LIMIT 1"
        )
        found = self.database.rows(query, (noun, whole, noun))
        return str(found[0][0]) if found else None

    def similar(self, name: str, /, limit: int = 3) -> tuple[str, ...]:
        query = f"SELECT DISTINCT name FROM entry WHERE kind IN {_TYPE_KINDS} ORDER BY name"
        names = [row[0] for row in self.database.rows(query)]
        # Letter case is the likeliest slip, so it does not count at first.
        lowered: dict[str, str] = {}
        for one in names:
            lowered.setdefault(one.lower(), one)
        close = get_close_matches(name.lower(), lowered, n=limit, cutoff=_LIKENESS)
        return tuple(lowered[one] for one in close)

    def scope_values(self, facet: str, /) -> tuple[str, ...]:
        query = _SCOPES.get(facet)
        return tuple(row[0] for row in self.database.rows(query)) if query else ()

    def find(self, id_or_suffix: str, /, limit: int = 20) -> list[str]:
        exact = self.database.rows("SELECT name_id FROM entry WHERE name_id = ?", (id_or_suffix,))
        if exact:
            return [exact[0][0]]
        # What stands before the suffix must end a word: ``chunk`` is no suffix of ``unchunk``.
        ends = like(id_or_suffix)
        patterns = [f"%{boundary}{ends}" for boundary in ("#", ".", "/", ":")]
        last = id_or_suffix.replace("#", ".").replace(":", ".").rpartition(".")[2].partition("~")[0]
        chosen = " OR ".join("name_id LIKE ? ESCAPE '\\'" for _ in patterns)
        # The name of an operation may hold any sign, so its last part tells nothing.
        narrowed = "(name = ? OR service <> '') AND " if last.isidentifier() else ""
        query = f"SELECT name_id FROM entry WHERE {narrowed}({chosen}) ORDER BY name_id LIMIT ?"
        values = [*([last] if narrowed else []), *patterns, limit]
        return [row[0] for row in self.database.rows(query, values)]

    def ids_beginning(self, text: str, /, limit: int = 20) -> list[str]:
        between = (text, text + _LAST_SIGN)
        names = (
            "SELECT name FROM entry WHERE name >= ? AND name < ? "
            "GROUP BY name HAVING count(*) = 1 ORDER BY name LIMIT ?"
        )
        ids = "SELECT name_id FROM entry WHERE name_id >= ? AND name_id < ? ORDER BY 1 LIMIT ?"
        rows = [
            row for query in (names, ids) for row in self.database.rows(query, (*between, limit))
        ]
        return list(dict.fromkeys(row[0] for row in rows))[:limit]

    def numbers(self, ids: Iterable[str], /) -> dict[str, int]:
        found: dict[str, int] = {}
        for one in ids:
            rows = self.database.rows("SELECT id FROM entry WHERE name_id = ?", (one,))
            found.update((one, row[0]) for row in rows)
        return found

    def declaring(self, keys: Iterable[str], /) -> dict[str, int]:
        asked = list(dict.fromkeys(keys))
        found: dict[str, int] = {}
        query = "SELECT declaration, id FROM entry WHERE declaration"
        # Of a member, the declaration is what it is a member of.
        then = f"AND kind NOT IN {_MEMBER_KINDS} ORDER BY exported DESC, id"
        for declaration, number in self.database.among(query, asked, then=then):
            found.setdefault(declaration, number)
        return {key: found[key] for key in asked if key in found}
