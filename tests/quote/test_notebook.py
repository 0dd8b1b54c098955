"""Answers as a prompt and a notebook show them: short, the quote marked in its paragraph, everything else
escaped.
"""

import re
from dataclasses import replace
from html.parser import HTMLParser
from importlib import import_module

import pytest

import lookup
from lookup.release.rows import Rows
from lookup.results.difference import Difference
from lookup.results.quote_answer import Elsewhere, Match, QuoteAnswer, Verification
from lookup.results.showing import SHOWN
from retrieval.keywords.keyword_answer import KeywordAnswer, KeywordPlace
from retrieval.topics.search_answer import Hit, SearchAnswer, SentenceMatch
from tests.support.needs import needs

EVIL = "<script>alert('x')</script> & \"so\" <b>on</b>"
TEXT = f"It is said that {EVIL} is printed <i>here</i>."
SPAN = (16, 16 + len(EVIL))
HERE = (TEXT.index("here"), TEXT.index("here") + 4)

MATCH = Match(
    key="<key>",
    page=6,
    page_label="<1650>",
    paragraph=3,
    section_number="2",
    section_title="<h1>",
    kind="body",
    score=1.0,
    tier=1,
    verdict="near",
    text=TEXT,
    text_raw=TEXT,
    span=SPAN,
    boxes=(),
    cursor=5,
    differences=(Difference("changed", "<asked>", ""),),
    omitted=("<omitted>",),
)
RESULT = KeywordPlace(1.0, 5, ("<w>",), TEXT, 0, (SPAN, (20, 30), HERE), "<key>", 6, None, None, None, "body")
HIT = Hit("<key>", 3, None, 6, None, "body", None, "<h1>", 0.5, EVIL, 5)
SENTENCE = SentenceMatch(
    "<key>:3:1",
    "<key>",
    None,
    (),
    None,
    None,
    None,
    6,
    None,
    None,
    "<h1>",
    "body",
    3,
    1,
    1,
    1,
    5,
    0.75,
    "<before>",
    EVIL,
    "<after>",
)
SHOWN_ANSWERS = [
    MATCH,
    QuoteAnswer("<key>", EVIL, (MATCH, MATCH), "<hint>"),
    QuoteAnswer("<key>", EVIL, (), "<hint>"),
    Verification(
        "<key>",
        EVIL,
        6,
        "near",
        page_is_right=False,
        pages=(6,),
        match=MATCH,
        elsewhere=(Elsewhere("<other>", 2, None),),
        hint="<hint>",
    ),
    Verification("<key>", EVIL, 6, "not found", None, (), None, (Elsewhere("<other>", 2, None),), "<hint>"),
    RESULT,
    KeywordAnswer((RESULT,), "ranking"),
    HIT,
    SearchAnswer(EVIL, "lexical", (HIT,), hint="<hint>"),
    SENTENCE,
]


class Read(HTMLParser):
    """The tags of a piece of HTML, all closed, its text, and what is in <mark>."""

    def __init__(self, html):
        super().__init__()
        self.tags: set[str] = set()
        self.open: list[str] = []
        self.marks: list[str] = []
        self.styles: list[str] = []
        self.text = ""
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.open.append(tag)
        self.styles += [value for name, value in attrs if name == "style"]
        assert {name for name, _ in attrs} <= {"style"}
        self.marks += [""] if tag == "mark" else []

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data
        if "mark" in self.open:
            self.marks[-1] += data


@pytest.mark.parametrize("answer", SHOWN_ANSWERS, ids=lambda one: type(one).__name__)
def test_all_text_is_escaped(answer):
    read = Read(answer._repr_html_())
    assert read.tags <= {"div", "strong", "span", "small", "mark"}
    assert "<key>" in read.text or "<hint>" in read.text


@pytest.mark.parametrize("answer", [MATCH, RESULT, SENTENCE], ids=lambda one: type(one).__name__)
def test_the_words_are_marked_in_their_text(answer):
    read = Read(answer._repr_html_())
    assert read.marks[0] == EVIL
    assert (TEXT if answer is not SENTENCE else f"<before> {EVIL} <after>") in read.text


def test_spans_that_overlap_are_marked_once():
    assert Read(RESULT._repr_html_()).marks == [EVIL, "here"]


def test_verdict_differences_and_what_is_left_out_are_told():
    text = Read(MATCH._repr_html_()).text
    assert "<key>, page 6 (printed <1650>), <h1>, body near" in text
    assert "changed: <asked> -> (nothing)" in text
    assert "left out: <omitted>" in text


@pytest.mark.parametrize("answer", SHOWN_ANSWERS, ids=lambda one: type(one).__name__)
def test_whatever_has_a_colour_has_a_background_and_the_two_are_legible(answer):
    for style in Read(answer._repr_html_()).styles:
        colours = dict(re.findall(r"(?<![\w-])(color|background):(#[0-9a-f]+)", style))
        assert set(colours) in (set(), {"color", "background"})
        if colours:
            light, dark = sorted(map(_luminance, colours.values()), reverse=True)
            assert (light + 0.05) / (dark + 0.05) >= 4.5, style


