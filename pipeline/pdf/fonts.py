"""Fonts of a document: which of them say what they do not print, and the signs that are there."""

import re
from collections import defaultdict
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from lookup.text.folding import UNKNOWN
from pipeline.pdf.drawn_letters import NO_INK, is_clear, place
from pipeline.pdf.programs import UNREAD, Program
from pipeline.pdf.text_layer import TextLayer

_SUBSET = re.compile(r"^[^+]{6}\+")

Signs = dict[tuple[Any, ...], str]
"""What is printed at a place, by the character's origin in points, rounded by `place`.

Glyphs without a character that are not recognised are found by origin and the character of their number,
which MuPDF gives for them.
"""


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
                if not is_clear(span):  # glyphs show nothing that nobody sees
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
            if not programs or span["type"] == NO_INK:
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
        UNREAD.search(text)
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
