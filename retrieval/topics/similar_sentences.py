"""Find sentences near a query in meaning, across papers, each with the sentences before and after it."""

import re
from bisect import bisect_left
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from itertools import islice, takewhile
from typing import Any

from lookup.errors import QueryError
from lookup.limits import at_least
from lookup.papers.library import Library
from retrieval.embedding.sentence_vectors import SentenceVectors
from retrieval.scoring.lexical_index import Filters
from retrieval.topics.candidates import vector_ranges
from retrieval.topics.search_answer import SentenceMatch

_PROSE = ("body", "list")
"""Kinds whose text goes on from one paragraph of a section to the next."""


def sentences(
    library: Library,
    vectors: SentenceVectors,
    query: str,
    n: int,
    threshold: float,
    filters: Filters,
    offset: int,
) -> tuple[SentenceMatch, ...]:
    """Return the `n` sentences most similar to `query`: see `Corpus.sentences`."""
    if not query.strip():
        raise QueryError("The query is empty. Give a sentence.")
    at_least(1, limit=n)
    ranges = vector_ranges(library, filters)
    vector = vectors.query(query)
    nearest = (
        (number, similarity)
        for lot in vectors.matrix.nearest(vector, ranges, n)
        for number, similarity in zip(*(each.tolist() for each in lot), strict=True)
    )
    near = takewhile(lambda one: one[1] >= threshold, nearest)
    best = list(islice(near, n))
    places = vectors.places([number for number, _ in best])
    papers = _read(library, {key for key, _, _ in places})
    found: list[SentenceMatch] = []
    matched = zip((-similarity for _, similarity in best), places, strict=True)
    for similarity, (key, paragraph, sentence) in sorted(matched):
        number = papers[key].number(paragraph, sentence)
        if number is not None:
            found.append(papers[key].match(number, -similarity, offset))
    return tuple(found)


def neighbours(library: Library, sentence_id: str, offset: int) -> SentenceMatch | None:
    """Return the sentence that is `offset` further on than that with this id: see `Corpus.neighbours`."""
    named = re.fullmatch(r"(.+):(\d{1,9}):(\d{1,9})", str(sentence_id))
    if named and library.has(named[1]):
        paper = _read(library, [named[1]])[named[1]]
        number = paper.number(int(named[2]), int(named[3]))
        if number is not None:
            sequence = paper.sequence(number)
            at = sequence.index(number) + offset
            return paper.match(sequence[at], 1.0, 0) if 0 <= at < len(sequence) else None
    raise QueryError(
        f"There is no sentence {sentence_id!r}. Give the id of a sentence, KEY:PARAGRAPH:SENTENCE."
    )


_ABOUT = ("title", "authors", "year", "doi", "venue")
_OF_PARAGRAPH = ("section_number", "section_title", "kind")
_OF_SENTENCE = ("paragraph", "sentence", "section_sentence")
"""Columns of `papers`, `paragraphs` and `sentences` that are fields of a match."""


@dataclass(frozen=True)
class _Paper:
    """A paper's metadata, and its paragraphs, by number, and sentences, in order, as rows of columns."""

    library: Library
    key: str
    about: Mapping[str, Any]
    paragraphs: dict[int, Mapping[str, Any]]
    sentences: list[Mapping[str, Any]]

    def number(self, paragraph: int, sentence: int) -> int | None:
        """Return the number of a sentence of a paragraph in the paper; None where there is none."""
        wanted = paragraph, sentence
        places = [(one["paragraph"], one["sentence"]) for one in self.sentences]
        at = bisect_left(places, wanted)
        return at if places[at : at + 1] == [wanted] else None

    def match(self, number: int, similarity: float, offset: int) -> SentenceMatch:
        """Return a sentence as a match that shows what is `offset` further on."""
        sentence = self.sentences[number]
        paragraph = self.paragraphs[sentence["paragraph"]]
        sequence = self.sequence(number)
        at = sequence.index(number) + offset
        previous, target, following = (
            self._text(sequence[i]) if 0 <= i < len(sequence) else "" for i in (at - 1, at, at + 1)
        )
        page, label = self.library.page_of(self.key, paragraph, sentence["start"])
        return SentenceMatch(
            id=f"{self.key}:{sentence['paragraph']}:{sentence['sentence']}",
            key=self.key,
            **{**self.about, "authors": tuple(self.about["authors"] or ())},
            page=page,
            page_label=label,
            **{name: paragraph[name] for name in _OF_PARAGRAPH},
            **{name: sentence[name] for name in _OF_SENTENCE},
            paper_sentence=number,
            cursor=paragraph["cursor"] + sentence["start"],
            score=similarity,
            previous=previous,
            text=target,
            next=following,
        )

    def _text(self, number: int) -> str:
        one = self.sentences[number]
        text: str = self.paragraphs[one["paragraph"]]["text"]
        return text[one["start"] : one["end"]]

    def sequence(self, number: int) -> list[int]:
        """Return the sentences read with this one: all prose of its section, or its caption or heading."""
        own = self.sentences[number]["paragraph"]
        here = self.paragraphs[own]
        section = (here["section_number"], here["section_title"])
        together = {
            at
            for at, one in self.paragraphs.items()
            if one["kind"] in _PROSE and (one["section_number"], one["section_title"]) == section
        }
        wanted = together if here["kind"] in _PROSE else {own}
        return [i for i, one in enumerate(self.sentences) if one["paragraph"] in wanted]


def _read(library: Library, keys: Collection[str]) -> dict[str, _Paper]:
    """Return the papers with these keys by three statements: joined by DuckDB they take twice as long."""
    keys = list(keys)

    def rows(table: str, *columns: str) -> list[tuple[str, dict[str, Any]]]:
        named = ", ".join(f'"{column}"' for column in ("key", *columns))
        found = library.keyed(f"SELECT {named} FROM {table}", keys)
        return [(key, dict(zip(columns, row, strict=True))) for key, *row in found]

    paragraphs: dict[str, dict[int, Mapping[str, Any]]] = {key: {} for key in keys}
    columns = ("paragraph", "page", "page_end", "page_label", *_OF_PARAGRAPH, "cursor", "text")
    for key, row in rows("printed_paragraphs", *columns):
        paragraphs[key][row["paragraph"]] = row
    sentences: dict[str, list[Mapping[str, Any]]] = {key: [] for key in keys}
    for key, row in rows("sentences", *_OF_SENTENCE, "start", "end"):
        sentences[key].append(row)
    for each in sentences.values():
        each.sort(key=lambda one: (one["paragraph"], one["sentence"]))
    papers = rows("papers", *_ABOUT)
    return {key: _Paper(library, key, about, paragraphs[key], sentences[key]) for key, about in papers}
