"""What a writer may put in brackets without another meaning of what is quoted.

A note on the quote, another ending of the word that is printed there, an article, or a name for a pronoun.
All else in brackets is the writer's claim, not the paper's: a number, a unit, a direction, a doubt.
"""

from collections.abc import Sequence

from lookup.compare.differences import FACTS, difference
from lookup.compare.negation import TURNING
from lookup.results.difference import Difference
from lookup.text.regex import regex
from lookup.text.words import STOP_WORDS, words_in

_NOTES = regex(
    r"(?:sic )?(?:original )?(?:emphas[ie]s|italics|stress|bold)"
    r"(?: (?:added|ours|mine|removed|(?:is )?(?:in|of) (?:the )?original|original|supplied))?|sic"
    r"|(?:my|our|added) (?:emphasis|italics|translation)"
    r"|(?:translation|trans|transl) (?:ours|mine|by the authors?)"
    r"|hervorhebung(?: (?:hinzugefügt|im original))?"
    r"|(?:c'est nous|je|nous) (?:qui )?souligne?(?:ons)?|(?:énfasis|énfase|grifo) \w+"
)
"""What says something about the quote, and nothing within it."""

_LEFT_OUT = regex(r"(?:internal )?(?:citations?|references?|footnotes?|notes?) (?:omitted|removed)")
_MARK = regex(r"\[[^\[\]]*\d[^\[\]]*\]|\([^()]*\d[^()]*\)|\d+(?:\s?[,-]\s?\d+)*")
"""What says that a citation is left out, and what looks like one."""

_ARTICLES = frozenset("a an the der das den dem eine la les une el los las uma".split())
"""Articles that are no prefix or other word of English: "[un]" is none, nor is "[die]"."""
_PRONOUNS = frozenset(
    """
    he she it they we i you him her them us me his hers its their theirs our ours my mine your this that these
    those who which whom whose latter former er sie es wir ihn ihm ihnen diese dieser dieses il elle ils elles
    nous lui leur ce cette ces él ella ellos ellas nosotros este esta estos estas ele ela eles elas nós esse
    essa esses essas
    """.split()
)
"""Words that stand for others named before, in folded text."""
_POINTING = frozenset(
    """
    this that these those his her its their our my your such said diese dieser dieses diesen diesem ce cette
    ces este esta estos estas esse essa esses essas
    """.split()
)
"""Words that, with a noun, stand for something named before: "these plants"."""

_ALIKE = (
    frozenset("is was are were be been being am".split()),
    frozenset("has have had having".split()),
    frozenset("do does did done doing".split()),
)
"""Verbs whose forms have no stem in common."""
_ENDINGS = frozenset(["", *"s es d ed ing e n en t te ten er em y ies ied ly a o as os i".split()])
"""What may follow the stem of two forms of a word; no comparative: "er" is one only after a whole word."""
_COMPARATIVE = regex(r"(?:i?er|i?est|less|ful|n't)$")
_STEM = 4  # Letters, at least, that two forms of a word have in common: "incr" and "decr" have none.
_REFERRING = 3  # Words, at most, of what a name stands for: "these two plants".
_NAMING = 8  # Words, at most, of a name.
_NO_NAME = frozenset().union(*_ALIKE) | frozenset(
    "can could may might must shall should will would to than if when where why how".split()
)


def changed_by(inserted: str, replaced: str, before: str) -> Difference | None:
    """Return how folded words in brackets change what is printed; None if they do not.

    `replaced` are the folded words printed in their place, '' if nothing is; `before` are those quoted
    before.
    """
    words, printed = words_in(inserted), words_in(replaced)
    if words == printed or may_stand_for(inserted, replaced, before):
        return None
    kind = difference(words, printed).kind
    if kind not in FACTS:
        kind = next(filter(None, map(_fact, [*words, *printed])), "inserted")
    return Difference(kind, inserted, replaced)


def may_stand_for(inserted: str, replaced: str, before: str) -> bool:
    """Return whether folded words in brackets say the same as the words `replaced`, or add nothing."""
    words, printed = words_in(inserted), words_in(replaced)
    if not printed and _NOTES.fullmatch(" ".join(words)):
        return True
    if _LEFT_OUT.fullmatch(" ".join(words)):
        return not printed or _MARK.fullmatch(replaced.strip()) is not None
    if words == printed:
        return True
    if len(words) == len(printed) and all(map(same_stem, words, printed)):
        return not any(map(_fact, words)) or any(map(_fact, printed))
    if set(words) <= _ARTICLES:
        return set(printed) <= _ARTICLES
    if any(map(_fact, [*words, *printed])) or not _names(words):
        return False
    if printed:
        return "[" not in replaced and _refers(printed) and _keeps_noun(words, printed)
    return words[0] in _ARTICLES | _POINTING and words_in(before)[-1:] in [
        [one] for one in _PRONOUNS - _POINTING
    ]


def same_stem(one: str, other: str) -> bool:
    """Return whether two folded words are forms of one: "increase" and "increasing", "is" and "was"."""
    if any(one in forms and other in forms for forms in _ALIKE):
        return True
    stem = next(
        (i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
    )
    return stem >= _STEM and harmless_ending(one[stem:]) and harmless_ending(other[stem:])


def harmless_ending(letters: str) -> bool:
    """Return whether folded letters at the end of a word change its form alone, not what it says."""
    return letters in _ENDINGS and not _COMPARATIVE.fullmatch(letters)


def _names(words: Sequence[str]) -> bool:
    """Return whether the words may be a name of something: "the authors", "smith and jones"."""
    return (
        0 < len(words) <= _NAMING
        and len("".join(words)) > 2
        and words[-1] not in STOP_WORDS
        and (words[0] not in STOP_WORDS or words[0] in _ARTICLES | _POINTING)
        and not any(word in _NO_NAME or word.endswith("ly") for word in words)
    )


def _refers(printed: Sequence[str]) -> bool:
    """Return whether printed words stand for something named before: "they", "these plants"."""
    if len(printed) == 1:
        return printed[0] in _PRONOUNS
    if set(printed) <= _PRONOUNS | _ARTICLES:
        return len(printed) <= _REFERRING and bool(set(printed) & _PRONOUNS)
    return (
        len(printed) <= _REFERRING
        and printed[0] in _POINTING
        and not any(word in STOP_WORDS for word in printed[1:])
    )


def _keeps_noun(words: Sequence[str], printed: Sequence[str]) -> bool:
    """Return whether a name has a word of what it stands for, where that has a noun: "these plants"."""
    nouns = [word for word in printed if word not in _PRONOUNS | _POINTING | _ARTICLES]
    return not nouns or any(one == noun or same_stem(one, noun) for one in words for noun in nouns)


def _fact(word: str) -> str:
    """Return which kind of fact a folded word is; '' if it is none."""
    kind = "hedge" if TURNING.fullmatch(word) else difference([word], []).kind
    return kind if kind in FACTS else ""
