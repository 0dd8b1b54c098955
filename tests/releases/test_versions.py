"""Versions of one work are linked, and stay papers of their own."""

import pytest

import lookup
from pipeline.publish.paper_versions import identities
from tests.support.builds import Library
from tests.support.pdfs import pdf


@pytest.fixture
def library(tmp_path):
    return Library(tmp_path)


def versions(library):
    with lookup.open(library.corpus) as corpus:
        return dict(corpus.sql("SELECT key, versions FROM papers").fetchall())


def test_the_versions_of_a_preprint_and_what_was_printed_of_it_are_linked(library):
    library.add("preprint", "An early form.")
    library.add("revised", "A later form.")
    library.add("printed", "The printed form.")
    library.add("other", "Something else.")
    bib = library.root / "library.bib"
    title = "title={Tidal marshes breathe at night as well}, author={Abara, T. and Lindqvist, S.}"
    bib.write_text(
        f"@article{{preprint, {title}, doi={{10.48550/arXiv.2101.00001v1}}, file={{pdfs/preprint.pdf}}}}\n"
        "@article{revised, title={Marshes}, doi={10.48550/arXiv.2101.00001v2}, file={pdfs/revised.pdf}}\n"
        "@article{printed, title={Tidal Marshes Breathe at Night, as Well}, author={Lindqvist, Saga and "
        "Abara, Tobenna}, "
        "doi={10.5555/marsh}, file={pdfs/printed.pdf}}\n"
        "@article{other, title={Tidal marshes breathe at night as well}, author={Abara, T.}, "
        "file={pdfs/other.pdf}}\n"
    )
    _, published = library.build(bib)
    assert versions(library) == {
        "preprint": ["printed", "revised"],
        "printed": ["preprint", "revised"],
        "revised": ["preprint", "printed"],
        "other": [],
    }
    assert published.rows["papers"] == 4
    with lookup.open(library.corpus) as corpus:
        assert corpus.quote("preprint", "An early form").matches
        assert {one.verdict for one in corpus.quote("printed", "An early form").matches} <= {"related"}


def test_arxiv_s_stamp_and_file_names_tell_the_identifier(library):
    (library.pdfs / "one.pdf").write_bytes(
        pdf("arXiv:2101.00001v1 [q-bio.PE] 1 Jan 2021", "One thing is said here, and it is said at length.")
    )
    (library.pdfs / "2101.00001v3.pdf").write_bytes(pdf("Another thing is said here."))
    (library.pdfs / "2113.00001.pdf").write_bytes(pdf("No month has that number."))
    (library.pdfs / "citing.pdf").write_bytes(pdf("We build on arXiv:2101.00001v1 [q-bio.PE] here."))
    library.build()
    assert versions(library) == {
        "one": ["paper-2101-00001v3"],
        "paper-2101-00001v3": ["one"],
        "paper-2113-00001": [],
        "citing": [],
    }


def paper(**said):
    return {
        "sha256": said.pop("sha256", "0"),
        "path": "x.pdf",
        "doi": None,
        "title": None,
        "authors": [],
        **said,
    }


@pytest.mark.parametrize(
    ("one", "two", "same"),
    [
        ("10.1101/2020.01.01.123456v1", "10.1101/2020.01.01.123456v2", True),
        ("10.26434/chemrxiv-2021-abcde", "10.26434/chemrxiv-2021-abcde-v2", False),
        ("10.26434/chemrxiv-2021-abcde-v1", "10.26434/chemrxiv-2021-abcde-v2", True),
        ("10.21203/rs.3.rs-1234/v1", "10.21203/rs.3.rs-1234/v2", True),
        ("10.5555/rev1", "10.5555/rev2", False),
        ("10.5555/a", "10.5555/a", True),
        ("10.48550/arxiv.2101.00001", "10.48550/arxiv.2101.00001v2", True),
        ("10.48550/arxiv.2101.00001", "10.48550/arxiv.2101.00002", False),
    ],
)
def test_a_doi_names_its_version_at_its_end(one, two, same):
    found = [
        set(identities(paper(sha256=str(number), doi=doi), None)) for number, doi in enumerate((one, two))
    ]
    assert bool(found[0] & found[1]) is same


@pytest.mark.parametrize(
    ("said", "same"),
    [
        ({"title": "A Title that is long enough to tell", "authors": ["Feng, Y."]}, True),
        ({"title": "Editorial", "authors": ["Feng, Y."]}, False),
        ({"title": "A Title that is long enough to tell", "authors": []}, False),
        ({"title": None, "authors": ["Feng, Y."]}, False),
    ],
)
def test_title_and_authors_must_tell_a_paper_from_others(said, same):
    found = [set(identities(paper(sha256=str(number), **said), None)) for number in range(2)]
    assert bool(found[0] & found[1]) is same
