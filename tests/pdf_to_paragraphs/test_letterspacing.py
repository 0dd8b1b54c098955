"""Words that are set with spaces between their letters come out as words."""

import pytest

from pipeline.cleaning.clean import clean
from tests.support.pages import line


def spaced(text, *, tracking=3.0, word_space=9.0, size=10.0):
    """A line whose words (parted by two spaces in `text`) have their pieces (parted by one) `tracking` points
    apart.
    """
    made = line(" ".join(text.split()), size=size)
    pieces = iter(made.words)
    words, at = [], 50.0
    for word in text.split("  "):
        for piece in word.split(" "):
            width = 5.0 * len(piece)
            words.append(next(pieces)._replace(text=piece, x0=at, x1=at + width))
            at += width + tracking
        at += word_space - tracking
    return made.__class__(made.page, 50.0, made.y0, at, made.y1, tuple(words), size, made.bold)


@pytest.mark.parametrize(
    ("printed", "text"),
    [
        ("A B S T R A C T", "ABSTRACT"),
        ("A R T I C L E  I N F O  A B S T R A C T", "ARTICLE INFO ABSTRACT"),
        ("T R I A L  R E P O RT", "TRIAL REPORT"),
        ("FI G U R E  1 Survival", "FIGURE 1 Survival"),
        ("K e y w o r d s :", "Keywords :"),
        ("m n m n", "m n m n"),
        ("IF WE GO TO IT", "IF WE GO TO IT"),
        ("vitamins A and B and C", "vitamins A and B and C"),
    ],
)
def test_spaces_between_letters_are_closed(printed, text):
    assert clean([spaced(printed)], {}).text == text


def test_labels_far_apart_are_no_word():
    assert clean([spaced("A B C D E F", tracking=40.0)], {}).text == "A B C D E F"


def test_raw_text_and_words_stay_as_they_are_printed():
    made = clean([spaced("A B S T R A C T")], {})
    assert made.text_raw == "A B S T R A C T"
    assert [made.text[start:end] for start, end in made.lines[0].words] == list("ABSTRACT")
