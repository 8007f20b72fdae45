"""With which changes does a function fit a query, and what do they cost?

Assigns the query's arguments to a candidate's parameters, converts what does not fit as it is, and
charges an edit for each difference; the strict relation decides whether the changed query fits.
Lower bounds order candidates before anything is inferred.  What an edit costs is in
``match.edit_kinds``.
"""
