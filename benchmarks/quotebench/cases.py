"""Quotes with known answers, made of papers by a seed: honest ones, wrong ones, and forged ones."""

import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from quotebench.papers import MARK, Paper, Place, letters

Expected = Literal["printed", "abridged", "not printed"]


@dataclass(frozen=True)
class Case:
    """Words that are asked of a paper, and what is true of them; `page` is the page that the asker gives, or
    0.
    """

    kind: str
    key: str
    words: str
    expected: Expected
    place: Place | None
    page: int = 0


_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z\"“(])")
_MARKED = re.compile(rf"\s*[\[(]?{MARK}[^{MARK}]*{MARK}(?:[\s,;–-]*{MARK}[^{MARK}]*{MARK})*[\])]?")
_WORDS = (9, 40)
"""Fewest and most words of a sentence that is asked."""

_TRIES = 60
"""Sentences of a paper that are tried for each case."""

_TURNED = (
    ("increased", "decreased"),
    ("higher", "lower"),
    ("more", "less"),
    ("significant", "insignificant"),
    ("positive", "negative"),
    ("before", "after"),
    ("above", "below"),
    ("with", "without"),
    ("all", "some"),
)


def make_cases(papers: Sequence[Paper], each: int, seed: int, kinds: Sequence[str] = ()) -> list[Case]:
    """Return up to `each` cases of each kind, or of `kinds`, for each paper; the same for the same seed."""
    rng = random.Random(seed)
    cases: list[Case] = []
    for paper in papers:
        others = [one for one in papers if one is not paper]
        for kind in kinds or KINDS:
            make = KINDS[kind]
            found: dict[str, Case] = {}
            for _ in range(_TRIES):
                case = make(kind, paper, rng.choice(others), rng)
                if case is not None:
                    found[case.words] = case
                if len(found) == each:
                    break
            cases += found.values()
    return cases


def _sentence(paper: Paper, rng: random.Random, *, marked: bool = False) -> tuple[str, Place] | None:
    """Return a sentence that the PDF prints once, and where; `marked` ones have a citation within."""
    if not paper.paragraphs:
        return None
    sentence = rng.choice(_SENTENCE.split(rng.choice(paper.paragraphs))).strip()
    if (MARK in sentence) != marked or not _WORDS[0] <= len(sentence.split()) <= _WORDS[1]:
        return None
    places = paper.places(sentence)
    return (sentence, places[0]) if len(places) == 1 and places[0].prints(sentence) else None


def _verbatim(kind: str, paper: Paper, _: Paper, rng: random.Random) -> Case | None:
    drawn = _sentence(paper, rng)
    return Case(kind, paper.key, drawn[0], "printed", drawn[1]) if drawn else None


def _published(kind: str, paper: Paper, _: Paper, rng: random.Random) -> Case | None:
    if not paper.paragraphs:
        return None
    words = rng.choice(_SENTENCE.split(rng.choice(paper.paragraphs))).strip().replace(MARK, "")
    if not _WORDS[0] <= len(words.split()) <= _WORDS[1]:
        return None
    places = paper.places(words)
    return Case(kind, paper.key, words, "printed", places[0] if len(places) == 1 else None)


def _copied(kind: str, paper: Paper, _: Paper, rng: random.Random) -> Case | None:
    drawn = _sentence(paper, rng)
    broken = drawn and "\n" in drawn[1].copied
    return Case(kind, paper.key, drawn[1].copied, "printed", drawn[1]) if drawn and broken else None


def _fragment(kind: str, paper: Paper, _: Paper, rng: random.Random) -> Case | None:
    drawn = _sentence(paper, rng)
    if drawn is None:
        return None
    words = drawn[0].split()
    start = rng.randrange(len(words) - 6)
    part = " ".join(words[start : start + rng.randint(5, 9)])
    places = paper.places(part)
    return Case(kind, paper.key, part, "printed", places[0]) if len(places) == 1 else None


def _uncited(kind: str, paper: Paper, _: Paper, rng: random.Random) -> Case | None:
    drawn = _sentence(paper, rng, marked=True)
    if drawn is None:
        return None
    words = re.sub(r"\s+([.,;:])", r"\1", _MARKED.sub("", drawn[0]))
    cut = MARK in words or any(words.count(one) != words.count(other) for one, other in ("()", "[]"))
    place = drawn[1].of(words)
    if cut or place is None or len(words.split()) < _WORDS[0]:
        return None
    return Case(kind, paper.key, words, "printed", place)


