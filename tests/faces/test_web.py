"""The reading room: what its pages hold, and what it never does."""

import asyncio
import base64
import io
import json
import math
import os
import random
import re
import signal
import socket
import subprocess
import threading
import urllib.error
import urllib.request
import zipfile
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from html import unescape
from pathlib import Path

import pymupdf
import pytest
from starlette.staticfiles import StaticFiles

import lookup
from lookup.errors import BusyError
from lookup.papers.original_file import Original
from lookup.release.schema import LAYOUT_FAILED
from lookup.results.citation import TEMPLATES, VARIABLE
from lookup.results.difference import Difference
from lookup.results.papers import Page, PagePart, PrintedWord
from lookup.results.quote_answer import Box
from lookup.storage.object_path import ObjectPath
from lookup.storage.objects import write_object
from pagequote.calls.parameters import LONGEST_QUERY
from pagequote.highlights.strips import print_strip
from pagequote.serving.token_auth import TokenAuth
from pagequote.web.draft_page import BODY_LIMIT
from pagequote.web.page_pictures import PIXELS, Pictures
from pagequote.web.room import STATIC
from pagequote.web.sign_in_page import SIGN_IN, strangers
from pagequote.web.view_models import sentence
from pipeline.files.drawn_page import NotDrawnError
from pipeline.pictures.page_drawers import PageDrawers
from pipeline.processes import killable_process
from tests.support.builds import build, with_reports
from tests.support.documents import docx, odt, paragraph
from tests.support.pdfs import pdf
from tests.support.processes import gone
from tests.support.project import PAGEQUOTE, ROOT
from tests.support.rooms import PNG, Visitor, on_disk
from tests.support.waiting import PATIENCE, wait_until

pytestmark = pytest.mark.usefixtures("reports")

KEY, WORDS = "lindqvist2019", "a temperature response that was fitted to daytime data"
EVIL = "<script>alert(1)</script>"
EVIL_TEXT = (
    f"Ants carry {EVIL} and <b onclick=x>leaves</b>\nto their nests & back again at dusk, said one of them."
)


@pytest.fixture(scope="module")
def room(corpus):
    """The reading room of the samples. It is never closed: the corpus belongs to all tests."""
    return Visitor(corpus)


def built(root, **pdfs):
    """A corpus of these PDFs."""
    folder = on_disk(root / "pdfs", **pdfs)
    build([folder], root, keys="file")
    return root / "corpus"


@pytest.fixture(scope="module")
def evil(tmp_path_factory):
    """The reading room of a paper whose text would be a script, beside one that could not be read."""
    root = tmp_path_factory.mktemp("evil")
    pdfs = {
        "ants&<i>": pdf(EVIL_TEXT, f"Here is another page.\n{EVIL_TEXT}"),
        "login": b"<html>please sign in</html>",
        "scan": pdf(""),
    }
    with lookup.open(built(root, **pdfs)) as corpus:
        yield Visitor(corpus)


def found(pattern, answer):
    """What the group of a pattern is in a page."""
    match = re.search(pattern, answer if isinstance(answer, str) else answer.text, re.DOTALL)
    assert match is not None, pattern
    return unescape(match[1])


