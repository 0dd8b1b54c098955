"""No form of a quotation is passed over: what is not judged is counted, and what is wrong is never right."""

from pathlib import Path

import pytest

from pagequote.check import Vocabulary, judge, read_manuscripts
from pagequote.check.summary import all_is_well
from tests.support.containers import FORMS, containers


def _found(corpus, one):
    path = Path(f"draft{one.suffix}")
    return judge(corpus, list(read_manuscripts([path], Vocabulary(), {path: one.text.encode()})))


@pytest.mark.parametrize("suffix", FORMS)
def test_each_form_is_judged_or_counted_as_not_judged(corpus, suffix):
    silent, blessed, blamed = [], [], []
    every = [one for one in containers() if one.suffix == suffix]
    for one in every:
        findings = _found(corpus, one)
        first = min(findings, key=lambda finding: finding.quotation.start, default=None)
        if first is None:
            silent.append(one.text)
        elif first.level == "ok" and not one.right:
            blessed.append(one.text)
        elif first.level == "error" and one.right:
            blamed.append(one.text)
        if len(findings) == 1 and not one.right and all_is_well(findings):
            blessed.append(one.text)
    assert not silent
    assert not blessed
    assert len(blamed) <= 0.03 * len(every), blamed
