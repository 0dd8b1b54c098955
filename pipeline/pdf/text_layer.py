"""The text layer of a page: what MuPDF reads, with its characters in the order in which they are read."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from pipeline.pdf.logical_order import in_logical_order, needs_order, with_texts


class TextLayer:
    """A PyMuPDF text page as blocks of lines of spans.

    `blocks` are as `extractDICT` gives them; where `reordered`, they have other characters than `textpage`.
    """

    def __init__(self, textpage: Any) -> None:
        self.textpage = textpage
        self.blocks: Sequence[dict[str, Any]] = textpage.extractDICT()["blocks"]
        self.lines = _lines(self.blocks)
        text = "".join([span["text"] for line in self.lines for span in line["spans"]])
        self.reordered = needs_order(text)
        if self.reordered:
            self.blocks = self.characters
            self.lines = _lines(self.blocks)

    @property
    def is_ocr(self) -> bool:
        """Whether most of its lines begin without ink: OCR put them over the picture of the page."""
        return 2 * sum(not line["spans"][0]["alpha"] for line in self.lines if line["spans"]) > len(
            self.lines
        )

    @cached_property
    def characters(self) -> Sequence[dict[str, Any]]:
        """Its blocks with a box for each character, as `extractRAWDICT` gives them."""
        blocks: list[dict[str, Any]] = self.textpage.extractRAWDICT()["blocks"]
        return with_texts(in_logical_order(blocks)) if self.reordered else blocks


def _lines(blocks: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    return [line for block in blocks for line in block.get("lines", ())]
