"""Programs of fonts: what the glyphs of a font in a PDF print, judged by the evidence.

For each glyph, by its number in the font: what the font's table tells, its name, its encoding, its outline.
One function judges them (`Program.sign`).
"""

import re
from collections import defaultdict
from collections.abc import Callable, Container, Mapping, Sequence
from functools import cached_property
from statistics import median
from typing import Any
from unicodedata import combining, normalize

import pymupdf

from lookup.text.folding import UNKNOWN
from pipeline.pdf.code_tables import LAST_CODE, CodeTable, read_table
from pipeline.pdf.evidence import (
    ALPHANUMERIC,
    LETTER,
    MARKS,
    NOTHING,
    OWNERS,
    RAISED_SIGNS,
    SUPERIORS,
    TIMES_NEARER,
    TOLD,
    Evidence,
    is_another,
    is_looked_at,
    is_of_one_glyph,
    is_plainly_another,
    is_told,
)
from pipeline.pdf.glyphs import glyph_names
from pipeline.pdf.opening import MUPDF_ERRORS
from pipeline.pdf.placed_words import WHITE
from pipeline.pdf.shapes import TOLD_APART, Likeness, form, is_known, is_like_its_own, likeness

_mupdf = pymupdf.mupdf

_SAMPLE = 8  # Glyphs by which a font is judged, spread over its characters.
_LYING = 0.4
"""Share of the sample that does not show its own signs, from which on a font's codes say nothing. In the 577
fonts of the shared papers, text fonts reach .1, the mildest of the fonts of signs .42."""

_ENOUGH = 2
"""Glyphs by which those that show their signs outnumber the others when a font is believed. The sample begins
with the small letters: capitals of Greek are often Latin ones."""

UNREAD = re.compile(f"(?![{WHITE}])[\x00-\x1f\x7f-\x9f\ue000-\uefff{UNKNOWN}]")
"""Control characters and private ones; not those private ones by which fonts of signs are known."""

_ASCII = [chr(code) for code in range(0x21, 0x7F)]
_PROBE = "etain013"  # Letters and digits by which it is looked whether a font draws anything.
_LONGEST_NAME = 31  # Characters of a font's name that MuPDF keeps.
_LOW = frozenset("acemnorsuvwxz")  # Small letters that reach as high as an x.
_ABOVE = 230  # Unicode's class of marks that combine above a letter.
_ACCENT = 0.06  # flat
"""Em by which a small letter with an accent is higher than one without, at least: .15 and more."""

_MARK_FOOT, _MARK_TOP = 0.1, 0.3
"""Em above the baseline: what reaches from below the one to above the other is no mark on a letter, and what
begins below the one is no raised sign."""

_STANDARD = re.compile(
    r"(?:[A-Z]{6}\+)?(?P<family>Helvetica|Times|Courier)(?P<style>-(?:Roman|Bold|Oblique|Italic|Bold(?:Oblique|Italic)))?"
)
"""Fonts that a PDF need not embed, by their names, without that of symbols."""

_PLAIN = {"Times": "-Roman"}
_ENCODINGS = {"WinAnsi": "cp1252", "MacRoman": "mac_roman"}
_NAME = re.compile("(?![gG][A-F]+$)[A-Za-z]+")
"""A name that says what a glyph is, as "g23", "C0" and the number "gD" do not."""

_OTHER_FIGURE = 1.1  # The same for another figure where a figure is told.
_STROKE = (
    0.4  # Em that a 1 is wide at most: those of sans serif are nearer to a bracket than to that of Times.
)

_RAISED = 0.2
"""Em by which the foot of a superior character stands above the baseline, at least: those of Libertinus are
at .35; of ordinary figures none stands above .02."""

_TOLD_BESIDE = frozenset(f"{WHITE}{UNKNOWN}\xad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff")
"""What a text may have that its fonts' tables have not, in marks of its structure: white and what is none."""


