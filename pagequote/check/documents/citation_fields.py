"""Citations as reference managers write them into documents: Zotero, Mendeley, EndNote, and Word itself."""

import base64
import binascii
import json
import re
from collections.abc import Mapping
from xml.etree import ElementTree as ET

from lookup.papers.locators import Locator, parse_locator
from pagequote.check.cited_works import CitedWork
from pipeline.libraries.csl_json import csl_metadata
from pipeline.office.listener import Citing

Cited = list[tuple[CitedWork, Locator | None]]  # The works of a citation, each with its pages.

_CSL = re.compile(r"(?:ZOTERO_ITEM[ \t\n]{1,4})?CSL_CITATION[ \t\n]{1,4}(?=\{)")
_WORD = re.compile(r"[ \t\n]{0,4}CITATION[ \t\n]{1,4}(?P<rest>.*)", re.DOTALL)
_SWITCH = re.compile(r"\\(?P<letter>[a-z])[ \t\n]{1,4}(?:\"(?P<quoted>[^\"]*+)\"|(?P<plain>[^\s\\]++))?")
_PAGE_LABELS = frozenset({"page", "pp", "p", ""})
_MENDELEY = "MENDELEY_CITATION_v3_"


def read_citation(by: Citing, said: str, data: str, sources: Mapping[str, CitedWork]) -> Cited:
    """Return what a citation cites, [] if it cannot be read; of a field, `data` is kept apart.

    Zotero writes its citation into the name of a mark of LibreOffice, Mendeley Cite in Base64 into the tag of
    a control. `sources` are Word's.
    """
    if by == "entry":
        return [(CitedWork(said), None)] if said else []
    if by == "control":
        return _csl(_decoded(said[len(_MENDELEY) :])) if said.startswith(_MENDELEY) else []
    if csl := _CSL.search(said):
        return _csl(said[csl.end() :])
    if by == "field" and "EN.CITE" in said:
        return _endnote(said) or _endnote(_decoded(data))
    if by == "field" and (word := _WORD.match(said)):
        return _word(word["rest"], sources)
    return []


def _csl(text: str) -> Cited:
    """Return what a citation in CSL JSON cites; what follows the JSON is passed over."""
    try:
        citation, _ = json.JSONDecoder().raw_decode(text)
    except (ValueError, RecursionError):
        return []
    items = citation.get("citationItems") if isinstance(citation, dict) else None
    cited: Cited = []
    for item in (one for one in items or () if isinstance(one, dict)):
        about = item.get("itemData")
        about = about if isinstance(about, dict) else {}
        told = csl_metadata({**about, "author": about.get("author") or about.get("editor")})
        author = told.authors[0].partition(",")[0] if told.authors else ""
        key = about.get("citation-key") or about.get("citekey")
        paged = str(item.get("label") or "") in _PAGE_LABELS
        work = CitedWork.of(key, told.doi, told.title, author, str(told.year or ""))
        cited.append((work, _pages(item.get("locator")) if paged else None))
    return cited


def _pages(text: object) -> Locator | None:
    """Return pages that a reference manager keeps as a text."""
    shown = str(text or "").strip()
    return parse_locator(shown, 0, len(shown)) if shown else None


def _endnote(text: str) -> Cited:
    start, end = text.find("<EndNote>"), text.find("</EndNote>")
    if start < 0 or end < 0 or "<!" in text:
        return []
    try:
        root = ET.fromstring(text[start : end + len("</EndNote>")])  # noqa: S314  # no "<!": no entities
    except ET.ParseError:
        return []
    cited: Cited = []
    for cite in root.iter("Cite"):
        doi, title, author, year, pages = (
            "".join(found.itertext()).strip() if (found := cite.find(path)) is not None else ""
            for path in _ENDNOTE
        )
        cited.append((CitedWork.of(None, doi, title, author.partition(",")[0], year), _pages(pages)))
    return cited


_ENDNOTE = ("record/electronic-resource-num", "record/titles/title", "Author", "Year", "Pages")


def _word(rest: str, sources: Mapping[str, CitedWork]) -> Cited:
    r"""Return what a field of Word cites: `CITATION Fan21 \p 12 \l 1033 \m Oka19`."""
    tag, _, switches = rest.strip().partition(" ")
    tags: list[tuple[str, str]] = [(tag, "")]
    for switch in _SWITCH.finditer(switches):
        value = switch["quoted"] or switch["plain"] or ""
        if switch["letter"] == "p":
            tags[-1] = (tags[-1][0], value)
        elif switch["letter"] == "m":
            tags.append((value, ""))
    return [(sources.get(one) or CitedWork(one), _pages(given)) for one, given in tags if one]


def _decoded(text: str) -> str:
    try:
        return base64.b64decode(re.sub(r"\s", "", text) + "===").decode("utf-8", "replace").replace("\0", "")
    except (binascii.Error, ValueError):
        return ""
