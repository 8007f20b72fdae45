"""From a question to ranked hits."""
