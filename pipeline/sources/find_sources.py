"""Finds the files that become papers: their paths, joined with the entries of libraries that name them."""

import os
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import chain
from pathlib import Path

from lookup.errors import SourceError
from lookup.storage.object_path import ObjectPath, place
from pipeline.files.known_contents import KnownContents
from pipeline.formats import LARGEST
from pipeline.libraries.entries import LibraryEntry, Metadata
from pipeline.libraries.read_library import NAMES_NO_PDF, library_at, read_library
from pipeline.sources.files import (
    absolute,
    article_texts,
    before_wildcards,
    each_once,
    is_folder,
    named_files,
    real_path,
)
from pipeline.sources.names import file_name, owners_of, precedence, spellings, without_doubles
from pipeline.sources.source import (
    GENERIC_STEMS,
    NO_PDF,
    ArticleText,
    Rejected,
    Source,
    metadata_of_name,
    own_key,
)
from pipeline.storage.object_sources import Objects


def find_sources(
    named: Sequence[str | Path], bibliographies: Sequence[Path] = ()
) -> tuple[list[Source], list[Rejected]]:
    """Return the files of `candidates`, sorted by key, no key twice; and the rejects, sorted by path."""
    nothing_known = KnownContents(Path(), fresh=True, most=LARGEST)
    return without_doubles(*candidates(named, bibliographies, Objects(nothing_known)))


def candidates(
    named: Sequence[str | Path], bibliographies: Sequence[Path], objects: Objects
) -> tuple[list[Source], list[Rejected]]:
    """Return the files that `named` leads to, and the rejects.

    `named` are files (with any suffix), folders (their PDFs, to any depth, but nothing hidden), glob patterns
    (with `**`; of markup where their end names its suffix) and libraries (.bib, CSL JSON, a Zotero data
    folder), whose entries name files; on this machine or in object storage (`s3://`). XML of an article that
    has the name of a PDF beside it, or the same entry, is no paper of its own but that PDF's text. A library
    in `bibliographies` adds no file. The entries of both give keys and metadata by the first rules of
    `names`; an entry without a file is rejected. Any other file has its stem as its key, or its folder's name
    (GENERIC_STEMS), unless that folder is the source and holds others, too. A file reached in several ways
    counts once. The result does not depend on the order of the arguments. Raises SourceError for an argument
    that does not exist or leads to no file.
    """
    rejected: set[Rejected] = set()
    paths: set[Path] = set()
    libraries = {(absolute(library_at(path) or path), False) for path in bibliographies}
    for name in named:
        path = place(name)
        if (library := library_at(path)) is not None:
            libraries.add((absolute(library), True))
        elif isinstance(path, ObjectPath):
            paths |= objects.named(path)
        else:
            paths |= named_files(name, rejected, objects)
    entries = _entries(libraries, rejected)
    added = {file for one in entries if one.adds for file in one.files}
    there = {file for file in {*chain(*(one.files for one in entries))} if objects.is_there(file)}
    paths |= added & there
    if not (paths or rejected):
        _refuse_libraries([one for one in entries if one.adds], added)
    files = each_once(paths)
    tops = {real_path(top) for name in named if is_folder(top := before_wildcards(place(name)))}
    own = _own_keys(files, tops)
    owned = owners_of(entries, files, own, there)
    owners = {file: found for file, (found, _) in owned.items()}
    rejected.update(_without_pdf(entries, files, owners, there))
    texts = article_texts(files, {file: found[0].key for file, found in owners.items()})
    files = {file: path for file, path in files.items() if path not in set(texts.values())}

    def read(item: tuple[str, Path]) -> Source | Rejected:
        file, path = item
        if file in owners:
            entry = owners[file][0]
            source = _read(path, entry.key, objects, entry.metadata, entry.library)
        else:
            source = _read(path, own[file], objects, metadata_of_name(path.stem))
        if file not in texts or isinstance(source, Rejected):
            return source
        text = _read(texts[file], source.key, objects)
        return replace(source, text=ArticleText(text.path, text.sha256)) if isinstance(text, Source) else text

    places = {file: place for file, (_, place) in owned.items()}  # of an entry's files the first is the paper
    ordered = sorted(files.items(), key=lambda one: (places.get(one[0], 0), one[1].parts))
    some = [ordered[start : start + _FILES_PER_BATCH] for start in range(0, len(ordered), _FILES_PER_BATCH)]
    with ThreadPoolExecutor(max(_THREADS, os.cpu_count() or 1)) as threads:
        found = list(chain.from_iterable(threads.map(lambda items: list(map(read, items)), some)))
    for file, (first, *others) in owners.items():
        for other in others if file in files else ():
            detail = f"{str(other.library)!r} names it for this key; it was read as {first.key!r}. "
            detail += "Keep one entry."
            rejected.add(Rejected(files[file], other.key, None, "duplicate entry", detail))
    rejected |= {one for one in found if isinstance(one, Rejected)}
    sources = [one for one in found if isinstance(one, Source)]
    by_path = sorted(sources, key=lambda one: one.path.parts, reverse=True)
    text_of = {one.sha256: one.text for one in by_path if one.text is not None}  # also that of copies
    return [replace(one, text=text_of.get(one.sha256)) for one in sources], list(rejected)


