"""PDFs in object storage: lists them, and recognises unchanged objects without fetching them."""

import hashlib
import re
from collections.abc import Callable, Sequence
from fnmatch import fnmatchcase
from functools import reduce
from pathlib import Path

from lookup.errors import SourceError
from lookup.storage.object_path import ObjectPath
from objectstore.objects import Stored, list_objects, read_pieces, stat_object
from pipeline.files.known_contents import KnownContents

WILD = re.compile(r"[*?\[]")


class Objects:
    """What a build looks at, in object storage and on the disk.

    `known` has the hashes of what was read before; `of_file` gives that of a file in its place.
    """

    def __init__(
        self, known: KnownContents, of_file: Callable[[Path], tuple[str, int]] | None = None
    ) -> None:
        self._known = known
        self._of_file = of_file or known.contents
        self._seen: dict[Path, Stored | None] = {}

    def named(self, name: ObjectPath) -> set[Path]:
        """Return the PDFs that an address leads to: the object, those below it, or those that match it.

        Raises SourceError without a PDF, or where the storage fails.
        """
        if name.suffix.lower() == ".pdf" and self.is_there(name):
            return {name}
        wild = next((i for i, part in enumerate(name.parts) if i > 1 and WILD.search(part)), None)
        top = name if wild is None else ObjectPath(*name.parts[:wild])
        pattern = Pattern(("**",) if wild is None else name.parts[wild:])
        found: set[Path] = set()
        try:
            for one in list_objects(top):
                places = reduce(pattern.step, one.path.parts[len(top.parts) :], frozenset({0}))
                if one.path.suffix.lower() == ".pdf" and pattern.end in places:
                    self._seen[one.path] = one
                    found.add(one.path)
        except OSError as error:
            raise SourceError(f"The source {str(name)!r} cannot be listed ({error.strerror}).") from error
        if not found:
            raise SourceError(
                f"The source {str(name)!r} leads to no PDF. Check it; what is hidden is left out."
            )
        return found

    def is_there(self, path: Path) -> bool:
        """Return whether something has this path; what cannot be asked counts, and fails when it is read."""
        try:
            if not isinstance(path, ObjectPath):
                path.stat()
            elif path not in self._seen:
                self._seen[path] = stat_object(path)
        except (FileNotFoundError, NotADirectoryError, ValueError):
            self._seen[path] = None
        except OSError:
            return True
        return self._seen.get(path, True) is not None

    def contents(self, path: Path) -> tuple[str, int]:
        """Return the SHA-256 of a source's bytes, hexadecimal, and their number; raise OSError.

        An object is fetched for that, piece by piece, unless the storage describes it as when it was hashed.
        """
        if not isinstance(path, ObjectPath):
            return self._of_file(path)
        stored = self._seen.get(path) or stat_object(path)
        self._seen[path] = stored
        stamp = f"{stored.etag} {stored.bytes} {stored.modified.isoformat()}"
        if stored.etag and (known := self._known.known(path, stamp)):
            return known, stored.bytes
        digest = hashlib.sha256()
        for piece in read_pieces(path, stored.bytes):
            digest.update(piece)
        self._known.remember(path, stamp, digest.hexdigest())
        return digest.hexdigest(), stored.bytes


class Pattern:
    """The parts of a pattern. Wildcards match nothing hidden (a name that begins with a dot); `**` any depth.

    Where a path stands in it are numbers of parts: several, since `**` may be read in several ways.
    """

    def __init__(self, parts: Sequence[str]) -> None:
        before = ("", *parts)
        once = [part for part, last in zip(parts, before, strict=False) if not part == last == "**"]
        self._parts = [_closed(part) for part in (*once, "*")[: len(once) + (once[-1:] == ["**"])]]
        self.end = len(self._parts)
        """Where a path stands that matches."""

    def step(self, places: frozenset[int], name: str) -> frozenset[int]:
        """Return where a path stands that goes on with this name."""
        left = set()
        for place in places - {self.end}:
            at = place
            if self._parts[at] == "**":
                if not name.startswith("."):
                    left.add(at)
                at += 1
            part = self._parts[at]
            if fnmatchcase(name, part) and (not name.startswith(".") or part.startswith(".")):
                left.add(at + 1)
        return frozenset(left)

    def above(self, places: frozenset[int]) -> frozenset[int]:
        """Return where a path stands that goes on with `..`: no folder lists it, no wildcard matches it."""
        return frozenset(at for at in self.step(places, "..") if self._parts[at - 1] == "..")


def _closed(part: str) -> str:
    """Return the part of a pattern with each "[" that nothing closes as a letter, as `fnmatch` takes it.

    That looks for the end of each anew.
    """
    head, end, tail = part.rpartition("]")
    return head + end + tail.replace("[", "[[]")
