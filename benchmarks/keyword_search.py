"""How long does a keyword search take? `python benchmarks/keyword_search.py CORPUS [CORPUS ...]`.

1. Over one text of 100,000 characters, of the first corpus's papers: `Document` for the first time (folding
   the text included) and again, beside SQLite's FTS5, which a user has at hand: its index of the paragraphs
   in memory included, and again.
2. Over all papers of each corpus, beside `grep` of one word.

Keywords are drawn from body paragraphs: two to four words of the five letters or more that stand in one.
"""

import argparse
import random
import re
import sqlite3
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from statistics import median, quantiles

from tables import markdown_table, measured_on, resident_mebibytes

import lookup

_CHARACTERS = 100_000
_WARM_UP = 5
"""Cases that are asked for before the clock runs."""

_CALLS = ("search_context", "search_exact_phrase", "search_boolean_and", "search_fuzzy")
_TARGET = "search_context over 100,000 characters takes at most 5 ms at the median"


def text_of(corpus: lookup.Corpus) -> str:
    """The document texts of the first papers, as many as make 100,000 characters."""
    text = ""
    for (key,) in corpus.sql("SELECT key FROM papers ORDER BY key"):
        text += corpus.document(key) + "\n\n"
        if len(text) >= _CHARACTERS:
            return text[:_CHARACTERS]
    raise SystemExit(f"The corpus has fewer than {_CHARACTERS:,} characters.")


def drawn(texts: Sequence[str], count: int, seed: int = 1) -> list[list[str]]:
    """`count` lists of two to four longer words, each of one of the texts, in the order of the text."""
    rng = random.Random(seed)
    cases: list[list[str]] = []
    while len(cases) < count:
        words = list(dict.fromkeys(re.findall(r"[^\W\d_]{5,}", rng.choice(texts))))
        size = rng.randint(2, 4)
        if len(words) > size:
            start = rng.randrange(len(words) - size)
            cases.append(words[start : start + size])
    return cases


def milliseconds(cases: Sequence[list[str]], ask: Callable[[list[str]], object]) -> list[float]:
    """The time that each case takes, after some to warm up."""
    for case in cases[:_WARM_UP]:
        ask(case)
    took = []
    for case in cases:
        began = time.perf_counter()
        ask(case)
        took.append(1000 * (time.perf_counter() - began))
    return took


def fts5(text: str) -> sqlite3.Connection:
    """An FTS5 table in memory with the paragraphs of the text."""
    connection = sqlite3.connect(":memory:")
    connection.execute(
        "CREATE VIRTUAL TABLE paragraphs USING fts5(text, tokenize = 'unicode61 remove_diacritics 2')"
    )
    rows = [(paragraph,) for paragraph in text.split("\n\n")]
    connection.executemany("INSERT INTO paragraphs VALUES (?)", rows)
    return connection


def ask_fts5(connection: sqlite3.Connection, words: list[str]) -> list[tuple[str]]:
    """The 15 best paragraphs by BM25, each as a snippet of 48 tokens, some 300 characters."""
    query = (
        "SELECT snippet(paragraphs, 0, '', '', '...', 48) FROM paragraphs WHERE paragraphs MATCH ? ORDER "
        "BY rank LIMIT 15"
    )
    return connection.execute(query, [" OR ".join(words)]).fetchall()


def one_text(corpus: lookup.Corpus, count: int) -> str:
    """The table of the searches over one text."""
    text = text_of(corpus)
    cases = drawn([part for part in text.split("\n\n") if len(part) > 300], count)
    document, held = lookup.Document(text), fts5(text)

    def first_fts5(words: list[str]) -> None:
        with closing(fts5(text)) as made:
            ask_fts5(made, words)

    rows = []
    for call in _CALLS:
        first = milliseconds(cases, lambda words, name=call: getattr(lookup.Document(text), name)(words))  # type: ignore[misc]
        again = milliseconds(cases, lambda words, name=call: getattr(document, name)(words))  # type: ignore[misc]
        rows.append([f"Document.{call}", _shown(first), _shown(again)])
    first, again = milliseconds(cases, first_fts5), milliseconds(cases, lambda words: ask_fts5(held, words))
    rows.append(["SQLite FTS5, snippets by BM25", _shown(first), _shown(again)])
    head = [
        "one text of 100,000 characters",
        "the first time: median (95th percentile), ms",
        "again: median (95th percentile), ms",
    ]
    return markdown_table(head, rows)


def all_papers(path: Path, count: int) -> tuple[str, int, int]:
    """The table of the searches over all papers, and how many papers and paragraphs there are."""
    with lookup.open(path) as corpus:
        papers, paragraphs = corpus.sql("SELECT count(*), sum(paragraphs)::BIGINT FROM papers").fetchall()[0]
        query = (
            "SELECT text FROM paragraphs WHERE kind = 'body' AND length(text) > 300 USING SAMPLE "
            "reservoir(200 ROWS) REPEATABLE (1)"
        )
        texts = [text for (text,) in corpus.sql(query)]
    rows = []
    cases = drawn(texts, count)
    with lookup.open(path) as corpus:
        for call in _CALLS:
            took = milliseconds(cases, lambda words, name=call: getattr(corpus, name)(words))  # type: ignore[misc]
            rows.append([f"Corpus.{call}", _shown(took)])
        took = milliseconds(cases, lambda words: corpus.grep(words[0], limit=15))
        rows.append(["Corpus.grep, one word", _shown(took)])
    return markdown_table(["all papers", "median (95th percentile), ms"], rows), papers, paragraphs


def _shown(values: Sequence[float]) -> str:
    return f"{median(values):.2f} ({quantiles(values, n=20)[-1]:.2f})"


def main() -> None:
    parser = argparse.ArgumentParser(description="Time keyword searches over one text and over all papers.")
    parser.add_argument("corpora", type=Path, nargs="+", metavar="CORPUS")
    parser.add_argument("--cases", type=int, default=60)
    asked = parser.parse_args()
    with lookup.open(asked.corpora[0]) as corpus:
        print(one_text(corpus, asked.cases))
    print(f"\n{asked.cases} cases of two to four keywords; target: {_TARGET}.")
    for path in asked.corpora:
        table, papers, paragraphs = all_papers(path, min(20, asked.cases))
        print(f"\n{papers:,} papers, {paragraphs:,} paragraphs\n\n{table}")
    print(f"\nThe process then holds {resident_mebibytes():.0f} MiB.\n\n{measured_on()}")


if __name__ == "__main__":
    main()
