"""Which files of a run changed, and what must be indexed again because of that?

``run`` reads and hashes every file, binds what changed and what depends on it, and writes the
result through ``index.store.IndexWriter``.  It does not read languages (``sources``), resolve
names (``program``) or know tables (``index``).
"""
