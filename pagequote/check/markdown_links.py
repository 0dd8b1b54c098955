"""Links of notes that cite: to a page of a PDF, or to the note of a key, as in Obsidian and Logseq."""

import re
from urllib.parse import unquote

from lookup.papers.locators import Locator, parse_locator
from pagequote.check.quotation import Citation, Name
from pagequote.check.running_text import RunningText


def read_link(flow: RunningText, source: str, token: re.Match[str]) -> None:
    """Read `[p. 6](papers/okafor.pdf#page=2)`."""
    shown = parse_locator(source, *token.span("shown"))
    flow.cite(_linked(token["pdf"], token["at"], shown, *token.span()))


def read_wiki(flow: RunningText, source: str, token: re.Match[str]) -> None:
    """Read a link of Obsidian or Logseq: to a page of a PDF, to the note of a key, or to another note."""
    start, end = token.span()
    target = token["to"].strip()
    if target.startswith("@"):
        pages = token.span("pages") if token["pages"] else token.span("alias") if token["alias"] else None
        locator = parse_locator(source, *pages) if pages else None
        flow.cite(Citation((target[1:].removesuffix(".md"),), locator, start, end))
    elif target.lower().endswith(".pdf"):
        shown = parse_locator(source, *token.span("alias")) if token["alias"] else None
        flow.cite(_linked(target, token["place"] or "", shown, start, end))
    else:
        flow.copy(source, *token.span("alias" if token["alias"] else "to"))
        if token["pages"]:
            flow.copy(source, token.start("pages"), end)


def _linked(pdf: str, place: str, shown: Locator | None, start: int, end: int) -> Citation:
    """Return the citation that a link to a PDF is; `place` is what the address has after "#"."""
    page = _PAGE_OF.search(place)
    key = Name(unquote(pdf))
    if page is None:
        return Citation((key,), shown, start, end)
    linked = Locator(f"#page={page[1]}", start, end, (), linked=int(page[1]))
    named = shown is not None and (shown.prefix is not None or shown.ranges != ())
    locator = shown._replace(linked=int(page[1])) if shown is not None and named else linked
    return Citation((key,), locator, start, end)


_PAGE_OF = re.compile(r"\bpage=(\d{1,6})")
