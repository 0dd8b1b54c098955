"""What must agree between a query and the print.

letters reads both into letters with their facts; checks and gaps are the tables of what must agree,
letter_case what capitals mean, edges what is cut at the ends, citation_marks what a query may
leave out, negation and insertions what ellipses and brackets may not do. Then, for words that differ,
alignment (which word stands for which) and differences (what each one changes).
"""
