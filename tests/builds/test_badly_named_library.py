"""A folder of badly named PDFs of real papers, with a .bib that names no file, and without one."""

import csv
import re
import shutil
from pathlib import Path

import pymupdf
import pytest

from lookup.corpus import open as open_corpus
from tests.support.builds import build
from tests.support.needs import needs
from tests.support.profiles import tried

PAPERS = Path(__file__).resolve().parents[3] / "shared/corpus/papers"
pytestmark = [
    pytest.mark.system,
    pytest.mark.long,
    needs("the shared papers"),
]

_PDFS = tried(20, nightly=40)
_ENTRIES = _PDFS - 4
_PAGES = 3
"""Pages that the PDFs keep: titles, authors and DOIs stand on the first."""

_NAMES = (
    "1-s2.0-S{n:05d}-main.pdf",
    "paper ({n}).pdf",
    "Author et al. - {n} - A TITLE, CUT {{AT}} SIXTY, CHARAC.pdf",
    "sub folder {n}/fulltext.pdf",
    "10.1186_s{n}.PDF",
    "Übersicht \\ {n} (final) [v2].pdf",
)


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    """The folder, its .bib, and the key of the entry of each PDF that has one."""
    root = tmp_path_factory.mktemp("badly_named")
    with (PAPERS / "MANIFEST.tsv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))[:_PDFS]
    entries, keys = [], {}
    for n, row in enumerate(rows):
        path = root / "Papers" / (_NAMES[n % len(_NAMES)].format(n=n) if n else "paper.pdf")
        path.parent.mkdir(parents=True, exist_ok=True)
        with pymupdf.open(PAPERS / row["key"] / "paper.pdf") as paper:
            paper.select(range(min(_PAGES, len(paper))))
            paper.save(path)
        if n < _ENTRIES:
            keys[path] = f"Cited:{n}"
            named = re.fullmatch(r"([^\d]+)(\d{4}).*", row["key"])
            assert named is not None
            family, year = named.groups()
            fields = f"title = {{{row['title']}}}, year = {year}, author = {{{family}}}"
            # Three entries of four have the DOI; the others are known by title and first author.
            fields += f", doi = {{https://doi.org/{row['doi']}}}" if n % 4 else ""
            entries.append(f"@article{{Cited:{n}, {fields}}}")
    bib = root / "refs.bib"
    bib.write_text("\n".join(entries), encoding="utf-8")
    return root, bib, keys


def test_a_bib_without_files_finds_the_pdf_of_each_entry(library):
    root, bib, keys = library
    extraction, _ = build([root / "Papers"], root / "by_bib", [bib], work=root / "work")
    with open_corpus(root / "by_bib/corpus") as corpus:
        rows = corpus.sql("SELECT path, key, library FROM papers").fetchall()
        found = {corpus.release.source(path): key for path, key, _ in rows}
        libraries = {
            corpus.release.source(path): library and corpus.release.source(library)
            for path, _, library in rows
        }
    assert {path for path, named in libraries.items() if named == str(bib)} == set(map(str, keys))
    assert list(libraries.values()).count(None) == _PDFS - _ENTRIES
    assert {path: found[str(path)] for path in keys} == keys
    assert (extraction.named.with_pdf, extraction.named.without_pdf) == (_ENTRIES, ())
    assert len(extraction.named.without_entry) == _PDFS - _ENTRIES


def test_without_a_library_each_paper_has_a_key_that_can_be_cited_and_keeps_it(library):
    root, _, _ = library
    if (root / "work/extracted").is_dir():  # the other test has read the same PDFs
        shutil.copytree(root / "work/extracted", root / "alone-work/extracted")
    answers = []
    for _ in range(2):
        build([root / "Papers"], root / "alone", work=root / "alone-work")
        with open_corpus(root / "alone/corpus") as corpus:
            answers.append(dict(corpus.sql("SELECT path, key FROM papers").fetchall()))
    keys = set(answers[0].values())
    assert answers[0] == answers[1]
    assert len(keys) == _PDFS
    assert [key for key in keys if not re.fullmatch(r"[A-Za-z]\w*(?:[-.:+]\w+)*", key)] == []
    assert sum(bool(re.fullmatch(r"[a-z]+(?:19|20)\d\d[a-z]?", key)) for key in keys) >= _PDFS - 4
