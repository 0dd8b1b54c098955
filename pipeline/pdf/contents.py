"""A page's contents by themselves: what forms hold, and what readers put on the page, are read apart."""

from collections.abc import Iterator
from typing import Any

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


def resources(page: Any) -> tuple[frozenset[str], frozenset[int], bool]:
    """Return what the page's resources have that is drawn otherwise than text and paths, at any depth.

    "Image", "Form", "Shading", "Pattern", "SMask" (soft masks), "Type3" (fonts whose glyphs are drawings).
    Beside it the numbers of its fonts, and whether something there says what is printed in its place.
    """
    found: set[str] = set()
    fonts: set[int] = set()
    seen: set[int] = set()
    says = False
    left = [_mupdf.pdf_page_resources(_mupdf.pdf_page_from_fz_page(page.this))]
    while left:
        used = left.pop()
        for name in ("Shading", "Pattern", "ExtGState", "Font", "XObject", "Properties"):
            for one in _values(_mupdf.pdf_dict_gets(used, name)):
                number = _mupdf.pdf_to_num(one)
                if number and number in seen:
                    continue
                seen.add(number)
                if name == "Properties":
                    says = says or _says(one)
                    continue
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
    return frozenset(found), frozenset(fonts), says


def structure_says(document: Any) -> bool:
    """Whether elements of the structure that pages refer to say what is printed in their place."""
    trailer = _mupdf.pdf_trailer(_mupdf.pdf_document_from_fz_document(document.this))
    left, seen = [trailer], {0}
    for name in ("Root", "StructTreeRoot", "ParentTree"):
        left = [_mupdf.pdf_dict_gets(left[0], name)]
    while left:
        one = left.pop()
        number = _mupdf.pdf_to_num(one)
        if number and number in seen:
            continue
        seen.add(number)
        if _mupdf.pdf_is_array(one):
            left += [_mupdf.pdf_array_get(one, at) for at in range(_mupdf.pdf_array_len(one))]
        elif _mupdf.pdf_is_dict(one):
            if _says(one):
                return True
            left += [_mupdf.pdf_dict_gets(one, name) for name in ("Kids", "Nums")]
    return False


def _says(dictionary: Any) -> bool:
    return _mupdf.pdf_dict_gets(dictionary, "ActualText").m_internal is not None


def _values(dictionary: Any) -> Iterator[Any]:
    return (_mupdf.pdf_dict_get_val(dictionary, at) for at in range(_mupdf.pdf_dict_len(dictionary)))
