"""What must agree between a query and the print: signs, exponents, negations, citation marks, aligned words."""
