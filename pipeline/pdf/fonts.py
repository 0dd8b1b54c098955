"""Fonts of a document: what speaks for what each glyph prints, and the signs where that is not what is said.

For each glyph of a font, by the font's number: what its table (ToUnicode) tells, its name, its encoding, its
outline. One function judges them (`Program.sign`).
"""

import re
import string
from codecs import escape_decode
from collections import defaultdict
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from statistics import median
from sys import maxunicode
from typing import Any, NamedTuple
from unicodedata import combining, normalize

import pymupdf

from lookup.text.folding import POINTS, UNKNOWN
from pipeline.pdf.drawn_letters import NO_INK, place
from pipeline.pdf.glyphs import glyph_names
from pipeline.pdf.opening import MUPDF_ERRORS
from pipeline.pdf.placed_words import WHITE
from pipeline.pdf.shapes import (
    ROUND_OR_STRAIGHT,
    TOLD_APART,
    Form,
    Likeness,
    form,
    has_ink,
    is_known,
    is_like_its_own,
    likeness,
    usual_width,
)
from pipeline.pdf.text_layer import TextLayer
from retrieval.raw_text.cleaning import LIGATURES

_mupdf = pymupdf.mupdf

_SAMPLE = 8  # Glyphs by which a font is judged, spread over its characters.
_LYING = 0.4
"""Share of the sample that does not show its own signs, from which on a font's codes say nothing. In the 577
fonts of the shared papers, text fonts reach .1, the mildest of the fonts of signs .42."""

_ENOUGH = 2
"""Glyphs by which those that show their signs outnumber the others when a font is believed. The sample begins
with the small letters: capitals of Greek are often Latin ones."""

_UNREAD = re.compile(f"(?![{WHITE}])[\x00-\x1f\x7f-\x9f\ue000-\uefff{UNKNOWN}]")
"""Control characters and private ones; not those private ones by which fonts of signs are known."""

_ASCII = [chr(code) for code in range(0x21, 0x7F)]
_PROBE = "etain013"  # Letters and digits by which it is looked whether a font draws anything.
_LAST_CODE = 0xFFFF
_LONGEST_NAME = 31  # Characters of a font's name that MuPDF keeps.
_ALPHANUMERIC = frozenset(string.ascii_letters + string.digits)

_LETTER = re.compile("([0-9A-Za-zÀ-ÖØ-öø-ɏ])|[Α-Ωα-ωϑϕϵ]")
"""A letter or digit, Latin (in a group) or Greek. Names of the one for letters of the other are usual."""

_SAME_SIGN = dict.fromkeys("-\xad‐‑‒–—", "−") | {"'": "′", "’": "′", "μ": "µ"}
_TOLD = frozenset(TOLD_APART) | _SAME_SIGN.keys() | {"µ"}
"""Signs that turn a number; those that are drawn alike, and the one that stands for them."""

_JOINED = frozenset(
    "ff fi fl ffi ffl fj ffj fb ffb fh ffh fk ft fft tt ti tti tf ct st sp us is ch ck Th Qu ij IJ".split()
)
"""Letters that fonts have one glyph for."""

_ONE_SIGN = re.compile(r"\d+[/⁄]\d+|TM|SM|No|Nº|\.+|[^0-9A-Za-z]+")
"""Further characters that one glyph prints: fractions, marks; what has no Latin letter."""

_WIDTH = (0.5, 1.4)
"""How wide the ink of a glyph of several letters is, over their usual width in Times: .58 is that of ½, 1.38
that of the ff of an italic."""

_WIDER = 1.25
"""How many times wider than the narrowest glyph that its table calls the same one is that prints more: fi is
1.4 times as wide as f."""

_CLEAR_LIGATURE, _FAR_AWAY = 1.15, 5.0
"""How many times farther than the ligature that a glyph is any other must be that begins with its letter."""

_LATIN = re.compile("[0-9A-Za-z]")

_LOW = frozenset("acemnorsuvwxz")  # Small letters that reach as high as an x.
_ABOVE = 230  # Unicode's class of marks that combine above a letter.
_ACCENT = 0.06  # flat
"""Em by which a small letter with an accent is higher than one without, at least: .15 and more."""

