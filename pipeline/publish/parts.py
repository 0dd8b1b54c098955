"""A table of many papers as several Parquet files, of which a new paper changes few.

The papers, sorted by key, are cut where the hash of a key decides (content-defined chunking, as in
Muthitacharoen, Chen and Mazières, "A low-bandwidth network file system", SOSP 2001, section 3.1): a change in
one part does not move the borders of the others. Papers that came after the database was written whole are
late: they stand in parts of their own, so that they do not have their neighbours' rows written again. When
the database is written whole, all papers are cut anew (docs/decisions/0039-a-release-by-difference.md).
"""

import hashlib
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

PAPERS_A_PART = 8
"""Papers in a part, on average: few enough that a night with ten changed papers writes some hundred again."""


@dataclass(frozen=True)
class Part:
    """Some papers; `name` is the same for the same papers read by the same extractor."""

    name: str
    sources: tuple[dict[str, Any], ...]

    def name_with(self, model: str) -> str:
        """Return the name of the same papers' vectors by this model."""
        return hashlib.sha256(f"{self.name}\0{model}".encode()).hexdigest()[:20]


@dataclass(frozen=True)
class Parts:
    """The parts of a release: papers with neighbouring keys, and those that came late."""

    settled: Sequence[Part]
    late: Sequence[Part] = ()

    @property
    def all(self) -> list[Part]:
        """Return all parts, the late ones last."""
        return [*self.settled, *self.late]

    @property
    def late_keys(self) -> list[list[str]]:
        """Return the keys of the papers of each late part."""
        return [[source["key"] for source in part.sources] for part in self.late]


def parts(sources: Sequence[dict[str, Any]], extractor: str) -> Parts:
    """Cut `sources` (rows with key and record, sorted by key) into parts, none of them late."""
    return Parts([_part(group, extractor) for group in _groups(sources)])


def parts_after(
    late_before: Sequence[Sequence[str]],
    fresh: Collection[str],
    sources: Sequence[dict[str, Any]],
    extractor: str,
) -> Parts:
    """Cut `sources` so that most parts are those of the release before.

    That one had parts with these late papers, and lacks the papers `fresh`, which are late now.
    """
    late = {*fresh, *(key for keys in late_before for key in keys)}
    settled = parts([source for source in sources if source["key"] not in late], extractor).settled
    by_key = {source["key"]: source for source in sources if source["key"] in late}
    left = by_key.keys() - fresh
    kept = [keys for keys in late_before if left.issuperset(keys)]
    if sum(map(_is_small, kept)) >= PAPERS_A_PART:  # else a year of nights with a paper would leave 365
        kept = [keys for keys in kept if not _is_small(keys)]
    rest = sorted(by_key.keys() - {key for keys in kept for key in keys})
    cuts = [rest[first : first + PAPERS_A_PART] for first in range(0, len(rest), PAPERS_A_PART)]
    return Parts(settled, [_part([by_key[key] for key in keys], extractor) for keys in (*kept, *cuts)])


def _is_small(papers: Sequence[str]) -> bool:
    return len(papers) < PAPERS_A_PART


def _groups(sources: Sequence[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    group: list[dict[str, Any]] = []
    for source in sources:
        if group and _begins_part(source["key"]):
            yield group
            group = []
        group.append(source)
    if group:
        yield group


def _begins_part(key: str) -> bool:
    digest = hashlib.sha256(key.encode()).digest()
    return int.from_bytes(digest[:8]) % PAPERS_A_PART == 0


def _part(group: Sequence[dict[str, Any]], extractor: str) -> Part:
    digest = hashlib.sha256(extractor.encode())
    for source in group:
        digest.update(f"\0{source['key']}\0{source['record']}".encode())
    return Part(digest.hexdigest()[:20], tuple(group))
