"""Run-in headings: "Methods. We ...", "2.4. Cell cultures. The cells ..." before a paragraph."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile

from pipeline.layout import boilerplate
from pipeline.layout.headings import ABSTRACT, KNOWN, STATEMENT, any_of
from pipeline.layout.line_features import of_line
from pipeline.layout.paragraph_features import begins_caption
from pipeline.layout.printed_paragraph import SPOKEN, PrintedParagraph, plain
from pipeline.pdf.reading import Line, Word, bounds

_LONGEST = 14  # flat
"""Words of a usual run-in heading, at most."""

_MOST_LINES = 4  # flat
"""Lines of a run-in heading, at most."""

_USUAL = 2  # 0.8x: precision -.043
"""Run-in headings that a document must set alike, for words in bold or italics to be such a heading."""

_SENTENCE = re.compile(r"(?!.*(?:\b[A-Z]\.(?! [a-z])|[&@=]))[A-Z0-9].{3,150}[^\W_][)’”]?\s?\.")
"""What a run-in heading looks like; names with initials do not, but "T. molitor" does."""

_LABEL = re.compile(
    rf"(?:abstract|summary|strengths and limitations|{any_of('abstract_parts')})\s*[.:—]?", re.IGNORECASE
)
_NUMBERED = re.compile(r"\d{1,2}(?:\.\d{1,2}){1,3}\.?\s+\S.*[.:]")
_NUMBERED_TITLE = re.compile(
    r"\d{1,2}(?:\.\d{1,2}){1,4}\.?\s?[A-Z].{2,150}?(?:[^\W_]{2}|[^\W_][)’”])\s?\.(?=\s[A-Z]|$)"
)
"""A numbered heading up to its stop: words in italics may follow it."""

_NUMBER = re.compile(r"\d{1,2}(?:\.\d{1,2}){1,4}\.?")


@of_line("run-in heading")
def run_in_heading(line: Line) -> tuple[Line, Line] | None:
    """Return the line's run-in heading and the rest of the line; None if it has no such heading.

    The label of a theorem is none: it is of the statement. A heading is in another font than what follows,
    and is a usual label of an abstract's parts or is numbered. Other words in bold may belong to the
    paragraph.
    """
    if glued := _glued_label(line.words[0]):
        label, word = glued
        return _part(line, [label]), _part(line, [word, *line.words[1:]])
    if line.font:
        return None
    font = line.words[0].font
    head = list(takewhile(lambda word: word.font == font, line.words))
    rest = line.words[len(head) :]
    if not rest or len(head) > _LONGEST:
        return None
    text = plain(" ".join(word.text for word in head))
    if not text or STATEMENT.fullmatch(text):  # a head of zero-width signs alone is none
        return None
    # A heading all in bold may name code, and one that goes on small a species.
    numbered = _NUMBERED.fullmatch(text) and not line.bold and not rest[0].text[0].islower()
    if not (_LABEL.fullmatch(text) or numbered or _is_known(text, line, rest[0])):
        return None
    return _part(line, head), _part(line, rest)


def _glued_label(word: Word) -> tuple[Word, Word] | None:
    """Return "Abstract—" and the word that a dash ties to it: "Abstract—We show"; None for other words."""
    label = None if word.text.isalnum() else ABSTRACT.match(word.text)
    end = label.end() if label and word.text[label.end() - 1] in "—–" else 0
    if not 0 < end < len(word.text) or word.superscripts or word.printed:
        return None
    x = word.x0 + (word.x1 - word.x0) * end / len(word.text)
    return word._replace(text=word.text[:end], x1=x), word._replace(text=word.text[end:], x0=x)


def _is_known(text: str, line: Line, after: Word) -> bool:
    """Whether the head is a usual heading with a stop or a colon, or in bold before a capital."""
    bold = line.words[0].bold and not after.bold and after.text[:1].isupper()
    return (
        (text[-1] in ".:" or bold)
        and KNOWN.fullmatch(text) is not None
        and not boilerplate.line_is_front(line)
    )


def split_run_ins(paragraphs: Sequence[PrintedParagraph]) -> list[PrintedParagraph]:
    """Return the paragraphs, with run-in headings split off where the document sets several alike."""
    heads = [_head(paragraph) for paragraph in paragraphs]
    usual = Counter(_style(head[-1]) for head in heads if head)
    out: list[PrintedParagraph] = []
    for paragraph, head in zip(paragraphs, heads, strict=True):
        if head and (usual[_style(head[-1])] >= _USUAL or _NUMBER.fullmatch(head[0].text)):
            out += _split(paragraph, len(head))
        else:
            out.append(paragraph)
    return out


def _style(word: Word) -> str:
    """Return what tells a word's print from that of the text: bold, italics, or its font."""
    return "bold" if word.bold else "italic" if word.italic else word.font.partition("+")[0]


def _alike(words: Sequence[Word]) -> list[Word]:
    """Return the first words that are all in bold, in italics or in one font, whatever else they are in.

    Names of species are in italics among words in bold.
    """
    first = words[0]
    if first.bold or first.italic:
        return list(takewhile(lambda word: word.bold if first.bold else word.italic, words))
    plain = False, False, first.font
    style = _style(first)
    return list(
        takewhile(lambda word: (word.bold, word.italic, word.font) == plain or _style(word) == style, words)
    )


def _head(paragraph: PrintedParagraph) -> list[Word]:
    """Return the words in bold or italics, up to a full stop, that begin a paragraph set otherwise."""
    if paragraph.kind or paragraph.zone or paragraph.rule == SPOKEN:
        return []
    words = [word for line in paragraph.lines[:_MOST_LINES] for word in line.words]
    number = 1 if len(words) > 1 and _NUMBER.fullmatch(words[0].text) else 0
    if not (words[number].bold or words[number].italic) or begins_caption(paragraph):
        return []
    head = [*words[:number], *_alike(words[number:])]
    if len(head) == len(words):
        return []
    text = " ".join(word.text for word in head)
    title = _NUMBERED_TITLE.match(text) if number and paragraph.opens else None
    if title and not STATEMENT.fullmatch(title[0]):
        return head[: title[0].count(" ") + 1]
    if STATEMENT.fullmatch(text) or words[len(head)].text[:1].islower():
        return []
    return head if (paragraph.opens or head[0].bold) and _SENTENCE.fullmatch(text) else []


def _split(paragraph: PrintedParagraph, count: int) -> list[PrintedParagraph]:
    """Return the paragraph in two, split after its first `count` words."""
    head: list[Line] = []
    for place, line in enumerate(paragraph.lines):
        if count < len(line.words):
            if count:
                head.append(_part(line, line.words[:count]))
            rest = (_part(line, line.words[count:]), *paragraph.lines[place + 1 :])
            heading = replace(paragraph, kind="heading", lines=tuple(head), closes=True, rule="run_in")
            return [heading, replace(paragraph, lines=rest)]
        head.append(line)
        count -= len(line.words)
    return [paragraph]


def _part(line: Line, words: Sequence[Word]) -> Line:
    x0, y0, x1, y1 = bounds(words)
    bold = all(word.bold for word in words)
    return replace(line, x0=x0, y0=y0, x1=x1, y1=y1, words=tuple(words), size=words[0].size, bold=bold)
