"""Limits of one answer."""

MAX_HITS = 200
MAX_BYTES = 1_000_000  # of the hits or pipelines, as JSON; a single one may have more
