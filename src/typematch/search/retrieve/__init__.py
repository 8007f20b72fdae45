"""Which entries are candidates?  By type, full text, vectors, for operations and for interfaces.

Each retriever returns its own ranking with scores of its own unit.  How two types compare is
decided by the scorers of ``score``; rankings are combined in ``fuse``.
"""
