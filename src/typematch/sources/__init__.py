"""Text in, modules out: TypeScript, packages and the library of the language."""
