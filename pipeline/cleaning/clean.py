"""Cleaning: printed lines to text that is ready to paste, with the place of each word in it."""

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from lookup.text.cleaning import CLEAN, clean_words, line_end
from pipeline.cleaning.letterspacing import letters_closed_up
from pipeline.pdf.lines import Line, Word
from pipeline.pdf.superscripts import superscript_runs


@dataclass(frozen=True)
class CleanLine:
    """A printed line, its span in the clean text, and the spans of its words."""

    line: Line
    start: int
    end: int
    words: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class CleanText:
    """A paragraph's text, ready to paste and as printed, its lines, and start and end of each superscript."""

    text: str
    text_raw: str
    lines: tuple[CleanLine, ...]
    superscripts: tuple[int, ...]


def clean_code(lines: Sequence[Line]) -> CleanText:
    """Return the text of a listing: hyphens at line ends stay, and `text_raw` has the indents of lines."""
    found = clean(lines, {}, judged=False)
    left = min(line.x0 for line in lines)
    indents = [round((line.x0 - left) / (line.width / max(1, len(line.text)))) for line in lines]
    raw = [" " * indent + line.text for indent, line in zip(indents, lines, strict=True)]
    return replace(found, text_raw="\n".join(raw))


def clean(
    lines: Sequence[Line],
    words: Mapping[str, int],
    listed: Container[str] = frozenset(),
    *,
    judged: bool = True,
) -> CleanText:
    """Return a paragraph's text, with hyphens of line ends judged, and without ligatures and the invisible.

    `words` counts the document's words (vocabulary), `listed` has those of its language (lexicon).
    Where they are not `judged`, a hyphen is a hyphen. `text_raw` separates words by one space and lines by a
    newline; `CleanLine.words` goes in step with it.
    """
    pieces: list[str] = []
    at = 0
    space = ""
    cleaned: list[CleanLine] = []
    superscripts: list[tuple[int, int]] = []
    for line, following in zip_longest(lines, lines[1:]):
        parts = clean_words([word.printed or word.text for word in line.words])
        goes_on = False
        if judged and following is not None:
            last, first = line.words[-1], following.words[0]
            parts[-1], goes_on = line_end(
                last.text, parts[-1], first.text, first.printed or first.text, words, listed
            )
        closed = letters_closed_up(line.words, line.text)
        spans: list[tuple[int, int]] = []
        for number, part in enumerate(parts):
            if part:
                between = "" if number in closed else space
                pieces += (between, part)
                at += len(between)
                space = " "
            spans.append((at, at + len(part)))
            at += len(part)
        if goes_on:
            space = ""
        for word, span in zip(line.words, spans, strict=True):
            if word.superscripts:
                superscripts += _superscripts(word, *span)
        cleaned.append(CleanLine(line, spans[0][0], at, tuple(spans)))
    text = "".join(pieces)
    return CleanText(
        text, "\n".join([line.text for line in lines]), tuple(cleaned), superscript_runs(text, superscripts)
    )


def _superscripts(word: Word, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Return the spans of a word's superscripts in the text; `start` and `end` are the word's own."""
    printed = word.printed or word.text
    for first, last in zip(word.superscripts[::2], word.superscripts[1::2], strict=True):
        before = start + len(printed[:first].translate(CLEAN))
        after = min(end, before + len(printed[first:last].translate(CLEAN)))
        if before < after:
            yield before, after
