"""Do the boxes of a quote hold its words alone, and do hints name the page of the words?

`python benchmarks/places.py CORPUS`, beside the PDFs that the corpus was built from. Quotes of two words to
a whole paragraph, some with words of the next one, are drawn from the corpus; a third from paragraphs that
two pages share, and half of these begin on the second. What is in a box is read from the PDF itself:
characters whose middle, by baseline and font size, lies in it. Letters and digits are compared, without
order; where a font names another character than it prints, the PDF is wrong and not the box. A page is
right if it prints the first letters of the quote; quotes that no page prints so are not counted.
"""

import argparse
import random
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import pymupdf
from tables import markdown_table, measured_on

import lookup
from lookup.results.quote_answer import Box, Match

_INSIDE = 0.97
"""Share of letters: of the quote's in its boxes, and of the boxes' that are the quote's."""

_MIDDLE = 0.28
"""Em above the baseline of the middle of most letters."""

_OVERPRINTED = 0.75
"""Points between the origins of two equal characters, at most, that are one, printed twice to look bold."""

_FIRST_LETTERS = 24
"""Letters that a quote begins with, which tell on which pages it is printed."""

_FEWEST_LETTERS = 2
"""Letters and digits of a quote, fewer than which no query may have."""

_LONGEST = 4_000
"""Characters of a quote, at most."""

_ELSEWHERE = 4
"""Quotes for each one that is looked for in another paper: that takes longest."""

_KINDS = "kind NOT IN ('furniture', 'formula')"


@dataclass(frozen=True)
class Drawn:
    """Words that a paper prints, and the page that prints the first of them."""

    key: str
    words: str
    page: int
    split: bool
    """Whether two pages share the paragraph."""


def letters(text: str) -> str:
    """The letters and digits of `text`, each in its plain form."""
    return "".join(char for char in unicodedata.normalize("NFKC", text).casefold() if char.isalnum())


class Prints:
    """What the pages of the papers print, character by character."""

    def __init__(self, corpus: lookup.Corpus) -> None:
        self._corpus = corpus
        self.pages = lru_cache(8)(self._pages)
        self._letters = lru_cache(8)(self._letters_of)

    def inside(self, key: str, boxes: Sequence[Box]) -> str:
        """The letters whose middle lies in one of the boxes."""
        by_page = defaultdict(list)
        for box in boxes:
            by_page[box.page].append(box)
        return "".join(
            char
            for page, here in by_page.items()
            for char, x, y in self.pages(key)[page - 1]
            if any(box.x0 <= x <= box.x1 and box.y0 <= y <= box.y1 for box in here)
        )

    def pages_with(self, key: str, words: str) -> set[int]:
        """The pages that print the first letters of the words."""
        first = letters(words)[:_FIRST_LETTERS]
        return {number for number, page in enumerate(self._letters(key), 1) if first in page}

    def _letters_of(self, key: str) -> list[str]:
        return ["".join(char for char, _, _ in page) for page in self.pages(key)]

    def _pages(self, key: str) -> list[list[tuple[str, float, float]]]:
        reader: Any = pymupdf  # it has no types
        with reader.open(stream=self._corpus.original(key).read(), filetype="pdf") as pages:
            return [list(_characters(page)) for page in pages]


def _characters(page: Any) -> Iterator[tuple[str, float, float]]:
    """The letters of a page, each with its middle in points on the page as it is shown."""
    seen: set[tuple[str, int, int]] = set()
    content = page.get_text("rawdict", flags=pymupdf.TEXTFLAGS_RAWDICT & ~pymupdf.TEXT_PRESERVE_IMAGES)
    for line in (line for block in content["blocks"] for line in block.get("lines", ())):
        run, rise = line["dir"]
        for span in line["spans"]:
            up = _MIDDLE * span["size"]
            for char in span["chars"]:
                x, y = char["origin"]
                place = (char["c"], round(x / _OVERPRINTED), round(y / _OVERPRINTED))
                if place in seen:
                    continue
                seen.add(place)
                x0, y0, x1, y1 = char["bbox"]
                along = abs(run) * (x1 - x0) / 2 + abs(rise) * (y1 - y0) / 2
                x, y = x + run * along + rise * up, y + rise * along - run * up
                a, b, c, d, e, f = page.rotation_matrix
                for letter in letters(char["c"]):
                    yield letter, a * x + c * y + e, b * x + d * y + f


def draw(corpus: lookup.Corpus, count: int, seed: int) -> list[Drawn]:
    """`count` quotes, as many of each paper; those of one paper together."""
    keys = [key for (key,) in corpus.sql("SELECT key FROM papers WHERE status = 'covered' ORDER BY key")]
    drawn = []
    for number, key in enumerate(keys):
        rng = random.Random(f"{seed} {key}")
        share = count * (number + 1) // len(keys) - count * number // len(keys)
        rows = corpus.sql(
            "SELECT text, page, page_end, kind, lines FROM paragraphs "
            f"WHERE key = ? AND {_KINDS} ORDER BY paragraph",
            [key],
        ).fetchall()
        several = [i for i, row in enumerate(rows) if row[1] != row[2]]
        for which in range(share):
            split = bool(several) and which % 3 == 0
            drawn.append(
                _run(rng, key, rows, rng.choice(several) if split else rng.randrange(len(rows)), split=split)
            )
    return drawn


