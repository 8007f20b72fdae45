"""In which order are entries listed?  Fuses channels and merges the answers to several queries.

Also the ranked entries themselves, and the reranking of hits by a model's judgments.  It retrieves
and compares nothing.
"""
