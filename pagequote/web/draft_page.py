"""The page that judges the quotations of a draft, and mends it."""

import base64
import binascii
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple
from urllib.parse import quote

from anyio import to_thread
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from lookup.corpus import Corpus
from lookup.errors import QueryError
from lookup.papers.original_pdf import Original
from pagequote.calls.killable import SMALL, run_inline
from pagequote.check.annotated import COMMENTED, write_annotated
from pagequote.check.fixes import Fix, apply, fixes
from pagequote.check.formats import left_out
from pagequote.check.in_words import sources_of
from pagequote.check.judge import Finding, judge
from pagequote.check.latex_macros import Vocabulary
from pagequote.check.manuscript import SUFFIXES, Manuscript, encode, read_manuscript
from pagequote.check.report import as_html, report
from pagequote.check.summary import Summary
from pagequote.check.word_diff import DiffPiece, diff_pieces
from pagequote.serving.fair_queue import client_of_turn
from pagequote.web.room import Room, link

MARKUPS = {"markdown": ("Markdown", ".md"), "latex": ("LaTeX", ".tex"), "typst": ("Typst", ".typ")}
"""Each markup that can be pasted: its name, and the suffix of its files."""

BODY_LIMIT = 8 << 20  # The greatest body of a request, in bytes: a file with some pictures.

_MOST_CHARACTERS = 60_000  # The longest draft: a chapter, some 20 pages.

_MOST_QUOTATIONS = 200

_SENT_BACK = {
    "report": "A report to send",
    "comments": "The file with comments",
    "corrections": "The file with corrections as tracked changes",
}
"""What is sent back as a file, by the name in `take`, and its button."""

_SAFE = "all safe"  # What is taken where all corrections are, that make a quotation what its paper prints.


class JudgedDraft(NamedTuple):
    """A draft, the finding on each of its quotations, and what can be done about each."""

    manuscript: Manuscript
    findings: Sequence[Finding]
    fixes: Sequence[Sequence[Fix]]


class Judged(NamedTuple):
    """A quotation of the draft: its finding, also as a word diff, the address of its place, what mends it."""

    number: int
    finding: Finding
    left_out: str
    diff: tuple[DiffPiece, ...]
    place: str
    hint: str
    fixes: Sequence[Fix]


class DraftPart(NamedTuple):
    """A stretch of the draft's text, and the quotation that it is, None for what is between them."""

    text: str
    judged: Judged | None = None


def empty(request: Request) -> Response:
    """Return the empty form."""
    room = Room.of(request)
    room.current()
    return room.page(request, "draft.html", _values("", "markdown"))


async def judged(request: Request) -> Response:
    """Return the quotations of the draft that was pasted or sent as a file, each with its verdict.

    With the name of a correction in `take`, it is made first; with that of a file, the file is sent back. A
    file of a word processor comes again with each request: nothing is kept here.
    """
    try:
        async with request.form(max_files=1, max_fields=10, max_part_size=BODY_LIMIT) as form:
            text, markup = form.get("text", ""), str(form.get("markup", "markdown"))
            file = form.get("file")
            sent = (file.filename, await file.read()) if isinstance(file, UploadFile) else (None, b"")
            take = str(form.get("take", ""))
            if not sent[0] and (again := str(form.get("again", ""))):
                sent = str(form.get("named", "")), base64.b64decode(again)
    except ClientDisconnect:
        return Response()  # which nobody reads
    except binascii.Error as error:
        raise HTTPException(400) from error
    if not isinstance(text, str):
        raise HTTPException(400)
    small = not sent[0] and len(text) <= SMALL
    page = partial(_judged, request, text.replace("\r\n", "\n"), markup, sent, take, small=small)
    if small:
        return await to_thread.run_sync(page)
    return await Room.of(request).judging.do(client_of_turn(request.scope), page)


def _judged(
    request: Request, text: str, markup: str, sent: tuple[str | None, bytes], take: str, *, small: bool
) -> Response:
    room = Room.of(request)
    corpus = room.current()
    try:
        name, content = (sent[0], sent[1]) if sent[0] else (_name(markup), encode(text))
        examine = partial(examined, name=name, content=content, take=take)
        found = (run_inline if small else room.long)(examine, corpus)
        if take in _SENT_BACK:
            return _sent_back(room, corpus, found, Path(sent[0] or "draft.md").name, content, take)
    except QueryError as error:
        return room.page(request, "draft.html", _values(text, markup) | {"problem": str(error)}, 400)
    findings, manuscript = found.findings, found.manuscript
    listed = [
        _one(number, finding, mending)
        for number, (finding, mending) in enumerate(zip(findings, found.fixes, strict=True), 1)
    ]
    pasted = manuscript.markup in MARKUPS
    suffix = manuscript.path.suffix
    offered = {"report", *(["comments"] * (suffix in COMMENTED)), *(["corrections"] * (suffix == ".docx"))}
    values = _values(manuscript.source if pasted else "", manuscript.markup if pasted else "markdown") | {
        "judged": listed,
        "stretches": list(_stretches(manuscript.source, listed)) if pasted else [],
        "summary": str(Summary.of(findings)),
        "safe": sum(any(fix.safe for fix in each) for each in found.fixes),
        "taken": bool(take),
        "sent_back": {name: said for name, said in _SENT_BACK.items() if name in offered},
        "again": "" if pasted else base64.b64encode(content).decode("ascii"),
        "file_name": name,
    }
    return room.page(request, "draft.html", values)


