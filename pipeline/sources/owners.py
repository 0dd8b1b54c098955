"""Finds which entry of a library names a file: by its path, by its name, or by its key."""

import os
import re
import unicodedata
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from lookup.errors import SourceError
from pipeline.libraries.entries import LibraryEntry
from pipeline.libraries.read_library import NAMES_NO_PDF, read_library
from pipeline.sources.named_files import is_there, real_path
from pipeline.sources.source import NO_PDF, Rejected
from pipeline.storage.object_sources import Objects


@dataclass(frozen=True)
class Naming:
    """An entry, its library, and whether that library is a source."""

    entry: LibraryEntry
    bibliography: Path
    adds_files: bool


def namings_of(bibliographies: set[Path], rejected: set[Rejected], *, adds_files: bool) -> Iterator[Naming]:
    """Yield the entries of the libraries; add to `rejected` those that cannot be read."""
    for path in bibliographies:
        bibliography = read_library(path)
        rejected |= {Rejected(path, "", None, "broken entry", problem) for problem in bibliography.problems}
        yield from (Naming(entry, path, adds_files) for entry in bibliography.entries)


def check_any(namings: Sequence[Naming], paths: Container[Path], rejected: Container[Rejected]) -> None:
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


def owners_of(
    namings: Iterable[Naming], files: Mapping[str, Path], own_keys: Mapping[str, str], objects: Objects
) -> dict[str, list[Naming]]:
    """Return for each found file the entries that name it, one for each key; the first gives the key."""
    owners: defaultdict[str, list[Naming]] = defaultdict(list)
    lost: list[Naming] = []
    for each in sorted(namings, key=lambda one: (not one.adds_files, one.entry.key, one.bibliography)):
        reached = {real_path(file) for file in each.entry.files} & files.keys()
        for file in reached:
            if all(each.entry.key != other.entry.key for other in owners[file]):
                owners[file].append(each)
        if not reached and not any(is_there(file, objects) for file in each.entry.files):
            lost.append(each)
    return dict(owners) | (_owners_by_name(lost, files, own_keys, taken=owners.keys()) if lost else {})


def _owners_by_name(
    lost: Iterable[Naming], files: Mapping[str, Path], own_keys: Mapping[str, str], taken: Container[str]
) -> dict[str, list[Naming]]:
    """Return the same for entries without an existing path: by name, of several the one in alike folders.

    An entry that names no file belongs to the file whose own key is the entry's.
    """
    named: defaultdict[str, list[str]] = defaultdict(list)
    keyed: defaultdict[str, list[str]] = defaultdict(list)
    for file, path in files.items():
        named[_tail(path)[0]].append(file)
        keyed[own_keys[file]].append(file)
    claims: defaultdict[str, list[Naming]] = defaultdict(list)
    for each in lost:
        written = [(tail, named[tail[0]]) for file in each.entry.files for tail in _tails(file)]
        meant = [_most_alike(tail, found, files) for tail, found in written]
        for found in meant or [keyed[each.entry.key]]:
            if len(found) == 1 and found[0] not in taken and each not in claims[found[0]]:
                claims[found[0]].append(each)
    return {
        file: each[:1] for file, each in claims.items() if each and len({one.entry.key for one in each}) == 1
    }


def _most_alike(tail: tuple[str, ...], found: Sequence[str], files: Mapping[str, Path]) -> list[str]:
    """Return those of the found files whose path has the longest end in common with `tail`."""
    alike = [len(os.path.commonprefix([tail, _tail(files[file])])) for file in found]  # noqa: RUF071  # parts
    return [file for file, length in zip(found, alike, strict=True) if length == max(alike, default=0)]


def _tail(path: Path) -> tuple[str, ...]:
    """Return the parts of a path from its end, whatever slashes and normal form it has."""
    return tuple(reversed(re.split(r"[/\\]", unicodedata.normalize("NFC", str(path)))))


def _tails(file: Path) -> set[tuple[str, ...]]:
    """Return the tail of a file as an entry writes it, and without LaTeX."""
    from pipeline.libraries.bibtex import plain_name  # noqa: PLC0415  # a folder of PDFs does without

    return {_tail(file), _tail(Path(plain_name(str(file))))}


def without_pdf(
    namings: Iterable[Naming],
    files: Mapping[str, Path],
    owners: Mapping[str, Iterable[Naming]],
    objects: Objects,
) -> Iterator[Rejected]:
    """Yield the entries that no found file serves: of libraries that are sources with the missing file."""
    served = {(each.entry.key, _tail(files[file])[0]) for file, namers in owners.items() for each in namers}
    served_keys = {key for key, _ in served}
    for each in namings:
        entry = each.entry
        lost = None if entry.key in served_keys else entry
        for path in entry.files if each.adds_files else ():
            names = () if is_there(path, objects) else {tail[0] for tail in _tails(path)}
            if names and all((entry.key, name) not in served for name in names):
                detail = f"{str(each.bibliography)!r} names it. Put it there, or correct the entry."
                yield Rejected(path, entry.key, None, "missing file", detail, lost)
        if lost and not (each.adds_files and entry.files):
            known = filter(None, (entry.metadata.doi, entry.arxiv, entry.metadata.title))
            about = ", ".join(known) or "no DOI, no title"
            detail = f"The library has this entry ({about}), but no PDF of it. Add its PDF to the sources."
            yield Rejected(each.bibliography, entry.key, None, NO_PDF, detail, entry)


def place_in_entry(file: str, path: Path, owners: Mapping[str, Sequence[Naming]]) -> int:
    """Return the place of the file in its entry: of several files of one entry, the first is the paper."""
    named, name = owners[file][0].entry.files if file in owners else (), _tail(path)[0]
    same = (
        i
        for i, other in enumerate(named)
        if real_path(other) == file or name in (tail[0] for tail in _tails(other))
    )
    return next(same, 0)
