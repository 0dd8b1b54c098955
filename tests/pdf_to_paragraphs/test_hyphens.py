"""Hyphens of line breaks: the document's words decide, then those of its language."""

from collections import Counter

import pymupdf
import pytest

from pipeline.cleaning.clean import clean, lexicon
from pipeline.layout import find_paragraphs
from pipeline.pdf.reading import read_pdf
from retrieval.raw_text.cleaning import keeps_hyphen, keeps_together, vocabulary
from tests.support.pdfs import added

ENGLISH = lexicon(Counter({"the": 40}))


@pytest.mark.parametrize(
    ("left", "right", "document"),
    [
        ("well", "known", ("it is well-known that",)),
        ("multi", "scale", ("a multi-scale model",)),
        ("multi", "scale", ("a multi‐scale model",)),
        ("10", "fold", ()),
        ("pages 10", "15", ()),
        ("Mann", "Whitney", ()),
        ("β", "pinene", ()),
        ("laevo", "β-pinene", ()),
        ("large", "sized", ()),
        ("hard", "to-treat", ()),
        ("phosphate", "buffer", ()),
        ("loam", "bound", ("the loam",)),
        ("ſelf", "interest", ()),
        ("ſalt", "ſtained", ("a ſalt-ſtained coat",)),
    ],
)
def test_a_hyphen_stays(left, right, document):
    assert keeps_hyphen(left, right, vocabulary(document), ENGLISH)


@pytest.mark.parametrize(
    ("left", "right", "document"),
    [
        ("con", "cept", ()),
        ("an", "other", ()),
        ("(pro", "tein),", ()),
        ("week", "end", ("the weekend",)),
        ("cross-bor", "der", ()),
        ("cross-quel", "mish", ("the quelmish",)),
        ("veri", "done", ("the veridone",)),
        ("TOR", "SION", ("the torsion",)),
        ("oxazol", "idine", ()),
        ("diſ", "courſe", ()),
    ],
)
def test_a_hyphen_goes(left, right, document):
    assert not keeps_hyphen(left, right, vocabulary(document), ENGLISH)


def test_the_document_is_believed_before_the_language():
    assert keeps_hyphen("over", "flow", vocabulary(["an over-flow"]), ENGLISH)
    assert not keeps_hyphen("tide", "pool", vocabulary(["a tidepool, the tide, a pool"]), ENGLISH)


def test_words_broken_at_line_ends_are_no_evidence():
    assert vocabulary(["a con-", "cept of con\u00ad", "tent here"]) == Counter(["a", "of", "here"])


@pytest.mark.parametrize(
    ("function_words", "word"),
    [
        ("the of and in", "weather"),
        ("os do da em", "coração"),
        ("der die und das", "wetter"),
        ("le les des et", "météo"),
        ("el los las y", "corazón"),
    ],
)
def test_the_language_is_told_by_its_function_words(function_words, word):
    assert word in lexicon(Counter(dict.fromkeys(function_words.split(), 10)))


def test_a_document_of_no_known_language_has_no_list():
    assert "weather" not in lexicon(Counter({"the": 3}))


SOFT = b"""begincmap 1 begincodespacerange <00> <ff> endcodespacerange
1 beginbfrange <20> <7e> <0020> endbfrange 1 beginbfchar <ad> <00ad> endbfchar endcmap"""


def _text_of(*pieces, table=SOFT, words=()):
    """The text of a page of pieces (x, y, text) in Helvetica, whose table has a soft hyphen."""
    with pymupdf.open() as document:
        page = document.new_page()
        for x, y, text in pieces:
            page.insert_text((x, y), text)
        stream = added(document, stream=table)
        for font, *_ in page.get_fonts():
            document.xref_set_key(font, "ToUnicode", f"{stream} 0 R")
        (passage,) = find_paragraphs(read_pdf(document.tobytes()).pages)
    assert any("\xad" in one.text for one in passage.lines)
    return clean(passage.lines, Counter(words)).text


def test_a_soft_hyphen_that_is_drawn_is_a_hyphen():
    text = "They took 5\xad10 mg at \xad0.42 volts of a well\xadknown brand."
    assert _text_of((72, 72, text)) == "They took 5-10 mg at -0.42 volts of a well-known brand."


def test_a_soft_hyphen_without_room_is_nothing():
    before = "The wardens were exam"
    right = 72 + pymupdf.get_text_length(before)
    assert _text_of((72, 72, f"{before}\xad"), (right, 72, "ined.")) == "The wardens were examined."


def test_a_soft_hyphen_at_the_end_of_a_line_breaks_the_word():
    assert _text_of((72, 72, "The wardens were exam\xad"), (72, 84, "ined.")) == "The wardens were examined."


ALONE = SOFT.replace(b"1 beginbfrange <20> <7e> <0020>", b"2 beginbfrange <20> <2c> <0020> <2e> <7e> <002e>")


@pytest.mark.parametrize(
    ("first", "second", "text"),
    [
        ("an extended solid", "state structure of a solid", "an extended solid-state structure of a solid"),
        ("The wardens were exam", "ined.", "The wardens were examined."),
    ],
)
def test_a_soft_hyphen_that_is_the_only_one_of_its_font_may_be_of_a_compound(first, second, text):
    pieces = (72, 72, f"{first}\xad"), (72, 84, second)
    assert _text_of(*pieces, table=ALONE, words=("solid", "state", "examined")) == text


@pytest.mark.parametrize(
    ("second", "together"), [("에서는", True), ("을", True), ("사람", False), ("이", False)]
)
def test_a_particle_of_korean_is_of_the_word_above_it(second, together):
    assert keeps_together("항구", second, {}) is together
