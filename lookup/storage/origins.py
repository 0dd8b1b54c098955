"""What is a stranger's, told from the user's own: the one place that says how far each reaches.

The user's own is what was typed, is set in the environment, or stands in a folder that an editor trusts: it
reaches all that the user may. All else may have come in a clone, an archive or a message, and is a
stranger's, wherever it lies.
"""

from enum import Enum
from os.path import realpath
from pathlib import Path

from lookup.storage.object_path import ObjectPath


class Reach(Enum):
    """How far it reaches what a stranger's file names."""

    NOTHING = "nothing"
    FOLDER = "its own folder and what is below, links followed; no object storage"
    DISK = "files of this machine; of object storage the bucket that it is in itself"


class Stranger(Enum):
    """What may be a stranger's, and how far it reaches then (docs/security.md has the same table)."""

    SETTINGS = "`pagequote.toml` above a document", Reach.FOLDER
    ADDED = "the library of added papers", Reach.FOLDER
    PATHS = "paths of a release's sources", Reach.DISK
    DEFINITIONS = "views and macros of a release, but for the contract's word for word", Reach.NOTHING
    MODEL = "a model beside a corpus", Reach.NOTHING

    def may_reach(self, named: str | Path, folder: Path) -> bool:
        """Return whether it may reach what it names `named`, where it lies in `folder`."""
        reach: Reach = self.value[1]
        stored = isinstance(named, ObjectPath) or "://" in str(named)
        if reach is Reach.DISK:
            bucket = "/".join([*str(folder).split("/")[:3], ""]) if isinstance(folder, ObjectPath) else None
            return not stored or (bucket is not None and str(named).startswith(bucket))
        below = not stored and Path(realpath(folder / named)).is_relative_to(realpath(folder))
        return reach is Reach.FOLDER and below