def _elided(kind: str, paper: Paper, _: Paper, rng: random.Random) -> Case | None:
    drawn = _sentence(paper, rng)
    words = drawn[0].split() if drawn else []
    if drawn is None or len(words) < 16:
        return None
    start = rng.randint(5, len(words) - 10)
    left_out = words[start : start + rng.randint(2, 4)]
    if re.search(
        r"\b(?:no|not|nor|only|may|might|could|without|never|less|few)\b", " ".join(left_out).casefold()
    ):
        return None  # what is left out would turn the meaning round
    text = " ".join([*words[:start], "[...]", *words[start + len(left_out) :]])
    return Case(kind, paper.key, text, "abridged", drawn[1])


def _other_page(kind: str, paper: Paper, _: Paper, rng: random.Random) -> Case | None:
    drawn = _sentence(paper, rng)
    if drawn is None or len(paper.pages) < 2:
        return None
    page = rng.choice([n for n in range(1, len(paper.pages) + 1) if n != drawn[1].page])
    return Case(kind, paper.key, drawn[0], "printed", drawn[1], page)


def _changed(kind: str, paper: Paper, words: str, place: Place) -> Case | None:
    return None if paper.prints(words) else Case(kind, paper.key, words, "not printed", place)


def _misquoted(kind: str, paper: Paper, other: Paper, rng: random.Random) -> Case | None:
    drawn = _sentence(paper, rng)
    foreign = rng.choice(other.paragraphs or [""]).split()
    if drawn is None or not foreign:
        return None
    words = drawn[0].split()
    at, new = rng.randrange(1, len(words) - 1), rng.choice(foreign).strip(".,;:()[]")
    if len(words[at]) < 5 or len(new) < 5 or MARK in new:
        return None
    return _changed(kind, paper, " ".join([*words[:at], new, *words[at + 1 :]]), drawn[1])


def _forged(kind: str, paper: Paper, _: Paper, rng: random.Random) -> Case | None:
    drawn = _sentence(paper, rng)
    if drawn is None:
        return None
    words = rng.choice((_another_number, _negated, _turned))(drawn[0], rng)
    return _changed(kind, paper, words, drawn[1]) if words and letters(words) != letters(drawn[0]) else None


def _another_number(sentence: str, rng: random.Random) -> str | None:
    digits = [match.start() for match in re.finditer(r"\d", sentence)]
    if not digits:
        return None
    at = rng.choice(digits)
    return (
        f"{sentence[:at]}{(int(sentence[at]) + rng.randint(1, 8)) % 10}{sentence[at + 1 :]}"
        if sentence[at].isascii()
        else None
    )


def _negated(sentence: str, _: random.Random) -> str | None:
    changed = re.sub(r"\b(was|were|is|are|can|did)\b", r"\1 not", sentence, count=1)
    return None if changed == sentence else changed


def _turned(sentence: str, rng: random.Random) -> str | None:
    pairs = [
        pair[::step] for pair in _TURNED for step in (1, -1) if re.search(rf"\b{pair[::step][0]}\b", sentence)
    ]
    if not pairs:
        return None
    one, other = rng.choice(pairs)
    return re.sub(rf"\b{one}\b", other, sentence, count=1)


def _absent(kind: str, paper: Paper, other: Paper, rng: random.Random) -> Case | None:
    drawn = _sentence(other, rng)
    return (
        None
        if drawn is None or paper.prints(drawn[0])
        else Case(kind, paper.key, drawn[0], "not printed", None)
    )


KINDS: dict[str, Callable[[str, Paper, Paper, random.Random], Case | None]] = {
    "verbatim": _verbatim,
    "copied": _copied,
    "fragment": _fragment,
    "uncited": _uncited,
    "elided": _elided,
    "other page": _other_page,
    "misquoted": _misquoted,
    "forged": _forged,
    "absent": _absent,
    "published": _published,
}
"""Each kind of case, and what makes one; None where this draw makes none."""


def by_kind(cases: Sequence[Case]) -> Iterator[tuple[str, list[Case]]]:
    """Return the cases of each kind."""
    for kind in KINDS:
        yield kind, [case for case in cases if case.kind == kind]
