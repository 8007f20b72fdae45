"""SQL for a ``Selection``: one expression over ``entry e`` for each condition."""

from __future__ import annotations

from collections.abc import Callable

from typematch.index.engines.engine import Database
from typematch.index.entries.selection import (
    Condition,
    ConditionValue,
    GlobCondition,
    InNumbers,
    RangeCondition,
    Selection,
    listed_entries,
)
from typematch.ir.entry import PROMISIFIED, TYPE_ONLY_KINDS

_TYPE_ONLY_KINDS = ", ".join(f"'{kind}'" for kind in TYPE_ONLY_KINDS)
FLAG_COLUMNS = {
    "async": "e.async",
    "exported": "e.exported",
    "generic": "e.generic",
    "deprecated": "e.deprecated",
    "overloaded": "(e.signatures > 1)",
    "static": "e.static",
    "generator": "e.generator",
    "fluent": "e.fluent",
    "inferred": "e.inferred",
    "type-only": f"(e.kind IN ({_TYPE_ONLY_KINDS}) OR e.name = '{PROMISIFIED}')",
}
MAX_INLINE_ENTRIES = 500  # entry numbers looked up one by one in an IN list
_OWN_PROPERTY = (
    "SELECT 1 FROM property q JOIN property_name n ON n.id = q.name WHERE q.type = e.type"
)

_SIGNATURE = "signature s JOIN function f ON f.type = s.function"
_SIGNATURE_KEYS = frozenset(("arity", "returns", "param", "mentions"))

SqlCondition = tuple[str, list[object]]


def where(selection: Selection) -> tuple[str, list[object]]:
    """Return a condition on ``entry e`` and the values of its parameters.

    All conditions on signatures that are not negated must hold for the same signature.
    """
    parts: list[str] = []
    values: list[object] = []
    signature_conditions = [
        condition for condition in selection if is_signature_condition(condition)
    ]
    if len(signature_conditions) < 2:
        signature_conditions = []
    for condition in selection:
        if condition not in signature_conditions:
            text, part_values = _condition(condition)
            parts.append(text)
            values += part_values
    if signature_conditions:
        text, part_values = signature_condition(signature_conditions)
        parts.append(_with_signature(text))
        values += part_values
    return " AND ".join(parts) or "TRUE", values


def _with_signature(text: str) -> str:
    """Return the condition that a signature of the entry meets ``text``, receiver forms excluded.

    The inner query does not depend on the entry: SQLite would try each function of a list for it.
    """
    return f"e.id IN (SELECT s.entry FROM {_SIGNATURE} WHERE NOT s.receiver AND {text})"


def matching_entries(database: Database, selection: Selection) -> tuple[int, ...]:
    """Return the numbers of the entries that meet ``selection``, ascending."""
    lists = []
    conditions = []
    for condition in selection:
        # SQLite would parse the thousands of numbers of a list in each statement anew.
        numbers = listed_entries((condition,))
        if numbers is None:
            conditions.append(condition)
        else:
            lists.append(frozenset(numbers))
    listed = frozenset.intersection(*lists) if lists else None
    if listed is not None and not conditions:
        return tuple(sorted(listed))
    text, values = where(conditions)
    rows = database.query(f"SELECT e.id FROM entry e WHERE {text} ORDER BY e.id", values)
    return tuple([number for (number,) in rows if listed is None or number in listed])


def is_signature_condition(condition: Condition) -> bool:
    """Whether the condition must hold for one of the entry's signatures."""
    return condition.key in _SIGNATURE_KEYS and not condition.negated


def signature_condition(selection: Selection) -> SqlCondition:
    """Return a condition on ``signature s`` with its ``function f``, and its values."""
    parts: list[str] = []
    values: list[object] = []
    for condition in selection:
        alternatives = [_function_condition(condition.key, value) for value in condition.values]
        parts.append(" OR ".join(f"({text})" for text, _ in alternatives) or "FALSE")
        values += [value for _, part_values in alternatives for value in part_values]
    return " AND ".join(f"({part})" for part in parts) or "TRUE", values


