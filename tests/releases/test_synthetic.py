"""The made releases of benchmarks are as real ones are: their paragraphs are found and quoted."""

import sys

import pytest

import lookup
from tests.support.project import ROOT

sys.path.append(str(ROOT / "benchmarks"))

from synthetic import write_synthetic


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    path = tmp_path_factory.mktemp("synthetic")
    write_synthetic(path, 400)
    with lookup.open(path) as corpus:
        yield corpus


def test_a_made_release_has_the_paragraphs_that_were_asked_for(made):
    assert made.sql("SELECT count(*), count(DISTINCT text) FROM paragraphs").fetchone() == (400, 400)


def test_what_it_prints_is_quoted_on_its_page(made):
    key, page, text = made.sql(
        "SELECT key, page, text FROM paragraphs WHERE kind = 'body' AND length(text) > 200 LIMIT 1"
    ).fetchone()
    words = " ".join(text.split()[2:14])
    found = made.quote(key, words).matches[0]
    assert (found.verdict, found.page) == ("verbatim", page)
    assert made.verify(words).key == key
