"""The answers of the public calls: frozen dataclasses, and how a notebook shows them.

quote_answer, search_answer, keyword_answer and papers are the answers, difference what they say of
words; annotation, html and showing the forms in which they are shown.
"""