def _condition(condition: Condition) -> SqlCondition:
    alternatives = [_alternative(condition.key, value) for value in condition.values]
    text = " OR ".join(f"({text})" for text, _ in alternatives) or "FALSE"
    values = [value for _, part_values in alternatives for value in part_values]
    return (f"NOT ({text})" if condition.negated else f"({text})"), values


def _alternative(key: str, value: ConditionValue) -> SqlCondition:
    if key in _SIGNATURE_KEYS and key != "arity":
        text, values = _function_condition(key, value)
        return _with_signature(text), values
    match value:
        case RangeCondition(low, high):
            return _arity_condition(low, high)
        case InNumbers(numbers, name):
            return _type_condition(key, numbers, name)
        case GlobCondition(pattern):
            return _TEXT_CONDITIONS[key](pattern) if key in _TEXT_CONDITIONS else ("FALSE", [])


def _arity_condition(low: int | None, high: int | None, of: str = "e") -> SqlCondition:
    """A call with ``low`` to ``high`` arguments is possible; ``of``: alias of entry or function."""
    values: list[object] = []
    parts = [f"{of}.min_arity IS NOT NULL"]
    if high is not None:
        parts.append(f"{of}.min_arity <= ?")
        values.append(high)
    if low:  # max_arity is at least 0
        parts.append(f"({of}.max_arity IS NULL OR {of}.max_arity >= ?)")
        values.append(low)
    return " AND ".join(parts), values


def _function_condition(key: str, value: ConditionValue) -> SqlCondition:
    """A condition on ``function f``."""
    match key, value:
        case "arity", RangeCondition(low, high):
            return _arity_condition(low, high, "f")
        case "returns", InNumbers(numbers):
            return f"f.returns IN {_in_list(numbers)}", []
        case "param", InNumbers(numbers):
            parameter = "SELECT 1 FROM parameter a WHERE a.function = f.type"
            return f"EXISTS ({parameter} AND a.type IN {_in_list(numbers)})", []
        case "mentions", GlobCondition(pattern):
            text, values = _symbol_condition(pattern)
            mention = "SELECT m.function FROM mention m JOIN symbol y ON y.id = m.symbol"
            return f"f.type IN ({mention} WHERE {text})", values
        case _:
            return "FALSE", []


def _in_list(numbers: tuple[int, ...]) -> str:
    # Integers need no quoting, and SQLite limits the number of ? in a statement.  No row is 0.
    return f"({','.join(str(int(number)) for number in numbers) or '0'})"


def _type_condition(key: str, numbers: tuple[int, ...], name: str) -> SqlCondition:
    listed = _in_list(numbers)
    match key:
        case "entry":
            # The plus keeps SQLite from looking a long list up again for each row of a join.
            return f"{'e.id' if len(numbers) <= MAX_INLINE_ENTRIES else '+e.id'} IN {listed}", []
        case "has":
            inside = f"{_OWN_PROPERTY} AND q.property_type IN {listed}"
            if name:
                text, values = like("n.name", name)
                return f"EXISTS ({inside} AND {text})", values
            return f"EXISTS ({inside})", []
        case "type":
            return f"e.type IN {listed} OR {_with_signature(f's.function IN {listed}')}", []
        case _:
            return "FALSE", []


def like_pattern(pattern: str) -> str:
    r"""Return a glob as a LIKE pattern with escape character ``\``; ASCII case is ignored."""
    escaped = pattern.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    return escaped.replace("*", "%").replace("?", "_")


def like(column: str, pattern: str) -> SqlCondition:
    """Return the condition that the text in a column matches a glob; ASCII case is ignored."""
    return f"{column} LIKE ? ESCAPE '\\'", [like_pattern(pattern)]


def _path_prefix(column: str, pattern: str) -> SqlCondition:
    """The whole path, or leading folders of it."""
    folders = like_pattern(pattern.rstrip("/"))
    return (
        f"{column} LIKE ? ESCAPE '\\' OR {column} LIKE ? ESCAPE '\\'",
        [folders, f"{folders}/%"],
    )


