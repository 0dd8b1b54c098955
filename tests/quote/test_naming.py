"""Papers are found by the names that people and models give them, and no name is taken for the wrong
paper.
"""

import pytest

import lookup
from tests.support.cases import cases
from tests.support.samples import sample_papers

CASES = cases("quote/naming.toml")

FIRST, DYE, NIGHT, ICE = (paper.key for paper in sample_papers())
TRUTH = {paper.key: paper for paper in sample_papers()}


def _ways(paper):
    """Names that each paper has, whoever wrote it."""
    families = [author.partition(",")[0] for author in paper.authors]
    given = paper.authors[0].partition(", ")[2]
    first, year, doi, title = families[0], paper.year, paper.doi, paper.title
    return (
        f"{first} {year}",
        f"{first} ({year})",
        f"{first} et al., {year}",
        f"({first} et al. {year})",
        f"{families[0]} & {families[1]}",
        f"{families[0]} and {families[1]} {year}",
        f"{first.upper()}{year}",
        f"@{paper.key}",
        f"{given} {first} {year}",
        f"{first}, {given[0]}. ({year}). {title}. {paper.venue}",
        title,
        title.casefold(),
        doi,
        f"https://doi.org/{doi.replace('/', '%2F')}",
        f"{paper.key}.pdf",
    )


@pytest.mark.parametrize("key", TRUTH)
def test_sixty_names_mean_the_paper_that_they_name(corpus, key):
    assert {name: [one.key for one in corpus.resolve(name)] for name in _ways(TRUTH[key])} == {
        name: [key] for name in _ways(TRUTH[key])
    }


@pytest.mark.parametrize(
    "name",
    CASES["a name that no paper answers means none"],
)
def test_a_name_that_no_paper_answers_means_none(corpus, name):
    assert corpus.resolve(name) == ()


def test_an_answer_by_name_has_the_key_and_is_the_same(corpus):
    words = TRUTH[NIGHT].title
    assert corpus.quote("Lindqvist et al. 2019", words) == corpus.quote(NIGHT, words)
    assert corpus.verify(words, "Lindqvist (2019)") == corpus.verify(words, NIGHT)
    assert corpus.verify_all([(words, "Lindqvist (2019)", 1)])[0].key == NIGHT
    assert corpus.page("Lindqvist", 1) == corpus.page(NIGHT, 1)
    assert {one.key for one in corpus.grep("the", keys=["Lindqvist (2019)"])} == {NIGHT}


@pytest.mark.parametrize(
    ("name", "closest"),
    [
        ("Abara 2019", NIGHT),
        ("Lindqvist 2020", NIGHT),
        ("Castellane", DYE),
        ("thickness of the ice of a lake", ICE),
        ("lindquist2019", NIGHT),
    ],
)
def test_suggestions_go_by_author_title_and_year_before_spelling(corpus, name, closest):
    with pytest.raises(lookup.UnknownKeyError) as caught:
        corpus.paper(name)
    assert caught.value.closest[0] == closest
