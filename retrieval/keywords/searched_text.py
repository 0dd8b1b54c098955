"""A text to search: its paragraphs, where in a paper they are, and where keywords stand in it."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from lookup.text.bare import BareText, bare
from lookup.text.scripts import WORD
from lookup.text.words import occurrences
from retrieval.keywords.parse import Form, Keyword
from retrieval.raw_text.graphemes import boundary_after

_BETWEEN = r"([\W_]{0,4}?)"
"""What may stand between two words that stand side by side: spaces, a hyphen, a comma, quotation marks."""


LOCATION = ("page", "page_label", "section_number", "section_title", "kind")
"""What is told of a place in a paper; in a plain text all are None."""


class Occurrence(NamedTuple):
    """Where a keyword (by its number) stands: a span of the text, and the paragraph where it begins.

    `last` is whether results from this paragraph come last: it is of the references, or furniture.
    """

    start: int
    end: int
    keyword: int
    weight: float
    paragraph: int
    last: bool


@dataclass(frozen=True, eq=False)
class SearchText:
    """A text whose paragraphs begin at `borders`.

    `last` are the numbers of the paragraphs whose results come last; `location` gives the place of an offset.
    It may be a part of a paper: `begins` is the cursor of its first character.
    """

    text: str
    borders: Sequence[int]
    key: str | None = None
    last: frozenset[int] = frozenset()
    location: Callable[[int], Mapping[str, Any]] = field(
        default=lambda _: dict.fromkeys(LOCATION), repr=False
    )
    begins: int = 0

    @cached_property
    def bare(self) -> BareText:
        """The text as it is searched."""
        return bare(self.text)

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """All words of the bare text: those with hyphens as one, and their parts."""
        return frozenset(WORD.findall(self.bare.text)) | frozenset(WORD.findall(self.bare.with_spaces()))

    def find(self, keywords: Sequence[Keyword]) -> list[Occurrence]:
        """Return where the keywords stand within paragraphs, ascending.

        Of forms of one keyword that overlap, only the one with the greatest weight counts.
        """
        found: list[Occurrence] = []
        for number, keyword in enumerate(keywords):
            of_keyword: list[Occurrence] = []
            for form in keyword.forms:
                for span in _form_spans(self.bare, form):
                    start, end = self.bare.span(*span)
                    end = boundary_after(self.text, end)  # with the accents of its last letter
                    paragraph = bisect_right(self.borders, start) - 1
                    if paragraph == bisect_right(self.borders, end - 1) - 1:
                        last = paragraph in self.last
                        of_keyword.append(Occurrence(start, end, number, form.weight, paragraph, last))
            found += of_keyword if len(keyword.forms) == 1 else _without_overlaps(of_keyword)
        return sorted(found)


def _form_spans(text: BareText, form: Form) -> Iterator[tuple[int, int]]:
    """Return the spans of `text` at which the form's words stand side by side, whole, ascending."""
    spans: Iterator[tuple[int, int]]
    if len(form.words) == 1:
        (word,) = form.words
        spans = ((at, at + len(word)) for at in occurrences(text.text, word))
    else:
        spans = _side_by_side(text, form)
    return (span for span in spans if text.is_word_border(span[0]) and text.is_word_border(span[1]))


def _side_by_side(text: BareText, form: Form) -> Iterator[tuple[int, int]]:
    pattern = _BETWEEN.join(map(re.escape, form.words))
    for match in re.finditer(pattern, text.text):
        gaps = [match.span(i) for i in range(1, len(form.words))]
        if all(
            text.is_word_border(start) if start < end else (joined or start in text.joints)
            for (start, end), joined in zip(gaps, form.joined, strict=True)
        ):
            yield match.span()


def _without_overlaps(found: list[Occurrence]) -> list[Occurrence]:
    """Return the occurrences without those that overlap one of greater weight."""
    kept: list[Occurrence] = []
    for one in sorted(found, key=lambda one: (one.start, -one.weight)):
        if kept and one.start < kept[-1].end:
            if one.weight > kept[-1].weight:
                kept[-1] = one
        else:
            kept.append(one)
    return kept
