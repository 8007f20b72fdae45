"""``python -m typematch`` is the command line."""

from __future__ import annotations

import sys

from typematch.serve.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
