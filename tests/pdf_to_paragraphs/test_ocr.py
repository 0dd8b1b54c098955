"""Scans: pages without usable text are read by Tesseract, in column order; without it they are said not to be
covered.
"""

import math
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pymupdf
import pytest

import lookup
from lookup.errors import BuildError
from pipeline.builds.stages import extract_stage
from pipeline.builds.survey import BuildSettings
from pipeline.engines.local import Local
from pipeline.extract import extract
from pipeline.ocr import pages
from pipeline.ocr.language import wrong_language
from pipeline.ocr.pages import NotGrantedError, with_ocr
from pipeline.ocr.pictures import Picture, tilt_of
from pipeline.ocr.recognised_lines import Seen, ocr_lines, seen
from pipeline.ocr.tesseract import Ocr, Tesseract, find_ocr, language_of
from pipeline.pdf.reading import read_pdf
from pipeline.work.outcomes import Limits
from tests.support.builds import build
from tests.support.command import pagequote
from tests.support.needs import needs
from tests.support.pdfs import pdf
from tests.support.processes import gone
from tests.support.scans import joined, scanned


def needs_tesseract(test):
    """Mark a test that starts Tesseract."""
    return pytest.mark.system(needs("Tesseract")(test))


LEFT = "people prefer to work by day"
OVER_COLUMNS = "a temperature response that was fitted to daytime data"
DIRTY = "a small motor that closed the lid every 40 minutes for 150 seconds"
TYPED = "This page was typed and keeps its very own text, whatever the picture beside it says."
CONTROL = "".join(map(chr, range(1, 9)))


@pytest.fixture(scope="module")
def paper(samples):
    """A sample paper in two columns; on its first page a word is cut between them."""
    return (samples / "lindqvist2019.pdf").read_bytes()


@pytest.fixture(scope="module")
def mixed(paper):
    """A typed page, a clean scan, a dirty one, and a blank page."""
    return joined(pdf(TYPED), scanned(paper, [1]), scanned(paper, [2], resolution=150, specks=400), pdf(""))


@pytest.fixture(scope="module")
def read(mixed, tmp_path_factory):
    """A corpus of it, read by OCR, and what was built of it; what lies in the temporary folder must not
    grow.
    """
    root = tmp_path_factory.mktemp("scans")
    (root / "scan.pdf").write_bytes(mixed)
    (root / "tmp").mkdir()
    command = [
        sys.executable,
        "-c",
        "from pagequote.cli import main; main()",
        "build",
        "scan.pdf",
        "--corpus",
        "corpus",
    ]
    done = subprocess.run(
        [*command, "--deadline", "30"],
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "TMPDIR": str(root / "tmp")},
    )
    assert done.returncode == 0, done.stderr
    with lookup.open(root / "corpus") as corpus:
        yield corpus, done.stderr, root


def sources(corpus):
    return [source for (source,) in corpus.sql("SELECT source FROM pages ORDER BY page").fetchall()]


def built(root, mode):
    """What a build of the PDFs in `root` with this mode does, as far as OCR goes."""
    extraction, _ = build([root], root, ocr=find_ocr(mode, "eng"))
    return extraction


@needs_tesseract
@pytest.mark.long
def test_each_page_says_where_its_text_is_from(read):
    assert sources(read[0]) == ["text", "ocr", "ocr", "empty"]
    assert "4 pages, 2 of them by OCR" in read[1]


@needs_tesseract
@pytest.mark.parametrize(("words", "page"), [(LEFT, 2), (OVER_COLUMNS, 2), (DIRTY, 3)])
@pytest.mark.long
def test_quotes_from_scans_are_found_where_they_are_printed(read, words, page):
    (match,) = read[0].quote("scan", words).matches
    assert (match.page, match.verdict) == (page, "verbatim")


@needs_tesseract
@pytest.mark.long
def test_boxes_of_a_scan_hug_the_words_as_those_of_the_print_do(read, corpus):
    (typeset,) = corpus.quote("lindqvist2019", LEFT).matches
    (found,) = read[0].quote("scan", LEFT, page=2).matches
    assert len(found.boxes) == len(typeset.boxes)
    for box, printed in zip(found.boxes, typeset.boxes, strict=True):
        assert abs(box.x0 - printed.x0) < 2
        assert abs(box.x1 - printed.x1) < 2
        assert abs((box.y0 + box.y1) - (printed.y0 + printed.y1)) < 2 * 2.5
        assert box.y1 - box.y0 < 1.5 * (printed.y1 - printed.y0)


