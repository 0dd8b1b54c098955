"""The text layer of a page: what MuPDF reads, with its characters in the order in which they are read."""

import re
from collections.abc import Callable, Sequence
from functools import cache, cached_property
from itertools import accumulate, pairwise
from typing import Any

import pymupdf

from pipeline.pdf.drawn_letters import text_of
from pipeline.pdf.logical_order import in_logical_order, needs_order, with_texts
from pipeline.pdf.parts_of_lines import parts_of_lines, put_together
from pipeline.pdf.tight_gaps import Gaps, tight_gaps, with_gaps

_LEVEL = (1.0, 0.0)  # Direction of a line that is read from left to right.

_NO_SPACE = 0.03
"""Em, at most, between two characters that touch: a space between them is not printed. Of the spaces with a
span of their own in 57 papers 390 are so narrow, within words and beside brackets; between words all have .11
or more."""

_FEW_LINES = 0.3  # Share of a page's lines up to which the characters of each are asked by itself.

_STRIP = 0.1  # Points: half the height of the strip of a page in which the letters of one line are asked.

_SPACE = 0.15  # Em: MuPDF takes a wider gap for a space, but not after letters of mathematics.
_OF_MATHEMATICS = re.compile("[\U0001d400-\U0001d7ff\U000f0000-\U0010ffff]")


