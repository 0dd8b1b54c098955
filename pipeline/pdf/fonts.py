"""Fonts of a document whose characters are not what they print, and the signs that they print instead."""

import re
from collections import defaultdict
from collections.abc import Container, Iterator, Sequence
from typing import Any

from lookup.text.folding import UNKNOWN
from pipeline.pdf.drawn_letters import NO_INK, place
from pipeline.pdf.evidence import UNREAD, Program
from pipeline.pdf.text_layer import TextLayer

_PROSE = re.compile(
    r"\b(?:the|and|for|with|from|were|der|die|und|von|les|des|dans|del|los|que|con|para|per|che|non)\b"
    r"|[a-z]{2}(?:tion|ing|ment|ence|ical|ness|ies|ated|ous|able)s?\b"
)
"""Words, and ends of words, in the codes of a font that sets prose: it need not be looked at, which
would take 3 ms. With both, the extraction of papers without odd fonts takes no longer than without."""

_SUBSET = re.compile(r"^[^+]{6}\+")

Signs = dict[tuple[Any, ...], str]
"""What is printed at a place, by the character's origin in points, rounded by `place`.

Glyphs without a character that are not recognised are found by origin and the character of their number,
which MuPDF gives for them.
"""


class Fonts:
    """The fonts of an open document, each looked at once."""

    def __init__(self, document: Any) -> None:
        self._document = document
        self._programs: dict[int, Program] = {}
        self._known: dict[int, tuple[str, str]] = {}  # kind and name, by number
        self._sure: dict[tuple[Program, ...], set[str]] = defaultdict(set)  # what fonts together print

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
        programs: dict[str, list[Program]] = defaultdict(list)
        for xref, kind, name in fonts:
            if xref not in self._programs:
                self._programs[xref] = Program(self._document, xref, kind, name)
            programs[_SUBSET.sub("", self._programs[xref].name)].append(self._programs[xref])
        suspects = {
            name: programs[name]
            for name, parts in texts.items()
            for text in [" ".join(parts)]
            if self._are_in_doubt(frozenset(text), programs[name])
            or (not _PROSE.search(text) and any(program.lies for program in programs[name]))
        }
        return suspects, dict(_printed(layer, suspects)) if suspects else {}

    def _are_in_doubt(self, characters: frozenset[str], programs: Sequence["Program"]) -> bool:
        """Whether a text of these characters has unknown ones, or such as its fonts do not print.

        MuPDF gives the character of the same number for a code that a font's table sends nowhere.
        """
        sure = self._sure[tuple(programs)]
        if sure >= characters:
            return False
        characters -= sure
        told = [program.told for program in programs]
        if (
            UNREAD.search("".join(characters))
            or (told and all(told) and (any("\0" in one for one in told) or characters.difference(*told)))
            or any(program.doubts(characters) for program in programs)
        ):
            return True
        sure |= characters
        return False


def _printed(layer: TextLayer, suspects: dict[str, list["Program"]]) -> Iterator[tuple[tuple[Any, ...], str]]:
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
            sign = signs[code, glyph]
            if glyph < 0 or (after < 0 and sign != UNKNOWN):  # a glyph of several characters
                continue
            # the text may have what the PDF says beside its tables
            if sign == UNKNOWN == chr(code) and any(program.told for program in programs):
                yield (*place(origin), chr(glyph)), sign
            elif sign is not None:
                yield place(origin), sign


def _sign(programs: Sequence["Program"], character: str, glyph: int) -> str | None:
    """Return what the glyph prints, by all fonts of the name that have it; None if it may be left as it is.

    It is unknown where they differ.
    """
    having = [program for program in programs if program.has(character, glyph)]
    found = {program.sign(character, glyph) for program in having or programs}
    return found.pop() if len(found) == 1 else UNKNOWN
