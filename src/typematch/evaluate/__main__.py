from __future__ import annotations

import sys

from typematch.evaluate.run import main

if __name__ == "__main__":
    sys.exit(main())
