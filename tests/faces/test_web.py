"""The reading room: what its pages hold, and what it never does."""

import asyncio
import json
import math
import re
import signal
import threading
import urllib.error
import urllib.request
from contextlib import suppress
from html import unescape
from pathlib import Path

import pymupdf
import pytest
from starlette.staticfiles import StaticFiles

import lookup
from lookup.errors import BusyError
from lookup.results.papers import Original
from pagequote.calls.table import LONGEST_QUERY
from pagequote.quoted_form import QuotedForm
from pagequote.serving.access import TokenAuth
from pagequote.web.app import SIGN_IN, strangers
from pagequote.web.draft_page import BODY_LIMIT
from pagequote.web.page_pictures import PIXELS, Pictures
from pagequote.web.room import STATIC
from pipeline.files.drawn_page import NotDrawnError
from pipeline.files.original_file import read_original
from pipeline.pictures.page_drawers import PageDrawers
from pipeline.processes import killable_process
from tests.support.builds import build
from tests.support.documents import docx, odt, paragraph
from tests.support.pdfs import pdf
from tests.support.processes import gone
from tests.support.rooms import PNG, Visitor, on_disk, served
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
    assert json.loads(forms["Annotation"]) == json.loads(json.dumps(QuotedForm(match).annotation()))
    assert forms["Link"].startswith("http://127.0.0.1:8377/quote?")
    assert "<mark" in room.get(forms["Link"]).text


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


@pytest.mark.parametrize(
    ("words", "verdict"), [(WORDS, "verbatim"), (WORDS.replace("daytime", "nighttime"), "near")]
)
def test_words_without_a_paper_are_judged_where_they_are_printed_as_by_the_command(room, words, verdict):
    answer = room.get(room.get("/quote", query=words, key="").headers["location"])
    assert f'aria-label="Place 1: {verdict}, page ' in answer.text
    assert (
        room.get(found(r'href="([^"]+)">All places with these exact words', answer.text)).status_code == 200
    )


def test_all_papers_are_searched_for_exact_words_and_for_a_topic(room):
    exact = room.get("/search", query="at night")
    assert exact.text.count('<mark class="verbatim">') > 2
    link = found(r'href="(/quote\?[^"]+)"', exact.text)
    assert "verbatim" in text_of(room.get(link))
    topic = room.get("/search", query="carbon released by marshes at night", how="topic")
    assert "/quote?key=lindqvist2019" in topic.text
    assert "No paper prints these words" in text_of(room.get("/search", query="turnips at noon"))


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
    assert sent.content == read_original(corpus.original(KEY))
    assert room.get("/pdf", key=KEY).headers["cache-control"] == "no-cache"


def test_what_is_kept_of_a_quote_is_all_that_its_exports_need(room, corpus):
    answer = room.get("/quote", key=KEY, query=WORDS)
    kept = json.loads(found(r"data-keep='([^']+)'", answer))
    (match,) = corpus.quote(KEY, WORDS).matches
    assert kept["quote"] == match.quote
    assert kept["bibtex"] == forms_of(room.get("/paper", key=KEY))["BibTeX"]
    assert kept["markdown"] == QuotedForm(match).markdown()
    assert kept["annotation"] == json.loads(json.dumps(QuotedForm(match).annotation()))
    assert "<mark" in room.get(kept["link"]).text


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
        ("/quote", {"key": "k" * 301, "query": "words"}, 400),
        ("/search", {"query": "…!"}, 400),
        ("/search", {"query": "night", "how": "fast"}, 400),
        ("/quote", {"key": KEY, "query": "night", "page": "²"}, 404),
        ("/quote", {"key": KEY, "query": "night", "page": "9" * 5000}, 400),
        ("/page", {"key": KEY, "page": 5}, 404),
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


@pytest.mark.parametrize(("path", "of_api"), [("/search?query=night", False), ("/api/papers", True)])
def test_what_breaks_says_so_without_saying_where(corpus, monkeypatch, path, of_api):
    def broken(*_: object) -> None:
        raise RuntimeError("at /home/somebody/secret")

    monkeypatch.setattr(corpus, "refresh", broken)
    answer = Visitor(corpus).get(path)
    assert answer.status_code == 500
    assert "Something went wrong" in (answer.json()["error"]["message"] if of_api else text_of(answer))
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


def test_the_report_names_files_and_not_where_they_are(evil):
    answer = evil.get("/report")
    assert answer.status_code == 200
    seen = text_of(answer)
    assert "login.pdf" in seen
    assert re.search(r"2 papers", seen)
    assert "1 failures" in seen or "failures 1" in seen
    assert re.search(r"without a year 2", seen)
    assert re.search(r"without text to quote 1", seen)


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


# Pictures


@pytest.fixture(scope="module")
def drawers():
    """One process that draws."""
    made = PageDrawers(1)
    yield made
    made.close()


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
    sent = room.post("/draft", files={"file": ("a.docx", b"words")})
    assert found(r'name="again" value="(.*?)"', sent) == "d29yZHM="
    assert "Check a.docx again" in text_of(sent)
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


# The command


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
    with served(corpus_path) as (address, process):
        assert address.startswith("http://127.0.0.1:")
        assert json.loads(_fetched(f"{address}health"))["status"] == "ok"
        assert _fetched(f"{address}image?key={KEY}&page=1").startswith(b"\x89PNG")
        below = _descendants(process.pid)
        assert below
        process.send_signal(ending)
        out, err = process.communicate(timeout=PATIENCE)
        assert (process.returncode, out, err) == (0, "", "")
        wait_until(lambda: all(map(gone, below)))
