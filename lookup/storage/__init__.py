"""Where files are: on a disk, opened without waiting, whoever names them (`handed`); in object storage (s3://).

object_path (a place), objects (reading, writing, listing), object_cache (whole objects on the disk),
object_array (rows of a matrix).
"""
