"""The XML of an article gives its PDF's text; what is not named as a source is none."""

import pytest

from pipeline.builds.plan import BECAUSE
from pipeline.sources.find_sources import find_sources
from tests.support.builds import build
from tests.support.markup import jats_of
from tests.support.pdfs import pdf
from tests.support.samples import sample_papers

ARTICLE = b"<article><body><p>The ice of the northern harbour breaks late in the year.</p></body></article>"


def lay(folder, *names, xml=ARTICLE):
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(pdf(f"The paper {name}") if name.endswith(".pdf") else xml)
    return folder


FOUND = {
    "XML beside its PDF": (("a.pdf", "a.xml"), "", {"a": ("a.pdf", "a.xml")}),
    "XML of another name": (("a/paper.pdf", "a/truth.xml"), "", {"a": ("paper.pdf", None)}),
    "XML named with its PDF": (
        ("a.pdf", "a.nxml", "b.nxml"),
        "*.nxml",
        {"a": ("a.nxml", None), "b": ("b.nxml", None)},
    ),
    "both by one pattern": (("a.pdf", "a.xml", "b.xml"), "*.*", {"a": ("a.pdf", "a.xml")}),
    "web pages are named": (("a.pdf", "b.html"), "*.html", {"b": ("b.html", None)}),
    "a folder leads to its PDFs": (("a.pdf", "b.epub", "c.docx", "d.xml"), "", {"a": ("a.pdf", None)}),
}


@pytest.mark.parametrize(("names", "pattern", "expected"), FOUND.values(), ids=FOUND)
def test_xml_of_an_article_is_the_text_of_its_pdf(tmp_path, names, pattern, expected):
    sources, rejected = find_sources([lay(tmp_path, *names) / pattern])
    found = {one.key: (one.path.name, one.text and one.text.path.name) for one in sources}
    assert (found, rejected) == (expected, [])


def test_an_entry_with_pdf_and_xml_is_one_paper(tmp_path):
    lay(tmp_path, "print.pdf", "text.xml")
    library = tmp_path / "library.bib"
    library.write_text(
        "@article{ice2020, file = {Text:text.xml:application/xml;Print:print.pdf:application/pdf}}"
    )
    (source,), rejected = find_sources([library])
    assert source.text is not None
    assert (source.key, source.path.name, source.text.path.name) == ("ice2020", "print.pdf", "text.xml")
    assert rejected == []


@pytest.mark.long
def test_a_pdf_is_read_again_where_its_xml_is_new_or_another_and_then_rests(tmp_path, samples):
    paper = sample_papers()[0]
    folder, xml = tmp_path / "papers", tmp_path / "papers" / "it.xml"
    folder.mkdir()
    (folder / "it.pdf").write_bytes((samples / f"{paper.key}.pdf").read_bytes())
    why = []
    for text in (None, jats_of(paper), jats_of(paper), jats_of(paper) + b"\n", None):
        if text is None:
            xml.unlink(missing_ok=True)
        else:
            xml.write_bytes(text)
        extraction, published = build([folder], tmp_path)
        why.append((dict(extraction.why), published.new))
    assert {reason for counts, _ in why for reason in counts} <= BECAUSE.keys()
    assert why == [({"new": 1}, True), ({"text": 1}, True), ({}, False), ({"text": 1}, True), ({}, True)]


def test_xml_that_cannot_be_read_fails_its_paper_until_it_is_mended(tmp_path):
    lay(tmp_path / "papers", "a.pdf", "b.pdf", "a.xml", xml=b"<article><body><p>no end")
    reasons = [build([tmp_path / "papers"], tmp_path)[0].failures for _ in range(2)]
    assert [dict(one) for one in reasons] == [{"damaged": 1}] * 2
    (tmp_path / "papers" / "a.xml").write_bytes(b"<article><body><p>The paper a.pdf</p></body></article>")
    assert not build([tmp_path / "papers"], tmp_path)[0].failures
