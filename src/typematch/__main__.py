"""Runs the command line as ``python -m typematch``."""

from __future__ import annotations

import sys

from typematch.serve.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
