"""Data model: types and their parts, declarations, modules as read, and catalog entries.

Everything here is immutable; types are hash-consed, so identity is equality.  Name resolution and
reduction are in ``program``, comparison is in ``match``.
"""
