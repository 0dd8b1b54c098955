"""A table of many papers as several Parquet files, of which a new paper changes few.

The papers, sorted by key, are cut where the hash of a key decides (content-defined chunking, as in
Muthitacharoen, Chen and Mazières, "A low-bandwidth network file system", SOSP 2001, section 3.1): a change in
one part does not move the borders of the others. Papers that came after the database was written whole are
late: they stand in parts of their own, so that they do not have their neighbours' rows written again. When
the database is written whole, all papers are cut anew (docs/decisions/0039-a-release-by-difference.md).
"""

import hashlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from pipeline.extractor import EXTRACTOR

PAPERS_A_PART = 8
"""Papers in a part, on average: few enough that a night with ten changed papers writes some hundred again."""


@dataclass(frozen=True)
class Part:
    """Some papers; `name` is the same for the same papers read by the same extractor."""

    name: str
    sources: tuple[Mapping[str, str], ...]

    @property
    def keys(self) -> list[str]:
        """Return the keys of its papers."""
        return [source["key"] for source in self.sources]

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
        return [part.keys for part in self.late]


def parts(
    sources: Sequence[Mapping[str, str]],
    late_before: Sequence[Sequence[str]] = (),
    fresh: Collection[str] = (),
) -> Parts:
    """Cut `sources` (rows with key and record, sorted by key) so that most parts stay.

    The release before had parts with the papers `late_before`, and lacks those that are `fresh`: late now.
    """
    late = {*fresh, *(key for keys in late_before for key in keys)}
    settled = [_part(group) for group in _groups(one for one in sources if one["key"] not in late)]
    by_key = {source["key"]: source for source in sources if source["key"] in late}
    left = by_key.keys() - fresh
    kept = [keys for keys in late_before if left.issuperset(keys)]
    whole = [keys for keys in kept if len(keys) >= PAPERS_A_PART]
    if len(kept) - len(whole) >= PAPERS_A_PART:  # else a year of nights with a paper would leave 365
        kept = whole
    rest = sorted(by_key.keys() - {key for keys in kept for key in keys})
    cuts = [rest[first : first + PAPERS_A_PART] for first in range(0, len(rest), PAPERS_A_PART)]
    return Parts(settled, [_part([by_key[key] for key in keys]) for keys in (*kept, *cuts)])


def _groups(sources: Iterable[Mapping[str, str]]) -> Iterator[list[Mapping[str, str]]]:
    group: list[Mapping[str, str]] = []
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


def _part(group: Sequence[Mapping[str, str]]) -> Part:
    digest = hashlib.sha256(EXTRACTOR.encode())
    for source in group:
        digest.update(f"\0{source['key']}\0{source['record']}".encode())
    return Part(digest.hexdigest()[:20], tuple(group))
