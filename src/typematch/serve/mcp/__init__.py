"""Answer an agent over the Model Context Protocol: few tools, short answers, in bounded time."""
