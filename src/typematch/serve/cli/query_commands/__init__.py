"""Commands that answer questions from a database: search, show, adapt, compose, facets,
entries, match, discover.

Also ``relate``, which compares two types without a database.
"""