_FILES_PER_BATCH = 16  # Files that a thread takes at a time: most are known, and cost less than handing over.

_THREADS = 8  # Files that are read at a time, at least: while one is hashed or waited for, others are read.


def _entries(libraries: Iterable[tuple[Path, bool]], rejected: set[Rejected]) -> list[LibraryEntry]:
    """Return the entries of the libraries, those of sources first; add broken ones to `rejected`."""
    entries: list[LibraryEntry] = []
    for path, adds in libraries:
        library = read_library(path)
        rejected |= {Rejected(path, "", None, "broken entry", problem) for problem in library.problems}
        entries += [replace(entry, library=path, adds=adds) for entry in library.entries]
    return sorted(entries, key=precedence)


def _refuse_libraries(entries: Sequence[LibraryEntry], files: Iterable[Path]) -> None:
    """Raise SourceError where the sources are libraries with `entries`, none of whose files is there."""
    if not entries:
        return
    library, names = min(one.library for one in entries), sorted(map(str, files))
    if not names:
        remedy = NAMES_NO_PDF[library.suffix.lower()]
        raise SourceError(f"The source {str(library)!r} names no PDF. {remedy}.")
    raise SourceError(
        f"The source {str(library)!r} names {len(names)} PDFs, and none is there ({names[0]!r}): its paths "
        "may be of another machine. Name the folder of the PDFs as the source, and the library with --bib: "
        "they are matched by their names, DOIs and titles."
    )


def _own_keys(files: Mapping[str, Path], tops: Container[str]) -> dict[str, str]:
    """Return the key that each file's name gives, or its folder's: of a source with others in it never."""
    generic = {path.parent for path in files.values() if path.stem.lower() in GENERIC_STEMS}
    shared = {folder for folder in generic if real_path(folder) in tops}
    held = Counter(parent for path in files.values() if shared for parent in path.parents if parent in shared)
    return {file: own_key(path, in_own_folder=held[path.parent] < 2) for file, path in files.items()}


def _without_pdf(
    entries: Iterable[LibraryEntry],
    files: Mapping[str, Path],
    owners: Mapping[str, Sequence[LibraryEntry]],
    there: Container[Path],
) -> Iterator[Rejected]:
    """Yield the entries that no found file serves: of libraries that are sources with the missing file."""
    served = {(entry.key, file_name(files[file])) for file, found in owners.items() for entry in found}
    served_keys = {key for key, _ in served}
    for entry in entries:
        lost = None if entry.key in served_keys else entry
        for path in entry.files if entry.adds else ():
            names = {(entry.key, file_name(spelling)) for spelling in spellings(path)}
            if path not in there and served.isdisjoint(names):
                detail = f"{str(entry.library)!r} names it. Put it there, or correct the entry."
                yield Rejected(path, entry.key, None, "missing file", detail, lost)
        if lost and not (entry.adds and entry.files):
            known = filter(None, (entry.metadata.doi, entry.arxiv, entry.metadata.title))
            about = ", ".join(known) or "no DOI, no title"
            detail = f"The library has this entry ({about}), but no PDF of it. Add its PDF to the sources."
            yield Rejected(entry.library, entry.key, None, NO_PDF, detail, lost)


_UNKNOWN = Metadata()  # What no library says.


def _read(
    path: Path, key: str, objects: Objects, metadata: Metadata = _UNKNOWN, library: Path | None = None
) -> Source | Rejected:
    """Return the source, with the hash of its bytes, or the reason to reject it."""
    if (shown := os.fsencode(path).decode(errors="replace")) != str(path):
        detail = "Its name is not UTF-8, so no table can hold it. Rename it."
        return Rejected(Path(shown), own_key(Path(shown)), None, "unreadable name", detail)
    if not key:
        return Rejected(path, key, None, "unreadable name", "Its name gives no key. Rename it.")
    try:
        sha256, size = objects.contents(path)
    except OSError as error:
        detail = f"It cannot be read ({error.strerror}). Check that it is there, is a file and may be read."
        return Rejected(path, key, None, "unreadable", detail)
    if not size:
        return Rejected(path, key, sha256, "empty file", "It has no bytes. Fetch it again.")
    return Source(key, path, sha256, size, metadata, library)
