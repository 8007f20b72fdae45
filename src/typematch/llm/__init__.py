"""Optional use of Claude: search stages (select, expand, rerank), call plans, enrichment.

Every request passes one gateway with budgets, a usage ledger and a response cache.  Retrieval and
type matching never depend on this package: a failed stage leaves the result unchanged.
"""
