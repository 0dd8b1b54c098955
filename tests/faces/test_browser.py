"""The reading room in a real browser: Debian's Chromium, with and without JavaScript, in the dark, and on a
telephone.

With PAGEQUOTE_SCREENSHOTS=1 the screenshots of docs/guides/reading-room.md are made anew.
"""

import csv
import io
import json
import os
import signal
import subprocess
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from urllib.parse import urlencode

import pymupdf
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect, sync_playwright

from pagequote.check import Vocabulary, judge, read_manuscripts
from pagequote.check.in_words import in_words, sources_of
from pagequote.check.report import as_html, report
from tests.support.builds import build
from tests.support.documents import docx, paragraph
from tests.support.needs import needs
from tests.support.pdfs import pdf
from tests.support.programs import launched_chromium
from tests.support.project import PAGEQUOTE, ROOT
from tests.support.rooms import on_disk
from tests.support.screenshots import small_png
from tests.support.waiting import PATIENCE

ARGUMENTS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)

pytestmark = [
    pytest.mark.system,
    pytest.mark.long,
    needs("Chromium"),
]

KEY, WORDS = "lindqvist2019", "a temperature response that was fitted to daytime data"
ASKED = "/quote?" + urlencode({"key": KEY, "query": WORDS})
MISREAD = "/quote?" + urlencode({"key": KEY, "query": WORDS.replace("daytime", "nighttime")})
PAGES = {
    "home": "/",
    "quote": ASKED,
    "misread": MISREAD,
    "elsewhere": "/quote?" + urlencode({"key": "okafor2021", "query": WORDS}),
    "search": "/search?query=at+night",
    "topic": "/search?query=carbon+at+night&how=topic",
    "papers": "/papers",
    "paper": f"/paper?key={KEY}",
    "page": f"/page?key={KEY}&page=2",
    "read": f"/read?key={KEY}&query=at+night",
    "enlarged": f"/page?key={KEY}&page=2&query=at+night&size=large",
    "narrowed": "/search?query=at+night&papers=marsh&from_year=2010",
    "draft": "/draft",
    "basket": "/basket",
    "report": "/report",
    "not there": "/paper?key=lindqvst",
}
BUDGET = (
    "A budget drawn from daytime measurements alone would have overstated the carbon buried by a factor "
    "of about two"
)
LIKE = "people like to work by day"
DRAFT = f"“{WORDS}” [@lindqvist2019, p. 1650], “{LIKE}” [@lindqvist2019], “x y z” [@nobody2001]."
LIGHT, DARK = {"color_scheme": "light"}, {"color_scheme": "dark"}
DESK, TELEPHONE = {"width": 1280, "height": 900}, {"width": 390, "height": 844}
NARROWEST = {"width": 360, "height": 780}


