"""Which entries mean something similar to a text?

Embedding models (bundled, fastembed, HTTP endpoint), the stored vectors and their scores.  This
package also decides which text of an entry is embedded; words are searched by ``index.text``.
"""
