"""What is told of a document, in the order of its XML, and what kind of paragraph its styles are for."""

import re
from dataclasses import dataclass
from typing import Literal

Moved = Literal["", "raised", "lowered"]  # Whether characters are superscripts or subscripts.

Citing = Literal["field", "control", "mark", "entry"]
"""How citations are written: fields and content controls of Word, reference marks, LibreOffice's own."""


@dataclass(frozen=True)
class ParagraphForm:
    """What a paragraph is: its kind, the level of a heading from 1, and whether it is set in.

    `apart` is the name of a style that is not known, or a frame, which set it apart from others.
    """

    kind: str = "body"
    level: int = 0
    indented: bool = False
    apart: str = ""


class Listener:
    """Hears a document; what it does not care for it leaves out. Places are offsets in the source.

    Paragraphs may stand within others (text boxes), and within the rows of tables.
    """

    @property
    def length(self) -> int:
        """Return the number of characters so far."""
        return 0

    def begin_paragraph(self, at: int, anchor: str) -> None:
        """Begin a paragraph or heading; `anchor` names its element."""

    def end_paragraph(self, at: int, form: ParagraphForm) -> None:
        """End the paragraph that was begun last."""

    def begin_row(self, anchor: str) -> None:
        """Begin the row of a table."""

    def end_row(self) -> None:
        """End the row that was begun last."""

    def begin_note(self, reference: str) -> "Listener":  # noqa: ARG002
        """Begin a note, and return who hears it; `reference` names it if it is written elsewhere."""
        return self

    def end_note(self) -> None:
        """End the note."""

    def refer(self, reference: str) -> None:
        """Take the place of the note that is written elsewhere."""

    def text(self, text: str, start: int, end: int, moved: Moved = "") -> None:
        """Take characters as a reader sees them.

        The source writes each as one where it has as many from `start` to `end`, else all of them together.
        """

    def unread(self, start: int, end: int) -> None:
        """Take what is seen, but not as text: a picture, a formula, words struck out."""

    def turn(self, mark: str, at: int) -> None:
        """Take a mark of direction that the word processor keeps as a property."""

    def break_page(self) -> None:
        """Go to the next page."""

    def cited(self, shown: int, by: Citing, said: str, start: int, end: int, data: str = "") -> None:
        """Take what showed the characters since number `shown`, and may be a citation."""


_NAMED = {
    "title": "title",
    "quot": "quote",
    "block text": "quote",
    "zitat": "quote",
    "citat": "quote",
    "epigraph": "quote",
    "extract": "quote",
    "引用": "quote",
    "caption": "caption",
    "bibliograph": "reference",
    "list": "list",
    "code": "code",
    "preformatted": "code",
}

DEEPEST = 12  # Styles that are based on one another, which are looked at.

MOST_STYLES = 20_000
"""Styles of a document: those that people send one another have hundreds, one converted from a PDF 4,000."""


_USUAL = re.compile(
    r"|normal.*|standard|default.*|(?:text )?body.*|text|first paragraph|compact|no spacing|abstract"
    r"|authors?|date|affiliations?|keywords?|p\d+"
)
"""Styles of running text, and those that LibreOffice makes for a paragraph."""


def named_apart(name: str) -> str:
    """Return the name of a style that is none of running text, else ''."""
    return "" if _USUAL.fullmatch(name) else f"the style “{name}”"


def kind_of_style(name: str) -> str:
    """Return the kind of paragraph that a style of this name, in small letters, is for; '' without one."""
    return next((kind for part, kind in _NAMED.items() if part in name), "")


_FIRST = " !∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼"
"""Codes 20 to 7E, of Adobe's encoding of the font."""

_SECOND = "€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊〈®©™∑"
"""Codes A0 to E5; what follows are pieces of large brackets."""


def symbol(font: str, code: str) -> str | None:
    """Return the character that `code`, four hexadecimal digits, is in a font; None where it is not known."""
    try:
        number = int(code, 16)
    except ValueError:
        return None
    if 0xF000 <= number <= 0xF0FF:
        number -= 0xF000
        table = {0x20 + at: char for at, char in enumerate(_FIRST)}
        table |= {0xA0 + at: char for at, char in enumerate(_SECOND)}
        return table.get(number) if font == "Symbol" else None
    return chr(number) if 0x20 < number < 0xD800 and "dings" not in font else None
