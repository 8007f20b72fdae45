"""How are results shown: as JSON documents, snippets, declarations, facet counts, completions?

``wire_schema`` declares the documents of every interface, ``wire_format`` encodes them and
``result_decoder`` decodes them.  Nothing here decides which entries are found or in which order.
"""
