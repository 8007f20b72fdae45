"""Does it fit, at what price, and why."""
