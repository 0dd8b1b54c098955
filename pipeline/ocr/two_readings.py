"""Two readings of a page: whether one is sure, and the better of both, line by line."""

import statistics
import unicodedata
from collections.abc import Collection, Container, Iterable
from dataclasses import replace

from pipeline.ocr.recognised_lines import Seen, by_line
from retrieval.raw_text.cleaning import vocabulary

CONFIDENT = 93.0
"""Percent: the mean confidence of Tesseract's words, at least, of a page that it reads well. Six pages at 200
dpi have 96, eight at 130 dpi with noise 76 to 90."""

_TRUSTED = 80.0
"""Percent: the mean confidence of a line, at least, that is taken from the first reader, of a page that it
reads badly. Of 28 lines of eight poor pages with more known words than in the second reading, 16 have it, and
all are better; of the other 12 three are."""

_SCRIPTS = {"LATIN", "GREEK", "CJK", "HIRAGANA", "KATAKANA"}
"""The scripts that the second reader knows, by the names of their letters."""


def confidence(words: Collection[Seen]) -> float:
    """Return how sure a reader is of these words on the mean, percent."""
    return statistics.fmean(word.confidence for word in words) if words else 0.0


def wants_second(words: Collection[Seen]) -> bool:
    """Whether the second reader is to read this page, too: not what has a script that it does not know."""
    letters = [letter for word in words for letter in word.text if letter.isalpha()]
    read = sum(unicodedata.name(letter, "").split(" ")[0] in _SCRIPTS for letter in letters)
    return confidence(words) < CONFIDENT and 2 * read >= len(letters)


def texts(words: Iterable[Seen]) -> list[str]:
    """Return the lines of these words."""
    return [" ".join(word.text for word in line) for line in by_line(words)]


def known_share(lines: Iterable[str], known: Container[str]) -> float:
    """Return the share of the letters of these lines that are in words which are `known`."""
    words = vocabulary(lines)
    letters = sum(n * len(word) for word, n in words.items())
    return sum(n * len(word) for word, n in words.items() if word in known) / max(1, letters)


def better_lines(first: Iterable[Seen], second: Iterable[Seen], known: Container[str]) -> list[Seen]:
    """Return the words of two readings of a page set level, of each line those of the better reading.

    The better one has more words that are `known`, of two that are alike the second reader's. A line that the
    first reader alone sees stays, if it is sure of it.
    """
    left = list(by_line(first))
    chosen: list[list[Seen]] = []
    for line in by_line(second):
        x0, x1 = min(word.x0 for word in line), max(word.x1 for word in line)
        y0, y1 = line[0].y0, line[0].y1
        beside: list[Seen] = []
        rest: list[list[Seen]] = []
        for other in left:
            middles = [((word.x0 + word.x1) / 2, (word.y0 + word.y1) / 2, word) for word in other]
            inside = [word for x, y, word in middles if x0 < x < x1 and y0 < y < y1]
            beside += [replace(word, line=line[0].line) for word in inside]
            rest.append([word for word in other if word not in inside])
        left = [other for other in rest if other]
        shares = [known_share([f"{text} " for text in texts(one)], known) for one in (beside, line)]
        better = confidence(beside) >= _TRUSTED and shares[0] > shares[1]
        chosen.append(beside if better else line)
    chosen += [line for line in left if confidence(line) >= _TRUSTED]
    chosen.sort(key=lambda line: (line[0].y1, line[0].x0))
    return [word for line in chosen for word in line]
