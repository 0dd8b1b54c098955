"""Name what differs between the words of a query and the printed words, by what it does to the meaning."""

from collections.abc import Callable, Collection, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple
from unicodedata import normalize

from lookup.compare.checks import CHECKS, Compared, first_found, other_gaps, other_parts
from lookup.compare.letters import Letters
from lookup.compare.negation import NEGATIVE_PREFIXES
from lookup.compare.sense_words import NEGATION
from lookup.results.difference import Difference
from lookup.text.regex import regex
from lookup.text.words import UNITS, WORDS_TOO, slips, spans, words_of

FACTS = ("number", "sign", "comparison", "negation", "hedge", "unit", "case")
"""Kinds of difference that change a fact, in the order in which they are named, before all others."""

_NUMBERS = frozenset(words_of("cardinals", "tens", "scales", "amounts"))
_TYPED_FOR = (("u", "μ"), ("x", "×"), ("ss", "β"))
_COMPARING = frozenset(words_of("comparing"))


def difference(
    asked: Sequence[str], printed: Sequence[str], known: Callable[[str], bool] = bool
) -> Difference:
    """Return the difference between the words `asked` and the words `printed`; one side may be empty.

    `known` tells whether the paper has a word: such a word is another one, not a misread one.
    """
    return Difference(_kind(asked, printed, known), " ".join(asked), " ".join(printed))


def facts_first(differences: Sequence[Difference]) -> tuple[Difference, ...]:
    """Return the differences: those that change a fact first, else in the order of the text."""
    rank = {kind: i for i, kind in enumerate(FACTS)}
    return tuple(sorted(differences, key=lambda each: rank.get(each.kind, len(FACTS))))


def _kind(asked: Sequence[str], printed: Sequence[str], known: Callable[[str], bool]) -> str:
    one, other = set(asked) - set(printed), set(printed) - set(asked)
    if {word.replace("·", ".") for word in one} == {word.replace("·", ".") for word in other}:
        return "form"  # of a decimal point
    either = one | other
    numbered = any(map(str.isdigit, "".join(other))) or any(_NUMBERED.search(word) for word in one)
    if numbered or either & _NUMBERS:  # "re5pectively" is a misread word
        return "number"
    if either & set("-+±") or any(one.replace(*typed) in other for one in one for typed in _TYPED_FOR):
        return "sign"
    if either & set("<>=~≤≥≈≠"):
        return "comparison"
    if _denies(one) != _denies(other) or _opposite(asked, printed):
        return "negation"
    if "".join(asked) != "".join(printed):
        if either & _COMPARING:
            return "comparison"
        if _measures(one, other):
            return "unit"
    return _form("".join(asked), "".join(printed), len(asked), len(printed), known)


def _form(one: str, other: str, words: int, others: int, known: Callable[[str], bool]) -> str:
    if not one or not other:
        return "added" if one else "dropped"
    if words != others and one == other:
        return "split" if words > others else "merged"
    if words == others == 1 and one != other and _modern(one, other) == _modern(other, one):
        return "historical"
    if words == 1 and known(one):
        return "changed"
    from rapidfuzz.distance import Levenshtein  # words that are printed do without  # noqa: PLC0415

    if Levenshtein.distance(one, other) > max(1, slips(other)):
        return "changed"
    return "spelling"


_MODERN = (("vv", "w"), ("v", "u"), ("j", "i"), ("æ", "ae"), ("œ", "oe"))
_TILDE = "\u0303"


def _modern(word: str, other: str) -> str:
    """Return a folded word with one letter for those that printers of old did not tell from those of another.

    A tilde stands for an n or m; where neither has one, these are two letters.
    """
    for old, new in _MODERN:
        word = word.replace(old, new)
    if _TILDE in normalize("NFD", word + other):
        word = normalize("NFD", word).replace(_TILDE, "n").replace("nn", "n").replace("m", "n")
    return word


_NUMBERED = regex(r"^\d+(?![^\W\d_]{2})|\d$")
"""A number, or a word with a number at its end, as in "co2"."""


def _measures(one: AbstractSet[str], other: AbstractSet[str]) -> bool:
    """Return whether the words that differ hold a unit.

    A letter or an ordinary word is a unit only in the place of another unit.
    """
    if one & UNITS and other & UNITS:
        return True
    units = (one | other) & UNITS - WORDS_TOO
    return any(len(word) > 1 or not word.isalpha() for word in units)


def _denies(words: Collection[str]) -> bool:
    return any(map(_is_denial, words))


