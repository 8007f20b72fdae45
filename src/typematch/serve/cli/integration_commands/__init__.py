"""Commands that connect other programs: serve (HTTP), browse, mcp (coding agents), completion.

They run servers or print scripts.  The servers themselves are in ``serve.http`` and ``serve.mcp``.
"""
