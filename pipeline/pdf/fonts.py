"""Fonts of a document whose characters are not what they print, and the signs that they print instead."""

import re
import string
from collections import Counter, defaultdict
from collections.abc import Container, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from statistics import median
from typing import Any
from unicodedata import combining, normalize

import pymupdf

from lookup.text.folding import UNKNOWN
from pipeline.pdf.character_maps import glyphs_of_codes
from pipeline.pdf.drawn_letters import NO_INK, place
from pipeline.pdf.glyphs import glyph_names
from pipeline.pdf.opening import MUPDF_ERRORS
from pipeline.pdf.placed_words import WHITE
from pipeline.pdf.shapes import TOLD_APART, draws, extent, is_known, likeness, shows
from pipeline.pdf.text_layer import TextLayer

_SAMPLE = 8  # Glyphs by which a font is judged, spread over its characters.
_LYING = 0.4
"""Share of the sample that does not show its own signs, from which on a font's codes say nothing. In the 577
fonts of the shared papers, text fonts reach .1, the mildest of the fonts of signs .42."""

_LIGATURES = {"f": ("fi", "ﬁ"), "T": ("Th",)}
"""Letters with which ligatures begin, and what a text has whose font does not read these as the letter
alone."""

_ENOUGH = 2
"""Glyphs by which those that show their signs outnumber the others when a font is believed. The sample begins
with the small letters: capitals of Greek are often Latin ones."""

_PROSE = re.compile(
    r"\b(?:the|and|for|with|from|were|der|die|und|von|les|des|dans|del|los|que|con|para|per|che|non)\b"
    r"|[a-z]{2}(?:tion|ing|ment|ence|ical|ness|ies|ated|ous|able)s?\b"
)
"""Words, and ends of words, in the codes of a font that sets prose: it need not be looked at, which
would take 3 ms. With both, the extraction of papers without odd fonts takes no longer than without."""

_LONGEST_NAME = 31  # Characters of a font's name that MuPDF keeps.
_SUBSET = re.compile(r"^[^+]{6}\+")
_ASCII = [chr(code) for code in range(0x21, 0x7F)]
_UNKNOWN = re.compile(f"(?![{WHITE}])[\x00-\x1f\x7f-\x9f\ue000-\uefff{UNKNOWN}]")
"""Control characters and private ones; not those private ones by which fonts of signs are known."""

_SINGLES = re.compile(rb"beginbfchar(.*?)endbfchar", re.DOTALL)
_RANGES = re.compile(rb"beginbfrange(.*?)endbfrange", re.DOTALL)
_PAIR = re.compile(rb"<\s*+([0-9A-Fa-f]++)\s*+>\s*+<\s*+([0-9A-Fa-f][0-9A-Fa-f\s]*+)>")
_RANGE = re.compile(rb"<\s*([0-9A-Fa-f]+)\s*>\s*<\s*([0-9A-Fa-f]+)\s*>\s*<\s*([0-9A-Fa-f]{4})\s*>")
_LISTED = re.compile(rb"<\s*([0-9A-Fa-f]+)\s*>\s*<\s*[0-9A-Fa-f]+\s*>\s*\[([^\]]*)\]")
_TARGET = re.compile(rb"<\s*([0-9A-Fa-f][0-9A-Fa-f\s]*)>")

_TABLES = 8  # That are kept: what OCR writes has one of 65,536 codes for each page.
_PROBE = "etain013"  # Letters and digits by which it is looked whether a font draws anything.
_LAST_CODE, _LAST_BYTE = 0xFFFF, 0xFF
_ALPHANUMERIC = frozenset(string.ascii_letters + string.digits)

_LETTER = re.compile("([0-9A-Za-zÀ-ÖØ-öø-ɏ])|[Α-Ωα-ωϑϕϵ]")
"""A letter or digit, Latin (in a group) or Greek. Names of the one for letters of the other are usual."""

_SAME_SIGN = dict.fromkeys("-\xad‐‑‒–—", "−") | {"'": "′", "’": "′", "μ": "µ"}
_TOLD = frozenset(TOLD_APART) | _SAME_SIGN.keys() | {"µ"}
"""Signs that turn a number; those that are drawn alike, and the one that stands for them."""

_LOW = frozenset("acemnorsuvwxz")  # Small letters that reach as high as an x.
_ABOVE = 230  # Unicode's class of marks that combine above a letter.
_ACCENT = 0.06  # flat
"""Em by which a small letter with an accent is higher than one without, at least: .15 and more."""