class TextLayer:
    """A PyMuPDF text page as blocks of lines of spans.

    `blocks` are as `extractDICT` gives them, with spaces that the print alone has (`tight_gaps`) and without
    those that nobody sees; `words` of each line as `extractWORDS` does, before that. Where `reordered`, the
    blocks have other characters than `textpage`. `texts` are those of the `lines`. `trace` gives what
    `traced` does for the page.
    """

    def __init__(self, textpage: Any, trace: Callable[[], Sequence[dict[str, Any]]] = list) -> None:
        self.textpage = textpage
        self._asked = 0  # single lines so far
        self.trace = cache(trace)  # MuPDF runs the page for it
        self._raw: Callable[[], list[dict[str, Any]]] = cache(lambda: textpage.extractRAWDICT()["blocks"])
        self.blocks: Sequence[dict[str, Any]] = textpage.extractDICT()["blocks"]
        self.lines = self._given = _lines(self.blocks)
        self.texts = self._said = _texts(self.lines)
        self.words = self._words_of_lines()
        self._has_mathematics = _OF_MATHEMATICS.search("\n".join(self.texts)) is not None
        self._gaps = tight_gaps(
            self.lines, self.texts, self.words, lambda at: self._alone(at) or _lines(self._raw())[at]
        )
        if self._with_spaces(self.lines, self._gaps):
            self.texts = _texts(self.lines)
        self._needs_order = needs_order("\n".join(self.texts))
        ordered = self._needs_order or self.is_ocr  # OCR guesses where the parts of its lines are
        self._parts = [] if ordered else parts_of_lines(self.lines, self.words)
        self.reordered = self._needs_order or bool(self._parts)
        if self.reordered:
            self.blocks = self.characters
            self.lines = _lines(self.blocks)
            self.texts = _texts(self.lines)
        self._of_lines: dict[int, dict[str, Any]] = {}  # what `characters_of` was asked for

    @cached_property
    def is_ocr(self) -> bool:
        """Whether most of its lines begin without ink: OCR put them over the picture of the page."""
        return 2 * sum(not line["spans"][0]["alpha"] for line in self.lines if line["spans"]) > len(
            self.lines
        )

    @cached_property
    def characters(self) -> Sequence[dict[str, Any]]:
        """Its blocks with a box for each character, as `extractRAWDICT` gives them.

        It takes longer than all else that MuPDF gives of a page: `characters_of` for a few lines does not.
        """
        blocks = self._raw()
        self._with_spaces(_lines(blocks), self._gaps)
        if self._needs_order:
            blocks = in_logical_order(blocks, self.trace)
        elif self._parts:
            blocks = put_together(blocks, self._parts)
        return with_texts(blocks) if self.reordered else blocks

    def _with_spaces(self, lines: Sequence[dict[str, Any]], gaps: Gaps) -> bool:
        """Put these spaces into lines, take out spans of white at whose place others touch; whether any.

        Some typesetters set each space by itself, in a font of its own, also where kerning moves a letter.
        After letters of mathematics a space is put where the print has one: "TNF-𝛼 level".
        """
        changed = bool(gaps)
        for line in with_gaps(lines, gaps):
            spans = line["spans"]
            if len(spans) < 2 or line["dir"] != _LEVEL:
                continue
            if [span for span in spans[1:-1] if _text(span).isspace()]:
                line["spans"] = spans = _touching(spans)
                changed = True
            for span, following in pairwise(spans) if self._has_mathematics else ():
                right, gap = span["bbox"][2], following["bbox"][0] - span["bbox"][2]
                if gap <= _SPACE * span["size"] or _text(following)[:1].isspace():
                    continue
                if not _OF_MATHEMATICS.match(_text(span)[-1:]):
                    continue
                changed = True
                if "text" in span:
                    span["text"] += " "
                else:
                    box = (right, span["bbox"][1], right + gap, span["bbox"][3])
                    origin = (right, span["chars"][-1]["origin"][1])
                    span["chars"].append({"c": " ", "origin": origin, "bbox": box})
        return changed

    def _words_of_lines(self) -> list[list[tuple[Any, ...]]]:
        found: list[list[tuple[Any, ...]]] = [[] for _ in self._said]
        of_text = [block for block in self.blocks if "lines" in block]  # it counts no others
        before = list(accumulate([len(block["lines"]) for block in of_text], initial=0))
        for word in self.textpage.extractWORDS():
            found[before[word[5]] + word[6]].append(word)
        return found

    def characters_of(self, number: int) -> dict[str, Any]:
        """Return the line with a number among the `lines`, with a box for each character."""
        if number not in self._of_lines:
            line = None if self.reordered else self._alone(number)
            gaps = {(0, span): places for (at, span), places in self._gaps.items() if at == number}
            self._with_spaces([line] if line else [], gaps if line else {})
            if line and "".join(map(_text, line["spans"])) == self.texts[number]:
                self._of_lines[number] = line
            else:
                self._of_lines |= enumerate(_lines(self.characters))
        return self._of_lines[number]

    def _alone(self, number: int) -> dict[str, Any] | None:
        """Return a line as `extractRAWDICT` gives it, which gives only what is within the page's box.

        None if no line there is as large and says the same, or for many lines: a whole page takes less.
        """
        self._asked += 1
        if self._asked > _FEW_LINES * len(self._said):
            return None
        box, spans = self._given[number]["bbox"], self._given[number]["spans"]
        top = max([span["bbox"][1] for span in spans], default=box[1])
        foot = min([span["bbox"][3] for span in spans], default=box[3])
        # all letters cross this strip, and few of other lines, unless they are too far up and down
        middle, reach = (top + foot) / 2, _STRIP if foot - top > 2 * _STRIP else box[3] - box[1]
        page = self.textpage.this.m_internal.mediabox
        whole = page.x0, page.y0, page.x1, page.y1
        page.x0, page.y0, page.x1, page.y1 = box[0] - _STRIP, middle - reach, box[2] + _STRIP, middle + reach
        try:
            lines = _lines(self.textpage.extractRAWDICT()["blocks"])
        finally:
            page.x0, page.y0, page.x1, page.y1 = whole
        text = self._said[number]
        return next((line for line in lines if line["bbox"] == box and text_of(line) == text), None)


def traced(page: Any) -> Sequence[dict[str, Any]]:
    """Return the spans of `get_texttrace` for a page, the fonts in them with the tags of their subsets."""
    tools: Any = pymupdf.TOOLS
    before = tools.set_subset_fontnames()
    tools.set_subset_fontnames(on=True)
    try:
        spans: Sequence[dict[str, Any]] = page.get_texttrace()
        return spans
    finally:
        tools.set_subset_fontnames(before)


def _lines(blocks: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    return [line for block in blocks for line in block.get("lines", ())]


def _texts(lines: Sequence[dict[str, Any]]) -> list[str]:
    return ["".join([span["text"] for span in line["spans"]]) for line in lines]


def _touching(spans: list[dict[str, Any]]) -> list[dict[str, Any]]:
    kept = spans[:1]
    for span, following in pairwise(spans[1:]):
        gap, least = following["bbox"][0] - kept[-1]["bbox"][2], _NO_SPACE * following["size"]
        if not -least <= gap <= least or not _text(span).isspace():
            kept.append(span)
    return [*kept, spans[-1]]


def _text(span: dict[str, Any]) -> str:
    return span["text"] if "text" in span else "".join([char["c"] for char in span["chars"]])
