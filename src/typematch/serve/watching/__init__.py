"""Keep a catalog true to files while they change: what to look at, when, and what was done."""
