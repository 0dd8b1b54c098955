"""Cleaning: printed lines to text that is ready to paste, with the place of each word in it."""

import gzip
import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from itertools import accumulate, chain, pairwise, zip_longest
from operator import attrgetter, itemgetter
from statistics import median

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from lookup.release.schema import PARAGRAPHS
from pipeline.pdf.lines import Line, Word
from pipeline.pdf.superscripts import superscript_runs
from pipeline.records import arrays, arrow_type
from retrieval.raw_text.cleaning import CLEAN, clean_words, line_end


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
                last.printed or last.text,
                parts[-1],
                first.text,
                first.printed or first.text,
                words,
                listed,
            )
        closed = letters_closed_up(line.words, line.text)
        spans: list[tuple[int, int]] = []
        if not closed and all(parts):  # as of most lines, and faster
            starts = list(accumulate([len(part) + 1 for part in parts], initial=at + len(space)))
            spans = [(start, after - 1) for start, after in pairwise(starts)]
            pieces += (space, " ".join(parts))
            at, space, parts = starts[-1] - 1, " ", []
        for number, part in enumerate(parts):
            if part:
                if space and number not in closed:
                    pieces.append(space)
                    at += 1
                pieces.append(part)
                space = " "
            end = at + len(part)
            spans.append((at, end))
            at = end
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


_FUNCTION_WORDS = {
    "en": "the of and in to with was were for that",
    "de": "der die und das von mit wurde den zu nicht",
    "es": "el los las del y una con por se fueron",
    "fr": "le les des et du une dans est par pour",
    "it": "il di che della e sono gli nel per del",
    "nl": "de het een van en zijn met voor niet werd",
    "pt": "o os as do da em uma com foi não",
}
"""The most frequent words of each language that has a list."""

_LEAST_WORDS = 20  # Function words of a document, at least, that tell its language.


def lexicon(words: Mapping[str, int]) -> Container[str]:
    """Return the lower-cased words of the language of a document with these words; none if unknown."""
    counts = {
        language: sum(words.get(word, 0) for word in listed.split())
        for language, listed in _FUNCTION_WORDS.items()
    }
    language = max(counts, key=lambda language: counts[language])
    return word_list(language) if counts[language] >= _LEAST_WORDS else frozenset()


@cache
def word_list(language: str) -> Container[str]:
    """Return the words of a language that has a list ("en"), lower-cased.

    The package's file has them in quotation marks, with their frequencies between, and no escaped character.
    Reading the JSON takes twice as long, 0.2 to 0.7 s.
    """
    listed = files("spellchecker") / "resources" / f"{language}.json.gz"
    return frozenset(gzip.decompress(listed.read_bytes()).decode().split('"')[1::2])


def lines_array(paragraphs: Iterable[Sequence[CleanLine]]) -> pa.Array:
    """Return the `lines` column of these paragraphs, by column: a paper has thousands of words."""
    of_each = [*paragraphs]
    cleaned = [clean for lines in of_each for clean in lines]
    printed = [clean.line for clean in cleaned]
    of_words = map(_BOX, chain.from_iterable([line.words for line in printed]))
    tenths = np.rint(10 * np.clip(_numbers(of_words, 4), -_FAR, _FAR))
    spans = _numbers(chain.from_iterable([clean.words for clean in cleaned]), 2)
    words = np.hstack([spans, tenths]).astype(np.int32)
    word_offsets = list(accumulate([_OF_WORD * len(line.words) for line in printed], initial=0))
    word_lists = pa.ListArray.from_arrays(pa.array(word_offsets, pa.int32()), pa.array(words.ravel()))
    boxes = _hundredths(_numbers(map(attrgetter("x0", "y0", "x1", "y1"), printed), 4)).tolist()
    rows = [(one.line.page, *box, one.start, one.end) for one, box in zip(cleaned, boxes, strict=True)]
    line_type = arrow_type(next(c for c in PARAGRAPHS.columns if c.name == "lines")).value_type
    flat = [field for field in line_type if field.name != "words"]
    structs = pa.StructArray.from_arrays([*arrays(rows, flat), word_lists], fields=list(line_type))
    offsets = list(accumulate(map(len, of_each), initial=0))
    return pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), structs)


def _numbers(rows: Iterable[Iterable[float]], count: int) -> NDArray[np.float64]:
    """Return rows of so many numbers each as an array."""
    return np.fromiter(chain.from_iterable(rows), float).reshape(-1, count)


def _hundredths(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return what Python rounds values to, two digits after the point: it alone is exact halfway between."""
    rounded: NDArray[np.float64] = np.rint(100 * values) / 100
    halfway = np.abs(np.abs(values - rounded) - 0.005) < 1e-6
    rounded[halfway] = [round(one, 2) for one in values[halfway].tolist()]
    return rounded


_BOX = itemgetter(1, 2, 3, 4)  # The edges of a word.

_FAR = 1e7  # Points: far beyond any page (a PDF may place text anywhere), where the place does not matter.

_OF_WORD = 6
"""Numbers for each word: start and end in the text, and the edges of its box in tenths of points."""


SPACED_OUT = re.compile(r"(?<!\S)(?:[^\W\d_]{1,2} ){3,}[^\W\d_]{1,2}(?!\S)")
"""Four or more pieces of one or two letters: some fonts set two closer together, as in "FI G U R E"."""

MAY_BE_SPACED = re.compile(r" \w{1,2} \w{1,2} ")
"""What is within all spaced letters, and quickly found."""

_LEAST = 5  # Letters of spaced text, at least.
_SINGLE = 0.6  # Share of the pieces, at least, that are single letters.
_WIDEST = 0.6  # Em: the widest space between the letters of a word.
_WORD_SPACE = 1.6  # Spaces between letters that make a space between words, at least.


def letters_closed_up(words: Sequence[Word], text: str) -> frozenset[int]:
    """Return the numbers of the words of a line that are letters of the word before; `text` is the line's."""
    closed: set[int] = set()
    for match in SPACED_OUT.finditer(text) if MAY_BE_SPACED.search(text) else ():
        first = text.count(" ", 0, match.start())
        pieces = match.group().split(" ")
        if len("".join(pieces)) < _LEAST or sum(len(one) == 1 for one in pieces) < _SINGLE * len(pieces):
            continue
        run = words[first : first + len(pieces)]
        gaps = [after.x0 - before.x1 for before, after in pairwise(run)]
        usual = median(gaps)
        if not 0 < usual < _WIDEST * run[0].size:
            continue
        closed.update(first + 1 + at for at, gap in enumerate(gaps) if gap < _WORD_SPACE * usual)
    return frozenset(closed)
