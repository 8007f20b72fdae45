"""How well does a candidate match?  Scorers of types and names, and rewrites of signatures.

Also the alignment of a match and its edits as text, and the implementations of an interface.  The
comparison of two types itself is in ``match``.
"""
