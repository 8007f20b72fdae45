"""Semantics of a program: what names mean, what types reduce to, and what entries it exports.

``resolution`` binds names across files, ``reduction`` evaluates types, and the modules here list
the catalog entries of a file under the names that its package exports.  Types are compared in
``match``, not here.
"""
