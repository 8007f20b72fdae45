"""Which types may be assignable to a type of a query, and what does a function cost at least?

A mask states what values of a type have (as a source) or need (as a target).  Masks and arities are
compared over arrays of all functions.  What passes is a superset of what the relation accepts, and
bounds are never above a cost.  Costs and edits themselves are computed in ``match.edits``.
"""
