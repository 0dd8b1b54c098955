"""Finds the versions of one work: a preprint and its revisions, a manuscript and the printed paper.

They are linked, never merged: each has its own words on its own pages.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import PurePath
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from lookup.text.folding import blind, fold
from pipeline.libraries.entries import ARXIV

Identity = TypeVar("Identity", str, int)  # What papers share with their versions, or its hash.
LINKING = 1  # Version of the rules below; raised when they link other papers.

_TITLE = 20
"""Letters and digits in a title that identifies a work of its authors; "Editorial" or "Reply to comments" do
not."""

_MOST = 50
"""Papers that may share an identity: what more papers share, such as the name of a journal, identifies no
work."""

_HASH = 8
"""Bytes of an identity's hash: among the 3,000,000 of a million papers two differing ones share a hash with a
probability of 2 x 10^-7, and two papers would be linked that are not one work."""

_ARXIV_DOI = re.compile(rf"10\.48550/arxiv\.{ARXIV}", re.IGNORECASE)
_ARXIV_NAME = re.compile(ARXIV)
_DOI_VERSION = re.compile(r"(?<![a-z])[./-]?v\d+$")
"""How registrants number the versions of a preprint within its DOI: '...123456v2', '...-abcde-v2',
'.../v1'."""


def identities(paper: Mapping[str, Any], stamp: str | None) -> frozenset[str]:
    """Return what a paper (a row of `papers`, with its `arxiv_stamp`) shares only with its versions."""
    return frozenset(_identities(paper, stamp))


def hashed(identity: str) -> int:
    """Return the hash of an identity, an unsigned integer of 64 bits."""
    return int.from_bytes(hashlib.blake2b(identity.encode(), digest_size=_HASH).digest())


def shared_by_few(hashes: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """Return, sorted, the hashes that are there more than once and not too often; sort `hashes` in place."""
    hashes.sort()
    again, times = np.unique(hashes[1:][hashes[1:] == hashes[:-1]], return_counts=True)
    few: npt.NDArray[np.uint64] = again[times < _MOST]
    return few


def linked(known: Mapping[str, frozenset[Identity]]) -> dict[str, list[str]]:
    """Return for each key the other keys of its work, sorted: those connected by shared identities."""
    groups: dict[str, set[str]] = {}
    by_identity: dict[Identity, str] = {}
    shared = Counter(identity for names in known.values() for identity in names)
    for key in sorted(known):
        groups[key] = {key}
        for identity in sorted(one for one in known[key] if shared[one] <= _MOST):
            other = by_identity.setdefault(identity, key)
            if groups[other] is not groups[key]:
                together = groups[other] | groups[key]
                groups.update(dict.fromkeys(together, together))
    return {key: sorted(group - {key}) for key, group in groups.items()}


def _identities(paper: Mapping[str, Any], stamp: str | None) -> Iterator[str]:
    yield f"sha256 {paper['sha256']}"
    if doi := paper.get("doi"):
        arxiv = _ARXIV_DOI.fullmatch(doi)
        yield f"arxiv {arxiv[1].lower()}" if arxiv else f"doi {_DOI_VERSION.sub('', doi.lower())}"
    if named := _ARXIV_NAME.fullmatch(PurePath(paper["path"]).stem):
        yield f"arxiv {named[1].lower()}"
    if stamp:
        yield f"arxiv {stamp.lower()}"
    title = blind(fold(paper.get("title") or ""))
    families = sorted(blind(fold(author.partition(",")[0])) for author in paper.get("authors") or ())
    if len(title) >= _TITLE and families:
        yield f"title {title} by {' '.join(families)}"
