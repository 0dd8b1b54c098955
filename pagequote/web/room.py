"""What all pages of the reading room share: the corpus, pictures, templates, fields, links and errors."""

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from threading import Lock
from typing import Annotated, Any, NamedTuple
from urllib.parse import quote, urlencode

from cachetools import LRUCache
from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from lookup import errors
from lookup.corpus import Corpus
from lookup.limits import PageName
from lookup.release.schema import KINDS
from lookup.results.papers import Original, Page, PaperSummary
from lookup.results.quote_answer import Match
from lookup.text.printable import harmless, on_one_line
from pagequote.calls.arguments import read_value
from pagequote.calls.killable import PROCESSES, Runner
from pagequote.calls.replies import without_folders
from pagequote.calls.table import LAST_PAGE, LONGEST_KEY, LONGEST_QUERY, About
from pagequote.check.without_paper import called
from pagequote.serving.clients import Turns
from pagequote.serving.following_corpus import FollowingCorpus
from pagequote.web.page_pictures import Pictures

STATIC = Path(__file__).with_name("static")
_TEMPLATES = Path(__file__).with_name("templates")


MOST_PLACES = 20  # Places that a page of answers shows.

_HELD = 1000
"""Papers of which facts are held, some 10 kB each: a page of answers needs them again and again."""


class HeldPaper(NamedTuple):
    """A paper, its pages in order, the PDF that it was read from, and the name that asks for it."""

    paper: PaperSummary
    pages: tuple[Page, ...]
    original: Original
    name: str


class Room:
    """A corpus at its newest release, and what shows it."""

    def __init__(self, corpus: Corpus, pictures: Pictures, long: Runner) -> None:
        self.pictures = pictures
        self.long = long
        self.judging = Turns(PROCESSES)
        """Threads of its own: who asks for a quote does not wait for drafts."""
        self.current = FollowingCorpus(lambda: corpus)
        """Returns the corpus at its newest release; raises PageQuoteError where that cannot be read."""
        self.reading: Callable[[], str] = lambda: ""
        """Returns a line on what is being read, for all pages."""
        self.adds = ""  # Where a browser may put PDFs.
        self._corpus = corpus
        self._example: tuple[str, Match | None] = ("", None)
        self._facts: LRUCache[tuple[str, str], HeldPaper] = LRUCache(_HELD)
        self._lock = Lock()
        self._templates = page_templates()

    @staticmethod
    def of(request: Request) -> "Room":
        """Return the room of a request."""
        room: Room = request.app.state.room
        return room

    def facts(self, key: str) -> HeldPaper:
        """Return the facts of a paper in the release that `current` returned. Raise UnknownKeyError."""
        corpus, release = self._corpus, self._corpus.release.name
        with self._lock:
            held = self._facts.get((release, key))
        if held is not None:
            return held
        paper = corpus.paper(key)
        original = corpus.original(key)
        facts = HeldPaper(paper, corpus.pages(key), original, _name_of(corpus, paper))
        if corpus.release.name == release:  # else some of them may be of the next release
            with self._lock:
                self._facts[release, key] = facts
        return facts

    def source(self, key: str) -> str:
        """Return what people call the paper with this key; the key itself where no paper has it."""
        try:
            return called(self.facts(key).paper)
        except errors.PageQuoteError:
            return key

    @staticmethod
    def named(facts: HeldPaper, name: str) -> dict[str, str]:
        """Return what pages say of a paper that was asked for by `name`: what it is called, what that means.

        That its own name means it is not said.
        """
        known = name in (facts.paper.key, facts.name)
        said = "" if known else f"{on_one_line(name)!r} is taken as {called(facts.paper)}."
        return {"asked_key": facts.name, "named": said}

    def page(
        self, request: Request, template: str, values: Mapping[str, Any] | None = None, status: int = 200
    ) -> HTMLResponse:
        """Return the page that `template` renders from `values`."""
        asked = request.query_params
        shared = {
            "here": request.url.path,
            "release": self._corpus.release.name,
            "paper_count": int(self._corpus.release.manifest.get("rows", {}).get("papers", 0)),
            "reading": self.reading(),
            "adds": self.adds,
            "named": "",
            "source": self.source,
            "asked": asked,
            "asked_key": asked.get("key", ""),
        }
        return HTMLResponse(
            self._templates.get_template(template).render({**shared, **(values or {})}), status
        )

    def draw(self, original: Original, page: int, boxes: object = ()) -> bytes:  # noqa: ARG002
        """Return a page as a report or a proof cuts its strips from it. Raise NotDrawnError."""
        return self.pictures.drawn(original, page, "page")

    def picture_of(self, lines: Sequence[str]) -> str:
        """Return a picture of a few words, as SVG."""
        return self._templates.get_template("words.svg").render(lines=lines)

    def example(self) -> Match | None:
        """Return words of an abstract as they are found in its paper; None where no paper has one to show."""
        corpus = self._corpus
        if self._example[0] != corpus.release.name:
            by_name = sorted(corpus.papers(limit=_TRIED), key=lambda one: not (one.authors and one.year))
            found = filter(None, (_of_abstract(corpus, paper.key) for paper in by_name))
            self._example = (corpus.release.name, next(found, None))
        return self._example[1]


_TRIED = 25  # Papers of which one is to give the example of the start page, best one with an author.

