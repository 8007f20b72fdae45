"""Decode search documents of another process: the inverse of ``search_document``.

A decoded entry has what a list of hits shows: no types, and the matching overload as its signature.
"""

from __future__ import annotations

import re
from dataclasses import fields
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints, is_typeddict

from typematch.adapt.model import Adapter, Hole
from typematch.ir.entry import Entry
from typematch.ir.module import Doc
from typematch.match.edit_kinds import EDIT_KINDS, Edit, EditKind
from typematch.search.llm_protocols import RelevanceJudgment
from typematch.search.present.wire_format import Document
from typematch.search.present.wire_schema import SearchDocument
from typematch.search.results import Hit, SearchResult

Value = TypeVar("Value")

_KINDS = {kind.name: kind for kind in EDIT_KINDS}


def decode_search_result(document: Document) -> SearchResult:
    """Return the result that a document of the format ``typematch.search/1`` describes.

    Raises:
        ValueError: the document does not have this format; the message names the key.
    """
    check_document(document, SearchDocument)
    hits = tuple(_hit(hit) for hit in document["hits"])
    return _copied(
        SearchResult, document, hits=hits, parts=(), query_signature=None, facets=None, stages=()
    )


def check_document(value: Any, hint: Any, path: str = "$") -> None:
    """Check a document against a type of ``wire_schema``; other keys are ignored.

    Raises:
        ValueError: a key is missing or has a value of another type.
    """
    is_nullable, types, keys, item_hint = _constraints(hint)
    if value is None and is_nullable:
        return
    if not isinstance(value, types):
        raise ValueError(f"{path} is a {type(value).__name__}, not a {types[-1].__name__}")
    for key, key_hint in keys.items():
        if key not in value:
            raise ValueError(f"{path} has no key {key!r}")
        check_document(value[key], key_hint, f"{path}.{key}")
    if item_hint is not None:
        for index, item in value.items() if isinstance(value, dict) else enumerate(value):
            check_document(item, item_hint, f"{path}[{index!r}]")


@cache
def _constraints(hint: Any) -> tuple[bool, Any, dict[str, Any], Any]:
    """Return whether null is valid, the Python types, and the types of keys or of items."""
    if get_origin(hint) is UnionType:
        [present] = (member for member in get_args(hint) if member is not NoneType)
        return (True, *_constraints(present)[1:])
    if is_typeddict(hint):
        return False, (dict,), get_type_hints(hint), None
    origin = get_origin(hint) or hint
    if origin in (list, dict):
        return False, (origin,), {}, get_args(hint)[-1]
    # A newer version may have more literals than this one knows.
    types = {float: (int, float), Literal: (str,)}.get(origin, (origin,))
    return False, types, {}, None


def _copied(value_type: type[Value], document: Document, **others: Any) -> Value:
    """Return a dataclass of ``others`` and of the keys that have the names of its fields."""
    names = {field.name for field in fields(value_type)} & document.keys()  # type: ignore[arg-type]
    values = {name: document[name] for name in names - others.keys()}
    tuples = {name: tuple(value) for name, value in values.items() if isinstance(value, list)}
    return value_type(**{**values, **tuples, **others})


def _hit(document: Document) -> Hit:
    judgment, adapter = document["judgment"], document["adapter"]
    return _copied(
        Hit,
        document,
        entry=_entry(document["entry"], document["overload"]),
        edits=tuple(_edit(edit) for edit in document["edits"]),
        alignment=(),
        judgment=_copied(RelevanceJudgment, judgment) if judgment else None,
        adapter=_adapter(adapter) if adapter else None,
    )


def _adapter(document: Document) -> Adapter:
    holes = tuple(_copied(Hole, hole) for hole in document["holes"])
    return _copied(Adapter, document, holes=holes)


def _entry(document: Document, overload: int | None) -> Entry:
    signatures = document["signatures"]
    signature = document["signature"]
    deprecation = document["deprecation"] if document["deprecated"] else None
    if overload is not None and overload < len(signatures):
        signature = signatures[overload]["text"]
        if deprecation is None:
            deprecation = signatures[overload].get("deprecation")  # absent from an older server
    doc = Doc(document["doc"], document["summary"], deprecation)
    is_documented = doc.text or doc.summary or deprecation is not None
    return _copied(
        Entry,
        document,
        signature=signature,
        signatures=(),
        doc=doc if is_documented else None,
        endpoint=None,
    )


def _edit(document: Document) -> Edit:
    kind = _KINDS.get(document["kind"])
    if kind is None:  # of a newer server: its sentence is complete
        return Edit(EditKind(document["kind"], document["cost"], "{a}"), a=document["sentence"])
    match = _sentence_pattern(kind.sentence).fullmatch(document["sentence"])
    parts = match.groupdict() if match else {"a": document["sentence"]}
    extra_units = round((document["cost"] - kind.cost) / kind.step_cost) if kind.step_cost else 0
    template = "" if match else "{a}"  # the sentence is complete
    return Edit(
        kind, document["path"], parts.get("a", ""), parts.get("b", ""), extra_units, None, template
    )


@cache
def _sentence_pattern(template: str) -> re.Pattern[str]:
    """Return the pattern of the sentences made from ``template``, with the groups a and b."""
    pattern = re.escape(template).replace(r"\{a\}", "(?P<a>.*?)").replace(r"\{b\}", "(?P<b>.*)")
    return re.compile(pattern, re.DOTALL)
