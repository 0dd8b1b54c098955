"""Matches entries of a library that no file serves with PDFs, by what the PDFs print of themselves."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from lookup.text.folding import blind, fold
from pipeline.libraries.entries import LibraryEntry, Metadata


@dataclass(frozen=True)
class Printed:
    """What a PDF says of itself: its metadata, the identifier in arXiv's stamp, and its number of pages.

    `front` are the letters and digits (`blind`) of its first pages, where title or authors are not known.
    """

    metadata: Metadata
    arxiv: str | None = None
    pages: int = 0
    front: str = ""


def matches(entries: Iterable[LibraryEntry], printed: Mapping[Path, Printed]) -> dict[Path, LibraryEntry]:
    """Return the entry of each PDF that has one, no entry and no PDF twice.

    The same DOI decides before the same arXiv identifier, and that before title and first author, which at
    last may stand anywhere on the first pages of a PDF whose own title or authors are not known. Of several
    PDFs that fit an entry, such as a paper and its supplement, it is that with the entry's title, then that
    of its year, then the longest.
    """
    found: dict[Path, LibraryEntry] = {}
    lost = sorted(entries, key=lambda entry: entry.key)
    for proof in (_by_doi, _by_arxiv, _by_title, _by_front):
        candidates = proof({path: one for path, one in printed.items() if path not in found})
        for entry in lost:
            if fit := [path for path in candidates(entry) if path not in found]:
                found[min(fit, key=lambda path: _rank(entry, path, printed[path]))] = entry
        taken = {entry.key for entry in found.values()}
        lost = [entry for entry in lost if entry.key not in taken]
    return found


_Candidates = Callable[[LibraryEntry], Sequence[Path]]


def _by_doi(printed: Mapping[Path, Printed]) -> _Candidates:
    index = _index((one.metadata.doi, path) for path, one in printed.items())
    return lambda entry: index.get(entry.metadata.doi or "", ())


def _by_arxiv(printed: Mapping[Path, Printed]) -> _Candidates:
    index = _index((one.arxiv and one.arxiv.lower(), path) for path, one in printed.items())
    return lambda entry: index.get(entry.arxiv or "", ())


def _by_title(printed: Mapping[Path, Printed]) -> _Candidates:
    index = _index((name, path) for path, one in printed.items() for name in _families(one.metadata.authors))

    def candidates(entry: LibraryEntry) -> list[Path]:
        found = {path for name in _families(entry.metadata.authors[:1]) for path in index.get(name, ())}
        return [path for path in sorted(found) if _same_work(entry.metadata, printed[path].metadata)]

    return candidates


def _by_front(printed: Mapping[Path, Printed]) -> _Candidates:
    fronts = {path: one.front for path, one in printed.items() if one.front}

    def candidates(entry: LibraryEntry) -> list[Path]:
        title = blind(fold(entry.metadata.title or ""))
        families = set(_families(entry.metadata.authors[:1]))
        if len(title) < _LETTERS:
            return []
        return [
            path
            for path, front in fronts.items()
            if title in front and any(name in front for name in families)
        ]

    return candidates


_LETTERS = 20  # Letters and digits of a title that are not found in other words by chance.


def _index(named: Iterable[tuple[str | None, Path]]) -> Mapping[str, Sequence[Path]]:
    index: defaultdict[str, list[Path]] = defaultdict(list)
    for name, path in named:
        if name:
            index[name].append(path)
    return index


def _families(authors: Iterable[str]) -> Iterator[str]:
    """Yield the family names, also without their particles: 'van der Berg', 'Berg'."""
    for author in authors:
        family = author.partition(",")[0]
        yield from {blind(fold(name)) for name in (family, *family.split()[-1:])}


_WORDS = 5  # Words that a title needs to be known by its beginning: subtitles are often left out.


def _same_work(entry: Metadata, printed: Metadata) -> bool:
    """Return whether the titles are the same, or, unless the DOIs differ, one begins the other."""
    if _same_title(entry, printed):
        return True
    short, long = sorted((_words(entry), _words(printed)), key=len)
    same_doi = not (entry.doi and printed.doi) or entry.doi == printed.doi
    return same_doi and len(short) >= _WORDS and _begins(long, short)


_CUT = 3  # Letters that a word needs to be one that was cut: "I" is not the beginning of "II".


def _begins(title: Sequence[str], words: Sequence[str]) -> bool:
    """Return whether the title begins with the words, of which the last may have been cut."""
    *whole, last = words
    met = title[len(whole)]
    return title[: len(whole)] == whole and (met == last or (len(last) >= _CUT and met.startswith(last)))


def _same_title(entry: Metadata, printed: Metadata) -> bool:
    title = blind(fold(entry.title or ""))
    return bool(title) and title == blind(fold(printed.title or ""))


def _words(metadata: Metadata) -> list[str]:
    return [word for part in fold(metadata.title or "").replace("-", " ").split() if (word := blind(part))]


def _rank(entry: LibraryEntry, path: Path, one: Printed) -> tuple[bool, bool, int, Path]:
    year = one.metadata.year == entry.metadata.year
    return not _same_title(entry.metadata, one.metadata), not year, -one.pages, path
