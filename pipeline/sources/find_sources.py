"""Finds the files that become papers, with their keys and metadata."""

import hashlib
import os
import re
import stat
import unicodedata
from collections import defaultdict, deque
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from functools import cache
from itertools import chain
from operator import attrgetter
from pathlib import Path

from lookup.errors import SourceError
from lookup.papers.original_pdf import MARKED_COPY
from lookup.storage.object_path import ObjectPath, place
from pipeline.formats import MARKUP
from pipeline.libraries.entries import LibraryEntry, Metadata, normal_key
from pipeline.libraries.read_library import NAMES_NO_PDF, library_at, read_library
from pipeline.sources.article_texts import ArticleText, article_texts
from pipeline.sources.object_sources import Objects

GENERIC_STEMS = frozenset({"paper", "main", "fulltext"})
"""File names (without suffix, in lower case) that say nothing: the key of such a PDF is its folder's name."""


@dataclass(frozen=True)
class Source:
    """A file to read: its key (NFC), absolute path, SHA-256 (hexadecimal), size, and library's metadata.

    `library` names it by one of its entries; without one, the key is its name's (see `name_sources`). `text`
    is the XML that gives the text of a PDF, None where the PDF does.
    """

    key: str
    path: Path
    sha256: str
    bytes: int
    metadata: Metadata
    library: Path | None = None
    text: ArticleText | None = None


@dataclass(frozen=True)
class Rejected:
    """A source that cannot become a paper: a row of `failures`, stage 'sources'.

    `reason` is 'unreadable', 'unreadable name', 'empty file', 'missing file' (an entry of a library names
    it), 'duplicate key' (another file has it), 'duplicate entry' (another entry names the file), 'added' (see
    added.with_added), 'broken entry' (`path` is the library, the key '') or 'no PDF'. `sha256` is None
    where nothing was read. `entry` is an entry without a PDF, which the content of one may still be.
    """

    path: Path
    key: str
    sha256: str | None
    reason: str
    detail: str
    entry: LibraryEntry | None = None


NO_PDF = "no PDF"  # Reasons that are no failure: an entry without a PDF, a PDF without an entry.

Contents = Callable[[Path], tuple[str, int]]
"""Returns the SHA-256 of a file's bytes, hexadecimal, and their number; raises OSError."""


def file_contents(path: Path) -> tuple[str, int]:
    """Read the file, in pieces."""
    with path.open("rb") as file:
        sha256 = hashlib.file_digest(file, "sha256").hexdigest()
        return sha256, file.tell()


def find_sources(
    named: Sequence[str | Path],
    bibliographies: Sequence[Path] = (),
    contents: Contents = file_contents,
    objects: Objects | None = None,
) -> tuple[list[Source], list[Rejected]]:
    """Return the files of `candidates`, sorted by key, no key twice; and the rejects, sorted by path."""
    return without_doubles(*candidates(named, bibliographies, contents, objects))


