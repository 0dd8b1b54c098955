"""A published release: what it holds, where it is, and its database.

schema (the contract of the tables), sql_macros (views and macros), current (the newest release), database
(open, read-only) and rows (of a query). object_release and object_database are the same in object storage.
"""
