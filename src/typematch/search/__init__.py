"""Search: from the text of a query to a page of hits.

The steps are packages: ``prepare`` the query, ``retrieve`` candidates, ``score`` their types and
names, ``fuse`` the rankings, ``present`` the hits; ``pipeline`` runs them in this order.  Storage
is in ``index``, the comparison of two types in ``match``; the command line is in ``serve``.
"""
