"""Printed lines to text: hyphens, ligatures, what is invisible."""

import pytest

from pipeline.cleaning.clean import clean, lexicon
from retrieval.raw_text.cleaning import vocabulary
from tests.support.pages import line

ENGLISH = lexicon({"the": 40})


def cleaned(*lines, document=()):
    words = vocabulary([*document, *lines])
    return clean([line(text, y=12.0 * i) for i, text in enumerate(lines)], words, ENGLISH)


@pytest.mark.parametrize(
    ("lines", "document", "text"),
    [
        (("a con-", "cept of it"), (), "a concept of it"),
        (("a con\u00ad", "cept of it"), (), "a concept of it"),
        (("a con-\u200b", "cept of it"), (), "a concept of it"),
        (("a well-", "known thing"), ("it is well-known that",), "a well-known thing"),
        (("a well-", "known thing"), ("it is known that",), "a well-known thing"),
        (("the week-", "end of it"), ("the weekend and",), "the weekend of it"),
        (("the Mann-", "Whitney test"), (), "the Mann-Whitney test"),
        (("pages 10-", "15 of it"), (), "pages 10-15 of it"),
        (("from 3 -", "to 4"), (), "from 3 - to 4"),
        (("from 10%-", "20% of it"), (), "from 10%-20% of it"),
        (("an (S)-", "epoxide of it"), (), "an (S)-epoxide of it"),
        (("a well-\u00ad", "known thing"), (), "a well-known thing"),
        (("a con-\u00ad", "cept of it"), (), "a concept of it"),
        (("both water-", "and fat-soluble"), (), "both water- and fat-soluble"),
        (("the eﬃcient ﬁlm ﬂows",), (), "the efficient film flows"),
        (("zero\u200bwidth soft\u00adhyphen",), (), "zerowidth softhyphen"),
        (("at \x0280 C",), (), "at �80 C"),
        (("“curly” – dash’s",), (), "“curly” – dash’s"),
        (("人類社会の", "すべての構成員"), (), "人類社会のすべての構成員"),
        (("宣言する。", "「前文」"), (), "宣言する。「前文」"),
        (("Debian を", "USB メモリ"), (), "Debian を USB メモリ"),
        (("มนุษย์ทั้ง", "หลายเกิดมา"), (), "มนุษย์ทั้งหลายเกิดมา"),
        (("모든 사람은 자", "국을 떠날"), ("그는 자국을 떠난다",), "모든 사람은 자국을 떠날"),
        (("모든 사람은", "자국을 떠날"), ("사람은 자국을",), "모든 사람은 자국을 떠날"),
        (("שלום", "עולם"), (), "שלום עולם"),
        (("ﺍﻟﺴﻼﻡ",), (), "السلام"),
    ],
)
def test_text_is_ready_to_paste(lines, document, text):
    assert cleaned(*lines, document=document).text == text


def test_raw_text_keeps_what_was_printed():
    assert cleaned("an eﬃcient con-", "cept").text_raw == "an eﬃcient con-\ncept"


def test_each_word_knows_its_place_in_the_text():
    made = cleaned("an eﬃcient con-", "cept \u200b ends")
    places = [[made.text[start:end] for start, end in one.words] for one in made.lines]
    assert places == [["an", "efficient", "con"], ["cept", "", "ends"]]
