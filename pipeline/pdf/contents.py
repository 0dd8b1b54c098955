"""A page's contents by themselves: what forms hold, and what readers put on the page, are read apart."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from typing import Any, NamedTuple

import pymupdf

from pipeline.pdf.opening import given
from pipeline.pdf.text_layer import TextLayer

_mupdf = pymupdf.mupdf

_ADDED = (("note", _mupdf.fz_run_page_annots), ("field", _mupdf.fz_run_page_widgets))
"""What may stand on a page beside its contents, and MuPDF's function that draws it alone."""

TEXT = ("fill_text", "stroke_text")
ALL_BUT_TEXT = ("fill_path", "stroke_path", "fill_shade", "fill_image", "fill_image_mask")
"""MuPDF's functions that draw text, and that draw all else."""

_SIGNS = frozenset({_mupdf.PDF_ANNOT_TEXT, _mupdf.PDF_ANNOT_POPUP})
"""Kinds of annotations that are drawn beside the text they are about."""

_COVERS = {
    "box": ("SQUARE", "CIRCLE", "POLYGON"),
    "line": ("LINE", "POLY_LINE"),
    "ink": ("INK",),
    "stamp": ("STAMP",),
    "text box": ("FREE_TEXT",),
    "highlight": ("HIGHLIGHT", "UNDERLINE", "STRIKE_OUT", "SQUIGGLY"),
    "redaction": ("REDACT",),
    "form field": ("WIDGET",),
}
_KINDS: dict[int, str] = {
    getattr(_mupdf, f"PDF_ANNOT_{name}"): kind for kind, names in _COVERS.items() for name in names
}
"""What the release calls MuPDF's kinds of annotations; others are an "annotation"."""

SAYS, OUTLINES, ODD, TYPE_3 = "ActualText", "Outlines", "Odd", "Type3 "
"""What a page may have: text that is printed instead of glyphs, hyphens and ligatures for example; outlines
of glyphs, drawn over them; ink that may be none, or of the colour of what it is on; and, before its name, a
font whose glyphs are drawings."""

_SAID = re.compile(b"/" + b"".join(b"(?:%c|#%02x)" % (byte, byte) for byte in b"ActualText"), re.IGNORECASE)
"""How a stream names what it says that others print in place of its glyphs: any character of a name may be
written by its number."""

_INLINE = re.compile(rb"BI(?<!\wBI)\s")  # A picture within a stream; a literal beginning is found fast.
_RENDERED, _OUTLINED = re.compile(rb"Tr\b"), frozenset({b"2", b"6"})
"""The operator that says how text is drawn, and what is before it where it is filled and outlined."""

_MODE = 8  # Bytes before an operator in which the number that it is given stands.
_PICTURE = re.compile("JBIG2|JPX|DCT|CCITT")  # Filters of pictures: 40 kB can be one of gigabytes.

_CLEAR = 0.05  # flat
"""Opacity below which what a page draws is not seen."""

_PLAIN_MODES = frozenset({"", "Normal", "Compatible", "Multiply", "Darken", "ColorBurn"})
"""Modes of blending in which ink that is not white shows on paper."""

_ESCAPED, _HEXADECIMAL = re.compile(rb"\\([0-7]{1,3})"), re.compile(rb"<([0-9A-Fa-f\s]*)(>?)")
"""Codes of characters in the strings of a stream: by number, and all of a string by two digits each."""

_ALL_CODES = frozenset(range(256))
_BY_LETTER = frozenset(range(8, 14))  # Those that a letter may stand for: "\n".

_DEEPEST = 20  # Expressions of layers within one another that are read.

Box = Sequence[float]


class AddedBox(NamedTuple):
    """The box of what was put on a page, and its kind (`lookup.release.schema.PUT_ON`)."""

    kind: str
    box: Box


@dataclass(frozen=True)
class Overlay:
    """What readers and forms put on a page: texts, by what they are, and what may cover the page's own.

    `boxes` are those of annotations and fields, each with its kind; `drawn` are MuPDF's lists of all that is
    drawn there but text, by these kinds.
    """

    texts: Sequence[tuple[str, TextLayer]] = ()
    boxes: Sequence[AddedBox] = ()
    drawn: Mapping[str, Any] = field(default_factory=dict)


