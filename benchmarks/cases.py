"""Quotes to ask a release for, drawn from its Parquet files, so that its database is not read before it is
timed.
"""

import random
from dataclasses import dataclass
from pathlib import Path

import duckdb

from lookup.release.current import current_release

_WORDS = (8, 14)
"""Fewest and most words of a quote."""


@dataclass(frozen=True)
class Case:
    """A paper's key and words that it prints."""

    key: str
    words: str


def draw_cases(corpus: Path, count: int, seed: int = 1) -> list[Case]:
    """`count` runs of 8 to 14 words from body paragraphs of papers drawn at random; the same for the same
    seed.
    """
    release = current_release(corpus)
    papers, paragraphs = (
        [str(path) for folder in release.parts for path in sorted(folder.glob(files))]
        for files in ("papers.parquet", "paragraphs/*.parquet")
    )
    rng = random.Random(seed)
    with duckdb.connect() as connection:
        keys = connection.execute("SELECT key FROM read_parquet(?) ORDER BY key", [papers]).fetchall()
        # More than are wanted: not every paper has long paragraphs, nor every run plain words at its ends.
        drawn = [key for (key,) in rng.choices(keys, k=10 + 3 * count)]
        texts = dict(
            connection.execute(
                "SELECT key, list(text ORDER BY paragraph) FROM read_parquet(?) "
                "WHERE kind = 'body' AND key IN (SELECT unnest(?)) AND len(string_split(text, ' ')) >= ? "
                "GROUP BY key",
                [paragraphs, drawn, 2 * _WORDS[1]],
            ).fetchall()
        )
    runs = ((key, _run(rng, rng.choice(texts[key]).split(" "))) for key in drawn if key in texts)
    cases = [Case(key, words) for key, words in runs if words][:count]
    if len(cases) < count:
        raise SystemExit(f"{str(corpus)!r} has too few body paragraphs to draw {count} quotes from.")
    return cases


def _run(rng: random.Random, words: list[str]) -> str | None:
    """A run of `words` that begins and ends with a plain word; None where the one that was drawn does not."""
    length = rng.randint(*_WORDS)
    start = rng.randrange(len(words) - length + 1)
    run = words[start : start + length]
    return " ".join(run) if run[0].isalpha() and run[-1].isalpha() else None
