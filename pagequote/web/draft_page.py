"""The page that judges the quotations of a draft, and mends it."""

import base64
import binascii
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from anyio import to_thread
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from lookup.corpus import Corpus
from lookup.errors import BusyError, QueryError
from lookup.results.answer import cuts
from lookup.results.difference import PRINTED
from lookup.results.quote_answer import Match
from pagequote.calls.killable import SMALL, run_inline
from pagequote.check.annotated import COMMENTED, write_annotated
from pagequote.check.documents.shown_text import within
from pagequote.check.fixes import Fix
from pagequote.check.formats import left_out, sources_of, summary
from pagequote.check.judge import Finding
from pagequote.check.manuscript import SUFFIXES, encode, is_document
from pagequote.check.report import as_html, report
from pagequote.check.word_diff import around_pieces, diff_pieces
from pagequote.web.judged_draft import MARKUPS, JudgedDraft, examined, finding_name
from pagequote.web.room import Room, attached, error_page, link

_LARGEST_FILE = 8 << 20  # Bytes of a draft: a file with some pictures.

BODY_LIMIT = 12 << 20
"""The greatest body of a request, in bytes: the largest file in base64, as a page of findings sends it."""

_LARGEST_PLAIN = 256 << 10
"""Bytes of a form that is not in parts, as pages send theirs: to take another apart stops the server."""

_SENT_BACK = {
    "report": "A report to send",
    "corrected": "The corrected file",
    "comments": "The file with comments",
    "corrections": "The file with all corrections as tracked changes",
}
"""What is sent back as a file, by the name in `take`, and its button."""

_EVERY = {"page": "pages", "words": "words"}
"""What is taken where all corrections of a kind are: no word changes by those of pages."""

_UNDO, _IGNORE = "undo", "ignore: "

_NUMBER_OF_STEP = re.compile(r"\d{1,9}(?=:)")  # That of the quotation that a correction changes.

_MOST_STEPS = 500  # Corrections that are taken, and findings that are known, of one draft.


class Sent(NamedTuple):
    """What a browser sends: the file, the steps that were done to it, what is known, what is to be done."""

    name: str
    content: bytes
    steps: Sequence[str]
    known: frozenset[str]
    take: str


def empty(request: Request) -> Response:
    """Return the empty form, or with `sample` a paragraph with two faults on a paper of the corpus."""
    room = Room.of(request)
    room.current()
    example = room.example() if request.query_params.get("sample") else None
    values = _values("", "markdown") | {"can_be_tried": room.example() is not None}
    return room.page(request, "draft.html", values | ({"text": _sample(example)} if example else {}))


def _sample(example: Match) -> str:
    """Return a draft that quotes an example rightly, without one of its words, and by a wrong page."""
    words, page = example.quote, example.page_label or str(example.page)
    first, *others = words.split()
    less = " ".join([first, *others[1:]])
    wrong = f"{int(page) + 1}" if page.isdecimal() else "999"
    return (
        f"One paper says: “{words}” [@{example.key}, p. {page}]. A word is lost here: “{less}” "
        f"[@{example.key}, p. {page}]. And here the page is wrong: “{words}” [@{example.key}, p. {wrong}]."
    )


async def _refuse_long_plain(request: Request) -> None:
    """Raise HTTPException for a long form that is not in parts."""
    in_parts = request.headers.get("content-type", "").lower().startswith("multipart/")
    if not in_parts and len(await request.body()) > _LARGEST_PLAIN:
        raise HTTPException(413)


async def judged(request: Request) -> Response:
    """Return the quotations of the draft that was pasted or sent as a file, each with its verdict.

    With the name of a correction in `take`, it is made; with that of a file, the file is sent back. The draft
    comes again as it was first sent, with all that was done to it since: nothing is kept here.
    """
    try:
        await _refuse_long_plain(request)
        async with request.form(max_files=1, max_fields=_MOST_STEPS, max_part_size=BODY_LIMIT) as form:
            text, markup = form.get("text", ""), str(form.get("markup", "markdown"))
            file, again = form.get("file"), str(form.get("again", ""))
            steps, known = (list(map(str, form.getlist(name))) for name in ("done", "known"))
            name, content = "", b""
            if isinstance(file, UploadFile) and file.filename:
                name, content = file.filename, await file.read()
            elif again:
                name, content = str(form.get("named", "")), base64.b64decode(again)
            take = str(form.get("take", ""))
    except ClientDisconnect:
        return Response()  # which nobody reads
    except binascii.Error as error:
        raise HTTPException(400) from error
    if not isinstance(text, str):
        raise HTTPException(400)
    if len(content) > _LARGEST_FILE:
        raise HTTPException(413)
    pasted = text.replace("\r\n", "\n")
    if take == _UNDO:
        steps, take = steps[:-1], ""
    elif take and take not in (*_SENT_BACK, *_EVERY.values()):
        steps, take = [*steps, take], ""
    sent = Sent(name, content, steps, frozenset(known), take)
    size = len(pasted) + len(content) + sum(map(len, steps))
    small = not file and size <= SMALL and not is_document(Path(name))
    page = partial(_judged, request, pasted, markup, sent, small=small)
    if small:
        return await to_thread.run_sync(page)
    return await Room.of(request).judging.do(request.scope, page, long=True)


