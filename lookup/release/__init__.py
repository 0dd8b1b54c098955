"""A published release: the contract of its tables, where the current one is, and its database."""
