"""Does a candidate's type match a query's type, at what cost, and why?

``assignability`` and ``inference`` are the TypeScript checker's relation, ``prefilter`` a cheap
necessary condition for it, ``edits`` the search relation on top, which allows edits at a cost.
Pure functions of types and declarations: nothing here reads the index or ranks hits.
"""
