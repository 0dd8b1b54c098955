"""The text of an article's XML is shown where its PDF prints it, and nothing that the PDF prints is lost."""

from collections import Counter

import pytest

from lookup.release.schema import PARAGRAPHS
from lookup.text.folding import blind, fold
from pipeline.extract import extract
from pipeline.pdf.opening import UnreadableError
from pipeline.records import table_of
from tests.support.markup import jats_of
from tests.support.samples import sample_papers

PAPERS = {paper.key: paper for paper in sample_papers()}


def rows(data, text=None):
    return table_of(extract(data, text=text), PARAGRAPHS).to_pylist()


def printed_words(paragraphs):
    """Each printed word by its page and box."""
    return Counter(
        (line["page"], *line["words"][at + 2 : at + 6])
        for one in paragraphs
        for line in one["lines"]
        for at in range(0, len(line["words"]), 6)
    )


@pytest.mark.parametrize("key", PAPERS)
def test_each_paragraph_of_the_xml_is_whole_and_on_its_pages(samples, key):
    data = (samples / f"{key}.pdf").read_bytes()
    of_pdf, of_both = rows(data), rows(data, jats_of(PAPERS[key]))
    assert printed_words(of_both) == printed_words(of_pdf)
    marked = [one for one in of_both if one["anchor"]]
    wanted = [block for block in PAPERS[key].blocks if block.kind in {"body", "list"} and not block.place]
    assert Counter(one["text"] for one in marked if one["kind"] == "body") == Counter(
        block.text for block in wanted
    )
    assert all(one["page"] for one in marked if one["kind"] == "body")
    for one in marked:
        spans = [
            tuple(line["words"][at : at + 2])
            for line in one["lines"]
            for at in range(0, len(line["words"]), 6)
        ]
        assert spans == sorted(spans)
        assert all(0 <= start <= end <= len(one["text"]) for start, end in spans)


def letters_at(paragraphs):
    """The letters and digits of each printed word, by its page and box."""
    return {
        (line["page"], *line["words"][at + 2 : at + 6]): blind(
            fold(one["text"][slice(*line["words"][at : at + 2])])
        )
        for one in paragraphs
        for line in one["lines"]
        for at in range(0, len(line["words"]), 6)
    }


@pytest.mark.parametrize("key", PAPERS)
def test_each_word_is_in_the_box_that_prints_its_letters(samples, key):
    data = (samples / f"{key}.pdf").read_bytes()
    printed, of_both = letters_at(rows(data)), letters_at(rows(data, jats_of(PAPERS[key])))
    differing = [(box, word, printed[box]) for box, word in of_both.items() if word != printed[box]]
    assert differing == []


def test_the_xml_of_another_work_is_refused(samples):
    one, other = sorted(PAPERS)[:2]
    with pytest.raises(UnreadableError) as raised:
        extract((samples / f"{one}.pdf").read_bytes(), text=jats_of(PAPERS[other]))
    assert raised.value.reason == "other text"
    assert "is not its text" in raised.value.detail
