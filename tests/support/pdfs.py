"""Small PDFs that tests make for themselves."""

from collections.abc import Sequence

import pymupdf


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