def open_contents(document: Any, index: int, flags: int) -> tuple[Any, Overlay]:
    """Return the page `index` without annotations and fields, and these.

    They leave the open document, so that whatever reads or draws the page later does it without them.
    """
    page = document[index]
    if page.first_annot is None and page.first_widget is None:
        return page, Overlay()
    by_kind: dict[str, list[Any]] = {}
    for one in _annotations(page):
        if (number := _mupdf.pdf_annot_type(one)) not in _SIGNS:
            by_kind.setdefault(_KINDS.get(number, "annotation"), []).append(one)
    boxes = [
        AddedBox(kind, box) for kind, some in by_kind.items() for one in some for box in _boxes(page, one)
    ]
    drawn = {
        kind: listed(page, [partial(_mupdf.pdf_run_annot, one) for one in some], TEXT)
        for kind, some in by_kind.items()
    }
    added = Overlay(list(_texts(page, flags)), boxes, drawn)
    document.xref_set_key(page.xref, "Annots", "null")
    return document.reload_page(page), added


def rotation_of(page: Any) -> Any:
    """Return the matrix that rotates a page as it is shown; PyMuPDF's own takes no account of UserUnit."""
    _, _, width, height = page.rect
    turned = {90: (0, 1, -1, 0, width, 0), 180: (-1, 0, 0, -1, width, height), 270: (0, -1, 1, 0, 0, height)}
    return pymupdf.Matrix(*turned.get(page.rotation, (1, 0, 0, 1, 0, 0)))


def run(page: Any, device: Any, draw: Iterable[Callable[..., None]]) -> None:
    """Draw parts of a page, not rotated, on a device of MuPDF's, and close that."""
    for part in draw:
        part(device, _mupdf.FzMatrix(*~rotation_of(page)), _mupdf.FzCookie())
    _mupdf.fz_close_device(device)


def listed(page: Any, draw: Iterable[Callable[..., None]] = (), without: Iterable[str] = ()) -> Any:
    """Return MuPDF's list of what a page draws, or parts of it: it is drawn again in less time."""
    drawn = _mupdf.FzDisplayList(_mupdf.FzRect(*page.rect * ~rotation_of(page)))
    device = _mupdf.fz_new_list_device(drawn)
    leave_out(device, without)
    run(page, device, draw or [partial(_mupdf.fz_run_page, page.this)])
    return drawn


def run_lists(device: Any, lists: Iterable[Any], zoom: float) -> None:
    """Draw MuPDF's lists on one of its devices, and close that."""
    matrix, all_of_it = _mupdf.fz_scale(zoom, zoom), _mupdf.FzRect(_mupdf.FzRect.Fixed_INFINITE)
    for one in lists:
        _mupdf.fz_run_display_list(one, device, matrix, all_of_it, _mupdf.FzCookie())
    _mupdf.fz_close_device(device)


def leave_out(device: Any, functions: Iterable[str]) -> None:
    """Make a device of MuPDF's draw less: it leaves out what it has no function for."""
    for name in functions:
        setattr(device.m_internal, name, None)


def _annotations(page: Any) -> Iterator[Any]:
    """Yield the annotations and the fields of a page."""
    of_page = _mupdf.pdf_page_from_fz_page(page.this)
    for first, following in (
        (_mupdf.pdf_first_annot, _mupdf.pdf_next_annot),
        (_mupdf.pdf_first_widget, _mupdf.pdf_next_widget),
    ):
        one = first(of_page)
        while one.m_internal:
            yield one
            one = following(one)


def _boxes(page: Any, annotation: Any) -> Iterator[Box]:
    """Yield the boxes of the lines that an annotation marks; that of the annotation if it names none."""
    count = 0
    if _mupdf.pdf_annot_has_quad_points(annotation):
        count = _mupdf.pdf_annot_quad_point_count(annotation)
    quads = [_mupdf.pdf_annot_quad_point(annotation, at) for at in range(count)]
    for box in map(_mupdf.fz_rect_from_quad, quads) if quads else [_mupdf.pdf_bound_annot(annotation)]:
        yield pymupdf.Rect(box) * ~rotation_of(page)


def _texts(page: Any, flags: int) -> Iterator[tuple[str, TextLayer]]:
    for kind, draw in _ADDED:
        made = _mupdf.FzStextPage(_mupdf.FzRect(*page.rect * ~rotation_of(page)))
        run(page, _mupdf.fz_new_stext_device(made, _mupdf.FzStextOptions(flags)), [partial(draw, page.this)])
        layer = TextLayer(pymupdf.TextPage(made))
        if layer.lines:
            yield kind, layer


