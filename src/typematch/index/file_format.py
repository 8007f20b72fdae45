"""The stamp of a database file: application id and format version.

An index is derived data: a file with another stamp is rebuilt, never migrated.
"""

from __future__ import annotations

from typematch.ir.codec import FORMAT

# "TyMa", in the header of the SQLite file, where file(1) shows it.
APPLICATION_ID = 0x54794D61

# Increase it with every change of tables, masks, or the meaning of columns.
SCHEMA_VERSION = 40

STAMP = SCHEMA_VERSION * 1000 + FORMAT
