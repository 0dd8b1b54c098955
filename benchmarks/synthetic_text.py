"""Made-up paragraphs that look like a paper's to the code that reads them: kinds, lengths, lines, hyphens,
folding, sentences.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from lookup.text.folding import fold
from lookup.text.sentences import sentence_spans
from pipeline.cleaning.clean import CleanText, clean
from pipeline.pdf.reading import Line, Word

OWN = "qjxqjx"
"""Stands in a template for the word that only one paragraph has; no made word contains it, folding and
sentences leave it alone.
"""

_LENGTHS = {
    "furniture": (0.32, 0.4, 0.7, 12),
    "body": (0.25, 3.3, 1.5, 300),
    "reference": (0.11, 3.2, 0.7, 80),
    "formula": (0.10, 1.1, 1.0, 30),
    "footnote": (0.07, 2.1, 1.2, 80),
    "heading": (0.06, 1.1, 0.9, 15),
    "list": (0.04, 3.1, 0.7, 80),
    "front": (0.03, 1.9, 1.1, 60),
    "caption": (0.02, 2.9, 0.9, 150),
}
"""Share of the paragraphs, and their words: mean and deviation of the logarithm, and the most (57 papers,
14,861 paragraphs).
"""

_VOCABULARY = 30_000
_ZIPF_SHIFT = 2.7
"""Of the law of Zipf and Mandelbrot, frequency ~ 1 / (rank + shift)."""

_LONGER_FROM = (20, 2_000)
"""Ranks from which words have a syllable more: a word of running text then has 5.7 letters on average, as in
the real papers.
"""

_ONSETS = ("b", "c", "d", "f", "g", "h", "l", "m", "n", "p", "r", "s", "t", "v", "st", "tr", "pl", "ch")
_SYLLABLES = [onset + vowel for onset in _ONSETS for vowel in ("a", "e", "i", "o", "u", "ie", "ea")]
_CODAS = ["", "", "n", "r", "s", "t", "l", "nt", "st"]
_ODD = [
    "5\N{EN DASH}10",
    "1.5",
    "(p < 0.05)",
    "α",
    "[12]",
    "naïve",
    "\N{LEFT DOUBLE QUOTATION MARK}so\N{RIGHT DOUBLE QUOTATION MARK}",
    "37 °C",
    "\N{MINUS SIGN}5",
    "state-of-the-art",
    "e.g.",
    "diﬀer",
    "10 %",
    "Smith’s",
]
_ODD_SHARE = 0.04
_OWN_EVERY = 10
"""Words from one OWN to the next, so that a run of words from a paragraph is nowhere else."""

_SENTENCE = (12, 30)
_LINE_WIDTH, _LEADING, _SIZE, _CHARACTER = 240.0, 12.0, 10.0, 3.9
"""Points: a column of two-column print, ten-point type; a line holds some 58 characters as in the real
papers.
"""

_HYPHENATED = 0.15
"""Share of the lines that end in a broken word."""


@dataclass(frozen=True)
class Template:
    """A paragraph with OWN for its own word, as `text_raw`, `text`, `text_norm`, lines and sentence spans
    have it.
    """

    kind: str
    clean: CleanText
    text_norm: str
    sentences: tuple[tuple[int, int], ...]


def vocabulary(rng: random.Random) -> tuple[list[str], list[float]]:
    """Words, the frequent ones short as in a language, and the running sum of their frequencies."""
    words: dict[str, None] = {}
    while len(words) < _VOCABULARY:
        longest = 1 + sum(len(words) >= rank for rank in _LONGER_FROM)
        word = "".join(rng.choices(_SYLLABLES, k=rng.randint(max(1, longest - 1), longest)))
        words[word + rng.choice(_CODAS)] = None
    return list(words), list(accumulate(1 / (rank + _ZIPF_SHIFT) for rank in range(1, _VOCABULARY + 1)))


def templates(rng: random.Random, count: int) -> list[Template]:
    """`count` templates, their kinds mixed as in real papers."""
    words, weights = vocabulary(rng)
    kinds = rng.choices(list(_LENGTHS), [share for share, *_ in _LENGTHS.values()], k=count)
    return [_template(kind, rng, words, weights) for kind in kinds]


def _template(kind: str, rng: random.Random, words: Sequence[str], weights: Sequence[float]) -> Template:
    _, mean, deviation, most = _LENGTHS[kind]
    length = min(most, max(1, round(rng.lognormvariate(mean, deviation))))
    cleaned = clean(_lines(_prose(rng.choices(words, cum_weights=weights, k=length), rng), rng), {})
    return Template(kind, cleaned, fold(cleaned.text), tuple(sentence_spans(cleaned.text)))


def _prose(words: list[str], rng: random.Random) -> list[str]:
    """The words as sentences, with what is odd in real print, and OWN where no sentence begins or ends."""
    out = [rng.choice(_ODD) if rng.random() < _ODD_SHARE else word for word in words]
    at = 0
    while at < len(out):
        end = min(len(out), at + rng.randint(*_SENTENCE))
        out[at] = out[at].capitalize()
        if len(out) > _SENTENCE[0]:
            out[end - 1] = words[end - 1] + "."
        out[min(at + 1, end - 1) : end - 1 : _OWN_EVERY] = [OWN] * len(
            range(min(at + 1, end - 1), end - 1, _OWN_EVERY)
        )
        at = end
    return out if OWN in out else [OWN, *out[1:]]


def _lines(words: Sequence[str], rng: random.Random) -> list[Line]:
    """The words set as ragged lines, some of them hyphenated."""
    lines: list[list[str]] = [[]]
    room = _LINE_WIDTH
    for word in " ".join(words).split():
        width = (len(word) + 1) * _CHARACTER
        if width > room and lines[-1]:
            if len(word) > 6 and word.isalpha() and rng.random() < _HYPHENATED:
                lines[-1].append(word[:3] + "-")
                lines.append([word[3:]])
            else:
                lines.append([word])
            room = _LINE_WIDTH - width
        else:
            lines[-1].append(word)
            room -= width
    return [_line(line, 72.0 + _LEADING * (number % 50)) for number, line in enumerate(lines)]


def _line(texts: Sequence[str], y0: float) -> Line:
    words, x0 = [], 54.0
    for text in texts:
        x1 = x0 + len(text) * _CHARACTER
        words.append(Word(text, x0, y0, x1, y0 + _SIZE, _SIZE, "Made", bold=False, italic=False))
        x0 = x1 + _CHARACTER
    return Line(1, 54.0, y0, words[-1].x1, y0 + _SIZE, tuple(words), _SIZE, bold=False)
