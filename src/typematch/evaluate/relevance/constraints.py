"""Compares the type constraints extracted from query texts with labels."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, cast

from typematch.errors import TypematchError
from typematch.evaluate.corpus import Row
from typematch.evaluate.metrics import percent
from typematch.ir.constructors import renormalize
from typematch.ir.intern import InternedNode, children, rebuild
from typematch.ir.render import render
from typematch.ir.type_parts import Parameter
from typematch.ir.types import Array, Named, Type
from typematch.query.model import Flag, Glob, Query, Range, TypeValue
from typematch.query.read_as import value_text
from typematch.query.signature.type_expr import read_type

FIELDS = ("params", "returns", "arity", "async", "kind", "pkg", "is", "not")
_PREDICATE = re.compile(r"\s*(?:asserts\s+)?\w+\s+is\s+(.+)", re.DOTALL)
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def evaluate(rows: Iterable[Row], read: Callable[[Row], Query]) -> Row:
    """Return the extracted fields of each query, and the counts of right fields by style.

    Args:
        read: parses a row's query; the row's ``knows`` are the declared types.
    """
    judged = [_evaluate_query(row, read) for row in rows if row.get("constraints")]
    styles: dict[str, dict[str, int]] = {}
    for row in judged:
        counts = styles.setdefault(row["style"], {"right": 0, "wrong": 0, "missing": 0})
        for verdict in row["fields"].values():
            counts[verdict] += 1
    return {"styles": styles, "rows": judged}


def _evaluate_query(row: Row, read: Callable[[Row], Query]) -> Row:
    wanted = {key: _normalized(key, value) for key, value in row["constraints"].items()}
    error, read_as, found = "", "", {}
    try:
        query = read(row)
        found = {
            key: _normalized(key, value) for key, value in extracted_constraints(query).items()
        }
        read_as = query.read_as
    except TypematchError as problem:
        error = str(problem)
    return {
        "id": row["id"],
        "style": row["style"],
        "query": row["query"],
        "fields": {key: _verdict(wanted[key], found.get(key)) for key in FIELDS if key in wanted},
        "wanted": wanted,
        "found": found,
        "read_as": read_as,
        "error": error,
    }


def _verdict(wanted: object, found: object) -> str:
    if found is None:
        return "missing"
    return "right" if wanted == found else "wrong"


def extracted_constraints(query: Query) -> dict[str, Any]:
    """Return the type constraints of a query, in the format of the labels."""
    found = dict(_facets(query))
    sentence = query.sentence
    if query.signature is not None:
        [call] = query.signature.calls
        names = (query.variables,)
        found["params"] = [render(parameter.type, names=names) for parameter in call.parameters]
        found["returns"] = render(call.returns, names=names)
        if call.predicate is not None and call.predicate.type is not None:
            found["returns"] = f"x is {render(call.predicate.type, names=names)}"
        found["arity"] = len(call.parameters)
        if found["returns"].startswith("Promise<"):
            found["async"] = True
    if sentence is not None:
        extracted: dict[str, Any] = {
            "params": [parameter.text for parameter in sentence.parameters] or None,
            "returns": sentence.returns and sentence.returns.text,
            "arity": sentence.arity and sentence.arity.low,
            "async": sentence.asynchronous,
            "kind": sentence.kind or None,
        }
        found = {key: value for key, value in extracted.items() if value is not None} | found
    return found


def _facets(query: Query) -> Iterator[tuple[str, Any]]:
    for constraint in query.constraints:
        value = constraint.values[0]
        match constraint.key, value:
            case "is", Flag(name) if constraint.negated:
                yield "not", [name]
            case "is", Flag("async"):
                yield "async", True
            case "param", TypeValue():
                yield "params", [value_text(value)]
            case "arity", Range(low):
                yield "arity", low
            case ("returns", TypeValue()) | ("kind", Flag()) | ("pkg", Glob()):
                yield constraint.key, value_text(value)
            case _:
                pass


# -- normalised types ------------------------------------------------------------------------------


def _normalized(key: str, value: Any) -> object:
    if key == "params":
        return sorted(plain_type(item) for item in value)
    return plain_type(value) if key == "returns" else value


def plain_type(text: str) -> str:
    """Return a type's text without parameter names and readonly, its variables renamed A, B, ..."""
    predicate = _PREDICATE.match(text)
    type_ = read_type(predicate[1] if predicate else text, letters=False)
    letters: dict[str, str] = {}
    for part in _parts(type_):
        if isinstance(part, Named) and len(part.path) == 1 and re.fullmatch("[A-Z]", part.path[0]):
            letters.setdefault(part.path[0], _LETTERS[len(letters)])
    shown = render(cast(Type, _normalized_type(type_, letters)))
    return f"is {shown}" if predicate else shown


