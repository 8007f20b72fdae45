"""Say which files are ours and whether we can read them.

An index is derived data: a file with another stamp is rebuilt, never migrated.
"""

from __future__ import annotations

from typematch.ir.codec import FORMAT

# "TyMa": SQLite keeps it in the file's header, where file(1) and we can see it.
APPLICATION_ID = 0x54794D61

# Raise it with every change of the tables, the masks or what their columns mean.
SCHEMA_VERSION = 11

STAMP = SCHEMA_VERSION * 1000 + FORMAT
