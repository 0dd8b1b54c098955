"""Highlights as annotations in a Zotero library, by Zotero's web API or that of the Zotero that runs here.

What is spoken is https://www.zotero.org/support/dev/web_api/v3/write_requests, with the fields that
https://api.zotero.org/schema has for an annotation. The API of a running Zotero is the same, but that it asks
its user before it writes.
"""

import hashlib
import json
import os
import re
import urllib.error
import urllib.request
import uuid
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from lookup.errors import StorageError
from lookup.results.difference import Verdict
from lookup.results.papers import Original
from lookup.text.printable import on_one_line
from pagequote.highlights.pdf import Highlight, rectangles
from pipeline.files.original_file import read_original

VARIABLE = "ZOTERO_API_KEY"  # The environment variable with the key of https://www.zotero.org/settings/keys.
LOCAL = "local"  # The name of the library of the Zotero that runs on this machine.

ADDRESSES = {"web": "https://api.zotero.org", LOCAL: "http://127.0.0.1:23119/api"}

_COLOURS: Mapping[Verdict, str] = {
    "verbatim": "#5fb236",
    "abridged": "#5fb236",
    "near": "#ffd400",
    "related": "#ff6666",
}
"""Green, yellow and red of Zotero's own eight colours, by which it can filter."""

_READ, _WRITTEN = 100, 50  # Items of one answer, and of one request that writes: the API's limits.
_SECONDS = 60  # Until Zotero counts as away: it takes some for fifty items.

_TAG = "PageQuote"
_STORED = re.compile(r"/storage/([A-Z0-9]{8})/[^/]+$")
"""Where a Zotero keeps the file of an attachment, with the attachment's key."""


class AnnotatedQuote(NamedTuple):
    """What becomes an annotation: a highlight, its words, the printed number of its page, and the verdict."""

    highlight: Highlight
    words: str
    page_label: str
    verdict: Verdict


