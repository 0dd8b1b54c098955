"""The text layer of a page: what MuPDF reads, with its characters in the order in which they are read."""

import re
from collections.abc import Callable, Collection, Sequence
from functools import cache, cached_property
from itertools import accumulate, pairwise
from typing import Any

import pymupdf

from pipeline.pdf.drawn_letters import text_of
from pipeline.pdf.logical_order import in_logical_order, needs_order, with_texts
from pipeline.pdf.parts_of_lines import parts_of_lines, put_together
from pipeline.pdf.tight_gaps import tight_gaps, with_gaps

_LEVEL = (1.0, 0.0)  # Direction of a line that is read from left to right.

_NO_SPACE = 0.03
"""Em, at most, between two characters that touch: a space between them is not printed. Of the spaces with a
span of their own in 57 papers 390 are so narrow, within words and beside brackets; between words all have .11
or more."""

_FEW_LINES = 0.4  # Share of a page's lines up to which the characters of each are asked by itself.

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
        self.lines = _lines(self.blocks)
        self.texts = _texts(self.lines)
        self._boxes = [(line["bbox"], text) for line, text in zip(self.lines, self.texts, strict=True)]
        self.words = self.words_of_lines()
        self._gaps = tight_gaps(self.lines, self.words, lambda at: self._alone(at) or _lines(self._raw())[at])
        _with_seen_spaces(with_gaps(self.lines, self._gaps))
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
        _with_seen_spaces(with_gaps(_lines(blocks), self._gaps))
        if self._needs_order:
            blocks = in_logical_order(blocks, self.trace)
        elif self._parts:
            blocks = put_together(blocks, self._parts)
        return with_texts(blocks) if self.reordered else blocks

    def words_of_lines(self, white: str | None = None) -> list[list[tuple[Any, ...]]]:
        """Return the words of each line as `extractWORDS` gives them, which splits at `white` too."""
        found: list[list[tuple[Any, ...]]] = [[] for _ in self._boxes]
        of_text = [block for block in self.blocks if "lines" in block]  # it counts no others
        before = list(accumulate([len(block["lines"]) for block in of_text], initial=0))
        for word in self.textpage.extractWORDS(white):
            found[before[word[5]] + word[6]].append(word)
        return found

    def characters_of(self, number: int) -> dict[str, Any]:
        """Return the line with a number among the `lines`, with a box for each character."""
        if number not in self._of_lines:
            self._of_lines[number] = self._line_of(number)
        return self._of_lines[number]

    def expect(self, numbers: Collection[int]) -> None:
        """Read all lines at once, if those with these numbers, which are asked for next, are many."""
        if self._asked + len(numbers) > _FEW_LINES * len(self._boxes):
            self._asked = len(self._boxes)

    def _line_of(self, number: int) -> dict[str, Any]:
        if not self.reordered and (line := self._alone(number)):
            gaps = {(0, span): places for (at, span), places in self._gaps.items() if at == number}
            _with_seen_spaces(with_gaps([line], gaps))
            if "".join(map(_text, line["spans"])) == self.texts[number]:
                return line
        return self._lines_of_characters[number]

    @cached_property
    def _lines_of_characters(self) -> list[dict[str, Any]]:
        return _lines(self.characters)

    def _alone(self, number: int) -> dict[str, Any] | None:
        """Return a line as `extractRAWDICT` gives it, which gives only what is within the page's box.

        None if no line there is as large and says the same, or for many lines: a whole page takes less.
        """
        self._asked += 1
        if self._asked > _FEW_LINES * len(self._boxes):
            return None
        box, text = self._boxes[number]
        page = self.textpage.this.m_internal.mediabox
        whole = page.y0, page.y1
        page.y0, page.y1 = box[1], box[3]
        try:
            lines = _lines(self.textpage.extractRAWDICT()["blocks"])
        finally:
            page.y0, page.y1 = whole
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


def _with_seen_spaces(lines: Sequence[dict[str, Any]]) -> None:
    """Take out of lines the spans of white space at whose place the spans around them touch.

    Some typesetters set each space by itself, in a font of its own, and also where kerning moves a letter.
    After letters of mathematics a space is put where the print has one: "TNF-𝛼 level".
    """
    for line in lines:
        if len(line["spans"]) > 1 and line["dir"] == _LEVEL:
            if len(line["spans"]) > 2:
                line["spans"] = _touching(line["spans"])
            for span, following in pairwise(line["spans"]):
                right, gap = span["bbox"][2], following["bbox"][0] - span["bbox"][2]
                if gap <= _SPACE * span["size"] or _text(following)[:1].isspace():
                    continue
                if not _OF_MATHEMATICS.match(_text(span)[-1:]):
                    continue
                if "text" in span:
                    span["text"] += " "
                else:
                    box = (right, span["bbox"][1], right + gap, span["bbox"][3])
                    origin = (right, span["chars"][-1]["origin"][1])
                    span["chars"].append({"c": " ", "origin": origin, "bbox": box})


def _touching(spans: list[dict[str, Any]]) -> list[dict[str, Any]]:
    kept = spans[:1]
    for span, following in pairwise(spans[1:]):
        gap, least = following["bbox"][0] - kept[-1]["bbox"][2], _NO_SPACE * following["size"]
        if not -least <= gap <= least or not _text(span).isspace():
            kept.append(span)
    return [*kept, spans[-1]]


def _text(span: dict[str, Any]) -> str:
    return span["text"] if "text" in span else "".join([char["c"] for char in span["chars"]])
