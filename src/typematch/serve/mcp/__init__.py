"""How do coding agents search a catalog over the Model Context Protocol?

The tools answer with JSON that keeps to a token budget and a time limit.  The work is done by the
handlers of ``serve.workers``; here their documents are reduced to short answers.
"""
