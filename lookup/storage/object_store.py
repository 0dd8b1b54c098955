"""The door from `lookup` to `objectstore`, the package above it: imported where an `s3://` address is met."""

from objectstore.database import PROTOCOL, address, connect_release, end_threads
from objectstore.objects import read_object
from objectstore.releases import cached_object, current_name, object_manifest, stored_file

__all__ = [
    "PROTOCOL",
    "address",
    "cached_object",
    "connect_release",
    "current_name",
    "end_threads",
    "object_manifest",
    "read_object",
    "stored_file",
]
