"""Code: lines in a font whose characters are all as wide, apart from the text around them."""

import re
from collections import Counter
from collections.abc import Container, Iterable, Sequence
from functools import cache
from statistics import median

from pipeline.layout.footnotes import raised_note_mark
from pipeline.layout.line_features import is_digits, of_line
from pipeline.layout.measures import MOST, NEARLY_ALL, characters_by_font
from pipeline.layout.zones import Zone, around
from pipeline.pdf.reading import Line, PdfPage

_SAME_WIDTH = 0.03
"""Share by which the widths of a monospaced font's characters may differ, by the boxes of its words."""

_LENGTH = 3  # Characters of a word that tells.
_WORDS = 4  # Different words, at least, by which a font is known.
_LETTERS = 8  # Different letters in them, at least: digits are as wide as each other in most fonts.

_WEB_ADDRESS = re.compile(r"(?:https?://|www\.)\S+")

_BLOCK = 2.6  # Em from line to line, at most, within a block of code: an empty line may be between.
_APART = 0.45  # Em of white, at least, between a block of code and the text above and below.


def monospaced_fonts(pages: Iterable[PdfPage]) -> frozenset[str]:
    """Return the families of the fonts, but that of most of the text, whose characters are all as wide."""
    lines = [line for page in pages for line in page.lines]
    characters = characters_by_font(lines)
    families: Counter[str] = Counter()
    for font, part in characters.items():
        families[_family(font)] += part
    most = sum(families.values()) / 2  # a font with more is that of the text, as a typewriter's is
    widths: dict[str, dict[str, float]] = {family: {} for family, part in families.items() if part < most}
    of_font = {font: widths[_family(font)] for font in characters if _family(font) in widths}
    for word in (word for line in lines if not line.font or line.font in of_font for word in line.words):
        known, text = of_font.get(word.font), word.text
        if known is not None and len(text) >= _LENGTH and word.size and text.isascii():
            known[text] = (word.x1 - word.x0) / (len(text) * word.size)
    return frozenset(
        family
        for family, known in widths.items()
        if len(known) >= _WORDS
        and len(set(filter(str.isalpha, "".join(known)))) >= _LETTERS
        and _are_alike(list(known.values()))
    )


def _are_alike(widths: Sequence[float]) -> bool:
    """Whether nearly all widths are the usual one."""
    usual = median(widths)
    return sum(abs(width - usual) <= _SAME_WIDTH * usual for width in widths) >= NEARLY_ALL * len(widths)


def code_blocks(lines: Sequence[Line], fonts: Container[str]) -> list[Zone]:
    """Return the blocks of code among a page's lines; the numbers of their lines are furniture."""
    code = sorted([line for line in lines if _is_code(line, fonts)], key=lambda line: (line.y0, line.x0))
    if not code:
        return []
    chosen = set(code)
    others = [line for line in lines if line not in chosen]
    found: list[Zone] = []
    for block in _blocks(code):
        numbers = tuple(line for line in others if any(_is_number_of(line, of) for of in block))
        beside = set(numbers)
        text = [line for line in others if line not in beside]
        if _stands_apart(block, text) and not _are_addresses(block):
            others = text
            found.append(Zone(around(block), tuple(block), "code"))
            if numbers:
                found.append(Zone(around(numbers), numbers, "furniture"))
    return found


def _is_code(line: Line, fonts: Container[str]) -> bool:
    """Whether the first word and most characters are in such a font, but for a number of the line."""
    words = line.words[1:] if len(line.words) > 1 and line.words[0].text.isdigit() else line.words
    if _family(words[0].font) not in fonts or raised_note_mark(line):
        return False
    if line.font:
        return True
    characters = sum(len(word.text) for word in words)
    return sum(len(word.text) for word in words if _family(word.font) in fonts) >= MOST * characters


@of_line("web address")
def ends_with_address(line: Line) -> bool:
    """Whether a line ends with an address, which is often set as code is."""
    return _WEB_ADDRESS.fullmatch(line.words[-1].text) is not None


def _are_addresses(block: Sequence[Line]) -> bool:
    """Whether half of the lines of a block, or more, end with an address: it is no code."""
    return 2 * sum(map(ends_with_address, block)) >= len(block)


@cache
def _family(font: str) -> str:
    """Return the name of a font without weight and slope: one keyword may be all that is set in bold."""
    return font.partition("-")[0]


def _blocks(code: Sequence[Line]) -> list[list[Line]]:
    """Return the lines, given from top to bottom, in blocks: one for each column."""
    out: list[list[Line]] = []
    for line in code:
        for block in out:
            box = around(block)
            near = line.y0 - block[-1].y0 <= _BLOCK * line.size
            if near and line.x0 < box.x1 + line.size and line.x1 > box.x0 - line.size:
                block.append(line)
                break
        else:
            out.append([line])
    return out


def _is_number_of(line: Line, code: Line) -> bool:
    """Whether a line is a number to the left of a line of code."""
    return is_digits(line) and line.y0 < code.middle < line.y1 and line.x1 < code.x0


def _stands_apart(block: Sequence[Line], others: Iterable[Line]) -> bool:
    """Whether no other line is beside a block, or closer above or below than lines of text are."""
    box = around(block)
    white = _APART * block[0].size
    return not any(
        line.y1 > box.y0 - white and line.y0 < box.y1 + white and line.x0 < box.x1 and line.x1 > box.x0
        for line in others
    )