def resources(page: Any) -> tuple[frozenset[str], frozenset[int], Sequence[Any]]:
    """Return what the page's resources have that is drawn otherwise than text and paths, at any depth.

    "Image" for pictures and shadings, "Form", TYPE_3, and ODD: patterns, soft masks, states in which nothing
    shows or ink is blended. Beside it the numbers of its fonts, and the dictionaries of properties that may
    say what is printed in place of its glyphs.
    """
    found: set[str] = set()
    fonts: set[int] = set()
    seen: set[int] = set()
    properties: list[Any] = []
    left = [_mupdf.pdf_page_resources(_mupdf.pdf_page_from_fz_page(page.this))]
    while left:
        used = left.pop()
        _number_fonts(_mupdf.pdf_dict_gets(used, "Font"))
        for name in ("Shading", "Pattern", "ExtGState", "Font", "XObject", "Properties"):
            for one in _values(_mupdf.pdf_dict_gets(used, name)):
                number = _mupdf.pdf_to_num(one)
                if number and number in seen:
                    continue
                seen.add(number)
                _settle(one if name == "Properties" else _mupdf.pdf_dict_gets(one, "OC"))
                if name == "Properties":
                    properties.append(one)
                    continue
                fonts |= {number} if name == "Font" else set()
                found |= _kinds(name, one)
                inner = _mupdf.pdf_dict_gets(one, "Resources")
                left += [inner] if name == "XObject" and _mupdf.pdf_is_dict(inner) else []
    return frozenset(found), frozenset(fonts), properties


def _kinds(name: str, one: Any) -> set[str]:
    """Return what a resource says of what is drawn, by the `name` of its kind."""
    subtype = _mupdf.pdf_to_name(_mupdf.pdf_dict_gets(one, "Subtype"))
    if name == "Font" and subtype == "Type3":
        called = _mupdf.pdf_to_name(_mupdf.pdf_dict_gets(one, "Name")).rpartition("+")[2]
        return {TYPE_3 + (called or f"Type3 ({_mupdf.pdf_to_num(one)} 0 R)")}
    if name == "Pattern" or (name == "ExtGState" and _is_odd(one)):
        return {ODD}
    return {"Shading": {"Image"}, "XObject": {subtype}}.get(name, set())


def _number_fonts(fonts: Any) -> None:
    """Give a number to each font that the resources describe themselves: it is asked for by that."""
    for at in range(_mupdf.pdf_dict_len(fonts)):
        one = _mupdf.pdf_dict_get_val(fonts, at)
        if not _mupdf.pdf_is_indirect(one) and _mupdf.pdf_is_dict(one):
            numbered = _mupdf.pdf_add_object(_mupdf.pdf_get_bound_document(fonts), one)
            _mupdf.pdf_dict_put(fonts, _mupdf.pdf_dict_get_key(fonts, at), numbered)


def _is_odd(state: Any) -> bool:
    """Whether text in a state of graphics may not show: it is clear, masked or blended."""
    opacities = [_mupdf.pdf_dict_gets(state, name) for name in ("ca", "CA")]
    modes = _mupdf.pdf_dict_gets(state, "BM")
    first = next(_items(modes), modes) if _mupdf.pdf_is_array(modes) else modes
    return (
        any(_mupdf.pdf_is_number(one) and _mupdf.pdf_to_real(one) < _CLEAR for one in opacities)
        or bool(_mupdf.pdf_is_dict(_mupdf.pdf_dict_gets(state, "SMask")))
        or _mupdf.pdf_to_name(first) not in _PLAIN_MODES
    )


def unsay(
    page: Any, properties: Iterable[Any], kinds: frozenset[str]
) -> tuple[frozenset[str], Callable[[], frozenset[int]]]:
    """Take out of a page, at any depth, what says that others are printed in place of its glyphs.

    Return SAYS if anything did, OUTLINES and "Image" if there are such; and what gives the codes of one byte
    that the page may draw. `properties` and `kinds` are what `resources` found.
    """
    found: set[str] = set()
    streams: list[bytes] = []
    document = page.parent
    for one in properties:
        if _mupdf.pdf_dict_gets(one, "ActualText").m_internal:
            _mupdf.pdf_dict_dels(one, "ActualText")
            found.add(SAYS)
    forms = page.get_xobjects() if "Form" in kinds else ()
    for xref in (*page.get_contents(), *(xref for xref, *_ in forms)):
        streams.append(stream := _stream(document, xref))
        if _SAID.search(stream):
            document.update_stream(xref, _SAID.sub(b"/Unsaid", stream), compress=False)
            found.add(SAYS)
        places = [at.start() for at in _RENDERED.finditer(stream)]
        modes = [stream[max(0, at - _MODE) : at].rstrip()[-1:] for at in places]
        found |= {"Image"} if _INLINE.search(stream) else set()
        found |= {OUTLINES} if not _OUTLINED.isdisjoint(modes) else set()
    has_others = ODD in kinds or any(one.startswith(TYPE_3) for one in kinds)  # patterns, drawn glyphs
    return frozenset(found), cache(partial(_codes_in, [b""] if has_others else streams))


