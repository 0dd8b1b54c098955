"""A file that is called as Zotero calls it tells author, year and title where no library does."""

import pytest

import lookup
from pipeline.libraries.entries import Metadata
from pipeline.sources.names import completed
from pipeline.sources.source import metadata_of_name
from tests.support.builds import build
from tests.support.pdfs import pdf


@pytest.mark.parametrize(
    ("stem", "authors", "year", "title"),
    [
        ("Tocqueville - 1952 - L’Ancien Régime", ("Tocqueville",), 1952, "L’Ancien Régime"),
        ("Griffiths et al. - 2015 - Prolonged transition", ("Griffiths",), 2015, "Prolonged transition"),
        (
            "Müller and van der Berg - 2020 - Marshes - a review",
            ("Müller", "van der Berg"),
            2020,
            "Marshes - a review",
        ),
        ("Kant und Hegel – 1912 – Werke", ("Kant", "Hegel"), 1912, "Werke"),
        ("Kaur, Singh, Das - 2010a - 12 plants", ("Kaur", "Singh", "Das"), 2010, "12 plants"),
    ],
)
def test_author_year_and_title_are_read(stem, authors, year, title):
    assert metadata_of_name(stem) == Metadata(title, authors, year)


@pytest.mark.parametrize(
    "stem",
    [
        "feng2022",
        "1-s2.0-S0092867419301126-main",
        "2020 - Marshes",
        "Smith - 3020 - M",
        "A - B - C",
        "Smith - 2020 -",
        "report-2020-final",
        "10.1371 - 2020 - x",
    ],
)
def test_other_names_tell_nothing(stem):
    assert metadata_of_name(stem) == Metadata()


def test_what_is_printed_completes_what_the_name_tells():
    name = metadata_of_name("Feng et al. - 2022 - Electrochemically switchable st")
    printed = Metadata(
        "Electrochemically switchable states", ("Feng, Yijun", "Szeto, Ada"), 2021, doi="10.1/x"
    )
    assert completed(name, printed) == Metadata(printed.title, printed.authors, 2022, "10.1/x")
    other = Metadata("Downloaded from a library", ("Library, University",), 2019)
    assert completed(name, other) == Metadata(name.title, ("Feng",), 2022)
    assert completed(Metadata(), printed) == printed


def test_a_paper_has_the_metadata_and_the_key_that_its_files_name_tells(tmp_path):
    folder = tmp_path / "papers"
    folder.mkdir()
    file = folder / "Tocqueville - 1952 - L’Ancien Régime.pdf"
    file.write_bytes(pdf("Front", "Matter", "The past is a foreign country."))
    build([folder], tmp_path, keys="auto")
    with lookup.open(tmp_path / "corpus") as corpus:
        (paper,) = corpus.papers()
        assert (paper.key, paper.authors, paper.year) == ("tocqueville1952", ("Tocqueville",), 1952)
        assert paper.title == "L’Ancien Régime"
        assert corpus.verify("The past is a foreign country.", "Tocqueville 1952").verdict == "verbatim"
