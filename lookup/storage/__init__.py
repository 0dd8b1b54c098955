"""Where files are: on a disk, where those that others name are opened without waiting; in object storage."""
