"""Which declaration a name means, what a type reduces to, and what the entries are."""
