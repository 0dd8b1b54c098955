"""Answers as a prompt and a notebook show them: short, the quote marked in its paragraph, everything else
escaped.
"""

from html.parser import HTMLParser

import pytest

from lookup.results.difference import Difference
from lookup.results.quote_answer import Elsewhere, Match, QuoteAnswer, Verification
from retrieval.keywords.keyword_answer import KeywordAnswer, KeywordPlace
from retrieval.topics.search_answer import Hit, SearchAnswer, SentenceMatch

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
    assert read.tags <= {"pre", "mark"}
    assert "<key>" in read.text or "<hint>" in read.text


@pytest.mark.parametrize("answer", [MATCH, RESULT, SENTENCE], ids=lambda one: type(one).__name__)
def test_the_words_are_marked_in_their_text(answer):
    read = Read(answer._repr_html_())
    assert read.marks[0] == EVIL
    assert (TEXT if answer is not SENTENCE else f"<before> {EVIL} <after>") in read.text


def test_verdict_differences_and_what_is_left_out_are_told():
    text = Read(MATCH._repr_html_()).text
    assert "<key>, page 6 (printed <1650>), <h1>, body: near" in text
    assert "changed: <asked> -> (nothing)" in text
    assert "left out: <omitted>" in text


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


@pytest.mark.parametrize("answer", SHOWN_ANSWERS, ids=lambda one: type(one).__name__)
def test_a_repr_is_one_short_line(answer):
    shown = repr(answer)
    assert shown.startswith(f"<{type(answer).__name__}")
    assert "\n" not in shown
    assert len(shown) < 300


def test_the_answers_of_a_corpus_are_shown(corpus):
    found = corpus.quote("lindqvist2019", "people prefer to work by day")
    assert Read(found._repr_html_()).marks == ["people prefer to work by day"]
    assert "page 1 (printed 1650)" in repr(found)
    assert Read(corpus.search_context("salinity gradient", keys="lindqvist2019")._repr_html_()).marks
    assert "lindqvist2019" in Read(corpus.search("people prefer day", mode="lexical")._repr_html_()).text