def candidates(
    named: Sequence[str | Path],
    bibliographies: Sequence[Path] = (),
    contents: Contents = file_contents,
    objects: Objects | None = None,
) -> tuple[list[Source], list[Rejected]]:
    """Return the files that `named` leads to, and the rejects.

    `named` are files (with any suffix), folders (their PDFs, to any depth, but nothing hidden), glob patterns
    (with `**`; of markup where their end names its suffix) and libraries (.bib, CSL JSON, a Zotero data
    folder), whose entries name files; on this machine or in object storage (`s3://`). XML of an article that
    has the name of a PDF beside it, or the same entry, is no paper of its own but that PDF's text. A library
    in `bibliographies` adds no file. The entries of both give keys and metadata:

    - to the files at their paths; of several files of one entry the first is the paper; - an entry none of
    whose paths exists: to a file by its name and, where several have that name, by the folders before it; -
    an entry without paths: to the file whose own key is the entry's.

    Any other file has its stem as its key, or its folder's name (GENERIC_STEMS), unless that folder is the
    source and holds others, too; an entry without a file is rejected. `name_sources` looks into the files for
    both. A file reached in several ways counts once. The result does not depend on the order of the
    arguments. Raises SourceError for an argument that does not exist or leads to no file.
    """
    objects = objects or Objects()
    rejected: set[Rejected] = set()
    paths: set[Path] = set()
    naming: set[Path] = set()
    tops = {_real(top) for name in named if _is_folder(top := _fixed(place(name)))}
    for name in named:
        path = place(name)
        if (library := library_at(path)) is not None:
            naming.add(_absolute(library))
        elif isinstance(path, ObjectPath):
            paths |= objects.named(path)
        else:
            paths |= _named_files(name, rejected, objects)
    namings = [
        *_namings(naming, rejected, adds_files=True),
        *_namings(
            {_absolute(library_at(path) or path) for path in bibliographies}, rejected, adds_files=False
        ),
    ]
    paths |= {
        file for each in namings if each.adds_files for file in each.entry.files if _is_there(file, objects)
    }
    _check_any(namings, paths, rejected)
    files = _once(paths)
    own_keys = {
        file: _own_key(path, in_own_folder=not _holds_others(path, tops, files))
        for file, path in files.items()
    }
    owners = _owners(namings, files, own_keys, objects)
    rejected.update(_without_pdf(namings, files, owners, objects))
    keys = {file: each[0].entry.key for file, each in owners.items()}
    texts = article_texts(files, keys)
    of_papers = set(texts.values())
    files = {file: path for file, path in files.items() if path not in of_papers}
    objects.hash_ahead(path for path in files.values() if isinstance(path, ObjectPath))
    ordered = sorted(files.items(), key=lambda one: (_place_in_entry(one[0], one[1], owners), one[1].parts))

    def read(item: tuple[str, Path]) -> Source | Rejected:
        file, path = item
        of_file = contents if not isinstance(path, ObjectPath) else objects.contents
        if file in owners:
            entry = owners[file][0].entry
            source = _read(path, entry.key, of_file, entry.metadata, owners[file][0].bibliography)
        else:
            source = _read(path, own_keys[file], of_file)
        if file not in texts or isinstance(source, Rejected):
            return source
        text = _read(texts[file], source.key, contents)
        return replace(source, text=ArticleText(text.path, text.sha256)) if isinstance(text, Source) else text

    sources: list[Source] = []
    some = [ordered[start : start + _AT_ONCE] for start in range(0, len(ordered), _AT_ONCE)]
    with ThreadPoolExecutor(os.cpu_count()) as threads:  # hashlib releases the interpreter's lock
        read_in_order = list(chain.from_iterable(threads.map(lambda items: list(map(read, items)), some)))
    for (file, path), source in zip(ordered, read_in_order, strict=True):
        for other in owners.get(file, ())[1:]:
            rejected.add(_second_entry(path, owners[file][0].entry.key, other))
        if isinstance(source, Rejected):
            rejected.add(source)
        else:
            sources.append(source)
    return _same_texts(sources), list(rejected)


_AT_ONCE = 16  # Files that a thread takes at a time: most are known, and cost less than to hand them over.


def _same_texts(sources: Sequence[Source]) -> list[Source]:
    """Return the sources; copies of a PDF have the same text, that of the first by its path."""
    texts: dict[str, ArticleText] = {}
    for source in sorted(sources, key=attrgetter("path.parts"), reverse=True):
        if source.text is not None:
            texts[source.sha256] = source.text
    return [
        replace(source, text=texts[source.sha256]) if source.sha256 in texts else source for source in sources
    ]


def without_doubles(
    sources: Iterable[Source], rejected: Iterable[Rejected]
) -> tuple[list[Source], list[Rejected]]:
    """Return the sources by key, of each key the first, without copies of entries' files; and all rejects."""
    refused, sources = set(rejected), list(sources)
    of_entries = {source.sha256 for source in sources if source.library is not None}
    kept: dict[str, Source] = {}
    for source in sources:
        if source.library is None and source.sha256 in of_entries:
            continue  # a copy of a file that is an entry's
        first = kept.setdefault(source.key, source)
        if first is source:
            continue
        if _is_marked_copy(first.path) and not _is_marked_copy(source.path):
            kept[source.key], source, first = source, first, source  # noqa: PLW2901
        refused.add(_second_file(source, first))
    in_order = sorted(refused, key=attrgetter("path", "key", "reason", "detail"))
    return [kept[key] for key in sorted(kept)], in_order


