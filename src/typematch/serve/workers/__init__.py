"""How are requests to a catalog answered within a time limit?  HTTP and MCP send them.

A pool of worker processes takes a request as the name of a handler and its arguments.  The handler
calls the catalog and returns a JSON document; an error is returned as an ``ErrorReply``.
"""
