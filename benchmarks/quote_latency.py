"""How long does a quote take, and what would the usual tools take and find?
`python benchmarks/quote_latency.py CORPUS ...`.

Each case is a run of words that a paper prints, asked for as it stands (tier 1), and with one word in eight
misread (tier 2). Every method gets the same cases in turn, in one process, over papers that it has seen
before:

- lookup, whole paper and with a page hint;
- grep: normalised raw page text, `str.find`, else the page with most of the words closest together, as a user
  would write it;
- rapidfuzz: `partial_ratio` over the paper's paragraphs;
- gtrex, where it is installed: its Verifier over the paper's text, built before the clock runs.
"""

import argparse
import json
import random
import re
import subprocess
import sys
import time
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import accumulate
from pathlib import Path
from statistics import median, quantiles

from cases import Case, draw_cases
from rapidfuzz import fuzz, process
from tables import markdown_table, measured_on

import lookup

_WARM_UP = 10
"""Cases that are asked for before the clock runs."""

_MISREAD = {"e": "c", "o": "0", "i": "l", "a": "o", "n": "ri", "s": "5", "t": "f"}


@dataclass
class Timings:
    """Milliseconds a call, and whether the page that it named prints the words."""

    took: list[float] = field(default_factory=list)
    right: list[bool] = field(default_factory=list)


