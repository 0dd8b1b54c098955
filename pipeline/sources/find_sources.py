"""Finds the files that become papers: their paths, joined with the entries of libraries that name them."""

import os
import re
import unicodedata
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import chain, count
from pathlib import Path

from lookup.errors import SourceError
from lookup.storage.object_path import ObjectPath, place
from lookup.storage.untrusted_files import open_file
from pipeline.files.known_contents import KnownContents
from pipeline.formats import LARGEST, MARKED_COPY
from pipeline.libraries.entries import LibraryEntry, Metadata
from pipeline.libraries.read_library import NAMES_NO_PDF, library_at, read_library
from pipeline.sources.files import (
    absolute,
    article_texts,
    before_wildcards,
    each_once,
    is_folder,
    is_there,
    named_files,
    real_path,
)
from pipeline.sources.source import (
    GENERIC_STEMS,
    NO_PDF,
    ArticleText,
    Rejected,
    Source,
    metadata_of_name,
    own_key,
    told_in_order,
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
    in `bibliographies` adds no file. The entries of both give keys and metadata:

    - to the files at their paths; of several files of one entry the first is the paper; - an entry none of
    whose paths exists: to a file by its name and, where several have that name, by the folders before it; -
    an entry without paths: to the file whose own key is the entry's.

    Any other file has its stem as its key, or its folder's name (GENERIC_STEMS), unless that folder is the
    source and holds others, too; an entry without a file is rejected. `name_sources` looks into the files for
    both. A file reached in several ways counts once. The result does not depend on the order of the
    arguments. Raises SourceError for an argument that does not exist or leads to no file.
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
    added = {file for one in entries if one.adds for file in one.entry.files}
    paths |= {file for file in added if is_there(file, objects)}
    if not (paths or rejected):
        _refuse_libraries([one for one in entries if one.adds], added)
    files = each_once(paths)
    tops = {real_path(top) for name in named if is_folder(top := before_wildcards(place(name)))}
    own = {
        file: own_key(path, in_own_folder=not _holds_others(path, tops, files))
        for file, path in files.items()
    }
    owners = _owners(entries, files, own, objects)
    rejected.update(_without_pdf(entries, files, owners, objects))
    texts = article_texts(files, {file: each[0].entry.key for file, each in owners.items()})
    files = {file: path for file, path in files.items() if path not in set(texts.values())}

    def read(item: tuple[str, Path]) -> Source | Rejected:
        file, path = item
        if file in owners:
            entry = owners[file][0].entry
            source = _read(path, entry.key, objects, entry.metadata, owners[file][0].library)
        else:
            source = _read(path, own[file], objects, metadata_of_name(path.stem))
        if file not in texts or isinstance(source, Rejected):
            return source
        text = _read(texts[file], source.key, objects)
        return replace(source, text=ArticleText(text.path, text.sha256)) if isinstance(text, Source) else text

    ordered = sorted(files.items(), key=lambda one: (_place_in_entry(one[0], one[1], owners), one[1].parts))
    some = [ordered[start : start + _FILES_PER_BATCH] for start in range(0, len(ordered), _FILES_PER_BATCH)]
    with ThreadPoolExecutor(max(_THREADS, os.cpu_count() or 1)) as threads:
        found = list(chain.from_iterable(threads.map(lambda items: list(map(read, items)), some)))
    for file, (first, *others) in owners.items():
        for other in others if file in files else ():
            detail = f"{str(other.library)!r} names it for this key; it was read as {first.entry.key!r}. "
            detail += "Keep one entry."
            rejected.add(Rejected(files[file], other.entry.key, None, "duplicate entry", detail))
    rejected |= {one for one in found if isinstance(one, Rejected)}
    sources = [one for one in found if isinstance(one, Source)]
    by_path = sorted(sources, key=lambda one: one.path.parts, reverse=True)
    text_of = {one.sha256: one.text for one in by_path if one.text is not None}  # also that of copies
    return [replace(one, text=text_of.get(one.sha256)) for one in sources], list(rejected)


_FILES_PER_BATCH = 16  # Files that a thread takes at a time: most are known, and cost less than handing over.

_THREADS = 8  # Files that are read at a time, at least: while one is hashed or waited for, others are read.


@dataclass(frozen=True)
class _Entry:
    """An entry, its library, and whether that library is a source, whose entries add files."""

    entry: LibraryEntry
    library: Path
    adds: bool


def _entries(libraries: Iterable[tuple[Path, bool]], rejected: set[Rejected]) -> list[_Entry]:
    """Return the entries of the libraries, those of sources first; add broken ones to `rejected`."""
    entries: list[_Entry] = []
    for path, adds in libraries:
        library = read_library(path)
        rejected |= {Rejected(path, "", None, "broken entry", problem) for problem in library.problems}
        entries += [_Entry(entry, path, adds) for entry in library.entries]
    return sorted(entries, key=lambda one: (not one.adds, one.entry.key, one.library))


def _refuse_libraries(entries: Sequence[_Entry], files: Iterable[Path]) -> None:
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


_Owners = Mapping[str, Sequence[_Entry]]
"""By real path of a found file, the entries that name it, one for each key; the first gives the key."""


def _owners(
    entries: Iterable[_Entry], files: Mapping[str, Path], own_keys: Mapping[str, str], objects: Objects
) -> _Owners:
    """Return the owners of the files by path; of an entry without an existing path by name, else by key.

    Of several files with a name, it is the one whose path has the longest end in common with the entry's.
    """
    owners: defaultdict[str, list[_Entry]] = defaultdict(list)
    lost: list[_Entry] = []
    for one in entries:
        reached = {real_path(file) for file in one.entry.files} & files.keys()
        for file in reached:
            if all(one.entry.key != other.entry.key for other in owners[file]):
                owners[file].append(one)
        if not reached and not any(is_there(file, objects) for file in one.entry.files):
            lost.append(one)
    named: defaultdict[str, list[str]] = defaultdict(list)
    keyed: defaultdict[str, list[str]] = defaultdict(list)
    for file, path in files.items() if lost else ():
        named[_tail(path)[0]].append(file)
        keyed[own_keys[file]].append(file)
    claims: defaultdict[str, list[_Entry]] = defaultdict(list)
    for one in lost:
        tails = set(chain.from_iterable(map(_tails, one.entry.files)))
        meant = [_most_alike(tail, named[tail[0]], files) for tail in tails] or [keyed[one.entry.key]]
        for found in meant:
            if len(found) == 1 and found[0] not in owners:
                claims[found[0]].append(one)
    alone = {file: each[:1] for file, each in claims.items() if len({one.entry.key for one in each}) == 1}
    return owners | alone


def _most_alike(tail: tuple[str, ...], found: Sequence[str], files: Mapping[str, Path]) -> list[str]:
    """Return those of the found files whose path has the longest end in common with `tail`."""
    alike = [len(os.path.commonprefix([tail, _tail(files[file])])) for file in found]  # noqa: RUF071  # parts
    return [file for file, length in zip(found, alike, strict=True) if length == max(alike)]


def _tail(path: Path) -> tuple[str, ...]:
    """Return the parts of a path from its end, whatever slashes and normal form it has."""
    return tuple(reversed(re.split(r"[/\\]", unicodedata.normalize("NFC", str(path)))))


def _tails(file: Path) -> set[tuple[str, ...]]:
    """Return the tail of a file as an entry writes it, and without LaTeX."""
    from pipeline.libraries.bibtex import plain_name  # noqa: PLC0415  # a folder of PDFs does without

    return {_tail(file), _tail(Path(plain_name(str(file))))}


def _without_pdf(
    entries: Iterable[_Entry], files: Mapping[str, Path], owners: _Owners, objects: Objects
) -> Iterator[Rejected]:
    """Yield the entries that no found file serves: of libraries that are sources with the missing file."""
    served = {(one.entry.key, _tail(files[file])[0]) for file, each in owners.items() for one in each}
    served_keys = {key for key, _ in served}
    for one in entries:
        entry = one.entry
        lost = None if entry.key in served_keys else entry
        for path in entry.files if one.adds else ():
            if not is_there(path, objects) and served.isdisjoint(
                (entry.key, tail[0]) for tail in _tails(path)
            ):
                detail = f"{str(one.library)!r} names it. Put it there, or correct the entry."
                yield Rejected(path, entry.key, None, "missing file", detail, lost)
        if lost and not (one.adds and entry.files):
            known = filter(None, (entry.metadata.doi, entry.arxiv, entry.metadata.title))
            about = ", ".join(known) or "no DOI, no title"
            detail = f"The library has this entry ({about}), but no PDF of it. Add its PDF to the sources."
            yield Rejected(one.library, entry.key, None, NO_PDF, detail, entry)


def _place_in_entry(file: str, path: Path, owners: _Owners) -> int:
    """Return the place of the file in its entry: of several files of one entry, the first is the paper."""
    named, name = owners[file][0].entry.files if file in owners else (), _tail(path)[0]
    same = (real_path(one) == file or name in (tail[0] for tail in _tails(one)) for one in named)
    return next((place for place, is_it in enumerate(same) if is_it), 0)


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
        same_entry = source.library and (source.library, source.metadata) == (first.library, first.metadata)
        if same_entry and source.sha256 != first.sha256 and not _is_marked_copy(source.path):
            number = next(number for number in count(1) if f"{source.key}-S{number}" not in taken)
            title = f"{source.metadata.title or source.key}, supplement {number}"
            metadata = replace(source.metadata, title=title, doi=None, abstract=None)
            supplement = replace(source, key=f"{source.key}-S{number}", metadata=metadata)
            taken.add(supplement.key)
            kept[supplement.key] = supplement
        else:
            detail = f"{str(first.path)!r} has the same key and was kept. "
            detail += "Rename one, or give each its own key in a .bib."
            refused.add(Rejected(source.path, source.key, source.sha256, "duplicate key", detail))
    return [kept[key] for key in sorted(kept)], told_in_order(refused)


def _holds_others(path: Path, tops: Container[str], files: Mapping[str, Path]) -> bool:
    """Return whether the file has a generic name in a folder that is a source and holds other files, too."""
    return (
        path.stem.lower() in GENERIC_STEMS
        and real_path(path.parent) in tops
        and any(path.parent in other.parents for other in files.values() if other != path)
    )


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


def _is_marked_copy(path: Path) -> bool:
    """Return whether PageQuote wrote the file as a copy with marks: that never replaces its original."""
    if isinstance(path, ObjectPath):
        return False
    with suppress(OSError), open_file(path) as file:
        file.seek(-min(len(MARKED_COPY), os.fstat(file.fileno()).st_size), os.SEEK_END)
        return file.read() == MARKED_COPY
    return False
