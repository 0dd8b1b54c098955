"""`pagequote show --paragraphs`: a page as a picture, with its paragraphs drawn where they are printed."""

import numpy as np
import pymupdf
import pytest

import lookup
from lookup.errors import PageNotFoundError, SourceError
from pipeline.pdf.opening import UnreadableError
from pipeline.pdf.reading import read_pdf
from pipeline.pictures.drawing import Mark, render, stretches
from pipeline.pictures.inspection import _labels, inspect_page
from tests.support.builds import build
from tests.support.command import pagequote
from tests.support.pdfs import pdf

RED, BLUE = (1.0, 0.0, 0.0), (0.0, 0.0, 1.0)
TEXT = "Tidal marshes breathe at night\nand nobody was there to count."


def picture(png: bytes) -> pymupdf.Pixmap:
    return pymupdf.Pixmap(png)


def coloured(png: bytes) -> int:
    """How many of its pixels are neither white nor grey."""
    samples = np.frombuffer(picture(png).samples, np.uint8).astype(int)
    return int((abs(samples[::3] - samples[2::3]) > 8).sum())


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


@pytest.mark.long
def test_only_the_page_asked_for_is_marked(corpus):
    first = inspect_page(corpus, "lindqvist2019", 1)
    assert first.startswith(b"\x89PNG")
    assert coloured(first) > 10_000
    assert first != inspect_page(corpus, "lindqvist2019", 2)


def test_labels_of_a_paragraph_are_printed_with_the_rule_that_gave_its_kind(corpus):
    labels = _labels(corpus.original("lindqvist2019").read())
    (lines,) = corpus.sql(
        "SELECT lines FROM paragraphs WHERE key = 'lindqvist2019' AND kind = 'reference' LIMIT 1"
    ).fetchone()
    printed = labels[lines[0]["page"], round(lines[0]["x0"], 2), round(lines[0]["y0"], 2)]
    assert printed.startswith(" (in references) · begins a paragraph: ")
    assert " · list mark: " in printed
    assert " (list_marks)" in printed
    assert any(" · zone: table (zones)" in each for each in labels.values())


def test_all_that_a_page_prints_is_within_a_mark(corpus):
    data = corpus.original("okafor2021").read()
    bare = picture(render(data, 2, ()))
    rows = corpus.sql("SELECT lines FROM paragraphs WHERE key = 'okafor2021'").fetchall()
    boxes = [line for (lines,) in rows for line in lines if line["page"] == 2]
    (width,) = corpus.sql("SELECT width FROM pages WHERE key = 'okafor2021' AND page = 2").fetchone()
    zoom = bare.width / width
    marked = picture(render(data, 2, [Mark(tuple((b["x0"], b["y0"], b["x1"], b["y1"]) for b in boxes), RED)]))
    inside = [(round((b["x0"] + 1) * zoom), round((b["y0"] + 1) * zoom)) for b in boxes]
    assert all(marked.pixel(*place)[0] > marked.pixel(*place)[1] for place in inside)


def test_lines_that_go_on_beside_are_a_stretch_of_their_own():
    left = [(50, 700, 280, 712), (50, 714, 280, 726)]
    right = [(300, 60, 530, 72), (300, 74, 530, 86)]
    assert list(stretches([*left, *right])) == [left, right]
    assert list(stretches([])) == []


@pytest.mark.long
def test_notes_and_labels_take_any_script_and_any_number():
    marks = [Mark(((10, y, 100, y + 4),), RED, str(y), f"{y} body · Ευρήματα 結果") for y in range(150)]
    assert picture(render(pdf(TEXT), 1, marks)).width > picture(render(pdf(TEXT), 1, ())).width


def test_a_note_draws_nothing_over_the_print_and_labels_of_one_place_stand_apart():
    def drawn(*marks: Mark) -> np.ndarray:
        shown = picture(render(pdf(TEXT), 1, marks))
        return np.frombuffer(shown.samples, np.uint8).reshape(shown.height, shown.stride)

    box = ((300.0, 400.0, 320.0, 410.0),)
    plain, noted = drawn(Mark(box, RED)), drawn(Mark(box, RED, "", "body"))
    margin = (noted.shape[1] - plain.shape[1]) // 2
    assert (noted[9:-99, margin + 9 : -margin - 9] == plain[9:-99, 9:-9]).all()
    alone, both = (
        drawn(*marks) for marks in ([Mark(box, RED, "1")], [Mark(box, RED, "1"), Mark(box, BLUE, "2")])
    )
    full = [((one[:, ::3] > 200) & (one[:, 1::3] < 60)).sum() for one in (alone, both)]
    assert full[1] > 0.7 * full[0] > 50


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


def test_a_key_that_is_not_there_is_an_error(library):
    with lookup.open(library[1]) as corpus, pytest.raises(lookup.UnknownKeyError, match="'marsh'"):
        inspect_page(corpus, "marsch", 1)


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


def test_the_command_says_where_it_cannot_write(library, tmp_path):
    (tmp_path / "file").write_text("in the way")
    done = run("marsh", "--corpus", library[1], "--out", "file/page.png", cwd=tmp_path)
    assert done.returncode == 2
    assert "cannot be written" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_key_with_slashes_makes_one_file_name(library, tmp_path):
    paper, _ = library
    bib = tmp_path / "a.bib"
    bib.write_text(f"@misc{{DBLP:conf/x/Y-2020,\n title = {{S}},\n file = {{{paper}}}\n}}\n")
    build([bib], tmp_path)
    done = run("DBLP:conf/x/Y-2020", "--corpus", tmp_path / "corpus", cwd=tmp_path)
    assert done.stdout.strip() == "DBLP_conf_x_Y-2020-page1.png", done.stderr


def test_no_message_of_pymupdf_is_printed(capfd):
    pymupdf.message("unhandled font type 'out of a PDF'")
    assert capfd.readouterr() == ("", "")


def test_a_pdf_that_asks_for_a_password_is_refused():
    with pytest.raises(UnreadableError, match="password"):
        render(pdf(TEXT, encryption=5, owner_pw="owner", user_pw="user"), 1, ())  # 5: AES-256
