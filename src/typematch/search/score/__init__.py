"""How well does a candidate match?  Scorers of types and names, and rewrites of signatures.

Also the alignment of a match, its edits as text, and the interfaces that a document requires.  The
comparison of two types itself is in ``match``.
"""
