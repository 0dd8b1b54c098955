"""The word diff of a quotation and the printed words."""

import re
from collections.abc import Collection, Iterator
from difflib import SequenceMatcher
from typing import Literal, NamedTuple

from lookup.results.difference import Difference
from lookup.results.quote_answer import Match
from lookup.text.folding import blind, fold
from lookup.text.words import words_in

_KEPT = 4  # Words shown on either side of a change. Words further away are left out.
Change = tuple[int, int, int, int]  # Words `i1:i2` of the quotation that are words `j1:j2` in print.


def changes(
    quoted: list[str],
    printed: list[str],
    omitted: Collection[str] = (),
    differences: Collection[Difference] = (),
) -> Iterator[Change]:
    """Return the changes between words, compared without case, dashes, quotation marks and final punctuation.

    An ellipsis, words in brackets and what is `omitted` as a citation mark differ by the writer's right, but
    not where one of the `differences` is.
    """
    marks = {blind(fold(one)) for one in omitted}
    matcher = SequenceMatcher(
        None, [_bare(word) for word in quoted], [_bare(word) for word in printed], autojunk=False
    )
    for kind, i1, i2, j1, j2 in matcher.get_opcodes():
        said = " ".join(quoted[i1:i2])
        there = " ".join(printed[j1:j2])
        own = _OWN.fullmatch(said) or (not said and blind(fold(there)) in marks)
        wrong = own and any(
            _holds(said, one.asked) if one.asked else _holds(there, one.printed) for one in differences
        )
        if kind != "equal" and (wrong or not own):
            yield i1, i2, j1, j2


def _holds(text: str, words: str) -> bool:
    return f" {' '.join(words_in(fold(words)))} " in f" {' '.join(words_in(fold(text)))} "


class DiffPiece(NamedTuple):
    """Words of a word diff: "same" in both, "quoted" by the writer alone, or "printed" alone."""

    kind: Literal["same", "quoted", "printed"]
    text: str


def diff_pieces(
    quoted: str,
    printed: str,
    omitted: Collection[str] = (),
    differences: Collection[Difference] = (),
    *,
    whole: bool = False,
) -> Iterator[DiffPiece]:
    """Yield the words of a quotation with what is printed in place of some.

    Others far away are left out, unless it is to be `whole`.
    """
    words, right = quoted.split(), printed.split()
    at = 0
    for i1, i2, j1, j2 in changes(words, right, omitted, differences):
        if same := words[at:i1] if whole else _shortened(words[at:i1], begins=not at):
            yield DiffPiece("same", " ".join(same))
        if i2 > i1:
            yield DiffPiece("quoted", " ".join(words[i1:i2]))
        if j2 > j1:
            yield DiffPiece("printed", " ".join(right[j1:j2]))
        at = i2
    if tail := words[at:] if whole else _shortened(words[at:], ends=True):
        yield DiffPiece("same", " ".join(tail))


def word_diff(quoted: str, match: Match) -> str:
    """Return the quotation as `git diff --word-diff` shows it: [-what it says-]{+what is printed+}."""
    form = {"same": "{}", "quoted": "[-{}-]", "printed": "{{+{}+}}"}
    pieces = diff_pieces(quoted, match.quote, match.omitted, match.differences)
    return " ".join(form[one.kind].format(one.text) for one in pieces).replace("-] {+", "-]{+")


def around_pieces(marked: str) -> list[DiffPiece]:
    """Return `Match.around` in pieces: those that are not quoted are "printed" alone."""
    parts = re.split(r"\{\+(.*?)\+\}", marked, flags=re.DOTALL)
    pieces = (DiffPiece("printed" if at % 2 else "same", part.strip()) for at, part in enumerate(parts))
    return [one for one in pieces if one.text]


def _shortened(words: list[str], *, begins: bool = False, ends: bool = False) -> list[str]:
    if len(words) <= 2 * _KEPT:
        return words
    return [*([] if begins else words[:_KEPT]), "...", *([] if ends else words[-_KEPT:])]


_OWN = re.compile(r"(?:\[[^\[\]]*\]|…|\.{3,4}|\s)+")
_ENDS = re.compile(r"^[\"'(\[]+|[\"').,;:\]!?]+$")


def ends(word: str) -> tuple[int, int]:
    """Return the start and end of a word without the punctuation around it."""
    start = len(word) - len(word.lstrip(_PUNCTUATION))
    return start, max(start, len(word.rstrip(_PUNCTUATION)))


_PUNCTUATION = "\"'“”‘’().,;:!?"


def _bare(word: str) -> str:
    folded = _ENDS.sub("", fold(word))
    plain = folded if any(map(str.isdigit, folded)) else blind(folded) or folded
    return plain + "ß" * word.count("ß")  # folded, it is ss
