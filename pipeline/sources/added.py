"""The papers that were added one by one: a library in the work folder, with copies of their PDFs.

Every build reads it. WORK/added/library.json is CSL JSON; each item names a PDF beside it.
"""

import json
import re
from collections.abc import Mapping, Sequence
from operator import attrgetter
from pathlib import Path
from typing import Any

from lookup.storage.object_path import Stranger
from pipeline.files.atomic import remove, write_atomically
from pipeline.formats import BESIDE
from pipeline.libraries.csl_json import read_csl_json
from pipeline.libraries.entries import LibraryEntry, Metadata
from pipeline.sources.files import real_path
from pipeline.sources.find_sources import find_sources
from pipeline.sources.source import Rejected, Source

_FOLDER = "added"
_LIBRARY = "library.json"


def added_library(work: Path) -> Path:
    """Return the path of the library of added papers."""
    return (work / _FOLDER / _LIBRARY).absolute()


def added_entries(work: Path) -> tuple[LibraryEntry, ...]:
    """Return the papers that were added to `work`; raise SourceError where their library is damaged.

    `add` writes names of files beside the library: an entry that names another place is not its work.
    """
    library = added_library(work)
    entries = read_csl_json(library).entries if library.exists() else ()
    folder = library.parent
    return tuple(
        one
        for one in entries
        if all(file.parent == folder and Stranger.ADDED.may_reach(file, folder) for file in one.files)
    )


def with_added(
    sources: Sequence[Source], rejected: Sequence[Rejected], work: Path
) -> tuple[list[Source], list[Rejected]]:
    """Return the sources of a build and the papers that were added to `work`, by key; and the rejects.

    The build's own sources come first: an added paper that they have with the same key and content is left
    out. One that they have under another key, or with other content under its key, is rejected with the
    reason 'added'.
    """
    library = added_library(work)
    if not library.exists():
        return list(sources), list(rejected)
    found, refused = find_sources([library])
    mine = {real_path(file) for entry in added_entries(work) for file in entry.files}
    by_key = {source.key: source for source in sources}
    by_content = {source.sha256: source for source in sources}
    kept: list[Source] = []
    for source in found:
        same, other = by_content.get(source.sha256), by_key.get(source.key)
        back = f"Take the added one back: `pagequote add --remove {source.key}`."
        if real_path(source.path) not in mine:
            detail = f"{str(library)!r} names it, and it is not beside that. Remove the item there."
        elif other is not None and other.sha256 == source.sha256:
            continue
        elif same is not None:
            detail = f"{same.path} is the same file, with the key {same.key!r}, which counts. {back}"
        elif other is not None:
            detail = f"{other.path} has the same key, and counts. {back}"
        else:
            kept.append(source)
            continue
        refused.append(Rejected(source.path, source.key, source.sha256, "added", detail))
    return sorted([*sources, *kept], key=attrgetter("key")), [*rejected, *refused]


def keep_file(work: Path, key: str, files: Mapping[str, bytes]) -> Path:
    """Write copies of the files of the paper `key`, by suffix, the paper first; return the path of that.

    It counts once `keep_entry` names it.
    """
    suffix = next(iter(files))
    stem = re.sub(r"[^\w.+-]", "_", key)[:_LONGEST].lstrip(".") or "paper"
    taken = {entry.files[0] for entry in added_entries(work) if entry.files and entry.key != key}
    names = (f"{stem}{f'-{number}' if number else ''}{suffix}" for number in range(len(taken) + 1))
    path = next(path for name in names if (path := (work / _FOLDER / name).absolute()) not in taken)
    for ending, data in files.items():
        write_atomically(path.with_suffix(ending), data, work)
    return path


_LONGEST = 120  # Characters of a key in a file's name: file systems allow names of 255 bytes.


def keep_entry(work: Path, entry: LibraryEntry) -> None:
    """Remember the paper, in place of another with the same key; `keep_file` wrote its files."""
    _write(work, [*(one for one in added_entries(work) if one.key != entry.key), entry])


def forget(work: Path, key: str) -> None:
    """Forget the paper, and remove its copy."""
    entries = added_entries(work)
    _write(work, [one for one in entries if one.key != key])
    for file in (file for one in entries if one.key == key for file in one.files):
        for one in (file, *map(file.with_suffix, BESIDE)):
            remove(one, work)


def _write(work: Path, entries: Sequence[LibraryEntry]) -> None:
    items = [_item(one) for one in sorted(entries, key=attrgetter("key"))]
    text = json.dumps(items, ensure_ascii=False, indent=1) + "\n"
    write_atomically(work / _FOLDER / _LIBRARY, text.encode(), work)


def _item(entry: LibraryEntry) -> dict[str, Any]:
    metadata = entry.metadata
    item: dict[str, Any] = {
        "id": entry.key,
        "citation-key": entry.key,
        "type": "article",
        "file": entry.files[0].name,
        "title": _escaped(metadata.title),
        "author": [{"literal": name} for name in metadata.authors],
        "issued": {"date-parts": [[metadata.year]]} if metadata.year else None,
        "DOI": metadata.doi,
        "container-title": _escaped(metadata.venue),
        "abstract": _escaped(metadata.abstract),
    }
    return {name: value for name, value in item.items() if value}


def _escaped(text: str | None) -> str | None:
    """Escape text for a field in which CSL has markup."""
    return text and text.replace("&", "&amp;").replace("<", "&lt;")


def metadata_of(row: dict[str, Any]) -> Metadata:
    """Return the metadata of a row of the state."""
    return Metadata(
        row["title"], tuple(row["authors"] or ()), row["year"], row["doi"], row["venue"], row["abstract"]
    )