class Program:
    """The font of a document that has the number `xref`; `named` is its name by its dictionary."""

    def __init__(self, document: Any, xref: int, kind: str, named: str) -> None:
        self._document = document
        self._xref = xref
        self._kind = kind
        self._called = named
        self._signs: dict[tuple[str, int], str | None] = {}
        self._glyphs: dict[str, Mapping[int, tuple[int, str]]] = {}  # what `_glyphs_of` was asked for
        self._wrong: dict[str, frozenset[int]] = {}  # codes of glyphs that print something else

    @cached_property
    def _loaded(self) -> Any:
        """The font as MuPDF loads it, None if it cannot."""
        pdf = _mupdf.pdf_document_from_fz_document(self._document.this)
        dictionary = _mupdf.pdf_new_indirect(pdf, self._xref, 0)
        resources = _mupdf.pdf_resource_stack()  # without it a font of drawings, of Type 3, ends the process
        try:
            return _mupdf.PdfFontDesc(
                _mupdf.ll_pdf_load_font(pdf.m_internal, resources, dictionary.m_internal)
            )
        except MUPDF_ERRORS:
            return None

    @cached_property
    def name(self) -> str:
        """Its name in `traced`: MuPDF's own, with the tag of its subset.

        That is not always the one of its dictionary, which may end with the name of its encoding.
        """
        if self._loaded is None:
            return self._called.removesuffix("-Identity-H").removesuffix("-Identity-V")[:_LONGEST_NAME]
        return str(_mupdf.ll_fz_font_name(self._loaded.m_internal.font))

    @cached_property
    def _font(self) -> Any:
        """PyMuPDF's font of its file, or the standard one that it names; None if it is broken or neither."""
        try:
            data = bytes(self._document.extract_font(self._xref)[-1] or b"")
            if data:
                return pymupdf.Font(fontbuffer=data)
            return pymupdf.Font(self._standard) if self._standard else None
        except MUPDF_ERRORS:
            return None

    def _value(self, name: str) -> tuple[str, str]:
        kind, value = self._document.xref_get_key(self._xref, name)
        return str(kind), str(value)

    @cached_property
    def _standard(self) -> str:
        """Which of the fonts is drawn by its names that no PDF has to embed; '' if it is none of them."""
        described = self._kind == "Type0" or self._value("FontDescriptor")[0] != "null"
        found = None if described else _STANDARD.fullmatch(self._value("BaseFont")[1].lstrip("/"))
        return f"{found['family']}{found['style'] or _PLAIN.get(found['family'], '')}" if found else ""

    @cached_property
    def lies(self) -> bool:
        """Whether its glyphs are not those of the characters by which they are named."""
        if self._kind == "Type0" or self._font is None:  # its glyphs have no names
            return False
        glyphs = [(char, glyph) for char in _ASCII if (glyph := self._font.has_glyph(ord(char)))]
        step = max(1.0, len(glyphs) / _SAMPLE)
        sample = [glyphs[-1 - int(at * step)] for at in range(min(_SAMPLE, len(glyphs)))]
        right = wrong = 0
        for char, glyph in sample:
            is_shown = is_like_its_own(self._font, glyph, char)
            found = None if is_shown else likeness(self._font, glyph, char)
            right += is_shown or (found is not None and not found.lies)
            wrong += found is not None and found.lies
            if right - wrong == _ENOUGH:
                return False
        return wrong > 0 and wrong >= _LYING * (right + wrong)

    @cached_property
    def _table(self) -> CodeTable:
        """The characters of Unicode that it says its codes print."""
        kind, reference = self._value("ToUnicode")
        try:
            stream = self._document.xref_stream(int(reference.split()[0])) if kind == "xref" else b""
        except MUPDF_ERRORS:
            stream = b""
        return read_table(stream or b"")

    @property
    def tabled(self) -> frozenset[str]:
        """All characters of its table."""
        return self._table.characters

    @cached_property
    def told(self) -> frozenset[str]:
        """All characters of its table, white space, and what MuPDF adds, if it knows no others."""
        told = self.tabled if self._kind == "Type0" else frozenset()
        return told | _TOLD_BESIDE if told else told

    @cached_property
    def _names(self) -> Mapping[str, str]:
        """The names of its glyphs that its encoding gives, by the characters of their codes."""
        return glyph_names(self._value("Encoding/Differences")[1]) if self._kind != "Type0" else {}

    @cached_property
    def _joined(self) -> Mapping[str, Sequence[tuple[int, str]]]:
        """Codes and letters of ligatures that only their names tell, "T_h", by their first letters."""
        named = [(ord(char), name[0]) for char, name in self._names.items() if name[1:2] == "_"]
        told = {code for code, _ in self._table.codes} if named else set()
        found: dict[str, list[tuple[int, str]]] = defaultdict(list)
        for code, text in named:
            if code not in told and self._number(code):  # encodings name all
                found[text].append((code, text))
        return found

    def _number(self, code: int) -> int:
        """Return the number of a code's glyph."""
        return int(_mupdf.ll_pdf_font_cid_to_gid(self._loaded.m_internal, code))

    def _glyphs_of(self, character: str) -> Mapping[int, tuple[int, str]]:
        """Return codes and characters of the glyphs that are looked at whose first character is this.

        Those of its table, and ligatures that only their names tell, by the numbers of the glyphs.
        """
        if character not in self._glyphs:
            tabled = self._table.by_first if self._table.codes else self._encodes
            of_both = (*tabled.get(character, ()), *self._joined.get(character, ()))
            looked_at = [(code, text) for code, text in of_both if code <= LAST_CODE and is_looked_at(text)]
            self._glyphs[character] = {
                self._number(code): (code, text) for code, text in looked_at if self._loaded is not None
            }
        return self._glyphs[character]

    def has(self, character: str, glyph: int) -> bool:
        """Whether a character of this glyph may be of this font: it draws the glyph, its table has both."""
        if self._font and not 0 <= glyph < self._font.glyph_count:
            return False
        is_tabled = not self._table.codes or glyph in self._glyphs_of(character)
        return is_tabled or not is_looked_at(character)

    @cached_property
    def _encoded(self) -> str:
        """The characters of its codes in a standard encoding, one by one; '' if they are not known."""
        encoding = self._value("Encoding")[1] + self._value("Encoding/BaseEncoding")[1]
        codec = next((codec for name, codec in _ENCODINGS.items() if name in encoding), "")
        return bytes(range(256)).decode(codec, "replace") if codec and self._kind != "Type0" else ""

    @cached_property
    def _encodes(self) -> Mapping[str, Sequence[tuple[int, str]]]:
        """The codes of one byte of a font without a table, by the characters that its encoding tells."""
        found: dict[str, list[tuple[int, str]]] = defaultdict(list)
        for code in range(256) if self._kind != "Type0" else ():
            char = self._named(code, "") or chr(code)
            if len(char) == 1 and (char in ALPHANUMERIC or char in TOLD):
                found[char].append((code, char))
        return found

    def _named(self, code: int, told: str) -> str:
        """Return what a code's name or encoding says that it prints, '' if nothing."""
        name = self._names.get(chr(code), "")
        if not name:
            in_ascii = chr(code) if self._standard and told.isascii() and chr(code).isprintable() else ""
            return self._encoded[code : code + 1] or in_ascii
        parts = name.partition(".")[0].split("_")
        known = [chr(_mupdf.fz_unicode_from_glyph_name(part)) for part in parts if _NAME.fullmatch(part)]
        known = [char for char in known if char != UNKNOWN]
        return "".join(known) if len(known) == len(parts) else ""

    def _evidence(self, character: str, glyph: int) -> Evidence:
        """Return what speaks for what a glyph prints of which MuPDF reads this character first."""
        code, told = self._glyphs_of(character).get(glyph, (-1, character))
        named = self._named(code, told) if code >= 0 else ""
        twins = [one for one, (_, text) in self._glyphs_of(told[:1]).items() if text == told and one != glyph]
        return Evidence(self._font, glyph, told, named, twins)

    def doubts(self, text: str, codes: Callable[[], Container[int]]) -> bool:
        """Whether a glyph of this text, of a page that may draw these `codes`, prints something else."""
        characters = frozenset(text)
        if self._is_blank or (self._kind == "Type0" and not self._table.codes):  # its codes are its numbers
            return not ALPHANUMERIC.isdisjoint(characters)
        for char in characters - self._wrong.keys():
            glyphs = self._glyphs_of(char).items()
            wrong = [code for glyph, (code, _) in glyphs if self.sign(char, glyph) is not None]
            self._wrong[char] = frozenset(wrong)
        codes_in_doubt = frozenset().union(*map(self._wrong.__getitem__, characters))
        # tables tell of ligatures that a font does not have, and no page draws
        return any(self._kind == "Type0" or code in codes() for code in codes_in_doubt)

    def sign(self, character: str, glyph: int) -> str | None:
        """Return what the glyph prints, U+FFFD if that is uncertain; None if it may be left as it is."""
        key = character, glyph
        if key not in self._signs:
            self._signs[key] = self._judged(self._evidence(character, glyph))
        return self._signs[key]

    def _judged(self, of: Evidence) -> str | None:
        told = of.told
        may_be_raised = told in SUPERIORS and (self._kind == "Type0" or of.twins)
        if may_be_raised and of.form and of.form.foot >= _RAISED:
            return SUPERIORS[told]
        if told in RAISED_SIGNS and of.form and of.form.foot < _MARK_FOOT:
            return UNKNOWN
        if NOTHING.fullmatch(told) and told not in OWNERS:
            is_mark = MARKS.fullmatch(told) and not (
                of.form and of.form.foot < _MARK_FOOT and of.form.top > _MARK_TOP
            )
            return None if is_mark or of.form is None else UNKNOWN
        if told in ALPHANUMERIC and of.is_blank:
            return UNKNOWN  # without ink nothing is printed, whatever its name
        if len(told) > 1:
            return None if is_of_one_glyph(of) else UNKNOWN
        if of.prints_more:
            return of.prints_more
        unknown, denied = UNREAD.match(told) is not None, self._denies(of)
        uncompared = self._table.codes and not is_known(told)  # of Arabic, for example
        if not (unknown or denied) and (uncompared or not self.lies):
            return None
        if not of.is_known or self._is_ciphered:
            return UNKNOWN if unknown or denied else None
        found = of.likeness
        sign = found and (found.sign or (denied and found.apart_from(self._table.texts)))
        return sign or (UNKNOWN if found or denied else None)

    @cached_property
    def _is_blank(self) -> bool:
        """Whether none of its letters and digits has ink."""
        probe = [self._font.has_glyph(ord(char)) for char in _PROBE] if self._font else []
        return any(probe) and not any(form(self._font, glyph) for glyph in probe if glyph)

    @cached_property
    def _is_ciphered(self) -> bool:
        """Whether most of the table of a font that is not embedded is wrong: then nothing of it is mended.

        Signs that are not looked at would stay wrong among letters that are right.
        """
        letters = [
            (char, glyph)
            for char in (self._table.texts if self._standard else ())
            if LETTER.fullmatch(char)
            for glyph, (_, text) in self._glyphs_of(char).items()
            if text == char
        ]
        denied = sum(self._denies(self._evidence(*at)) for at in letters)
        return 2 * denied > len(letters)

    def _denies(self, of: Evidence) -> bool:
        """Whether a glyph does not print the character that is told.

        That is a letter, a digit or a sign that turns a number, or another sign where a letter is printed.
        """
        told, is_sign = of.told, not is_told(of.told)
        if self._lacks_accent(of) or (self._is_blank and told in ALPHANUMERIC and not of.form):
            return True
        if of.named and not is_sign and of.named != told:
            return is_another(of.named, told)
        is_of_letter = self._kind == "Type0" or of.named in ALPHANUMERIC
        if is_sign and (of.glyph not in self._glyphs_of(told) or not is_of_letter):
            return False
        if is_sign and self._standard:
            return is_known(told)
        if not of.is_known:
            return False
        is_of_font = told == of.named or self._font.has_glyph(ord(told)) == of.glyph
        if not is_of_font or not (is_sign or is_known(told)):
            return self._shows_another(of, of.likeness)
        if is_sign or is_like_its_own(self._font, of.glyph, told):
            return False
        return of.likeness is not None and is_plainly_another(of.likeness, told)

    def _shows_another(self, of: Evidence, found: Likeness | None) -> bool:
        told = of.told
        if not is_known(told):
            sign = found.sign if found else ""
            parts = list(normalize("NFKD", told))  # Ł has no base: its stroke is not looked at
            return len(parts) > 1 and sign in ALPHANUMERIC and is_another(sign, parts[0])
        if found is None or not is_told(told):
            is_letter = found is not None and found.lies and found.sign in ALPHANUMERIC
            return found is None or is_letter or (told in OWNERS and found.nearer > TIMES_NEARER[-1])
        turns = told in TOLD_APART or told.isdigit()
        times = TIMES_NEARER[2 if not turns else 0 if of.twins else 1]
        is_stroke = told == "1" and of.form is not None and of.form.strokes == 1 and of.form.width < _STROKE
        if found.nearer > times or (found.lies and told.isdigit() and not is_stroke):
            return True
        figures = [away for away, sign in found.ranked if sign.isdigit() and told.isdigit()]
        if figures and found.distance > _OTHER_FIGURE * figures[0]:
            return True
        by_font = self._named_by_font.get(of.glyph, "")
        if is_another(by_font, told) and (other := likeness(self._font, of.glyph, by_font)):
            return other.distance < found.distance
        if told in TOLD or found.sign in {"", told}:  # a bold T is drawn as the τ of another font
            return False
        return not LETTER.match(found.sign) or is_another(found.sign, told)

    @cached_property
    def _named_by_font(self) -> Mapping[int, str]:
        """The letters, digits and signs of the font's own table, by their glyphs."""
        glyphs = {self._font.has_glyph(ord(char)): char for char in sorted(ALPHANUMERIC | TOLD)}
        return {glyph: char for glyph, char in glyphs.items() if glyph}

    def _lacks_accent(self, of: Evidence) -> bool:
        """Whether a small letter that has an accent above, by its table, is no higher than those without."""
        base, *marks = list(normalize("NFD", of.told))
        if base not in _LOW or not any(combining(mark) == _ABOVE for mark in marks):
            return False
        return of.form is not None and bool(self._low) and of.form.top < self._low + _ACCENT

    @cached_property
    def _low(self) -> float:
        """The usual height of the small letters that are low, em; 0 if it has none by its table."""
        drawn = [form(self._font, glyph) for char in _LOW for glyph in self._glyphs_of(char) if glyph >= 0]
        return float(median([one.top for one in drawn if one] or [0.0]))
