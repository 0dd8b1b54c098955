"""What a .bib says: entries, files, metadata, and a sentence for what is broken in it."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lookup.errors import SourceError
from lookup.results.papers import PaperSummary
from pagequote.reference_list import bibtex, csl_json
from pipeline.libraries.bibtex import read_bibliography
from pipeline.libraries.csl_json import read_csl_json
from pipeline.libraries.entries import Bibliography, LibraryEntry, Metadata, normalised_doi
from tests.support.cases import cases

CASES = cases("sources/bibliography.toml")


def read(folder: Path, text: str) -> Bibliography:
    path = folder / "refs.bib"
    path.write_text(text, encoding="utf-8")
    return read_bibliography(path)


def only(folder: Path, fields: str, before: str = "") -> LibraryEntry:
    """The entry with these fields, which nothing is wrong with."""
    bibliography = read(folder, f"{before}\n@article{{key,\n{fields}\n}}\n")
    assert bibliography.problems == ()
    (entry,) = bibliography.entries
    return entry


def test_an_entry_gives_key_files_and_metadata(tmp_path: Path) -> None:
    assert read(
        tmp_path,
        r"""
        @article{feng2022,
          title    = {Electrochemically {S}witchable {H}ydrogels},
          author   = {Feng, Yijun and M{\"u}ller, J{\"o}rg},
          journal  = {J. Am. Chem. Soc.},
          year     = {2022},
          doi      = {10.1021/JACS.2C01234},
          abstract = {We show
                      that gels switch.},
          file     = {papers/feng.pdf}
        }
        """,
    ) == Bibliography(
        entries=(
            LibraryEntry(
                key="feng2022",
                files=(tmp_path / "papers/feng.pdf",),
                metadata=Metadata(
                    title="Electrochemically Switchable Hydrogels",
                    authors=("Feng, Yijun", "Müller, Jörg"),
                    year=2022,
                    doi="10.1021/jacs.2c01234",
                    venue="J. Am. Chem. Soc.",
                    abstract="We show that gels switch.",
                ),
            ),
        ),
        problems=(),
    )


@pytest.mark.parametrize("key", ["o'brien 2020", "DBLP:conf/acl/Feng22", "müller_2021", "10.1000/x+y"])
def test_keys_may_have_slashes_apostrophes_spaces_and_any_letters(tmp_path: Path, key: str) -> None:
    assert [entry.key for entry in read(tmp_path, f"@article{{{key}, title = {{T}}}}").entries] == [key]


@pytest.mark.parametrize(
    ("latex", "text"),
    CASES["latex is decoded"],
)
def test_latex_is_decoded(tmp_path: Path, latex: str, text: str) -> None:
    assert only(tmp_path, f"title = {{{latex}}}, abstract = {{{latex}}}").metadata == Metadata(
        title=text, abstract=text
    )


@pytest.mark.parametrize(
    ("author", "authors"),
    [
        ("Yijun Feng", ("Feng, Yijun",)),
        ("Feng, Yijun and Donald E. Knuth", ("Feng, Yijun", "Knuth, Donald E.")),
        ("Anna van der Berg and van der Berg, Anna", ("van der Berg, Anna", "van der Berg, Anna")),
        ("King, Jr., Martin Luther", ("King, Martin Luther, Jr.",)),
        ("{Barnes and Noble, Inc.} and Doe, J.", ("Barnes and Noble, Inc.", "Doe, J.")),
        ("{ATLAS Collaboration}", ("ATLAS Collaboration",)),
        (r"\'Eric Blanc and {\O}ster, {\AA}sa", ("Blanc, Éric", "Øster, Åsa")),
        ("Aristotle", ("Aristotle",)),
        ("Feng, Y. and others", ("Feng, Y.",)),
        ("Feng,\n  Yijun\n  and\n  Doe, Jane", ("Feng, Yijun", "Doe, Jane")),
        ("family=Berg, given=Anna, prefix=van der, useprefix=true", ("van der Berg, Anna",)),
        ("A, B, C, D, E", ("A, C D E, B",)),
    ],
)
def test_authors_are_family_and_given_names(tmp_path: Path, author: str, authors: tuple[str, ...]) -> None:
    assert only(tmp_path, f"author = {{{author}}}").metadata.authors == authors


@pytest.mark.parametrize(
    ("fields", "year"),
    [
        ("year = 2022", 2022),
        ('year = "2022"', 2022),
        ("year = {c. 1998}", 1998),
        ("date = {2021-05-03}", 2021),
        ("date = {2019/2020}", 2019),
        ("year = {in press}, date = {2023-01}", 2023),
        ("year = 2022, date = {2021}", 2022),
        ("year = {forthcoming}", None),
        ("year = {123456}", None),
    ],
)
def test_the_year_is_from_year_or_else_from_date(tmp_path: Path, fields: str, year: int | None) -> None:
    assert only(tmp_path, fields).metadata.year == year


@pytest.mark.parametrize(
    ("field", "doi"),
    [
        (r"10.1000/a\_b", "10.1000/a_b"),
        (r"10.1000/a{\_}b", "10.1000/a_b"),
        ("10.1000/{ABC}--d", "10.1000/abc--d"),
        ("https://doi.org/10.1000/ABC", "10.1000/abc"),
        (
            r"10.1002/(SICI)1521-3773(19980420)37:7{\textless}900::AID-ANIE900{\textgreater}3.0.CO;2-\#",
            "10.1002/(sici)1521-3773(19980420)37:7<900::aid-anie900>3.0.co;2-#",
        ),
        ("n/a", None),
    ],
)
def test_a_doi_is_read_out_of_its_field(tmp_path: Path, field: str, doi: str | None) -> None:
    assert only(tmp_path, f"doi = {{{field}}}").metadata.doi == doi


@pytest.mark.parametrize(
    ("text", "doi"),
    [
        ("doi:10.1021/jacs.2c01234", "10.1021/jacs.2c01234"),
        ("http://dx.doi.org/10.1000%2FABC%28d%29", "10.1000/abc(d)"),
        ("Cite this: https://doi.org/10.1021/jacs.2c01234. Received", "10.1021/jacs.2c01234"),
        ("(see 10.1016/S0140-6736(20)30183-5).", "10.1016/s0140-6736(20)30183-5"),
        ("[10.1000/a_b]; next", "10.1000/a_b"),
        ("10.1000.10/123456", "10.1000.10/123456"),
        ("version 110.1000/abc", None),
        ("arXiv:2210.1000/x", None),
        ("10.1000/.", None),
        ("10.5/abc", None),
        ("", None),
    ],
)
def test_a_doi_is_found_in_printed_text(text: str, doi: str | None) -> None:
    assert normalised_doi(text) == doi


def test_strings_are_filled_in_joined_and_read_from_top_to_bottom(tmp_path: Path) -> None:
    bibliography = read(
        tmp_path,
        """
        @string{acs = "Am. Chem. Soc."}
        @string{JACS = {J. } # acs}
        @article{one, journal = jacs, title = "A # {"}B{"} " # {C # } # acs, file = {dir/} # "a.pdf"}
        @string{acs = {other}}
        @article{two, journal = ACS, year = 20 # 22}
        @article{three, title = {one " mark} # { # more}, journal = "unbalanced } " # acs}
        """,
    )
    assert bibliography.problems == ()
    assert [entry.metadata for entry in bibliography.entries] == [
        Metadata(title='A # "B" C # Am. Chem. Soc.', venue="J. Am. Chem. Soc."),
        Metadata(venue="other", year=2022),
        Metadata(title='one " mark # more', venue="unbalanced other"),
    ]
    assert bibliography.entries[0].files == (tmp_path / "dir/a.pdf",)


@pytest.mark.parametrize(
    ("field", "names"),
    CASES["the pdfs of a file field are taken as they are named"],
)
def test_the_pdfs_of_a_file_field_are_taken_as_they_are_named(
    tmp_path: Path, field: str, names: list[str]
) -> None:
    assert only(tmp_path, f"file = {{{field}}}").files == tuple(tmp_path / name for name in names)


def test_absolute_files_stay_and_the_home_folder_is_filled_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", "/home/feng")
    assert only(tmp_path, "file = {/lib/a.pdf;~/lib/b.pdf;~c.pdf;d/~/e.pdf}").files == (
        Path("/lib/a.pdf"),
        Path("/home/feng/lib/b.pdf"),
        tmp_path / "~c.pdf",
        tmp_path / "d/~/e.pdf",
    )


def test_relative_files_are_taken_from_the_folder_of_the_bib_wherever_one_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "library").mkdir()
    read(tmp_path / "library", "@misc{k, file = {a.pdf}}")
    monkeypatch.chdir(tmp_path)
    assert read_bibliography(Path("library/refs.bib")).entries[0].files == (tmp_path / "library/a.pdf",)


def test_a_broken_entry_costs_that_entry_alone_and_is_told(tmp_path: Path) -> None:
    bibliography = read(
        tmp_path,
        "% a comment\n@article{first, year = 2001}\n\n@article{broken, title = {never closed,\n year = 2002\n"
        "@article{last, year = 2003}\n@article{cut, title = {off",
    )
    assert [entry.key for entry in bibliography.entries] == ["first", "last"]
    broken, cut = bibliography.problems
    assert broken.startswith(f"{tmp_path / 'refs.bib'}, line 4, @article 'broken': Unexpected block start")
    assert cut == f"{tmp_path / 'refs.bib'}, line 7, @article 'cut': Unexpectedly reached end of file."


@pytest.mark.parametrize(
    ("text", "keys", "problem"),
    [
        ("@misc{a, year=1}\n@misc{a, year=2}", ["a"], "line 2, @misc 'a': an entry above has the same key"),
        (
            "@misc{\u00e9}\n@misc{e\u0301}",
            ["\u00e9"],
            "line 2, @misc 'e\u0301': an entry above has the same key",
        ),
        ("@misc{a, title={A}, Title={B}}", ["a"], "line 1, @misc 'a': 'title' is there twice"),
        ("@misc{a, title={A}, title={B}}", ["a"], "line 1, @misc 'a': 'title' is there twice"),
        ("@misc{, title={A}}", [], "line 1, @misc '': it has no key"),
        ("@misc{a, journal = jacs}", ["a"], "line 1, @misc 'a': 'journal' is left out"),
        ("\n@string{s = t}\n@misc{a}", ["a"], "line 2, @string 's': 's' is left out"),
        ("@misc{a\n title={A}}", [], "line 1, @misc 'a': Expected comma after entry key"),
        (
            "@misc{a, title={" + "{" * 900 + "}" * 900 + "}}",
            ["a"],
            "@misc 'a': 'title' is left out: it cannot",
        ),
        (
            "@misc{a, author={" + "{" * 900 + "}" * 900 + "}}",
            ["a"],
            "@misc 'a': 'author' is left out: it cannot",
        ),
    ],
)
def test_what_is_not_understood_is_told_with_line_entry_and_cause(
    tmp_path: Path, text: str, keys: list[str], problem: str
) -> None:
    bibliography = read(tmp_path, text)
    assert [entry.key for entry in bibliography.entries] == keys
    (told,) = bibliography.problems
    assert told.startswith(str(tmp_path / "refs.bib"))
    assert problem in told


TOKENS = st.sampled_from(
    [
        *'ak@,={}#$%é:;"\\ \n',
        "@article{",
        "@string{",
        "@comment(",
        "title={",
        "author={",
        "file={",
        "doi=",
        "10.1000/x",
        "\\begin{",
    ]
)


@given(st.lists(TOKENS, max_size=40).map("".join))
def test_no_text_stops_the_reading(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    folder = tmp_path_factory.getbasetemp()
    bibliography = read(folder, f"{text}\n@article{{last, year = 2022}}")
    keys = [entry.key for entry in bibliography.entries]
    assert len(keys) == len(set(keys))
    assert "last" in keys or bibliography.problems
    assert all(problem.startswith(f"{folder / 'refs.bib'}, line ") for problem in bibliography.problems)


@pytest.mark.parametrize("content", [b"@misc{a, title = {M\xfcller}}", "@misc{a}".encode("utf-16-le")])
def test_a_bib_that_is_not_utf_8_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "refs.bib"
    path.write_bytes(content)
    with pytest.raises(SourceError, match="UTF-8") as caught:
        read_bibliography(path)
    assert str(path) in str(caught.value)


def test_a_library_that_is_written_is_read_as_it_was(tmp_path: Path) -> None:
    authors = ("van der Berg, Anna", "Müller, Jörg, Jr.", "The {ICE} Consortium")
    paper = PaperSummary(
        "berg2021", "Ice & 50% of #x", authors, 2021, "10.1/a_b%c", "J. Ice", 3, 9, covered=True
    )
    bib, csl = tmp_path / "refs.bib", tmp_path / "refs.json"
    bib.write_text(bibtex([paper]), encoding="utf-8")
    csl.write_text(json.dumps(csl_json([paper])), encoding="utf-8")
    for library in (read_bibliography(bib), read_csl_json(csl)):
        (entry,) = library.entries
        assert library.problems == ()
        assert (entry.key, entry.metadata.title, entry.metadata.year) == ("berg2021", paper.title, 2021)
        assert (entry.metadata.authors, entry.metadata.venue) == (authors, "J. Ice")


def test_strings_that_stand_for_too_much_are_left_out_with_the_cause(tmp_path):
    bib = tmp_path / "a.bib"
    bib.write_text(
        f"@string{{a = {{{'word ' * 4_000}}}}}\n@string{{b = a # a # a # a # a # a}}\n"
        "@misc{k, title = b, year = 2001}\n"
    )
    read = read_bibliography(bib)
    assert [entry.metadata.year for entry in read.entries] == [2001]
    assert "line 2, @string 'b': 'b' is left out: what it stands for is too long" in read.problems[0]
