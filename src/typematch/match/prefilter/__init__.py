"""Can one type possibly be assigned to another, decided from head types without inference?

A necessary condition: it may accept pairs that the strict relation rejects, never the other way
round.  It is not part of the strict relation, which must not import it.
"""
