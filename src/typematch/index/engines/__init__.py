"""The database engines: one SQLite file, or a schema of a PostgreSQL server.

``engine`` says what an engine offers.  All SQL that both understand is written once, elsewhere.
"""
