"""What texts of an entry are searched, and how does a query of words find them?

Views of entries (names, documentation, types in English, enrichment) and the full-text index over
them: FTS5, or postings in PostgreSQL.
Vectors of texts are in ``index.vectors``; the English of queries is read by ``query.english``.
"""
