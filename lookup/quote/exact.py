"""Tier 1: the words are printed as given.

First as a substring of the folded text; then by letters and digits alone, which finds them whatever hyphens
and spaces a line break or a copy left in them; then without the citation marks that a writer leaves out. What
letters alone overlook is compared before a place counts.
"""

from array import array
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import islice

from lookup.compare.edges import on_word_boundaries
from lookup.papers.paper import Paper, PassageSpan, ReadingOrder, without
from lookup.papers.passage_text import PassageText
from lookup.quote.certify import Candidate, Examined, Proposal, certify, cuts_word, examine
from lookup.quote.reading import Piece, Reading
from lookup.text.folding import DOT, Span, alike, blind
from lookup.text.regex import regex
from lookup.text.words import occurrences


class ExactSearch:
    """Where `paper` prints the pieces of one query; each way to look for a piece runs at most once.

    A hint about other pages, or a more thorough search, needs again what the search before it found.
    """

    def __init__(self, paper: Paper) -> None:
        self.paper = paper
        self._found: dict[tuple[Way, Piece], list[Examined]] = {}

    def by(self, way: "Way", piece: Piece) -> list[Examined]:
        """Return the places that `way` finds and that print the piece, in its order; some may be twice."""
        if (way, piece) not in self._found:
            found: list[Examined] = []
            proposals = way(self.paper, piece)
            while together := list(islice(proposals, _TOGETHER)):
                if piece.cased or any(map(str.isdigit, piece.folded)):  # of units, the case counts in any
                    read = sorted({i for one in together for i in one.flow.between(one.span)})
                    self.paper.read_ahead([self.paper.paragraphs[i] for i in read])
                examined = (examine(self.paper, piece, one) for one in together)
                found += [one for one in examined if not one.differences]
            self._found[way, piece] = found
        return self._found[way, piece]


def find(search: ExactSearch, reading: Reading, page: int = 0, wanted: int = 1) -> list[Candidate]:
    """Return places that print all of a reading of one piece, without overlaps, in reading order.

    More ways are tried while fewer than `wanted` are found.
    """
    (piece,) = reading.pieces
    found: list[Examined] = []
    for way in ways(piece):
        touching = [one for one in search.by(way, piece) if search.paper.touches(one.span, page)]
        found = distinct([*found, *touching])
        if len(found) >= wanted:
            break
    certified = (certify(search.paper, reading, [one]) for one in found)
    return [one for one in certified if one]


Way = Callable[[Paper, Piece], Iterator[Proposal]]


def ways(piece: Piece) -> tuple[Way, ...]:
    """Return the ways to look for a piece, the surest and cheapest first; a short piece has only that."""
    if piece.short:
        return (as_given,) if piece.folded.isascii() else (as_given, by_characters_alike)
    return as_given, by_letters, without_marks


def as_given(paper: Paper, piece: Piece) -> Iterator[Proposal]:
    """Yield places whose folded text is the piece's."""
    for flow in paper.flows:
        text = flow.text()
        for at in occurrences(text, piece.folded):
            end = at + len(piece.folded)
            if not _is_known(paper, flow, at, end):
                span = flow.span(at, end)
                if on_word_boundaries(text, at, end) or not cuts_word(paper, span):
                    yield Proposal(span, flow)


def by_letters(paper: Paper, piece: Piece) -> Iterator[Proposal]:
    """Yield places with the piece's letters and digits, and its words and numbers."""
    for flow, span in _with_letters(paper, piece, paper.blind_flows, piece.blind):
        yield to_its_ends(paper, piece.folded, Proposal(span, flow))


def by_characters_alike(paper: Paper, piece: Piece) -> Iterator[Proposal]:
    """Yield places whose folded text is the piece's but for characters that are alike."""
    for proposal in by_letters(paper, piece):
        if _plain(PassageText(paper, proposal.flow, proposal.span).text) == _plain(piece.folded):
            yield proposal


def _plain(folded: str) -> str:
    return alike(folded).replace(DOT, "")


