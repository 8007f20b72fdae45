"""Are we right?  One file per benchmark, with its own door: ``python -m typematch.evaluate``.

The data comes from outside (``--data DIR``): what the TypeScript compiler says about npm packages.
"""