def _sent_back(
    room: Room, corpus: Corpus, found: JudgedDraft, name: str, content: bytes, take: str
) -> Response:
    """Return a file: the report, or the draft with comments, with the corrections as tracked changes."""
    if take == "report":

        def draw(original: Original, page: int, boxes: object = ()) -> bytes:
            del boxes
            return room.pictures.drawn(original, page, "page")

        today = datetime.now(UTC).date().isoformat()
        made = as_html(report(corpus, found.findings, name, today, draw)).encode()
        return _attached(made, "report.html")
    if Path(name).suffix.lower() not in COMMENTED:
        raise QueryError("Only a .docx or PDF is sent back with comments.")
    wrong = [one for one in found.findings if one.level != "ok"]
    fix = take == "corrections"
    with TemporaryDirectory(prefix="pagequote-") as folder:
        draft, copy = (Path(folder) / f"{one}{Path(name).suffix.lower()}" for one in ("draft", "copy"))
        draft.write_bytes(content)
        write_annotated(draft, copy, wrong, sources_of(corpus, wrong), pages=fix, words=fix)
        return _attached(copy.read_bytes(), f"{Path(name).stem}-checked{copy.suffix}")


def _attached(content: bytes, name: str) -> Response:
    disposition = f"attachment; filename*=UTF-8''{quote(name)}"
    headers = {"content-disposition": disposition}
    return Response(content, media_type="application/octet-stream", headers=headers)


def _name(markup: str) -> str:
    if markup not in MARKUPS:
        raise QueryError("The markup must be markdown, latex or typst.")
    return f"draft{MARKUPS[markup][1]}"


def examined(corpus: Corpus, name: str, content: bytes, take: str = "") -> JudgedDraft:
    """Return the draft of a file with this name and content, judged, after the corrections that are taken.

    Raise QueryError for what is no draft, or too much.
    """
    found = _examined(corpus, name, content)
    taken = [
        edit
        for number, each in enumerate(found.fixes, 1)
        for fix in each
        if (fix.safe and take == _SAFE) or take == f"{number}: {fix.title}"
        for edit in fix.edits
    ]
    if not taken:
        return found
    return _examined(corpus, name, encode(apply(found.manuscript.source, dict.fromkeys(taken))))


def _examined(corpus: Corpus, name: str, content: bytes) -> JudgedDraft:
    path = Path("draft").with_suffix(Path(name).suffix.lower())  # no such file: what it holds is handed in
    if path.suffix not in SUFFIXES:
        raise QueryError(f"A draft is a file whose name ends in one of {', '.join(sorted(SUFFIXES))}.")
    text = content.decode("utf-8", "replace")
    if SUFFIXES[path.suffix] in MARKUPS and len(text) > _MOST_CHARACTERS:
        raise QueryError(f"The draft has {len(text):,} characters; the limit is {_MOST_CHARACTERS:,}.")
    given = text.encode() if SUFFIXES[path.suffix] in MARKUPS else content
    manuscript, _ = read_manuscript(path, Vocabulary(), given)
    if len(manuscript.quotations) > _MOST_QUOTATIONS:
        raise QueryError(
            f"The draft has {len(manuscript.quotations)} quotations; the limit is {_MOST_QUOTATIONS}."
        )
    findings = judge(corpus, [manuscript])
    mending = [tuple(fixes(one, findings, corpus, Vocabulary())) for one in findings]
    return JudgedDraft(manuscript, findings, mending)


def _values(text: str, markup: str) -> dict[str, Any]:
    return {
        "text": text,
        "markup": markup,
        "markups": MARKUPS,
        "suffixes": ",".join(sorted(SUFFIXES)),
        "all_safe": _SAFE,
        "judged": None,
        "stretches": (),
        "problem": "",
        "taken": False,
        "sent_back": {},
        "again": "",
        "file_name": "",
    }


def _one(number: int, finding: Finding, mending: Sequence[Fix]) -> Judged:
    known = finding.verdict != "unknown key"
    place = ""
    if known and finding.printed:
        place = link("/quote", key=finding.key, query=" ".join(finding.printed.split()), page=finding.page)
    hint = finding.hint if known or finding.level == "error" else "The corpus has no paper with this key."
    hint = " ".join(filter(None, (finding.remark, hint)))
    printed, omitted, differences = finding.printed or "", finding.omitted, finding.differences
    changes = tuple(diff_pieces(finding.quoted, printed, omitted, differences)) if finding.diff else ()
    return Judged(number, finding, left_out(finding), changes, place, hint, mending)


def _stretches(source: str, listed: Sequence[Judged]) -> Iterator[DraftPart]:
    """Yield the source in stretches; of quotations within each other the outer one is a stretch."""
    at = 0
    for one in sorted(listed, key=lambda one: (one.finding.quotation.start, -one.finding.quotation.end)):
        start, end = one.finding.quotation.start, one.finding.quotation.end
        if start >= at:
            yield DraftPart(source[at:start])
            yield DraftPart(source[start:end], one)
            at = end
    yield DraftPart(source[at:])
