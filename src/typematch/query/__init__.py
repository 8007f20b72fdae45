"""Read what the user asks: a signature, English words, facets, or a mix."""
