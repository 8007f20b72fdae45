"""Which types must type variables stand for, so that a source type matches a target?

``type_arguments`` is the entry point; ``infer_types`` collects candidates and the other modules
infer to one kind of target each.  Below ``assignability`` and without imports from it: a function
that needs assignability takes the ``Relation`` as an argument.  It never imports ``prefilter`` or
``edits``.
"""
