"""Run-in headings: "Methods. We ...", "2.4. Cell cultures. The cells ..." before a paragraph."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise, takewhile

from lookup.text.scripts import has_syllables
from pipeline.layout import boilerplate
from pipeline.layout.headings import ABSTRACT, KNOWN, STATEMENT, any_of
from pipeline.layout.line_features import of_line
from pipeline.layout.measures import WIDE_SPACE
from pipeline.layout.paragraph_features import begins_caption, is_usual_heading, of_paragraph
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
_LABELLED = re.compile(r"[A-Z][^.:=&@]{2,60}:")
"""A label among the parts of an abstract: "Blinding (masking):"."""

_COUNTED = re.compile(r"\d{1,2}\)\s[A-Z].{3,150}:")
"""A run-in heading of the lowest level: "1) Sampling: We ..."."""

_DASHES = "—–"

_WIDER = 1.5  # Times the widest other space of its line: in justified lines all spaces are wide.
_DENSE_UNSTOPPED = re.compile(r"\w[^=&@。，；]{1,40}")  # The same in Chinese, Japanese and Korean.
_UNSTOPPED = re.compile(r"[A-Z0-9][^=&@]{2,80}[\w)’”]")  # What such a heading looks like.


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
    end = label.end() if label and word.text[label.end() - 1] in _DASHES else 0
    if not 0 < end < len(word.text) or word.superscripts or word.printed:
        return None
    x = word.x0 + (word.x1 - word.x0) * end / len(word.text)
    return word._replace(text=word.text[:end], x1=x), word._replace(text=word.text[end:], x0=x)


def _is_known(text: str, line: Line, after: Word) -> bool:
    """Whether the head is a usual heading with a stop or a colon, or in bold before a capital.

    "Abbreviations:" begins notes of a table, between the parts of a paragraph.
    """
    bold = line.words[0].bold and not after.bold and after.text[:1].isupper()
    return (
        (text[-1] in ".:" or bold)
        and KNOWN.fullmatch(text) is not None
        and not (boilerplate.line_stands_for_itself(line) or boilerplate.begins_below_caption(line))
    )


def split_run_ins(paragraphs: Sequence[PrintedParagraph]) -> list[PrintedParagraph]:
    """Return the paragraphs, with run-in headings split off: usual ones, and those that are set alike.

    Labels that are set as that of the part of an abstract before them are headings too.
    """
    paragraphs = [part for paragraph in paragraphs for part in _with_usual(paragraph)]
    heads = [_head(paragraph) for paragraph in paragraphs]
    usual = Counter(_style(head[-1]) for head in heads if head)
    label = ""  # how that of the part before is set
    out: list[PrintedParagraph] = []
    for paragraph, head in zip(paragraphs, heads, strict=True):
        first = paragraph.lines[0].words[0]
        if paragraph.kind == "heading":
            label = _style(first) if is_labelled(paragraph) else ""
        elif label and not paragraph.kind and (paragraph.bold or is_usual_heading(paragraph)):
            label = ""
        labelled = _label(paragraph) if label and label == _style(first) else []
        if head and (usual[_style(head[-1])] >= _USUAL or _NUMBER.fullmatch(head[0].text)):
            out += _split(paragraph, len(head))
        elif labelled:
            out += _split(paragraph, len(labelled))
        else:
            out.append(paragraph)
    return out


def _with_usual(paragraph: PrintedParagraph) -> list[PrintedParagraph]:
    """Return a paragraph in two, if it begins with a usual run-in heading."""
    parts = None if paragraph.kind else run_in_heading(paragraph.lines[0])
    if parts is None:
        return [paragraph]
    heading = replace(paragraph, kind="heading", lines=parts[:1], opens=True, closes=True, rule="run_in")
    return [heading, replace(paragraph, lines=(parts[1], *paragraph.lines[1:]), opens=True)]


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
    return list(takewhile(lambda word: _style(word) == _style(first), words))


def _label(paragraph: PrintedParagraph) -> list[Word]:
    """Return the words up to a colon that begin a paragraph in a print of their own."""
    words = paragraph.lines[0].words
    head = _alike(words)
    text = " ".join(word.text for word in head)
    if paragraph.kind or len(head) == len(words) or boilerplate.is_front(paragraph):
        return []
    return head if _LABELLED.fullmatch(text) else []


@of_paragraph("label with colon")
def is_labelled(paragraph: PrintedParagraph) -> bool:
    """Whether a paragraph is a label with a colon alone."""
    return _LABELLED.fullmatch(paragraph.text) is not None


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
    if STATEMENT.fullmatch(title[0] if title else text):
        return []
    if title:
        return head[: title[0].count(" ") + 1]
    if words[len(head)].text[:1].islower():
        return []
    if (paragraph.opens or head[0].bold) and (_SENTENCE.fullmatch(text) or _COUNTED.fullmatch(text)):
        return head
    dense = has_syllables(text) and _DENSE_UNSTOPPED.fullmatch(text)
    if not dense and not (_UNSTOPPED.fullmatch(text) and words[len(head)].text[:1].isupper()):
        return []
    first, *below = paragraph.lines  # the entries of a glossary hang, or are one line each
    flush = any(line.x0 <= first.x0 for line in below[:1])
    return head if (head[0].bold and flush and not dense) or _is_parted(first, len(head)) else []


def _is_parted(line: Line, count: int) -> bool:
    """Whether the white after the first `count` words of a line is wider than any other."""
    spaces = [after.x0 - before.x1 for before, after in pairwise(line.words)]
    if count > len(spaces):
        return False
    white = spaces.pop(count - 1)
    return white > WIDE_SPACE * line.size and white > _WIDER * max(spaces, default=0.0)


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
