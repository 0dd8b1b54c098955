"""Any text that is typeset in any number of columns comes back: its paragraphs whole, in order, and nothing lost."""

from collections.abc import Iterator
from dataclasses import dataclass

import pymupdf
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pipeline.cleaning import clean
from pipeline.layout import passages
from pipeline.reading import read_pdf

WIDTH, HEIGHT, MARGIN, GUTTER = 560.0, 420.0, 40.0, 20.0
FONT = pymupdf.Font("tiro")
STEMS = (
    "harbour wall tide salt stone mason winter ladder rope gull lantern ballast cargo anchor the of and over under near with a is was "  # noqa: SIM905
    "slowly northern measured forgotten unexpectedly waterlogged kept held found"
).split()


@dataclass(frozen=True)
class Style:
    """How a text is set: columns, first-line indent and gap between paragraphs in points, justified or ragged, and the rest in points."""

    columns: int
    indent: float
    gap: float
    justified: bool
    size: float
    leading: float
    height: float


styles = st.builds(
    Style,
    columns=st.integers(1, 3),
    indent=st.just(12.0),
    gap=st.sampled_from([0.0, 6.0]),
    justified=st.booleans(),
    size=st.sampled_from([8.0, 9.5, 10.0, 11.0]),
    leading=st.sampled_from([1.15, 1.2, 1.3]),
    height=st.sampled_from([180.0, 260.0, 340.0]),
) | st.builds(
    Style,
    columns=st.integers(1, 3),
    indent=st.just(0.0),
    gap=st.sampled_from([8.0, 12.0]),
    justified=st.booleans(),
    size=st.sampled_from([8.0, 9.5, 10.0, 11.0]),
    leading=st.sampled_from([1.15, 1.2]),
    height=st.sampled_from([180.0, 260.0, 340.0]),
)


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
            yield placed(
                space + (width - used) / (len(line) - 1) if style.justified and len(line) > 1 else space
            )
            line, left = [], 0.0
            used = 0.0
        used += length + (space if line else 0)
        line.append(word)
    yield placed(space)


def typeset(paragraphs: list[str], style: Style) -> bytes:
    """The paragraphs as a PDF, column by column and page by page."""
    width = (WIDTH - 2 * MARGIN - (style.columns - 1) * GUTTER) / style.columns
    pitch = style.leading * style.size
    document = pymupdf.open()
    writer = None
    column, y = style.columns, 0.0
    for paragraph in paragraphs:
        for row in rows(paragraph, style, width):
            if writer is None or y + pitch > MARGIN + style.height:
                column, y = column + 1, MARGIN + pitch
                if writer is None or column >= style.columns:
                    if writer is not None:
                        writer.write_text(document[-1])
                    writer = pymupdf.TextWriter(document.new_page(width=WIDTH, height=HEIGHT).rect)
                    column = 0
            else:
                y += pitch
            for x, word in row:
                writer.append(
                    (MARGIN + column * (width + GUTTER) + x, y), word, font=FONT, fontsize=style.size
                )
        y += style.gap
    assert writer is not None
    writer.write_text(document[-1])
    data: bytes = document.tobytes()
    document.close()
    return data


def extracted(data: bytes) -> list[str]:
    return [clean(passage.lines, {}).text for passage in passages(read_pdf(data).pages)]


slow = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)


@slow
@given(texts, styles)
def test_every_paragraph_comes_back_whole_and_in_order(paragraphs, style):
    assert extracted(typeset(paragraphs, style)) == paragraphs