@lru_cache(4096)
def _is_denial(word: str) -> bool:
    return word == "non" or NEGATION.fullmatch(word) is not None


def _opposite(one: Sequence[str], other: Sequence[str]) -> bool:
    """Return whether one word is the other with a negative prefix."""
    if len(one) != 1 or len(other) != 1:
        return False
    short, long = sorted((one[0], other[0]), key=len)
    return len(short) >= 4 and any(long == prefix + short for prefix in NEGATIVE_PREFIXES)


def other_words(both: Compared) -> list[Difference]:
    """Return what differs, in the order of the text: what the checks say where the letters are the same.

    Words that stand on one side only are named one by one. One that is added in one place and dropped in
    another was moved, unless it is a fact; the print around it tells whither.
    """
    asked, printed = _Words(both.asked), _Words(both.printed)
    blocks = align(asked.words, printed.words)
    parts = asked.parts([one.asked for one in blocks]), printed.parts([one.printed for one in blocks])
    found: list[Difference] = []
    around: list[tuple[Difference, str]] = []
    for block, one, other in zip(blocks, *parts, strict=True):
        words, others = asked.words[slice(*block.asked)], printed.words[slice(*block.printed)]
        if not words or not others:
            found += [difference([word], []) for word in words]
            for at, word in enumerate(others, block.printed[0]):
                found.append(difference([], [word]))
                around.append((found[-1], printed.around(at)))
        elif block.same or (one.chars and one.chars == other.chars and not list(other_gaps(one, other))):
            found += other_parts(one, other)
            found += first_found(CHECKS[1:], both._replace(asked=one, printed=other, after=""))
        else:
            found.append(replace(difference(words, others, both.known), printed=other.text))
    for added in [one for one in found if one.kind == "added"]:
        here = (one for one in around if one[0].kind == "dropped" and one[0].printed == added.asked)
        if (moved := next(here, None)) is not None:
            around.remove(moved)
            found.remove(added)
            found[found.index(moved[0])] = Difference("moved", added.asked, moved[1])
    return found


class _Words:
    """The words of one side, and where they stand in its text."""

    def __init__(self, side: Letters) -> None:
        self._side, self._text = side, side.text
        self._spans = spans(self._text)
        self.words = [self._text[start:end] for start, end in self._spans]

    def parts(self, blocks: Sequence[tuple[int, int]]) -> Iterator[Letters]:
        """Yield the letters of blocks of words; those of an empty block have none."""
        return self._side.parts(self._extent(*block) for block in blocks)

    def around(self, at: int) -> str:
        """Return the text of the word `at` with those before and after it."""
        return self._text[slice(*self._extent(max(at - 1, 0), min(at + 2, len(self.words))))]

    def _extent(self, begin: int, end: int) -> tuple[int, int]:
        return (self._spans[begin][0], self._spans[end - 1][1]) if begin < end else (0, 0)


_LARGEST_BLOCK = 400
"""Pairs of words that are compared within one changed block; a larger one is taken as it is."""

_ALIKE = 0.5
"""Likeness (1 less the share of letters to change) from which one word may stand in the place of another."""

_JOINED = 0.8  # Likeness from which several words may stand for one.

_ALONE = 0.6
"""Cost of a word that stands on one side only, where a word in the place of an unlike one costs 1."""


class AlignedBlock(NamedTuple):
    """Words `asked[0]:asked[1]` of the query and the printed words `printed[0]:printed[1]` in their place.

    The printed words may be others, or none.
    """

    asked: tuple[int, int]
    printed: tuple[int, int]
    same: bool


def align(asked: Sequence[str], printed: Sequence[str]) -> list[AlignedBlock]:
    """Return blocks that cover both in order, those that differ as small as they can be.

    Levenshtein's opcodes over words; each changed block is then aligned again by the likeness of its words,
    in which two words may stand for one.
    """
    from rapidfuzz.distance import Levenshtein  # words that are printed do without  # noqa: PLC0415

    blocks: list[AlignedBlock] = []
    changed: tuple[int, int] | None = None
    codes = Levenshtein.opcodes(asked, printed)
    for code in codes:
        if code.tag == "equal":
            if changed:
                blocks += _refined(
                    asked, printed, (changed[0], code.src_start), (changed[1], code.dest_start)
                )
                changed = None
            blocks.append(
                AlignedBlock((code.src_start, code.src_end), (code.dest_start, code.dest_end), same=True)
            )
        elif changed is None:
            changed = code.src_start, code.dest_start
    if changed:
        blocks += _refined(asked, printed, (changed[0], len(asked)), (changed[1], len(printed)))
    return blocks


