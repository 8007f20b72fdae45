"""Turn conditions on entries into SQL: one expression over ``entry e`` for each."""

from __future__ import annotations

from collections.abc import Callable

from typematch.index.entries.selection import (
    Between,
    Condition,
    OneOfTypes,
    Selection,
    TextCondition,
    Value,
)

FLAG_COLUMNS = {
    "async": "e.async",
    "exported": "e.exported",
    "generic": "e.generic",
    "deprecated": "e.deprecated",
    "overloaded": "(e.signatures > 1)",
    "static": "e.static",
    "generator": "e.generator",
    "inferred": "e.inferred",
}
MANY = 500  # entries in a list; so few are looked up one by one
# The signatures that an entry was written with.
_OWN = "s.entry = e.id AND NOT s.receiver"

_SIGNATURE = "signature s JOIN function f ON f.type = s.function"
_SIGNATURE_FACETS = frozenset(("arity", "returns", "param", "mentions"))

Fragment = tuple[str, list[object]]


def where(selection: Selection) -> tuple[str, list[object]]:
    """Return a condition on ``entry e`` and its values.

    What is wanted of a signature must hold of one and the same; what is not wanted, of none.
    """
    parts: list[str] = []
    values: list[object] = []
    together = [condition for condition in selection if of_signature(condition)]
    if len(together) < 2:
        together = []
    for condition in selection:
        if condition not in together:
            text, its_values = _condition(condition)
            parts.append(text)
            values += its_values
    if together:
        text, its_values = signature_meets(together)
        parts.append(f"EXISTS (SELECT 1 FROM {_SIGNATURE} WHERE {_OWN} AND {text})")
        values += its_values
    return " AND ".join(parts) or "1", values


def of_signature(condition: Condition) -> bool:
    """Whether something is wanted of a signature."""
    return condition.facet in _SIGNATURE_FACETS and not condition.negated


def signature_meets(selection: Selection) -> Fragment:
    """Return a condition on ``signature s`` with its ``function f``, and its values."""
    parts: list[str] = []
    values: list[object] = []
    for condition in selection:
        alternatives = [_of_function(condition.facet, value) for value in condition.values]
        parts.append(" OR ".join(f"({one})" for one, _ in alternatives) or "0")
        values += [value for _, its_values in alternatives for value in its_values]
    return " AND ".join(f"({part})" for part in parts) or "1", values


def _condition(condition: Condition) -> Fragment:
    alternatives = [_alternative(condition.facet, value) for value in condition.values]
    text = " OR ".join(f"({one})" for one, _ in alternatives) or "0"
    values = [value for _, its_values in alternatives for value in its_values]
    return (f"NOT ({text})" if condition.negated else f"({text})"), values


def _alternative(facet: str, value: Value) -> Fragment:
    if facet in _SIGNATURE_FACETS and facet != "arity":
        text, values = _of_function(facet, value)
        return f"EXISTS (SELECT 1 FROM {_SIGNATURE} WHERE {_OWN} AND {text})", values
    match value:
        case Between(low, high):
            return _between(low, high)
        case OneOfTypes(numbers, name):
            return _types(facet, numbers, name)
        case TextCondition(pattern):
            return _TEXTS[facet](pattern) if facet in _TEXTS else ("0", [])


def _between(low: int | None, high: int | None, of: str = "e") -> Fragment:
    """Whether a call with so many arguments is possible, of an entry or function."""
    values: list[object] = []
    parts = [f"{of}.min_arity IS NOT NULL"]
    if high is not None:
        parts.append(f"{of}.min_arity <= ?")
        values.append(high)
    if low is not None:
        parts.append(f"({of}.max_arity IS NULL OR {of}.max_arity >= ?)")
        values.append(low)
    return " AND ".join(parts), values


def _of_function(facet: str, value: Value) -> Fragment:
    """Whether ``function f`` has what is wanted of a signature."""
    parameter = "SELECT 1 FROM parameter a WHERE a.function = f.type AND"
    match facet, value:
        case "arity", Between(low, high):
            return _between(low, high, "f")
        case "returns", OneOfTypes(numbers):
            return f"f.returns IN {_listed(numbers)}", []
        case "param", OneOfTypes(numbers, name):
            named = " AND a.name GLOB ?" if name else ""
            chosen = f"EXISTS ({parameter} a.type IN {_listed(numbers)}{named})"
            return chosen, [name] if name else []
        case "param", TextCondition(pattern):
            text, values = _is_like("a.name", pattern)
            return f"EXISTS ({parameter} {text})", values
        case "mentions", TextCondition(pattern):
            text, values = _symbol(pattern)
            mention = "SELECT 1 FROM mention m JOIN symbol y ON y.id = m.symbol"
            return f"EXISTS ({mention} WHERE m.function = f.type AND {text})", values
        case _:
            return "0", []


