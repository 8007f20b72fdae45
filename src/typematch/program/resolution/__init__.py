"""Name resolution: which declaration a name in a file means.

It follows scopes, imports, re-exports, augmentations and declaration merging, as the compiler's
binder and ``resolveName`` do.  It looks at module summaries only; the types of a file are resolved
from the result, one file at a time.
"""
