"""Small PDFs that tests make for themselves."""

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
