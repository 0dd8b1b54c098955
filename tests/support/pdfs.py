"""Small PDFs that tests make for themselves."""

from collections.abc import Sequence
from typing import Any

import pymupdf

from pipeline.pdf.reading import read_pdf


def pdf(*pages: str, **save: object) -> bytes:
    """A PDF with one page for each text; lines are set as they are, at 11 points. `save` goes to PyMuPDF."""
    document = pymupdf.open()
    for text in pages:
        page = document.new_page()
        if text:
            page.insert_text((72, 100), text, fontsize=11)
    data: bytes = document.tobytes(**save)
    document.close()
    return data


def added(document: Any, described: str = "<<>>", stream: bytes | None = None) -> int:
    """Add an object to a PDF that is open, and its stream where it has one. Return its number."""
    number: int = document.get_new_xref()
    document.update_object(number, described)
    if stream is not None:
        document.update_stream(number, stream)
    return number


def words_of(data: bytes) -> list[str]:
    """Return the words of a PDF's first page as they are printed."""
    return [word.printed or word.text for line in read_pdf(data).pages[0].lines for word in line.words]


def page_of(content: bytes, fonts: bytes, objects: Sequence[bytes]) -> bytes:
    """Return a PDF of one page with this content. `objects` have the numbers from 5; `fonts` names some."""
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources<</Font<<%s>>>>>>"
    return pdf_of(
        [
            b"<</Type/Catalog/Pages 2 0 R>>",
            b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
            page % fonts,
            b"<</Length %d>>\nstream\n%s\nendstream" % (len(content), content),
            *objects,
        ]
    )


def pdf_of(objects: Sequence[bytes]) -> bytes:
    """Return a PDF of these objects, numbered from 1; the first is its catalogue."""
    body, places = b"%PDF-1.4\n", []
    for number, one in enumerate(objects, 1):
        places.append(len(body))
        body += b"%d 0 obj\n%s\nendobj\n" % (number, one)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    size = len(objects) + 1
    trailer = b"xref\n0 %d\n0000000000 65535 f \n%strailer\n<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n"
    return body + trailer % (size, table, size, len(body))
