"""Which stored types may be assignable to a type of a query, decided by bit masks in SQL?

A mask states what values of a type have (as a source) or need (as a target); the filters compare
masks and arities, and select a superset of what the relation accepts.  Costs and edits are not
computed here (``match.edits``).
"""
