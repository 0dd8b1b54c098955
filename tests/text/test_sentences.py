"""Sentence boundaries in scientific prose."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lookup.text.sentences import sentence_spans


def split(text):
    return [text[start:end] for start, end in sentence_spans(text)]


@pytest.mark.parametrize(
    "text",
    [
        "Growth of E. coli was slower. | It stopped at 45 °C.",
        "As Smith et al. showed, it holds. | See Fig. 4c and Eq. 3 for details.",
        "Several metals (e.g. iron, i.e. Fe) were used. | They rusted.",
        "The yield was 3.5 mg. | No. 5 was lost.",
        "It was stirred for 5 min. | The mixture was cooled.",
        "It was kept for 24 h. | The mud of 5 m. | It was cold.",
        "It was held at 300 K. | The film broke at a voltage of 0.4 V. | Of ~5 A. | Then it ended.",
        "Figure 2 A. Smith drew, and what in 2015 A. Smith said of Type 2 N. Jones, is one.",
        "The part b. Smith and 5 h. J. Smith took.",
        "J. R. Smith measured it. | He was right!",
        "Is it so? | Yes.",
        "He said “it works.” | Nobody believed him.",
        "This was shown before.12,13 | We repeat it.",
        "This was shown before [12]. | [We] repeat it.",
        "Values (p < 0.05) vs. controls differ. | They do.",
        "Samples came from St. Kilda. | They were dried.",
        "3.1. Results of the first run. | They were good.",
        "IV. Discussion",
        "There were 3. | Results differ.",
        "यह पहला है। | यह दूसरा है।",
        "هل هذا صحيح؟ | نعم.",
        "See Figs. S1 and S2, Tab. 2, Thm. 2.3 and Ref. 7. | End.",
    ],
)
def test_boundaries_fall_where_a_reader_puts_them(text):
    parts = text.split(" | ")
    assert split(" ".join(parts)) == parts


def test_no_space_follows_a_sentence_of_chinese_or_japanese():
    parts = ["人類は自由である。", "彼は「よい。」と言った。", "何故か？", "第2条を見よ。"]
    assert split("".join(parts)) == parts


@given(st.text(alphabet="aB .?!,\n\"'()[]1", max_size=80))
def test_sentences_cover_all_but_spaces_in_order(text):
    spans = sentence_spans(text)
    assert [c for start, end in spans for c in text[start:end] if not c.isspace()] == [
        c for c in text if not c.isspace()
    ]
    assert all(a < b for a, b in spans)
    assert all(first[1] <= second[0] for first, second in pairwise(spans))
