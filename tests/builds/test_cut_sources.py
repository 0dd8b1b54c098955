"""A source of any kind that ends early is refused, or kept as far as it goes and said to be cut short."""

from collections.abc import Mapping

import pytest

from pipeline.extract import extract
from pipeline.formats import Format
from pipeline.pdf.opening import UnreadableError
from tests.support.builds import corpus_of
from tests.support.documents import docx, odt, paragraph, run
from tests.support.markup import book
from tests.support.pdfs import pdf

SENTENCES = [f"The {n} wardens counted flock number {7 * n} before the ice came." for n in range(1, 60)]
_P = "".join(f"<p>{one}</p>" for one in SENTENCES)
_JATS = (
    "<front><article-meta><title-group><article-title>T</article-title></title-group></article-meta></front>"
)
_PLACES = 10


_PAGES = ("\n\n\n".join(SENTENCES[at : at + 10]) for at in range(0, len(SENTENCES), 10))
KINDS: Mapping[str, tuple[Format, bytes]] = {
    "PDF": ("pdf", pdf(*_PAGES, garbage=0)),
    "web page": ("html", f"<html><head><title>A</title></head><body>{_P}</body></html>".encode()),
    "JATS": ("xml", f"<article>{_JATS}<body><sec>{_P}</sec></body></article>".encode()),
    "EPUB": ("epub", book(one=_P, two=_P)),
    "Word": ("word", docx(*(paragraph(run(one)) for one in SENTENCES))),
    "OpenDocument": ("opendocument", odt("".join(f"<text:p>{one}</text:p>" for one in SENTENCES))),
}


def _read(data: bytes, form: Format) -> tuple[str, set[str]]:
    """The text of a source, and the reasons of what is said of it."""
    (record,) = extract(data, form=form).to_pylist()
    text = " ".join(" ".join(one["text"].split()) for one in record["paragraphs"])
    return text, {one["reason"] for one in record["told"]}


@pytest.mark.parametrize("kind", KINDS)
def test_a_source_that_is_cut_at_ten_places_is_never_taken_for_a_whole_one(kind):
    form, whole = KINDS[kind]
    text, said = _read(whole, form)
    assert (all(one in text for one in SENTENCES), said) == (True, set())
    silent, reasons = [], set()
    for at in range(1, _PLACES + 1):
        try:
            text, said = _read(whole[: len(whole) * at // (_PLACES + 1)], form)
        except UnreadableError as error:
            reasons.add(error.reason)
            continue
        if "cut short" not in said:
            silent.append(at)
    assert silent == []
    assert reasons <= {"damaged", "cut short", "no text"}


@pytest.mark.parametrize("page", [f"<!doctype html><title>A</title>{_P}", f"<html><body>{_P}</html>"])
def test_a_page_that_leaves_tags_out_as_html_may_is_whole(page):
    assert _read(page.encode(), "html")[1] == set()


def test_what_a_cut_page_has_lost_is_not_found_and_said_to_be_cut_short(tmp_path):
    _, whole = KINDS["web page"]
    with corpus_of(tmp_path, {"short.html": whole[: len(whole) // 2]}) as corpus:
        assert corpus.verify(SENTENCES[0], "short").verdict == "verbatim"
        lost = corpus.verify(SENTENCES[-1], "short")
        assert lost.verdict in {"near", "related", "not found"}
        assert "cut short" in lost.hint
