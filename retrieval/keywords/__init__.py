"""Keyword searches with cursors, over the papers of a corpus and over plain text.

The steps of `searches`: parse the keywords, take texts (`document`: a plain one; `paper_texts`: papers), find
the keywords in them (`searched_text`, `fuzzy`), score windows (`windows`), and choose those to show. `Papers`
is what a corpus calls. Why these stand beside `Corpus.search`: docs/decisions/0040.
"""
