"""Sentences near a query in meaning, across papers, each with the sentences before and after it."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from lookup.errors import QueryError
from lookup.reader import Reader

MATCH_THRESHOLD = 0.5
"""Cosine from which sentences are worth showing, if the caller names none."""

_PROSE = ("body", "list")
"""Kinds whose sentences are read on from one paragraph of a section to the next."""

_PAPER = ("title", "authors", "year", "doi", "venue")
_PLACE = (
    "key", "paragraph", "sentence", "section_sentence", "kind", "page", "page_label", "section_number", "section_title", "cursor",
)  # fmt: skip


@dataclass(frozen=True)
class SentenceMatch:
    """A sentence near a query in meaning, and the ones before and after it in its section; "" beyond its borders.

    With an `offset` the three are that many sentences further on, and all else is of the sentence that matched. `similarity` is the cosine
    of its vector with the query's. `section_sentence` and `paper_sentence` are 0-based indices within the section and the paper,
    `cursor` is where it begins in the paper's document text.
    """

    key: str
    title: str | None
    authors: tuple[str, ...]
    year: int | None
    doi: str | None
    venue: str | None
    page: int
    page_label: str | None
    section_number: str | None
    section_title: str | None
    kind: str
    paragraph: int
    sentence: int
    section_sentence: int
    paper_sentence: int
    cursor: int
    similarity: float
    previous: str
    target: str
    next: str

    def to_dict(self) -> dict[str, Any]:
        """All fields, as JSON has them."""
        fields: dict[str, Any] = json.loads(json.dumps(asdict(self)))
        return fields


def sentences(
    reader: Reader,
    query: str,
    n: int,
    threshold: float,
    keys: Sequence[str] | None,
    section: str | None,
    offset: int,
    title: str,
) -> tuple[SentenceMatch, ...]:
    """The `n` sentences most similar to `query`: see `Corpus.sentences`."""
    if not query.strip():
        raise QueryError("The query is empty. Give a sentence.")
    if n < 1:
        raise QueryError(f"n_results ({n}) begins at 1.")
    meaning = reader.meaning
    ranges = None if keys is None else reader.vector_ranges(keys)
    vector = meaning.query(f"{title} {query}" if title else query)
    found: list[tuple[float, Mapping[str, Any]]] = []
    for numbers, similarities in meaning.vectors.nearest(vector, ranges):
        near = [
            (number, similarity)
            for number, similarity in zip(numbers.tolist(), similarities.tolist(), strict=True)
            if similarity >= threshold
        ]
        places = _places(reader, [number for number, _ in near])
        found += [
            (similarity, places[number]) for number, similarity in near if _within(places[number], section)
        ]
        if len(found) >= n or len(near) < len(numbers):
            break
    return _with_neighbours(reader, found[:n], offset)


def _within(place: Mapping[str, Any], section: str | None) -> bool:
    return section is None or section.casefold() in (place["section_title"] or "").casefold()


def _places(reader: Reader, numbers: Sequence[int]) -> dict[int, Mapping[str, Any]]:
    """Where the vectors with these numbers are from."""
    if not numbers:
        return {}
    listed = ", ".join(map(str, numbers))
    rows = reader.select(
        f"SELECT v.rowid, {', '.join(_PLACE)} FROM vectors v JOIN paragraphs USING (key, paragraph) "
        f"JOIN sentences USING (key, paragraph, sentence) WHERE v.rowid IN ({listed})"
    )
    return {number: dict(zip(_PLACE, row, strict=True)) for number, *row in rows}


def _with_neighbours(
    reader: Reader, found: Sequence[tuple[float, Mapping[str, Any]]], offset: int
) -> tuple[SentenceMatch, ...]:
    papers = {key: _Paper(reader, key) for key in {place["key"] for _, place in found}}
    return tuple(papers[place["key"]].match(place, similarity, offset) for similarity, place in found)


class _Paper:
    """A paper's metadata and sentences, as far as matches in it need them."""

    def __init__(self, reader: Reader, key: str) -> None:
        ((*self._about,),) = reader.select(f"SELECT {', '.join(_PAPER)} FROM papers WHERE key = ?", [key])
        rows = reader.select(
            'SELECT paragraph, sentence, kind, section_number, section_title, cursor, text[s.start + 1 : s."end"], s.start '
            "FROM sentences s JOIN paragraphs USING (key, paragraph) WHERE key = ? ORDER BY paragraph, sentence",
            [key],
        )
        self._numbers = {(paragraph, sentence): i for i, (paragraph, sentence, *_) in enumerate(rows)}
        self._rows = rows

    def match(self, place: Mapping[str, Any], similarity: float, offset: int) -> SentenceMatch:
        """The match at `place`, a row of _PLACE."""
        number = self._numbers[place["paragraph"], place["sentence"]]
        sequence = [i for i, row in enumerate(self._rows) if _read_on(self._rows[number], row)]
        at = sequence.index(number) + offset
        previous, target, following = (
            self._rows[sequence[i]][6] if 0 <= i < len(sequence) else "" for i in (at - 1, at, at + 1)
        )
        about = dict(zip(_PAPER, self._about, strict=True))
        about["authors"] = tuple(about["authors"] or ())
        cursor = place["cursor"] + self._rows[number][7]
        return SentenceMatch(
            **about,
            **{name: value for name, value in place.items() if name != "cursor"},
            paper_sentence=number,
            cursor=cursor,
            similarity=similarity,
            previous=previous,
            target=target,
            next=following,
        )


def _read_on(one: Sequence[Any], other: Sequence[Any]) -> bool:
    """Whether two sentences (rows) are read one after the other: in the prose of a section, or in one caption, heading or note."""
    (paragraph, _, kind, *section), (other_paragraph, _, other_kind, *other_section) = one[:5], other[:5]
    if kind in _PROSE:
        return other_kind in _PROSE and section == other_section
    return bool(paragraph == other_paragraph)
