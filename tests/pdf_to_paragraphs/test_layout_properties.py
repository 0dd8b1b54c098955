"""Text that is typeset in columns comes back: its paragraphs whole, in order, and nothing lost."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import pymupdf
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.cleaning.clean import clean
from pipeline.layout import find_paragraphs
from pipeline.pdf.reading import read_pdf
from tests.support.profiles import tried

WIDTH, HEIGHT, MARGIN, GUTTER = 560.0, 420.0, 40.0, 20.0
FONT, BOLD = pymupdf.Font("tiro"), pymupdf.Font("tibo")
TITLE, HEADING = "What the tide leaves upon the walls of a harbour", "1. Introduction"
STEMS = """
    harbour wall tide salt stone mason winter ladder rope gull lantern ballast cargo anchor the of and
    over under near with a is was slowly northern measured forgotten unexpectedly waterlogged kept held
    found
""".split()

WIDEST = 0.6
"""Em: typesetters break a word rather than part two words so far; a line that would need it is set ragged."""


@dataclass(frozen=True)
class Style:
    """How a text is set: columns, first-line indent and gap between paragraphs in points, justified or
    ragged, and the rest in points.
    """

    columns: int
    indent: float
    gap: float
    justified: bool
    size: float
    leading: float
    height: float


def styles(*columns: int) -> st.SearchStrategy[Style]:
    """Styles that tell paragraphs by indents, with or without gaps, or by gaps alone."""
    common = {
        "columns": st.sampled_from(columns),
        "justified": st.booleans(),
        "size": st.sampled_from([8.0, 9.5, 10.0, 11.0]),
        "leading": st.sampled_from([1.15, 1.2]),
        "height": st.sampled_from([180.0, 260.0, 340.0]),
    }
    indented = st.builds(Style, indent=st.just(12.0), gap=st.sampled_from([0.0, 6.0]), **common)
    return indented | st.builds(Style, indent=st.just(0.0), gap=st.sampled_from([8.0, 12.0]), **common)


def sentence(words: list[str]) -> str:
    return f"{words[0].capitalize()} {' '.join(words[1:])}."


long_sentences = st.lists(st.sampled_from(STEMS), min_size=35, max_size=110).map(sentence)
"""A paragraph of one sentence: nothing but its end looks like an end."""

texts = st.lists(long_sentences, min_size=2, max_size=12)


def rows(paragraph: str, style: Style, width: float) -> Iterator[list[tuple[float, str]]]:
    """The printed lines of a paragraph: each word with its distance from the column's left edge."""
    space = FONT.text_length(" ", style.size)
    line: list[str] = []
    left = style.indent
    used = left

    def placed(gap: float) -> list[tuple[float, str]]:
        at = left
        out = []
        for word in line:
            out.append((at, word))
            at += FONT.text_length(word, style.size) + gap
        return out

    for word in paragraph.split():
        length = FONT.text_length(word, style.size)
        if line and used + space + length > width:
            stretched = space + (width - used) / max(1, len(line) - 1)
            yield placed(stretched if style.justified and stretched <= WIDEST * style.size else space)
            line, left = [], 0.0
            used = 0.0
        used += length + (space if line else 0)
        line.append(word)
    yield placed(space)


def typeset(paragraphs: list[str], style: Style) -> bytes:
    """A title, a heading and the paragraphs as a PDF, column by column and page by page."""
    top = MARGIN + 24
    width = (WIDTH - 2 * MARGIN - (style.columns - 1) * GUTTER) / style.columns
    pitch = style.leading * style.size
    document = pymupdf.open()
    page = document.new_page(width=WIDTH, height=HEIGHT)
    writer = pymupdf.TextWriter(page.rect)
    writer.append((MARGIN, MARGIN), TITLE, font=FONT, fontsize=18)
    writer.append((MARGIN, top + style.size), HEADING, font=BOLD, fontsize=style.size + 2)
    column, y = 0, top + style.size + 8
    for paragraph in paragraphs:
        for row in rows(paragraph, style, width):
            y += pitch
            if y > MARGIN + style.height:
                column, y = column + 1, top + pitch
                if column == style.columns:
                    writer.write_text(page)
                    page = document.new_page(width=WIDTH, height=HEIGHT)
                    writer = pymupdf.TextWriter(page.rect)
                    column, top = 0, MARGIN
                    y = top + pitch
            for x, word in row:
                writer.append(
                    (MARGIN + column * (width + GUTTER) + x, y), word, font=FONT, fontsize=style.size
                )
        y += style.gap
    writer.write_text(page)
    data: bytes = document.tobytes()
    document.close()
    return data


def extracted(data: bytes) -> list[str]:
    """All paragraphs but the title and the heading, which come first."""
    found = [clean(passage.lines, {}).text for passage in find_paragraphs(read_pdf(data).pages)]
    assert found[:2] == [TITLE, HEADING]
    return found[2:]


typeset_examples = settings(
    max_examples=tried(20, check=15, nightly=200),
    derandomize=True,
)


# Not asked for, since the layout does not do it yet: paragraphs of several sentences (one that a column or
# page cuts after a full stop stays cut, even where its first line is flush among indented ones); lines with
# spaces of an em and more; in three columns, the two or three narrow lines that a column's foot cuts off
# (they are taken for a table).


@pytest.mark.long
@typeset_examples
@given(texts, styles(1, 2))
def test_every_paragraph_comes_back_whole_and_in_order(paragraphs, style):
    assert extracted(typeset(paragraphs, style)) == paragraphs


@pytest.mark.long
@typeset_examples
@given(texts, styles(1, 2, 3))
def test_no_word_is_lost_or_made_up_in_any_number_of_columns(paragraphs, style):
    words = " ".join(extracted(typeset(paragraphs, style))).split()
    assert Counter(words) == Counter(" ".join(paragraphs).split())
