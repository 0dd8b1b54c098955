"""Scans that tests make: pages of a PDF as pictures, without their text."""

import random

import pymupdf


def scanned(pdf: bytes, pages: list[int], *, resolution: int = 200, specks: int = 0) -> bytes:
    """These pages (counted from 1) as a PDF of nothing but pictures; `specks` of dirt on each, askew then by
    half a degree.
    """
    chance = random.Random(7)
    with pymupdf.open(stream=pdf) as document, pymupdf.open() as scan:
        for number in pages:
            shown = document[number - 1]
            zoom = resolution / 72
            tilt = pymupdf.Matrix(zoom, zoom).prerotate(0.5 if specks else 0)
            picture = shown.get_pixmap(matrix=tilt, colorspace=pymupdf.csGRAY)
            for _ in range(specks):
                x, y = chance.randrange(picture.width - 3), chance.randrange(picture.height - 3)
                picture.set_rect((x, y, x + 2, y + 2), (chance.randrange(120),))
            page = scan.new_page(width=picture.width / zoom, height=picture.height / zoom)
            page.insert_image(page.rect, pixmap=picture)
        data: bytes = scan.tobytes(deflate=True)
    return data


def joined(*pdfs: bytes) -> bytes:
    """The pages of all of them in one PDF."""
    with pymupdf.open() as document:
        for pdf in pdfs:
            with pymupdf.open(stream=pdf) as part:
                document.insert_pdf(part)
        data: bytes = document.tobytes()
    return data