@needs_tesseract
@pytest.mark.long
def test_a_page_that_has_text_keeps_it(read, mixed):
    assert read[0].page("scan", 1) == TYPED
    alone = read_pdf(mixed).pages[0]
    assert not alone.scanned


@needs_tesseract
@pytest.mark.long
def test_nothing_is_left_behind(read):
    (read[2] / "bare").mkdir()
    environment = {**os.environ, "TMPDIR": str(read[2] / "bare")}
    subprocess.run([sys.executable, "-c", "import pymupdf"], env=environment, check=True)
    of_pymupdf = {
        path.name for path in (read[2] / "bare").iterdir()
    }  # whatever it keeps there, it is not ours
    assert {path.name for path in (read[2] / "tmp").iterdir()} <= of_pymupdf


@needs_tesseract
@pytest.mark.long
def test_installing_tesseract_reads_again_what_wants_it_and_nothing_else(tmp_path, monkeypatch):
    (tmp_path / "typed.pdf").write_bytes(pdf(TYPED))
    (tmp_path / "scan.pdf").write_bytes(scanned(pdf("This page was scanned."), [1], resolution=120))
    with monkeypatch.context() as without:
        without.setenv("PATH", str(tmp_path))
        first = built(tmp_path, "auto")
        assert (first.read, first.by_ocr, first.unread, first.unread_papers) == (2, 0, 1, 1)
        assert "apt-get install tesseract-ocr" in first.remedy
        assert built(tmp_path, "auto").read == 0
    second = built(tmp_path, "auto")
    assert (second.read, second.by_ocr, second.unread_papers) == (1, 1, 0)
    assert built(tmp_path, "auto").read == 0
    off = built(tmp_path, "off")
    assert (off.read, off.unread_papers) == (0, 1)
    with lookup.open(tmp_path / "corpus") as corpus:
        assert not corpus.quote("scan", "This page was scanned.").covered


@needs_tesseract
def test_letters_without_a_meaning_are_read_from_the_picture_and_the_others_kept():
    with pymupdf.open(stream=pdf(TYPED)) as document:
        document[0].insert_text((72, 200), "The picture says what this line says.", fontsize=11)
        data = document.tobytes()
    (page,) = read_pdf(data).pages
    typed, other = page.lines
    unknown = tuple(word._replace(text=CONTROL * len(word.text)) for word in other.words)
    spoilt = replace(page, lines=(typed, replace(other, words=unknown)), scanned=True)
    ((mended,), _) = with_ocr(data, [spoilt], find_ocr("auto", "eng"))
    assert mended.source == "ocr"
    assert mended.lines[0] == typed
    assert [line.text for line in mended.lines[1:]] == ["The picture says what this line says."]


@needs_tesseract
def test_a_language_without_data_names_the_package_that_has_it():
    with pytest.raises(BuildError, match=r"tesseract-ocr-chi-xyz\b(.|\n)*eng"):
        find_ocr("auto", "eng+chi_xyz")


def test_without_tesseract_a_scan_is_not_covered_and_says_what_to_install(paper, tmp_path):
    (tmp_path / "scan.pdf").write_bytes(scanned(paper, [1], resolution=60))

    def run(*arguments):
        return pagequote(
            *arguments, cwd=tmp_path, PATH=str(tmp_path), PAGEQUOTE_CORPUS=str(tmp_path / "corpus")
        )

    done = run("build", "scan.pdf")
    assert done.returncode == 0
    assert "1 paper with scanned pages" in done.stderr
    assert "apt-get install tesseract-ocr" in done.stderr
    with lookup.open(tmp_path / "corpus") as corpus:
        assert sources(corpus) == ["empty"]
        assert corpus.sql("SELECT status, empty_pages FROM papers").fetchall() == [("not covered", 1)]
    asked = run("quote", "scan", LEFT)
    assert asked.returncode == 1
    assert asked.stderr.startswith("not covered")
    assert "build the corpus again with OCR" in asked.stderr
    forced = run("build", "scan.pdf", "--ocr", "force")
    assert forced.returncode == 2
    assert "apt-get install tesseract-ocr" in forced.stderr


def test_more_pages_than_were_granted_are_not_begun(paper):
    data = scanned(paper, [1, 2], resolution=40)
    missing = Tesseract("/nowhere/tesseract", "5", "eng")
    with pytest.raises(NotGrantedError) as caught:
        extract(data, Ocr("auto", missing, granted=1))
    assert caught.value.pages == 2


FOR_LONG = f"'{sys.executable}' -c 'import signal; signal.pause()'"


