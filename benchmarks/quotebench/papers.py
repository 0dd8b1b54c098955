"""Papers with two truths: what the publisher's XML says, and where the PDF prints it, by MuPDF's words
alone.
"""

import re
import unicodedata
from bisect import bisect_right
from dataclasses import dataclass, field
from itertools import accumulate
from pathlib import Path
from typing import Any

import pymupdf
from lxml import etree

Rect = tuple[float, float, float, float]
"""x0, y0, x1, y1: points from the upper left corner of the page as it is shown."""

MARK = "\x01"
"""Stands for a citation mark in a paragraph of the XML."""

_LEFT_OUT = {
    "table",
    "fig",
    "table-wrap",
    "disp-formula",
    "tex-math",
    "graphic",
    "fn",
    "list",
    "disp-quote",
    "boxed-text",
}


@dataclass(frozen=True)
class Place:
    """Where a PDF prints some words: the page, a box around each word, its letters, and the characters as
    they come.
    """

    page: int
    words: tuple[Rect, ...]
    letters: tuple[str, ...]
    copied: str

    def of(self, text: str) -> "Place | None":
        """Return the place of those words alone that make up `text`, in order; None if they do not."""
        left, kept = letters(text), []
        for i, word in enumerate(self.letters):
            bare = word.rstrip("0123456789")  # a raised mark is glued to its word
            if part := next((one for one in (word, bare) if one and left.startswith(one)), ""):
                left = left[len(part) :]
                kept.append(i)
        if left:
            return None
        words = tuple(self.words[i] for i in kept)
        return Place(self.page, words, tuple(self.letters[i] for i in kept), self.copied)

    def prints(self, text: str) -> bool:
        """Return whether it prints a text in all but spaces, hyphens, quotation marks and citation marks'
        brackets.
        """
        return _plain(self.copied) == _plain(text)


@dataclass(frozen=True)
class _Page:
    letters: str
    ends: list[int]  # of each word, in the letters
    words: list[tuple[Rect, str, int]]  # box, text, line


@dataclass(frozen=True)
class Paper:
    """A paper: its paragraphs by the publisher, and its pages by MuPDF."""

    key: str
    pdf: Path
    paragraphs: list[str] = field(repr=False)
    pages: list[_Page] = field(repr=False)

    def places(self, text: str) -> list[Place]:
        """Return all places on one page that print the letters and digits of a text, cut at words."""
        wanted = letters(text)
        return [
            place
            for number, page in enumerate(self.pages, 1)
            for at in _occurrences(page.letters, wanted)
            if (place := _place(page, number, at, at + len(wanted)))
        ]

    def prints(self, text: str) -> bool:
        """Return whether its letters and digits stand anywhere in the paper, over pages too."""
        return letters(text) in "".join(page.letters for page in self.pages)


_LOOSE = re.compile(r"[\s\u00ad\u200b\u2060\ufeff'\"‘’“”\[\](){}‐‑‒–—−-]")


def _plain(text: str) -> str:
    return _LOOSE.sub("", unicodedata.normalize("NFKC", text.replace(MARK, ""))).casefold()


def letters(text: str) -> str:
    """Return the letters and digits of a text, compatibility forms and case made alike."""
    return "".join(char for char in unicodedata.normalize("NFKC", text).casefold() if char.isalnum())


def read_paper(key: str, pdf: Path, xml: Path) -> Paper:
    """Return a paper of a PDF and its JATS XML."""
    with _open(pdf) as opened:
        pages = [_page(page) for page in opened]
    return Paper(key, pdf, _paragraphs(xml), pages)


_open: Any = pymupdf.open
_rect: Any = pymupdf.Rect
"""PyMuPDF is not annotated."""


def _page(page: Any) -> _Page:
    turned = page.rotation_matrix
    words = []
    for x0, y0, x1, y1, text, block, line, _ in page.get_text("words"):
        box = _rect(x0, y0, x1, y1) * turned
        words.append(((box.x0, box.y0, box.x1, box.y1), text, block * 10_000 + line))
    counts = [len(letters(text)) for _, text, _ in words]
    return _Page("".join(letters(text) for _, text, _ in words), list(accumulate(counts)), words)


def _occurrences(text: str, wanted: str) -> list[int]:
    found, at = [], text.find(wanted) if wanted else -1
    while at >= 0:
        found.append(at)
        at = text.find(wanted, at + 1)
    return found


def _place(page: _Page, number: int, start: int, end: int) -> Place | None:
    first, last = bisect_right(page.ends, start), bisect_right(page.ends, end - 1)
    if (page.ends[first - 1] if first else 0) != start or page.ends[last] != end:
        return None  # within a word
    words = page.words[first : last + 1]
    copied = "".join(
        text + ("" if i + 1 == len(words) else " " if words[i + 1][2] == line else "\n")
        for i, (_, text, line) in enumerate(words)
    )
    told = [(box, letters(text)) for box, text, _ in words if letters(text)]
    return Place(number, tuple(box for box, _ in told), tuple(text for _, text in told), copied)


def _paragraphs(xml: Path) -> list[str]:
    """Return those of the article itself: letters of its reviewers are articles within it, in no PDF."""
    parser = etree.XMLParser(
        recover=True, load_dtd=False, no_network=True, resolve_entities=False, huge_tree=True
    )
    root = etree.fromstring(xml.read_bytes(), parser)
    found = [_text(one) for body in root.iterfind("{*}body") for one in body.iterfind(".//{*}p")]
    return [re.sub(r"\s+", " ", text).strip() for text in found]


def _text(element: etree._Element) -> str:
    parts = [element.text or ""]
    for child in element:
        name = etree.QName(child).localname if isinstance(child.tag, str) else ""
        if name == "xref" and child.get("ref-type") == "bibr":
            parts.append(f"{MARK}{''.join(child.itertext())}{MARK}")
        elif name and name not in _LEFT_OUT:
            parts.append(_text(child))
        parts.append(child.tail or "")
    return "".join(parts)
