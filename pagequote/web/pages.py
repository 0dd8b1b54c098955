"""The pages of quotes and papers: the start, an answer, the list, a paper, its pages and its PDF."""

from collections import Counter
from collections.abc import Callable, Mapping
from itertools import zip_longest
from textwrap import wrap
from typing import Any
from urllib.parse import quote as in_url

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response, StreamingResponse

from lookup.corpus import Corpus
from lookup.errors import QueryError, SourceError
from lookup.results.papers import Original, PaperSummary
from lookup.results.quote_answer import Match
from pagequote.calls.arguments import read_value
from pagequote.calls.table import LAST_PAGE
from pagequote.check.report import as_proof
from pagequote.web.page_pictures import Size
from pagequote.web.room import (
    MOST_PLACES,
    ErrorPage,
    Room,
    attached,
    key_of,
    link,
    number_of,
    page_of,
    words_of,
)
from pagequote.web.view_models import reference_copies, sheet, shown, strip_of, thumbnails
from pipeline.files.drawn_page import NotDrawnError, Reason
from pipeline.files.original_file import copied
from pipeline.processes.operating_system import file_name

_LISTED = 100  # Papers on a page of their list.

_SORTED: Mapping[str, Callable[[PaperSummary], Any]] = {
    "key": lambda paper: paper.key,
    "title": lambda paper: (paper.title or "\U0010ffff").casefold(),
    "authors": lambda paper: (paper.cited or "\U0010ffff").casefold(),
    "year": lambda paper: -(paper.year or 0),
    "pages": lambda paper: -paper.pages,
}
"""The orders of the list: the newest and the longest first, what is not known last."""

_SCROLLED = 60
"""Pages that one address of the whole document has: of more, all would be slow to lay out."""

_MOST_MARKED = 300
"""Places of a search that are marked in a document: more are no search, but a word on each line."""

_MOST_PAPERS = 10_000_000

_KEPT = "private, max-age=604800, immutable"
"""A picture whose address names the content of its PDF never changes."""


def basket(request: Request) -> Response:
    """Return the page of the quotes that the browser keeps; the server knows none of them."""
    return Room.of(request).page(request, "basket.html")


def home(request: Request) -> Response:
    """Return the start page: a form to search with, and an example."""
    room = Room.of(request)
    corpus = room.current()
    example = room.example()
    values: dict[str, Any] = {"example": example}
    if example:
        facts = room.facts(example.key)
        parts = corpus.page_parts(example.key, example.page) if example.boxes else ()
        values |= {"paper": facts.paper, "strip_of_print": strip_of(facts, example, parts)}
    return room.page(request, "home.html", values)


def proof(request: Request) -> Response:
    """Return the best place of a quote as one file that any page can hold: words, source, strip of print."""
    room, asked = Room.of(request), request.query_params
    corpus = room.current()
    matches = corpus.quote(room.facts(key_of(asked)).paper.key, words_of(asked), page_of(asked, 0)).matches
    if not matches:
        raise HTTPException(404)
    made = as_proof(corpus, matches[0], room.draw)
    return attached(made.encode(), f"{file_name(matches[0].key)}-quote.html")


def quote(request: Request) -> Response:
    """Return the places where a paper prints the words, or the page that helps if a field is empty."""
    room, asked = Room.of(request), request.query_params
    key, query = key_of(asked), words_of(asked)
    limit = number_of(asked, "limit", 1, 1, MOST_PLACES)
    if not query:
        return RedirectResponse(link("/paper", key=key) if key else "/", 303)
    if not key:
        found = room.current().verify(query) if len(query.split()) > 1 else None
        if found is None or not found.key:
            return RedirectResponse(link("/search", query=query), 303)
        return RedirectResponse(link("/quote", key=found.key, query=query, page=asked.get("page")), 303)
    corpus = room.current()
    facts = room.facts(key)
    page = page_of(asked, 0)
    answer = corpus.quote(facts.paper.key, query, page, limit)
    more = ""
    if limit < MOST_PLACES and len(answer.matches) >= limit:
        most = min(limit + 4, MOST_PLACES)
        more = link("/quote", key=answer.key, query=answer.query, page=page, limit=most)
    values = {
        **room.named(facts, key),
        "answer": answer,
        "shown": shown(corpus, facts, answer, str(request.base_url)),
        "paper": facts.paper,
        "more": more,
    }
    return room.page(request, "quote.html", values)


def papers(request: Request) -> Response:
    """Return the list of papers, or of those with some words in key, title, authors, year, DOI or venue."""
    room, asked = Room.of(request), request.query_params
    words = words_of(asked, "filter")
    start = number_of(asked, "start", 0, 0, _MOST_PAPERS)
    sort = asked.get("sort", "key")
    if sort not in _SORTED:
        raise QueryError(f"sort must be one of {', '.join(_SORTED)}, got {sort!r}.")
    every = sorted(room.current().papers(words), key=_SORTED[sort])
    found = every[start : start + _LISTED + 1]
    values = {
        "filter": words,
        "sort": sort,
        "start": start,
        "count": len(every),
        "papers": found[:_LISTED],
        "before": link("/papers", filter=words, sort=sort, start=max(0, start - _LISTED)) if start else "",
        "after": link("/papers", filter=words, sort=sort, start=start + _LISTED)
        if len(found) > _LISTED
        else "",
    }
    return room.page(request, "papers.html", values)


