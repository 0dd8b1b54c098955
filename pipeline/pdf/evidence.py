"""What speaks for what a glyph of a font prints: what is told of it, its name, its outline."""

import re
import string
from collections.abc import Sequence
from functools import cached_property
from typing import Any
from unicodedata import normalize

from lookup.text.folding import POINTS, UNKNOWN
from pipeline.pdf.placed_words import WHITE
from pipeline.pdf.shapes import (
    ROUND_OR_STRAIGHT,
    TOLD_APART,
    Form,
    Likeness,
    form,
    has_ink,
    is_known,
    likeness,
    usual_width,
)
from retrieval.raw_text.cleaning import LIGATURES

ALPHANUMERIC = frozenset(string.ascii_letters + string.digits)

LETTER = re.compile("([0-9A-Za-zÀ-ÖØ-öø-ɏ])|[Α-Ωα-ωϑϕϵ]")
"""A letter or digit, Latin (in a group) or Greek. Names of the one for letters of the other are usual."""

_SAME_SIGN = dict.fromkeys("-\xad‐‑‒–—", "−") | {"'": "′", "’": "′", "μ": "µ"}
TOLD = frozenset(TOLD_APART) | _SAME_SIGN.keys() | {"µ"}
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

_OF_MARKS = "\u0300-\u0333\u0339-\u036f\u0640\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20f0\ufe20-\ufe2f" + "".join(
    map(chr, POINTS)
)

MARKS = re.compile(f"[{_OF_MARKS}]+")
"""Combining ones of Latin, without strokes through letters, points of Hebrew and Arabic, and what makes an
Arabic word longer."""

OWNERS = frozenset("©®™")  # These are nothing in a quote, but have outlines to be compared with.
NOTHING = re.compile(
    f"[{_OF_MARKS}{WHITE}\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "©®™\u2120\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\ufffe\U000e0000-\U000e0fff]+"
)
"""What has no ink of its own, is a mark on another, or is nothing in a quote. Soft hyphens may be painted."""

SUPERIORS = dict(zip("0123456789+abcdefgni", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺ᵃᵇᶜᵈᵉᶠᵍⁿⁱ", strict=True))
"""The superior form of a character: figures, charges, marks of notes, exponents."""

RAISED_SIGNS = frozenset("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍⁿⁱªº°˚")  # None begins at the baseline.
TIMES_NEARER = 1.15, 1.25, 1.5
"""How many times nearer to another sign than to its own a glyph is that prints another: one of two that a
table calls the same digit or sign, one of a sign that turns a number, any other. Old-style and small figures,
which fonts have beside others, are nearest to their own. Of 4,734 letters, digits and signs of fonts in 455
PDFs three are denied so, of a font of parts of brackets; of the same read as others, 96 of 100."""

_TIMES_PLAINLY, _PLAINLY_ROUND, _PLAINLY_FIGURE = 2.0, 3.0, 1.25
"""The same, of rings and strokes, and of figures, where the font's own table says what the PDF's says: some
fonts draw J, or a as a ring with a stroke, as no known font does."""


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
            shown = capital and nearer and capital.nearer <= TIMES_NEARER[-1]
            return self.named if shown else UNKNOWN
        found = likeness(self._font, self.glyph, UNKNOWN)
        ligatures = (
            [one for one in found.ranked if LIGATURES.get(one[1], "")[:1] == self.told] if found else []
        )
        (nearest, sign), *others = [*ligatures, (_FAR_AWAY, UNKNOWN)]
        return sign if others and others[0][0] > _CLEAR_LIGATURE * nearest else UNKNOWN


def is_looked_at(text: str) -> bool:
    """Whether it is looked at what a glyph prints of which a table says this."""
    if len(text) != 1:
        return bool(_LATIN.search(text) or NOTHING.fullmatch(text))
    is_raised = text in SUPERIORS or text in RAISED_SIGNS
    return is_raised or is_told(text) or NOTHING.match(text) is not None or is_known(text)


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
    is_letter = of.likeness is not None and of.likeness.sign in ALPHANUMERIC
    return _WIDTH[0] <= relative <= _WIDTH[1] and of.form.strokes >= strokes and not is_letter


def is_told(text: str) -> bool:
    """Whether a text is a letter, a digit or a sign that turns a number."""
    return len(text) == 1 and (text in TOLD or LETTER.fullmatch(text) is not None)


def is_plainly_another(found: Likeness, told: str) -> bool:
    """Whether a glyph is another letter, digit or sign than its font's own table says, too."""
    if told in ".,′":  # TeX draws primes as large as letters
        return False
    figures = [away for away, sign in found.ranked if sign.isdigit() and told.isdigit()]
    if figures and found.distance > _PLAINLY_FIGURE * figures[0]:
        return True
    is_told_apart = found.sign in ALPHANUMERIC or found.sign in TOLD_APART
    times = _PLAINLY_ROUND if found.ranked[0][1] in ROUND_OR_STRAIGHT else _TIMES_PLAINLY
    return found.nearer > times or (is_told_apart and is_another(found.sign, told))


def is_another(one: str, other: str) -> bool:
    """Whether two characters are letters or digits of one script, and not the same but for their case.

    Or one is a sign that turns a number, and the other is drawn otherwise; or one is several letters.
    """
    one, other = (normalize("NFKC", text) for text in (one, other))
    if len(one) > 1:
        return one.casefold() != other.casefold()
    if one in TOLD or other in TOLD:
        return bool(one and other) and _SAME_SIGN.get(one, one) != _SAME_SIGN.get(other, other)
    found = LETTER.fullmatch(one), LETTER.fullmatch(other)
    alike = len({normalize("NFKD", char).casefold() for char in (one, other)}) == 1
    return all(found) and not alike and bool(found[0] and found[0][1]) == bool(found[1] and found[1][1])