def misread(words: str, rng: random.Random) -> str:
    """`words` with one in eight, and at least one, read wrong in one letter."""
    parts = words.split()
    long = [i for i, word in enumerate(parts) if len(word) > 4 and word.isalpha()] or [0]
    for i in rng.sample(long, min(len(long), max(1, len(parts) // 8))):
        at = next((k for k, char in enumerate(parts[i]) if k and char in _MISREAD), 1)
        parts[i] = parts[i][:at] + _MISREAD.get(parts[i][at : at + 1], "x") + parts[i][at + 1 :]
    return " ".join(parts)


class Grep:
    """What a user writes with the text of each page at hand: find, else the closest words."""

    def __init__(self, pages: dict[int, str]) -> None:
        self._pages = {page: _normalised(text) for page, text in pages.items()}

    def __call__(self, words: str) -> int:
        asked = _normalised(words)
        for page, text in self._pages.items():
            if asked in text:
                return page
        wanted = set(asked.split())
        return max(self._pages, key=lambda page: _closeness(self._pages[page].split(), wanted))


def _normalised(text: str) -> str:
    return " ".join(re.sub(r"-\n", "", text).lower().split())


def _closeness(words: list[str], wanted: set[str]) -> float:
    """The greatest share of the wanted words in a window of twice their number."""
    size = 2 * len(wanted)
    return max(
        (len(wanted & set(words[i : i + size])) for i in range(0, max(1, len(words)), len(wanted))), default=0
    )


def methods(corpus: lookup.Corpus, key: str) -> dict[str, Callable[[str, int], int]]:
    """The ways to ask the paper `key` for words on a page; each answers with a page, 0 for none."""
    rows = corpus.sql(
        "SELECT page, text, text_raw FROM paragraphs WHERE key = ? ORDER BY paragraph", [key]
    ).fetchall()
    pages: dict[int, str] = {}
    for page, _, raw in rows:
        pages[page] = f"{pages.get(page, '')}\n{raw}"
    grep = Grep(pages)
    texts = [text for _, text, _ in rows]

    def asked(words: str, page: int) -> int:
        matches = corpus.quote(key, words, page=page).matches
        return matches[0].page if matches else 0

    def fuzzy(words: str, _: int) -> int:
        found = process.extractOne(words, texts, scorer=fuzz.partial_ratio)
        return int(rows[found[2]][0])

    found: dict[str, Callable[[str, int], int]] = {
        "lookup": lambda words, _: asked(words, 0),
        "lookup, page hint": asked,
        "grep and closest words over page text": lambda words, _: grep(words),
        "rapidfuzz over all paragraphs": fuzzy,
    }
    return found | _gtrex(texts, [page for page, _, _ in rows])


def _gtrex(texts: list[str], pages: list[int]) -> dict[str, Callable[[str, int], int]]:
    try:
        import gtrex
    except ImportError:
        return {}
    verifier = gtrex.Verifier("\n\n".join(texts))
    borders = list(accumulate(len(text) + 2 for text in texts))

    def asked(words: str, _: int) -> int:
        start = verifier.verify(words).start
        return 0 if start is None else pages[bisect_right(borders, start)]

    return {"gtrex": asked}


def measure(corpus: lookup.Corpus, cases: list[Case]) -> dict[str, dict[str, Timings]]:
    """Timings by method and by kind of query."""
    rng = random.Random(1)
    timings: dict[str, dict[str, Timings]] = {}
    for place, case in enumerate(cases):
        page = corpus.quote(case.key, case.words).matches[0].page
        for kind, words in (("as printed", case.words), ("misread", misread(case.words, rng))):
            for name, ask in methods(corpus, case.key).items():
                ask(words, page)  # the paper has been seen
                began = time.perf_counter()
                answer = ask(words, page)
                took = 1000 * (time.perf_counter() - began)
                if place >= _WARM_UP:
                    timing = timings.setdefault(name, {}).setdefault(kind, Timings())
                    timing.took.append(took)
                    timing.right.append(answer == page)
    return timings


def report(timings: dict[str, dict[str, Timings]]) -> str:
    """Medians, 95th percentiles, and how often the page was right."""
    kinds = ("as printed", "misread")
    head = [
        "method",
        *(f"{kind}: {what}" for kind in kinds for what in ("median (95th percentile), ms", "right page")),
    ]
    rows = []
    for name, each in timings.items():
        cells = [name]
        for kind in kinds:
            took, right = each[kind].took, each[kind].right
            cells += [
                f"{median(took):.2f} ({quantiles(took, n=20)[-1]:.2f})",
                f"{sum(right) / len(right):.3f}",
            ]
        rows.append(cells)
    return markdown_table(head, rows)


def grep_seconds(corpus: lookup.Corpus, cases: list[Case]) -> str:
    """Median seconds of a grep over the whole corpus, for phrases of four words and one that nobody
    prints.
    """
    took = []
    for words in [*(" ".join(case.words.split()[:4]) for case in cases[:10]), "nobody prints this"]:
        began = time.perf_counter()
        corpus.grep(words)
        took.append(time.perf_counter() - began)
    return f"grep over all papers: median {median(took):.3f} s, longest {max(took):.3f} s"


def batch_milliseconds(path: Path, cases: list[Case]) -> str:
    """Median milliseconds a query, one by one and all in one batch, each in a corpus that was just opened;
    three times in turn.
    """
    rng = random.Random(2)
    asked = [(case.key, words) for case in cases for words in (case.words, misread(case.words, rng))]
    single, together = [], []
    for _ in range(3):
        with lookup.open(path) as corpus:
            began = time.perf_counter()
            for key, words in asked:
                corpus.quote(key, words)
            single.append(1000 * (time.perf_counter() - began) / len(asked))
        with lookup.open(path) as corpus:
            began = time.perf_counter()
            corpus.quotes(asked)
            together.append(1000 * (time.perf_counter() - began) / len(asked))
    return (
        f"{len(asked)} queries one by one: {median(single):.2f} ms each; by corpus.quotes: "
        f"{median(together):.2f} ms each"
    )


def resident(path: Path, cases: list[Case]) -> str:
    """Memory of a new process after it answered all cases, both as printed and misread."""
    rng = random.Random(1)
    asked = [(case.key, words) for case in cases for words in (case.words, misread(case.words, rng))]
    program = (
        "import json, os, sys, lookup\n"
        "corpus = lookup.open(sys.argv[1])\n"
        "for key, words in json.load(sys.stdin): corpus.quote(key, words)\n"
        "pages = int(open('/proc/self/statm').read().split()[1])\n"
        "print(pages * os.sysconf('SC_PAGE_SIZE') / 2**20)\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program, str(path)],
        input=json.dumps(asked),
        capture_output=True,
        text=True,
        check=True,
    )
    return f"a process that answered these cases holds {float(ran.stdout):.0f} MiB"


def main() -> None:
    parser = argparse.ArgumentParser(description="Time quotes against the usual tools.")
    parser.add_argument("corpora", type=Path, nargs="+", help="corpora; real papers, or from synthetic.py")
    parser.add_argument("--cases", type=int, default=100)
    options = parser.parse_args()
    for path in options.corpora:
        with lookup.open(path) as corpus:
            ((papers, paragraphs),) = corpus.sql(
                "SELECT count(DISTINCT key), count(*) FROM paragraphs"
            ).fetchall()
            cases = draw_cases(path, options.cases + _WARM_UP)
            print(f"\n{papers:,} papers, {paragraphs:,} paragraphs, {options.cases} cases\n")
            print(report(measure(corpus, cases)))
            print(f"\n{grep_seconds(corpus, cases)}; {resident(path, cases)}")
            print(f"\n{batch_milliseconds(path, cases)}")
    print(f"\n{measured_on()}")


if __name__ == "__main__":
    main()
