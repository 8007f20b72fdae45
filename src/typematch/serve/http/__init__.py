"""How is a catalog served over HTTP: addresses, errors, security, paging?

The replies are the JSON documents that the command line prints with ``--json``.  Searching itself
is not done here: the handlers of ``serve.workers`` call the catalog.
"""