def _codes_in(streams: Sequence[bytes]) -> frozenset[int]:
    """Return the codes of one byte that strings of streams may have; all if one cannot be read."""
    if not all(streams):
        return _ALL_CODES
    contents = b"\n".join(streams)
    found = {*contents, *_BY_LETTER} if b"(" in contents else set()
    found |= {int(digits, 8) & 0xFF for digits in _ESCAPED.findall(contents)}
    for string, end in _HEXADECIMAL.findall(contents.replace(b"<<", b" ")):
        if not end:
            return _ALL_CODES
        digits = b"".join(string.split())
        found.update(bytes.fromhex((digits + b"0" * (len(digits) % 2)).decode()))
    return frozenset(found)


def _stream(document: Any, xref: int) -> bytes:
    """Return the contents of a stream, b"" for a picture or where they cannot be read."""
    one = _mupdf.pdf_new_indirect(_mupdf.pdf_document_from_fz_document(document.this), xref, 0)
    codecs = _mupdf.pdf_dict_gets(one, "Filter")
    if any(_PICTURE.search(_mupdf.pdf_to_name(codec)) for codec in (codecs, *_items(codecs))):
        return b""
    return given(partial(document.xref_stream, xref), b"") or b""


def _settle(membership: Any) -> None:
    """Let a membership in layers be what its expression or its policy says (ISO 32000-1, 8.11.2.2).

    MuPDF reads no expressions, and takes the policies AllOn and AnyOff for others.
    """
    expression = _mupdf.pdf_dict_gets(membership, "VE")
    layers = list(_layers(expression, _DEEPEST))
    if layers:
        shown = _shows(expression, _DEEPEST)
    else:
        named = _mupdf.pdf_dict_gets(membership, "OCGs")
        members = list(_items(named)) if _mupdf.pdf_is_array(named) else [named]
        layers = [one for one in members if _mupdf.pdf_is_dict(one)]
        are_on = [_shows(one, 1) for one in layers]
        policy = _mupdf.pdf_to_name(_mupdf.pdf_dict_gets(membership, "P"))
        shown = {"AllOn": all(are_on), "AnyOff": not all(are_on), "AllOff": not any(are_on)}.get(
            policy, any(are_on)
        )
    if layers:
        same = shown == _shows(layers[0], 1)
        _mupdf.pdf_dict_puts(membership, "OCGs", layers[0])
        _mupdf.pdf_dict_puts(membership, "P", _mupdf.pdf_new_name("AnyOn" if same else "AllOff"))
        _mupdf.pdf_dict_dels(membership, "VE")


def _layers(expression: Any, depth: int) -> Iterator[Any]:
    if _mupdf.pdf_is_dict(expression):
        yield expression
    for one in list(_items(expression))[1:] if depth else ():
        yield from _layers(one, depth - 1)


def _shows(expression: Any, depth: int) -> bool:
    """Whether a layer is on, or an expression by And, Or and Not (ISO 32000-1, 8.11.2.2) is true."""
    if _mupdf.pdf_is_dict(expression):
        document = _mupdf.pdf_get_bound_document(expression)
        return not _mupdf.pdf_is_ocg_hidden(document, _mupdf.PdfResourceStack(), "View", expression)
    operator = _mupdf.pdf_to_name(_mupdf.pdf_array_get(expression, 0))
    shown = [_shows(one, depth - 1) for one in (list(_items(expression))[1:] if depth else ())]
    if operator == "Not":
        return not any(shown)
    return any(shown) if operator == "Or" else all(shown)


def without_structure(document: Any) -> None:
    """Take out of an open document what its structure says that pages print in place of their glyphs."""
    given(partial(document.xref_set_key, document.pdf_catalog(), "StructTreeRoot", "null"), None)


def _items(array: Any) -> Iterator[Any]:
    return (_mupdf.pdf_array_get(array, at) for at in range(_mupdf.pdf_array_len(array)))


def _values(dictionary: Any) -> Iterator[Any]:
    return (_mupdf.pdf_dict_get_val(dictionary, at) for at in range(_mupdf.pdf_dict_len(dictionary)))
