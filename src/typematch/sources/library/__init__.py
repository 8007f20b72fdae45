"""Which globals does ECMAScript have?  Our declarations of them up to es2022, in TypeScript.

A catalog stores them as package ``lib``, unless the indexed code has TypeScript's ``lib.*.d.ts``.
``scripts/check_library.py`` compares them with TypeScript's by the compiler.
"""
