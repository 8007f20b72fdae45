"""Which declarations does a source have?  Reads TypeScript, OpenAPI and catalogs into modules.

``packages`` finds the files and resolves module specifiers; ``library`` has our declarations of the
ECMAScript globals.  Names inside a module stay unresolved: that is the work of ``program``.
"""
