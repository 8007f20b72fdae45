"""Prints errors as JSON, for commands with ``--json``."""

from __future__ import annotations

import json

from typematch.errors import SyntaxProblem, TypematchError


def print_error_document(error: TypematchError) -> None:
    """Print what failed, where, and how to fix it; ``column`` is counted from 0, null if none."""
    document = {
        "format": "typematch.error/1",
        "error": type(error).__name__,
        "what": error.what,
        "where": error.where,
        "hint": error.hint,
        "column": error.column if isinstance(error, SyntaxProblem) else None,
        "exit_code": error.exit_code,
    }
    print(json.dumps(document, ensure_ascii=False, indent=2))