def _parts(node: InternedNode) -> Iterator[InternedNode]:
    yield node
    for child in children(node):
        yield from _parts(child)


def _normalized_type(node: InternedNode, letters: Mapping[str, str]) -> InternedNode:
    node = renormalize(rebuild(node, lambda part, _: _normalized_type(part, letters)))
    match node:
        case Parameter(_, type_, optional, rest):
            return Parameter("", type_, optional, rest)
        case Array(element, True):
            return Array(element)
        case Named(("Array" | "ReadonlyArray",), (element,)):
            return Array(element)
        case Named((name,), ()) if name in letters:
            return Named((letters[name],))
        case _:
            return node


class KnownTypes:
    """The declared types that a sentence may name; without any, capitalised words."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = {name.lower(): name for name in names}

    def type_named(self, noun: str, /) -> str | None:
        own = self._names.get(noun.lower())
        written = noun[:1].isupper() and noun.isidentifier() and not noun.isupper()
        return own or (noun if written else None)


# -- labelled sentences ----------------------------------------------------------------------------


def labelled_sentences(text: str) -> Iterator[Row]:
    """Yield the sentences of a file like ``tests/query/sentences.txt`` as labelled queries."""
    for number, block in enumerate(re.split(r"\n\s*\n", text), start=1):
        row: Row = {"id": f"own-{number}", "style": "own", "knows": []}
        labels: dict[str, Any] = {}
        for line in block.splitlines():
            if line.startswith("#") or not line.strip():
                continue
            key, _, value = line.partition(" ")
            match key, value.strip():
                case "sentence", sentence:
                    row["query"] = sentence
                case "knows", name:
                    row["knows"].append(name)
                case "param", type_:
                    labels.setdefault("params", []).append(type_)
                case "arity", bounds:
                    labels["arity"] = int(bounds.partition("..")[0])
                case "async", word:
                    labels["async"] = word == "true"
                case label, said:
                    labels[label] = said
        if "query" in row:
            yield row | {"constraints": labels}


def report(result: Mapping[str, Any], *, show: bool) -> str:
    """Return a line for each style; with ``show`` every wrong or missing field."""
    lines = [f"{'':16}{'fields':>8}{'right':>12}{'wrong':>12}{'missing':>12}"]
    for style, counts in sorted(result["styles"].items()):
        fields = sum(counts.values())
        shares = "".join(f"{percent(counts[count], fields):>12}" for count in counts)
        lines.append(f"{style:16}{fields:>8}{shares}")
    for row in result["rows"] if show else ():
        lines += _described(row)
    return "\n".join(lines)


def _described(row: Row) -> Sequence[str]:
    wrong = {key: verdict for key, verdict in row["fields"].items() if verdict != "right"}
    if not wrong:
        return ()
    lines = ["", f"{row['id']} ({row['style']})  {row['query']}"]
    lines += [
        f"  {key} {verdict}: {row['found'].get(key)}, labelled {row['wanted'][key]}"
        for key, verdict in wrong.items()
    ]
    return [*lines, f"  read as: {row['read_as'] or row['error']}"]
