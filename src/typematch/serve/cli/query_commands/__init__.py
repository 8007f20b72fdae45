"""Commands that answer questions from a database: ``search``, ``show`` and others.

Also ``relate``, which compares two types without a database.
"""
