"""Letters and their facts: a part of a text has the same ones as it has in the whole."""

import pytest

from lookup.compare.letters import joined, read
from lookup.text.folding import Span, fold

TEXTS = (
    ("The mud of the shore is 10³ m deep. It was − 5 °C “cold”! Ends", (11, 13), "", ()),
    ("İzmir’de 14″ wide § 3, ﬁve m² of B₂ — as [3] said", (), "", ((42, 45),)),
    ("we saw re-entry and a mud bank", (), "we saw re-\nentry and a mud-\nbank", ()),
    ("a line of it\nand more\nand end", (), "a line of it\nand more\nand end", ()),
    ("می\u200cروم ٣٤ x", (), "می\u200cروم ٣٤ x", ()),
)


@pytest.mark.parametrize("text", TEXTS, ids=[text[:12] for text, *_ in TEXTS])
def test_parts_of_a_text_have_the_letters_of_the_whole(text):
    source, superscripts, raw, cited = text
    marks = tuple(Span(*one) for one in cited)
    whole = read(source, superscripts, raw, marks)
    size = len(fold(source))
    for at in [at for at, char in enumerate(fold(source)) if char == " "]:
        parts = [read(source, superscripts, raw, marks, span) for span in (Span(0, at), Span(at + 1, size))]
        both = joined(parts)
        assert (both.text, both.written) == (whole.text, whole.written)
        seen = {number: known for number, known in both.facts.items() if number != len(parts[0].chars)}
        wanted = {number: known for number, known in whole.facts.items() if number != len(parts[0].chars)}
        assert seen == wanted


def test_what_stands_beyond_a_part_is_no_fact_of_it():
    text = "It ended. Then † more 5″ of it."
    part = read(text, within=Span(10, 14))
    assert part.text == "then"
    assert not part.facts or set(part.facts) == {0}
    assert read(text, within=Span(3, 8)).facts == {}
    assert read("A heading").facts[8].unstopped
    assert read("A heading of it", within=Span(0, 9)).facts == {}
