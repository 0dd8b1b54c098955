"""Finds the files that a path, a folder or a pattern leads to, each once."""

import os
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cache
from operator import attrgetter
from pathlib import Path

from lookup.errors import SourceError
from lookup.storage.object_path import ObjectPath
from lookup.storage.untrusted_files import open_file
from pipeline.formats import BESIDE, LARGEST, MARKED_COPY, MARKUP, format_of, is_article
from pipeline.libraries.entries import normal_key
from pipeline.processes.operating_system import same_name
from pipeline.sources.source import Rejected
from pipeline.storage.object_sources import WILD, Objects, Pattern


def named_files(name: str | Path, rejected: set[Rejected], objects: Objects) -> set[Path]:
    """Return the files that a path or pattern leads to; add folders that cannot be listed to `rejected`."""
    if not str(name):
        raise SourceError("A source has an empty name. Name a file, a folder, a pattern or a .bib file.")
    path = Path(name)
    start = path.absolute()
    parts: tuple[str, ...] = ("**",)
    if not is_folder(path):
        if objects.is_there(path):
            return {absolute(path)}
        if not WILD.search(str(name)):
            raise SourceError(f"The source {str(name)!r} does not exist. Check the path.")
        start = before_wildcards(path)
        start, parts = start.absolute(), path.parts[len(start.parts) :]
    unlisted: set[Rejected] = set()
    suffixes = {".pdf", *({Path(parts[-1]).suffix.lower()} & MARKUP)}
    matches = list(_matches(start, Pattern(parts), unlisted))
    found = {absolute(match) for match in matches if match.suffix.lower() in suffixes}
    if not found and is_folder(path):  # a folder of articles in another format is taken as it is
        found = {absolute(match) for match in matches if match.suffix.lower() in MARKUP}
    if not found and not unlisted:
        raise SourceError(f"The source {str(name)!r} leads to no PDF. Check it; what is hidden is left out.")
    rejected |= unlisted
    return found


def before_wildcards(path: Path) -> Path:
    """Return the part of a pattern before its first wildcard; a path without one as it is."""
    wild = next((number for number, part in enumerate(path.parts) if WILD.search(part)), None)
    if wild is None or isinstance(path, ObjectPath):
        return path
    return Path(*path.parts[:wild])


def _matches(top: Path, pattern: Pattern, unlisted: set[Rejected]) -> Iterator[Path]:
    """Yield the files below `top` that match the pattern, each folder once, if possible not by a link."""
    seen: set[tuple[str, frozenset[int]]] = set()
    waiting = deque([(top, frozenset({0}))])  # links at its end
    while waiting:
        folder, places = waiting.popleft()
        if (here := (os.path.realpath(folder), places)) in seen:
            continue
        seen.add(here)
        if above := pattern.above(places) - {pattern.end}:
            waiting.appendleft((folder / "..", above))
        for child in _listed(folder, unlisted):
            below = pattern.step(places, child.name)
            if not is_folder(child):
                if pattern.end in below:
                    yield folder / child.name
            elif further := below - {pattern.end}:
                add = waiting.append if child.is_symlink() else waiting.appendleft
                add((folder / child.name, further))


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


def is_marked_copy(path: Path) -> bool:
    """Return whether PageQuote wrote the file as a copy with marks: that never replaces its original."""
    if isinstance(path, ObjectPath):
        return False
    with suppress(OSError), open_file(path) as file:
        file.seek(-min(len(MARKED_COPY), os.fstat(file.fileno()).st_size), os.SEEK_END)
        return file.read() == MARKED_COPY
    return False