_EXAMPLE = range(7, 17)  # Words of a sentence of an abstract.
_PLAIN = re.compile(r"[A-Z][a-z]*(?:,?[ -][a-z]+)+\.")
"""A sentence that reads well by itself: of words, without numbers, signs and names."""

_AFTER_SENTENCE = re.compile(r"(?<=[.?!]) ")


def _of_abstract(corpus: Corpus, key: str) -> Match | None:
    sentences = _AFTER_SENTENCE.split(" ".join((corpus.abstract(key) or "").split()))
    words = next((one for one in sentences if len(one.split()) in _EXAMPLE and _PLAIN.fullmatch(one)), "")
    matches = corpus.quote(key, words).matches if words else ()
    return matches[0] if matches and matches[0].verdict == "verbatim" else None


def _name_of(corpus: Corpus, paper: PaperSummary) -> str:
    """Return what people call a paper, or its key where others are called so, too."""
    try:
        return called(paper) if corpus.paper(called(paper)).key == paper.key else paper.key
    except errors.PageQuoteError:
        return paper.key


class ErrorPage(NamedTuple):
    """An HTTP status, a sentence, and the keys that may have been meant."""

    status: int
    sentence: str
    closest: tuple[str, ...] = ()


_NOT_NOW = {
    errors.CorpusNotFoundError: "The corpus cannot be read now. Try again in a moment.",
    errors.CorpusVersionError: (
        "Another version of PageQuote wrote the corpus. Build it again, or restart with it."
    ),
    errors.DamagedError: "The corpus is damaged. Build it again: the next build makes what is damaged anew.",
    errors.StorageError: "The storage of the corpus cannot be reached now. Try again in a moment.",
}
_NOT_HERE = {
    errors.SearchError: "The corpus has no index of words that this version can read. Build it again.",
    errors.ModelError: "This corpus cannot be searched by meaning here: the model of its vectors is missing.",
}


def error_page(error: Exception) -> ErrorPage:
    """Return the page for an error. Only errors about the reader's own words are shown in their own text."""
    if isinstance(error, errors.UnknownKeyError):
        return ErrorPage(404, f"No paper has the key “{error.key}”.", error.closest)
    if isinstance(error, errors.PageNotFoundError):
        return ErrorPage(404, str(error))
    if isinstance(error, errors.QueryError | errors.BusyError):
        return ErrorPage(400 if isinstance(error, errors.QueryError) else 503, str(error))
    for status, sentences in ((503, _NOT_NOW), (501, _NOT_HERE)):
        for family, sentence in sentences.items():
            if isinstance(error, family):
                return ErrorPage(status, sentence)
    return ErrorPage(500, "Something went wrong. See the terminal of the server.")


def words_of(values: Mapping[str, str], name: str = "query", most: int = LONGEST_QUERY) -> str:
    """Return the words in a field, without spaces around them. Raise QueryError if they are too long."""
    words: str = read_value(Annotated[str, About("", most=most)], _given(values, name), name)
    return words


def key_of(values: Mapping[str, str]) -> str:
    """Return the key. Raise QueryError if it is too long for a key."""
    return words_of(values, "key", LONGEST_KEY)


def number_of(values: Mapping[str, str], name: str, default: int, least: int, most: int) -> int:
    """Return a number, `default` if the field is empty. Raise QueryError."""
    given = _given(values, name)
    number: Any = Annotated[int, About("", least, most)]
    return int(read_value(number, given, name)) if given else default


def page_of(values: Mapping[str, str], default: int) -> PageName:
    """Return the page as it was named, `default` (0 for any) if the field is empty. Raise QueryError."""
    given = _given(values, "page")
    if given and not given.isdecimal():
        return given
    return number_of(values, "page", default, default, LAST_PAGE)


def _given(values: Mapping[str, str], name: str) -> str:
    return values.get(name, "").strip()


def link(path: str, **values: str | int | None) -> str:
    """Return a path of the reading room with its query. Empty values are left out."""
    query = urlencode({name: value for name, value in values.items() if value})
    return f"{path}?{query}" if query else path


def attached(content: bytes, name: str) -> Response:
    """Return a file for the browser to save."""
    headers = {"content-disposition": f"attachment; filename*=UTF-8''{quote(name)}"}
    return Response(content, media_type="application/octet-stream", headers=headers)


def page_templates() -> Environment:
    """Return the templates of all pages."""
    templates = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=select_autoescape(default=True, default_for_string=True),
        finalize=harmless,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    templates.globals |= {
        "link": link,
        "static": {  # an address changes with the content: browsers may keep it
            file.name: f"/static/{file.name}?v={hashlib.sha256(file.read_bytes()).hexdigest()[:12]}"
            for file in STATIC.iterdir()
        },
        "longest_key": LONGEST_KEY,
        "longest_query": LONGEST_QUERY,
        "kinds": KINDS,
    }
    templates.filters |= {
        "number": lambda count: f"{count:,}",
        "called": called,
        "without_folders": without_folders,
        "for_readers": lambda hint: _SAID_BESIDE.sub("", hint).strip(),
    }
    return templates


_SAID_BESIDE = re.compile(
    r"\ANot printed in \S+ as asked(?:\. (?=The nearest|See the|What comes)|, and (?=nothing near))"
    r"|(?<=\.) Search all papers\.|Searched by words alone.*"
)
"""What of a hint its page says itself, and why no meanings were compared."""
