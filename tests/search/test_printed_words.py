"""The index of words names every paragraph that prints something: compared with a walk through all texts."""

import random

import duckdb
import pytest

from lookup.compare.edges import on_word_boundaries
from lookup.index.release_index import ParagraphId, ReleaseIndex, printed_words
from lookup.release.current import DATABASE, Release
from lookup.text.folding import fold
from lookup.text.scripts import of_word
from lookup.text.words import occurrences
from pipeline.publish.search_index import write_search_index
from retrieval.keywords.indexed_keywords import IndexedKeywords
from retrieval.keywords.parse import keywords_of, phrase_of
from retrieval.keywords.searched_text import SearchText

SYLLABLES = (
    "co",
    "op",
    "re",
    "light",
    "non",
    "eﬃ",
    "naï",
    "é",
    "IL",
    "6",
    "1.5",
    "10",
    "光",
    "合",
    "성",
    "हि",
)
JOINTS = ("", "", "-", "‐", " ", " ", " ", ", ", " (", ") ", ". ", "\u00ad", "/", "–")
"""What stands between syllables: words, compounds, numbers, scripts without spaces."""


def made_text(rng):
    """A text of syllables with all kinds of joints."""
    return "".join(rng.choice(SYLLABLES) + rng.choice(JOINTS) for _ in range(rng.randint(1, 14))).strip(
        " -‐("
    )


def indexed(folder, papers, previous=None):
    """A release in `folder` with only what its index needs: the texts of the `papers`, by key."""
    folder.mkdir()
    with duckdb.connect(str(folder / DATABASE)) as connection:
        connection.execute(
            "CREATE TABLE printed_paragraphs (key TEXT, paragraph INT, kind TEXT, section_title TEXT, "
            "text_norm TEXT)"
        )
        rows = [
            (key, number, "reference" if number % 7 == 6 else "body", None, fold(text))
            for key, texts in papers.items()
            for number, text in enumerate(texts)
        ]
        connection.executemany("INSERT INTO printed_paragraphs VALUES (?, ?, ?, ?, ?)", rows)
    sources = [{"key": key, "record": str(hash(tuple(texts)))} for key, texts in papers.items()]
    return Release(folder, {"search": write_search_index(folder, sources, previous)})


@pytest.fixture(scope="module")
def papers():
    """Papers of made texts, by key."""
    rng = random.Random(4)
    return {f"paper{i:02}": [made_text(rng) for _ in range(20)] for i in range(30)}


@pytest.fixture(scope="module")
def release(papers, tmp_path_factory):
    """Their index."""
    return indexed(tmp_path_factory.mktemp("printed") / "release", papers)


@pytest.fixture(scope="module")
def printed(release):
    """Where they print words."""
    return IndexedKeywords(ReleaseIndex(release))


def whole(text, start, end):
    """Whether a place cuts no word, nor a letter from the sign that belongs to it."""
    beside = text[start - 1 : start] + text[end : end + 1]
    return on_word_boundaries(text, start, end) and not any(map(of_word, beside))


def named(printed, query, keys=None, **only):
    """The paragraphs that the index names, in its order."""
    return [one for lot in printed.in_order(query, keys, 3, **only) for one in lot]


def asked(papers, count, most):
    """Stretches of the texts, as somebody may ask for them: some with other hyphens and spaces."""
    rng = random.Random(5)
    texts = [text for each in papers.values() for text in each]
    for _ in range(count):
        text = rng.choice(texts)
        start = rng.randrange(len(text))
        part = text[start : start + rng.randint(1, most)]
        yield part if rng.random() < 0.5 else part.replace(rng.choice("- ‐"), rng.choice(["", " ", "-"]))


@pytest.mark.long
def test_each_paragraph_with_a_phrase_on_word_boundaries_is_named_in_order(papers, printed):
    found = 0
    for part in asked(papers, 500, 12):
        phrase = fold(part)
        if not (words := printed_words(phrase)):
            continue
        holding = [
            ParagraphId(key, number)
            for key, texts in papers.items()
            for number, text in enumerate(map(fold, texts))
            if any(whole(text, at, at + len(phrase)) for at in occurrences(text, phrase))
        ]
        paragraphs = named(printed, printed.phrase(words))
        assert set(holding) <= set(paragraphs), part
        assert paragraphs == sorted(set(paragraphs))
        assert printed.held(printed.phrase(words)) == (len(paragraphs), len({one.key for one in paragraphs}))
        found += len(holding)
    assert found > 500


@pytest.mark.long
def test_each_paragraph_with_a_keyword_is_named_whatever_hyphens_it_has(papers, printed):
    texts = {
        ParagraphId(key, number): SearchText(text, [0])
        for key, each in papers.items()
        for number, text in enumerate(each)
    }
    found = 0
    for part in asked(papers, 400, 10):
        if not printed_words(part):
            continue
        for keyword in (phrase_of(part), *keywords_of([part])):
            holding = {place for place, text in texts.items() if text.find([keyword])}
            assert holding <= set(named(printed, printed.keyword(keyword.forms))), part
            found += len(holding)
    assert found > 1000


def test_a_phrase_is_found_with_another_word_in_place_of_one(papers, printed):
    tried = 0
    for key, texts in papers.items():
        for number, text in enumerate(texts):
            words = printed_words(fold(text))
            if len(words) > 3:
                gap = 1 + number % (len(words) - 2)
                other = [*words[:gap], "misread", *words[gap + 1 :]]
                assert ParagraphId(key, number) in named(printed, printed.phrase(other, gap)), text
                assert not named(printed, printed.phrase(other))
                tried += 1
    assert tried > 100


def test_papers_that_change_or_go_are_found_as_they_are_now(papers, release, tmp_path):
    changed = dict(papers)
    del changed["paper03"]
    changed["paper05"] = ["an altogether other light"]
    changed["paper99"] = ["a paper that came"]
    after = IndexedKeywords(ReleaseIndex(indexed(tmp_path / "after", changed, release)))
    assert "paper03" not in after.papers(after.phrase(["light"]))
    assert named(after, after.phrase(["other", "light"])) == [("paper05", 0)]
    assert named(after, after.phrase(["paper", "that"])) == [("paper99", 0)]