def _luminance(colour):
    """Of WCAG 2.2."""
    digits = colour[1:] if len(colour) == 7 else "".join(2 * digit for digit in colour[1:])
    parts = [int(digits[i : i + 2], 16) / 255 for i in (0, 2, 4)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


@pytest.mark.parametrize("answer", SHOWN_ANSWERS, ids=lambda one: type(one).__name__)
def test_print_shows_place_words_and_hint(answer):
    shown = str(answer)
    assert shown != repr(answer)
    assert "<key>" in shown or "<hint>" in shown
    assert shown == shown.rstrip("\n")
    if hint := getattr(answer, "hint", ""):
        assert shown.endswith(hint)


def test_print_shows_verdict_differences_and_marked_words():
    assert str(MATCH) == (
        "<key>, page 6 (printed <1650>), <h1>, body: near\n"
        "  changed: <asked> -> (nothing)\n"
        "  left out: <omitted>\n\n"
        f"It is said that **{EVIL}** is printed <i>here</i>."
    )
    assert "printed by <other>, page 2" in str(SHOWN_ANSWERS[3])
    assert "<key>: not found" in str(SHOWN_ANSWERS[4])


def test_what_is_printed_moves_no_cursor():
    assert str(replace(MATCH, text="\x1b[2J" + TEXT[4:])).count("\x1b") == 0


def test_long_answers_are_cut_and_say_so():
    many = QuoteAnswer("k", "q", (MATCH,) * (SHOWN + 5))
    read = Read(many._repr_html_())
    assert (len(read.marks), "and 5 more" in read.text) == (SHOWN, True)
    assert (str(many).count("**") // 2, str(many).endswith("and 5 more")) == (SHOWN, True)


@pytest.mark.parametrize("answer", SHOWN_ANSWERS, ids=lambda one: type(one).__name__)
def test_a_repr_is_one_short_line(answer):
    shown = repr(answer)
    assert shown.startswith(f"<{type(answer).__name__}")
    assert "\n" not in shown
    assert len(shown) < 300


def test_a_repr_tells_place_verdict_and_words():
    match = replace(MATCH, key="feng2022", page_label="5", text="It is so.", span=(0, 8), verdict="verbatim")
    assert repr(match) == "<Match feng2022, page 6 (printed 5), verbatim: 'It is so'>"
    assert repr(QuoteAnswer("feng2022", "It is so", (match, match))).endswith("'It is so'> and 1 more>")


def test_the_answers_of_a_corpus_are_shown(corpus):
    found = corpus.quote("lindqvist2019", "people prefer to work by day")
    assert Read(found._repr_html_()).marks == ["people prefer to work by day"]
    assert "page 1 (printed 1650)" in repr(found)
    assert Read(corpus.search_context("salinity gradient", keys="lindqvist2019")._repr_html_()).marks
    assert "lindqvist2019" in Read(corpus.search("people prefer day", mode="lexical")._repr_html_()).text


def test_rows_are_shown_as_a_table_and_still_to_be_fetched(corpus):
    rows = corpus.sql(
        "SELECT key, '<b>' || page AS \"<page>\" FROM paragraphs WHERE page > ? ORDER BY ALL", [0]
    )
    first = Read(rows._repr_html_())
    assert first.tags == {"table", "thead", "tbody", "tr", "th", "td", "div", "small"}
    assert "<page>" in first.text
    assert f"the first {SHOWN} rows" in first.text
    assert repr(rows) == "<Rows of key, <page>>"
    assert str(rows).splitlines()[0].split() == ["key", "<page>"]
    assert (len(str(rows).splitlines()), str(rows).endswith("(the first 20 rows)")) == (SHOWN + 3, True)
    assert len(rows.fetchall()) > SHOWN
    assert rows.fetchone() is None
    assert Read(rows._repr_html_()).text == first.text


def test_rows_without_a_table_are_printed_as_their_names(corpus):
    assert str(Rows(corpus.sql("SELECT 1 AS one").cursor)) == "<Rows of one>"
    assert str(corpus.sql("SELECT key FROM papers WHERE false")).endswith("(0 rows)")


def test_what_shows_answers_is_loaded_by_notebooks_alone():
    source = lookup.results.quote_answer.__file__
    assert source is not None
    with open(source, encoding="utf-8") as file:  # noqa: PTH123
        assert re.findall(r"^from lookup\.notebook", file.read(), re.MULTILINE) == []


@needs("IPython")
def test_ipython_takes_them(corpus):
    formatters = import_module("IPython.core.formatters")
    answer = corpus.quote("lindqvist2019", "people prefer to work by day")
    data, _ = formatters.DisplayFormatter().format(answer)
    assert data == {"text/plain": repr(answer), "text/html": answer._repr_html_()}
