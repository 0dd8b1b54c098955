"""PDFs in object storage: lists them, and recognises unchanged objects without fetching them."""

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from fnmatch import fnmatchcase
from pathlib import Path

from lookup.errors import SourceError
from lookup.storage.object_path import ObjectPath
from objectstore.objects import Stored, list_objects, read_pieces, stat_object
from pipeline.files.atomic import read_json, write_json

_THREADS = 8  # Objects that are fetched at a time to be hashed.

_WILD = re.compile(r"[*?\[]")

_FILE = "objects.json"

Hashed = tuple[str, int, str, str]
"""An etag, bytes and time of an object, and its SHA-256: it is the same while the storage describes it so."""


class Objects:
    """The objects that a build looks at. `known` holds those that were hashed before."""

    def __init__(self, known: Mapping[str, Hashed] | None = None) -> None:
        self._known = dict(known or {})
        self._seen: dict[ObjectPath, Stored | None] = {}
        self._hashing: dict[ObjectPath, Future[Hashed]] = {}

    def named(self, name: ObjectPath) -> set[Path]:
        """Return the PDFs that an address leads to: the object, those below it, or those that match it.

        Wildcards match nothing hidden (a part of the name that begins with a dot); `**` matches any depth.
        Raises SourceError without a PDF, or where the storage fails.
        """
        if name.suffix.lower() == ".pdf" and self.is_there(name):
            return {name}
        wild = next((i for i, part in enumerate(name.parts) if i > 1 and _WILD.search(part)), None)
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

    def hash_ahead(self, paths: Iterable[ObjectPath]) -> None:
        """Hash all `paths`, several at a time, for `contents`."""
        with ThreadPoolExecutor(_THREADS) as pool:
            self._hashing = {path: pool.submit(self._hashed, path) for path in paths}

    def contents(self, path: Path) -> tuple[str, int]:
        """Return the SHA-256 of an object's bytes, hexadecimal, and their number; raise OSError.

        The object is fetched for that, piece by piece, unless it is unchanged since it was hashed.
        """
        assert isinstance(path, ObjectPath)
        hashing = self._hashing.get(path)
        hashed = hashing.result() if hashing else self._hashed(path)
        self._known[str(path)] = hashed
        return hashed[-1], hashed[1]

    def keep(self, work: Path) -> None:
        """Write the hashes of the objects that were seen, for the next build."""
        seen = {str(path) for path, stored in self._seen.items() if stored}
        kept = {path: one for path, one in sorted(self._known.items()) if path in seen}
        if kept or (work / _FILE).exists():
            write_json(work / _FILE, kept, work)

    def _hashed(self, path: ObjectPath) -> Hashed:
        stored = self._seen.get(path) or stat_object(path)
        self._seen[path] = stored
        described = stored.etag, stored.bytes, stored.modified.isoformat()
        known = self._known.get(str(path))
        if known is not None and stored.etag and known[:-1] == described:
            return known
        digest = hashlib.sha256()
        for piece in read_pieces(path, stored.bytes):
            digest.update(piece)
        return *described, digest.hexdigest()


def known_objects(work: Path) -> dict[str, Hashed]:
    """Return the hashes of the objects that the last build saw, by path; none where their file is lost."""
    return {path: tuple(one) for path, one in (read_json(work / _FILE) or {}).items()}


def _fits(parts: Sequence[str], pattern: Sequence[str]) -> bool:
    if not pattern:
        return not parts
    if pattern[0] == "**":
        return any(_fits(parts[i:], pattern[1:] or ("*",)) for i in _depths(parts))
    return (
        bool(parts)
        and fnmatchcase(parts[0], pattern[0])
        and (not parts[0].startswith(".") or pattern[0].startswith("."))
        and _fits(parts[1:], pattern[1:])
    )


def _depths(parts: Sequence[str]) -> Iterator[int]:
    """Yield the numbers of leading parts that `**` may match: not past a hidden part."""
    for depth, part in enumerate(parts):
        yield depth
        if part.startswith("."):
            return