class Zotero:
    """A library: "users/ID" or "groups/ID" of zotero.org, or "local". What it refuses raises StorageError."""

    def __init__(self, library: str) -> None:
        if library != LOCAL and not re.fullmatch(r"(?:users|groups)/\d+", library):
            raise StorageError(
                f"{library!r} is no library of Zotero. Name users/ID or groups/ID, with the number that "
                f"https://www.zotero.org/settings/keys shows, or {LOCAL} for the Zotero that runs here."
            )
        self._local = library == LOCAL
        self._api = ADDRESSES[LOCAL if self._local else "web"]
        self._items = f"/{'users/0' if self._local else library}/items"
        self._headers = {"Zotero-API-Version": "3"}
        if not self._local and (key := os.environ.get(VARIABLE)):
            self._headers["Zotero-API-Key"] = key
        # No proxy stands before this machine.
        self._opener = urllib.request.build_opener(*[urllib.request.ProxyHandler({})] * self._local)
        self._md5: dict[str, str] | None = None

    def attachment(self, original: Original) -> str | None:
        """Return the key of the attachment that is a PDF: by the folder that holds it, else by its bytes."""
        if self._md5 is None:
            found = self._all(f"{self._items}?itemType=attachment")
            self._md5 = {one["key"]: one["data"].get("md5") or "" for one in found}
        stored = _STORED.search(original.path)
        if stored and stored[1] in self._md5:
            return stored[1]
        digest = hashlib.md5(read_original(original), usedforsecurity=False).hexdigest()
        return next((key for key, md5 in self._md5.items() if md5 == digest), None)

    def new(self, attachment: str, pdf: bytes, marks: Sequence[AnnotatedQuote]) -> list[dict[str, Any]]:
        """Return the annotations of marks that the attachment does not have yet."""
        children = self._all(f"{self._items}/{attachment}/children")
        there = {_place(one["data"].get("annotationPosition", "")) for one in children}
        placed = rectangles(pdf, [one.highlight for one in marks])
        made = [_annotation(attachment, *one) for one in zip(marks, placed, strict=True)]
        return [one for one in made if _place(one["annotationPosition"]) not in there]

    def write(self, annotations: Sequence[Mapping[str, Any]]) -> None:
        """Add the annotations to the library. Raise StorageError for one that Zotero refuses."""
        for first in range(0, len(annotations), _WRITTEN):
            together = annotations[first : first + _WRITTEN]
            token = {"Zotero-Write-Token": uuid.uuid4().hex}
            _, answer = self._ask(self._items, together, token | self._leave())
            for number, refused in answer["failed"].items():
                words = together[int(number)]["annotationText"]
                raise StorageError(on_one_line(f"Zotero refused {words!r}: {refused['message']}."))

    def _leave(self) -> dict[str, str]:
        """Return what the Zotero that runs here wants for a request that writes: its user is asked."""
        if not self._local:
            return {}
        headers, _ = self._ask("/")
        server = {"Zotero-Server-ID": headers.get("Zotero-Server-ID", "")}
        _, allowed = self._ask("/local/authorize", {"appName": _TAG}, server)
        return server | {"Zotero-API-Key": allowed["key"]}

    def _all(self, path: str) -> Iterator[Any]:
        start, total = 0, 1
        while start < total:
            headers, items = self._ask(f"{path}{'&' if '?' in path else '?'}limit={_READ}&start={start}")
            yield from items
            start, total = start + _READ, int(headers.get("Total-Results", 0))

    def _ask(
        self, path: str, written: object = None, more: Mapping[str, str] | None = None
    ) -> tuple[Mapping[str, str], Any]:
        body = None if written is None else json.dumps(written).encode()
        headers = self._headers | {"Content-Type": "application/json"} | dict(more or {})
        request = urllib.request.Request(self._api + path, body, headers)  # noqa: S310
        try:
            with self._opener.open(request, timeout=_SECONDS) as answer:
                content = answer.read()
                return answer.headers, json.loads(content) if path != "/" else None
        except urllib.error.HTTPError as error:
            raise StorageError(self._why(error)) from error
        except (OSError, ValueError) as error:
            hint = (
                "Start Zotero, and allow other applications in its advanced settings." if self._local else ""
            )
            raise StorageError(f"Zotero does not answer at {self._api}: {error}. {hint}".rstrip()) from error

    def _why(self, error: urllib.error.HTTPError) -> str:
        said = on_one_line(error.read(300).decode(errors="replace")).strip() or error.reason
        hint = {
            403: f"Set ${VARIABLE} to a key that may write to this library."
            if not self._local
            else "Zotero's user did not allow it.",
            429: "It is asked too often: try again in some minutes.",
        }.get(error.code, "This Zotero's own API may only read: name users/ID." if self._local else "")
        return f"Zotero answered {error.code} at {self._api}: {said}. {hint}".rstrip()


def _annotation(attachment: str, mark: AnnotatedQuote, placed: Sequence[Sequence[float]]) -> dict[str, Any]:
    at = mark.highlight.page - 1
    top = min(box.y0 for box in mark.highlight.boxes)
    return {
        "itemType": "annotation",
        "parentItem": attachment,
        "annotationType": "highlight",
        "annotationAuthorName": mark.highlight.author,
        "annotationText": mark.words,
        "annotationComment": mark.highlight.note,
        "annotationColor": _COLOURS[mark.verdict],
        "annotationPageLabel": mark.page_label,
        "annotationSortIndex": f"{at:05d}|{0:06d}|{max(0, int(top)):05d}",
        "annotationPosition": json.dumps({"pageIndex": at, "rects": placed}),
        "tags": [{"tag": _TAG}],
    }


def _place(position: str) -> tuple[int, tuple[int, ...]] | None:
    """Return where an annotation is, in whole points, so that two readers' roundings are one place."""
    try:
        read = json.loads(position)
        return read["pageIndex"], tuple(round(value) for box in read["rects"] for value in box)
    except (ValueError, KeyError, TypeError):
        return None  # of another kind