def paper(request: Request) -> Response:
    """Return the page of a paper: its metadata, abstract, outline and pages."""
    room, key = Room.of(request), key_of(request.query_params)
    corpus = room.current()
    facts = room.facts(key)
    values = {
        "paper": facts.paper,
        "outline": corpus.outline(key),
        "abstract": corpus.abstract(key),
        "pages": list(zip_longest(facts.pages, thumbnails(facts))),
        "copies_of_paper": reference_copies(facts.paper),
        **room.named(facts, key),
    }
    return room.page(request, "paper.html", values)


def page(request: Request) -> Response:
    """Return a page of a paper: its text, and its picture with the words of a query marked."""
    room, asked = Room.of(request), request.query_params
    key, query = key_of(asked), words_of(asked)
    size: Size = read_value(Size, asked.get("size", "page"), "size")
    corpus = room.current()
    facts = room.facts(key)
    number = corpus.page_number(key, page_of(asked, 1))
    parts = corpus.page_parts(key, number)
    matches = _marked(corpus, facts.paper.key, query, number)
    values = {
        "paper": facts.paper,
        "page": facts.pages[number - 1],
        "last": len(facts.pages),
        "text": [part for part in parts if part.kind != "furniture"],
        "aside": [part for part in parts if part.kind == "furniture"],
        "shown_sheet": sheet(facts, number, parts, matches, query, size),
        "large": size == "large",
        **room.named(facts, key),
    }
    return room.page(request, "page.html", values)


def read(request: Request) -> Response:
    """Return the pages of a paper below one another, with its outline and small pictures of them beside.

    All places with the words of a query are marked, else what comes nearest.
    """
    room, asked = Room.of(request), request.query_params
    key, query = key_of(asked), words_of(asked)
    corpus = room.current()
    facts = room.facts(key)
    first = (corpus.page_number(key, page_of(asked, 1)) - 1) // _SCROLLED * _SCROLLED
    shown = facts.pages[first : first + _SCROLLED]
    found = corpus.grep(query, [facts.paper.key], limit=_MOST_MARKED + 1) if query else ()
    matches = [*found[:_MOST_MARKED]] or _marked(corpus, facts.paper.key, query, 0)
    values = {
        "paper": facts.paper,
        "outline": corpus.outline(key),
        "places": Counter(one.page for one in matches),
        "verdict": matches[0].verdict if matches else "",
        "more": len(found) > _MOST_MARKED,
        "pages": facts.pages,
        "thumbnails": thumbnails(facts),
        "sheets": list(filter(None, (sheet(facts, one.page, (), matches, query) for one in shown))),
        **room.named(facts, key),
    }
    return room.page(request, "read.html", values)


def _marked(corpus: Corpus, key: str, query: str, page: int) -> list[Match]:
    """Return the best places of a query's words that the page prints, none without a query."""
    matches = corpus.quote(key, query, page, MOST_PLACES).matches if query else ()
    return [one for one in matches if one.verdict == matches[0].verdict]


async def image(request: Request) -> Response:
    """Return a page as a picture. On failure it is a picture of the reason, shown where the page would be."""
    room, asked = Room.of(request), request.query_params
    key, number = key_of(asked), number_of(asked, "page", 1, 1, LAST_PAGE)
    size: Size = read_value(Size, asked.get("size", "page"), "size")
    original = await run_in_threadpool(_original, room, key, number)
    tag = f'"{original.sha256[:16]}-{number}-{size}"'
    headers = {"ETag": tag, "Cache-Control": _kept(original, asked)}
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers=headers)
    try:
        picture = await room.pictures.picture(original, number, size)
    except NotDrawnError as error:
        busy = {"Retry-After": "2"} if error.reason == "busy" else {}
        return Response(
            room.picture_of(wrap(error.sentence, 40)),
            503 if busy else 404,
            {"Cache-Control": "no-store", **busy},
            "image/svg+xml",
        )
    return Response(picture, 200, headers, "image/png")


def pdf(request: Request) -> Response:
    """Return the PDF of a paper, for the browser to open."""
    room, asked = Room.of(request), request.query_params
    key = key_of(asked)
    room.current()
    facts = room.facts(key)
    original = facts.original
    reason: Reason = "changed" if facts.pages else "markup"
    try:
        copy = copied(original) if facts.pages else None
    except SourceError:
        copy, reason = None, "gone"
    if copy is None:
        error = ErrorPage(404, NotDrawnError(reason).sentence)
        return room.page(request, "error.html", {"error": error, "closest": ()}, error.status)
    headers = {
        "Cache-Control": _kept(original, asked),
        "Content-Disposition": f"inline; filename*=utf-8''{in_url(f'{original.key}.pdf', safe='')}",
    }
    return StreamingResponse(copy, 200, headers, "application/pdf")


def _kept(original: Original, asked: Mapping[str, str]) -> str:
    """Return for how long a browser may keep what is of this PDF."""
    return _KEPT if asked.get("of") == original.sha256[:16] else "no-cache"


def _original(room: Room, key: str, number: int) -> Original:
    room.current().page_number(key, number)  # raises for a page that is not there
    return room.facts(key).original