def _run(rng: random.Random, key: str, rows: Sequence[tuple[Any, ...]], at: int, *, split: bool) -> Drawn:
    text, page, page_end, kind, lines = rows[at]
    words = text.split(" ")
    longest = rng.choice([6, 15, 40, len(words)])
    length = min(len(words), rng.randint(2, max(2, longest)))
    start = rng.randrange(len(words) - length + 1)
    if split and rng.random() < 0.5:
        turn = next(line["start"] for line in lines if line["page"] == page_end)
        behind = text[:turn].count(" ")
        start = rng.randrange(min(behind, len(words) - 1), len(words))
    begin = sum(len(word) + 1 for word in words[:start])
    quote = " ".join(words[start : start + length])
    if rng.random() < 0.1 and at + 1 < len(rows) and rows[at + 1][3] == kind == "body":
        following = rows[at + 1][0].split(" ")
        quote = " ".join([*words[start:], *following[: rng.randint(1, len(following))]])
    first = next((line["page"] for line in lines if line["start"] <= begin < line["end"]), page)
    return Drawn(key, quote[:_LONGEST], first, split)


class Tally:
    """What was right, by question; with `show` what is wrong is printed."""

    def __init__(self, *, show: bool) -> None:
        self._show = show
        self._answers: dict[str, list[bool]] = defaultdict(list)

    def note(self, question: str, case: Drawn, said: object, *, is_right: bool) -> None:
        """Count an answer."""
        self._answers[question].append(is_right)
        if self._show and not is_right:
            print(f"{question} | {case.key} p.{case.page} | {case.words[:90]!r} | {str(said)[:300]}")

    def rows(self) -> list[list[str]]:
        """For each question: how many were asked, and the share and number of what is right and wrong."""
        return [
            [question, str(len(answers)), f"{sum(answers) / len(answers):.4f}", str(answers.count(False))]
            for question, answers in self._answers.items()
        ]


def measure(corpus: lookup.Corpus, drawn: Sequence[Drawn], prints: Prints, tally: Tally) -> None:
    """Ask for each quote where it is printed, and tally the answers."""
    keys = [paper.key for paper in corpus.papers()]
    for number, case in enumerate(drawn):
        if len(letters(case.words)) < _FEWEST_LETTERS:
            continue
        found = corpus.verify(case.words, case.key)
        tally.note("words are verbatim", case, found.verdict, is_right=found.verdict == "verbatim")
        if found.match is None or found.verdict != "verbatim":
            continue
        _measure_boxes(case, found.match, prints, tally)
        cited = corpus.verify(case.words, case.key, case.page)
        tally.note("verify with the true page", case, cited.hint, is_right=cited.page_is_right is True)
        true = prints.pages_with(case.key, case.words)
        if len(letters(case.words)) >= _FIRST_LETTERS and case.page in true:
            other = "" if number % _ELSEWHERE else keys[keys.index(case.key) - 1]
            _measure_pages(corpus, case, true, other, tally)


def _measure_boxes(case: Drawn, match: Match, prints: Prints, tally: Tally) -> None:
    asked, held = Counter(letters(match.quote)), Counter(letters(prints.inside(case.key, match.boxes)))
    both = (asked & held).total()
    lost, foreign = "".join((asked - held).elements()), "".join((held - asked).elements())
    place = f"lost {lost[:50]!r} foreign {foreign[:50]!r} {match.boxes[:2]}"
    tally.note("letters in the boxes", case, place, is_right=both >= _INSIDE * asked.total())
    tally.note("letters in the boxes are the quote's", case, place, is_right=both >= _INSIDE * held.total())


def _measure_pages(corpus: lookup.Corpus, case: Drawn, true: set[int], other: str, tally: Tally) -> None:
    """Ask for the words on a page that does not print them, and in the paper `other` (unless it is '')."""
    pages = len(corpus.pages(case.key))
    wrong = next((page for page in range(1, pages + 1) if page not in true), None)
    if wrong is not None:
        told = corpus.verify(case.words, case.key, wrong)
        right = told.page_is_right is not False or set(told.pages) <= true
        tally.note("pages of verify with a wrong page", case, told.hint, is_right=right)
        hint = corpus.quote(case.key, case.words, wrong).hint
        if hint.startswith("Not on page"):
            named = hint.partition("but on page ")[2].partition(":")[0].split(", ")
            tally.note("pages of the hint of quote", case, hint, is_right=set(map(int, named)) <= true)
    for one in corpus.verify(case.words, other).elsewhere if other else ():
        if one.key == case.key:
            tally.note("pages of elsewhere", case, one, is_right=one.page in true)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--count", type=int, default=2_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", action="store_true", help="print what is wrong")
    arguments = parser.parse_args()
    with lookup.open(arguments.corpus) as corpus:
        prints, tally = Prints(corpus), Tally(show=arguments.show)
        measure(corpus, draw(corpus, arguments.count, arguments.seed), prints, tally)
    print(markdown_table(["question", "quotes", "right", "wrong"], tally.rows()))
    print(f"\n{measured_on()}; targets: 0.995 for boxes, 1 for pages.")


if __name__ == "__main__":
    main()
