"""Which calls in a row have the type of a query, where no single call has?

``compose`` (in ``compose``) is the entry point: it searches backward from the result of the query,
best first, for pipelines of two or three calls.  ``search.retrieve`` and the bounds of ``index``
supply the functions for each type, ``match`` decides each step, ``adapt`` writes the code.
"""