def _judged(request: Request, text: str, markup: str, sent: Sent, *, small: bool) -> Response:
    room = Room.of(request)
    corpus = room.current()
    try:
        if not sent.name:
            sent = sent._replace(name=_name(markup), content=encode(text))
        name = Path(sent.name).name
        do, examine = run_inline if small else room.long, partial(examined, name=name, content=sent.content)
        found = do(partial(examine, steps=sent.steps), corpus)
        listed = _listed(found, sent)
        if sent.take in _SENT_BACK:
            return _sent_back(room, corpus, found, name, sent.take)
        if sent.take:
            kind = next(kind for kind, every in _EVERY.items() if every == sent.take)
            fixes = [(one["number"], fix) for one in listed for fix in one["fixes"] if fix.kind == kind]
            every = "\n".join(f"{number}: {fix.title}" for number, fix in fixes)
            sent = sent._replace(steps=[*sent.steps, every], take="")
            found = do(partial(examine, steps=sent.steps), corpus)
            listed = _listed(found, sent)
    except (QueryError, BusyError) as error:
        values = _values(text, markup) | {"problem": str(error)}
        if isinstance(error, BusyError) and not text:  # the file need not be chosen again
            again = base64.b64encode(sent.content).decode("ascii")
            values |= {"again": again, "file_name": sent.name, "steps": sent.steps}
        return room.page(request, "draft.html", values, error_page(error).status)
    return room.page(request, "draft.html", _shown(found, listed, sent, name))


def _shown(found: JudgedDraft, listed: Sequence[Any], sent: Sent, name: str) -> dict[str, Any]:
    """Return what the page of a judged draft shows, whose quotations are `listed`."""
    manuscript = found.manuscript
    is_text = manuscript.markup in MARKUPS
    counts = Counter(fix.kind for one in listed for fix in one["fixes"])
    offered = {
        "report",
        *(["comments"] * (manuscript.path.suffix in COMMENTED)),
        *(["corrections"] * (manuscript.path.suffix == ".docx")),
        *(["corrected"] * (found.content != sent.content)),
    }
    open_ones = [one["number"] for one in listed if one["level"] != "ok"]
    passed = Counter(one["passed"] for one in listed if one["passed"])
    done = max(
        (int(number[0]) for step in sent.steps[-1:] if (number := _NUMBER_OF_STEP.match(step))), default=0
    )
    later = [number for number in open_ones if number > done]
    return _values(manuscript.source if is_text else "", manuscript.markup if is_text else "markdown") | {
        "judged": listed,
        "first": next(iter(later or open_ones), 0),
        "is_text": is_text,
        "stretches": list(_stretches(found, listed)),
        "summary": ", ".join(
            [
                summary(one["finding"] for one in listed if not one["passed"]),
                *(f"{count} {why}" for why, count in passed.items()),
            ]
        ),
        "pages": counts["page"],
        "words": counts["words"],
        "steps": sent.steps,
        "ignored": [step for step in sent.steps if step.startswith(_IGNORE)],
        "sent_back": {name: said for name, said in _SENT_BACK.items() if name in offered},
        "again": base64.b64encode(sent.content).decode("ascii"),
        "file_name": name,
    }