def _named_files(name: str | Path, rejected: set[Rejected], objects: Objects) -> set[Path]:
    """Return the files that a path or pattern leads to; add folders that cannot be listed to `rejected`."""
    if not str(name):
        raise SourceError("A source has an empty name. Name a file, a folder, a pattern or a .bib file.")
    path = Path(name)
    start, parts = (Path(path.anchor), path.parts[1:]) if path.anchor else (Path.cwd(), path.parts)
    if _is_folder(path):
        start, parts = path.absolute(), ("**",)
    elif _is_there(path, objects):
        return {_absolute(path)}
    elif not _WILD.search(str(name)):
        raise SourceError(f"The source {str(name)!r} does not exist. Check the path.")
    unlisted: set[Rejected] = set()
    suffixes = {".pdf", *({Path(parts[-1]).suffix.lower()} & MARKUP)}
    matches = list(_matches(start, parts, unlisted))
    found = {_absolute(match) for match in matches if match.suffix.lower() in suffixes}
    if not found and _is_folder(path):  # a folder of articles in another format is taken as it is
        found = {_absolute(match) for match in matches if match.suffix.lower() in MARKUP}
    if not found and not unlisted:
        raise SourceError(f"The source {str(name)!r} leads to no PDF. Check it; what is hidden is left out.")
    rejected |= unlisted
    return found


_WILD = re.compile(r"[*?\[]")


def _matches(folder: Path, parts: Sequence[str], unlisted: set[Rejected]) -> Iterator[Path]:
    """Yield the files under `folder` that match the pattern's parts; wildcards match no leading dot."""
    if not parts:
        if os.path.lexists(folder) and not _is_folder(folder):
            yield folder
    elif parts[0] == "**":
        for below in _folders(folder, unlisted):
            yield from _matches(below, parts[1:] or ("*",), unlisted)
    elif not _WILD.search(parts[0]):
        yield from _matches(folder / parts[0], parts[1:], unlisted)
    else:
        for child in _listed(folder, unlisted):
            hidden = child.name.startswith(".") and not parts[0].startswith(".")
            if hidden or not fnmatchcase(child.name, parts[0]):
                continue
            if parts[1:]:
                yield from _matches(folder / child.name, parts[1:], unlisted)
            elif not _is_folder(child):
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
            if real in seen or not _is_folder(folder):
                continue
            seen.add(real)
            yield folder
            for child in _listed(folder, unlisted):
                if not child.name.startswith(".") and _is_folder(child):
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
        unlisted.add(Rejected(_absolute(folder), normal_key(folder.name), None, "unreadable", detail))
        return []


def _is_folder(path: Path | os.DirEntry[str]) -> bool:
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False


def _is_there(path: Path, objects: Objects) -> bool:
    if isinstance(path, ObjectPath):
        return objects.is_there(path)
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return False
    except OSError:
        return True  # Reading it will report the error.
    return True


def _absolute(path: Path) -> Path:
    path = path.absolute()
    return path.parent.resolve() / path.name if ".." in path.parts else path


def _real(path: Path) -> str:
    """Return the path that is the same for all ways to a file."""
    return str(path.absolute()) if isinstance(path, ObjectPath) else os.path.realpath(path)


def _once(paths: Iterable[Path]) -> dict[str, Path]:
    """Return by real path the path to show for each file: that of the file before that of a link to it."""
    ways: defaultdict[str, list[Path]] = defaultdict(list)
    real_folder = cache(os.path.realpath)
    for path in paths:
        if isinstance(path, ObjectPath) or os.path.islink(path):  # noqa: PTH114  # it never raises
            ways[_real(path)].append(path)
        else:
            folder, name = os.path.split(path)
            ways[f"{real_folder(folder).rstrip('/')}/{name}"].append(path)
    return {real: found[0] if len(found) == 1 else _shown(real, found) for real, found in ways.items()}


def _shown(real: str, ways: Iterable[Path]) -> Path:
    return min(ways, key=lambda path: (path.name != Path(real).name, str(path) != real, path))


@dataclass(frozen=True)
class _Naming:
    """An entry, its library, and whether that library is a source."""

    entry: LibraryEntry
    bibliography: Path
    adds_files: bool


def _namings(bibliographies: set[Path], rejected: set[Rejected], *, adds_files: bool) -> Iterator[_Naming]:
    for path in bibliographies:
        bibliography = read_library(path)
        rejected |= {Rejected(path, "", None, "broken entry", problem) for problem in bibliography.problems}
        yield from (_Naming(entry, path, adds_files) for entry in bibliography.entries)


