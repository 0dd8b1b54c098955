"""What all pages of the reading room share: the corpus as it is now, its pictures, and how a page is made."""

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape
from starlette.requests import Request
from starlette.responses import HTMLResponse

from lookup.calls.parameters import LONGEST_KEY, LONGEST_QUERY
from lookup.calls.public_messages import without_folders
from lookup.corpus import Corpus
from lookup.errors import PageQuoteError
from lookup.following_corpus import FollowingCorpus
from lookup.results.papers import PaperSummary
from lookup.web.page_pictures import Pictures
from lookup.web.paper_cache import Facts, HeldFacts

STATIC = Path(__file__).with_name("static")
_TEMPLATES = Path(__file__).with_name("templates")

_OFFERED = 300
"""Papers that the box for a key offers; of a larger corpus it offers none, and the list of papers is there to search."""


class Room:
    """A corpus that is followed from release to release, and what shows it."""

    def __init__(self, corpus: Corpus, pictures: Pictures) -> None:
        self.pictures = pictures
        self.current = FollowingCorpus(lambda: corpus)
        """Returns the corpus at its newest release; raises PageQuoteError where that cannot be read."""
        self._corpus = corpus
        self._offered: tuple[str, tuple[PaperSummary, ...], int] = ("", (), 0)
        self._facts = HeldFacts()
        self._templates = _templates()

    @staticmethod
    def of(request: Request) -> "Room":
        """The room that a request is made in."""
        room: Room = request.app.state.room
        return room

    def facts(self, key: str) -> Facts:
        """What is known of a paper in the release that `current` gave; raises UnknownKeyError."""
        return self._facts.of(self._corpus, key)

    def page(
        self, request: Request, template: str, values: Mapping[str, Any] | None = None, status: int = 200
    ) -> HTMLResponse:
        """The page that `template` makes of `values`."""
        release, offered, count = self._papers()
        shared = {
            "here": request.url.path,
            "release": release,
            "offered": offered,
            "paper_count": count,
            "asked_key": "",
            "asked_query": "",
            "asked_page": 0,
        }
        return HTMLResponse(
            self._templates.get_template(template).render({**shared, **(values or {})}), status
        )

    def _papers(self) -> tuple[str, tuple[PaperSummary, ...], int]:
        """The release's name, the papers to offer, and how many there are; read once a release."""
        corpus = self._corpus
        name = corpus.release.name
        if self._offered[0] != name:
            count = int(corpus.release.manifest.get("rows", {}).get("papers", 0))
            try:
                self._offered = (name, corpus.papers() if count <= _OFFERED else (), count)
            except PageQuoteError:
                return name, (), count  # a page that says what is wrong is made all the same
        return self._offered


def link(path: str, **values: str | int | None) -> str:
    """A path of the reading room with its query; what is empty is left out."""
    query = urlencode({name: value for name, value in values.items() if value})
    return f"{path}?{query}" if query else path


def _templates() -> Environment:
    templates = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=select_autoescape(default=True, default_for_string=True),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    templates.globals |= {
        "link": link,
        "static": _static(),
        "longest_key": LONGEST_KEY,
        "longest_query": LONGEST_QUERY,
    }
    templates.filters |= {"number": lambda count: f"{count:,}", "without_folders": without_folders}
    return templates


def _static() -> dict[str, str]:
    """The address of each file in static/, which changes with its content, so that browsers may keep it."""
    return {
        file.name: f"/static/{file.name}?v={hashlib.sha256(file.read_bytes()).hexdigest()[:12]}"
        for file in STATIC.iterdir()
    }