_STANDARD = re.compile(
    r"(?:[A-Z]{6}\+)?(?P<family>Helvetica|Times|Courier)(?P<style>-(?:Roman|Bold|Oblique|Italic|Bold(?:Oblique|Italic)))?"
)
"""Fonts that a PDF need not embed, by their names, without that of symbols."""

_PLAIN = {"Times": "-Roman"}

_NAME = re.compile("[A-Za-z]+")  # A name that says what a glyph is, as "g23" and "C0" do not.

_SUPERIORS = dict(zip("0123456789+abcdefgni", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺ᵃᵇᶜᵈᵉᶠᵍⁿⁱ", strict=True))
"""The superior form of a character: figures, charges, marks of notes, exponents."""

_RAISED_BY_NAME = re.compile(r"superior|\.sups?\b|\buni(?:00B[239]|20[78][0-9])\b")
"""In names of glyphs: "one.superior", "onesuperior", "five.sups", "uni00B9"."""

_TWIN = 1.15
"""How many times nearer to another sign than to its own one of two glyphs must be that a table calls the same
digit or sign. Old-style and small figures, which fonts have beside others, are nearest to their own."""

_RAISED = 0.2
"""Em by which the foot of a superior character stands above the baseline, at least: those of Libertinus are
at .35; of ordinary figures none stands above .02."""

_BY_NUMBER, _KINDS = ("/Identity-H", "/Identity-V"), ("/CIDFontType0", "/CIDFontType2")
"""Encodings by which codes are numbers of glyphs, and kinds of fonts whose glyphs have no names."""

_ONE_CHARACTER = 4  # Hexadecimal digits.
_TOLD_BESIDE = frozenset(f"{WHITE}{UNKNOWN}\xad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff")
"""What a text may have that its fonts' tables have not, in marks of its structure: white and what is none."""

Signs = dict[tuple[Any, ...], str]
"""What is printed at a place, by the character's origin in points, rounded by `place`.

Glyphs without a character that are not recognised are found by origin and the character of their number,
which MuPDF gives for them.
"""


class Fonts:
    """The fonts of an open document, each looked at once."""

    def __init__(self, document: Any) -> None:
        self._document = document
        self._programs: dict[int, _Program] = {}
        self._known: dict[int, tuple[str, str]] = {}  # kind and name, by number
        self._sure: dict[tuple[_Program, ...], set[str]] = defaultdict(set)  # what fonts together print

    def of_page(self, page: Any, numbers: frozenset[int]) -> list[tuple[int, str, str]]:
        """Return number, kind and name of each font of a page, which has those with these numbers."""
        if not self._known.keys() >= numbers:
            listed = self._document.get_page_fonts(page.number)
            self._known |= {xref: (kind, name) for xref, _, kind, name, *_ in listed}
        return [(number, *self._known[number]) for number in numbers & self._known.keys()]

    def signs(self, layer: TextLayer, fonts: Sequence[tuple[int, str, str]]) -> tuple[Container[str], Signs]:
        """Return those of a page's `fonts` that lie, by name, and what their characters print, by its place.

        It is U+FFFD where no sign is near enough.

        `layer` is the page's text. A font lies if its glyphs are not those of their codes. In other
        fonts it is looked up what unknown characters print, and letters and digits that have several glyphs.
        """
        texts: dict[str, list[str]] = defaultdict(list)
        for line in layer.lines:
            for span in line["spans"]:
                texts[span["font"]].append(span["text"])
        programs: dict[str, list[_Program]] = defaultdict(list)
        for xref, kind, name in fonts:
            if xref not in self._programs:
                self._programs[xref] = _Program(self._document, xref, kind, name)
            programs[_SUBSET.sub("", self._programs[xref].name)].append(self._programs[xref])
        suspects = {
            name: programs[name]
            for name, parts in texts.items()
            for text in [" ".join(parts)]
            if self._are_in_doubt(frozenset(text), programs[name])
            or any(_may_be_ligatures(text, program.ligatures) for program in programs[name])
            or any(not program.may_be_raised.isdisjoint(text) for program in programs[name])
            or (not _PROSE.search(text) and any(program.lies for program in programs[name]))
        }
        return suspects, dict(_printed(layer, suspects)) if suspects else {}

    def _are_in_doubt(self, characters: frozenset[str], programs: Sequence["_Program"]) -> bool:
        """Whether a text of these characters has unknown ones, or such as its fonts do not print.

        MuPDF gives the character of the same number for a code that a font's table sends nowhere.
        """
        sure = self._sure[tuple(programs)]
        if sure >= characters:
            return False
        characters -= sure
        told = [program.told for program in programs]
        if (
            _UNKNOWN.search("".join(characters))
            or (told and all(told) and (any("\0" in one for one in told) or characters.difference(*told)))
            or any(not program.contradicted.isdisjoint(characters) for program in programs)
        ):
            return True
        sure |= characters
        return False


def _may_be_ligatures(text: str, doubled: frozenset[str]) -> bool:
    """Whether a text has one of these letters, and none of the ligatures that begin with it."""
    return any(letter in text and not any(one in text for one in _LIGATURES[letter]) for letter in doubled)


def _printed(
    layer: TextLayer, suspects: dict[str, list["_Program"]]
) -> Iterator[tuple[tuple[Any, ...], str]]:
    seen: dict[str, dict[tuple[int, int], str | None]] = defaultdict(dict)
    for span in layer.trace():
        name = span["font"]
        programs = [one for one in suspects.get(_SUBSET.sub("", name), ()) if one.name == name]
        if not programs or span["type"] == NO_INK:  # glyphs show nothing that nobody sees
            continue
        signs, drawn = seen[name], [char[:2] for char in span["chars"]]
        for code, glyph in {*drawn} - signs.keys():
            signs[code, glyph] = _sign(programs, chr(code), glyph) if glyph >= 0 else None
        if not any(map(signs.get, drawn)):
            continue
        for (code, glyph, origin, _), (_, after) in zip(span["chars"], [*drawn[1:], (0, 0)], strict=True):
            if glyph < 0 or after < 0:  # a glyph of several characters, which are named
                continue
            sign = signs[code, glyph]
            # the text may have what the PDF says beside its tables
            if sign == UNKNOWN == chr(code) and any(program.told for program in programs):
                yield (*place(origin), chr(glyph)), sign
            elif sign is not None:
                yield place(origin), sign


def _sign(programs: Sequence["_Program"], character: str, glyph: int) -> str | None:
    """Return what the glyph prints, by all fonts of the name that have it; None if it may be left as it is.

    It is unknown where they differ.
    """
    if character in WHITE:
        return None
    having = [program for program in programs if program.has(character, glyph)]
    found = {program.sign(character, glyph) for program in having or programs}
    return found.pop() if len(found) == 1 else UNKNOWN


class _Program:
    """The font of a document that has the number `xref`; `named` is its name by its dictionary."""

    def __init__(self, document: Any, xref: int, kind: str, named: str) -> None:
        self._document = document
        self._xref = xref
        self._kind = kind
        self._named = named
        self._signs: dict[tuple[str, int], str | None] = {}

    @cached_property
    def name(self) -> str:
        """Its name in `traced`: MuPDF's own, with the tag of its subset.

        That is not always the one of its dictionary, which may end with the name of its encoding.
        """
        pdf = pymupdf.mupdf.pdf_document_from_fz_document(self._document.this)
        dictionary = pymupdf.mupdf.pdf_new_indirect(pdf, self._xref, 0)
        try:
            loaded = pymupdf.mupdf.ll_pdf_load_font(pdf.m_internal, None, dictionary.m_internal)
        except MUPDF_ERRORS:
            return self._named.removesuffix("-Identity-H").removesuffix("-Identity-V")[:_LONGEST_NAME]
        kept = pymupdf.mupdf.PdfFontDesc(loaded)  # it is released with this
        return str(pymupdf.mupdf.ll_fz_font_name(kept.m_internal.font))

    def has(self, character: str, glyph: int) -> bool:
        """Whether a character of this glyph may be of this font: it draws the glyph, its table has both."""
        if self._font and not 0 <= glyph < self._font.glyph_count:
            return False
        if self._kind == "Type0" and self._is_by_number and self._codes:
            return any(code == glyph and text.startswith(character) for code, text in self._codes)
        return not self._codes or any(text.startswith(character) for _, text in self._codes)

    @cached_property
    def _data(self) -> bytes:
        return bytes(self._document.extract_font(self._xref)[-1] or b"")

    @cached_property
    def _font(self) -> Any:
        try:
            if self._data:
                return pymupdf.Font(fontbuffer=self._data)
            return pymupdf.Font(self._standard) if self._standard else None
        except (pymupdf.mupdf.FzErrorBase, RuntimeError, ValueError):  # not embedded, or broken
            return None

    @cached_property
    def _standard(self) -> str:
        """Which of the fonts is drawn by its names that no PDF has to embed; '' if it is none of them."""
        described = self._document.xref_get_key(self._xref, "FontDescriptor")[0] != "null"
        name = self._document.xref_get_key(self._xref, "BaseFont")[1].lstrip("/")
        found = None if described or self._kind == "Type0" else _STANDARD.fullmatch(name)
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
            found = shows(self._font, glyph, char)
            right += found is True
            wrong += found is False
            if right - wrong == _ENOUGH:
                return False
        return wrong > 0 and wrong >= _LYING * (right + wrong)

    @cached_property
    def _has_table(self) -> bool:
        """Whether it says by a table of its own which characters of Unicode it prints."""
        kind, _ = self._document.xref_get_key(self._xref, "ToUnicode")
        return bool(kind == "xref")

    @cached_property
    def _table(self) -> tuple[Sequence[tuple[int, str]], frozenset[str]]:
        """The table by which it says which characters of Unicode its codes print, and all of them; or ()."""
        if not self._has_table:
            return (), frozenset()
        _, reference = self._document.xref_get_key(self._xref, "ToUnicode")
        try:
            return _coded(self._document.xref_stream(int(reference.split()[0])) or b"")
        except (pymupdf.mupdf.FzErrorBase, RuntimeError, ValueError):
            return (), frozenset()

    @property
    def _codes(self) -> Sequence[tuple[int, str]]:
        return self._table[0]

    @property
    def told(self) -> frozenset[str]:
        """All characters of its table, white space, and what MuPDF adds, if it knows no others."""
        return self._table[1] if self._kind == "Type0" else frozenset()

    @cached_property
    def doubled(self) -> frozenset[str]:
        """The letters that it has two codes for, or a ligature that only its name tells: "T_h"."""
        counted = Counter([text for _, text in self._codes])
        _, differences = self._document.xref_get_key(self._xref, "Encoding/Differences")
        names = glyph_names(differences) if "_" in differences else {}
        told = dict(self._codes) if names else {}
        untold = {
            name[:2] for char, name in names.items() if len(normalize("NFKC", told.get(ord(char), ""))) < 2
        }
        return frozenset(char for char in _LIGATURES if counted[char] > 1 or f"{char}_" in untold)

    @cached_property
    def may_be_raised(self) -> frozenset[str]:
        """The characters that may be raised: those with two codes, or a name or outline that says so."""
        counted = Counter([text for _, text in self._codes if text in _SUPERIORS])
        found = {text for text, codes in counted.items() if codes > 1}
        if self._kind == "Type0" and self._is_by_number:  # a figure may be printed raised alone
            found |= {
                text
                for code, text in self._codes
                if text in counted and text not in found and self._raised(text, code)
            }
        if counted and self._kind != "Type0":
            _, differences = self._document.xref_get_key(self._xref, "Encoding/Differences")
            told = dict(self._codes)
            names = glyph_names(differences) if _RAISED_BY_NAME.search(differences) else {}
            found |= {told.get(ord(char), "") for char, name in names.items() if _RAISED_BY_NAME.search(name)}
        return frozenset(found & _SUPERIORS.keys())

    def _raised(self, character: str, glyph: int) -> str | None:
        """Return the superior character that a glyph draws; None where it stands on or below the line."""
        if not self._font or not 0 <= glyph < self._font.glyph_count:
            return None
        foot, _ = extent(self._font, glyph) or (0.0, 0.0)
        return _SUPERIORS[character] if foot >= _RAISED else None

    @cached_property
    def ligatures(self) -> frozenset[str]:
        """Those of the letters that may be ligatures: the glyphs of others, known by number, are no signs."""
        if not self.doubled or self._kind != "Type0" or not self._is_by_number:
            return self.doubled
        return frozenset(
            text for code, text in self._codes if text in self.doubled and self.sign(text, code) is not None
        )

    @cached_property
    def _is_by_number(self) -> bool:
        """Whether the codes of a composite font are the numbers of its glyphs."""
        value = self._document.xref_get_key
        below = re.search(r"(\d+) 0 R", value(self._xref, "DescendantFonts")[1])
        kind, glyphs = (value(int(below[1]), name)[1] if below else "" for name in ("Subtype", "CIDToGIDMap"))
        by_number = glyphs in ("null", "/Identity") and value(self._xref, "Encoding")[1] in _BY_NUMBER
        return by_number and (bool(self._probe) or kind in _KINDS)

    @cached_property
    def _probe(self) -> list[int]:
        return [glyph for char in _PROBE if self._font and (glyph := self._font.has_glyph(ord(char)))]

    @cached_property
    def contradicted(self) -> frozenset[str]:
        """The letters and digits of its table that it names otherwise, or whose glyphs do not show them.

        All, where its glyphs draw nothing.
        """
        font, value = self._font, self._document.xref_get_key
        if self._probe and not any(draws(font, glyph) for glyph in self._probe):
            return _ALPHANUMERIC
        pairs = [(code, text) for code, text in self._codes if code <= _LAST_CODE and _is_told(text)]
        if pairs and font and self._glyphs:
            denied = {text for code, text in pairs if self._denies(self._glyphs.get(code, -1), text)}
            return frozenset(denied) if 2 * len(denied) <= len(pairs) else frozenset()
        if pairs and font and self._kind == "Type0":
            if not self._is_by_number:
                return frozenset()
            if not any(draws(font, code) for code, _ in pairs):
                return _ALPHANUMERIC
            return frozenset(text for code, text in pairs if self._denies(code, text))
        of_its_own = value(self._xref, "Encoding")[0] == "null" and font
        if not pairs or of_its_own or self._kind in ("Type0", "Type3"):
            return frozenset()
        names = glyph_names(value(self._xref, "Encoding/Differences")[1])
        called = pymupdf.mupdf.fz_unicode_from_glyph_name
        named = {char: chr(called(name)) if _NAME.fullmatch(name) else "" for char, name in names.items()}
        return frozenset(
            text
            for code, text in pairs
            if (name := named.get(chr(code), self._coded(code, text))) != text and _is_another(name, text)
        )

    @cached_property
    def _glyphs(self) -> Mapping[int, int]:
        """The glyphs of the codes of a simple TrueType font without an encoding, as LibreOffice embeds it."""
        encoding, _ = self._document.xref_get_key(self._xref, "Encoding")
        return glyphs_of_codes(self._data) if self._kind == "TrueType" and encoding == "null" else {}

    @cached_property
    def _is_ciphered(self) -> bool:
        """Whether most of the table of a font that is not embedded is wrong: then nothing of it is mended.

        Signs that are not looked at would stay wrong among letters that are right.
        """
        letters = {text for _, text in self._codes if _LETTER.fullmatch(text)}
        return bool(self._standard) and 2 * len(self.contradicted) > len(letters)

    @cached_property
    def _by_code(self) -> str:
        """The characters of its codes in a standard encoding, one by one; '' if they are not known."""
        value = self._document.xref_get_key
        encoding = value(self._xref, "Encoding")[1] + value(self._xref, "Encoding/BaseEncoding")[1]
        in_windows = (self._standard or self._kind == "Type1") and "WinAnsi" in encoding
        return bytes(range(_LAST_BYTE + 1)).decode("cp1252", "replace") if in_windows else ""

    def _coded(self, code: int, told: str) -> str:
        """Return the character of a code that has no name of its own; '' if that is not known."""
        return self._by_code[code : code + 1] or (chr(code) if told.isascii() else "")

    def _denies(self, glyph: int, character: str) -> bool:
        if self._font.has_glyph(ord(character)) == glyph or not 0 <= glyph < self._font.glyph_count:
            return False
        if not (character in _ALPHANUMERIC or is_known(character)):
            return self._lacks_accent(glyph, character)
        found = likeness(self._font, glyph, character)
        if found is None or found.contradicted or (found.other and character.isdigit()):
            return True
        if found.nearer > _TWIN and character in self._twins:
            return True
        if found.other and self._glyphs and (not found.sign or _LETTER.match(found.sign)):
            return True  # its font has no names for glyphs
        by_font = self._named_by_font.get(glyph, "")
        if _is_another(by_font, character) and (other := likeness(self._font, glyph, by_font)):
            return other.distance < found.distance
        sign = found.sign  # a bold T is drawn as the τ of another font
        if character in _TOLD or sign in {"", character}:
            return False
        return not (_LETTER.match(sign) or self._glyphs) or _is_another(sign, character)

    @cached_property
    def _twins(self) -> frozenset[str]:
        """The digits and signs for which its table has two codes: one of their glyphs may be another's."""
        counted = Counter([text for _, text in self._codes if text.isdigit() or text in _TOLD])
        return frozenset(text for text, codes in counted.items() if codes > 1)

    @cached_property
    def _named_by_font(self) -> dict[int, str]:
        """The letters, digits and signs of the font's own table, by their glyphs."""
        return {self._font.has_glyph(ord(char)): char for char in (*_ALPHANUMERIC, *_TOLD)}

    def _lacks_accent(self, glyph: int, character: str) -> bool:
        """Whether a small letter that has an accent above, by its table, is no higher than those without."""
        base, marks = normalize("NFD", character)[0], normalize("NFD", character)[1:]
        if base not in _LOW or not any(combining(mark) == _ABOVE for mark in marks):
            return False
        drawn = extent(self._font, glyph)
        return drawn is not None and bool(self._low) and drawn[1] < self._low + _ACCENT

    @cached_property
    def _low(self) -> float:
        """The usual height of the small letters that are low, em; 0 if it has none by its table."""
        drawn = [extent(self._font, code) for code, text in self._codes if text in _LOW and len(text) == 1]
        return float(median([upper for _, upper in filter(None, drawn)] or [0.0]))

    def sign(self, character: str, glyph: int) -> str | None:
        """Return what the glyph prints, U+FFFD if that is uncertain; None if it may be left as it is."""
        key = character, glyph
        if key not in self._signs:
            self._signs[key] = self._recognised(character, glyph)
        return self._signs[key]

    def _recognised(self, character: str, glyph: int) -> str | None:
        if character in self.may_be_raised and (form := self._raised(character, glyph)):
            return form
        unknown = _UNKNOWN.match(character) is not None
        denied = character in self.contradicted
        if denied and (self._kind == "Type0" or self._glyphs) and self.contradicted != _ALPHANUMERIC:
            denied = self._denies(glyph, character)
        if not (unknown or denied or self.lies or character in self.doubled):
            return None
        if not (unknown or denied) and self._has_table and not is_known(character):  # of Arabic, for example
            return None
        if self._font is None or self._is_ciphered or not 0 <= glyph < self._font.glyph_count:
            return UNKNOWN if unknown or denied else None
        found = likeness(self._font, glyph, character)
        if denied and found is None:
            return UNKNOWN
        if denied and found and self.contradicted != _ALPHANUMERIC:  # else it is in doubt whether they draw
            return None if found.sign == character else found.sign or UNKNOWN
        if found is None or not (unknown or self.lies or found.other):
            return None
        return found.sign or UNKNOWN


def _is_told(text: str) -> bool:
    """Whether it is looked at what prints a character: a letter, a digit or a sign that turns a number."""
    return len(text) == 1 and (text in _TOLD or _LETTER.fullmatch(text) is not None)


def _is_another(one: str, other: str) -> bool:
    """Whether two characters are letters or digits of one script, and not the same but for their case.

    Or one is a sign that turns a number, and the other is drawn otherwise.
    """
    if one in _TOLD or other in _TOLD:
        return bool(one and other) and _SAME_SIGN.get(one, one) != _SAME_SIGN.get(other, other)
    found = _LETTER.fullmatch(one), _LETTER.fullmatch(other)
    alike = len({normalize("NFKD", char).casefold() for char in (one, other)}) == 1
    return all(found) and not alike and bool(found[0] and found[0][1]) == bool(found[1] and found[1][1])


@lru_cache(_TABLES)
def _coded(table: bytes) -> tuple[Sequence[tuple[int, str]], frozenset[str]]:
    """Return the codes of a ToUnicode table, each with its characters; and all that a text by it may have."""
    found: list[tuple[int, str]] = []
    pairs = [pair for block in _SINGLES.findall(table) for pair in _PAIR.findall(block)]
    for block in _RANGES.findall(table):
        for first, last, target in _RANGE.findall(_LISTED.sub(b"", block)):
            code, begin = int(first, 16), int(target, 16)
            size = min(int(last, 16) - code, 0xFFFF - begin) + 1
            found += [(code + at, chr(begin + at)) for at in range(size)]
        for first, listed in _LISTED.findall(block):
            code = int(first, 16)
            pairs += [(b"%x" % (code + at), target) for at, target in enumerate(_TARGET.findall(listed))]
    for code, target in pairs:
        digits = b"".join(target.split()).decode().zfill(_ONE_CHARACTER)
        text = bytes.fromhex(digits[: len(digits) // 2 * 2]).decode("utf-16-be", "replace")
        found.append((int(code, 16), text))
    told = frozenset("".join([text for _, text in found]))
    return found, told | _TOLD_BESIDE if told else told
