"""How are results shown: as JSON documents, snippets, declarations, facet counts, completions?

``wire_schema`` declares the documents that HTTP answers and some that only commands print,
``wire_format`` encodes them and ``result_decoder`` decodes search results.  Nothing here decides
which entries are found or in which order.
"""