_OF_MARKS = "\u0300-\u0333\u0339-\u036f\u0640\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20f0\ufe20-\ufe2f" + "".join(
    map(chr, POINTS)
)
_MARKS = re.compile(f"[{_OF_MARKS}]+")
"""Combining ones of Latin, without strokes through letters, points of Hebrew and Arabic, and what makes an
Arabic word longer."""

_OWNERS = frozenset("©®™")  # These are nothing in a quote, but have outlines to be compared with.
_NOTHING = re.compile(
    f"[{_OF_MARKS}{WHITE}\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "©®™\u2120\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\ufffe\U000e0000-\U000e0fff]+"
)
"""What has no ink of its own, is a mark on another, or is nothing in a quote. Soft hyphens may be painted."""

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

_SUPERIORS = dict(zip("0123456789+abcdefgni", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺ᵃᵇᶜᵈᵉᶠᵍⁿⁱ", strict=True))
"""The superior form of a character: figures, charges, marks of notes, exponents."""

_RAISED_SIGNS = frozenset("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍⁿⁱªº°˚")  # None begins at the baseline.

_TIMES_NEARER = 1.15, 1.25, 1.5
"""How many times nearer to another sign than to its own a glyph is that prints another: one of two that a
table calls the same digit or sign, one of a sign that turns a number, any other. Old-style and small figures,
which fonts have beside others, are nearest to their own. Of 4,734 letters, digits and signs of fonts in 455
PDFs three are denied so, of a font of parts of brackets; of the same read as others, 96 of 100."""

_TIMES_PLAINLY, _PLAINLY_ROUND, _PLAINLY_FIGURE = 2.0, 3.0, 1.25
"""The same, of rings and strokes, and of figures, where the font's own table says what the PDF's says: some
fonts draw J, or a as a ring with a stroke, as no known font does."""

_OTHER_FIGURE = 1.1  # The same for another figure where a figure is told.

_STROKE = (
    0.4  # Em that a 1 is wide at most: those of sans serif are nearer to a bracket than to that of Times.
)
_RAISED = 0.2
"""Em by which the foot of a superior character stands above the baseline, at least: those of Libertinus are
at .35; of ordinary figures none stands above .02."""

_TOLD_BESIDE = frozenset(f"{WHITE}{UNKNOWN}\xad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff")
"""What a text may have that its fonts' tables have not, in marks of its structure: white and what is none."""

_TOKEN = re.compile(
    rb"%[^\r\n]*|<([0-9A-Fa-f\s]*+)>|\(((?>(?:[^()\\]|\\.)*))\)|([\[\]])|(\d++|[^\s<>()\[\]%/\d][^\s<>()\[\]%/]*+)",
    re.DOTALL,
)
"""Comments, strings of digits and of letters, brackets and words of a table: MuPDF reads them in any form."""

_TABLES = 8  # That are kept: what OCR writes has one of 65,536 codes for each page.
_LONGEST_NUMBER = 7  # Digits of a character's number.

_SUBSET = re.compile(r"^[^+]{6}\+")

Signs = dict[tuple[Any, ...], str]
"""What is printed at a place, by the character's origin in points, rounded by `place`.

Glyphs without a character that are not recognised are found by origin and the character of their number,
which MuPDF gives for them.
"""


class Evidence:
    """What speaks for what a glyph of a font prints.

    `told` is what its font's table says, or, where that has not its code, what MuPDF reads. `named` is what
    its name or its code in a known encoding says, '' where they say nothing. `twins` are the other glyphs of
    which the table says the same.
    """

    def __init__(self, font: Any, glyph: int, told: str, named: str, twins: Sequence[int]) -> None:
        self.told, self.named, self.glyph, self.twins = told, named, glyph, twins
        self._font = font if font and 0 <= glyph < font.glyph_count else None

    @property
    def is_known(self) -> bool:
        """Whether there is an outline to look at."""
        return self._font is not None

    @property
    def is_blank(self) -> bool:
        """Whether there is an outline, and nothing is drawn of it."""
        return self._font is not None and not has_ink(self._font, self.glyph)

    @cached_property
    def form(self) -> Form | None:
        """The extent of its ink, and its strokes; None without ink."""
        return form(self._font, self.glyph) if self._font else None

    @cached_property
    def likeness(self) -> Likeness | None:
        """What its outline is like; None without ink."""
        read = self.told if len(self.told) == 1 else UNKNOWN
        return likeness(self._font, self.glyph, read) if self._font else None

    @cached_property
    def prints_more(self) -> str:
        """The ligature that it is, U+FFFD if it is not known which; '' where it is as wide as its twins."""
        drawn = [one for glyph in self.twins if (one := form(self._font, glyph))] if self._font else []
        narrow = min(drawn, key=lambda one: one.width, default=None)
        if not narrow or not self.form or not self.told.isalpha():
            return ""
        if self.form.width < _WIDER * narrow.width or self.form.strokes <= narrow.strokes:
            return ""
        if self.likeness and not self.likeness.lies:
            return ""
        if self.named.casefold() == self.told.casefold():
            capital = likeness(self._font, self.glyph, self.named)  # by its encoding
            nearer = capital and self.likeness and capital.distance < self.likeness.distance
            shown = capital and nearer and capital.nearer <= _TIMES_NEARER[-1]
            return self.named if shown else UNKNOWN
        found = likeness(self._font, self.glyph, UNKNOWN)
        ligatures = (
            [one for one in found.ranked if LIGATURES.get(one[1], "")[:1] == self.told] if found else []
        )
        (nearest, sign), *others = [*ligatures, (_FAR_AWAY, UNKNOWN)]
        return sign if others and others[0][0] > _CLEAR_LIGATURE * nearest else UNKNOWN


class CodeTable:
    """What a ToUnicode table says: its `codes`, each with its characters."""

    def __init__(self, codes: Sequence[tuple[int, str]]) -> None:
        self.codes = codes

    @cached_property
    def by_first(self) -> Mapping[str, Sequence[tuple[int, str]]]:
        """The same by the first of the characters."""
        found: dict[str, list[tuple[int, str]]] = defaultdict(list)
        for code, text in self.codes:
            found[text[0]].append((code, text))
        return found

    @cached_property
    def texts(self) -> frozenset[str]:
        """The characters of each code."""
        return frozenset([text for _, text in self.codes])

    @cached_property
    def characters(self) -> frozenset[str]:
        """All of them, one by one."""
        return frozenset("".join(self.texts))


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
        return _read_table(stream or b"")

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
            looked_at = [(code, text) for code, text in of_both if code <= _LAST_CODE and _is_looked_at(text)]
            self._glyphs[character] = {
                self._number(code): (code, text) for code, text in looked_at if self._loaded is not None
            }
        return self._glyphs[character]

    def has(self, character: str, glyph: int) -> bool:
        """Whether a character of this glyph may be of this font: it draws the glyph, its table has both."""
        if self._font and not 0 <= glyph < self._font.glyph_count:
            return False
        is_tabled = not self._table.codes or glyph in self._glyphs_of(character)
        return is_tabled or not _is_looked_at(character)

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
            if len(char) == 1 and (char in _ALPHANUMERIC or char in _TOLD):
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
            return not _ALPHANUMERIC.isdisjoint(characters)
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
        may_be_raised = told in _SUPERIORS and (self._kind == "Type0" or of.twins)
        if may_be_raised and of.form and of.form.foot >= _RAISED:
            return _SUPERIORS[told]
        if told in _RAISED_SIGNS and of.form and of.form.foot < _MARK_FOOT:
            return UNKNOWN
        if _NOTHING.fullmatch(told) and told not in _OWNERS:
            is_mark = _MARKS.fullmatch(told) and not (
                of.form and of.form.foot < _MARK_FOOT and of.form.top > _MARK_TOP
            )
            return None if is_mark or of.form is None else UNKNOWN
        if told in _ALPHANUMERIC and of.is_blank:
            return UNKNOWN  # without ink nothing is printed, whatever its name
        if len(told) > 1:
            return None if is_of_one_glyph(of) else UNKNOWN
        if of.prints_more:
            return of.prints_more
        unknown, denied = _UNREAD.match(told) is not None, self._denies(of)
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
            if _LETTER.fullmatch(char)
            for glyph, (_, text) in self._glyphs_of(char).items()
            if text == char
        ]
        denied = sum(self._denies(self._evidence(*at)) for at in letters)
        return 2 * denied > len(letters)

    def _denies(self, of: Evidence) -> bool:
        """Whether a glyph does not print the character that is told.

        That is a letter, a digit or a sign that turns a number, or another sign where a letter is printed.
        """
        told, is_sign = of.told, not _is_told(of.told)
        if self._lacks_accent(of) or (self._is_blank and told in _ALPHANUMERIC and not of.form):
            return True
        if of.named and not is_sign and of.named != told:
            return _is_another(of.named, told)
        is_of_letter = self._kind == "Type0" or of.named in _ALPHANUMERIC
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
        return of.likeness is not None and _is_plainly_another(of.likeness, told)

    def _shows_another(self, of: Evidence, found: Likeness | None) -> bool:
        told = of.told
        if not is_known(told):
            sign = found.sign if found else ""
            parts = list(normalize("NFKD", told))  # Ł has no base: its stroke is not looked at
            return len(parts) > 1 and sign in _ALPHANUMERIC and _is_another(sign, parts[0])
        if found is None or not _is_told(told):
            is_letter = found is not None and found.lies and found.sign in _ALPHANUMERIC
            return found is None or is_letter or (told in _OWNERS and found.nearer > _TIMES_NEARER[-1])
        turns = told in TOLD_APART or told.isdigit()
        times = _TIMES_NEARER[2 if not turns else 0 if of.twins else 1]
        is_stroke = told == "1" and of.form is not None and of.form.strokes == 1 and of.form.width < _STROKE
        if found.nearer > times or (found.lies and told.isdigit() and not is_stroke):
            return True
        figures = [away for away, sign in found.ranked if sign.isdigit() and told.isdigit()]
        if figures and found.distance > _OTHER_FIGURE * figures[0]:
            return True
        by_font = self._named_by_font.get(of.glyph, "")
        if _is_another(by_font, told) and (other := likeness(self._font, of.glyph, by_font)):
            return other.distance < found.distance
        if told in _TOLD or found.sign in {"", told}:  # a bold T is drawn as the τ of another font
            return False
        return not _LETTER.match(found.sign) or _is_another(found.sign, told)

    @cached_property
    def _named_by_font(self) -> Mapping[int, str]:
        """The letters, digits and signs of the font's own table, by their glyphs."""
        glyphs = {self._font.has_glyph(ord(char)): char for char in sorted(_ALPHANUMERIC | _TOLD)}
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


def _is_looked_at(text: str) -> bool:
    """Whether it is looked at what a glyph prints of which a table says this."""
    if len(text) != 1:
        return bool(_LATIN.search(text) or _NOTHING.fullmatch(text))
    is_raised = text in _SUPERIORS or text in _RAISED_SIGNS
    return is_raised or _is_told(text) or _NOTHING.match(text) is not None or is_known(text)


def is_of_one_glyph(of: Evidence) -> bool:
    """Whether a glyph prints the several characters that are told of it: a ligature, a fraction, a mark."""
    told = normalize("NFKC", of.told)  # XeTeX tells an ffi as "ﬀi"
    if normalize("NFKC", of.named) == told or not _LATIN.search(of.told):
        return True
    if of.named and len(normalize("NFKC", of.named)) == 1:
        return False
    if not (told in _JOINED or _ONE_SIGN.fullmatch(told)):
        return False
    if of.form is None:
        return not of.is_known
    if of.likeness and LIGATURES.get(of.likeness.sign) == told:
        return True
    strokes = len(told) if told in _JOINED else 0
    relative = of.form.width / usual_width(told)
    is_letter = of.likeness is not None and of.likeness.sign in _ALPHANUMERIC
    return _WIDTH[0] <= relative <= _WIDTH[1] and of.form.strokes >= strokes and not is_letter


def _is_told(text: str) -> bool:
    """Whether a text is a letter, a digit or a sign that turns a number."""
    return len(text) == 1 and (text in _TOLD or _LETTER.fullmatch(text) is not None)


def _is_plainly_another(found: Likeness, told: str) -> bool:
    """Whether a glyph is another letter, digit or sign than its font's own table says, too."""
    if told in ".,′":  # TeX draws primes as large as letters
        return False
    figures = [away for away, sign in found.ranked if sign.isdigit() and told.isdigit()]
    if figures and found.distance > _PLAINLY_FIGURE * figures[0]:
        return True
    is_told_apart = found.sign in _ALPHANUMERIC or found.sign in TOLD_APART
    times = _PLAINLY_ROUND if found.ranked[0][1] in ROUND_OR_STRAIGHT else _TIMES_PLAINLY
    return found.nearer > times or (is_told_apart and _is_another(found.sign, told))


def _is_another(one: str, other: str) -> bool:
    """Whether two characters are letters or digits of one script, and not the same but for their case.

    Or one is a sign that turns a number, and the other is drawn otherwise; or one is several letters.
    """
    one, other = (normalize("NFKC", text) for text in (one, other))
    if len(one) > 1:
        return one.casefold() != other.casefold()
    if one in _TOLD or other in _TOLD:
        return bool(one and other) and _SAME_SIGN.get(one, one) != _SAME_SIGN.get(other, other)
    found = _LETTER.fullmatch(one), _LETTER.fullmatch(other)
    alike = len({normalize("NFKD", char).casefold() for char in (one, other)}) == 1
    return all(found) and not alike and bool(found[0] and found[0][1]) == bool(found[1] and found[1][1])


@lru_cache(_TABLES)
def _read_table(table: bytes) -> CodeTable:
    """Return what a ToUnicode table says; nothing if there is none."""
    found: list[tuple[int, str]] = []
    block, values = b"", list[Any]()
    listed: list[Any] | None = None
    for token in _TOKEN.finditer(table):
        digits, literal, bracket, word = token.groups()
        if word and not word.isdigit():
            block = word[5:] if word.startswith((b"beginbf", b"begincid")) else b""
            values, listed = [], None
        elif block and bracket == b"[":
            listed = []
        elif block and (value := listed if bracket else _value_of(digits, literal, word)) is not None:
            if listed is not None and not bracket:
                listed.append(value)
                continue
            listed = None
            values.append(value)
            if len(values) == (2 if block.endswith(b"char") else 3):
                found += _told(values[0], values[-2], values[-1])
                values = []
    return CodeTable(found)


def _value_of(digits: bytes | None, literal: bytes | None, word: bytes | None) -> Any:
    """Return a string of bytes, or a number; None if it is neither."""
    if digits is not None:
        even = b"".join(digits.split())
        return bytes.fromhex((even + b"0" * (len(even) % 2)).decode())
    if literal is not None:
        return escape_decode(literal)[0]
    return int(word) if word and len(word) <= _LONGEST_NUMBER else None


def _told(first: Any, last: Any, target: Any) -> Iterator[tuple[int, str]]:
    """Yield codes from `first` to `last` with the characters that a table gives the first of them or each."""
    if not (isinstance(first, bytes) and isinstance(last, bytes)):
        return
    codes = range(int.from_bytes(first), min(int.from_bytes(last), _LAST_CODE) + 1)
    if isinstance(target, list):
        yield from ((code, text) for code, one in zip(codes, target, strict=False) if (text := _text_of(one)))
    elif text := _text_of(target):
        for number, code in enumerate(codes, ord(text[-1])):
            yield code, text[:-1] + chr(min(number, maxunicode))


def _text_of(target: Any) -> str:
    """Return the text that a table writes in UTF-16, or as the number of a character."""
    if isinstance(target, int):
        return chr(min(target, maxunicode))
    return target[: len(target) // 2 * 2].decode("utf-16-be", "replace") if isinstance(target, bytes) else ""


class UsedFonts(NamedTuple):
    """The fonts that a page uses: their numbers, and what gives the codes of one byte that it may draw."""

    numbers: frozenset[int]
    codes: Callable[[], Container[int]]


class Fonts:
    """The fonts of an open document, each looked at once."""

    def __init__(self, document: Any) -> None:
        self._document = document
        self._programs: dict[int, Program] = {}
        self._known: dict[int, tuple[str, str]] = {}  # kind and name, by number
        self._signs: dict[tuple[Program, ...], dict[tuple[int, int], str | None]] = {}  # by code and glyph

    def of_page(self, page: Any, numbers: frozenset[int]) -> list[tuple[int, str, str]]:
        """Return number, kind and name of each font of a page, which has those with these numbers."""
        if not self._known.keys() >= numbers:
            listed = self._document.get_page_fonts(page.number)
            self._known |= {xref: (kind, name) for xref, _, kind, name, *_ in listed}
        return [(number, *self._known[number]) for number in numbers & self._known.keys()]

    def signs(
        self, layer: TextLayer, fonts: Sequence[tuple[int, str, str]], codes: Callable[[], Container[int]]
    ) -> tuple[Container[str], Signs]:
        """Return those of a page's `fonts` that lie, by name, and what their characters print, by its place.

        It is U+FFFD where no sign is near enough.

        `layer` is the page's text, which `codes` draw (`UsedFonts`). A font lies if its glyphs are not those
        of their codes. In other fonts it is looked up what unknown characters print, and letters and digits
        that have several glyphs.
        """
        texts: dict[str, list[str]] = defaultdict(list)
        for line in layer.lines:
            for span in line["spans"]:
                texts[span["font"]].append(span["text"])
        programs = self._by_name(fonts)
        suspects = {
            name: programs[name]
            for name, parts in texts.items()
            for text in ["".join(parts)]
            if _are_in_doubt(text, programs[name], codes)
        }
        return suspects, dict(self._printed(layer, suspects)) if suspects else {}

    def _printed(
        self, layer: TextLayer, suspects: Mapping[str, Sequence[Program]]
    ) -> Iterator[tuple[tuple[Any, ...], str]]:
        for span in layer.trace():
            name = span["font"]
            programs = tuple(one for one in suspects.get(_SUBSET.sub("", name), ()) if one.name == name)
            if not programs or span["type"] == NO_INK:  # glyphs show nothing that nobody sees
                continue
            signs, drawn = self._signs.setdefault(programs, {}), [char[:2] for char in span["chars"]]
            for code, glyph in {*drawn} - signs.keys():
                signs[code, glyph] = _sign(programs, chr(code), glyph) if glyph >= 0 else None
            if not any(map(signs.get, drawn)):
                continue
            for (code, glyph, origin, _), (_, after) in zip(span["chars"], [*drawn[1:], (0, 0)], strict=True):
                sign = signs[code, glyph]
                if glyph < 0 or (after < 0 and sign != UNKNOWN):  # a glyph of several characters
                    continue
                # the text may have what the PDF says beside its tables
                if sign == UNKNOWN == chr(code) and any(program.told for program in programs):
                    yield (*place(origin), chr(glyph)), sign
                elif sign is not None:
                    yield place(origin), sign

    def without_hyphens(self, fonts: Sequence[tuple[int, str, str]]) -> Container[str]:
        """Return those of a page's `fonts`, by name, whose tables know no hyphen but the soft one."""
        return {
            name
            for name, programs in self._by_name(fonts).items()
            if all("\xad" in one.tabled and one.tabled.isdisjoint("-‐") for one in programs)
        }

    def _by_name(self, fonts: Sequence[tuple[int, str, str]]) -> Mapping[str, list[Program]]:
        """Return the programs of these fonts by the names that their spans have."""
        programs: dict[str, list[Program]] = defaultdict(list)
        for xref, kind, name in fonts:
            if xref not in self._programs:
                self._programs[xref] = Program(self._document, xref, kind, name)
            programs[_SUBSET.sub("", self._programs[xref].name)].append(self._programs[xref])
        return programs


def _are_in_doubt(text: str, programs: Sequence[Program], codes: Callable[[], Container[int]]) -> bool:
    """Whether a text has unknown characters, or such as its fonts do not print.

    MuPDF gives the character of the same number for a code that a font's table sends nowhere.
    """
    told = [program.told for program in programs]
    return bool(
        _UNREAD.search(text)
        or (told and all(told) and (any("\0" in one for one in told) or frozenset(text).difference(*told)))
        or any(program.lies or program.doubts(text, codes) for program in programs)
    )


def _sign(programs: Sequence[Program], character: str, glyph: int) -> str | None:
    """Return what the glyph prints, by all fonts of the name that have it; None if it may be left as it is.

    It is unknown where they differ.
    """
    having = [program for program in programs if program.has(character, glyph)]
    found = {program.sign(character, glyph) for program in having or programs}
    return found.pop() if len(found) == 1 else UNKNOWN
