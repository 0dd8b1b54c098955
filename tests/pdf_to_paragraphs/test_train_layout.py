"""The table of trees that was compared with the rules: its labels, and what the same data give."""

from runpy import run_path

import numpy as np

from pipeline.layout import find_paragraphs
from tests.support.pages import column, page
from tests.support.project import ROOT

TOOL = run_path(str(ROOT / "tools/train_layout.py"))


def test_lines_are_labelled_by_the_letters_of_the_truth():
    first = ["The first paragraph begins here and", "goes on with this second line and", "ends now."]
    second = [" Another paragraph begins below it", "and is not in the truth at all but", "goes on."]
    third = [" Nobody counted the tidal marshes at", "night, said those who were not there."]
    document = TOOL["Document"]("paper", "papers", [page(*column(*first, *second, *third))], [])
    TOOL["with_tables"](document)
    ends = [TOOL["_ends"](" ".join(text)) for text in (first, third)]
    (labels,) = TOOL["labelled"](document, ends)
    assert labels.tolist() == [1, 0, 0, -1, -1, -1, 1, 0]
    assert len(find_paragraphs(document.pages)) == 3


def test_the_same_lines_give_the_same_table_and_it_tells_what_they_show():
    rows = np.random.default_rng(5).integers(0, 200, (4000, 6))
    truth = ((rows[:, 1] > 120) ^ (rows[:, 4] > 60)).astype(np.int64)
    one, other = (TOOL["Trees"](rows, truth) for _ in range(2))
    assert one.digest == other.digest
    assert ((one(rows) > 0) == truth).mean() > 0.97
    assert TOOL["Trees"](rows, 1 - truth).digest != one.digest


def test_a_publisher_is_never_in_both_parts_of_a_fold():
    documents = [TOOL["Document"](str(number), f"group {number % 7}", [], []) for number in range(20)]
    folds = list(TOOL["folds"](documents, 3))
    assert sorted(int(one.name) for _, held in folds for one in held) == list(range(20))
    assert all(not {one.group for one in train} & {one.group for one in held} for train, held in folds)
