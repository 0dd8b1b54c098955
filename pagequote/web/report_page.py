"""The page with the report of the newest build."""

import json
from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from lookup.release.current import Release
from lookup.storage.object_path import ObjectPath
from pagequote.web.room import Room

_REPORT = "report.json"

_GROWTH = 30
"""Releases of which the growth is shown."""

_COUNTED = ("papers", "pages", "paragraphs", "sentences", "vectors")


def report(request: Request) -> Response:
    """Return the report of the current release."""
    room = Room.of(request)
    content = _content(room.current().release)
    if content is None:
        return room.page(request, "no_report.html", status=404)
    return room.page(request, "report.html", content)


def _content(release: Release) -> dict[str, Any] | None:
    """Return the report of a release, None if it has none.

    Folders and the texts of errors are left out: they may show paths of this machine.
    """
    content = _read(release)
    if content is None:
        return None
    rows = content["rows"]
    failures = [one | {"first": [_named(row) for row in one["first"]]} for one in content["failures"]]
    growth = content["growth"][-_GROWTH:]
    return {
        "created": content["created"],
        "previous": content["previous"],
        "extractor": content["extractor"],
        "model": content["model"],
        "tiles": [(name, rows[name]) for name in _COUNTED],
        "by_ocr": content["pages_by_source"].get("ocr", 0),
        "not_covered": content["not_covered"],
        "failures": failures,
        "failed": sum(one["count"] for one in failures),
        "without_text": content["pages_without_text"],
        "changes": _changes(content["changes"]),
        "versions": content["versions"],
        "same_bytes": content["same_bytes"],
        "slowest": [_named(row) for row in content["slowest"]],
        "stages": [(name, figures.get("seconds", 0.0)) for name, figures in content["stages"].items()],
        "seconds": content["seconds"],
        "growth": growth,
        "tallest": max((point["papers"] for point in growth), default=0),
    }


def _read(release: Release) -> dict[str, Any] | None:
    try:
        if isinstance(release.folder, ObjectPath):
            from lookup.storage.object_release import stored_file  # for those who name one  # noqa: PLC0415

            file, _ = stored_file(release, release.folder / _REPORT)
            return dict(json.loads(file.read_bytes()))
        return dict(json.loads((release.folder / _REPORT).read_bytes()))
    except FileNotFoundError:
        return None


def _named(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row about a file with its name, without its folders and the text of its error."""
    kept = {name: value for name, value in row.items() if name not in ("path", "detail")}
    return kept | {"file": PurePath(str(row["path"])).name}


def _changes(changes: Mapping[str, Any] | None) -> Sequence[tuple[str, int, str]] | None:
    """Return each kind of change, its count and its first keys; None if there is nothing to compare."""
    if changes is None or "unknown" in changes:
        return None
    return [
        (word, changes[word]["count"], ", ".join(map(_keys, changes[word]["first"])))
        for word in ("added", "changed", "gone", "renamed")
    ]


def _keys(item: str | Sequence[str]) -> str:
    return item if isinstance(item, str) else " → ".join(item)


routes = [Route("/report", report, methods=["GET"])]
