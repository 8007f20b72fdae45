"""Are the best hits first?

Benchmarks with labelled queries, documentation sentences and requests to services, and their
baselines.  ``compiler`` has the benchmarks whose judge is the TypeScript compiler.
"""
