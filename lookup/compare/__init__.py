"""What must agree between a query and the print.

exactness (words and numbers as a whole), exponents, citation_marks (which a query may leave out), negation;
then, for words that differ, alignment (which word stands for which) and differences (what each one changes).
"""
