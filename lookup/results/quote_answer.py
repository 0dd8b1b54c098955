"""The answers of quote and verify."""

from dataclasses import dataclass
from typing import Any, Literal

from lookup.errors import NextStep
from lookup.limits import PageName
from lookup.results.answer import Places, Shown, ShownPlace, short, whereabouts
from lookup.results.difference import PRINTED, Difference, Verdict


@dataclass(frozen=True)
class Box:
    """A rectangle on a page, in PDF points from the upper left corner of the page as it is shown."""

    page: int
    x0: float
    y0: float
    x1: float
    y1: float


@dataclass(frozen=True)
class ShownParagraph:
    """A paragraph that the text of a match shows, or a part of it.

    `span` is where it is in that text, and `page` where the part begins.
    """

    paragraph: int
    page: int
    page_label: str | None
    kind: str
    span: tuple[int, int]


class _Form:
    """The method of `pagequote.quoted_form.QuotedForm` that writes a form: `to_latex` is its `latex`."""

    def __set_name__(self, _: type, name: str) -> None:
        self._name = name.removeprefix("to_")

    def __get__(self, match: Any, kind: type) -> Any:
        from pagequote.quoted_form import QuotedForm  # noqa: PLC0415  # no lookup by itself needs it

        return getattr(QuotedForm if match is None else QuotedForm(match), self._name)


class Quotable:
    """A match in the forms in which people quote it."""

    to_latex, to_typst, to_markdown = _Form(), _Form(), _Form()
    to_citation, to_link, to_annotation = _Form(), _Form(), _Form()


@dataclass(frozen=True, repr=False)
class Match(Quotable, Shown):
    """One place that answers a query.

    `page` is where the matched words begin; where no page prints them it is 0, and `anchor` is their
    paragraph's place in the markup (also where markup gave the text of a printed one; else None).
    `text[span[0]:span[1]]` are the printed words that matched, `cursor` is where they begin in the paper's
    document text, and `boxes` surround them, one box a printed line. `shown` has a page for each paragraph of
    `text`. `around` are the printed sentences of a verbatim or abridged quote, in which {+ +} stands around
    what it cuts off or leaves out; '' where they are quoted whole.
    """

    key: str
    page: int
    page_label: str | None
    paragraph: int
    section_number: str | None
    section_title: str | None
    kind: str
    score: float
    tier: int
    verdict: Verdict
    text: str
    text_raw: str
    span: tuple[int, int]
    boxes: tuple[Box, ...]
    cursor: int
    differences: tuple[Difference, ...] = ()
    omitted: tuple[str, ...] = ()
    shown: tuple[ShownParagraph, ...] = ()
    anchor: str | None = None
    around: str = ""

    @property
    def quote(self) -> str:
        """The printed words that matched."""
        return self.text[self.span[0] : self.span[1]]

    @property
    def spans(self) -> tuple[tuple[int, int], ...]:
        """The spans of `text` that are marked: those words."""
        return (self.span,)

    def __repr__(self) -> str:
        place = whereabouts(self.key, self.page, self.page_label, anchor=self.anchor)
        return f"<Match {place}, {self.verdict}: {short(self.quote)!r}>"

    @property
    def place(self) -> ShownPlace:
        """The match as it is shown; its notes are the differences and what is left out."""
        notes = [
            f"{difference.kind}: {difference.asked or '(nothing)'} -> {difference.printed or '(nothing)'}"
            for difference in self.differences
        ]
        notes += [f"left out: {' | '.join(self.omitted)}"] if self.omitted else []
        head = whereabouts(
            self.key, self.page, self.page_label, self.section_title, self.kind, anchor=self.anchor
        )
        return ShownPlace(head, self.text, (self.span,), tuple(notes), self.verdict)


@dataclass(frozen=True)
class Elsewhere:
    """Another paper of the corpus that prints the words."""

    key: str
    page: int
    page_label: str | None


@dataclass(frozen=True, repr=False)
class QuoteAnswer(Places[Match]):
    """The places that answer a query, best first; `hint` says what to do next, `next_step` the same as data.

    `elsewhere` are other papers that print the words: a misattributed quote is not a fabricated one.
    `covered` is false if the paper has no text to judge by: then it means nothing that `matches` is empty.
    """

    key: str
    query: str
    matches: tuple[Match, ...] = ()
    hint: str = ""
    elsewhere: tuple[Elsewhere, ...] = ()
    covered: bool = True
    next_step: NextStep | None = None

    def __repr__(self) -> str:
        more = f" and {len(self.matches) - 1} more" if len(self.matches) > 1 else ""
        found = f"{self.matches[0]!r}{more}" if self.matches else self.hint
        return f"<QuoteAnswer {short(self.query)!r} in {self.key!r}: {found}>"


@dataclass(frozen=True, repr=False)
class Verification(Shown):
    """Whether a paper prints a quote, on the page given.

    `verdict` is that of the best match; without a match "not found", "not covered" if the paper has no text
    to judge by, or "unknown key" if the corpus has no such paper. `page` is the page given (0 for none);
    `page_is_right` tells whether the match begins or goes on there, None without a page or a printed match.
    `pages` are the pages with that verdict, of the first twenty places.
    """

    key: str
    quote: str
    page: PageName
    verdict: Literal["verbatim", "abridged", "near", "related", "not found", "not covered", "unknown key"]
    page_is_right: bool | None
    pages: tuple[int, ...]
    match: Match | None
    elsewhere: tuple[Elsewhere, ...]
    hint: str
    next_step: NextStep | None = None

    def __bool__(self) -> bool:
        """Return whether the quote is printed, whole or abridged, and on the page that was given."""
        return self.verdict in PRINTED and self.page_is_right is not False

    def __repr__(self) -> str:
        pages = f", page {self.match.page}" if self.match and self.match.page else ""
        return f"<Verification {self.key}{pages}, {self.verdict}: {short(self.quote)!r}>"

    def _shown(self) -> tuple[list[ShownPlace], list[str]]:
        found = self.match.place if self.match else ShownPlace(self.key, self.quote, verdict=self.verdict)
        others = [whereabouts(other.key, other.page, other.page_label) for other in self.elsewhere]
        return [found], [*(f"printed by {other}" for other in others), self.hint]
