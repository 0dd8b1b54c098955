"""The benchmark of covers judges as the reader names what hides a word."""

import sys

import pytest

from tests.support.project import ROOT

sys.path.append(str(ROOT / "benchmarks"))

from covers import COVERS, PRODUCERS, TARGETS, judge


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    _, write = PRODUCERS["PyMuPDF"]
    return write(tmp_path_factory.mktemp("page"))


@pytest.mark.parametrize("cover", COVERS)
def test_each_cover_is_named_and_hides_its_words_alone(page, cover):
    assert {target: judge(page, cover, target) for target in TARGETS} == dict.fromkeys(TARGETS, "")


def test_a_word_that_is_not_covered_is_no_covered_one(page, monkeypatch):
    monkeypatch.setitem(COVERS, "nothing", ("drawing", lambda page, boxes: None))
    assert judge(page, "nothing", next(iter(TARGETS)))
