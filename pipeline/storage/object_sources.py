"""PDFs in object storage: lists them, and recognises unchanged objects without fetching them."""

import hashlib
import re
from collections.abc import Sequence
from fnmatch import fnmatchcase
from pathlib import Path

from lookup.errors import SourceError
from lookup.storage.object_path import ObjectPath
from objectstore.objects import Stored, list_objects, read_pieces, stat_object
from pipeline.files.known_contents import KnownContents

WILD = re.compile(r"[*?\[]")


class Objects:
    """The objects that a build looks at. `known` has the hashes of those that were read before."""

    def __init__(self, known: KnownContents | None = None) -> None:
        self._known = known
        self._seen: dict[ObjectPath, Stored | None] = {}

    def named(self, name: ObjectPath) -> set[Path]:
        """Return the PDFs that an address leads to: the object, those below it, or those that match it.

        Wildcards match nothing hidden (a part of the name that begins with a dot); `**` matches any depth.
        Raises SourceError without a PDF, or where the storage fails.
        """
        if name.suffix.lower() == ".pdf" and self.is_there(name):
            return {name}
        wild = next((i for i, part in enumerate(name.parts) if i > 1 and WILD.search(part)), None)
        top = name if wild is None else ObjectPath(*name.parts[:wild])
        pattern = ("**",) if wild is None else name.parts[wild:]
        found: set[Path] = set()
        try:
            for one in list_objects(top):
                if one.path.suffix.lower() == ".pdf" and _fits(one.path.parts[len(top.parts) :], pattern):
                    self._seen[one.path] = one
                    found.add(one.path)
        except OSError as error:
            raise SourceError(f"The source {str(name)!r} cannot be listed ({error.strerror}).") from error
        if not found:
            raise SourceError(
                f"The source {str(name)!r} leads to no PDF. Check it; what is hidden is left out."
            )
        return found

    def is_there(self, path: ObjectPath) -> bool:
        """Return whether the object exists; one that cannot be checked counts, and fails when it is read."""
        if path not in self._seen:
            try:
                self._seen[path] = stat_object(path)
            except FileNotFoundError:
                self._seen[path] = None
            except OSError:
                return True
        return self._seen[path] is not None

    def contents(self, path: ObjectPath) -> tuple[str, int]:
        """Return the SHA-256 of an object's bytes, hexadecimal, and their number; raise OSError.

        The object is fetched for that, piece by piece, unless the storage describes it as when it was hashed.
        """
        stored = self._seen.get(path) or stat_object(path)
        self._seen[path] = stored
        stamp = f"{stored.etag} {stored.bytes} {stored.modified.isoformat()}"
        if self._known and stored.etag and (known := self._known.known(path, stamp)):
            return known, stored.bytes
        digest = hashlib.sha256()
        for piece in read_pieces(path, stored.bytes):
            digest.update(piece)
        if self._known:
            self._known.remember(path, stamp, digest.hexdigest())
        return digest.hexdigest(), stored.bytes


def _fits(parts: Sequence[str], pattern: Sequence[str]) -> bool:
    if not pattern:
        return not parts
    if pattern[0] == "**":
        for depth, part in enumerate(parts):
            if _fits(parts[depth:], pattern[1:] or ("*",)):
                return True
            if part.startswith("."):  # `**` matches nothing that is hidden
                break
        return False
    return (
        bool(parts)
        and fnmatchcase(parts[0], pattern[0])
        and (not parts[0].startswith(".") or pattern[0].startswith("."))
        and _fits(parts[1:], pattern[1:])
    )
