"""DOI and year of a paper."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from pipeline.layout.measures import FRONT_PAGES
from pipeline.libraries.entries import normalised_doi
from pipeline.metadata.title import ParagraphText
from pipeline.pdf.reading import PdfPage

_DOI = re.compile(r"(?<![0-9.])10\.\s?\d{4,9}/")
_PART = re.compile(r"\.[gtse]\d{3}$")  # The end of PLOS's DOIs of figures and tables.
_NOTICE = 1500  # Characters: a longer paragraph is text, not a notice with a year.
_ENTRY = 600  # Characters: a longer paragraph is not an entry of a reference list.

_CITED = re.compile(r"\[\d+\]|\d{1,3}[.)]\s")
_DATA = re.compile(r"10\.(?:5061|5281|6084|17632|7910|15468|6073|17605)/")
"""Registrants of data, not of papers: Dryad, Zenodo, figshare, Mendeley Data, Dataverse, GBIF, OSF and
others."""


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns), re.IGNORECASE)


_YEAR = r"(?<![\d./-])((?:19|20)\d\d)(?!\d|[./-]\d)"
_ISSUE = r"(?:\s*\([^()]{1,24}\))?"
_PAGES = r"[A-Za-z]{0,2}\d+"
_DAY = r"(?:\d{1,2}(?:st|nd|rd|th|\.|º)?\s+(?:de[l]?\s+)?)?"
_MONTH = r"(?:[^\W\d_]{3,10}\.?,?\s+(?:de[l]?\s+)?)?"
_DATE = rf"{_DAY}{_MONTH}(?:\d{{1,2}},?\s+)?"
_VOLUME = _any(
    rf"\(\s*{_YEAR}\s*\)\s*[:,;]?\s*(?:vol\w*\.?\s*)?\d+{_ISSUE}\s*[:,;]\s*{_PAGES}",  # (2018) 14 (3): 209
    rf"{_YEAR}(?:\s[A-Z][a-z]+)?\s*[;,:]\s*(?:vol\w*\.?\s*)?\d+{_ISSUE}(?:,\s*no\.\s*\d+)?"
    rf"\s*[:,;]\s*{_PAGES}",  # 2014, 4, 932
    rf"{_YEAR}\s*[;,]\s*\d+(?:\s*,)?\s*\([^()]{{1,24}}\)\s*{_PAGES}",  # 2016, 10, (Suppl) 214; 2021, 51(3)371
    rf"\bvolume\s+{_YEAR}\b",
    rf"\b\d+{_ISSUE}\s*:\s*{_PAGES}(?:\s*[-–‑−]\s*{_PAGES})?\s*[,;]?\s*\(?{_YEAR}",  # 13(3): 67-72 (2017)
    rf"\bvol\.?\s*\d+\b[^.]{{0,20}}?\b(?:no\.?|issue)\s*\d+\b[^.;]{{0,20}}?{_YEAR}",
)
_CITATION = _any(
    rf"(?:\bcite this (?:article|paper|as)?|\bcitation|\bto cite|\bcomo citar|\bpour citer)\b"
    rf".{{10,400}}?[(.,;] ?{_YEAR}\b"
)
_PUBLISHED = _any(
    rf"\b(?:published|publication date|publicad[oa]|publié)"
    rf"(?: online| en línea| en ligne| on| em| en| el| le)*\s*:?\s*{_DATE}{_YEAR}"
)
_COPYRIGHT = _any(
    rf"(?:©|\(c\)|\bcopyright|\bauthors?(?: ?\(s\))?(?: or [^.]{{5,40}}\))?)"
    rf"[\s(.:©]{{1,4}}(?:the author\(?s?\)?[\s.(]*)?{_YEAR}",
    rf"{_YEAR} the authors?\b",
)


def doi(
    pages: Sequence[PdfPage], near: Sequence[ParagraphText], said: str | None, *, own: bool
) -> str | None:
    """Return the paper's own DOI; None if it is not sure.

    `near` are the paragraphs of its first pages, `said` that of the PDF, which may be its `own`.
    """
    there = _dois(
        one.text
        for one in near
        if one.kind != "reference" and not (_CITED.match(one.text) and len(one.text) < _ENTRY)
    )
    if said and (own or said in there):
        return said
    running = _dois(line.text for page in pages[:FRONT_PAGES] for line in page.in_margins)
    for found in (running, there):
        own_ones = [each for each in found if not _DATA.match(each)]
        if len(own_ones) == 1:
            return own_ones[0]
    return None


def year(near: Sequence[ParagraphText]) -> int | None:
    """Return the year of the volume, else of the publication, else of the copyright; None if not sure."""
    texts = [one.text for one in near if one.kind != "reference" and len(one.text) < _NOTICE]
    first = [one.text for one in near if one.page == 1 and one.text in texts]
    for pattern in (_VOLUME, _CITATION, _PUBLISHED, _COPYRIGHT):
        for where in (first, texts):
            found = Counter(_years(pattern, where))
            if found:
                (best, count), *others = found.most_common()
                if not others or count > others[0][1]:
                    return best
    return None


def _years(pattern: re.Pattern[str], texts: Sequence[str]) -> Iterator[int]:
    for text in texts:
        for match in pattern.finditer(text):
            before = text[: match.start()]
            if before.count("(") > before.count(")"):
                continue  # a citation in the text: "(Vaccine 1996, 14:1451)"
            yield next(int(value) for value in match.groups() if value)


def _dois(texts: Iterator[str] | Sequence[str]) -> Counter[str]:
    """Count the DOIs in the texts, without those that a line's end cut: they are the beginnings of others."""
    found: Counter[str] = Counter()
    for text in texts:
        for match in _DOI.finditer(text):
            number = normalised_doi(text[match.start() :].replace("10. ", "10.", 1))
            if number and not _PART.search(number):
                found[number] += 1
    return Counter(
        {each: n for each, n in found.items() if not any(o != each and o.startswith(each) for o in found)}
    )
