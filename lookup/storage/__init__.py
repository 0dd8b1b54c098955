"""Where files are: on a disk, where those that others name are opened without waiting; in object storage.

object_path (a place), objects (reading, writing, listing), object_cache (whole objects on the disk).
"""
