"""Highlights that become annotations of a Zotero library, by a stub of its API."""

import hashlib
import io
import json

import pikepdf
import pymupdf
import pytest

from lookup.results.quote_answer import Box
from pagequote.highlights import zotero
from pagequote.highlights.pdf import Highlight, rectangles, with_highlights
from pagequote.highlights.zotero import VARIABLE
from tests.support.command import pagequote
from tests.support.zotero_api import Library, zotero_api

DRAFT = (
    '"people prefer to work by day" [@lindqvist2019, p. 1650], "people prefer to work by night" '
    "[@lindqvist2019] "
    'and "A flooded sheet does betray itself." [@okafor2021].'
)
GREEN, YELLOW = "#5fb236", "#ffd400"


@pytest.fixture
def library(samples):
    made = Library()
    for number, key in enumerate(("lindqvist2019", "okafor2021")):
        content = (samples / f"{key}.pdf").read_bytes()
        made.attachments[f"PAPER{number:03d}"] = hashlib.md5(content, usedforsecurity=False).hexdigest()
    made.attachments |= {
        f"OTHER{number:03d}": None for number in range(150)
    }  # links, and two answers of the API
    return made


@pytest.fixture
def mark(corpus_path, tmp_path, monkeypatch, library):
    """Calls `highlight --zotero` on a draft, with the key of the library."""
    (tmp_path / "draft.md").write_text(DRAFT)
    monkeypatch.setenv(VARIABLE, "secret")

    def call(*options, name="users/7"):
        with zotero_api(library) as address:
            monkeypatch.setitem(zotero.ADDRESSES, "local" if library.local else "web", address)
            return pagequote(
                "highlight", tmp_path / "draft.md", "--zotero", name, "--corpus", corpus_path, *options
            )

    return call


def test_a_dry_run_lists_what_would_be_marked_and_writes_nothing(mark, library):
    done = mark("--dry-run")
    assert (done.returncode, library.annotations, library.tokens) == (0, [], [])
    assert done.stdout.splitlines() == [
        f"lindqvist2019, page 1650, {GREEN}: people prefer to work by day.",
        f"lindqvist2019, page 1650, {YELLOW}: people prefer to work by day.",
        f"okafor2021, page 4, {GREEN}: A flooded sheet does betray itself.",
    ]
    assert "lindqvist2019, attachment PAPER000: 2 new of 2" in done.stderr


def test_the_marks_are_at_their_words_on_their_page_in_the_colour_of_the_verdict(mark, library, samples):
    assert mark().returncode == 0
    made = {(one["parentItem"], one["annotationColor"]): one for one in library.annotations}
    assert set(made) == {("PAPER000", GREEN), ("PAPER000", YELLOW), ("PAPER001", GREEN)}
    one = made["PAPER001", GREEN]
    assert (one["annotationPageLabel"], one["tags"]) == ("4", [{"tag": "PageQuote"}])
    assert one["annotationComment"].startswith("draft.md:1\nok: verbatim, okafor2021")
    position = json.loads(one["annotationPosition"])
    assert one["annotationSortIndex"].startswith(f"{position['pageIndex']:05d}|")
    with pymupdf.open(samples / "okafor2021.pdf") as opened:
        page = opened[position["pageIndex"]]
        (found,) = (one * page.transformation_matrix for one in page.search_for("sheet does betray itself."))
    ((x0, y0, x1, y1),) = position["rects"]
    assert x0 < found.x0 < x1
    assert abs(x1 - found.x1) <= 2
    assert y0 < (found.y0 + found.y1) / 2 < y1


@pytest.mark.parametrize(
    ("key", "name", "message"),
    [
        ("wrong", "users/7", "Zotero answered 403"),
        ("secret", "users/8", "Zotero answered 404"),
        ("secret", "mine", "'mine' is no library of Zotero. Name users/ID or groups/ID"),
    ],
)
def test_what_zotero_refuses_is_said_with_what_to_do(mark, monkeypatch, key, name, message):
    monkeypatch.setenv(VARIABLE, key)
    done = mark(name=name)
    assert done.returncode == 2
    assert message in done.stderr
    assert (f"${VARIABLE}" in done.stderr) == (key == "wrong")


def test_the_zotero_of_this_machine_asks_its_user_first(mark, library, monkeypatch):
    library.local = True
    monkeypatch.delenv(VARIABLE)
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    assert mark(name="local").returncode == 0
    assert len(library.annotations) == 3


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_places_are_those_of_the_marks_in_a_copy(turn):
    with pymupdf.open() as made:
        page = made.new_page(width=400, height=600)
        page.set_cropbox(pymupdf.Rect(30, 50, 390, 560))
        page.set_rotation(turn)
        pdf = made.tobytes()
    mark = Highlight((Box(1, 20, 30, 120, 42), Box(1, 20, 44, 80, 56)), "", (0.5, 0.5, 0.5))
    with pikepdf.open(io.BytesIO(with_highlights(pdf, [mark]))) as read:
        points = [float(value) for value in read.pages[0].Annots[0].QuadPoints]
    (placed,) = rectangles(pdf, [mark])
    quads = [points[:8], points[8:]]
    assert placed == [[min(q[::2]), min(q[1::2]), max(q[::2]), max(q[1::2])] for q in quads]
    assert len({tuple(one) for one in placed}) == 2
