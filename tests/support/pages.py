"""Pages of printed lines, placed by hand: what the layout reads, without a PDF."""

from pipeline.layout import find_paragraphs
from pipeline.layout.line_merging import merge_pages, with_drop_caps
from pipeline.layout.page_columns import find_columns
from pipeline.pdf.reading import Line, PdfPage, Rectangle, Word

WIDTH, HEIGHT, SIZE = 600.0, 800.0, 10.0
LEFT, RIGHT, ACROSS = {"x": 50.0, "x1": 290.0}, {"x": 310.0, "x1": 550.0}, {"x": 50.0, "x1": 550.0}
"""The columns of a page with two, and both together."""

FULL = "a line of running text that fills its column"


def line(
    text, x=50.0, y=100.0, *, x1=None, size=SIZE, font="Serif", bold=False, italic=False, page=1, upright=True
):
    """A printed line; its words share its width by their letters. `x1` defaults to half an em a letter."""
    texts = text.split(" ")
    end = x + 0.5 * size * len(text) if x1 is None else x1
    step = (end - x) / len(text)
    words, at = [], x
    for word in texts:
        words.append(Word(word, at, y, at + step * len(word), y + size, size, font, bold, italic))
        at += step * (len(word) + 1)
    return Line(page, x, y, end, y + size, tuple(words), size, bold, upright)


def column(*texts, x=50.0, x1=280.0, y=100.0, first=0, **style):
    """Lines one under the other, full but for the last; a text that begins with a space is indented."""
    out = []
    for number, text in enumerate(texts):
        left = x + 1.5 * SIZE * text.startswith(" ")
        right = x1 if number < len(texts) - 1 else min(x1, left + 0.5 * SIZE * len(text))
        out.append(line(text.strip(), left, y + 12 * (number + first), x1=right, **style))
    return out


def stack(*paragraphs, y=100.0, **style):
    """Paragraphs one under the other without white between, each with a short last line."""
    out, first = [], 0
    for one in paragraphs:
        out += column(*one, y=y, first=first, **style)
        first += len(one)
    return out


def full_lines(text, count, **style):
    """So many lines with this text, one under the other, all as wide as their column."""
    return column(*[text] * (count + 1), **style)[:count]


def ragged(*texts, x=50.0, y=100.0, **style):
    """Lines one under the other, each as long as its letters make it; a text that begins with a space is
    indented.
    """
    return [
        line(text.strip(), x + 1.5 * SIZE * text.startswith(" "), y + 12 * number, **style)
        for number, text in enumerate(texts)
    ]


def run_in(head, rest, x=50.0, y=100.0, *, x1=280.0, bold=True, font="Serif-Bold", **style):
    """A line whose first words are set in another font than the rest, drawn as two fragments."""
    end = x + 0.5 * SIZE * len(head)
    return [
        line(head, x, y, x1=end, bold=bold, font=font, **style),
        line(rest, end + 4, y, x1=min(x1, end + 4 + 0.5 * SIZE * len(rest))),
    ]


def rule(x, x1, y):
    """A horizontal rule."""
    return Rectangle(x, y, x1, y + 0.5)


def page(*lines, number=1, drawings=()):
    return PdfPage(number, "", WIDTH, HEIGHT, 0, tuple(lines), tuple(drawings))


def texts(*pages, kind=None):
    return [passage.text for passage in find_paragraphs(pages) if kind in (None, passage.kind)]


def kinds(*pages):
    """The kind and the text of each paragraph but furniture."""
    return [(one.kind, one.text) for one in find_paragraphs(pages) if one.kind != "furniture"]


def paragraph(name, count=4):
    """A paragraph's lines: the first begins with `name`, the last ends short with a stop."""
    return [f"{name} {FULL}", *[FULL] * (count - 2), f"and {name} ends."]


def joined(*lines):
    """The text of a paragraph with these lines."""
    return " ".join(text.strip() for text in lines)


def merge_fragments(fragments, *, recognised=False):
    """The printed lines of one page; `recognised` is whether its fragments are from OCR."""
    (found,) = merge_pages(find_columns([(with_drop_caps(fragments), recognised)]))
    return found
