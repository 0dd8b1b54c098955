"""Pages as data: each case of pages.txt is lines of print, and what becomes of them.

A case begins with `== ` and what it shows. Then each line is one of:

    for NAME = one | two            the case is tried with {NAME} in its lines as each of these
    ---                             the next page
    rule X X1 Y                     a drawn rule; `box X Y X1 Y1` a drawn box
    text WORD COUNT X Y [X1] STYLE  COUNT lines of a paragraph that begins with WORD and ends short
    [COUNTx] X Y [X1] STYLE | words printed words; COUNT lines with the same words, one below the other

X and Y are in points from the upper left corner; `+12` is so much further than the line before: of X on its
line, from its end. Without X1 a letter is half an em wide. STYLE is any of `b` (bold), `i` (italic), `mono`,
`sans`, `s8` (size; 10 else). Of the words, `~` is a line of running text, and `^1^` is raised.

Behind `>` stands the kind of the paragraph that begins with this line and holds, as one, the lines with `> +`
below; `> any` is of any kind, `> !kind` of any other or no paragraph. What has no `>` may become anything.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pipeline.layout import find_paragraphs
from pipeline.pdf.reading import Line, PdfPage, Rectangle
from tests.support.pages import FULL, line, page, paragraph

STYLES: dict[str, dict[str, Any]] = {
    "b": {"bold": True, "font": "Serif-Bold"},
    "i": {"italic": True, "font": "Serif-Italic"},
    "mono": {"font": "Typed-Regular"},
    "sans": {"font": "Sans"},
}


def _cases() -> Iterator[tuple[str, list[str]]]:
    """Yield the title and the lines of each case, once for each choice."""
    text = (Path(__file__).parent / "pages.txt").read_text(encoding="utf-8")
    for case in text.split("\n== ")[1:]:
        title, *lines = [one for one in case.splitlines() if one.strip() and not one.startswith("# ")]
        choices = re.match(r"for (\w+) = (.*)", lines[0])
        if not choices:
            yield title, lines
            continue
        for choice in choices[2].split(" | "):
            yield f"{title}: {choice}", [one.replace(f"{{{choices[1]}}}", choice) for one in lines[1:]]


class Sheets:
    """The pages of a case, and the kind and lines of each paragraph that it expects."""

    def __init__(self, lines: list[str]) -> None:
        self._drawn: list[Line] = []
        self._drawings: list[Rectangle] = []
        self.pages: list[PdfPage] = []
        self.expected: list[tuple[str, list[str]]] = []
        for one in lines:
            what, _, kind = one.partition(" > ")
            told = self._add(what.strip())
            if kind.strip() == "+":
                self.expected[-1][1].extend(told)
            elif kind:
                self.expected.append((kind.strip(), told))
        self._end_page()

    def _end_page(self) -> None:
        self.pages.append(page(*self._drawn, number=len(self.pages) + 1, drawings=self._drawings))
        self._drawn, self._drawings = [], []

    def _add(self, what: str) -> list[str]:
        """Put what a line of a case says on the page; return the texts of its lines."""
        word, *places = what.split()
        if what == "---":
            self._end_page()
        elif word == "rule":
            x, x1, y = map(float, places)
            self._drawings.append(Rectangle(x, y, x1, y + 0.5))
        elif word == "box":
            self._drawings.append(Rectangle(*map(float, places)))
        elif word == "text":
            begin, count, *tokens = places
            return self._print(tokens, paragraph(begin, int(count)), "280")
        else:
            where, _, text = what.partition(" | ")
            tokens = where.split()
            times = int(tokens.pop(0)[:-1]) if tokens[0].endswith("x") else 1
            return self._print(tokens, [text.replace("~", FULL)] * times)
        return []

    def _print(self, tokens: list[str], texts: list[str], end: str = "") -> list[str]:
        """Print texts below one another. With `end` all but the last end there, or where they say."""
        style: dict[str, Any] = {}
        for token in tokens:
            style |= STYLES.get(token, {"size": float(token[1:])} if token.startswith("s") else {})
        x, y, *x1 = [one for one in tokens if one not in STYLES and not one.startswith("s")]
        for at, text in enumerate(texts):
            left = float(x) + (self._drawn[-1].x1 if x.startswith("+") else 0)
            top = 12.0 if at else float(y)
            top += self._drawn[-1].y0 if at or y.startswith("+") else 0
            stop = [] if end and at == len(texts) - 1 else (x1 or [end] if end else x1)
            typed = left + 6.0 * len(text) if style.get("font") == "Typed-Regular" else None
            right = float(stop[0]) if stop else typed
            self._drawn.append(_raised(line(text, left, top, x1=right, page=len(self.pages) + 1, **style)))
        return [text.replace("^", "") for text in texts]


def _raised(made: Line) -> Line:
    """Return the line with what stands between two `^` as superscripts."""
    words = []
    for word in made.words:
        before, _, rest = word.text.partition("^")
        mark, _, after = rest.partition("^")
        raised = (len(before), len(before) + len(mark)) if mark else word.superscripts
        words.append(word._replace(text=f"{before}{mark}{after}", superscripts=raised))
    return replace(made, words=tuple(words))


CASES = dict(_cases())


@pytest.mark.parametrize(("title", "lines"), CASES.items(), ids=CASES)
def test_lines_become_paragraphs_of_their_kind(title: str, lines: list[str]) -> None:
    sheets = Sheets(lines)
    found = [(one.kind, one.text) for one in find_paragraphs(sheets.pages)]
    assert sheets.expected, title
    for kind, told in sheets.expected:
        kinds = {is_of for is_of, text in found if text == " ".join(told)}
        right = kind[1:] not in kinds if kind.startswith("!") else kinds and kind in ("any", *kinds)
        assert right, (kind, told, found)