def _package_condition(pattern: str) -> SqlCondition:
    text, values = like("p.name", pattern)
    return f"e.package IN (SELECT p.id FROM package p WHERE {text})", values


# The start of the names of own files (``app/``), from a root (``app#src``); the rest of a name.
# PostgreSQL may evaluate them for a root without ``#``, and refuses a negative length.
_OWN_FOLDER = "substr(r.root, 1, abs(instr(r.root, '#') - 1)) || '/'"
_IN_OWN_FOLDER = "substr(f.name, instr(r.root, '#') + 1)"


def _path_condition(pattern: str) -> SqlCondition:
    """The name of a file, or its path in the folder of the project."""
    pattern = pattern.removeprefix("./")
    text, values = _path_prefix("f.name", pattern)
    inside, inside_values = _path_prefix(_IN_OWN_FOLDER, pattern)
    own = (
        "EXISTS (SELECT 1 FROM request r WHERE instr(r.root, '#') > 1 "
        f"AND substr(f.name, 1, instr(r.root, '#')) = {_OWN_FOLDER} AND ({inside}))"
    )
    condition = f"e.file IN (SELECT f.id FROM file f WHERE {text} OR {own})"
    return condition, [*values, *inside_values]


def _module_condition(pattern: str) -> SqlCondition:
    """The specifier or its leading folders, or another module that exports it: ``node:fs``."""
    text, values = _path_prefix("e.module", pattern)
    alias = "SELECT 1 FROM alias a WHERE a.entry = e.id AND a.qualified_name LIKE ? ESCAPE '\\'"
    return f"{text} OR EXISTS ({alias})", [*values, f"{like_pattern(pattern)}:%"]


def _name_condition(pattern: str) -> SqlCondition:
    """The name, the qualified name, or those of an alias."""
    text = like_pattern(pattern)
    columns = ["e.name", "e.qualified_name"]
    own = " OR ".join(f"{column} LIKE ? ESCAPE '\\'" for column in columns)
    patterns = [text, *(f"%{separator}{text}" for separator in ".:#")]
    alias = " OR ".join(["a.qualified_name LIKE ? ESCAPE '\\'"] * len(patterns))
    condition = f"{own} OR EXISTS (SELECT 1 FROM alias a WHERE a.entry = e.id AND ({alias}))"
    return condition, [text, text, *patterns]


def _http_condition(pattern: str) -> SqlCondition:
    """``GET``, ``/users``, or ``GET /users``."""
    text = like_pattern(pattern)
    columns = " OR ".join(["e.http LIKE ? ESCAPE '\\'"] * 3)
    return f"({columns})", [text, f"{text} %", f"% {text}"]


def _flag_condition(pattern: str) -> SqlCondition:
    return FLAG_COLUMNS.get(pattern, "FALSE"), []


def _property_condition(pattern: str) -> SqlCondition:
    text, values = like("n.name", pattern)
    return f"EXISTS ({_OWN_PROPERTY} AND {text})", values


def _symbol_condition(pattern: str) -> SqlCondition:
    last = like_pattern(pattern)
    return (
        "(y.key LIKE ? ESCAPE '\\' OR y.key LIKE ? ESCAPE '\\' OR y.key LIKE ? ESCAPE '\\')",
        [last, f"%#{last}", f"%#%.{last}"],
    )


def _tag_condition(pattern: str) -> SqlCondition:
    text, values = like("t.tag", pattern)
    return f"EXISTS (SELECT 1 FROM tag t WHERE t.entry = e.id AND {text})", values


_TEXT_CONDITIONS: dict[str, Callable[[str], SqlCondition]] = {
    "kind": lambda pattern: like("e.kind", pattern),
    "name": _name_condition,
    "pkg": _package_condition,
    "path": _path_condition,
    "module": _module_condition,
    "lang": lambda pattern: like("e.source", pattern),
    "source": lambda pattern: like("e.source", pattern),
    "has": _property_condition,
    "http": _http_condition,
    "service": lambda pattern: like("e.service", pattern),
    "tag": _tag_condition,
    "is": _flag_condition,
    "id": lambda pattern: like("e.name_id", pattern),
}
