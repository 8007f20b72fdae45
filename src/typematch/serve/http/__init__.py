"""How is a catalog served over HTTP: addresses, worker processes, security, paging?

The replies are the JSON documents that the command line prints with ``--json``.  Searching itself
is not done here: handlers call the catalog inside worker processes.
"""
