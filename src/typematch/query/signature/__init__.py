"""Types and signatures in query syntax: which type is a text?

``type_expr`` is the entry point: ``read_type`` and ``read_signature`` parse TypeScript's type
syntax, with wildcards and type variables, by the grammar ``types.lark``.  ``grammar`` and ``lexer``
also serve the other two grammars.  Declarations are parsed in ``sources.typescript``.
"""