def fake_tesseract(folder: Path, script: str) -> Ocr:
    program = folder / "tesseract"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    return Ocr("auto", Tesseract(str(program), "5", "eng"))


@pytest.mark.long
@pytest.mark.system
@pytest.mark.parametrize(
    ("limit", "script"), [("PAGE_CLOCK_SECONDS", f"exec {FOR_LONG}"), ("PAGE_SECONDS", "while :; do :; done")]
)
def test_a_page_for_which_ocr_has_no_time_costs_itself_alone(paper, tmp_path, monkeypatch, limit, script):
    monkeypatch.setattr(pages, limit, 1)
    scan = joined(pdf(TYPED), scanned(paper, [1], resolution=40))
    record = extract(scan, fake_tesseract(tmp_path, script))
    assert [page["source"] for page in record.column("pages")[0].as_py()] == ["text", "empty"]
    assert record.column("timed_out")[0].as_py() == [2]


@pytest.mark.system
def test_a_tesseract_that_fails_is_a_failure_with_its_own_words(paper, tmp_path):
    from pipeline.pdf.opening import UnreadableError

    with pytest.raises(UnreadableError, match=r"page 1 \(out of paper\)"):
        extract(scanned(paper, [1], resolution=40), fake_tesseract(tmp_path, "echo out of paper >&2; exit 3"))


@pytest.mark.long
@pytest.mark.system
def test_tesseract_ends_with_the_worker_that_is_stopped_at_the_deadline(paper, tmp_path, monkeypatch):
    (tmp_path / "pdfs").mkdir()
    (tmp_path / "pdfs/scan.pdf").write_bytes(scanned(paper, [1], resolution=40))
    fake = fake_tesseract(tmp_path, f"echo $$ > {tmp_path}/pid; kill -ALRM $PPID; exec {FOR_LONG}")
    monkeypatch.setattr("pipeline.engines.workers.PAGE_CLOCK_SECONDS", 0.0)
    settings = BuildSettings([tmp_path / "pdfs"], [], tmp_path / "work", Limits(), fake)
    done = extract_stage(settings, Local(1))  # the deadline comes at once
    assert done.failures == {"timeout": 1}
    assert gone((tmp_path / "pid").read_text().strip())


GERMAN = (
    "Die Strafienbahn ist ein Verkehrsmittel, das auf Schienen durch die Stadt fahrt und dabei viele "
    "Menschen zu ihrer Arbeit bringt. Der Wagen wird von einem Motor angetrieben, und der Strom kommt aus "
    "einer Leitung, die mit den Masten verbunden ist. Das ist nicht teuer, und es wurde vor Jahren gebaut."
)
ENGLISH = (
    "The tram is a vehicle that runs on rails through the streets of the town and takes many people to "
    "their work. The carriage is driven by a motor, and the current comes from a line that hangs between the "
    "masts. It is not expensive, and most of the lines were built many years ago, when there were few cars."
)
STRANGE = "Bce jiopu poxyiatotca cbo6oyHbimu paBHbimu cBoem pocrounctBe npaBax " * 6


