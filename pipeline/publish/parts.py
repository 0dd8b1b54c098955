"""A table of many papers as several Parquet files, of which a new paper changes one.

The papers, sorted by key, are cut where the hash of a key decides (content-defined chunking, as in
Muthitacharoen, Chen and Mazières, "A low-bandwidth network file system", SOSP 2001, section 3.1): a change in
one part does not move the borders of the others.
"""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

PAPERS_A_PART = 8
"""Papers in a part, on average: few enough that a night with ten new papers writes some hundred again."""


@dataclass(frozen=True)
class Part:
    """Papers with neighbouring keys; `name` is the same for the same papers read by the same extractor."""

    name: str
    sources: tuple[dict[str, Any], ...]

    def name_with(self, model: str) -> str:
        """Return the name of the same papers' vectors by this model."""
        return hashlib.sha256(f"{self.name}\0{model}".encode()).hexdigest()[:20]


def parts(sources: Sequence[dict[str, Any]], extractor: str) -> Iterator[Part]:
    """Cut `sources` (rows with key and record, sorted by key) into parts."""
    group: list[dict[str, Any]] = []
    for source in sources:
        if group and _begins_part(source["key"]):
            yield _part(group, extractor)
            group = []
        group.append(source)
    if group:
        yield _part(group, extractor)


def _begins_part(key: str) -> bool:
    digest = hashlib.sha256(key.encode()).digest()
    return int.from_bytes(digest[:8]) % PAPERS_A_PART == 0


def _part(group: Sequence[dict[str, Any]], extractor: str) -> Part:
    digest = hashlib.sha256(extractor.encode())
    for source in group:
        digest.update(f"\0{source['key']}\0{source['record']}".encode())
    return Part(digest.hexdigest()[:20], tuple(group))