def _sent_back(room: Room, corpus: Corpus, found: JudgedDraft, name: str, take: str) -> Response:
    """Return a file: the report, or the draft as it is now, also with comments, with all corrections."""
    if take == "report":
        today = datetime.now(UTC).date().isoformat()
        made = as_html(report(corpus, found.findings, name, today, room.draw)).encode()
        return attached(made, "report.html")
    if take == "corrected":
        return attached(found.content, name)
    if Path(name).suffix.lower() not in COMMENTED:
        raise QueryError("Only a .docx or PDF is sent back with comments.")
    wrong = [one for one in found.findings if one.level != "ok"]
    fix = take == "corrections"
    with TemporaryDirectory(prefix="pagequote-") as folder:
        draft, copy = (Path(folder) / f"{one}{Path(name).suffix.lower()}" for one in ("draft", "copy"))
        draft.write_bytes(found.content)
        write_annotated(draft, copy, wrong, sources_of(corpus, wrong), pages=fix, words=fix)
        return attached(copy.read_bytes(), f"{Path(name).stem}-checked{copy.suffix}")


def _name(markup: str) -> str:
    if markup not in MARKUPS:
        raise QueryError("The markup must be markdown, latex or typst.")
    return f"draft{MARKUPS[markup][1]}"


def _values(text: str, markup: str) -> dict[str, Any]:
    return {
        "text": text,
        "markup": markup,
        "markups": MARKUPS,
        "suffixes": ",".join(sorted(SUFFIXES)),
        "judged": None,
        "again": "",
        "problem": "",
        "can_be_tried": False,
    }


def _listed(found: JudgedDraft, sent: Sent) -> list[dict[str, Any]]:
    """Return the quotations of the draft as the page shows them."""
    each = zip(found.findings, found.fixes, strict=True)
    return [_one(number, *one, sent) for number, one in enumerate(each, 1)]


def _one(number: int, finding: Finding, mending: Sequence[Fix], sent: Sent) -> dict[str, Any]:
    """Return a quotation of the draft: its finding, its pill, also as a word diff, its place, what mends it.

    `name` is the same for the same words, source, page and verdict; `passed` says why it is passed over, and
    the `level` by which it is marked is then "ok": nothing is to be done.
    """
    known = finding.verdict != "unknown key"
    place = ""
    if known and finding.printed:
        place = link("/quote", key=finding.key, query=" ".join(finding.printed.split()), page=finding.page)
    hint = finding.hint if known or finding.level == "error" else "No paper here is the source that is cited."
    hint = " ".join(filter(None, (finding.remark, hint)))
    printed, omitted, differences = finding.printed or "", finding.omitted, finding.differences
    changes = tuple(diff_pieces(finding.quoted, printed, omitted, differences)) if finding.diff else ()
    name = finding_name(finding)
    ignored = "ignored" if f"{_IGNORE}{name}" in sent.steps else ""
    passed = (ignored or ("known" if name in sent.known else "")) if finding.level != "ok" else ""
    return {
        "number": number,
        "finding": finding,
        "level": "ok" if passed else finding.level,
        "pill": _pill(finding),
        "left_out": "; ".join(filter(None, (", ".join(cuts(finding.around)), left_out(finding)))),
        "around": around_pieces(finding.around),
        "diff": changes,
        "place": place,
        "hint": hint,
        "fixes": () if passed else mending,
        "name": name,
        "passed": passed,
    }


_PILLS = {
    "verbatim": "right",
    "abridged": "right, abridged",
    "near": "other words",
    "related": "not printed there",
    "not found": "not printed there",
    "not covered": "no text to compare",
    "unknown key": "source not here",
}
"""What a verdict is called for who writes; others are called so already."""


def _pill(finding: Finding) -> str:
    """Return the one name of a finding."""
    if finding.page_is_right is False:
        return "right words, wrong page" if finding.verdict in PRINTED else "other words, wrong page"
    if finding.verdict == "unknown key" and finding.level == "error":
        return "another source"
    return _PILLS.get(finding.verdict, finding.verdict)


def _stretches(found: JudgedDraft, listed: Sequence[Any]) -> Iterator[tuple[str, Any]]:
    """Yield the text in stretches, each with the quotation that it is, None for what is between them.

    Of quotations within each other the outer one is a stretch.
    """
    text = found.shown.text if found.shown else found.manuscript.source
    at = 0
    quotations = [one["finding"].quotation for one in listed]
    in_order = sorted(zip(quotations, listed, strict=True), key=lambda pair: (pair[0].start, -pair[0].end))
    for quotation, one in in_order:
        place = quotation.start, quotation.end
        start, end = within(found.shown, *place) if found.shown else place
        if start >= at:
            yield text[at:start], None
            yield text[start:end], one
            at = end
    yield text[at:], None
