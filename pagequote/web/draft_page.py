"""The page that checks the quotations of a pasted draft against their sources."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from anyio import to_thread
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from lookup.corpus import Corpus
from lookup.errors import QueryError
from pagequote.check.formats.messages import left_out, message
from pagequote.check.judge import Finding, judge
from pagequote.check.latex_macros import Vocabulary
from pagequote.check.manuscript import encode, read_manuscript
from pagequote.check.word_diff import DiffPiece, diff_pieces
from pagequote.web.room import Room, link

MARKUPS = {"markdown": ("Markdown", ".md"), "latex": ("LaTeX", ".tex"), "typst": ("Typst", ".typ")}
"""Each markup that can be pasted: its name, and the suffix of its files."""

_MOST_CHARACTERS = 60_000
"""The longest draft: a chapter, some 20 pages."""

_MOST_QUOTATIONS = 200


@dataclass(frozen=True)
class Judged:
    """A quotation of the draft: its finding, in words and as a word diff, and the address of the place."""

    finding: Finding
    message: str
    left_out: str
    diff: tuple[DiffPiece, ...]
    place: str
    hint: str


def empty(request: Request) -> Response:
    """Return the empty form."""
    room = Room.of(request)
    room.current()
    return room.page(request, "draft.html", _values("", "markdown"))


async def judged(request: Request) -> Response:
    """Return the quotations of the pasted draft, each with its verdict."""
    try:
        async with request.form(max_files=0, max_fields=10, max_part_size=1 << 20) as form:
            text, markup = str(form.get("text", "")), str(form.get("markup", "markdown"))
    except ClientDisconnect:
        return Response()  # which nobody reads
    return await to_thread.run_sync(_judged, request, text, markup, limiter=Room.of(request).judging)


def _judged(request: Request, text: str, markup: str) -> Response:
    room = Room.of(request)
    corpus = room.current()
    try:
        findings = room.long(partial(_findings, text=text, markup=markup), corpus)
    except QueryError as error:
        return room.page(request, "draft.html", _values(text, markup) | {"problem": str(error)}, 400)
    values = _values(text, markup) | {
        "judged": [_one(finding) for finding in findings],
        "wrong": sum(one.level == "error" for one in findings),
        "unjudged": sum(one.level == "warning" for one in findings),
    }
    return room.page(request, "draft.html", values)


def _findings(corpus: Corpus, text: str, markup: str) -> list[Finding]:
    if markup not in MARKUPS:
        raise QueryError("The markup must be markdown, latex or typst.")
    if len(text) > _MOST_CHARACTERS:
        raise QueryError(f"The draft has {len(text):,} characters; the limit is {_MOST_CHARACTERS:,}.")
    path = Path("draft").with_suffix(MARKUPS[markup][1])  # no such file: what it holds is handed in
    manuscript, _ = read_manuscript(path, Vocabulary(), encode(text))
    if len(manuscript.quotations) > _MOST_QUOTATIONS:
        raise QueryError(
            f"The draft has {len(manuscript.quotations)} quotations; the limit is {_MOST_QUOTATIONS}."
        )
    return judge(corpus, [manuscript])


def _values(text: str, markup: str) -> dict[str, Any]:
    found = {"judged": None, "wrong": 0, "unjudged": 0, "problem": ""}
    return {"text": text, "markup": markup, "markups": MARKUPS, **found}


def _one(finding: Finding) -> Judged:
    known = finding.verdict != "unknown key"
    place = ""
    if known and finding.printed:
        place = link("/quote", key=finding.key, query=" ".join(finding.printed.split()), page=finding.page)
    hint = finding.hint if known else "The corpus has no paper with this key."
    return Judged(finding, message(finding), left_out(finding), tuple(_changes(finding)), place, hint)


def _changes(finding: Finding) -> Iterator[DiffPiece]:
    if finding.diff is not None:
        yield from diff_pieces(finding.quoted, finding.printed or "", finding.omitted, finding.differences)


routes = [Route("/draft", empty, methods=["GET"]), Route("/draft", judged, methods=["POST"])]
