"""Find sentences near a query in meaning, across papers, each with the sentences before and after it."""

import re
from bisect import bisect_left
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import islice, takewhile
from typing import Any, NamedTuple

from lookup.errors import QueryError
from lookup.limits import at_least
from lookup.papers.boxes import page_at
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
    vector = vectors.meaning.query(query)
    nearest = (
        (number, similarity)
        for lot in vectors.meaning.vectors.nearest(vector, ranges, n)
        for number, similarity in zip(*(each.tolist() for each in lot), strict=True)
    )
    near = takewhile(lambda one: one[1] >= threshold, nearest)
    best = list(islice(near, n))
    places = vectors.places([number for number, _ in best])
    papers = _read(library, {key for key, _, _ in places})
    found: list[SentenceMatch] = []
    matched = zip((-similarity for _, similarity in best), places, strict=True)
    for similarity, (key, paragraph, sentence) in sorted(matched):
        found += papers[key].matches(paragraph, sentence, -similarity, offset)
    return tuple(found)


def neighbours(library: Library, sentence_id: str, offset: int) -> SentenceMatch | None:
    """Return the sentence that is `offset` further on than that with this id: see `Corpus.neighbours`."""
    named = re.fullmatch(r"(.+):(\d{1,9}):(\d{1,9})", str(sentence_id))
    if named and library.has(named[1]):
        paper = _read(library, [named[1]])[named[1]]
        if one := paper.matches(int(named[2]), int(named[3]), 1.0, 0):
            return paper.further(one[0].paper_sentence, offset)
    raise QueryError(
        f"There is no sentence {sentence_id!r}. Give the id of a sentence, KEY:PARAGRAPH:SENTENCE."
    )


class _ParagraphRow(NamedTuple):
    """What a match needs of its paragraph."""

    page: int
    page_end: int
    page_label: str | None
    kind: str
    section_number: str | None
    section_title: str | None
    cursor: int
    text: str


class _SentenceRow(NamedTuple):
    """A row of `sentences`."""

    paragraph: int
    sentence: int
    section_sentence: int
    start: int
    end: int


@dataclass(frozen=True)
class _Paper:
    """A paper's metadata, paragraphs and sentences."""

    _library: Library
    _key: str
    _about: Sequence[Any]
    _paragraphs: dict[int, _ParagraphRow]
    _sentences: list[_SentenceRow]

    def matches(self, paragraph: int, sentence: int, similarity: float, offset: int) -> list[SentenceMatch]:
        """Return the sentence of a paragraph as a match; none where there is no such sentence."""
        number = bisect_left(self._sentences, (paragraph, sentence))
        here = self._sentences[number : number + 1]
        return [self._match(number, similarity, offset) for one in here if one[:2] == (paragraph, sentence)]

    def further(self, number: int, offset: int) -> SentenceMatch | None:
        """Return the sentence `offset` further on than the `number`th of the paper, None beyond an end."""
        sequence = self._sequence(number)
        at = sequence.index(number) + offset
        return self._match(sequence[at], 1.0, 0) if 0 <= at < len(sequence) else None

    def _match(self, number: int, similarity: float, offset: int) -> SentenceMatch:
        sentence = self._sentences[number]
        paragraph = self._paragraphs[sentence.paragraph]
        sequence = self._sequence(number)
        at = sequence.index(number) + offset
        previous, target, following = (
            self._text(sequence[i]) if 0 <= i < len(sequence) else "" for i in (at - 1, at, at + 1)
        )
        title, authors, year, doi, venue = self._about
        page = self._page(sentence)
        own = page == paragraph.page
        return SentenceMatch(
            id=f"{self._key}:{sentence.paragraph}:{sentence.sentence}",
            key=self._key,
            title=title,
            authors=tuple(authors or ()),
            year=year,
            doi=doi,
            venue=venue,
            page=page,
            page_label=paragraph.page_label if own else self._library.page_label(self._key, page),
            **{name: getattr(paragraph, name) for name in ("section_number", "section_title", "kind")},
            **{name: getattr(sentence, name) for name in ("paragraph", "sentence", "section_sentence")},
            paper_sentence=number,
            cursor=paragraph.cursor + sentence.start,
            score=similarity,
            previous=previous,
            text=target,
            next=following,
        )

    def _page(self, sentence: _SentenceRow) -> int:
        """Return the page on which the sentence begins."""
        paragraph = self._paragraphs[sentence.paragraph]
        if paragraph.page == paragraph.page_end:
            return paragraph.page
        ((lines,),) = self._library.select(
            "SELECT lines FROM printed_paragraphs WHERE key = ? AND paragraph = ?",
            [self._key, sentence.paragraph],
            self._key,
        )
        return page_at(lines, sentence.start, paragraph.page)

    def _text(self, number: int) -> str:
        sentence = self._sentences[number]
        return self._paragraphs[sentence.paragraph].text[sentence.start : sentence.end]

    def _sequence(self, number: int) -> list[int]:
        """Return the sentences read with this one: all prose of its section, or its caption or heading."""
        own = self._sentences[number].paragraph
        here = self._paragraphs[own]
        if here.kind not in _PROSE:
            return [i for i, one in enumerate(self._sentences) if one.paragraph == own]
        section = (here.section_number, here.section_title)
        prose = {
            at
            for at, one in self._paragraphs.items()
            if one.kind in _PROSE and (one.section_number, one.section_title) == section
        }
        return [i for i, one in enumerate(self._sentences) if one.paragraph in prose]


def _read(library: Library, keys: Collection[str]) -> dict[str, _Paper]:
    """Return the papers with these keys by three statements: joined by DuckDB they take twice as long."""
    keys = list(keys)
    paragraphs: dict[str, dict[int, _ParagraphRow]] = {key: {} for key in keys}
    columns = "paragraph, page, page_end, page_label, kind, section_number, section_title, cursor, text"
    for key, number, *row in library.keyed(f"SELECT key, {columns} FROM printed_paragraphs", keys):
        paragraphs[key][number] = _ParagraphRow(*row)
    sentences: dict[str, list[_SentenceRow]] = {key: [] for key in keys}
    columns = 'paragraph, sentence, section_sentence, start, "end"'
    for key, *row in sorted(library.keyed(f"SELECT key, {columns} FROM sentences", keys)):
        sentences[key].append(_SentenceRow(*row))
    papers = library.keyed("SELECT key, title, authors, year, doi, venue FROM papers", keys)
    return {key: _Paper(library, key, about, paragraphs[key], sentences[key]) for key, *about in papers}
