"""Which query is searched?  Parses it, resolves its names and splits it into clauses.

Also turns facets and sentences into conditions, and makes relaxed, restricted and reworded queries.
It ranks no entries.
"""
