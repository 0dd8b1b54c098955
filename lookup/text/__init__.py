"""Plain text and its words. Nothing here knows a corpus.

Three forms of a text are compared, each for its own end: folded (`folding`: quotes and `text_norm`; offsets
lead back), blind (`folding`: letters and digits alone), and bare (`bare`: keywords; no accents, no hyphens
inside words). `alike` has the characters that are one where letters are compared.

Words are cut by `words` (with the signs that give a number its meaning: quotes, tier 3, the
index of words), by `scripts` (bare text) and by `retrieval.snippets.terms`; `stems` takes their endings off.
`sentences` and `graphemes` say where a text may be cut, `around` cuts it at words. `relevance` and `evidence`
rank.
"""
