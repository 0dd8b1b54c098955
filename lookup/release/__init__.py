"""A published release: its schema, where the current one is, its database and the SQL that it offers."""
