"""Finds the files that become papers, with their keys and metadata."""

import hashlib
import os
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from itertools import chain, count
from operator import attrgetter
from pathlib import Path

from lookup.storage.object_path import ObjectPath, place
from lookup.storage.untrusted_files import open_file
from pipeline.formats import LARGEST, MARKED_COPY
from pipeline.libraries.entries import Metadata
from pipeline.libraries.read_library import library_at
from pipeline.sources.file_names import metadata_of_name
from pipeline.sources.named_files import (
    absolute,
    before_wildcards,
    each_once,
    is_folder,
    is_there,
    named_files,
    real_path,
)
from pipeline.sources.owners import Naming, check_any, namings_of, owners_of, place_in_entry, without_pdf
from pipeline.sources.source import GENERIC_STEMS, ArticleText, Rejected, Source, article_texts, own_key
from pipeline.storage.object_sources import Objects

Contents = Callable[[Path], tuple[str, int]]
"""Returns the SHA-256 of a file's bytes, hexadecimal, and their number; raises OSError."""


def file_contents(path: Path) -> tuple[str, int]:
    """Read the file, in pieces."""
    with open_file(path, LARGEST) as file:
        sha256 = hashlib.file_digest(file, "sha256").hexdigest()
        return sha256, file.tell()


def find_sources(
    named: Sequence[str | Path], bibliographies: Sequence[Path] = ()
) -> tuple[list[Source], list[Rejected]]:
    """Return the files of `candidates`, sorted by key, no key twice; and the rejects, sorted by path."""
    return without_doubles(*candidates(named, bibliographies))


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
    tops = {real_path(top) for name in named if is_folder(top := before_wildcards(place(name)))}
    for name in named:
        path = place(name)
        if (library := library_at(path)) is not None:
            naming.add(absolute(library))
        elif isinstance(path, ObjectPath):
            paths |= objects.named(path)
        else:
            paths |= named_files(name, rejected, objects)
    namings = [
        *namings_of(naming, rejected, adds_files=True),
        *namings_of(
            {absolute(library_at(path) or path) for path in bibliographies}, rejected, adds_files=False
        ),
    ]
    paths |= {
        file for each in namings if each.adds_files for file in each.entry.files if is_there(file, objects)
    }
    check_any(namings, paths, rejected)
    files = each_once(paths)
    own_keys = {
        file: own_key(path, in_own_folder=not _holds_others(path, tops, files))
        for file, path in files.items()
    }
    owners = owners_of(namings, files, own_keys, objects)
    rejected.update(without_pdf(namings, files, owners, objects))
    keys = {file: each[0].entry.key for file, each in owners.items()}
    texts = article_texts(files, keys)
    of_papers = set(texts.values())
    files = {file: path for file, path in files.items() if path not in of_papers}
    objects.hash_ahead(path for path in files.values() if isinstance(path, ObjectPath))
    ordered = sorted(files.items(), key=lambda one: (place_in_entry(one[0], one[1], owners), one[1].parts))

    def read(item: tuple[str, Path]) -> Source | Rejected:
        file, path = item
        of_file = contents if not isinstance(path, ObjectPath) else objects.contents
        if file in owners:
            entry = owners[file][0].entry
            source = _read(path, entry.key, of_file, entry.metadata, owners[file][0].bibliography)
        else:
            source = _read(path, own_keys[file], of_file, metadata_of_name(path.stem))
        if file not in texts or isinstance(source, Rejected):
            return source
        text = _read(texts[file], source.key, contents)
        return replace(source, text=ArticleText(text.path, text.sha256)) if isinstance(text, Source) else text

    sources: list[Source] = []
    some = [ordered[start : start + _FILES_PER_BATCH] for start in range(0, len(ordered), _FILES_PER_BATCH)]
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


_FILES_PER_BATCH = 16  # Files that a thread takes at a time: most are known, and cost less than handing over.


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
    """Return the sources by key, of each key the first, without copies of entries' files; and all rejects.

    Further PDFs of a library's entry are its supplements: KEY-S1, KEY-S2.
    """
    refused, sources = set(rejected), list(sources)
    taken = {source.key for source in sources}
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
        if _is_supplement(source, first):
            supplement = _supplement(source, taken)
            taken.add(supplement.key)
            kept[supplement.key] = supplement
        else:
            refused.add(_second_file(source, first))
    in_order = sorted(refused, key=attrgetter("path", "key", "reason", "detail"))
    return [kept[key] for key in sorted(kept)], in_order


def _holds_others(path: Path, tops: Container[str], files: Mapping[str, Path]) -> bool:
    """Return whether the file has a generic name in a folder that is a source and holds other files, too."""
    return (
        path.stem.lower() in GENERIC_STEMS
        and real_path(path.parent) in tops
        and any(path.parent in other.parents for other in files.values() if other != path)
    )


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
        return Rejected(Path(shown), own_key(Path(shown)), None, "unreadable name", detail)
    if not key:
        return Rejected(path, key, None, "unreadable name", "Its name gives no key. Rename it.")
    try:
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
    with suppress(OSError), open_file(path) as file:
        file.seek(-min(len(MARKED_COPY), os.fstat(file.fileno()).st_size), os.SEEK_END)
        return file.read() == MARKED_COPY
    return False


def _is_supplement(source: Source, first: Source) -> bool:
    """Return whether the source is another PDF of the entry that `first` is of, with content of its own."""
    same_entry = source.library is not None and (source.library, source.metadata) == (
        first.library,
        first.metadata,
    )
    return same_entry and source.sha256 != first.sha256 and not _is_marked_copy(source.path)


def _supplement(source: Source, taken: Container[str]) -> Source:
    """Return it under the first key of a supplement that is free, with a title that says what it is."""
    number = next(number for number in count(1) if f"{source.key}-S{number}" not in taken)
    title = f"{source.metadata.title or source.key}, supplement {number}"
    metadata = replace(source.metadata, title=title, doi=None, abstract=None)
    return replace(source, key=f"{source.key}-S{number}", metadata=metadata)


def _second_file(source: Source, kept: Source) -> Rejected:
    detail = (
        f"{str(kept.path)!r} has the same key and was kept. Rename one, or give each its own key in a .bib."
    )
    return Rejected(source.path, source.key, source.sha256, "duplicate key", detail)


def _second_entry(path: Path, key: str, other: Naming) -> Rejected:
    detail = f"{str(other.bibliography)!r} names it for this key; it was read as {key!r}. Keep one entry."
    return Rejected(path, other.entry.key, None, "duplicate entry", detail)