def read_as(text, confidence=90.0):
    """The words of a text as Tesseract gives them, eight a line."""
    return [
        Seen(
            word,
            40.0 * (i % 8),
            12.0 * (i // 8),
            40.0 * (i % 8) + 35,
            12.0 * (i // 8) + 10,
            confidence,
            ("1", "1", str(i // 8)),
        )
        for i, word in enumerate(text.split())
    ]


@pytest.mark.parametrize(
    ("text", "sure", "asked", "twice", "said"),
    [
        (ENGLISH, 75, "eng", False, ""),
        (ENGLISH, 75, "deu+eng", False, ""),
        (GERMAN, 90, "deu", False, ""),
        (GERMAN, 90, "eng", False, "look German and were read as eng: build with --ocr-language eng+deu."),
        (GERMAN, 90, "eng+pol", False, "--ocr-language eng+pol+deu"),
        (GERMAN, 90, "eng", True, ""),  # the second reader has read it, in any language
        (ENGLISH, 90, "deu", False, "look English"),
        (STRANGE, 35, "eng", False, "read as eng, with a confidence of 35 %"),
        (
            STRANGE,
            35,
            "eng",
            False,
            "or get the second reader for poor scans: `pagequote model get pp-ocrv6`",
        ),
        (STRANGE, 35, "eng", True, "(apt-cache search tesseract-ocr lists them)."),
        (STRANGE, 96, "eng", False, ""),  # names and formulas that are sure
        (STRANGE, 85, "pol", False, ""),  # of which there is no list
        (STRANGE, 35, "pol", False, "read as pol"),
        (STRANGE[:200], 35, "eng", False, ""),  # labels of a picture
        ("", 35, "eng", False, ""),
    ],
)
def test_scans_read_in_a_wrong_language_are_told_with_the_right_option(text, sure, asked, twice, said):
    told = wrong_language(read_as(text, sure), asked, twice=twice)
    assert said in told
    assert bool(said) == bool(told)


@pytest.mark.parametrize(
    ("stamps", "language"),
    [
        ([], "eng"),
        (["", "unread"], "eng"),
        (["tesseract-5.3.0-deu", "tesseract-5.3.0-eng", "tesseract-5.3.0-deu-late"], "deu"),
        (["tesseract-5.3.0-eng+deu+pp-ocrv6-all"], "eng+deu"),
        (["text-0a1b+tesseract-v5.0.0-alpha-2021-chi_sim+pp-ocrv6"], "chi_sim"),
        ([Tesseract("tesseract", "5.3.0", "script/Latin").stamp], "script/Latin"),
        (["pp-ocrv6"], "eng"),
    ],
)
def test_the_language_of_earlier_scans_is_known_by_their_stamps(stamps, language):
    assert language_of(stamps) == language


def table(*words):
    """Tesseract's table of words (block, line, x, y, width, height, confidence, text)."""
    head = "level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext"
    rows = [f"5\t1\t{b}\t1\t{n}\t1\t{x}\t{y}\t{w}\t{h}\t{c}\t{t}" for b, n, x, y, w, h, c, t in words]
    return "\n".join([head, *rows]) + "\n"


def lines_of(text, zoom=1.0, page=1):
    """The lines of Tesseract's table of a blank picture."""
    picture = Picture(np.full((200, 600), 255, np.uint8), zoom)
    return ocr_lines(seen(text, picture), page, picture)


def test_a_line_is_parted_where_it_would_run_across_a_gutter():
    row = [(1, 1, 100 + 60 * i, 50, 50, 14, 95, "Words") for i in range(3)]
    row += [(1, 1, 400 + 60 * i, 50, 50, 14, 95, "Other") for i in range(2)]
    lines = lines_of(table(*row), 2.0, 7)
    assert [(line.text, line.page) for line in lines] == [("Words Words Words", 7), ("Other Other", 7)]


@pytest.mark.parametrize("tilt", [0.0, 0.5])
def test_sizes_and_baselines_are_those_of_the_print_however_high_the_boxes_of_its_words(tilt):
    text = "sea and Hill gap quay"
    with pymupdf.open() as document:
        page = document.new_page(width=400, height=200)
        for at, size in ((60, 12), (76, 12), (120, 8)):
            page.insert_text((50, at), 3 * f"{text} ", fontsize=size, fontname="tiro")
        matrix = pymupdf.Matrix(4, 4).prerotate(tilt)
        drawn = page.get_pixmap(matrix=matrix, colorspace=pymupdf.csGRAY)
    grey = np.frombuffer(drawn.samples, np.uint8).reshape(drawn.height, drawn.width)
    picture = Picture(grey, 4.0, tilt_of(grey))
    assert picture.tilt == pytest.approx(math.tan(math.radians(tilt)), abs=0.001)
    words = [
        Seen(word, 50 + 25 * place, at - 12, 72 + 25 * place, at + 5, 95.0, (str(at),))
        for at in (60, 76, 120)
        for place, word in enumerate(text.split())
    ]
    lines = ocr_lines(words, 1, picture)
    assert [line.size for line in lines] == pytest.approx([12, 12, 8], rel=0.12)
    assert lines[0].size == lines[1].size
    assert all(len({(word.y0, word.y1) for word in line.words}) == 1 for line in lines)
    if not tilt:
        assert [line.baseline for line in lines] == pytest.approx([60, 76, 120], abs=0.8)


def test_what_tesseract_sees_in_rules_pictures_and_dirt_is_no_word():
    rule = [(1, 1, 0, 20, 40, 2, 95, " ")]
    picture = [(2, 1, 50 + 50 * i, 150, 40, 40, 3, "lamaee") for i in range(3)]
    real = [
        (3, 1, 0, 50, 40, 10, 95, "real"),
        (3, 1, 43, 50, 2, 2, 90, "."),
        (3, 1, 48, 50, 40, 10, 95, "words"),
    ]
    assert [line.text for line in lines_of(table(*rule, *picture, *real))] == ["real words"]
    assert lines_of("") == []
