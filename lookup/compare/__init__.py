"""What must agree between a query and the print: letters with their facts, and the checks of these."""
