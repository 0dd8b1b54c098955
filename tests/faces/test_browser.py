"""The reading room in a real browser: Debian's Chromium, with and without JavaScript, in the dark, and on a
telephone.

With PAGEQUOTE_SCREENSHOTS=1 the screenshots of docs/guides/reading-room.md are made anew.
"""

import csv
import io
import json
import os
from pathlib import Path
from urllib.parse import urlencode

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect, sync_playwright

from tests.support.needs import needs
from tests.support.programs import launched_chromium
from tests.support.project import ROOT
from tests.support.rooms import served
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


@pytest.fixture(scope="module")
def address(corpus_path):
    """A reading room of the samples."""
    with served(corpus_path) as (there, _):
        yield there.rstrip("/")


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


def _lightness(page):
    """The sum of the three colours of the paper, 765 at most."""
    colour = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    return sum(map(int, colour[4:-1].split(",")))


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
