"""Finds the versions of one work: a preprint and its revisions, a manuscript and the printed paper.

They are linked, never merged: each has its own words on its own pages.
"""

import hashlib
import re
from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePath
from typing import Any

import numpy as np

from lookup.text.folding import blind, fold
from pipeline.libraries.entries import ARXIV

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


def linked(papers: Iterable[tuple[str, Iterable[str]]]) -> dict[str, list[str]]:
    """Return for each key the other keys of its work, sorted, where there are some.

    `papers` are keys, each with the `identities` of its paper. Of each paper its key is held, and hashes.
    """
    keys: list[str] = []
    hashes, owners = array("Q"), array("Q")
    for number, (key, of_paper) in enumerate(papers):
        keys.append(key)
        for identity in set(of_paper):
            hashes.append(int.from_bytes(hashlib.blake2b(identity.encode(), digest_size=_HASH).digest()))
            owners.append(number)
    _, place, times = np.unique(np.array(hashes), return_inverse=True, return_counts=True)
    sharing: defaultdict[int, list[str]] = defaultdict(list)
    for one in np.flatnonzero((times[place] > 1) & (times[place] <= _MOST)).tolist():
        sharing[hashes[one]].append(keys[owners[one]])
    groups: dict[str, set[str]] = {}
    for alike in sharing.values():
        together = set[str]().union(*(groups.get(key, {key}) for key in alike))
        groups.update(dict.fromkeys(together, together))
    return {key: sorted(group - {key}) for key, group in groups.items() if len(group) > 1}


def identities(paper: Mapping[str, Any], stamp: str | None) -> Iterator[str]:
    """Yield what a paper (a row of `papers`, with its `arxiv_stamp`) shares only with its versions."""
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
