"""Commands that build, change or inspect a database: index, watch, remove, export, stats, doctor.

Also ``enrich`` and ``costs``, which manage Claude's descriptions and their costs.
"""
