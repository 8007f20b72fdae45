"""The contents of a file as text, without the row numbers, to compare two files.

A file built from nothing and one updated after any number of edits have equal dumps.
"""

from __future__ import annotations

from typematch.index.compression import decompress
from typematch.index.engines.engine import Database
from typematch.index.entries.entry_codec import decode_fragments
from typematch.index.entries.type_store import TypeStore
from typematch.ir.codec import encode_type
from typematch.program.resolution.declaration_merging import merge_fragments

_TABLES = {
    "package": "SELECT name, version FROM package",
    "file": (
        "SELECT f.name, p.name, hex(f.content), hex(f.resolution_digest), "
        "hex(f.export_digest), hex(f.summary), "
        "f.specifiers, f.errors, f.unreadable, f.stale FROM file f "
        "JOIN package p ON p.id = f.package"
    ),
    "unresolved": ("SELECT f.name, u.specifier FROM unresolved u JOIN file f ON f.id = u.file"),
    "problem": "SELECT f.name, q.position, q.text FROM problem q JOIN file f ON f.id = q.file",
    "document": "SELECT f.name, d.tokens, d.kept FROM document d JOIN file f ON f.id = d.file",
    "removed": (
        "SELECT f.name, r.sort, r.times, r.characters FROM removed r JOIN file f ON f.id = r.file"
    ),
    "entry": (
        "SELECT e.name_id, e.raw_id, p.name, f.name, e.position, e.kind, e.name, e.qualified_name, "
        "e.module, e.line, e.min_arity, e.max_arity, e.signatures, e.visibility, y.key, "
        "e.http, e.service, e.source, hex(t.digest), "
        "e.exported, e.async, e.generator, e.fluent, e.generic, e.static, e.deprecated, "
        "e.inferred, hex(e.blob), d.summary, d.continues, d.text FROM entry e "
        "JOIN package p ON p.id = e.package JOIN file f ON f.id = e.file "
        "JOIN symbol y ON y.id = e.declaration "
        "LEFT JOIN type t ON t.id = e.type LEFT JOIN doc d ON d.entry = e.id"
    ),
    "signature": (
        "SELECT e.name_id, s.receiver, s.ordinal, hex(t.digest) FROM signature s "
        "JOIN entry e ON e.id = s.entry JOIN type t ON t.id = s.function"
    ),
    "receiver": (
        "SELECT e.name_id, s.ordinal, hex(m.digest), hex(c.digest) FROM signature s "
        "JOIN entry e ON e.id = s.entry JOIN receiver r ON r.id = -s.function "
        "JOIN type m ON m.id = r.method JOIN type c ON c.id = r.container WHERE s.receiver"
    ),
    "function": (
        "SELECT hex(t.digest), hex(r.digest), f.min_arity, f.max_arity, f.positions, f.guard, "
        "f.bounded, f.charges, f.spelling FROM function f "
        "JOIN type t ON t.id = f.type JOIN type r ON r.id = f.returns"
    ),
    "parameter": (
        "SELECT hex(t.digest), a.position, a.name, hex(y.digest), a.optional, a.rest "
        "FROM parameter a JOIN type t ON t.id = a.function JOIN type y ON y.id = a.type"
    ),
    "mention": (
        "SELECT hex(t.digest), s.key FROM mention m JOIN type t ON t.id = m.function "
        "JOIN symbol s ON s.id = m.symbol"
    ),
    "alias": "SELECT e.name_id, a.qualified_name FROM alias a JOIN entry e ON e.id = a.entry",
    "tag": "SELECT e.name_id, t.tag FROM tag t JOIN entry e ON e.id = t.entry",
    "supply": "SELECT e.name_id, s.given, s.noun FROM supply s JOIN entry e ON e.id = s.entry",
    "property": (
        "SELECT hex(t.digest), n.name, hex(y.digest), q.optional FROM property q "
        "JOIN property_name n ON n.id = q.name "
        "JOIN type t ON t.id = q.type JOIN type y ON y.id = q.property_type"
    ),
    "source_mask": (
        "SELECT hex(t.digest), m.state, m.strict0, m.strict1, m.strict2, "
        "m.converted0, m.converted1, m.converted2, m.step "
        "FROM source_mask m JOIN type t ON t.id = m.type"
    ),
    "target_mask": (
        "SELECT hex(t.digest), m.state, m.strict0, m.strict1, m.strict2, "
        "m.converted0, m.converted1, m.converted2, m.step, m.names1, m.names2 "
        "FROM target_mask m JOIN type t ON t.id = m.type"
    ),
    "pending": "SELECT s.key FROM pending JOIN symbol s ON s.id = symbol",
    "type": "SELECT hex(digest) FROM type",
    "property_name": "SELECT name FROM property_name",
    "symbol": "SELECT key FROM symbol",
    "vector": "SELECT hex(digest) FROM vector",
    "entry_vector": (
        "SELECT e.name_id, hex(v.digest) FROM entry_vector n JOIN entry e ON e.id = n.entry "
        "JOIN vector v ON v.id = n.vector"
    ),
    "package_vector": (
        "SELECT p.name, n.purpose, hex(v.digest) FROM package_vector n "
        "JOIN package p ON p.id = n.package JOIN vector v ON v.id = n.vector"
    ),
    "enrichment": "SELECT digest, model, summary, questions, interface FROM enrichment",
    "entry_enrichment": (
        "SELECT e.name_id, t.digest FROM entry_enrichment t JOIN entry e ON e.id = t.entry"
    ),
    "enrichment_vector": (
        "SELECT e.name_id, hex(v.digest) FROM enrichment_vector t JOIN entry e ON e.id = t.entry "
        "JOIN vector v ON v.id = t.vector"
    ),
    "request": "SELECT request, root FROM request",
    "reach": "SELECT r.root, f.name FROM reach r JOIN file f ON f.id = r.file",
    # A server stores its stamp as a row.
    "meta": "SELECT name, value FROM meta WHERE name NOT IN ('stamp', 'compacted')",
}


def dump(database: Database) -> list[str]:
    """Return a line for each row and declaration of one state of the file, sorted."""
    with database.errors():
        # In one transaction: another process may write meanwhile.
        database.begin_snapshot()
        try:
            lines = [
                f"{table} {tuple(int(v) if v is True or v is False else v for v in row)!r}"
                for table, query in (*_TABLES.items(), ("text", database.texts.sizes))
                for row in database.connection.execute(query)
            ]
            lines += [*_totals(database), *_declarations(database), *_unequal_encodings(database)]
        finally:
            database.end_snapshot()
    return sorted(lines)


def _totals(database: Database) -> list[str]:
    """Return the statistics from which BM25 is computed, a line for each full-text table."""
    totals = database.texts.stored_totals()
    # A table that never had a row stores no totals.
    return [f"{table} {numbers}" for table, numbers in totals.items() if any(numbers)]


def _declarations(database: Database) -> list[str]:
    rows = database.connection.execute(
        "SELECT s.key, f.name, g.blob FROM fragment g JOIN symbol s ON s.id = g.symbol "
        "JOIN file f ON f.id = g.file"
    )
    return [
        f"declaration {merge_fragments(key, decode_fragments(key, file, blob))!r}"
        for key, file, blob in rows
    ]


def _unequal_encodings(database: Database) -> list[str]:
    """Return a line for each type whose stored bytes differ from its encoding; there are none."""
    types = TypeStore(database)
    rows = database.connection.execute("SELECT id, blob FROM type").fetchall()
    return [
        f"wrong type {number}"
        for number, blob in rows
        if encode_type(types.get(number)) != decompress(blob)
    ]
