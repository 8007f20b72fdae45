"""What is stored, and which entries can be excluded without looking at their types?

``store`` has the protocols ``Store`` and ``IndexWriter``; ``sql_store`` and ``sql_writer``
implement them over a database that ``engines`` opens: a SQLite file or PostgreSQL.  Nothing here
parses a language, resolves names or decides whether types fit.
"""
