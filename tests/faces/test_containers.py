"""No form of a quotation is passed over: what is not judged is counted, and what is wrong is never right."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from pagequote.check import Vocabulary, judge, read_manuscripts
from pagequote.check.formats import all_is_well
from tests.support.cases import cases
from tests.support.command import pagequote as call

KEY = "lindqvist2019"
RIGHT, WRONG = "people prefer to work by day", "people prefer to work by night"
CASES = cases("faces/containers.toml")


class Container(NamedTuple):
    """A manuscript: its suffix, its text, and whether what it quotes is printed."""

    suffix: str
    text: str
    right: bool


def containers(suffix: str) -> Iterator[Container]:
    """Yield each form of these files with the printed words, and with one word changed."""
    for form in CASES["forms"][suffix]:
        yield Container(suffix, form.replace("{}", RIGHT), right="so that it" not in form)
        yield Container(suffix, form.replace("{}", WRONG), right=False)


def _found(corpus, one):
    path = Path(f"draft{one.suffix}")
    return judge(corpus, list(read_manuscripts([path], Vocabulary(), {path: one.text.encode()})))


@pytest.mark.long
@pytest.mark.parametrize("suffix", CASES["forms"])
def test_each_form_is_judged_or_counted_as_not_judged(corpus, suffix):
    silent, blessed, blamed = [], [], []
    every = [*containers(suffix)]
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


@pytest.mark.parametrize("suffix", CASES["hidden"])
def test_code_and_comments_of_org_and_restructured_text_quote_nothing(corpus, suffix):
    for form in CASES["hidden"][suffix]:
        assert not _found(corpus, Container(suffix, form.replace("{}", RIGHT), right=True)), form


@pytest.mark.parametrize("suffix", [".org", ".rst"])
def test_places_in_org_and_restructured_text_are_those_of_the_file(corpus, suffix):
    for one in containers(suffix):
        if one.right:
            (finding, *_) = _found(corpus, one)
            quotation = finding.quotation
            assert RIGHT in " ".join(one.text[quotation.start : quotation.end].split())


@pytest.mark.parametrize(
    ("suffix", "includes"), [(".org", '#+INCLUDE: "b.org"'), (".rst", ".. include:: b.rst")]
)
def test_what_a_draft_in_org_or_restructured_text_includes_is_read(tmp_path, suffix, includes):
    (tmp_path / f"a{suffix}").write_text(f"{includes}\n")
    (tmp_path / f"b{suffix}").write_text(f'"{RIGHT}"\n')
    read = list(read_manuscripts([tmp_path / f"a{suffix}"], Vocabulary()))
    assert [len(one.quotations) for one in read] == [0, 1]


def test_a_file_that_cites_and_quotes_nothing_is_told(corpus_path, tmp_path):
    draft = tmp_path / "draft.md"
    draft.write_text(f"We follow @{KEY} in this. Of others we know [@nobody1999].\n")
    told = call("check", draft, "--corpus", corpus_path)
    assert told.returncode == 1
    assert "1 citation of papers, and nothing that is quoted beside them." in told.stdout
    other = tmp_path / "other.md"
    other.write_text(f'"{RIGHT}" [@{KEY}]\n')
    assert call("check", draft, other, "--corpus", corpus_path).returncode == 0
    other.write_text("We follow others [@nobody1999].\n")
    assert call("check", other, "--corpus", corpus_path).returncode == 0