@contextmanager
def served(corpus_path):
    """The address of a reading room, served by the command."""
    command = [PAGEQUOTE, "serve", "--port", "0", "--corpus", corpus_path]
    server = subprocess.Popen(list(map(str, command)), stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        yield server.stdout.readline().split()[-1].rstrip("/")
    finally:
        server.send_signal(signal.SIGTERM)
        server.communicate(timeout=PATIENCE)


@pytest.fixture(scope="module")
def address(corpus_path):
    """A reading room of the samples."""
    with served(corpus_path) as there:
        yield there


@pytest.fixture(scope="module")
def changed(tmp_path_factory):
    """The address of the reading room of a paper whose PDF is not the one that was read, and of a scan."""
    root = tmp_path_factory.mktemp("changed")
    folder = on_disk(root / "pdfs", ant=pdf("The first ant went home early in the evening."), scan=pdf(""))
    build([folder], root, keys="file")
    on_disk(folder, ant=pdf("Something else altogether."))
    with served(root / "corpus") as there:
        yield there


@pytest.fixture(scope="module")
def chromium():
    expect.set_options(timeout=1000 * PATIENCE)
    with sync_playwright() as playwright:
        browser = launched_chromium(playwright, list(ARGUMENTS))
        yield browser
        browser.close()


@pytest.fixture
def opened(chromium, address):
    """Opens a page of a fresh context with these options; what its console says against it ends the test."""
    contexts, complaints = [], []

    def failed(request):
        if request.failure != "net::ERR_ABORTED":  # a picture of a page that was left before it came
            complaints.append(f"{request.url}: {request.failure}")

    def open_page(**options):
        context = chromium.new_context(base_url=address, **options)
        context.set_default_timeout(1000 * PATIENCE)
        contexts.append(context)
        page = context.new_page()
        page.on(
            "console",
            lambda said: complaints.append(said.text) if said.type in ("error", "warning") else None,
        )
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("requestfailed", failed)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert [one for one in complaints if "status of 404" not in one] == []


_DARK_SHARE = """
([image, rect]) => {
  const canvas = document.createElement("canvas");
  canvas.width = image.naturalWidth; canvas.height = image.naturalHeight;
  const context = canvas.getContext("2d");
  context.drawImage(image, 0, 0);
  const shown = image.getBoundingClientRect(), box = rect.getBoundingClientRect();
  const scale = image.naturalWidth / shown.width;
  const data = context.getImageData(
      (box.x - shown.x) * scale, (box.y - shown.y) * scale, box.width * scale, box.height * scale).data;
  let dark = 0;
  for (let i = 0; i < data.length; i += 4) dark += data[i] < 128;
  return 4 * dark / data.length;
}
"""


def test_words_are_found_and_marked_where_they_are_printed(opened, corpus):
    page = opened()
    page.goto("/")
    page.get_by_label("Paper").fill(KEY)
    page.get_by_label("Words").fill(WORDS)
    page.keyboard.press("Enter")
    expect(page.locator("mark.verbatim")).to_have_text(WORDS)
    expect(page.locator(".badge").first).to_have_text("verbatim")
    image = page.get_by_role("img", name="Page 1 of Lindqvist et al., 2019")
    expect(image).to_have_js_property("complete", value=True)
    assert image.evaluate("image => image.naturalWidth") > 900
    shown, (sheet, *_), (match,) = image.bounding_box(), corpus.pages(KEY), corpus.quote(KEY, WORDS).matches
    marks = page.locator(".marks rect").all()
    assert len(marks) == len(match.boxes) == 3
    for mark, box in zip(marks, match.boxes, strict=True):
        place = mark.bounding_box()
        scale = shown["width"] / sheet.width
        assert place["x"] - shown["x"] == pytest.approx(box.x0 * scale, abs=4)
        assert place["y"] - shown["y"] == pytest.approx(box.y0 * scale, abs=4)
        assert place["width"] == pytest.approx((box.x1 - box.x0) * scale, abs=8)
        assert 0.04 < page.evaluate(_DARK_SHARE, [image.element_handle(), mark.element_handle()]) < 0.5


SELECT = """([start, end]) => {
  const words = [...document.querySelectorAll(".layer tspan")];
  const texts = words.map((one) => one.textContent);
  const first = texts.findIndex((text, at) => text === start[0] && texts[at + 1] === start[1]);
  const last = texts.indexOf(end, first);
  getSelection().setBaseAndExtent(words[first].firstChild, 0, words[last].firstChild, end.length);
}"""


def test_selected_words_are_copied_as_they_are_printed_with_their_source(opened):
    page = opened(permissions=["clipboard-read", "clipboard-write"])
    page.goto(f"/page?key={KEY}&page=1")
    bar = page.get_by_role("toolbar", name="Selection")
    expect(bar).to_be_hidden()
    page.evaluate(SELECT, [["people", "prefer"], "day."])
    expect(bar).to_be_visible()
    bar.get_by_role("button", name="Copy with source").click()
    expect(bar.get_by_role("status")).to_have_text("Copied.")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == "“people prefer to work by day.” (Lindqvist et al., 2019, p. 1650)"
    bar.get_by_role("button", name="Keep").click()
    expect(bar.get_by_role("status")).to_have_text("Kept in the basket.")
    bar.get_by_role("link", name="Check").click()
    expect(page.locator("article .badge").first).to_have_text("verbatim")
    expect(page.locator(".keep")).to_have_text("Kept")
    page.goto("/basket")
    expect(page.locator("[data-quote]")).to_have_text("people prefer to work by day.")


def test_an_open_paper_is_searched_and_its_words_are_taken_on_any_of_its_pages(opened):
    page = opened(viewport=DESK)
    page.goto(f"/read?key={KEY}")
    page.keyboard.press("/")
    page.keyboard.type("at night")
    page.keyboard.press("Enter")
    places = page.get_by_role("status")
    expect(places).to_contain_text("places: page 1")
    places.get_by_role("link", name="page 3").click()
    expect(page.locator("#page-3 .marks rect").first).to_be_in_viewport()
    words = page.locator("#page-3 .layer tspan")
    expect(words.nth(30)).to_be_attached()
    words.nth(20).evaluate("word => getSelection().selectAllChildren(word.parentNode)")
    expect(page.get_by_role("toolbar", name="Selection")).to_be_visible()
    assert "page=3" in page.get_by_role("link", name="Check").get_attribute("href")


@pytest.mark.parametrize("size", [DESK, TELEPHONE], ids=["desk", "telephone"])
def test_the_strip_of_print_is_on_the_first_screen_and_leads_to_the_words_on_their_page(opened, size):
    page = opened(viewport=size, reduced_motion="reduce")
    page.goto(ASKED)
    strip = page.locator(".strip")
    box = strip.bounding_box()
    assert box["y"] + box["height"] <= size["height"]
    strip.click()
    expect(page.locator(".marks rect").first).to_be_in_viewport()
    page.goto(f"/quote?key={KEY}&query=night&limit=5")
    second = page.locator("article").nth(1)
    for key in "nnp":
        page.keyboard.press(key)
    expect(second).to_be_focused()
    expect(second.locator(".strip")).to_be_in_viewport()


FORMS = {
    "Text": WORDS,
    "LaTeX": rf"\enquote{{{WORDS}}} \autocite[1650]{{{KEY}}}",
    "Markdown": f"> {WORDS} [@{KEY}, p. 1650]",
    "LaTeX, natbib": rf"``{WORDS}'' \citep[p.~1650]{{{KEY}}}",
}


def test_one_click_copies_a_form(opened):
    page = opened(permissions=["clipboard-read", "clipboard-write"])
    page.goto(ASKED)
    for form, text in FORMS.items():
        if "," in form:
            page.get_by_text("More forms").click()
        page.get_by_role("button", name=f"Copy as {form}", exact=True).click()
        expect(page.get_by_role("status").filter(has_text="Copied:")).to_have_text(f"Copied: {form}.")
        assert page.evaluate("navigator.clipboard.readText()") == text


def test_what_was_chosen_and_opened_is_remembered_and_papers_are_proposed_as_they_are_typed(opened):
    page = opened(permissions=["clipboard-read", "clipboard-write"])
    page.goto(ASKED)
    page.get_by_text("More forms").click()
    page.get_by_role("button", name="Copy as LaTeX, natbib", exact=True).click()
    page.reload()
    page.get_by_role("button", name="Copy as LaTeX", exact=True).click()
    expect(page.get_by_text("Copied: LaTeX, natbib.")).to_be_visible()
    page.goto("/")
    expect(page.locator("[data-opened] li")).to_have_count(1)
    page.get_by_label("Paper").press_sequentially("lindq")
    expect(page.locator("#keys option")).to_have_attribute("value", KEY)
    page.locator(".example p a").click()
    expect(page.locator("main .badge").first).to_have_text("verbatim")


def test_the_list_of_papers_is_found_as_one_types_and_a_document_scrolls_with_its_small_pictures(opened):
    page = opened(viewport=DESK)
    page.goto("/papers")
    page.get_by_role("searchbox").press_sequentially("okafor")
    page.wait_for_url("**/papers?filter=okafor")
    assert page.locator(".listed .title").count() == 2
    page.goto(f"/read?key={KEY}")
    assert page.locator("[data-page='1']").get_attribute("aria-current") == "true"
    page.locator("[data-page='3']").click()
    page.wait_for_selector("[data-page='3'][aria-current=true]")
    expect(page.locator("#page-3 img")).to_have_js_property("complete", value=True)
    assert "page=3" in page.locator("#page-3 img").evaluate("picture => picture.currentSrc")
    narrow = page.locator("#page-3").bounding_box()["width"]
    page.get_by_label("150 %").check()
    assert page.locator("#page-3").bounding_box()["width"] > 1.3 * narrow


def test_the_copied_link_opens_the_same_place(opened):
    page = opened(permissions=["clipboard-read", "clipboard-write"])
    page.goto(MISREAD)
    printed = page.locator("mark").inner_text()
    page.get_by_role("button", name="Copy as Link").click()
    expect(page.get_by_text("Copied: Link.")).to_be_visible()
    page.goto(page.evaluate("navigator.clipboard.readText()"))
    expect(page.locator("mark.verbatim")).to_have_text(printed)


def test_without_a_clipboard_the_older_way_copies_all_the_same(opened):
    page = opened()
    page.add_init_script("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    page.goto(ASKED)
    page.get_by_role("button", name="Copy as Markdown").click()
    expect(page.get_by_text("Copied: Markdown.")).to_be_visible()
    page.get_by_label("Words").fill("")
    page.get_by_label("Words").press("Control+v")
    expect(page.get_by_label("Words")).to_have_value(f"> {WORDS} [@{KEY}, p. 1650]")


def test_a_stroke_goes_to_the_search_box_and_tab_goes_on_in_order(opened):
    page = opened()
    for path in ("/", ASKED, "/search", "/papers", "/draft"):
        page.goto(path)
        _goes_to_the_search_box_and_on(page)


def _goes_to_the_search_box_and_on(page):
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    expect(page.get_by_role("link", name="Skip to the content")).to_be_in_viewport()
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()
    page.keyboard.press("/")
    box = page.locator("[data-focus]")
    expect(box).to_be_focused()
    page.keyboard.type("/")
    expect(box).to_have_value("/")
    if (listed := page.locator("#list")).count():  # it follows the words, not while Tab goes on
        expect(listed).to_contain_text("these words")
    assert box.evaluate("box => getComputedStyle(box).outlineStyle") == "solid"
    tops = []
    for _ in range(4):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement === document.body"):
            break  # past the last
        tops.append(page.evaluate("document.activeElement.getBoundingClientRect().top"))
        assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    assert len(tops) > 1
    assert all(below >= above - 40 for above, below in pairwise(tops))  # some stand in one row


def test_everything_is_there_without_javascript(opened):
    page = opened(java_script_enabled=False)
    page.goto("/")
    page.locator("#key").fill(KEY)
    page.locator("#query").fill(WORDS)
    page.locator("button").click()
    expect(page.locator("mark.verbatim")).to_have_text(WORDS)
    expect(page.locator(".marks rect")).to_have_count(3)
    page.get_by_text("Copy the quote").click()
    expect(page.get_by_label("LaTeX", exact=True)).to_be_visible()
    expect(page.get_by_label("LaTeX", exact=True)).to_have_value(FORMS["LaTeX"])
    page.goto("/draft")
    page.locator("textarea").fill(DRAFT)
    page.locator("button").click()
    expect(page.locator(".judged li")).to_have_count(3)
    page.goto(f"/read?key={KEY}")
    expect(page.locator(".document img:visible")).to_have_count(4)
    page.goto("/papers")
    page.get_by_role("link", name="Night-time").click()
    page.get_by_role("link", name="2. Methods").first.click()
    expect(page.locator("h1")).to_contain_text("Night-time")
    expect(page.get_by_role("img")).to_be_visible()


def test_a_draft_is_judged_from_its_own_page(opened):
    page = opened()
    page.goto("/draft")
    page.locator("textarea").fill(DRAFT)
    page.get_by_role("button", name="Check its quotations").click()
    expect(page.get_by_role("status")).to_have_text("3 quotations: 1 right, 1 wrong, 1 not judged")
    page.locator(".draft-text a.error").click()
    expect(page.locator(".judged li.error")).to_be_in_viewport()
    page.locator(".judged").get_by_role("button", name="Take the printed words").click()
    expect(page.get_by_role("status")).to_have_text("3 quotations: 2 right, 0 wrong, 1 not judged")
    expect(page.locator("textarea")).to_have_value(DRAFT.replace("like", "prefer"))
    page.locator(".judged summary").first.click()
    page.get_by_role("link", name="See the page of quotation 1").click()
    expect(page.locator("mark.verbatim")).to_have_text(WORDS)


def test_a_word_file_is_checked_and_mended_by_the_keyboard_alone(opened, tmp_path):
    page = opened(viewport=DESK)
    page.goto("/draft")
    source = "(Lindqvist et al., 2019)"
    wrong = f"“{WORDS.replace('that', 'which')}” {source[:-1]}, p. 1653)"
    text = f"As {wrong}, as “{WORDS}” {source}, as “{LIKE}” {source}"
    written = docx(paragraph(text))
    (tmp_path / "chapter.docx").write_bytes(written)
    page.get_by_label("Or a file").set_input_files(tmp_path / "chapter.docx")
    page.get_by_label("Or a file").focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    first, status = page.locator("#finding-1"), page.get_by_role("status")
    expect(first).to_be_focused()
    expect(first.locator(".badge")).to_have_text("other words, wrong page")
    expect(page.locator(".draft-text")).to_contain_text("(Lindqvist et al., 2019, p. 1653)")
    page.keyboard.press("Tab")  # "Correct the page"
    page.keyboard.press("Enter")
    expect(first.locator(".badge")).to_have_text("other words")
    expect(page.locator(".draft-text")).to_contain_text("(Lindqvist et al., 2019, p. 1650)")
    page.get_by_role("button", name="Undo").press("Enter")
    expect(first.locator(".badge")).to_have_text("other words, wrong page")
    with page.expect_download() as saving:
        page.get_by_role("button", name="all corrections as tracked changes").press("Enter")
    assert saving.value.suggested_filename == "chapter-checked.docx"
    page.get_by_role("button", name="Ignore quotation 1 once").press("Enter")
    expect(status).to_contain_text("1 ignored")
    expect(page.locator("#finding-3")).to_be_focused()
    page.get_by_role("button", name="Add quotation 3 to the known").press("Enter")
    expect(status).to_contain_text("1 known")
    page.goto("/draft")
    page.locator("textarea").fill(DRAFT)
    page.get_by_role("button", name="Check its quotations").press("Enter")
    expect(status).to_have_text("2 quotations: 1 right, 0 wrong, 1 not judged, 1 known")
    page.locator("#finding-2 summary").press("Enter")
    page.get_by_role("button", name="No longer known").press("Enter")
    expect(status).to_have_text("3 quotations: 1 right, 1 wrong, 1 not judged")


def test_a_sample_leads_to_findings_in_two_clicks(opened):
    page = opened()
    page.goto("/draft")
    page.get_by_role("link", name="Try a sample").click()
    page.get_by_role("button", name="Check its quotations").click()
    expect(page.locator(".judged .badge")).to_have_text(["right", "other words", "right words, wrong page"])
    page.locator(".draft-text a").nth(1).hover()
    expect(page.locator(".judged .meant .badge")).to_have_text("other words")


def _answers(corpus):
    """A query for each verdict, short and long, by its name; the longest have more than a screen can hold."""
    long = max(
        (
            text
            for (text,) in corpus.sql("SELECT text FROM printed_paragraphs WHERE key = ?", [KEY]).fetchall()
        ),
        key=len,
    )
    words = long.split()
    misread = [f"x{word}x" if i % 9 == 4 else word for i, word in enumerate(words)]
    return {
        "verbatim": WORDS,
        "verbatim, long": long,
        "near": WORDS.replace("daytime", "nighttime"),
        "near, long": " ".join(misread),
        "abridged": WORDS.replace("that was", "..."),
        "abridged, long": " ".join([*words[:30], "...", *words[33:]]),
        "related": "the annual release of carbon dioxide from turnips at night",
        "not found": "turnips zzyzx",
    }


def test_the_first_screen_is_the_answer(opened, corpus, changed):
    page = opened(viewport=DESK)
    asked = {
        name: f"/quote?{urlencode({'key': KEY, 'query': words})}" for name, words in _answers(corpus).items()
    }
    asked |= {f"{name}, by a name": asked[name].replace(KEY, "Lindqvist+2019") for name in asked}
    asked["not covered"] = f"{changed}/quote?key=scan&query=words"
    for name, address in asked.items():
        page.goto(address)
        verdict = name.partition(",")[0]
        assert page.locator("main .badge").first.inner_text() == verdict, name
        for size in (DESK, TELEPHONE):
            page.set_viewport_size(size)
            _is_on_the_first_screen(page, verdict, size, name)


def _is_on_the_first_screen(page, verdict, size, name):
    wanted = [".verdict-line"]
    if verdict.startswith("not"):
        wanted += [".hint", ".ways-on"]
    else:
        wanted += [".quoted", ".buttons"]
    if verdict == "near":
        wanted.append(".differences")
    if verdict == "abridged":
        wanted.append(".omitted")
    ends = {part: page.locator(part).first.bounding_box() for part in wanted}
    assert all(box and box["y"] + box["height"] <= size["height"] for box in ends.values()), (name, ends)
    around = page.locator(".around")
    if around.count():
        assert around.first.bounding_box()["y"] >= ends[".buttons"]["y"] + ends[".buttons"]["height"]


@pytest.mark.parametrize("size", ["page", "large"])
def test_the_words_of_a_page_can_be_selected_where_they_are_printed(opened, corpus, size):
    page = opened(viewport=DESK)
    page.goto(f"/page?key={KEY}&page=1&size={size}")
    image, (sheet, *_) = page.get_by_role("img", name="Page 1"), corpus.pages(KEY)
    image.scroll_into_view_if_needed()
    shown = image.bounding_box()
    scale = shown["width"] / sheet.width
    words = [word for part in corpus.page_parts(KEY, 1) for line in part.lines for word in line]
    places = page.locator(".layer tspan").all()
    assert len(places) == len(words)
    for word, place in list(zip(words, places, strict=True))[::25]:
        box = place.bounding_box()
        assert box["x"] - shown["x"] == pytest.approx(word.x0 * scale, abs=2)
        assert box["width"] == pytest.approx((word.x1 - word.x0) * scale, abs=3)
        assert box["y"] - shown["y"] < (word.y0 + word.y1) / 2 * scale < box["y"] - shown["y"] + box["height"]
    word = next(i for i, one in enumerate(words) if one.text.isalpha() and len(one.text) > 6)
    places[word].scroll_into_view_if_needed()
    box = places[word].bounding_box()
    page.mouse.dblclick(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    assert page.evaluate("getSelection().toString()").strip() == words[word].text


def test_a_page_is_enlarged_with_its_marks(opened):
    page = opened(viewport=DESK)
    page.goto(ASKED)
    before = page.get_by_role("img", name="Page 1").bounding_box()["width"]
    page.get_by_role("link", name="Enlarge").click()
    image = page.get_by_role("img", name="Page 1")
    expect(image).to_have_js_property("complete", value=True)
    assert image.bounding_box()["width"] > 2 * before
    assert image.evaluate("image => image.naturalWidth") > 1800
    expect(page.locator(".marks rect")).to_have_count(3)
    expect(page.locator(".marks rect").first).to_be_in_viewport()
    page.set_viewport_size(TELEPHONE)
    page.reload()
    expect(page.locator(".marks rect").first).to_be_in_viewport()
    page.keyboard.press("Escape")
    expect(page.locator(".strip")).to_be_visible()
    page.go_back()
    page.get_by_role("link", name="with its text").click()
    expect(page.locator(".reading")).to_be_visible()
    expect(page.locator(".marks rect")).to_have_count(3)


def _saved(page, form):
    with page.expect_download() as saving:
        page.get_by_role("button", name=f"Save as {form}").click()
    return Path(saving.value.path()).read_text(encoding="utf-8")


def test_quotes_are_kept_in_a_basket_with_notes_and_saved(opened):
    page = opened(viewport=DESK)
    for address in (ASKED, "/quote?" + urlencode({"key": KEY, "query": BUDGET})):
        page.goto(address)
        page.get_by_role("button", name="Keep").click()
        expect(page.get_by_text("Kept in the basket.")).to_be_visible()
    page.goto(MISREAD)  # another query, and the same place
    page.get_by_role("button", name="Kept").click()
    expect(page.get_by_text("Taken out of the basket.")).to_be_visible()
    page.get_by_role("button", name="Keep").click()
    page.get_by_role("link", name="Basket").click()
    rows = page.locator("[data-list] li")
    kept = 2
    expect(rows).to_have_count(kept)
    note = '=1+1, "so they say"'
    rows.first.get_by_label("Note").fill(note)
    page.reload()
    expect(rows).to_have_count(kept)
    expect(rows.first.get_by_label("Note")).to_have_value(note)
    first = rows.first.locator("blockquote").inner_text()
    markdown = _saved(page, "Markdown")
    assert f"> {first} [@{KEY}, p. 1650]\n\n{note}" in markdown
    assert _saved(page, "BibTeX").count("@article{") == 1
    rows_of_csv = list(csv.DictReader(io.StringIO(_saved(page, "CSV"), newline="")))
    assert len(rows_of_csv) == kept
    assert rows_of_csv[0]["quote"] == first
    assert rows_of_csv[0]["note"] == f"'{note}"  # no spreadsheet runs it
    annotations = json.loads(_saved(page, "Annotations"))
    assert annotations[0]["body"][0]["value"] == note
    assert annotations[0]["target"]["selector"][0]["exact"] == first
    _find_nothing_serious(page)
    rows.first.get_by_role("link").click()
    expect(page.locator("main .badge").first).to_have_text("verbatim")
    page.go_back()
    rows.first.get_by_role("button", name="Remove").click()
    expect(rows).to_have_count(kept - 1)
    page.get_by_role("button", name="Empty the basket").click()
    page.get_by_role("button", name="Press again").click()
    expect(page.get_by_text("Nothing is kept yet")).to_be_visible()


def test_a_browser_that_keeps_nothing_says_so(opened):
    page = opened()
    page.add_init_script("Storage.prototype.setItem = () => { throw new Error('full') }")
    page.goto(ASKED)
    page.get_by_role("button", name="Keep").click()
    expect(page.get_by_text("The browser keeps nothing here.")).to_be_visible()


@pytest.mark.parametrize("script", [True, False], ids=["with JavaScript", "without"])
def test_a_page_that_cannot_be_drawn_says_so_where_it_would_be(opened, changed, script):
    page = opened(java_script_enabled=script)
    page.goto(f"{changed}/quote?key=ant&query=the+first+ant")
    expect(page.locator("mark.verbatim")).to_have_text("The first ant")
    picture = page.get_by_role("img").bounding_box()
    assert picture["width"] > 400
    # Grey, not white: the sentence is shown in place of the page.
    shot = pymupdf.Pixmap(page.get_by_role("img").screenshot())
    assert shot.pixel(shot.width // 2, shot.height - 20)[:3] == (0xF1, 0xEF, 0xE9)


def test_nothing_serious_is_found_by_axe_and_nothing_is_wider_than_a_telephone(opened):
    page = opened(reduced_motion="reduce")  # else colours change slowly
    for address in PAGES.values():
        page.set_viewport_size(DESK)
        page.emulate_media(**LIGHT)
        page.goto(address)
        _find_nothing_serious(page)
        assert _lightness(page) > 600, address
        page.emulate_media(**DARK)  # changes colours alone
        _find_nothing_serious(page, "color-contrast", "link-in-text-block")
        assert _lightness(page) <= 600, address
        page.emulate_media(**LIGHT)
        page.set_viewport_size(NARROWEST)  # hides hints, and lets long texts scroll
        assert page.evaluate("document.documentElement.scrollWidth") <= NARROWEST["width"], address
        _find_nothing_serious(
            page, "color-contrast", "label", "link-in-text-block", "scrollable-region-focusable"
        )


CUT = """() => [...document.body.querySelectorAll("*")].filter((one) => {
  const style = getComputedStyle(one), box = one.getBoundingClientRect();
  if (!box.width || one.closest(".unseen, .skip, svg, input, textarea, select")) return false;
  const hides = (overflow) => ["hidden", "clip"].includes(overflow);
  const across = hides(style.overflowX) && one.scrollWidth > one.clientWidth + 1;
  const down = hides(style.overflowY) && one.scrollHeight > one.clientHeight + 2;
  const scrolled = one.closest(".table, .paper, .strip, .document, .beside-pages nav, .beside-pages .pages");
  const words = document.createRange();
  words.selectNodeContents(one);
  const tops = new Set([...words.getClientRects()].map((line) => Math.round(line.top)));
  const broken = one.matches("button") && !/\\s/.test(one.textContent.trim()) && tops.size > 1;
  return across || down || broken || (box.right > innerWidth + 1 && !scrolled);
}).map((one) => one.outerHTML.slice(0, 120))"""


@pytest.mark.parametrize(
    ("width", "scale"),
    [(320, 1), (390, 1), (640, 2)],
    ids=["320 px", "390 px", "200 %"],
)
def test_nothing_is_cut_on_a_telephone_or_at_twice_the_size(opened, width, scale):
    page = opened(viewport={"width": width, "height": 844}, device_scale_factor=scale)
    for address in (*PAGES.values(), "/draft?sample=1"):
        page.goto(address)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, address
        assert page.evaluate(CUT) == [], address
    page.get_by_role("button", name="Check its quotations").click()
    expect(page.locator(".judged li").first).to_be_attached()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate(CUT) == []


def _lightness(page):
    """The sum of the three colours of the paper, 765 at most."""
    colour = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    return sum(map(int, colour[4:-1].split(",")))


def test_nothing_serious_is_found_by_axe_in_a_judged_draft(opened):
    page = opened()
    page.goto("/draft")
    page.locator("textarea").fill(DRAFT)
    page.get_by_role("button", name="Check its quotations").click()
    expect(page.locator(".judged li")).to_have_count(3)
    _find_nothing_serious(page)
    page.set_viewport_size(NARROWEST)
    assert page.evaluate("document.documentElement.scrollWidth") <= NARROWEST["width"]


def test_a_report_reads_well_at_three_widths_in_the_dark_and_printed(opened, corpus, tmp_path):
    path = Path("chapter.md")
    findings = judge(corpus, list(read_manuscripts([path], Vocabulary(), {path: DRAFT.encode()})))
    made = report(corpus, findings, "chapter.md", "2026-11-26", _drawn)
    (tmp_path / "report.html").write_text(as_html(made), encoding="utf-8")
    page = opened(**LIGHT)
    for width in (NARROWEST["width"], 820, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        page.goto((tmp_path / "report.html").as_uri())
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.evaluate("[...document.images].every(one => one.complete && one.naturalWidth)")
        _find_nothing_serious(page)
    if os.environ.get("PAGEQUOTE_SCREENSHOTS") == "1":
        page.set_viewport_size({"width": 820, "height": 900})
        (ROOT / "docs/screenshots/report.png").write_bytes(small_png(page.screenshot(full_page=True)))
    page.emulate_media(color_scheme="dark")
    _find_nothing_serious(page)
    with pymupdf.open(stream=page.pdf(format="A4")) as printed:
        text = " ".join(" ".join(sheet.get_text() for sheet in printed).split())
    assert in_words(findings[-1], sources_of(corpus, findings)) in text


def _drawn(original, page, boxes=()):
    with pymupdf.open(original.path) as document:
        return document[page - 1].get_pixmap(dpi=125).tobytes("png")


def _find_nothing_serious(page, *rules):
    """By these rules of axe, or all."""
    options = {"runOnly": {"type": "rule", "values": rules}} if rules else {}
    found = Axe().run(page, options={"resultTypes": ["violations"], **options}).response["violations"]
    assert [(page.url, one["id"], [node["html"] for node in one["nodes"]]) for one in found] == []


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("light", {"viewport": DESK, **LIGHT}),
        ("dark", {"viewport": DESK, **DARK}),
        ("narrow", {"viewport": TELEPHONE, **LIGHT}),
        ("read", {"viewport": DESK, **LIGHT}),
        ("draft", {"viewport": DESK, **LIGHT}),
    ],
)
def test_screenshots_are_made(opened, tmp_path, name, options):
    folder = ROOT / "docs/screenshots" if os.environ.get("PAGEQUOTE_SCREENSHOTS") == "1" else tmp_path
    folder.mkdir(exist_ok=True)
    page = opened(**options)
    words = BUDGET.replace("two", "three") if name == "dark" else BUDGET
    shown = "/read" if name == "read" else "/quote"
    page.goto(f"{shown}?{urlencode({'key': KEY, 'query': words})}", wait_until="networkidle")
    if name == "draft":
        page.goto("/draft")
        page.locator("textarea").fill(f"As “{WORDS}” [@{KEY}, p. 1653] shows, “{LIKE}” [@{KEY}, p. 1650].")
        page.get_by_role("button", name="Check its quotations").click()
        expect(page.locator("#finding-1")).to_be_focused()
    (folder / f"{name}.png").write_bytes(small_png(page.screenshot()))
    assert 10_000 < (folder / f"{name}.png").stat().st_size < 150_000
