"""Is typematch right?  One module for each benchmark; run ``python -m typematch.evaluate``.

The data comes from outside (``--data DIR``): what the TypeScript compiler says about npm packages.
"""