def _check_any(namings: Sequence[_Naming], paths: Container[Path], rejected: Container[Rejected]) -> None:
    """Raise SourceError where the sources are libraries, and no PDF is there."""
    if paths or rejected or not any(each.adds_files for each in namings):
        return
    library = min((each.bibliography for each in namings if each.adds_files), default=Path())
    files = sorted({str(file) for each in namings for file in each.entry.files if each.adds_files})
    if not files:
        raise SourceError(
            f"The source {str(library)!r} names no PDF. {NAMES_NO_PDF[library.suffix.lower()]}."
        )
    raise SourceError(
        f"The source {str(library)!r} names {len(files)} PDFs, and none is there ({files[0]!r}): its paths "
        "may be of another machine. Name the folder of the PDFs as the source, and the library with --bib: "
        "they are matched by their names, DOIs and titles."
    )


def _fixed(path: Path) -> Path:
    """Return the part of a pattern before its first wildcard; a path without one as it is."""
    wild = next((number for number, part in enumerate(path.parts) if _WILD.search(part)), None)
    if wild is None or isinstance(path, ObjectPath):
        return path
    return Path(*path.parts[:wild])


def _holds_others(path: Path, tops: Container[str], files: Mapping[str, Path]) -> bool:
    """Return whether the file has a generic name in a folder that is a source and holds other files, too."""
    return (
        path.stem.lower() in GENERIC_STEMS
        and _real(path.parent) in tops
        and any(path.parent in other.parents for other in files.values() if other != path)
    )


def _owners(
    namings: Iterable[_Naming], files: Mapping[str, Path], own_keys: Mapping[str, str], objects: Objects
) -> dict[str, list[_Naming]]:
    """Return for each found file the entries that name it, one for each key; the first gives the key."""
    owners: defaultdict[str, list[_Naming]] = defaultdict(list)
    lost: list[_Naming] = []
    for each in sorted(namings, key=lambda one: (not one.adds_files, one.entry.key, one.bibliography)):
        reached = {_real(file) for file in each.entry.files} & files.keys()
        for file in reached:
            if all(each.entry.key != other.entry.key for other in owners[file]):
                owners[file].append(each)
        if not reached and not any(_is_there(file, objects) for file in each.entry.files):
            lost.append(each)
    return dict(owners) | (_owners_by_name(lost, files, own_keys, taken=owners.keys()) if lost else {})


def _owners_by_name(
    lost: Iterable[_Naming], files: Mapping[str, Path], own_keys: Mapping[str, str], taken: Container[str]
) -> dict[str, list[_Naming]]:
    """Return the same for entries without an existing path: by name, of several the one in alike folders.

    An entry that names no file belongs to the file whose own key is the entry's.
    """
    named: defaultdict[str, list[str]] = defaultdict(list)
    keyed: defaultdict[str, list[str]] = defaultdict(list)
    for file, path in files.items():
        named[_name(path)].append(file)
        keyed[own_keys[file]].append(file)
    claims: defaultdict[str, list[_Naming]] = defaultdict(list)
    for each in lost:
        written = [(tail, named[tail[0]]) for file in each.entry.files for tail in _tails(file)]
        meant = [_most_alike(tail, found, files) for tail, found in written]
        for found in meant or [keyed[each.entry.key]]:
            if len(found) == 1 and found[0] not in taken and each not in claims[found[0]]:
                claims[found[0]].append(each)
    return {
        file: each[:1] for file, each in claims.items() if each and len({one.entry.key for one in each}) == 1
    }


def _most_alike(tail: Sequence[str], found: Sequence[str], files: Mapping[str, Path]) -> list[str]:
    """Return those of the found files whose path has the longest end in common with `tail`."""
    alike = [
        next(
            (
                place
                for place, (one, other) in enumerate(zip(tail, _tail(files[file]), strict=False))
                if one != other
            ),
            len(tail),
        )
        for file in found
    ]
    return [file for file, length in zip(found, alike, strict=True) if length == max(alike, default=0)]


def _tail(path: Path) -> tuple[str, ...]:
    """Return the parts of a path from its end, whatever slashes and normal form it has."""
    return tuple(reversed(re.split(r"[/\\]", unicodedata.normalize("NFC", str(path)))))


