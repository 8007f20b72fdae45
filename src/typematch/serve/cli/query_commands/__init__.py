"""Commands that answer questions from a database: search, show, facets, entries, match, discover.

Also ``relate``, which compares two types without a database.
"""
