"""Types of expressions and results of functions that code does not annotate."""