def text_of(answer):
    """What a reader sees of a page."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", answer.text)).split())


PAGES = [
    ("/", {}),
    ("/quote", {"key": KEY, "query": WORDS}),
    ("/search", {}),
    ("/search", {"query": "at night"}),
    ("/search", {"query": "carbon at night", "how": "topic"}),
    ("/papers", {}),
    ("/papers", {"filter": "marsh"}),
    ("/paper", {"key": KEY}),
    ("/page", {"key": KEY, "page": 2}),
    ("/page", {"key": KEY, "page": 2, "size": "large", "query": "at night"}),
    ("/draft", {}),
    ("/basket", {}),
    ("/report", {}),
]


@pytest.mark.parametrize(("path", "query"), PAGES)
def test_every_page_is_a_whole_page(room, path, query):
    answer = room.get(path, **query)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    for part in ('<html lang="en">', "<title>", "<main", "<h1", 'href="#main"', "</html>"):
        assert part in answer.text


def test_a_quote_is_shown_with_its_page_its_section_and_its_marks(room, corpus):
    answer = room.get("/quote", key=KEY, query=WORDS)
    (match,) = corpus.quote(KEY, WORDS).matches
    assert f'<mark class="verbatim">{WORDS}</mark>' in answer.text
    seen = text_of(answer)
    assert "verbatim page 1 (printed 1650) See the page 1. Introduction" in seen
    rects = re.findall(
        r'<rect[^>]* x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"', answer.text
    )
    assert len(rects) == len(match.boxes) == 3
    for rect, box in zip(rects, match.boxes, strict=True):
        x, y, width, height = map(float, rect)
        assert x < box.x0 < box.x1 < x + width < box.x1 + 3
        assert y < box.y0 < box.y1 < y + height < box.y1 + 3
    source = found(r'<img src="([^"]+)"', answer.text)
    assert room.get(source).content == PNG


def forms_of(answer):
    """The forms that a page offers to copy, by name."""
    boxes = re.findall(r'<textarea[^>]* data-copy="([^"]+)">([^<]*)</textarea>', answer.text)
    return {unescape(name): unescape(text) for name, text in boxes}


def test_a_quote_can_be_taken_along_in_many_forms(room, corpus):
    words = "3.4 ± 0.3 to 1.5 ± 0.2"
    answer = room.get("/quote", key=KEY, query=words)
    forms = forms_of(answer)
    assert forms["LaTeX"] == rf"\enquote{{{words}}} \autocite[1650]{{{KEY}}}"
    assert forms["LaTeX, natbib"] == rf"``{words}'' \citep[p.~1650]{{{KEY}}}"
    assert (
        forms["Typst"]
        == f"#quote(block: true, attribution: [#cite(<{KEY}>, supplement: [p. 1650])])[{words}]"
    )
    assert forms["Text"] == words
    assert forms["With source"] == f"“{words}” ({corpus.paper(KEY).cited}, p. 1650)"
    assert forms["LaTeX, mciteboxp"] == rf"\mciteboxp{{{KEY}}}{{1}}{{{words}}}"
    assert forms["Markdown"] == f"> {words} [@{KEY}, p. 1650]"
    (match,) = corpus.quote(KEY, words).matches
    assert json.loads(forms["Annotation"]) == json.loads(json.dumps(match.to_annotation()))
    assert forms["Link"].startswith("http://127.0.0.1:8377/quote?")
    assert "<mark" in room.get(forms["Link"]).text


@pytest.mark.parametrize("style", ["natbib", r"\textquote[{key}]{{{quote}}}"])
def test_latex_is_in_the_style_of_the_environment_and_every_other_style_is_offered(room, monkeypatch, style):
    monkeypatch.setenv(VARIABLE, style)
    answer = room.get("/quote", key=KEY, query=WORDS)
    forms = forms_of(answer)
    assert forms["LaTeX"].startswith("``" if style == "natbib" else r"\textquote[")
    others = {name.removeprefix("LaTeX, ") for name in forms if name.startswith("LaTeX, ")}
    assert others == set(TEMPLATES) - {style}


def test_a_misread_quote_is_near_and_its_differences_are_named(room):
    answer = room.get("/quote", key=KEY, query=WORDS.replace("daytime", "nighttime"))
    assert "near page 1" in text_of(answer)
    assert "Printed, but not as you wrote it: one word differs." in text_of(answer)
    assert "fitted to <del>nighttime</del> <ins>daytime</ins> data" in answer.text


@pytest.mark.parametrize(
    ("verdict", "differences", "omitted", "said"),
    [
        ("verbatim", [], [], "Printed word for word."),
        ("verbatim", [], ["[12]"], "Printed word for word, but for a citation mark."),
        (
            "abridged",
            [("inserted", "[t]", "T")],
            ["or so"],
            "Printed so, but for what is left out and what stands in brackets.",
        ),
        ("near", [("number", "40", "30")], [], "Printed, but not as you wrote it: one number differs."),
        (
            "near",
            [("number", "4", "3"), ("dropped", "", "of the night"), ("unit", "m", "mm")],
            [],
            "Printed, but not as you wrote it: one number, three words and one unit differ.",
        ),
        ("related", [("changed", "a", "b")], [], "Not printed here. The nearest passage:"),
    ],
)
def test_a_verdict_is_said_in_a_sentence(corpus, verdict, differences, omitted, said):
    (match,) = corpus.quote(KEY, WORDS).matches
    named = tuple(Difference(*one) for one in differences)
    assert sentence(replace(match, verdict=verdict, differences=named, omitted=tuple(omitted))) == said


def test_what_is_only_related_is_not_offered_as_a_quote(room):
    answer = room.get("/quote", key=KEY, query="the annual release of carbon dioxide from turnips at night")
    seen = text_of(answer)
    assert seen.index("Not printed here. The nearest passage:") < seen.index("Copy the passage")
    assert "<del>" not in answer.text
    assert "data-folded" in answer.text
    assert "has no vectors" not in seen
    assert "Searched by words only" in seen
    assert "release r0" not in seen


def test_places_of_one_page_share_its_picture_and_each_has_its_strip(room, corpus):
    matches = corpus.quote(KEY, "night", 0, 6).matches
    answer = room.get("/quote", key=KEY, query="night", limit=6)
    assert answer.text.count("<article") == answer.text.count('<a class="strip"') == len(matches)
    assert answer.text.count("<img") == len({one.page for one in matches}) < len(matches)
    for number in range(1, len(matches) + 1):
        assert f'id="place-{number}"' in answer.text


@pytest.mark.parametrize("lines", [1, 2, 8])
def test_the_strip_shows_the_marked_lines_of_their_column_with_one_above_and_below(lines):
    def word(x0, x1, y):
        return PrintedWord("word", x0, y, x1, y + 10)

    column, other = [
        tuple((word(x, x + 90, 100 + 12 * n), word(x + 100, x + 220, 100 + 12 * n)) for n in range(20))
        for x in (50, 300)
    ]
    boxes = [Box(1, 60, 160 + 12 * n, 200, 170 + 12 * n) for n in range(lines)]
    parts = [PagePart(0, "body", "", column, (1,)), PagePart(1, "body", "", other, (1,))]
    strip = print_strip("/image", Page(1, None, 600, 800, "text"), boxes, parts)
    assert (strip.x, strip.x + strip.width) == (46, 274)
    assert strip.y == pytest.approx(147, abs=1)
    shown = min(lines, 3)
    assert strip.y + strip.height == pytest.approx(170 + 12 * (shown - 1) + 13, abs=1)
    assert shown <= len(strip.boxes) <= shown + 1


def test_words_that_are_not_printed_are_said_so_once(room):
    for words in ("turnips zzyzx", "the closing lids of the marsh were never opened by batteries at all"):
        seen = text_of(room.get("/quote", key=KEY, query=words))
        assert seen.count("Not printed") == 1
        assert seen.count("Search all papers") == 1


def test_what_another_paper_prints_leads_there(room):
    answer = room.get("/quote", key="okafor2021", query=WORDS)
    assert "not found" in text_of(answer)
    link = found(r'href="(/quote\?[^"]*key=lindqvist2019[^"]*)"', answer.text)
    assert "verbatim" in text_of(room.get(link))


def test_the_nearest_passage_is_a_link_not_a_command(room):
    answer = room.get("/quote", key=KEY, query="the annual release of carbon dioxide from turnips at night")
    assert "related" in text_of(answer)
    assert "pagequote" not in text_of(answer)
    assert "/page?key=lindqvist2019" in answer.text


@pytest.mark.parametrize(
    ("page", "said"),
    [
        ("1", "verbatim page 1"),
        ("1650", "verbatim page 1"),
        ("2", "Not on page 2, but on page 1"),
        ("1651", "Not on page 1651 (the PDF's page 2), but on the PDF's page 1"),
        ("xi", "there is no page xi"),
    ],
)
def test_a_page_may_be_counted_or_as_it_is_printed(room, page, said):
    answer = room.get("/quote", key=KEY, query=WORDS, page=page)
    assert said in text_of(answer)


def test_a_page_is_called_by_what_is_printed_on_it(tmp_path):
    document = pymupdf.open(stream=pdf("The preface begins here.", "The preface ends here."))
    document.set_page_labels([{"startpage": 0, "prefix": "", "style": "r", "firstpagenum": 3}])
    with lookup.open(built(tmp_path, book=document.tobytes())) as corpus:
        room = Visitor(corpus)
        assert "page 2 (printed iv) of 2" in text_of(room.get("/page", key="book", page="IV"))
        answer = room.get("/quote", key="book", page="iv", query="the preface ends")
        assert "verbatim page 2 (printed iv)" in text_of(answer)


def test_places_are_shown_as_many_as_asked_for(room):
    assert room.get("/quote", key=KEY, query="night", limit=3).text.count("<article") == 3
    answer = room.get("/quote", key=KEY, query="night")
    assert answer.text.count("<article") == 1
    more = found(r'href="([^"]+)">Look for more', answer.text)
    assert room.get(more).text.count("<article") == 5


@pytest.mark.parametrize(
    ("words", "verdict"), [(WORDS, "verbatim"), (WORDS.replace("daytime", "nighttime"), "near")]
)
def test_words_without_a_paper_are_judged_where_they_are_printed_as_by_the_command(room, words, verdict):
    answer = room.get(room.get("/quote", query=words, key="").headers["location"])
    assert f'aria-label="Place 1: {verdict}, page ' in answer.text
    assert (
        room.get(found(r'href="([^"]+)">All places with these exact words', answer.text)).status_code == 200
    )


def test_words_that_no_paper_prints_and_single_words_are_searched_in_all(room):
    for words in ("turnips bloom at noon in the far north", "salinity"):
        assert room.get("/quote", query=words, key="").headers["location"].startswith("/search?query=")


def test_a_paper_without_words_is_opened(room):
    assert room.get("/quote", key=KEY, query=" ").headers["location"] == f"/paper?key={KEY}"
    assert room.get("/quote").headers["location"] == "/"


def test_all_papers_are_searched_for_exact_words_and_for_a_topic(room):
    exact = room.get("/search", query="at night")
    assert exact.text.count('<mark class="verbatim">') > 2
    link = found(r'href="(/quote\?[^"]+)"', exact.text)
    assert "verbatim" in text_of(room.get(link))
    topic = room.get("/search", query="carbon released by marshes at night", how="topic")
    assert "/quote?key=lindqvist2019" in topic.text
    assert "No paper prints these words" in text_of(room.get("/search", query="turnips at noon"))


def test_the_link_of_a_place_shows_it_where_the_page_prints_the_words_again(room, corpus):
    again = [one for one in corpus.grep("at night", keys=[KEY], page=2) if one.page == 2]
    assert len(again) > 1
    links = re.findall(
        r'href="(/quote\?key=lindqvist2019&amp;query=at\+night&amp;page=2[^"]*)"',
        room.get("/search", query="at night", papers=KEY).text,
    )
    assert len(links) == 2 * len(again)  # of its page, and of its words
    assert room.get(unescape(links[-1])).text.count("<article") == len(again)


def test_places_are_counted_and_stand_by_paper(room, corpus, monkeypatch):
    monkeypatch.setattr("pagequote.web.search_page._COUNTED", 1000)
    places = corpus.grep("the", limit=1000)
    running = Counter(one.key for one in places if one.kind not in ("reference", "furniture"))
    keys = sorted({one.key for one in places}, key=lambda key: (-running[key], key))
    assert len(places) > 40
    first = room.get("/search", query="the")
    assert f"{len(places)} places in {len(keys)} papers" in text_of(first)
    assert re.findall(r'<h2 id="group-\d+"><a href="/paper\?key=([^"]+)">', first.text) == keys
    assert first.text.count("<mark") == 3 * len(keys)
    everything = found(r'href="([^"]+)">All \d+ in this paper', first)
    shown, address = 0, everything
    while address:
        page = room.get(address)
        shown += page.text.count("<mark")
        further = re.search(r'rel="next" href="([^"]+)"', page.text)
        address = further and unescape(further[1])
    assert shown == sum(one.key == keys[0] for one in places)
    assert "Places before" in page.text


def test_more_places_than_are_counted_are_said_to_be_more(room, monkeypatch):
    monkeypatch.setattr("pagequote.web.search_page._COUNTED", 5)
    assert "more than 5 places in" in text_of(room.get("/search", query="the"))


@pytest.mark.parametrize("how", ["exact", "topic"])
@pytest.mark.parametrize(
    "filters",
    [
        {"papers": "LINDQVIST marsh"},
        {"papers": KEY},
        {"from_year": 2019, "to_year": 2019},
        {"papers": "turnips"},
        {"from_year": 1800, "to_year": 1801},
        {"kind": "caption"},
    ],
)
def test_a_search_can_be_narrowed_and_keeps_what_was_typed(room, corpus, how, filters):
    answer = room.get("/search", query="night", how=how, **filters)
    kept = {paper.key for paper in corpus.papers() if paper.year == 2019} if "from_year" in filters else {KEY}
    keys = set(re.findall(r'href="/quote\?key=([^&]+)&', answer.text))
    if "turnips" in filters.values() or 1800 in filters.values():
        assert not keys
        assert "all papers" in text_of(answer)
    elif "kind" not in filters:
        assert keys
        assert keys <= kept
    assert answer.text.count('<span class="kind">') == answer.text.count('<p class="where">') or (
        filters != {"kind": "caption"}
    )
    for value in filters.values():
        assert f'value="{value}"' in answer.text or f"<option selected>{value}<" in answer.text


def test_what_was_found_on_a_topic_has_its_words_marked(room, corpus):
    answer = room.get("/search", query="carbon released by marshes at night", how="topic")
    hits = corpus.search("carbon released by marshes at night", 100).hits
    marked = {hit.text[slice(*span)] for hit in hits for span in hit.spans}
    assert marked
    assert set(map(unescape, re.findall("<mark[^>]*>([^<]+)</mark>", answer.text))) == marked
    assert f"{len(hits)} paragraphs in" in text_of(answer) or len(hits) > 20


@pytest.mark.parametrize(
    ("path", "asked"),
    [
        ("/quote", {"key": "lindqvst", "query": "people prefer", "page": "iv"}),
        ("/quote", {"key": KEY, "query": "people prefer", "page": "99"}),
        ("/quote", {"key": "scan", "query": "people prefer", "page": "0"}),
        ("/search", {"query": "people prefer", "from_year": "soon", "papers": "marsh", "how": "topic"}),
        ("/papers", {"filter": "some words", "start": "x"}),
    ],
)
def test_an_error_keeps_what_was_typed_and_leads_somewhere(room, path, asked):
    answer = room.get(path, **asked)
    assert answer.status_code in (400, 404)
    for name, value in asked.items():
        if name not in ("how", "start"):
            assert f'name="{name}"' in answer.text
            assert f'value="{value}"' in answer.text
    if "how" in asked:
        assert 'value="topic" checked' in answer.text
    assert 'href="/papers"' in answer.text


def test_a_draft_that_is_refused_is_kept(room):
    text = "“a b” [@k] " * 201
    answer = room.post("/draft", data={"text": text, "markup": "typst"})
    assert found(r"<textarea[^>]*>(.*?)</textarea>", answer) == text
    assert 'value="typst" checked' in answer.text


def test_the_page_of_a_paper_has_its_abstract_its_reference_and_its_thumbnails(room, corpus):
    answer = room.get("/paper", key=KEY)
    abstract = corpus.abstract(KEY)
    assert abstract
    assert " ".join(abstract.split()) in text_of(answer)
    forms = forms_of(answer)
    assert forms["Key"] == KEY
    assert forms["BibTeX"].startswith(f"@article{{{KEY},")
    assert json.loads(forms["CSL JSON"])[0]["id"] == KEY
    pictures = re.findall(r'<img src="(/image[^"]+)"', answer.text)
    assert len(pictures) == len(corpus.pages(KEY))
    assert all("size=small" in one for one in pictures)
    assert room.get(unescape(pictures[0])).content == PNG


def test_a_page_has_its_words_where_they_are_printed(room, corpus):
    answer = room.get("/page", key=KEY, page=2, query="at night", size="large")
    layer = answer.text.partition('<svg class="layer"')[2].partition("</svg>")[0]
    words = re.findall(r'<tspan x="([\d.]+)" textLength="([\d.]+)"[^>]*>([^<]+)</tspan>', layer)
    printed = [word for part in corpus.page_parts(KEY, 2) for line in part.lines for word in line]
    assert [unescape(text) for *_, text in words] == [word.text for word in printed]
    for (x, width, _), word in zip(words, printed, strict=True):
        assert float(x) == pytest.approx(word.x0)
        assert float(width) == pytest.approx(word.x1 - word.x0, abs=0.1)
    boxes = [
        box for one in corpus.quote(KEY, "at night", 2, 20).matches for box in one.boxes if box.page == 2
    ]
    assert answer.text.count("<rect ") == len(boxes) > 0
    assert "size=large" in found(r'<img src="([^"]+)"', answer)


def test_the_pdf_of_a_paper_is_opened_at_the_page(room, corpus):
    answer = room.get("/quote", key=KEY, query=WORDS)
    address = found(r'href="(/pdf[^"]+)"', answer)
    assert address.endswith("#page=1")
    sent = room.get(address.partition("#")[0])
    assert sent.headers["content-type"] == "application/pdf"
    assert sent.headers["content-disposition"].startswith("inline; filename*=")
    assert "immutable" in sent.headers["cache-control"]
    assert sent.content == corpus.original(KEY).read()
    assert room.get("/pdf", key=KEY).headers["cache-control"] == "no-cache"


def test_what_is_kept_of_a_quote_is_all_that_its_exports_need(room, corpus):
    answer = room.get("/quote", key=KEY, query=WORDS)
    kept = json.loads(found(r"data-keep='([^']+)'", answer))
    (match,) = corpus.quote(KEY, WORDS).matches
    assert kept["quote"] == match.quote
    assert kept["bibtex"] == forms_of(room.get("/paper", key=KEY))["BibTeX"]
    assert kept["markdown"] == match.to_markdown()
    assert kept["annotation"] == json.loads(json.dumps(match.to_annotation()))
    assert "<mark" in room.get(kept["link"]).text


def test_the_papers_can_be_filtered_and_turned_over(room):
    assert room.get("/papers").text.count('href="/paper?key=') == 4
    filtered = room.get("/papers", filter="2019 MARSH")
    assert filtered.text.count('href="/paper?key=') == 1
    assert KEY in filtered.text
    assert "No paper has these words" in text_of(room.get("/papers", filter="turnips"))
    assert "Papers before" in text_of(room.get("/papers", start=2))


@pytest.mark.parametrize(
    ("sort", "by"),
    [
        ("", lambda one: one.key),
        ("title", lambda one: one.title.casefold()),
        ("year", lambda one: -one.year),
        ("pages", lambda one: -one.pages),
    ],
)
def test_the_papers_stand_in_the_order_that_is_asked_for(room, corpus, sort, by):
    answer = room.get("/papers", sort=sort or None)
    shown = re.findall(r'class="title" href="/paper\?key=([^"]+)"', answer.text)
    assert shown == [one.key for one in sorted(corpus.papers(), key=by)]
    assert f"{len(shown)} papers" in text_of(answer)
    assert room.get("/papers", sort="colour").status_code == 400


def test_a_paper_shows_its_outline_and_leads_to_its_pages(room, corpus):
    answer = room.get("/paper", key=KEY)
    for section in corpus.outline(KEY):
        assert section.section_title in unescape(answer.text)
    second = room.get("/page", key=KEY, page=2)
    for part in corpus.page(KEY, 2).split("\n\n"):
        assert " ".join(part.split()) in text_of(second)
    headings = [part.text for part in corpus.page_parts(KEY, 2) if part.kind == "heading"]
    assert headings
    assert list(map(unescape, re.findall("<h2>(.*?)</h2>", second.text, re.DOTALL))) == headings
    assert found("<aside[^>]*>(.*?)</aside>", second).count("<p>") == sum(
        part.kind == "furniture" for part in corpus.page_parts(KEY, 2)
    )
    assert {"/page?key=lindqvist2019&amp;page=1", "/page?key=lindqvist2019&amp;page=3"} <= set(
        re.findall(r'rel="(?:prev|next)" href="([^"]+)"', second.text)
    )


def test_a_paper_is_read_as_one_document_with_its_outline_and_small_pictures_beside(
    room, corpus, monkeypatch
):
    answer = room.get("/read", key=KEY, query="at night")
    pages = [str(one.page) for one in corpus.pages(KEY)]
    assert re.findall(r'id="page-([0-9]+)"', answer.text) == pages
    assert re.findall(r'href="#page-([0-9]+)" data-page="([0-9]+)"', answer.text) == [
        *zip(pages, pages, strict=True)
    ]
    for section in corpus.outline(KEY):
        assert section.section_title in unescape(answer.text)
    marked = {
        one.page for one in corpus.quote(KEY, "at night", limit=20).matches if one.verdict == "verbatim"
    }
    parts = answer.text.split('id="page-')[1:]
    assert {int(one.partition('"')[0]) for one in parts if 'class="marks"' in one} >= marked
    assert all("loading=" in one for one in parts[1:])
    monkeypatch.setattr("pagequote.web.paper_pages._SCROLLED", 2)
    places = Counter(one.page for one in corpus.grep("at night", [KEY]))
    first, *_, last = sorted(places)
    parted = room.get("/read", key=KEY, query="at night")
    assert f"{places.total()} places: page {first}" in text_of(parted)
    assert f'href="#page-{first}">page {first}</a> ({places[first]})' in parted.text
    assert f"page={last}&amp;query=at+night#page-{last}" in parted.text
    assert "does not print these words" in text_of(room.get("/read", key=KEY, query="turnips zzyzx"))
    nearest = room.get("/read", key=KEY, query=WORDS.replace("daytime", "nighttime"))
    assert "Not printed so; the nearest: page 1" in text_of(nearest)
    later = room.get("/read", key=KEY, page=3).text
    assert re.findall(r'id="page-([0-9]+)"', later)[0] == "3"
    assert "page=2" in re.findall(r'rel="prev" href="([^"]+)"', later)[0]
    assert room.get("/read", key=KEY, page=99).status_code == 404


def test_a_paragraph_that_goes_on_says_where(room, corpus):
    page, end = corpus.sql(
        "SELECT page, page_end FROM paragraphs WHERE key = ? AND page_end = page + 1 AND kind = 'body'", [KEY]
    ).fetchone()
    assert f"goes on, page {end} →" in text_of(room.get("/page", key=KEY, page=page))
    assert f"← from page {page}" in text_of(room.get("/page", key=KEY, page=end))


@pytest.mark.parametrize("path", ["/quote", "/paper", "/page", "/read", "/image"])
def test_a_key_that_no_paper_has_is_not_found_and_the_closest_is_offered(room, path):
    answer = room.get(path, key="lindqvst2019", query="people prefer")
    assert answer.status_code == 404
    assert "Did you mean" in answer.text
    assert 'href="/paper?key=lindqvist2019"' in answer.text
    assert 'href="/quote?key=lindqvist2019&amp;query=people+prefer"' in answer.text
    assert 'href="/search?query=people+prefer"' in answer.text


@pytest.mark.parametrize(
    "key", ["../../etc/passwd", "/etc/passwd", "..%2f..", "a\x00b", "' OR 1=1 --", EVIL, "ключ"]
)
@pytest.mark.parametrize("path", ["/quote", "/paper", "/page", "/image"])
def test_a_key_is_a_key_and_nothing_else(room, path, key):
    answer = room.get(path, key=key, query="words of some length")
    assert answer.status_code == 404
    assert EVIL not in answer.text


def test_the_path_of_a_pdf_that_failed_is_not_told(evil):
    answer = evil.get("/paper", key="login")
    assert answer.status_code == 404
    assert "No paper has the key “login”." in text_of(answer)
    assert "login.pdf" not in answer.text


@pytest.mark.parametrize(
    ("path", "query", "status"),
    [
        ("/quote", {"key": KEY, "query": "x" * (LONGEST_QUERY + 1)}, 400),
        ("/search", {"query": "x " * LONGEST_QUERY}, 400),
        ("/papers", {"filter": "x" * (LONGEST_QUERY + 1)}, 400),
        ("/quote", {"key": "k" * 301, "query": "words"}, 400),
        ("/quote", {"key": KEY, "query": "…!"}, 400),
        ("/search", {"query": "…!"}, 400),
        ("/search", {"query": "night", "how": "fast"}, 400),
        ("/quote", {"key": KEY, "query": "night", "limit": 21}, 400),
        ("/quote", {"key": KEY, "query": "night", "limit": "0"}, 400),
        ("/quote", {"key": KEY, "query": "night", "page": "-1"}, 404),
        ("/quote", {"key": KEY, "query": "night", "page": "²"}, 404),
        ("/quote", {"key": KEY, "query": "night", "page": "9" * 5000}, 400),
        ("/quote", {"key": KEY, "query": "night", "page": 5}, 404),
        ("/page", {"key": KEY, "page": 5}, 404),
        ("/page", {"key": KEY, "page": "0"}, 400),
        ("/page", {"key": KEY, "page": 1, "size": "huge"}, 400),
        ("/page", {"key": KEY, "page": 1, "query": "…!"}, 400),
        ("/search", {"query": "night", "from_year": "long ago"}, 400),
        ("/search", {"query": "night", "kind": "turnip"}, 400),
        ("/pdf", {"key": "turnip"}, 404),
        ("/image", {"key": KEY, "page": 99999}, 404),
        ("/papers", {"start": "1e3"}, 400),
        ("/turnips", {}, 404),
        ("/static/../app.py", {}, 404),
        ("/static/%2e%2e/app.py", {}, 404),
    ],
)
def test_what_makes_no_sense_is_refused_in_a_sentence(room, path, query, status):
    answer = room.get(path, **query)
    assert answer.status_code == status
    assert answer.headers["content-type"].startswith("text/html")
    assert 'class="hint" role="status"' in answer.text


@pytest.mark.parametrize(
    ("path", "query"),
    [
        ("/quote", {"query": "to their nests & back again"}),
        ("/quote", {"query": EVIL}),
        ("/quote", {"query": f"carry {EVIL} or leaves to their nests"}),
        ("/page", {"page": 1}),
        ("/paper", {}),
        ("/papers", {}),
        ("/search", {"query": "their nests"}),
        ("/search", {"query": EVIL}),
        ("/search", {"query": "nests", "how": "topic"}),
        ("/search", {"query": "nests", "papers": EVIL}),
        ("/page", {"page": 1, "query": "to their nests", "size": "large"}),
    ],
)
def test_what_a_pdf_prints_is_text_and_never_markup(evil, path, query):
    answer = evil.get(path, key=None if path in ("/search", "/papers") else "ants&<i>", **query)
    assert answer.status_code == 200
    for markup in ("<script>", "<b onclick", "<i>"):
        assert markup not in answer.text
    if path in ("/quote", "/page", "/search"):
        assert "&lt;script&gt;alert(1)&lt;/script&gt;" in answer.text


def test_a_paper_of_scans_is_said_to_be_not_covered(evil):
    answer = evil.get("/quote", key="scan", query="words that may stand there")
    assert "not covered" in text_of(answer)
    assert "This page has no text" in text_of(evil.get("/page", key="scan", page=1))


DRAFT = f"""“{WORDS}” [@lindqvist2019, p. 1650], “people prefer to work by day” [@lindqvist2019, p. 3],
“people like to work by day” [@lindqvist2019], “{WORDS}” [@okafor2021], “turnips at noon” [@nobody2001],
{EVIL}."""


def test_the_quotations_of_a_draft_are_judged(room):
    answer = room.post("/draft", data={"text": DRAFT, "markup": "markdown"})
    assert answer.status_code == 200
    seen = text_of(answer)
    assert "5 quotations: 1 right, 3 wrong, 1 not judged" in seen
    assert "right Lindqvist et al., 2019, page 1 (printed 1650)" in seen
    assert "right words, wrong page Lindqvist et al., 2019, page 1 (printed 1650) the draft says 3" in seen
    for number, level in enumerate(("ok", "error", "error", "error", "warning"), 1):
        assert re.search(
            rf'<a id="quotation-{number}" href="#finding-{number}" class="{level}" title="[^"]+">“',
            answer.text,
        )
        first = " autofocus" * (number == 2)
        assert f'<li id="finding-{number}" class="{level}" tabindex="-1"{first}>' in answer.text
    assert "<del>like</del>" in answer.text
    assert "<ins>prefer</ins>" in answer.text
    assert "Printed by Lindqvist et al., 2019, page 1" in seen
    assert "source not here nobody2001 “" not in seen
    assert "No paper here is the source that is cited" in seen
    assert EVIL not in answer.text
    assert found(r"<textarea[^>]*>(.*?)</textarea>", answer) == DRAFT


def offered(answer):
    """The corrections that a judged draft offers."""
    return [unescape(one) for one in re.findall(r'name="take" value="(\d[^"]+)"', answer.text)]


def pressed(answer, take, **more):
    """What a browser sends where a button of a judged draft is pressed."""
    hidden = re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', answer.text)
    form = answer.text.index('<form id="draft"')
    count = answer.text[form : answer.text.index("</form>", form)].count("<input")
    sent = {"take": take, **more}
    for name, value in hidden[:count]:
        sent.setdefault(name, []).append(unescape(value).replace("\n", "\r\n"))  # as browsers do
    return sent


def test_a_small_draft_with_many_corrections_is_judged_where_it_can_be_killed(corpus):
    handed = []

    def long(work, corpus):
        handed.append(work)
        return work(corpus)

    visitor = Visitor(corpus, long=long)
    draft = {"text": DRAFT, "markup": "markdown"}
    (page, *_) = offered(visitor.post("/draft", data=draft))
    assert "2 right, 2 wrong" in text_of(visitor.post("/draft", data={**draft, "done": [page] * 3}))
    assert handed == []
    assert "2 right, 2 wrong" in text_of(
        visitor.post("/draft", data={**draft, "done": "\n".join([page] * 99)})
    )
    assert len(handed) == 1


def test_a_step_with_a_number_beyond_all_quotations_is_none(room):
    answer = room.post("/draft", data={"text": DRAFT, "markup": "markdown", "done": f"{'9' * 5_000}: x"})
    assert answer.status_code == 200
    assert "5 quotations" in text_of(answer)


@pytest.mark.long
def test_a_draft_is_mended_by_one_correction_by_all_pages_and_by_all_printed_words(room):
    page, words, key = offered(room.post("/draft", data={"text": DRAFT, "markup": "markdown"}))
    assert page == "2: Correct the page: 1650"
    assert words == "3: Use the printed words: people prefer to work by day"
    assert key == "4: Cite lindqvist2019, page 1"
    changes = {
        page: ("p. 3]", "p. 1650]"),
        words: ("people like to", "people prefer to"),
        key: ("[@okafor2021]", "[@lindqvist2019]"),
    }
    for take, change in changes.items():
        answer = room.post("/draft", data={"text": DRAFT, "markup": "markdown", "take": take})
        assert found(r"<textarea[^>]*>(.*?)</textarea>", answer) == DRAFT.replace(*change)
        assert "5 quotations: 2 right, 2 wrong" in text_of(answer)
        back = room.post("/draft", data=pressed(answer, "undo"))
        assert found(r"<textarea[^>]*>(.*?)</textarea>", back) == DRAFT
        assert 'value="undo"' not in back.text
    mended = DRAFT
    for every, take in (("pages", page), ("words", words)):
        answer = room.post("/draft", data=pressed(answer, every) | {"done": []})
        assert found(r"<textarea[^>]*>(.*?)</textarea>", answer) == DRAFT.replace(*changes[take])
    answer = room.post("/draft", data=pressed(answer, "pages"))
    mended = DRAFT.replace(*changes[page]).replace(*changes[words])
    assert found(r"<textarea[^>]*>(.*?)</textarea>", answer) == mended
    assert room.post("/draft", data=pressed(answer, "corrected")).text == mended
    assert 'id="finding-4" class="error" tabindex="-1" autofocus' in answer.text
    unknown = {"text": f"“{WORDS}” [@lindquist2019].", "markup": "markdown"}
    (change,) = offered(room.post("/draft", data=unknown))
    assert change == "1: Change the key to lindqvist2019, page 1"
    assert "1 quotation: 1 right, 0 wrong" in text_of(room.post("/draft", data={**unknown, "take": change}))


def test_a_long_form_comes_in_parts(room):
    draft = {"text": f"{DRAFT}{' ' * (257 << 10)}", "markup": "markdown"}
    assert room.post("/draft", data=draft).status_code == 413


def test_a_sign_in_that_is_broken_off_is_answered_to_nobody():
    async def broken_off():
        return {"type": "http.disconnect"}

    async def send(message):
        sent.append(message)

    sent: list[dict[str, object]] = []
    kind = (b"content-type", b"application/x-www-form-urlencoded")
    scope = {"type": "http", "method": "POST", "path": SIGN_IN, "headers": [kind], "query_string": b""}
    asyncio.run(strangers(TokenAuth("a token"), StaticFiles(directory=STATIC))(scope, broken_off, send))
    assert [one.get("status") for one in sent] == [200, None]


@pytest.mark.parametrize("name", ["chapter.md", "chapter.docx", "chapter.pdf"])
def test_a_file_may_be_judged(room, name):
    written = docx(paragraph(f"As “{WORDS}” (Lindqvist et al., 2019, p. 1650) says."))
    printed = pdf(f'As "{WORDS.replace(" that", chr(10) + "that")}" (Lindqvist et al., 2019, p. 1650) says.')
    content = {".docx": written, ".pdf": printed}.get(Path(name).suffix, DRAFT.encode())
    answer = room.post("/draft", data={"text": "", "markup": "latex"}, files={"file": (name, content)})
    seen = text_of(answer)
    if not name.endswith("md"):
        assert "1 quotation: 1 right, 0 wrong" in seen
        assert offered(answer) == []
    else:
        assert "5 quotations: 1 right, 3 wrong" in seen
        assert 'value="markdown" checked' in answer.text


def _page(original, page, pixels):
    with pymupdf.open(original.path) as document:
        return document[page - 1].get_pixmap(dpi=round(pixels**0.5 / 12)).tobytes("png")


@pytest.mark.long
@pytest.mark.system
def test_a_file_comes_back_with_comments_corrections_or_as_a_report(corpus):
    room = Visitor(corpus, _page)
    written = docx(
        paragraph(f"As “{WORDS.replace('that', 'which')}” (Lindqvist et al., 2019, p. 1653) says.")
    )
    answer = room.post("/draft", files={"file": ("my chapter.docx", written)})
    assert "1 quotation: 0 right, 1 wrong" in text_of(answer)
    names = re.findall(r'name="take" value="([a-z]+)"', answer.text)
    assert names == ["pages", "words", "report", "comments", "corrections"]

    def back(take):
        return room.post("/draft", data=pressed(answer, take))

    made = back("report")
    assert "attachment; filename*=UTF-8''report.html" in made.headers["content-disposition"]
    assert "Lindqvist et al. 2019, p. 1650, prints" in made.text
    assert "data:image/png;base64," in made.text
    commented = back("comments")
    assert "my%20chapter-checked.docx" in commented.headers["content-disposition"]
    with zipfile.ZipFile(io.BytesIO(commented.content)) as opened:
        assert "p. 1650, prints" in opened.read("word/comments.xml").decode()
        assert "w:ins" not in opened.read("word/document.xml").decode()
    corrected = back("corrections")
    assert "1 quotation: 1 right, 0 wrong" in text_of(
        room.post("/draft", files={"file": ("corrected.docx", corrected.content)})
    )
    with zipfile.ZipFile(io.BytesIO(corrected.content)) as opened:
        assert "<w:del " in opened.read("word/document.xml").decode()
    assert room.post("/draft", data={"again": "%", "named": "a.docx"}).status_code == 400
    assert back("all safe").status_code == 200


def _odt(text):
    return odt(f"<text:p>{text}</text:p>")


@pytest.mark.parametrize("write", [lambda text: docx(paragraph(text)), _odt], ids=["docx", "odt"])
def test_a_document_shows_its_text_with_marks_and_its_corrections_are_taken_and_undone(room, write, request):
    name = f"my chapter.{request.node.callspec.id}"
    wrong = WORDS.replace("that", "which")
    text = f"As “{wrong}” (Lindqvist et al., 2019, p. 1653) & others say; “{WORDS}” (Lindqvist et al., 2019)."
    written = write(text.replace("&", "&amp;") if name.endswith("odt") else text)
    answer = room.post("/draft", files={"file": (name, written)})
    assert (
        "other words, wrong page Lindqvist et al., 2019, page 1 (printed 1650) the draft says 1653"
        in text_of(answer)
    )
    marks = re.findall(
        r'<a id="quotation-(\d)" href="#finding-\d" class="(\w+)" title="[^"]+">([^<]*)</a>', answer.text
    )
    assert marks == [("1", "error", f"“{wrong}”"), ("2", "ok", f"“{WORDS}”")]
    assert "(Lindqvist et al., 2019, p. 1653) & others say; " in text_of(answer)
    page, words = offered(answer)
    answer = room.post("/draft", data=pressed(answer, words))
    answer = room.post("/draft", data=pressed(answer, page))
    assert "2 quotations: 2 right, 0 wrong" in text_of(answer)
    mended = text.replace("which", "that").replace("1653", "1650")
    assert mended in text_of(answer)
    content = room.post("/draft", data=pressed(answer, "corrected")).content
    assert "2 quotations: 2 right, 0 wrong" in text_of(room.post("/draft", files={"file": (name, content)}))
    answer = room.post("/draft", data=pressed(answer, "undo"))
    assert mended.replace("1650", "1653") in text_of(answer)
    assert "right words, wrong page" in text_of(answer)


def test_a_note_of_a_document_is_shown_with_its_number_and_marked(room):
    cited = f"See “{WORDS.replace('that', 'which')}” (Lindqvist et al., 2019, p. 1650)."
    mark = '<w:r><w:footnoteReference w:id="1"/></w:r>'
    written = docx(paragraph("A claim.", mark, " And more."), footnotes={"1": paragraph(cited)})
    answer = room.post("/draft", files={"file": ("notes.docx", written)})
    seen = text_of(answer)
    assert "A claim.[1] And more." in seen
    assert "[1] See “" in seen
    assert 'id="quotation-1" href="#finding-1"' in answer.text


def test_a_finding_is_ignored_once_or_known_for_good(room):
    wrong = {"text": f"“{WORDS}” [@lindqvist2019, p. 3], “x y z” [@nobody2001].", "markup": "markdown"}
    answer = room.post("/draft", data=wrong)
    first, second = re.findall(r'value="(ignore: \w+)"', answer.text)
    (name, _) = re.findall(r'data-know="(\w+)"', answer.text)
    answer = room.post("/draft", data=pressed(answer, first))
    assert "1 quotation: 0 right, 0 wrong, 1 not judged, 1 ignored" in text_of(answer)
    assert 'id="quotation-1" href="#finding-1" class="ok"' in answer.text
    assert 'value="pages"' not in answer.text
    answer = room.post("/draft", data=pressed(answer, second))
    assert "0 quotations, 2 ignored" in text_of(answer)
    answer = room.post("/draft", data=pressed(answer, "undo"))
    assert "1 ignored" in text_of(answer)
    assert "1 known" in text_of(room.post("/draft", data={**wrong, "known": [name]}))


def test_several_pages_that_were_corrected_at_once_stay_so_with_the_next_step(room):
    text = f"“{WORDS}” [@lindqvist2019, p. 3], “{WORDS}” [@lindqvist2019, p. 2], “x y z” [@nobody2001]."
    answer = room.post("/draft", data={"text": text, "markup": "markdown"})
    answer = room.post("/draft", data=pressed(answer, "pages"))
    (ignore,) = re.findall(r'value="(ignore: \w+)"', answer.text)
    answer = room.post("/draft", data=pressed(answer, ignore))
    assert "2 quotations: 2 right, 0 wrong, 1 ignored" in text_of(answer)


@pytest.mark.long
def test_a_file_of_eight_megabytes_is_mended_and_a_larger_one_refused(room):
    cited = paragraph(f"See “{WORDS}” (Lindqvist et al., 2019, p. 1653).")
    picture = base64.b64encode(random.Random(7).randbytes(7 << 20)).decode()
    written = docx(cited, word__media__picture=picture)
    assert len(written) > 6 << 20  # in base64 more than the 8 MB of a file
    answer = room.post("/draft", files={"file": ("large.docx", written)})
    parts = [
        (name, (None, one))
        for name, of in pressed(answer, "pages").items()
        for one in ([of] if isinstance(of, str) else of)
    ]
    assert "1 quotation: 1 right, 0 wrong" in text_of(room.post("/draft", files=parts))
    assert room.post("/draft", files={"file": ("large.docx", written + bytes(2 << 20))}).status_code == 413


def test_a_sample_may_be_tried(room):
    assert 'href="/draft?sample=1"' in room.get("/draft").text
    sample = found(r"<textarea[^>]*>(.*?)</textarea>", room.get("/draft", sample=1))
    assert "3 quotations: 1 right, 2 wrong" in text_of(room.post("/draft", data={"text": sample}))


@pytest.mark.system
def test_a_quote_has_a_proof_to_embed(corpus):
    room = Visitor(corpus, _page)
    asked = {"key": KEY, "query": WORDS}
    (address,) = re.findall(r'<a href="([^"]+)">A proof to embed', room.get("/quote", **asked).text)
    made = room.get(unescape(address))
    assert "lindqvist2019-quote.html" in made.headers["content-disposition"]
    assert WORDS in made.text
    assert "data:image/png;base64," in made.text
    assert room.get("/proof", key=KEY, query="turnips zzyzx").status_code == 404


def test_a_text_has_a_report_and_nothing_else_comes_back(corpus):
    room = Visitor(corpus, _page)
    answer = room.post("/draft", data={"text": DRAFT, "markup": "markdown"})
    assert re.findall(r'name="take" value="([a-z]+)"', answer.text) == ["pages", "words", "report"]
    made = room.post("/draft", data={"text": DRAFT, "markup": "markdown", "take": "report"})
    assert "1 right, 1 in other words, 1 on another page" in made.text
    assert EVIL not in made.text
    refused = room.post("/draft", data={"text": DRAFT, "markup": "markdown", "take": "comments"})
    assert refused.status_code == 400


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("latex", rf"\enquote{{{WORDS}}} \parencite[p.~1650]{{lindqvist2019}} \input{{/etc/hosts}}"),
        ("typst", f'"{WORDS}" @lindqvist2019[p. 1650]'),
    ],
)
def test_a_draft_may_be_of_latex_or_typst_and_includes_nothing(room, markup, text):
    seen = text_of(room.post("/draft", data={"text": text, "markup": markup}))
    assert "1 quotation: 1 right, 0 wrong" in seen
    assert "127.0.0.1" not in seen


def test_a_client_that_leaves_while_it_sends_a_draft_is_no_error(room):
    head = [
        (b"host", b"127.0.0.1:8377"),
        (b"content-type", b"application/x-www-form-urlencoded"),
        (b"content-length", b"99"),
    ]
    scope = {
        "type": "http",
        "http_version": "1.1",
        "method": "POST",
        "scheme": "http",
        "path": "/draft",
        "raw_path": b"/draft",
        "root_path": "",
        "query_string": b"",
        "headers": head,
        "server": ("127.0.0.1", 8377),
        "client": ("127.0.0.1", 9),
    }
    messages = iter(
        [{"type": "http.request", "body": b"text=half", "more_body": True}, {"type": "http.disconnect"}]
    )

    async def receive():
        return next(messages)

    async def send(_message):
        pass

    asyncio.run(room.app(scope, receive, send))


@pytest.mark.parametrize(
    "sent",
    [
        {"data": {"text": "x" * 60_001}},
        {"data": {"text": "“a b” [@k] " * 201}},
        {"data": {"text": "x", "markup": "word"}},
        {"data": {str(i): "" for i in range(501)}},
        {"files": {"text": ("name", b"x")}},
        {"content": b"\xff" * 100, "headers": {"content-type": "multipart/form-data; boundary=x"}},
        {"data": {"text": "{" * 30_000, "markup": "latex"}},
    ],
)
def test_a_draft_that_is_too_much_or_no_draft_is_refused(room, sent):
    answer = room.post("/draft", **sent)
    assert answer.status_code == 400
    assert 'class="hint" role="status"' in answer.text


@pytest.mark.long
def test_more_than_a_request_may_send_is_not_read(room):
    read = 0

    def endless():
        nonlocal read
        while read < 100 * BODY_LIMIT:
            read += 1 << 16
            yield b"x" * (1 << 16)

    assert room.post("/draft", content=b"x" * (BODY_LIMIT + 1)).status_code == 413
    of_a_form = {"content-type": "application/x-www-form-urlencoded"}
    assert room.post("/draft", content=endless(), headers=of_a_form).status_code == 413


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"origin": "http://127.0.0.1:9999"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ],
)
def test_other_sites_cannot_send_anything(room, headers):
    answer = room.post("/draft", data={"text": "x"}, headers=headers)
    assert (answer.status_code, answer.json()["error"]["type"]) == (403, "ForeignOrigin")


def test_our_own_pages_can(room):
    headers = {"origin": "http://127.0.0.1:8377", "sec-fetch-site": "same-origin"}
    assert room.post("/draft", data={"text": "x"}, headers=headers).status_code == 200


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("127.0.0.1:8377", 200),
        ("localhost", 200),
        ("[::1]:8377", 200),
        ("evil.example", 400),
        ("127.0.0.1.evil.example:8377", 400),
        ("localhost:8377.evil.example", 400),
        ("", 400),
    ],
)
def test_the_room_is_called_by_its_own_names_alone(room, host, status):
    assert room.send("GET", "/", headers={"host": host}).status_code == status


def test_only_what_is_meant_to_be_sent_can_be_sent(room):
    assert room.send("PUT", "/draft", content=b"x").status_code == 405
    assert room.send("DELETE", "/paper?key=x").status_code == 405
    assert room.send("HEAD", "/").status_code == 200


def test_what_breaks_says_so_without_saying_where(corpus, monkeypatch):
    def broken(*_: object) -> None:
        raise RuntimeError("at /home/somebody/secret")

    monkeypatch.setattr("pagequote.web.search_page._exactly", broken)
    answer = Visitor(corpus).get("/search", query="night")
    assert answer.status_code == 500
    assert "Something went wrong" in text_of(answer)
    assert "secret" not in answer.text


def test_the_api_is_in_the_room_and_kept_as_the_pages_are(room):
    answer = room.get("/api/quote", key=KEY, query=WORDS)
    assert answer.json()["matches"][0]["verdict"] == "verbatim"
    assert room.get("/api/openapi.json").json()["servers"] == [{"url": "/api"}]
    assert "/openapi.json" in room.get("/api/").text == room.get("/api").text
    assert room.get("/api/turnips").json()["error"]
    assert room.get("/api/quote", key=KEY, query=WORDS, page=99).status_code == 404
    asked = {"quotes": [{"quote": WORDS, "key": KEY}]}
    assert room.post("/api/verify", json=asked).status_code == 200
    assert room.post("/api/verify", json=asked, headers={"origin": "http://evil.example"}).status_code == 403
    too_much = room.post("/api/verify", content=b"[" * (BODY_LIMIT + 1))
    assert too_much.status_code == 413
    assert too_much.json()["error"]
    assert room.send("GET", "/api/papers", headers={"host": "evil.example"}).status_code == 400


def test_what_breaks_in_the_api_says_so_as_json(corpus, monkeypatch):
    def broken(*_: object) -> None:
        raise RuntimeError("at /home/somebody/secret")

    monkeypatch.setattr(corpus, "refresh", broken)
    answer = Visitor(corpus).get("/api/papers")
    assert answer.status_code == 500
    assert "Something went wrong" in answer.json()["error"]["message"]


def test_the_report_names_files_and_not_where_they_are(evil):
    answer = evil.get("/report")
    assert answer.status_code == 200
    seen = text_of(answer)
    assert "login.pdf" in seen
    assert re.search(r"2 papers", seen)
    assert "1 failures" in seen or "failures 1" in seen
    assert re.search(r"without a year 2", seen)
    assert re.search(r"without text to quote 1", seen)


def test_the_report_links_papers_that_are_hard_to_read_and_those_that_took_longest(tmp_path):
    path = built(tmp_path, ant=pdf("One ant."))
    file = path / "current" / "report.json"
    said = json.loads(file.read_bytes())
    assert [one["key"] for one in said["slowest"]] == ["ant"]
    assert said["pages_hard_to_read"] == {"count": 0, "first": []}
    file.write_text(json.dumps(said | {"slowest": [{"path": "/srv/ant/paper.pdf", "seconds": 1.0}]}))
    with lookup.open(path) as corpus:
        assert "paper.pdf 1" in text_of(Visitor(corpus).get("/report"))
    hard = [{"source": source, "key": "ant", "pages": [1]} for source in ("lines", "unreadable")]
    why = "Kept as lines, not as paragraphs: page 1: IndexError in run_in.py:82."
    kept = {"path": "/srv/ant/ant.pdf", "key": "ant", "detail": why}
    failed = {
        "reason": LAYOUT_FAILED,
        "stage": "extract",
        "count": 1,
        "what_to_do": "Report it.",
        "first": [kept],
    }
    told = {"pages_hard_to_read": {"count": 2, "first": hard}, "failures": [failed]}
    file.write_text(json.dumps(said | told))
    with lookup.open(path) as corpus:
        answer = Visitor(corpus).get("/report")
    assert "kept as lines, as their layout failed 1 ant" in text_of(answer)
    assert f"ant.pdf ({why})" in text_of(answer)
    assert "/srv" not in answer.text
    assert "letters cannot be read 1 ant" in text_of(answer)
    assert '<a href="/paper?key=ant">ant</a>' in answer.text.partition("Slowest")[2]


def test_an_entry_without_a_pdf_is_no_failure_and_is_said_to_be_in_the_library(tmp_path):
    folder = on_disk(tmp_path / "pdfs", ant=pdf("The first ant went home early in the evening."))
    works = "".join(
        f"@book{{b{year}, title={{On Ants}}, author={{Ode, K.}}, year={year}}}\n" for year in (1, 2)
    )
    (folder / "refs.bib").write_text(works)
    with with_reports():
        build([folder], tmp_path, [folder / "refs.bib"])
    visitor = Visitor(lookup.Corpus(tmp_path / "corpus"))
    report = visitor.get("/report")
    assert "failures 0" in text_of(report)
    assert text_of(report).count("refs.bib") == 1
    with pytest.raises(
        lookup.UnknownKeyError, match=r"The library has this entry \(On Ants\), but no PDF of it"
    ):
        lookup.Corpus(tmp_path / "corpus").quote("b1", "The first ant")


def test_a_release_without_a_report_says_so(tmp_path):
    path = built(tmp_path, ant=pdf("One ant."))
    (path / "current" / "report.json").unlink()
    with lookup.open(path) as corpus:
        answer = Visitor(corpus).get("/report")
    assert answer.status_code == 404
    assert "no report" in text_of(answer)


def test_static_files_are_kept_by_browsers_until_they_change(room):
    home = room.get("/")
    for address in re.findall(r'(?:href|src)="(/static/[^"]+)"', home.text):
        answer = room.get(address)
        assert answer.status_code == 200
        assert "immutable" in answer.headers["cache-control"]
        assert "?v=" in address


@pytest.mark.long
def test_new_releases_are_followed_and_an_unreadable_corpus_is_borne(tmp_path):
    path = built(tmp_path, ant=pdf("The first ant went home early in the evening."))
    with lookup.open(path) as corpus:
        room = Visitor(corpus)
        first = room.get("/health").json()
        assert first["status"] == "ok"
        assert room.get("/quote", key="bee", query="the first bee").status_code == 404
        built(tmp_path, bee=pdf("The first bee came late in the morning."))
        assert "verbatim" in text_of(room.get("/quote", key="bee", query="the first bee"))
        second = room.get("/health").json()
        assert second["release"] > first["release"]
        assert second["release"] in room.get("/report").text
        assert second["release"] not in room.get("/").text

        (path / "current").rename(path / "elsewhere")
        for page in (
            "/",
            "/quote?key=bee&query=the+first+bee",
            "/papers",
            "/report",
            "/search?query=bee",
            "/draft",
        ):
            answer = room.get(page)
            assert answer.status_code == 503
            assert "cannot be read now" in text_of(answer)
        assert room.get("/health").status_code == 503
        (path / "elsewhere").rename(path / "current")
        assert room.get("/").status_code == 200


def test_a_corpus_without_an_index_of_words_says_to_build_it_again(tmp_path):
    path = built(tmp_path, ant=pdf("The first ant went home early in the evening."))
    manifest = path / "current" / "manifest.json"
    said = json.loads(manifest.read_text())
    del said["search"]
    manifest.write_text(json.dumps(said))
    with lookup.open(path) as corpus:
        room = Visitor(corpus)
        for how in ("topic", "exact"):
            answer = room.get("/search", query="ants at home", how=how)
            assert answer.status_code == 501
            assert "Build it again" in text_of(answer)
        assert "verbatim" in text_of(room.get("/quote", key="ant", query="The first ant went home"))


# Pictures


@pytest.fixture(scope="module")
def drawers():
    """One process that draws."""
    made = PageDrawers(1)
    yield made
    made.close()


def test_a_picture_is_the_page_at_a_bounded_size(samples, corpus, drawers):
    original = corpus.original(KEY)
    page = pymupdf.Pixmap(drawers(original, 1))
    assert 1_000_000 < page.width * page.height <= 1_600_000
    sheet = corpus.pages(KEY)[0]
    assert page.width / page.height == pytest.approx(sheet.width / sheet.height, rel=0.01)
    for pixels in PIXELS.values():
        page = pymupdf.Pixmap(drawers(original, 1, pixels=pixels))
        assert page.width * page.height == pytest.approx(pixels, rel=0.05)


def test_a_picture_is_drawn_once_and_kept_by_the_browser_too(corpus):
    asked = []

    def draw(original, page, *, pixels):
        asked.append((original.sha256, page, pixels))
        return PNG

    room = Visitor(corpus, draw)
    shown = room.get("/quote", key=KEY, query=WORDS).text
    address = found(r'<img src="([^"]+)"', shown)
    first = room.get(address)
    assert (first.status_code, first.headers["content-type"], first.content) == (200, "image/png", PNG)
    assert "immutable" in first.headers["cache-control"]
    assert room.send("GET", address, headers={"if-none-match": first.headers["etag"]}).status_code == 304
    assert room.get(address).content == PNG
    assert len(asked) == 1
    assert room.get("/image", key=KEY, page=1, of="another").headers["cache-control"] == "no-cache"
    room.get("/image", key=KEY, page=2)
    assert len(asked) == 2
    for size, pixels in PIXELS.items():
        other = room.get("/image", key=KEY, page=1, size=size)
        assert asked[-1][1:] == (1, pixels) or size == "page"
        assert (other.headers["etag"] == first.headers["etag"]) is (size == "page")
    assert len(asked) == 2 + len(PIXELS) - 1


async def _of(pictures, *asked):
    for sha256, page in asked:
        await pictures.picture(Original("k", "", sha256), page)


def test_no_more_pictures_are_kept_than_the_bytes_allow():
    import anyio

    drawn = []

    def draw(original, page, *, pixels):
        drawn.append(page)
        return b"x" * 400

    pictures = Pictures(draw, kept_bytes=1000)
    anyio.run(_of, pictures, ("a", 1), ("a", 2), ("a", 1), ("a", 3), ("a", 1), ("a", 2))
    assert drawn == [1, 2, 3, 2]


def test_a_page_that_cannot_be_drawn_is_not_tried_again_at_once_and_says_why(corpus):
    tried = []

    def draw(original, page, *, pixels):
        tried.append(page)
        raise NotDrawnError("slow")

    room = Visitor(corpus, draw)
    for _ in range(3):
        answer = room.get("/image", key=KEY, page=1)
        assert answer.status_code == 404
        assert answer.headers["content-type"].startswith("image/svg+xml")
        assert "takes too long" in answer.text
        assert answer.headers["cache-control"] == "no-store"
    assert tried == [1]
    assert "verbatim" in text_of(room.get("/quote", key=KEY, query=WORDS))


def test_what_a_busy_machine_did_not_do_is_to_be_asked_for_again_and_is_not_refused(corpus):
    tried = []

    def draw(original, page, *, pixels):
        tried.append(page)
        if len(tried) == 1:
            raise NotDrawnError("busy")
        return PNG

    def busy(work, corpus):
        raise BusyError("This could not be done in 20 seconds: the machine is busy. Ask again in a moment.")

    room = Visitor(corpus, draw, long=busy)
    text = "“Nobody wrote these words” and nothing else. " * 100
    image = room.get("/image", key=KEY, page=1)
    draft = room.post("/draft", data={"text": text, "markup": "markdown"})
    api = room.post("/api/verify", json={"quotes": [{"key": KEY, "quote": "people prefer"}] * 9})
    for answer in (image, draft, api):
        assert answer.status_code == 503
        assert int(answer.headers["retry-after"]) > 0
        assert "machine is" in text_of(answer)
    assert found(r"<textarea[^>]*>(.*?)</textarea>", draft) == text
    assert api.json()["error"]["type"] == "BusyError"
    assert room.get("/image", key=KEY, page=1).content == PNG


def test_a_crowd_that_asks_for_pictures_is_turned_away_and_can_come_again(corpus):
    import anyio

    crowded = threading.Event()

    def draw(original, page, *, pixels):
        assert crowded.wait(PATIENCE)
        return PNG

    async def crowd():
        turned_away = 0
        pictures = Pictures(draw)

        async def ask(page):
            nonlocal turned_away
            try:
                await pictures.picture(Original("k", "", "a"), page)
            except NotDrawnError as error:
                turned_away += error.reason == "busy"
                crowded.set()

        async with anyio.create_task_group() as group:
            for page in range(200):
                group.start_soon(ask, page)
        assert await pictures.picture(Original("k", "", "a"), 1000) == PNG
        return turned_away

    assert 0 < anyio.run(crowd) < 200


def test_where_the_pdf_is_gone_or_another_the_words_are_shown_all_the_same(tmp_path, drawers):
    path = built(tmp_path, ant=pdf("The first ant went home early in the evening."))
    paper = tmp_path / "pdfs" / "ant.pdf"
    with lookup.open(path) as corpus:
        room = Visitor(corpus, drawers)
        paper.write_bytes(pdf("Something else altogether."))
        assert "<img" in room.get("/quote", key="ant", query="the first ant").text
        for path in ("/image", "/pdf"):
            changed = room.get(path, key="ant", page=1)
            assert changed.status_code == 404
            assert "has changed" in text_of(changed)
        paper.unlink()
        answer = room.get("/quote", key="ant", query="the first ant")
        assert "<img" not in answer.text
        seen = text_of(answer)
        assert "verbatim page 1" in seen
        assert "moved or deleted" in seen
        assert "moved or deleted" in text_of(room.get("/page", key="ant", page=1))
        assert "<img" not in room.get("/paper", key="ant").text
        assert room.get("/pdf", key="ant").status_code == 404
    with pytest.raises(NotDrawnError, match="gone"):
        drawers(Original("k", str(paper), "0"), 1)


@pytest.mark.long
@pytest.mark.system
def test_a_page_that_takes_too_long_is_given_up_and_the_next_is_drawn(samples, corpus, monkeypatch):
    drawers = PageDrawers(1, seconds=0.0001)
    try:
        for had, reason in ((0.0, "busy"), (math.nan, "slow")):
            monkeypatch.setattr(killable_process, "processor_seconds", lambda _pid, had=had: had)
            with pytest.raises(NotDrawnError, match=reason):
                drawers(corpus.original(KEY), 1)
        drawers._seconds = 20
        assert drawers(corpus.original(KEY), 1).startswith(b"\x89PNG")
        process = drawers._processes._all[0]._process
        assert process is not None
        process.kill()
        assert drawers(corpus.original(KEY), 2).startswith(b"\x89PNG")
    finally:
        drawers.close()
    with pytest.raises(NotDrawnError, match="busy"):
        drawers(corpus.original(KEY), 1)


def test_a_pdf_that_is_none_and_a_page_that_is_none_are_said_to_be_so(tmp_path, drawers):
    import hashlib

    for data, page in ((b"%PDF-1.4 and nothing else", 1), (pdf("One page."), 2)):
        path = tmp_path / "broken.pdf"
        path.write_bytes(data)
        with pytest.raises(NotDrawnError, match="unreadable"):
            drawers(Original("k", str(path), hashlib.sha256(data).hexdigest()), page)


@pytest.mark.long
def test_papers_and_corpus_may_be_in_object_storage(tmp_path, bucket):
    papers, there = ObjectPath(f"s3://{bucket}/papers"), ObjectPath(f"s3://{bucket}/corpus")
    file = on_disk(tmp_path / "pdfs", ant=pdf("The first ant went home early in the evening.")) / "ant.pdf"
    write_object(papers / "ant.pdf", file)
    build([papers], tmp_path, corpus=there)
    with lookup.open(there) as corpus:
        room = Visitor(corpus)
        answer = room.get("/quote", key="ant", query="the first ant")
        assert "verbatim page 1" in text_of(answer)
        assert bucket not in answer.text
        assert '<img src="/image?' in answer.text
        assert room.get("/report").status_code == 200
        original = corpus.original("ant")
        assert room.get("/pdf", key="ant").content == file.read_bytes()
    own = PageDrawers(1)  # begun in the environment that knows the storage
    try:
        assert own(original, 1).startswith(b"\x89PNG")
    finally:
        own.close()


# The command


def _served(corpus_path, *arguments, environment=None):
    command = [PAGEQUOTE, "serve", "--port", "0", "--corpus", corpus_path, *arguments]
    process = subprocess.Popen(
        list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    )
    assert process.stdout is not None
    line = process.stdout.readline()
    if not line:
        raise AssertionError(process.communicate()[1])
    return process, line.split()[-1]


def _fetched(address):
    with urllib.request.urlopen(address, timeout=PATIENCE) as answer:
        return answer.read()


def _descendants(pid):
    parents = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # it has just ended
            parents[int(folder.name)] = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
    found = {pid}
    for _ in parents:
        found |= {child for child, parent in parents.items() if parent in found}
    return found - {pid}


@pytest.mark.long
@pytest.mark.system
@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGINT])
def test_the_command_serves_and_ends_with_all_its_processes(corpus_path, ending):
    process, address = _served(corpus_path)
    try:
        assert address.startswith("http://127.0.0.1:")
        assert json.loads(_fetched(f"{address}health"))["status"] == "ok"
        assert _fetched(f"{address}image?key={KEY}&page=1").startswith(b"\x89PNG")
        below = _descendants(process.pid)
        assert below
        process.send_signal(ending)
        out, err = process.communicate(timeout=PATIENCE)
        assert (process.returncode, out, err) == (0, "", "")
        wait_until(lambda: all(map(gone, below)))
    finally:
        process.kill()
        process.wait()


_BLOCKER = """
import importlib.abc, sys
class Missing(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {missing!r}:
            raise ModuleNotFoundError(name=name.split(".")[0])
sys.meta_path.insert(0, Missing())
"""


@pytest.mark.system
@pytest.mark.long
def test_the_web_extra_alone_is_enough(corpus_path, tmp_path):
    missing = (
        "pyarrow",
        "tqdm",
        "bibtexparser",
        "spellchecker",
        "onnxruntime",
        "tokenizers",
        "numpy",
        "obstore",
        "fsspec",
        "mcp",
    )
    (tmp_path / "sitecustomize.py").write_text(_BLOCKER.format(missing=missing))
    paths = os.pathsep.join(filter(None, (str(tmp_path), str(ROOT), os.environ.get("PYTHONPATH"))))
    process, address = _served(corpus_path, environment=os.environ | {"PYTHONPATH": paths})
    try:
        assert _fetched(f"{address}image?key={KEY}&page=1").startswith(b"\x89PNG")
        assert b"verbatim" in _fetched(f"{address}quote?key={KEY}&query=people+prefer+to+work+by+day")
        for page in (
            "",
            "papers",
            "report",
            "draft",
            "search?query=night",
            "search?query=night&how=topic",
            f"quote?key={KEY}&query=turnips+at+noon",
        ):
            assert b"</html>" in _fetched(address + page)
    finally:
        process.terminate()
        process.communicate(timeout=PATIENCE)


@pytest.mark.long
@pytest.mark.system
def test_a_port_that_is_taken_is_said_to_be(corpus_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        command = [PAGEQUOTE, "serve", "--port", port, "--corpus", corpus_path]
        done = subprocess.run(
            list(map(str, command)), capture_output=True, text=True, check=False, timeout=PATIENCE
        )
    assert done.returncode == 2
    assert f"port {port}" in done.stderr
    assert "--port" in done.stderr
