"""Is a type assignable to another under tsc's ``strict``, and if not, why?

``Relation`` is the entry point; the other modules hold one group of the checker's rules each, as
functions whose names end in ``_related`` and that return None or a ``Misfit``.  It calls
``inference`` for the type arguments of generic signatures and for ``infer``.  It does not know
edits or costs, and never imports ``prefilter`` or ``edits``.
"""
