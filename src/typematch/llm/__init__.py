"""Claude, always optional: one gateway, and what a model may do for a search or an index."""
