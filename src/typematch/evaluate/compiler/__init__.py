"""Does typematch agree with the TypeScript compiler?

The front end, the relation, strict search and rendered signatures are compared with the compiler's
data, and the pre-filter with the relation.  ``relevance`` has the benchmarks with labelled queries.
"""
