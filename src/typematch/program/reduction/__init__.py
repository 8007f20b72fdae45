"""Reduction of types to head normal form, and the members of types.

It evaluates aliases, ``keyof``, indexed access, conditional, mapped and template literal types
against a set of declarations.  It does not decide assignability: conditional types ask an
``AssignabilityOracle``, which ``match`` implements.
"""
