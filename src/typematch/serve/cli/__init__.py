"""Command line: one module per command, plus shared parsing, formatting and terminal output.

A command parses its arguments, calls ``Catalog`` or a server, and prints text or JSON.  It decides
nothing about searching: that belongs to ``search`` and ``match``.
"""
