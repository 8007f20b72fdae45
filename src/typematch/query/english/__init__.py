"""English sentences: which parameters, result and flags does a sentence describe?

``sentence_constraints`` is the entry point: ``read_sentence`` returns a
``model.SentenceConstraints`` with a confidence for each type.  The steps are ``tokens``,
``tagger``, the grammar ``phrases.lark``, ``noun_phrases``, ``sentence`` and ``type_holes``; words
are listed in ``lexicon``.  There is no statistical model, and nothing is ranked here.
"""
