"""How are entries, types and declarations read from the database, and by which conditions?

Rows and blobs to values and back, lookup by name, and SQL for selections of entries.  Which entries
may fit a query's types is decided in ``index.masks``.
"""
