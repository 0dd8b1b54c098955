"""`pagequote show --paragraphs`: a page as a picture, with its paragraphs drawn where they are printed."""

import numpy as np
import pymupdf
import pytest

import lookup
from lookup.errors import PageNotFoundError, SourceError
from pipeline.files.original_file import read_original
from pipeline.pdf.reading import read_pdf
from pipeline.pictures.drawing import Mark, render
from pipeline.pictures.inspection import _labels, inspect_page
from tests.support.builds import build
from tests.support.command import pagequote
from tests.support.pdfs import pdf

RED, BLUE = (1.0, 0.0, 0.0), (0.0, 0.0, 1.0)
TEXT = "Tidal marshes breathe at night\nand nobody was there to count."


def picture(png: bytes) -> pymupdf.Pixmap:
    return pymupdf.Pixmap(png)


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """A PDF of two pages, and a corpus of it."""
    root = tmp_path_factory.mktemp("inspect")
    paper = root / "pdfs" / "marsh.pdf"
    paper.parent.mkdir()
    paper.write_bytes(pdf(TEXT, ""))
    build([paper.parent], root)
    return paper, root / "corpus"


@pytest.fixture
def library(built):
    """The same, the PDF as it was whatever a test did to it."""
    data = built[0].read_bytes()
    yield built
    built[0].write_bytes(data)


def run(*arguments, cwd):
    return pagequote("show", "--paragraphs", *arguments, cwd=cwd)


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_boxes_lie_on_the_print_however_the_page_is_turned(rotation):
    with pymupdf.open(stream=pdf(TEXT)) as document:
        document[0].set_rotation(rotation)
        data = document.tobytes()
    (page,) = read_pdf(data).pages
    boxes = tuple((line.x0, line.y0, line.x1, line.y1) for line in page.lines)
    bare, marked = picture(render(data, 1, ())), picture(render(data, 1, [Mark(boxes, RED)]))
    height = round(page.height * bare.width / page.width)  # below it is the foot of the picture
    red = np.frombuffer(bare.samples, np.uint8).reshape(bare.height, bare.stride)[:, : 3 * bare.width : 3]
    zoom = bare.width / page.width
    y, x = (np.argwhere(red[2 : height - 2, 2:-2] < 100) + 2).T / zoom
    assert len(x) > 500
    assert np.any([(x0 <= x) & (x <= x1) & (y0 <= y) & (y <= y1) for x0, y0, x1, y1 in boxes], axis=0).all()
    assert marked.pixel(*(round(v * zoom) for v in boxes[0][:2])) != (255, 255, 255)


def test_labels_of_a_paragraph_are_printed_with_the_rule_that_gave_its_kind(corpus):
    labels = _labels(read_original(corpus.original("lindqvist2019")))
    (lines,) = corpus.sql(
        "SELECT lines FROM paragraphs WHERE key = 'lindqvist2019' AND kind = 'reference' LIMIT 1"
    ).fetchone()
    printed = labels[lines[0]["page"], round(lines[0]["x0"], 2), round(lines[0]["y0"], 2)]
    assert printed.startswith(" (in references) · begins a paragraph: ")
    assert " · list mark: " in printed
    assert " (list_marks)" in printed
    assert any(" · zone: table (zones)" in each for each in labels.values())


@pytest.mark.parametrize(("width", "height"), [(3, 3), (14400, 14400), (14400, 10)])
def test_a_picture_has_a_size_to_look_at_whatever_the_page_has(width, height):
    with pymupdf.open() as document:
        document.new_page(width=width, height=height)
        shown = picture(render(document.tobytes(), 1, ()))
    assert shown.width * shown.height < 4_000_000
    assert shown.width >= 10


@pytest.mark.parametrize("page", [0, -1, 3])
def test_a_page_that_is_not_there_is_an_error(library, page):
    paper, path = library
    with lookup.open(path) as corpus, pytest.raises(PageNotFoundError, match=str(page)):
        inspect_page(corpus, "marsh", page)
    with pytest.raises(PageNotFoundError, match="pages 1 to 2"):
        render(paper.read_bytes(), page, ())


@pytest.mark.parametrize("missing", [True, False])
def test_a_pdf_that_is_not_the_one_that_was_read_is_refused(library, missing):
    paper, path = library
    if missing:
        paper.unlink()
    else:
        paper.write_bytes(pdf("Other words."))
    said = "cannot be read" if missing else "has changed"
    with lookup.open(path) as corpus, pytest.raises(SourceError, match=f"{said}(.|\n)*uild "):
        inspect_page(corpus, "marsh", 1)


def test_the_command_writes_the_picture_whole_and_names_it(library, tmp_path):
    done = run("marsh", "--page", 2, "--corpus", library[1], cwd=tmp_path)
    assert (done.returncode, done.stdout.strip()) == (0, "marsh-page2.png"), done.stderr
    assert picture((tmp_path / "marsh-page2.png").read_bytes()).width > 1000
    assert not list(tmp_path.glob(".tmp-*"))


def test_no_message_of_pymupdf_is_printed(capfd):
    pymupdf.message("unhandled font type 'out of a PDF'")
    assert capfd.readouterr() == ("", "")