def _listed(numbers: tuple[int, ...]) -> str:
    # Numbers, not texts: they may stand in the statement, which has a limit on its marks.
    return f"({','.join(str(int(number)) for number in numbers)})"


def _types(facet: str, numbers: tuple[int, ...], name: str) -> Fragment:
    listed = _listed(numbers)
    match facet:
        case "entry":
            # With the plus a long list is no index to go through, again for each row of a join.
            return f"{'e.id' if len(numbers) <= MANY else '+e.id'} IN {listed}", []
        case "has":
            inside = (
                f"SELECT 1 FROM property q WHERE q.type = e.type AND q.property_type IN {listed}"
            )
            if name:
                return f"EXISTS ({inside} AND q.name GLOB ?)", [name]
            return f"EXISTS ({inside})", []
        case "type":
            called = f"SELECT 1 FROM signature s WHERE {_OWN} AND s.function IN"
            return f"e.type IN {listed} OR EXISTS ({called} {listed})", []
        case _:
            return "0", []


def like(pattern: str) -> str:
    r"""Return a glob as a LIKE pattern with the escape sign ``\``; letter case does not count."""
    escaped = pattern.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    return escaped.replace("*", "%").replace("?", "_")


def _is_like(column: str, pattern: str) -> Fragment:
    return f"{column} LIKE ? ESCAPE '\\'", [like(pattern)]


def _below(column: str, pattern: str) -> Fragment:
    """A whole path, or folders at its beginning."""
    folders = like(pattern.rstrip("/"))
    return (
        f"{column} LIKE ? ESCAPE '\\' OR {column} LIKE ? ESCAPE '\\'",
        [folders, f"{folders}/%"],
    )


def _package(pattern: str) -> Fragment:
    text, values = _is_like("p.name", pattern)
    return f"e.package IN (SELECT p.id FROM package p WHERE {text})", values


def _path(pattern: str) -> Fragment:
    text, values = _below("f.name", pattern)
    return f"e.file IN (SELECT f.id FROM file f WHERE {text})", values


def _names(pattern: str) -> Fragment:
    return (
        "e.name LIKE ? ESCAPE '\\' OR e.qualified_name LIKE ? ESCAPE '\\'",
        [like(pattern), like(pattern)],
    )


def _http(pattern: str) -> Fragment:
    """A method, a path, or both."""
    text = like(pattern)
    columns = " OR ".join(["e.http LIKE ? ESCAPE '\\'"] * 3)
    return f"({columns})", [text, f"{text} %", f"% {text}"]


def _flag(pattern: str) -> Fragment:
    return FLAG_COLUMNS.get(pattern, "0"), []


def _property_name(pattern: str) -> Fragment:
    text, values = _is_like("q.name", pattern)
    return f"EXISTS (SELECT 1 FROM property q WHERE q.type = e.type AND {text})", values


def _symbol(pattern: str) -> Fragment:
    last = like(pattern)
    return (
        "(y.key LIKE ? ESCAPE '\\' OR y.key LIKE ? ESCAPE '\\' OR y.key LIKE ? ESCAPE '\\')",
        [last, f"%#{last}", f"%#%.{last}"],
    )


def _tag(pattern: str) -> Fragment:
    text, values = _is_like("t.tag", pattern)
    return f"EXISTS (SELECT 1 FROM tag t WHERE t.entry = e.id AND {text})", values


_TEXTS: dict[str, Callable[[str], Fragment]] = {
    "kind": lambda pattern: _is_like("e.kind", pattern),
    "name": _names,
    "pkg": _package,
    "path": _path,
    "module": lambda pattern: _below("e.module", pattern),
    "lang": lambda pattern: _is_like("e.source", pattern),
    "source": lambda pattern: _is_like("e.source", pattern),
    "has": _property_name,
    "http": _http,
    "service": lambda pattern: _is_like("e.service", pattern),
    "tag": _tag,
    "is": _flag,
    "visibility": lambda pattern: _is_like("e.visibility", pattern),
    "id": lambda pattern: _is_like("e.name_id", pattern),
}
