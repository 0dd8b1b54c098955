"""Finds the files that a path, a folder or a pattern leads to, each once."""

import os
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import cache
from operator import attrgetter
from pathlib import Path

from lookup.errors import SourceError
from lookup.storage.object_path import ObjectPath
from lookup.storage.untrusted_files import open_file
from pipeline.formats import BESIDE, LARGEST, MARKUP, format_of, is_article
from pipeline.libraries.entries import normal_key
from pipeline.processes.operating_system import same_name
from pipeline.sources.source import Rejected
from pipeline.storage.object_sources import WILD, Objects


def named_files(name: str | Path, rejected: set[Rejected], objects: Objects) -> set[Path]:
    """Return the files that a path or pattern leads to; add folders that cannot be listed to `rejected`."""
    if not str(name):
        raise SourceError("A source has an empty name. Name a file, a folder, a pattern or a .bib file.")
    path = Path(name)
    start, parts = (Path(path.anchor), path.parts[1:]) if path.anchor else (Path.cwd(), path.parts)
    if is_folder(path):
        start, parts = path.absolute(), ("**",)
    elif is_there(path, objects):
        return {absolute(path)}
    elif not WILD.search(str(name)):
        raise SourceError(f"The source {str(name)!r} does not exist. Check the path.")
    parts = tuple(
        _closed(part) for part, before in zip(parts, ("", *parts), strict=False) if not part == before == "**"
    )
    unlisted: set[Rejected] = set()
    suffixes = {".pdf", *({Path(parts[-1]).suffix.lower()} & MARKUP)}
    matches = list(_matches(start, parts, unlisted, set()))
    found = {absolute(match) for match in matches if match.suffix.lower() in suffixes}
    if not found and is_folder(path):  # a folder of articles in another format is taken as it is
        found = {absolute(match) for match in matches if match.suffix.lower() in MARKUP}
    if not found and not unlisted:
        raise SourceError(f"The source {str(name)!r} leads to no PDF. Check it; what is hidden is left out.")
    rejected |= unlisted
    return found


def _closed(part: str) -> str:
    """Return the part of a pattern with each "[" that nothing closes as a letter, as `fnmatch` takes it.

    That looks for the end of each anew.
    """
    head, end, tail = part.rpartition("]")
    return head + end + tail.replace("[", "[[]")


def before_wildcards(path: Path) -> Path:
    """Return the part of a pattern before its first wildcard; a path without one as it is."""
    wild = next((number for number, part in enumerate(path.parts) if WILD.search(part)), None)
    if wild is None or isinstance(path, ObjectPath):
        return path
    return Path(*path.parts[:wild])


def _matches(
    folder: Path, parts: Sequence[str], unlisted: set[Rejected], seen: set[tuple[Path, int]]
) -> Iterator[Path]:
    """Yield the files under `folder` that match the pattern's parts; wildcards match no leading dot.

    By several `**` there are many ways to a folder: `seen` holds those with the number of parts from there.
    """
    if not parts:
        if os.path.lexists(folder) and not is_folder(folder):
            yield folder
    elif parts[0] == "**":
        for below in (one for one in _folders(folder, unlisted) if (one, len(parts)) not in seen):
            seen.add((below, len(parts)))
            yield from _matches(below, parts[1:] or ("*",), unlisted, seen)
    elif not WILD.search(parts[0]):
        yield from _matches(folder / parts[0], parts[1:], unlisted, seen)
    else:
        for child in _listed(folder, unlisted):
            hidden = child.name.startswith(".") and not parts[0].startswith(".")
            if hidden or not fnmatchcase(child.name, parts[0]):
                continue
            if parts[1:]:
                yield from _matches(folder / child.name, parts[1:], unlisted, seen)
            elif not is_folder(child):
                yield folder / child.name


def _folders(top: Path, unlisted: set[Rejected]) -> Iterator[Path]:
    """Yield `top` and the folders below it that are not hidden, each once, if possible not by a link."""
    seen: set[str] = set()
    links = deque([top])
    while links:
        folders = [links.popleft()]
        while folders:
            folder = folders.pop()
            real = os.path.realpath(folder)
            if real in seen or not is_folder(folder):
                continue
            seen.add(real)
            yield folder
            for child in _listed(folder, unlisted):
                if not child.name.startswith(".") and is_folder(child):
                    (links if child.is_symlink() else folders).append(folder / child.name)


def _listed(folder: Path, unlisted: set[Rejected]) -> list[os.DirEntry[str]]:
    """Return what is in the folder, by name: to ask it whether it is a folder reads no disk."""
    try:
        with os.scandir(folder) as children:
            return sorted(children, key=attrgetter("name"))
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError as error:
        detail = f"It is a folder and cannot be listed ({error.strerror}). Check its permissions."
        unlisted.add(Rejected(absolute(folder), normal_key(folder.name), None, "unreadable", detail))
        return []


def is_folder(path: Path | os.DirEntry[str]) -> bool:
    """Return whether it is a folder that can be asked."""
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False


def is_there(path: Path, objects: Objects) -> bool:
    """Return whether something has this path, on this machine or in object storage."""
    if isinstance(path, ObjectPath):
        return objects.is_there(path)
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return False
    except OSError:
        return True  # Reading it will report the error.
    return True


def absolute(path: Path) -> Path:
    """Return the absolute path without `..`, links kept."""
    path = path.absolute()
    return path.parent.resolve() / path.name if ".." in path.parts else path


def real_path(path: Path) -> str:
    """Return the path that is the same for all ways to a file."""
    return str(path.absolute()) if isinstance(path, ObjectPath) else same_name(os.path.realpath(path))


def each_once(paths: Iterable[Path]) -> dict[str, Path]:
    """Return by real path the path to show for each file: that of the file before that of a link to it."""
    ways: defaultdict[str, list[Path]] = defaultdict(list)
    real_folder = cache(os.path.realpath)
    for path in paths:
        if isinstance(path, ObjectPath) or os.path.islink(path):  # noqa: PTH114  # it never raises
            ways[real_path(path)].append(path)
        else:
            folder, name = os.path.split(path)
            ways[same_name(os.path.join(real_folder(folder), name))].append(path)  # noqa: PTH118  # of many
    return {
        real: min(found, key=lambda path: (same_name(path.name) != Path(real).name, str(path) != real, path))
        if len(found) > 1
        else found[0]
        for real, found in ways.items()
    }


def article_texts(files: Mapping[str, Path], keys: Mapping[str, str]) -> dict[str, Path]:
    """Return the XML of each PDF that has one: with its name beside it, else with its entry's key.

    `files` are the paths of sources, and `keys` those of their entries, by real path.
    """
    of_key: dict[str, Path] = {}
    for file, key in sorted(keys.items()):
        if files[file].suffix.lower() in BESIDE and _holds_article(files[file]):
            of_key.setdefault(key, files[file])
    found = {}
    for file, path in files.items():
        if format_of(path) == "pdf" and not isinstance(path, ObjectPath):
            stem = str(path).removesuffix(path.suffix)
            beside = next(filter(_holds_article, (Path(stem + suffix) for suffix in BESIDE)), None)
            if text := beside or of_key.get(keys.get(file, "")):
                found[file] = text
    return found


def _holds_article(path: Path) -> bool:
    try:
        with open_file(path, LARGEST) as file:
            return is_article(file)
    except OSError:
        return False  # as a source of its own it is rejected where it is read
