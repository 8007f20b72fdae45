"""Keeps a database up to date while files change: file events, git branches, index cycles.

Every cycle is a complete, idempotent ``Catalog.add``; events only trigger it.  Used by
``typematch watch``, and in a background process by the servers.
"""
