"""The benchmark of kinds draws sentences of a truth, and counts those that the corpus prints."""

import json
import sys

from tests.support.project import ROOT

sys.path.append(str(ROOT / "benchmarks"))

from kinds import over_ends, quoted, sentence_table, sentences, truths

FIRST = "The harbour is as wide as the town is long, and deep at all tides."
LAST = "Nobody who came here by land has ever asked the pilots about that."


def test_sentences_are_drawn_without_formulas_and_the_same_each_time(tmp_path):
    with_formula = "It has \x01 boats, of which not a single one has ever left the harbour."
    heading = "A heading that is as long as any of the sentences of the text is."
    blocks = [
        {"kind": "body", "text": f"{FIRST} {with_formula} {LAST}"},
        {"kind": "heading", "text": heading},
    ]
    path = tmp_path / "truth.json"
    path.write_text(json.dumps(blocks), encoding="utf-8")
    drawn = sentences(path, 20)
    assert sorted(drawn) == sorted([FIRST, LAST])
    assert drawn == sentences(path, 20)


def test_truths_are_found_through_links(tmp_path):
    (tmp_path / "papers/smith2020").mkdir(parents=True)
    (tmp_path / "papers/smith2020/truth.xml").write_text("<article/>", encoding="utf-8")
    (tmp_path / "linked").mkdir()
    (tmp_path / "linked/smith2020").symlink_to(tmp_path / "papers/smith2020")
    assert truths(tmp_path / "linked") == [tmp_path / "linked/smith2020/truth.xml"]


def test_an_end_of_a_paragraph_is_drawn_with_the_beginning_of_the_next_one(tmp_path):
    blocks = [{"kind": "body", "text": FIRST}, {"kind": "body", "text": LAST}]
    path = tmp_path / "truth.json"
    path.write_text(json.dumps([*blocks, {"kind": "heading", "text": FIRST}, *blocks]), encoding="utf-8")
    assert over_ends(path, 20) == [f"{FIRST} {LAST}"] * 2


def test_a_changed_sentence_is_counted_as_not_verbatim(corpus, samples):
    key, text = corpus.sql(
        "SELECT key, text FROM paragraphs WHERE kind = 'body' AND page = page_end AND length(text) > 200"
    ).fetchone()
    printed = text[: text.index(" ", 90)]
    found = quoted(corpus, key, samples / f"{key}.pdf", [printed, printed.replace(" ", " not ", 1)], [])
    assert (found["asked"], found["verbatim"]) == (2, 1)
    assert found["right page"] == found["on a page"]
    assert sentence_table({"one": found}).count("| 2 | 1 |") == 2
