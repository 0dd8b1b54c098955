"""What a writer may put in brackets without another meaning of what is quoted.

A note on the quote, another ending of the word that is printed there, an article, or a name for a pronoun.
All else in brackets is the writer's claim, not the paper's: a number, a unit, a direction, a doubt.
"""

from collections.abc import Sequence

from lookup.compare.differences import FACTS, difference
from lookup.compare.negation import TURNING
from lookup.compare.sense_words import NOTES, Spoken
from lookup.results.difference import Difference
from lookup.text.regex import regex
from lookup.text.words import STOP_WORDS, WORD_TABLE, words_in, words_of

_NOTES = regex(NOTES)
"""What says something about the quote, and nothing within it."""

_LEFT_OUT = regex(r"(?:internal )?(?:citations?|references?|footnotes?|notes?) (?:omitted|removed)")
_MARK = regex(r"\[[^\[\]]*\d[^\[\]]*\]|\([^()]*\d[^()]*\)|\d+(?:\s?[,-]\s?\d+)*")
"""What says that a citation is left out, and what looks like one."""

_ARTICLES, _PRONOUNS, _POINTING = (frozenset(words_of(kind)) for kind in ("articles", "pronouns", "pointing"))
"""Articles that are no prefix or other word of English ("[un]" is none, nor is "[die]"); words that stand for
others named before, alone and with a noun; in folded text."""

_PERSONS = {
    one: others.split("/") for one, _, others in (pair.partition("=") for pair in words_of("persons"))
}
"""The pronouns of a writer who speaks, or is spoken to, and those by which another one reports it."""

_ALIKE = tuple(frozenset(verb.split("/")) for verb in words_of("verbs"))
"""Verbs whose forms have no stem in common."""
_ENDINGS = {
    language: frozenset(["", *WORD_TABLE[language]["endings"].split()])
    for language in WORD_TABLE
    if "endings" in WORD_TABLE[language]
}
"""What may follow the stem of two forms of a word, by language."""
_COMPARATIVE = regex(r"(?:i?er|i?est|less|ful|n't)$")
_OF_STEMS = {"d": ("e",), "es": ("s", "x", "z", "ch", "sh", "o")}
"""Endings of English that only such stems take: "increase[d]", "class[es]"."""
_TOLD = 4  # Languages, at most, of which a text may be that is told to be of some.
_STEM = 4  # Letters, at least, that two forms of a word have in common: "incr" and "decr" have none.
_REFERRING = 3  # Words, at most, of what a name stands for: "these two plants".
_NAMING = 8  # Words, at most, of a name.
_NO_NAME = frozenset(words_of("no_naming")).union(*_ALIKE)


def changed_by(inserted: str, replaced: str, before: str, spoken: Spoken) -> Difference | None:
    """Return how folded words in brackets change what is printed; None if they do not.

    `replaced` are the folded words printed in their place, '' if nothing is; `before` are those quoted
    before, and `spoken` the languages that the quote may be of.
    """
    words, printed = words_in(inserted), words_in(replaced)
    if words == printed or may_stand_for(inserted, replaced, before, spoken):
        return None
    kind = difference(words, printed).kind
    if kind not in FACTS:
        kind = next(filter(None, map(_fact, [*words, *printed])), "inserted")
    return Difference(kind, inserted, replaced)


def grouped(inserted: Sequence[str]) -> list[str]:
    """Return the words of brackets that stand side by side, in one, but for notes: "[towns] [have]"."""
    if len(inserted) < 2 or any(_NOTES.fullmatch(" ".join(words_in(one))) for one in inserted):
        return list(inserted)
    return [" ".join(inserted)]


def may_stand_for(inserted: str, replaced: str, before: str, spoken: Spoken = ()) -> bool:
    """Return whether folded words in brackets say the same as the words `replaced`, or add nothing."""
    words, printed = words_in(inserted), words_in(replaced)
    if not printed and (words == ["that"] or _NOTES.fullmatch(" ".join(words))):
        return True
    if _LEFT_OUT.fullmatch(" ".join(words)):
        return not printed or _MARK.fullmatch(replaced.strip()) is not None
    if words == printed:
        return True
    if len(words) == len(printed) and all(
        same_stem(one, other, spoken) or one in _PERSONS.get(other, ())
        for one, other in zip(words, printed, strict=True)
    ):
        return not any(map(_fact, words)) or any(map(_fact, printed))
    if _other_tense(words, printed) or _other_tense(printed, words):
        return True
    if set(words) <= _ARTICLES:
        return set(printed) <= _ARTICLES
    if any(map(_fact, [*words, *printed])) or not _names(words):
        return False
    if printed:
        return "[" not in replaced and _refers(printed) and _keeps_noun(words, printed, spoken)
    return words[0] in _ARTICLES | _POINTING and words_in(before)[-1:] in [
        [one] for one in _PRONOUNS - _POINTING
    ]


_ENGLISH_ENDING = regex(r"(?:ied|ed|ying|ing|ies|es|s|y)$")


def _other_tense(words: Sequence[str], others: Sequence[str]) -> bool:
    """Return whether an English verb says in one tense what another says in two words: tried, were trying."""
    if len(words) != 1 or len(others) != 2 or not any(others[0] in forms for forms in _ALIKE[:2]):
        return False
    participle = "ing" if others[0] in _ALIKE[0] else "ed"
    stems = [_ENGLISH_ENDING.sub("", one) for one in (words[0], others[1])]
    return others[1].endswith(participle) and stems[0] == stems[1] and len(stems[0]) > 1


def same_stem(one: str, other: str, spoken: Spoken) -> bool:
    """Return whether two folded words are forms of one: "increase" and "increasing", "is" and "was"."""
    if any(one in forms and other in forms for forms in _ALIKE):
        return True
    stem = next(
        (i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
    )
    return stem >= _STEM and all(
        harmless_ending(word[:stem], word[stem:], spoken, beside=beside[stem:])
        for word, beside in ((one, other), (other, one))
    )


def harmless_ending(stem: str, letters: str, spoken: Spoken, beside: str = "") -> bool:
    """Return whether folded letters after a stem change the form of a word alone, not what it says.

    So they do in each language that the text may be of, in English where that is not told; `beside` is the
    ending that stands there otherwise.
    """
    if _COMPARATIVE.fullmatch(letters):
        return False
    told = len(spoken) <= _TOLD and [one for one in spoken if one in _ENDINGS]
    languages = told or ["English"]
    if "English" in languages and (
        (letters == "y" and beside not in ("ies", "ied"))
        or (letters == "es" and beside == "s")
        or not stem.endswith(_OF_STEMS.get(letters, ""))
    ):
        return False
    return all(letters in _ENDINGS[one] for one in languages)


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


def _keeps_noun(words: Sequence[str], printed: Sequence[str], spoken: Spoken) -> bool:
    """Return whether a name has a word of what it stands for, where that has a noun: "these plants"."""
    nouns = [word for word in printed if word not in _PRONOUNS | _POINTING | _ARTICLES]
    return not nouns or any(one == noun or same_stem(one, noun, spoken) for one in words for noun in nouns)


def _fact(word: str) -> str:
    """Return which kind of fact a folded word is; '' if it is none."""
    kind = "hedge" if TURNING.fullmatch(word) else difference([word], []).kind
    return kind if kind in FACTS else ""
