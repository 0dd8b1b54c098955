"""A file that a disk has damaged is noticed by the next build, which makes it again."""

import pytest

import lookup
from tests.support.builds import Library, brought_back, damage

pytestmark = pytest.mark.usefixtures("reports")


@pytest.fixture(scope="module")
def three(tmp_path_factory, model):
    """A library of three papers with vectors, and what brings it back to that."""
    made = Library(tmp_path_factory.mktemp("damaged") / "library", "ant", "bee", "cat")
    made.build(model=model)
    return made, made.keep()


library = brought_back("three")


def content(library):
    with lookup.open(library.corpus) as corpus:
        return (
            corpus.sql("SELECT * FROM paragraphs ORDER BY ALL").fetchall()
            + corpus.sql("SELECT * FROM vectors ORDER BY ALL").fetchall()
        )


@pytest.mark.long
def test_each_byte_of_an_extraction_counts(library, model):
    before = content(library)
    for at in (0.1, 0.5, 0.9, 0.999):
        for path in sorted((library.work / "extracted").rglob("*.arrow")):
            damage(path, at)
        library.add("ant", f"A paper about one ant, as {at} would have it.")
        assert library.build(model=model)[1].new
        assert {"bee", "cat"} <= set(library.read)
    library.add("ant", "A paper about one ant. Nobody minded.")
    library.build(model=model)
    assert content(library) == before


@pytest.mark.parametrize(
    "name",
    [
        "corpus.duckdb",
        "manifest.json",
        "vectors.npy",
        "scales.npy",
        "signs.npy",
        "papers.parquet",
        "paragraphs/*.parquet",
    ],
)
def test_a_night_with_nothing_new_replaces_a_damaged_release(library, model, name):
    before = content(library)
    (path,) = (library.corpus / "current").resolve().glob(name)
    damage(path)
    published = library.build(model=model)[1]
    assert published.new
    assert library.read == []
    assert content(library) == before
    assert not library.build(model=model)[1].new


@pytest.mark.long
def test_releases_share_files_that_are_intact(library, model, monkeypatch):
    monkeypatch.setattr("pipeline.publish.parts.PAPERS_A_PART", 1)
    first = library.build(model=model, force=True)[1].release.folder
    damaged, *intact = sorted(first.glob("paragraphs/*.parquet"))
    damage(damaged)
    library.add("dog", "A paper about one dog.")
    second = library.build(model=model)[1].release.folder
    assert not (second / "paragraphs" / damaged.name).samefile(damaged)
    assert all((second / "paragraphs" / path.name).samefile(path) for path in intact)
    with lookup.open(library.corpus) as corpus:
        names = corpus.sql("SELECT DISTINCT key FROM read_parquet(?)", [str(second / "paragraphs/*.parquet")])
        assert len(names.fetchall()) == 4
