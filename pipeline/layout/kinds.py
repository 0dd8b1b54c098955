"""What a passage is, by what it says, how it is set and where it stands."""

import re
from dataclasses import dataclass, replace

from pipeline.layout.cutting import LIST_MARK
from pipeline.layout.passage import Passage

_CAPTION = re.compile(
    r"(?:supplementary |supplemental |extended data |appendix )?"
    r"(?:fig(?:ure|ura|\.)?|t ?a ?b ?l ?e(?:au)?|tabla|tabela|tabelle|abb(?:ildung|\.)|cuadro|quadro|scheme|chart|box|plate)"
    r"\.?\s*[-–]?\s*(?:[A-Z]?\d+|[IVX]+)\b",
    re.IGNORECASE,
)
_REFERENCES = re.compile(
    r"(?:\d+\.?\s*)?(?:references?|bibliography|literature cited|works cited|references and notes|literature|references cited|"
    r"referencias(?: bibliográficas)?|referências(?: bibliográficas)?|références|bibliograf[ií]a|bibliographie|literaturverzeichnis)\s*:?",
    re.IGNORECASE,
)
_ENTRY = re.compile(
    r"(?:\[?\d{1,3}[\].]{1,2}\s*)?"  # its number
    r"(?:(?:de|van|von|der|den|del|da|dos|di|la|le|el|al|St\.)[\s-])*"
    r"[^\W\d_][\w'’‐-]+(?:\s[^\W\d_][\w'’‐-]+){0,2},?\s+(?:[A-Z]\.?[\s-]?){1,4}(?:[,.;&(]|and\b|et\b|$)"  # the first author
)
_YEAR = re.compile(r"\b(?:18|19|20)\d\d[a-z]?\b")
_NUMBERED = re.compile(r"(?:\d{1,2}(?:\.\d{1,2}){0,3}|[IVX]{1,4}|[A-Z](?:\.\d{1,2})?)\.?\s+[A-Z(].*")
_KNOWN = re.compile(
    r"(?:\d+\.?\s*)?(?:abstract|introduction|background|methods?|materials? and methods?|methodology|results?|results and discussion|"
    r"discussion|conclusions?|summary|acknowledge?ments?|funding|references|author contributions?|authors['’] contributions?|"
    r"competing interests?|conflicts? of interests?|data availability(?: statement)?|supplementary (?:materials?|information)|"
    r"abbreviations|appendix|limitations|case (?:report|presentation)|ethics statement|declarations)\s*[.:]?",
    re.IGNORECASE,
)  # fmt: skip

_LONGEST_HEADING = 160
"""Characters."""

_NARROW = 0.6
"""Of the width of the text's lines."""

_HEADING_SIZE = 0.88
"""Of the body's size: what is set smaller is no heading, whatever its font."""

_FOOTNOTE_SIZE = 0.92
"""Of the body's size: text set smaller than this at the foot of a page is a footnote."""


@dataclass(frozen=True)
class Body:
    """How a document's running text is set: font size and width of its lines in points, and font."""

    size: float
    font: str
    width: float


def classify(passages: list[Passage], body: Body, heights: dict[int, float]) -> list[Passage]:
    """`passages` with their kinds; `heights` are those of the document's pages, points."""
    out: list[Passage] = []
    largest = _title_size(passages, body.size)
    in_references = started = False
    for passage in passages:
        kind = passage.kind
        if not kind:
            kind = _kind(
                passage, body, heights, largest=largest, started=started, in_references=in_references
            )
        if (
            kind == "heading"
            and in_references
            and not _KNOWN.fullmatch(passage.text.strip())
            and passage.size < _over(out)
        ):
            kind = "reference"  # a journal's name in italics, say
        elif kind == "heading":
            in_references = _REFERENCES.fullmatch(passage.text.strip()) is not None
        started = started or (kind in ("heading", "body") and not _is_front(passage, body.size))
        out.append(replace(passage, kind=kind))
    return out


def _title_size(passages: list[Passage], body: float) -> float:
    sizes = [p.size for p in passages if p.page == 1 and not p.kind and len(p.text) > 15]
    return max(sizes, default=0.0) if max(sizes, default=0.0) > 1.15 * body else 0.0


def _kind(
    passage: Passage,
    body: Body,
    heights: dict[int, float],
    *,
    largest: float,
    started: bool,
    in_references: bool,
) -> str:
    text = passage.text.strip()
    if _CAPTION.match(text) and len(text) > 12 and not text[:1].islower():
        return "caption"
    if largest and passage.page == 1 and passage.size >= largest - 0.3 and not started:
        return "title"
    if _is_heading(passage, text, body):
        return "heading"
    if in_references or _is_entry(text):
        return "reference"
    if not started and passage.page == 1 and _is_front(passage, body.size):
        return "front"
    if _is_formula(text):
        return "formula"
    low = passage.lines[0].y0 > 0.6 * heights[passage.page]
    if passage.size < _FOOTNOTE_SIZE * body.size and low:
        return "footnote"
    if LIST_MARK.match(text + " "):
        return "list"
    if _is_narrow(passage, body) and text[-1:] not in ".!?:;":
        return "table"
    return "body"


def _is_heading(passage: Passage, text: str, body: Body) -> bool:
    if _KNOWN.fullmatch(text):
        return True
    if len(text) > _LONGEST_HEADING or len(passage.lines) > 3 or not any(c.isalpha() for c in text):
        return False
    if text[0].islower() or text[-1:] in ",;" or not re.search(r"[^\W\d_]{3}", text):
        return False
    stands_out = passage.bold or passage.size > 1.08 * body.size or passage.font not in ("", body.font)
    if _NUMBERED.fullmatch(text):
        return stands_out or (len(passage.lines) == 1 and text[-1:] != "." and len(text) < 80)
    return stands_out and passage.size >= _HEADING_SIZE * body.size and text[-1:] != "."


def _is_narrow(passage: Passage, body: Body) -> bool:
    """Whether several lines are all so short that they stand in a column of a table, or in a figure."""
    widest = max(line.x1 - line.x0 for line in passage.lines)
    return len(passage.lines) > 1 and widest < _NARROW * body.width


def _over(passages: list[Passage]) -> float:
    """The font size of the last heading, less what measuring may be off."""
    return next((p.size for p in reversed(passages) if p.kind == "heading"), 0.0) - 0.2


def _is_entry(text: str) -> bool:
    """Whether the text begins with an author's name and initials, as entries of reference lists do, and gives a year."""
    return (
        _ENTRY.match(text) is not None
        and _YEAR.search(text) is not None
        and len(re.findall(r"\b[A-Z]\b", text)) >= 2
    )


def _is_front(passage: Passage, body: float) -> bool:
    """Whether a passage of the first page, before the text begins, is too short or too odd to be text."""
    text = passage.text
    words = text.split()
    lower = sum(word[:1].islower() for word in words)
    return len(text) < 150 or lower < 0.5 * len(words) or "@" in text or passage.size < 0.8 * body


def _is_formula(text: str) -> bool:
    words = re.findall(r"[^\W\d_]{3,}", text)
    return len(text) > 1 and sum(map(len, words)) < 0.35 * len(text.replace(" ", ""))