def trimmed(asked: Sequence[str], printed: Sequence[str], blocks: list[AlignedBlock]) -> list[AlignedBlock]:
    """Return the blocks without printed words before the first and after the last that stand for something.

    Where a run of words at an end is also printed next to the rest of the match, it is taken there.
    """
    kept = list(blocks)
    while kept and kept[0].asked[0] == kept[0].asked[1]:
        kept.pop(0)
    while kept and kept[-1].asked[0] == kept[-1].asked[1]:
        kept.pop()
    return _closed_up(asked, printed, kept)


def _closed_up(
    asked: Sequence[str], printed: Sequence[str], blocks: list[AlignedBlock]
) -> list[AlignedBlock]:
    """Return the blocks, a run of words at an end moved to the rest if it is printed there too."""
    same = [at for at, block in enumerate(blocks) if block.same]
    if len(same) > 1 and same[0] == 0 and same[1] > 1:
        (first, last), after = blocks[0].asked, blocks[same[1]]
        begin = after.printed[0] - (last - first)
        if begin > blocks[0].printed[0] and list(printed[begin : after.printed[0]]) == list(
            asked[first:last]
        ):
            moved = AlignedBlock((first, last), (begin, after.printed[0]), same=True)
            added = AlignedBlock((last, after.asked[0]), (after.printed[0], after.printed[0]), same=False)
            blocks = [moved, *([added] if last < after.asked[0] else []), *blocks[same[1] :]]
    same = [at for at, block in enumerate(blocks) if block.same]
    if len(same) > 1 and same[-1] == len(blocks) - 1 and same[-2] < len(blocks) - 2:
        (first, last), before = blocks[-1].asked, blocks[same[-2]]
        end = before.printed[1] + (last - first)
        if end < blocks[-1].printed[1] and list(printed[before.printed[1] : end]) == list(asked[first:last]):
            added = AlignedBlock((before.asked[1], first), (before.printed[1], before.printed[1]), same=False)
            moved = AlignedBlock((first, last), (before.printed[1], end), same=True)
            blocks = [*blocks[: same[-2] + 1], *([added] if before.asked[1] < first else []), moved]
    return blocks


def _refined(
    asked: Sequence[str], printed: Sequence[str], source: tuple[int, int], target: tuple[int, int]
) -> list[AlignedBlock]:
    """Return a changed block in its smallest parts, by dynamic programming over the likeness of words."""
    left, right = asked[slice(*source)], printed[slice(*target)]
    if not left or not right or len(left) * len(right) > _LARGEST_BLOCK:
        return [AlignedBlock(source, target, same=False)]

    from rapidfuzz.distance.Levenshtein import normalized_similarity  # noqa: PLC0415

    # The least cost from a word of each on, and how many words of each its first step takes.
    best = {(len(left), len(right)): (0.0, 0, 0)}
    letters, others = ([0, *accumulate(map(len, words))] for words in (left, right))
    for i in range(len(left), -1, -1):
        for j in range(len(right), -1, -1):
            steps = [(_ALONE + best[i + m, j + n][0], m, n) for m, n in _ONE if (i + m, j + n) in best]
            for m, n in _TOGETHER:
                if (i + m, j + n) not in best:
                    continue
                size, other = letters[i + m] - letters[i], others[j + n] - others[j]
                if m == n or min(size, other) >= _JOINED * max(size, other):  # else they are not so alike
                    likeness = normalized_similarity("".join(left[i : i + m]), "".join(right[j : j + n]))
                    if m == n or likeness >= _JOINED:
                        cost = 1.0 if likeness < _ALIKE else (1 if m == n else 1.05) - likeness
                        steps.append((cost + best[i + m, j + n][0], m, n))
            if steps:
                best[i, j] = min(steps)
    blocks = []
    i = j = 0
    while i < len(left) or j < len(right):
        _, m, n = best[i, j]
        same = list(left[i : i + m]) == list(right[j : j + n])
        span = (source[0] + i, source[0] + i + m), (target[0] + j, target[0] + j + n)
        blocks.append(AlignedBlock(*span, same=same))
        i, j = i + m, j + n
    return blocks


_ONE = ((1, 0), (0, 1))
_TOGETHER = ((1, 1), (2, 1), (1, 2), (3, 1), (1, 3))
