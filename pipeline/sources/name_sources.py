"""Settles the entry and key of each source by what its PDF prints."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from pipeline.sources.file_names import completed
from pipeline.sources.find_sources import without_doubles
from pipeline.sources.keys import Keys, is_fit, is_made_of, made_key, unused
from pipeline.sources.match_entries import Printed, matches
from pipeline.sources.source import GENERIC_STEMS, Rejected, Source


@dataclass(frozen=True)
class NamedSources:
    """The sources by key, the rejects by path; entries with and without a PDF, PDFs without an entry."""

    sources: list[Source] = field(default_factory=list)
    rejected: list[Rejected] = field(default_factory=list)
    with_pdf: int = 0
    without_pdf: tuple[str, ...] = ()
    without_entry: tuple[str, ...] = ()


def name_sources(
    candidates: Sequence[Source],
    rejected: Sequence[Rejected],
    printed: Mapping[str, Printed],
    keys: Keys,
    before: Mapping[str, str],
    unread: Collection[str] = (),
    own_library: Path | None = None,
) -> NamedSources:
    """Return the sources with their entries and keys, no key twice.

    `printed` is by SHA-256. A source whose PDF is an entry without a file becomes that entry's paper. Any
    other that no library names has the key that `keys` says; one that a build made `before` (by path, and by
    SHA-256) stays, so that a new paper changes no key. Sources that are still `unread` have the keys of the
    last build or of their names for now, twice or not. `own_library` is that of added papers, which says
    nothing of other PDFs.
    """
    entries = {one.entry.key: one.entry for one in rejected if one.entry is not None}
    free = {one.path: printed[one.sha256] for one in candidates if not one.library and one.sha256 in printed}
    library = {one.entry.key: one.path for one in rejected if one.entry is not None}
    matched = matches(entries.values(), free)
    served = {entry.key for entry in matched.values()}
    settled = [
        replace(one, key=entry.key, metadata=entry.metadata, library=library[entry.key])
        if (entry := matched.get(one.path))
        else one
        for one in candidates
    ]
    settled.sort(key=lambda one: one.library is None)
    refused = [one for one in rejected if one.entry is None or one.entry.key not in served]
    named = _with_keys(settled, printed, keys, before)
    waiting = {one.path for one in named if not one.library and one.sha256 in unread}
    later = [replace(one, key=_before(one, before) or one.key) for one in named if one.path in waiting]
    kept, refused = without_doubles((one for one in named if one.path not in waiting), refused)
    without = tuple(sorted({one.entry.key for one in refused if one.entry is not None}))
    of_library = [one for one in kept if one.library not in (None, own_library)]
    strangers = [one for one in kept if not one.library] if of_library or without else []
    return NamedSources(
        sorted([*kept, *later], key=lambda one: (one.key, one.path)),
        sorted(refused, key=lambda one: (one.path, one.key, one.reason, one.detail)),
        len(of_library),
        without,
        tuple(one.key for one in strangers),
    )


def _with_keys(
    sources: Sequence[Source], printed: Mapping[str, Printed], keys: Keys, before: Mapping[str, str]
) -> list[Source]:
    """Return the sources; those that no library names have the keys that `keys` says."""
    if keys == "file":
        return list(sources)
    stay = {one.path for one in sources if one.library or one.sha256 not in printed or _stays(one, keys)}
    named = [one for one in sources if one.path in stay]
    taken = {one.key for one in named}
    made = [
        (one, made_key(completed(one.metadata, printed[one.sha256].metadata), one.key))
        for one in sources
        if one.path not in stay
    ]
    made.sort(key=lambda each: (not _was(each[0], each[1], before), each[1], each[0].sha256, each[0].path))
    for one, base in made:
        was = _before(one, before)
        key = was if _was(one, base, before) and was not in taken else unused(base, taken)
        taken.add(key)
        named.append(replace(one, key=key))
    return named


def _was(source: Source, made: str, before: Mapping[str, str]) -> bool:
    """Return whether the last build gave the source a key made of `made`."""
    return is_made_of(_before(source, before), made)


def _before(source: Source, before: Mapping[str, str]) -> str:
    return before.get(str(source.path)) or before.get(source.sha256, "")


def to_look_into(candidates: Sequence[Source], rejected: Sequence[Rejected], keys: Keys) -> set[str]:
    """Return the SHA-256 of the sources whose PDF decides their key."""
    lost = any(one.entry is not None for one in rejected)
    return {
        one.sha256
        for one in candidates
        if not one.library and (lost or (keys != "file" and not _stays(one, keys)))
    }


def _stays(source: Source, keys: Keys) -> bool:
    """Return whether the name of the file is the key."""
    return keys == "auto" and is_fit(source.key) and source.key.lower() not in GENERIC_STEMS
