"""Highlights that programs export into Markdown: Logseq, obsidian-annotator and Readwise."""

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from lookup.papers.locators import Locator, parse_locator
from pagequote.check.cited_works import CitedWork
from pagequote.check.quotation import MappedText, Name, Quotation, Spans


class Export(NamedTuple):
    """The highlights of an export as quotations, and the work that all of them are from."""

    quotations: tuple[Quotation, ...]
    works: Mapping[str, CitedWork]


_LOGSEQ_FILE = re.compile(
    r"^file(?:-path)?::[ \t]*+(?:\[[^\[\]\n]*\]\()?(?P<path>[^()\n]+\.pdf)\)?", re.MULTILINE | re.IGNORECASE
)
_LOGSEQ = re.compile(
    r"^[ \t]*-[ \t](?P<words>[^\n]*+(?>(?:\n(?![ \t]*(?:-[ \t]|[\w-]+::))[^\n]*+)*))\n"
    r"(?P<about>(?:[ \t]*[\w-]+::[^\n]*+\n?)+)",
    re.MULTILINE,
)
_LOGSEQ_PAGE = re.compile(r"hl-page::[ \t]*(\d{1,6})")
_READWISE = re.compile(
    r"^[ \t]*[-*][ \t](?P<words>[^\n]*?)(?<![ \t])[ \t]*+\(\[(?P<kind>Page|Location)[ \t](?P<page>[\w-]+)\]"
    r"\(https?://[^\s()]*readwise[^\s()]*\)\)",
    re.MULTILINE,
)
_ANNOTATED = re.compile(
    r"^annotation-target:[ \t]*+(?P<path>[^\n]+\.pdf)[ \t\r]*$", re.MULTILINE | re.IGNORECASE
)
_ANNOTATION = re.compile(r"%%HIGHLIGHT%%[ \t]*+==(?P<words>[^\n]*?)==[ \t]*+%%POSTFIX%%")
_TITLE = re.compile(
    r"^(?:-?[ \t]*Full Title:[ \t]*+(?P<full>[^\n]+)|#[ \t]++(?P<head>[^\n]+))$", re.MULTILINE
)
_AUTHOR = re.compile(r"^-?[ \t]*Authors?:[ \t]*+(?P<author>[^\n]+)$", re.MULTILINE)


def read_export(source: str) -> Export | None:
    """Return what an export quotes; None for Markdown that is none."""
    file = _LOGSEQ_FILE.search(source)
    if file is not None and "hl-page::" in source:
        key = Name(file["path"])
        return Export(tuple(_of_logseq(source, key)), {})
    if (file := _ANNOTATED.search(source)) and _ANNOTATION.search(source):
        key = Name(file["path"].strip())
        return Export(tuple(_quoted(source, one, key, None) for one in _ANNOTATION.finditer(source)), {})
    if _READWISE.search(source):
        titles = sorted(_TITLE.finditer(source), key=lambda one: one["full"] is None)
        author = _AUTHOR.search(source)
        title = (titles[0]["full"] or titles[0]["head"]).strip() if titles else ""
        work = CitedWork.of(None, None, title, re.sub(r"[\[\]]", "", author["author"]) if author else "", "")
        return Export(tuple(_of_readwise(source, work.name)), {work.name: work._replace(author_year="")})
    return None


def _of_logseq(source: str, key: str) -> Iterator[Quotation]:
    for item in _LOGSEQ.finditer(source):
        page = _LOGSEQ_PAGE.search(item["about"])
        if "annotation" in item["about"] and page:
            start, end = item.start("about") + page.start(), item.start("about") + page.end()
            yield _quoted(source, item, key, Locator(page[1], start, end, (), linked=int(page[1])))


def _of_readwise(source: str, key: str) -> Iterator[Quotation]:
    for item in _READWISE.finditer(source):
        pages = parse_locator(source, *item.span("page")) if item["kind"] == "Page" else None
        yield _quoted(source, item, key, pages)


def _quoted(source: str, item: re.Match[str], key: str, locator: Locator | None) -> Quotation:
    start, end = item.span("words")
    spans = Spans()
    spans.add_each(start, end - start)
    words = MappedText(source[start:end], spans).cut(0, end - start)
    return Quotation(words, (key,), locator, start, end, "highlight")
