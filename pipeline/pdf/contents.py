"""A page's contents by themselves: what forms hold, and what readers put on the page, are read apart."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import pymupdf

from pipeline.pdf.text_layer import TextLayer

_mupdf = pymupdf.mupdf

_ADDED = (("note", _mupdf.fz_run_page_annots), ("field", _mupdf.fz_run_page_widgets))
"""What may stand on a page beside its contents, and MuPDF's function that draws it alone."""


def open_contents(document: Any, index: int, flags: int) -> tuple[Any, list[tuple[str, TextLayer]]]:
    """Return the page `index` without annotations and fields, and by what they are ("note") their texts.

    They leave the open document, so that whatever reads or draws the page later does without them as well.
    """
    page = document[index]
    if page.first_annot is None and page.first_widget is None:
        return page, []
    added = list(_texts(page, flags))
    document.xref_set_key(page.xref, "Annots", "null")
    return document.reload_page(page), added


def run(page: Any, device: Any, zoom: float = 1.0, draw: Any = _mupdf.fz_run_page) -> None:
    """Draw the page on a device of MuPDF's, not rotated."""
    matrix = page.derotation_matrix * pymupdf.Matrix(zoom, zoom)
    draw(page.this, device, _mupdf.FzMatrix(*matrix), _mupdf.FzCookie())
    _mupdf.fz_close_device(device)


def _texts(page: Any, flags: int) -> Iterator[tuple[str, TextLayer]]:
    for kind, draw in _ADDED:
        made = _mupdf.FzStextPage(_mupdf.FzRect(*page.rect * page.derotation_matrix))
        run(page, _mupdf.fz_new_stext_device(made, _mupdf.FzStextOptions(flags)), draw=draw)
        layer = TextLayer(pymupdf.TextPage(made))
        if layer.lines:
            yield kind, layer


class Resources(NamedTuple):
    """What a page's resources have, at any depth.

    `kinds` is what is drawn otherwise than text and paths: "Image", "Form", "Shading", "Pattern", "SMask"
    (soft masks), "Type3" (fonts whose glyphs are drawings). `fonts` are the numbers of its fonts in the PDF.
    """

    kinds: frozenset[str]
    fonts: frozenset[int]


def resources(page: Any) -> Resources:
    """Return what the page's resources have."""
    found: set[str] = set()
    fonts: set[int] = set()
    seen: set[int] = set()
    left = [_mupdf.pdf_page_resources(_mupdf.pdf_page_from_fz_page(page.this))]
    while left:
        used = left.pop()
        for name in ("Shading", "Pattern", "ExtGState", "Font", "XObject"):
            for one in _values(_mupdf.pdf_dict_gets(used, name)):
                number = _mupdf.pdf_to_num(one)
                if number and number in seen:
                    continue
                seen.add(number)
                if name == "Font":
                    fonts.add(number)
                subtype = _mupdf.pdf_to_name(_mupdf.pdf_dict_gets(one, "Subtype"))
                if name == "ExtGState":
                    found |= {"SMask"} if _mupdf.pdf_is_dict(_mupdf.pdf_dict_gets(one, "SMask")) else set()
                elif name == "XObject":
                    found.add(subtype)
                    inner = _mupdf.pdf_dict_gets(one, "Resources")
                    left += [inner] if _mupdf.pdf_is_dict(inner) else []
                else:
                    found |= {"Type3"} & {subtype} if name == "Font" else {name}
    return Resources(frozenset(found), frozenset(fonts))


def _values(dictionary: Any) -> Iterator[Any]:
    return (_mupdf.pdf_dict_get_val(dictionary, at) for at in range(_mupdf.pdf_dict_len(dictionary)))