def without_marks(paper: Paper, piece: Piece) -> Iterator[Proposal]:
    """Yield places with the piece's words and numbers, and citation marks that it does not have."""
    from lookup.compare.citation_marks import candidates  # for what is not printed as given  # noqa: PLC0415

    asked = candidates(piece.folded)
    letters = blind(without(piece.folded, asked))
    text = paper.blind_flows[0].text()
    if not letters or any(word not in text for word in _LETTERS.findall(piece.folded)):
        return  # a mark is never inside a word
    wanted = _placed(piece.folded, asked)
    for flow, span in _with_letters(paper, piece, paper.unmarked_flows, letters, paper.marks):
        passage = PassageText(paper, flow, _with_marks(paper, piece, asked, span))
        omitted = _omitted(passage, wanted)
        if omitted is not None:
            marks = tuple(passage.in_paper(mark) for mark in omitted)
            yield to_its_ends(paper, piece.folded, Proposal(passage.span, flow, marks))


def distinct(found: Sequence[Examined]) -> list[Examined]:
    """Return the places in reading order, each once: ways and flows may find the same."""
    kept: list[Examined] = []
    for one in sorted(set(found), key=lambda place: (place.span, len(place.omitted))):
        begins, ended = one.span, kept[-1].span if kept else None
        if ended is None or (begins.first, begins.start) >= (ended.last, ended.end):
            kept.append(one)
    return kept


_TOGETHER = 256
"""Places of a common word whose paragraphs are read by one statement; half of those that are kept. With 32
the case of 600 places took three times as long."""

_SIGNS, _UNITS = "-+±<>=~≤≥≈$€£%/×\ufffd", "%‰°/×=<>~≤≥≈±\ufffd"

_CHARGES = "+-"

_QUOTES, _STOPS = "\"'()[] ", ".,;:!?"

_LETTERS = regex(r"[^\W\d_]+")


def _with_letters(
    paper: Paper,
    piece: Piece,
    flows: Sequence[ReadingOrder],
    letters: str,
    marks: Callable[[int], Sequence[Span]] = lambda _: (),
) -> Iterator[tuple[ReadingOrder, PassageSpan]]:
    """Yield where these letters of a piece stand in the `flows` of letters, and the flow with their texts.

    Those `flows` are without the `marks` of each paragraph.
    """
    for flow, blind_flow in zip(paper.flows, flows, strict=True):
        for at in occurrences(blind_flow.text(), letters):
            if not _is_known(paper, blind_flow, at, at + len(letters)):
                hit = blind_flow.span(at, at + len(letters))
                first, last = (paper.paragraphs[i].text_norm for i in (hit.first, hit.last))
                start = _letters(first, tuple(marks(hit.first)))[hit.start]
                end = _letters(last, tuple(marks(hit.last)))[hit.end - 1] + 1
                end += last.startswith(DOT, end)
                yield flow, _with_signs(paper, piece, PassageSpan(hit.first, start, hit.last, end))


def _is_known(paper: Paper, flow: ReadingOrder, start: int, end: int) -> bool:
    """Return whether another flow has the same: the first has all that stands within a paragraph."""
    if flow.paragraphs is paper.flows[0].paragraphs:
        return False
    span = flow.span(start, end)
    return span.first == span.last


@lru_cache(256)
def _letters(text: str, marks: tuple[Span, ...]) -> "array[int]":
    """Return the offsets of the letters and digits of `text` that are not in one of `marks`."""
    letters = (i for i, char in enumerate(alike(text)) if char.isalnum())
    if not marks:
        return array("I", letters)
    inside = {i for mark in marks for i in range(*mark)}
    return array("I", (i for i in letters if i not in inside))


def _with_signs(paper: Paper, piece: Piece, span: PassageSpan) -> PassageSpan:
    """Return the span with the sign before it and the unit after it that the piece asks for."""
    first, last = paper.paragraphs[span.first].text_norm, paper.paragraphs[span.last].text_norm
    start, end = span.start, span.end
    if piece.folded.lstrip(_QUOTES)[:1] in tuple(_SIGNS):
        start = len(first[:start].rstrip(_SIGNS + " "))
    elif piece.folded.lstrip(_QUOTES)[:1] in tuple(".,"):
        start = len(first[:start].rstrip(".,"))
    tail = piece.folded.rstrip(_QUOTES + _STOPS)[-1:]
    if tail in tuple(_UNITS):
        end = len(last) - len(last[end:].lstrip(_UNITS + _QUOTES))
    elif tail in tuple(_CHARGES):
        end = len(last) - len(last[end:].lstrip(_CHARGES))
    return PassageSpan(span.first, start, span.last, end)