def _tails(file: Path) -> set[tuple[str, ...]]:
    """Return the tail of a file as an entry writes it, and without LaTeX."""
    from pipeline.libraries.bibtex import plain_name  # noqa: PLC0415  # a folder of PDFs does without

    return {_tail(file), _tail(Path(plain_name(str(file))))}


def _name(path: Path) -> str:
    """Return the file's name, whatever slashes and normal form the path has."""
    return _tail(path)[0]


def _names(file: Path) -> set[str]:
    """Return the name of a file as an entry writes it, and without LaTeX."""
    return {tail[0] for tail in _tails(file)}


def _without_pdf(
    namings: Iterable[_Naming],
    files: Mapping[str, Path],
    owners: Mapping[str, Iterable[_Naming]],
    objects: Objects,
) -> Iterator[Rejected]:
    """Yield the entries that no found file serves: of libraries that are sources with the missing file."""
    served = {(each.entry.key, _name(files[file])) for file, namers in owners.items() for each in namers}
    served_keys = {key for key, _ in served}
    for each in namings:
        entry = each.entry
        lost = None if entry.key in served_keys else entry
        for file in entry.files if each.adds_files else ():
            if not _is_there(file, objects) and all((entry.key, name) not in served for name in _names(file)):
                detail = f"{str(each.bibliography)!r} names it. Put it there, or correct the entry."
                yield Rejected(file, entry.key, None, "missing file", detail, lost)
        if lost and not (each.adds_files and entry.files):
            known = filter(None, (entry.metadata.doi, entry.arxiv, entry.metadata.title))
            about = ", ".join(known) or "no DOI, no title"
            detail = f"No PDF is this entry ({about}). Add its PDF to the sources."
            yield Rejected(each.bibliography, entry.key, None, NO_PDF, detail, entry)


def _place_in_entry(file: str, path: Path, owners: Mapping[str, Sequence[_Naming]]) -> int:
    """Return the place of the file in its entry: of several files of one entry, the first is the paper."""
    named = owners[file][0].entry.files if file in owners else ()
    same = (i for i, other in enumerate(named) if _real(other) == file or _name(path) in _names(other))
    return next(same, 0)


def _own_key(path: Path, *, in_own_folder: bool = True) -> str:
    generic = path.stem.lower() in GENERIC_STEMS and in_own_folder
    return normal_key(path.parent.name if generic and path.parent.name else path.stem)


_UNKNOWN = Metadata()  # What no library says.


def _read(
    path: Path, key: str, contents: Contents, metadata: Metadata = _UNKNOWN, library: Path | None = None
) -> Source | Rejected:
    """Return the source, with the hash of its bytes, or the reason to reject it."""

    def unreadable(cause: str | None) -> Rejected:
        step = "Check that it is there, is a file and may be read."
        return Rejected(path, key, None, "unreadable", f"It cannot be read ({cause}). {step}")

    if (shown := os.fsencode(path).decode(errors="replace")) != str(path):
        detail = "Its name is not UTF-8, so no table can hold it. Rename it."
        return Rejected(Path(shown), _own_key(Path(shown)), None, "unreadable name", detail)
    try:
        if not isinstance(path, ObjectPath) and not stat.S_ISREG(path.stat().st_mode):
            return unreadable("not a regular file")
        sha256, size = contents(path)
    except OSError as error:
        return unreadable(error.strerror)
    if not size:
        return Rejected(path, key, sha256, "empty file", "It has no bytes. Fetch it again.")
    return Source(key, path, sha256, size, metadata, library)


def _is_marked_copy(path: Path) -> bool:
    """Return whether PageQuote wrote the file as a copy with marks: that never replaces its original."""
    if isinstance(path, ObjectPath):
        return False
    with suppress(OSError), path.open("rb") as file:
        file.seek(-min(len(MARKED_COPY), path.stat().st_size), os.SEEK_END)
        return file.read() == MARKED_COPY
    return False


def _second_file(source: Source, kept: Source) -> Rejected:
    detail = (
        f"{str(kept.path)!r} has the same key and was kept. Rename one, or give each its own key in a .bib."
    )
    return Rejected(source.path, source.key, source.sha256, "duplicate key", detail)


def _second_entry(path: Path, key: str, other: _Naming) -> Rejected:
    detail = f"{str(other.bibliography)!r} names it for this key; it was read as {key!r}. Keep one entry."
    return Rejected(path, other.entry.key, None, "duplicate entry", detail)
