"""How is a hit called?  An expression of the query's type, written from the edits of a match.

``match`` knows edits, this package knows the syntax of TypeScript.  ``write_adapter`` (in
``adapter``) is its only entry point; ``model`` has what it takes and returns.
"""
