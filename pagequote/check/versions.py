"""Two versions of a paper, such as preprint and article: which words of the one the other prints, too."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from lookup.corpus import Corpus
from lookup.results.answer import AsJson, whereabouts
from pagequote.check.manuscript import Manuscript
from pagequote.check.word_diff import word_diff

_KINDS = "'body', 'quote', 'list', 'caption', 'footnote'"

_LEAST_CHARACTERS = 40  # A shorter paragraph is a rest of one, and most papers print its words somewhere.


class Words(NamedTuple):
    """Words of one version, and where they stand: on its page, or in a manuscript."""

    words: str
    place: str


@dataclass(frozen=True)
class Kept(AsJson):
    """Words of one version, and the verdict of the other on them: where it prints them, and how else."""

    place: str
    words: str
    verdict: str
    page: int | None
    page_label: str | None
    diff: str | None


def paragraphs(corpus: Corpus, key: str) -> Iterator[Words]:
    """Yield the paragraphs of running text of a paper. Raise UnknownKeyError."""
    key = corpus.paper(key).key
    rows = corpus.sql(
        f"SELECT text, page, page_label FROM printed_paragraphs WHERE key = ? AND kind IN ({_KINDS}) "
        "AND length(text) >= ? ORDER BY paragraph",
        [key, _LEAST_CHARACTERS],
    )
    for text, page, label in rows:
        yield Words(text, whereabouts(None, page, label))


def quotations(manuscripts: Iterable[Manuscript], key: str) -> Iterator[Words]:
    """Yield the quotations that cite the paper."""
    for manuscript in manuscripts:
        for one in manuscript.quotations:
            if key in one.keys:
                line, column = manuscript.place(one.start)
                yield Words(" ".join(one.words.text.split()), f"{manuscript.path.as_posix()}:{line}:{column}")


def kept(words: Sequence[Words], other: Corpus, key: str) -> list[Kept]:
    """Return for each of the words whether the paper `key` of the other corpus prints them."""
    verified = other.verify_all((key, one.words) for one in words)
    every = []
    for asked, found in zip(words, verified, strict=True):
        match, diff = found.match, None
        if match is not None and found.verdict == "near":
            diff = word_diff(asked.words, match.quote, match.omitted, match.differences)
        page, label = (match.page, match.page_label) if match else (None, None)
        every.append(Kept(asked.place, asked.words, found.verdict, page, label, diff))
    return every


def counted(all_kept: Sequence[Kept]) -> str:
    """Return how many have which verdict: "12 verbatim, 1 near"."""
    counts = Counter(one.verdict for one in all_kept)
    return ", ".join(f"{count} {verdict}" for verdict, count in counts.most_common())
