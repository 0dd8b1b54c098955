"""What a quote cuts off or leaves out of a printed sentence is marked in that, in any language."""

import pytest

from lookup.results.answer import around, cuts


@pytest.mark.parametrize(
    ("printed", "said"),
    [
        ("|The drug was safe.|", []),
        ("|The drug was safe|.", []),
        ("{+It is a myth that+} |the drug was safe|.", ["begins within a sentence"]),
        ("|The drug was safe| {+until 2010.+}", ["ends within a sentence"]),
        ("{+Almost+} |no patient| {+died.+}", ["begins within a sentence", "ends within one"]),
        ("|The {+so-called+} cure|.", []),
        ("{+所谓的+}|药物是安全的|。", ["begins within a sentence"]),
    ],
)
def test_a_sentence_is_whole_with_what_is_not_quoted_marked(printed, said):
    plain = printed.replace("{+", "").replace("+}", "")
    start = plain.index("|")
    end = plain.index("|", start + 1) - 1
    text = plain.replace("|", "")
    inner = printed.split("|")[1]
    left = [part.partition("+}")[0] for part in inner.split("{+")[1:]]
    omitted = [(text.index(one), text.index(one) + len(one)) for one in left]
    shown = around(text, (start, end), omitted)
    assert shown == (printed.replace("|", "") if "{+" in printed else "")
    assert [*cuts(shown)] == said
