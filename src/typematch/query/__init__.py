"""The query language: how is the text of a query parsed?

``parse.parse`` returns a ``model.Query``: a signature or type (``signature``), facets, words, and
the constraints on types that an English sentence contains (``english``).  Names are not resolved
and nothing is searched here: see ``search.prepare``.
"""
