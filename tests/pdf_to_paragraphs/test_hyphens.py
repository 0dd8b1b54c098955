"""Hyphens of line breaks: the document's words decide, then those of its language."""

from collections import Counter

import pytest

from lookup.text.hyphenation import keeps_hyphen, vocabulary
from pipeline.cleaning.clean import lexicon

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
    [("the of and in", "weather"), ("os do da em", "coração"), ("der die und das", "wetter"),
    ("le les des et", "météo"),
     ("el los las y", "corazón")],
)  # fmt: skip
def test_the_language_is_told_by_its_function_words(function_words, word):
    assert word in lexicon(Counter(dict.fromkeys(function_words.split(), 10)))


def test_a_document_of_no_known_language_has_no_list():
    assert "weather" not in lexicon(Counter({"the": 3}))
