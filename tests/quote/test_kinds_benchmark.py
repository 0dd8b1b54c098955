"""The benchmark of kinds draws sentences of a truth, and counts those that the corpus prints."""

import json
import sys

from tests.support.project import ROOT

sys.path.append(str(ROOT / "benchmarks"))

from kinds import quoted, sentence_table, sentences

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


def test_a_changed_sentence_is_counted_as_not_verbatim(corpus, samples):
    key, text = corpus.sql(
        "SELECT key, text FROM paragraphs WHERE kind = 'body' AND page = page_end AND length(text) > 200"
    ).fetchone()
    printed = text[: text.index(" ", 90)]
    found = quoted(corpus, key, samples / f"{key}.pdf", [printed, printed.replace(" ", " not ", 1)], [])
    assert (found["asked"], found["verbatim"]) == (2, 1)
    assert found["right page"] == found["on a page"]
    assert sentence_table({"one": found}).count("| 2 | 1 |") == 2