def to_its_ends(paper: Paper, asked: str, place: Proposal) -> Proposal:
    """Return the place with the punctuation at the query's ends that is printed there too.

    Only citation marks may stand between its words and that.
    """
    span = place.span
    first, last = paper.paragraphs[span.first].text_norm, paper.paragraphs[span.last].text_norm
    start, end, omitted = span.start, span.end, place.omitted
    for char in _beyond(_lead(asked)[::-1], _lead(first[start:])[::-1]):
        start -= first[:start].endswith(char)
    for char in _beyond(_tail(asked), _tail(last[:end])):
        passed = _marks_from(paper, span.last, end)
        after = passed[-1].end if passed else end
        if last.startswith(char, after):
            end = after + 1
            omitted += tuple(PassageSpan(span.last, mark.start, span.last, mark.end) for mark in passed)
    return Proposal(PassageSpan(span.first, start, span.last, end), place.flow, omitted)


def _lead(text: str) -> str:
    """Return what stands before the first letter or digit of a text."""
    return text[: next((i for i, char in enumerate(text) if char.isalnum()), 0)]


def _tail(text: str) -> str:
    """Return what stands after the last letter or digit of a text."""
    return _lead(text[::-1])[::-1]


def _beyond(asked: str, printed: str) -> str:
    """Return the punctuation that a query has beyond that printed within a place; '' if that is other."""
    return asked.removeprefix(printed).replace(" ", "") if asked.startswith(printed) else ""


def _marks_from(paper: Paper, paragraph: int, at: int) -> list[Span]:
    """Return the citation marks that follow each other from `at` on."""
    found: list[Span] = []
    for mark in paper.marks(paragraph):
        if mark.start == (found[-1].end if found else at) and paper.is_mark(paragraph, mark):
            found.append(mark)
    return found


def _with_marks(paper: Paper, piece: Piece, asked: Sequence[Span], span: PassageSpan) -> PassageSpan:
    """Return the span with the marks at its ends that the piece has there."""
    start, end = span.start, span.end
    if asked and not blind(piece.folded[: asked[0].start]):
        text = paper.paragraphs[span.first].text_norm
        start = next((m.start for m in paper.marks(span.first) if not blind(text[m.end : start])), start)
    if asked and not blind(piece.folded[asked[-1].end :]):
        text = paper.paragraphs[span.last].text_norm
        after = [m for m in paper.marks(span.last) if m.start >= end]
        end = next((m.end for m in after[:1] if not blind(text[end : m.start])), end)
    return PassageSpan(span.first, start, span.last, end)


def _placed(folded: str, marks: Sequence[Span]) -> list[tuple[int, str]]:
    """Return, for each of these spans of a text, how many letters stand before it outside all; its own."""
    found, letters, at = [], 0, 0
    for mark in marks:
        letters += len(blind(folded[at : mark.start]))
        found.append((letters, blind(folded[slice(*mark)])))
        at = mark.end
    return found


def _omitted(passage: PassageText, asked: Sequence[tuple[int, str]]) -> list[Span] | None:
    """Return what looks like marks of the passage and the query, which has those `asked`, leaves out.

    None where the query has others.
    """
    wanted = deque(asked)
    omitted: list[Span] = []
    marks = [span for span, _, _ in passage.marks()]
    for span, place in zip(marks, _placed(passage.text, marks), strict=True):
        if wanted and wanted[0] == place:
            wanted.popleft()
        else:
            goes_on = omitted and omitted[-1].end == span.start  # ",13" after "12"
            omitted.append(Span(omitted.pop().start, span.end) if goes_on else span)
    return None if wanted else omitted
