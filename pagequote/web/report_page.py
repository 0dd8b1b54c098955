"""The page with the report of a release: in the reading room, and alone."""

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from lookup.release.current import CUT_SHORT, LAYOUT_FAILED
from lookup.results.papers import PaperSummary
from objectstore.releases import read_file
from pagequote.web.room import Room, page_templates

_REPORT = "report.json"

_NAMED = 12  # Papers that lack something which are named.

_HARD = {
    "unreadable": "with pages whose letters cannot be read",
    "lines": "with pages kept as lines, as their layout failed",
}

_LEAST_LETTERS = 4

_MOSTLY = 0.7
"""Letters and spaces in a title: of 135 titles the right ones have .83 and more, a stamp of arXiv has .56."""


def report(request: Request) -> Response:
    """Return the report of the current release.

    Folders and the texts of errors are left out: they may show paths of this machine. Why a page is kept as
    lines, and that a file is cut short, show none.
    """
    room = Room.of(request)
    corpus = room.current()
    try:
        content: dict[str, Any] = json.loads(read_file(corpus.release, corpus.release.folder / _REPORT))
    except FileNotFoundError:
        return room.page(request, "no_report.html", status=404)
    shown = LAYOUT_FAILED, CUT_SHORT
    content["failures"] = [
        one | {"first": [_named(row, why=one["reason"] in shown) for row in one["first"]]}
        for one in content["failures"]
    ]
    content["slowest"] = [_named(row) for row in content["slowest"]]
    lacking = _lacking(corpus.papers(), content["pages_hard_to_read"]["first"])
    return room.page(
        request, "report.html", content | {"lacking": lacking, "builds": (), "layout": "base.html"}
    )


def standalone(content: Mapping[str, Any]) -> str:
    """Return the page for the report of a release, for its owner: it names paths, and what happened to each.

    It has no script and fetches nothing. Whatever comes from sources is escaped, and its own policy forbids
    it to do anything.
    """
    failures = [
        one | {"first": [{"file": f"{row['path']}: {row['detail']}"} for row in one["first"]]}
        for one in content["failures"]
    ]
    slowest = [{"file": row["path"], "seconds": row["seconds"]} for row in content["slowest"]]
    shown = {"failures": failures, "slowest": slowest, "lacking": (), "layout": "alone.html"}
    return page_templates().get_template("report.html").render({**content, **shown})


def _named(row: Mapping[str, Any], *, why: bool = False) -> dict[str, Any]:
    """Return a row about a file with its name, which says why if asked to, without folders and errors."""
    kept = {name: value for name, value in row.items() if name not in ("path", "detail")}
    name = PurePath(str(row["path"])).name
    return kept | {"file": f"{name} ({row['detail']})" if why else name}


def _lacking(
    papers: Sequence[PaperSummary], hard: Sequence[Mapping[str, Any]]
) -> list[tuple[str, int, list[str]]]:
    """Return what papers lack that are shown by it: how many do, and the keys of the first.

    `hard` are those with pages that are hard to read, by what they are kept as.
    """
    # A preprint of the year before is none.
    apart = [
        one.key
        for one in papers
        if (said := re.search(r"(?:19|20)\d\d", one.key)) and one.year and abs(int(said[0]) - one.year) > 1
    ]
    found = {
        "without a year": [one.key for one in papers if not one.year],
        "without authors": [one.key for one in papers if not one.authors],
        "without a title, or with an odd one": [one.key for one in papers if _odd(one.title or "")],
        "with another year than in the key": apart,
        "without text to quote": [one.key for one in papers if not one.covered],
        **{name: [one["key"] for one in hard if one["source"] == kept] for kept, name in _HARD.items()},
    }
    return [(name, len(keys), keys[:_NAMED]) for name, keys in found.items() if keys]


def _odd(title: str) -> bool:
    """Return whether a title is hardly one: of fewer than four letters, or most of its signs are none."""
    letters = sum(char.isalpha() or char == " " for char in title)
    return letters < _LEAST_LETTERS or letters < _MOSTLY * len(title)
