"""Highlights: written into copies of PDFs, and read back, by another reader of PDFs too."""

import io
import json
from contextlib import suppress

import pikepdf
import pymupdf
import pytest

from lookup.errors import SourceError
from lookup.results.quote_answer import Box
from pagequote.highlights.pdf import Highlight, read_highlights, with_highlights, words_under
from tests.support.command import pagequote

WORDS = "Frost did not put an end to it. On eleven nights the surface froze to a depth of at least 3 cm"
GREEN = (0.66, 0.9, 0.6)


def _faults(pdf):
    """Return what `qpdf --check` says against a PDF."""
    with pikepdf.open(io.BytesIO(pdf)) as opened:
        return opened.check_pdf_syntax()


def _near(one, other):
    return all(abs(a - b) <= 0.2 for a, b in zip(one, other, strict=True))


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
@pytest.mark.parametrize("cropped", [False, True])
def test_boxes_are_where_another_reader_finds_them(turn, cropped):
    with pymupdf.open() as made:
        page = made.new_page(width=400, height=600)
        page.insert_text((100, 200), "Printed words of a page")
        if cropped:
            page.set_cropbox(pymupdf.Rect(30, 50, 390, 560))
        page.set_rotation(turn)
        shown = [pymupdf.Rect(word[:4]) * page.rotation_matrix for word in page.get_text("words")]
        pdf = made.tobytes()
    boxes = tuple(Box(1, *(round(v, 1) for v in one)) for one in shown[:2])
    marked = with_highlights(pdf, [Highlight(boxes, "A note", GREEN)])
    (back,) = read_highlights(marked)
    assert _faults(marked) == []
    assert all(
        _near((a.x0, a.y0, a.x1, a.y1), (b.x0, b.y0, b.x1, b.y1))
        for a, b in zip(boxes, back.boxes, strict=True)
    )
    assert (back.note, back.author, back.page) == ("A note", "PageQuote", 1)
    with pymupdf.open(stream=marked) as read:
        page = read[0]
        annotation = next(page.annots())
        quads = [
            pymupdf.Quad(annotation.vertices[i : i + 4]).rect for i in range(0, len(annotation.vertices), 4)
        ]
        assert all(_near(a * page.rotation_matrix, b) for a, b in zip(quads, shown[:2], strict=True))
        assert annotation.type[1] == "Highlight"
        assert page.get_text("words")[0][4] == "Printed"


def test_a_quote_is_marked_and_read_back(corpus, corpus_path, tmp_path):
    answer = pagequote("highlight", "lindqvist2019", WORDS, "--out", tmp_path, "--corpus", corpus_path)
    assert answer.returncode == 0
    copy = tmp_path / "lindqvist2019.pdf"
    assert _faults(copy.read_bytes()) == []
    (back,) = read_highlights(copy.read_bytes())
    match = corpus.quote("lindqvist2019", WORDS).matches[0]
    assert [one.page for one in back.boxes] == [one.page for one in match.boxes]
    assert words_under(corpus, "lindqvist2019", back.boxes).startswith(WORDS)
    listed = pagequote("highlight", "--read", copy, "--corpus", corpus_path, "--json")
    (row,) = json.loads(listed.stdout)
    assert (row["verdict"], row["page_label"], row["note"]) == ("verbatim", "1651", "verbatim")
    latex = pagequote("highlight", "--read", copy, "--corpus", corpus_path, "--format", "latex")
    assert latex.stdout.startswith(r"\mciteboxp{lindqvist2019}{2}{Frost did not")


def test_all_quotations_of_a_manuscript_are_marked(corpus_path, tmp_path):
    draft = tmp_path / "draft.md"
    draft.write_text(
        '"people prefer to work by day" [@lindqvist2019, p. 1650], "people prefer to work by night" '
        "[@lindqvist2019], "
        '"A flooded sheet does betray itself." [@okafor2021] and "nobody printed any of this" [@okafor2021].'
    )
    answer = pagequote("highlight", draft, "--out", tmp_path / "out", "--corpus", corpus_path)
    assert answer.returncode == 1
    assert "draft.md:1: not found, okafor2021: nobody printed any of this" in answer.stderr
    marked = read_highlights((tmp_path / "out/lindqvist2019.pdf").read_bytes())
    assert [one.note.splitlines()[1].split(",")[0] for one in marked] == ["ok: verbatim", "error: near"]
    assert marked[0].colour != marked[1].colour
    assert len(read_highlights((tmp_path / "out/okafor2021.pdf").read_bytes())) == 1
    assert [_faults(copy.read_bytes()) for copy in (tmp_path / "out").iterdir()] == [[], []]


def test_a_pdf_without_marks_and_a_broken_one(corpus_path, samples, tmp_path):
    none = pagequote("highlight", "--read", samples / "okafor2021.pdf", "--corpus", corpus_path)
    assert (none.returncode, none.stdout) == (1, "")
    for broken in (b"", b"%PDF-1.7 and no more"):
        with pytest.raises(SourceError, match="cannot be opened"):
            read_highlights(broken)


_OF_A_MARK = ("QuadPoints", "C", "Contents", "T", "Subtype")
_OF_A_PAGE = ("MediaBox", "CropBox", "Rotate", "UserUnit", "Annots")


@pytest.mark.parametrize("place", _OF_A_MARK + _OF_A_PAGE)
@pytest.mark.parametrize(
    "odd", ["1", "/N", "(a)", "null", "[]", "[[1]]", "-99999999999", "[1 (a) /b null 5 6 7 8]", "<<>>"]
)
def test_marks_of_a_pdf_that_was_made_to_deceive_are_read_or_refused(place, odd):
    mark = {"Subtype": "/Highlight", "QuadPoints": "[1 2 3 2 1 1 3 1]"}
    page = {"Type": "/Page", "MediaBox": "[0 0 400 600]"}
    (mark if place in _OF_A_MARK else page)[place] = odd
    page.setdefault("Annots", f"[<< {' '.join(f'/{name} {value}' for name, value in mark.items())} >>]")
    with pikepdf.new() as made:
        text = f"<< {' '.join(f'/{name} {value}' for name, value in page.items())} >>"
        made.pages.append(pikepdf.Page(made.make_indirect(pikepdf.Object.parse(text.encode()))))
        file = io.BytesIO()
        made.save(file)
    for call in (
        read_highlights,
        lambda pdf: with_highlights(pdf, [Highlight((Box(1, 1, 1, 9, 9),), "", GREEN)]),
    ):
        with suppress(SourceError):
            call(file.getvalue())


def test_a_damaged_pdf_that_would_show_a_mark_on_two_pages_is_not_marked():
    with pymupdf.open() as made:
        for _ in range(2):
            made.new_page()
        made.xref_set_key(made.page_xref(1), "Annots", f"[{made.xref_length()} 0 R]")  # what the next mark is
        pdf = made.tobytes()
    with pytest.raises(SourceError, match=r"is damaged: a copy would not keep its marks\. Save it anew"):
        with_highlights(pdf, [Highlight((Box(1, 72, 72, 300, 90),), "", GREEN)])
