"""What is stored, and which entries can be excluded without looking at their types?

``store`` is the seam: the protocols ``Store`` and ``IndexWriter``; ``sqlite`` implements them in
one SQLite file.  Nothing here parses a language, resolves names or decides whether types fit.
"""
