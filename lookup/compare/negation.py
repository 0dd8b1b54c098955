"""What a quote leaves out that denies, weakens or turns round what it quotes.

The words that do so stand in the table of words, by language (lookup/text/word_table.txt).
"""

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from lookup.compare.edges import FIRST_NUMBER
from lookup.compare.sense_words import NEGATION, Spoken, any_word, sense_words
from lookup.results.difference import Difference
from lookup.text.regex import regex
from lookup.text.scripts import WORD
from lookup.text.words import words_in, words_of

TURNING = regex(any_word(("English", "German", "French", "Spanish", "Portuguese"), "turns", "hedges"))
"""A word in folded text that weakens what is said or turns it round without a negation."""

NEGATIVE_PREFIXES = ("un", "in", "im", "il", "ir", "non", "dis", "anti", "a")
"""Prefixes that turn a word into its opposite: "significant", "insignificant"."""

_BARE = 3
"""Words under an ellipsis that are left out for what one of them says: directions and amounts count there. Of
646 honest ends and beginnings of sentences the shortest had 6 words between them (0022)."""

_CLAUSE_END = regex(rf"[.;:!?,](?!\w)|[()]|\b(?:{'|'.join(words_of('clauses'))})\b")
_FEW_WORDS = 8
"""Words under an ellipsis that are one clause, whatever commas they hold:
"is, under no circumstances, permitted"."""

_SET_OFF = regex(r"[,;:()\[\]-]")

_NEXT_TO = 2
"""Words that may stand between a negation and the quoted words that it governs: "not yet fully" effective.
The rule was set on ends and beginnings of sentences (docs/decisions/0011)."""


class LeftOut(NamedTuple):
    """Folded words of the print under an ellipsis, and those quoted right before and after them."""

    text: str
    before: str
    after: str
    spoken: Spoken

    @property
    def few(self) -> bool:
        """Whether they are one clause, whatever stands in them."""
        return len(self.text.split()) <= _FEW_WORDS

    @property
    def alone(self) -> bool:
        """Whether they are one word or sign within a clause, and no aside between two marks."""
        sides = self.before[-1:] + self.text[:1], self.text[-1:] + self.after[:1]
        few = len(WORD.findall(self.text)) <= 1 and words_in(self.text)
        return bool(few) and not all(map(_SET_OFF.search, sides))

    def search(self, form: str, *kinds: str) -> re.Match[str] | None:
        """Return where the pattern with the words of these kinds stands among those left out."""
        return sense_words(self.spoken, form, *kinds).search(self.text)


def dropped_denials(left: LeftOut) -> list[Difference]:
    """Return what denies, weakens or turns round the words quoted on either side of those left out.

    A word does so if it stands next to them, if little else is left out, or if no clause ends between it and
    the words on both sides. A clause that is left out as a whole does not change the rest. A hedge weakens
    only what it stands before, and a direction or an amount counts where hardly another word is left out.
    """
    text = left.text
    found = [Difference("hedge", "", match.group().strip()) for match in filter(None, _next_to(left))]
    found += _parted(left)
    for kind, words in (("negation", "denies"), ("hedge", "turns"), ("hedge", "hedges")):
        matches = sense_words(left.spoken, "{}", words).finditer(text)
        found += [
            Difference(kind, "", match.group())
            for match in matches
            if left.few or _governs(text[: match.start()], text[match.end() :], words)
        ]
    if len(text.split()) <= _BARE:
        bare = sense_words(left.spoken, "{}", "directions", "amounts").finditer(text)
        found += [Difference("comparison", "", match.group()) for match in bare]
    if not found and left.alone:  # of whatever language: no list has all that a word may say
        found.append(Difference("negation" if NEGATION.fullmatch(text) else "dropped", "", text))
    return found


_BOTH = regex(r"(?:with|avec|con|com|mit|met) or$")  # "with or without" says nothing.


def _governs(before: str, after: str, words: str) -> bool:
    """Return whether a word of a kind governs quoted words, by what is left out before and after it."""
    if words == "hedges":
        return not after.split()
    if _BOTH.search(before.rstrip()):
        return False
    away = min(len(before.split()), len(after.split()))
    return away <= _NEXT_TO or not (_CLAUSE_END.search(before) or _CLAUSE_END.search(after))


_CONDITION = regex(r"\b(?:if|unless|provided that)\W*$|^,\s?(?:only )?provid(?:ed|ing)\b")
_SEEMS = regex(
    r"\b(?:seem(?:s|ed)?|appear(?:s|ed)?|tend(?:s|ed)?)(?:\sto)?(?:\sbe)?\W*$"
    r"|^\W*(?:seem(?:s|ed)?|appear(?:s|ed)?|tend(?:s|ed)?)\b(?!\s(?:in|on|at|from|after|before|within)\b)"
    r"|\b(?:thought|believed|suggest(?:s|ed|ing)?|assumed)(?:\s(?:to(?:\sbe)?|that))?\W*$"
    r"|\b(?:considered|likely)\sto(?:\sbe)?\W*$"
    r"|\b(?:tr(?:y|ied|ies|ying)|attempt\w*|aim\w*|intend\w*)\s(?:in vain\s)?to\W*$"
)
"""Conditions and hedges next to the quoted words."""

_IS = regex(rf"\b(?:{'|'.join(words_of('is'))})$")
_NO_AGENT = regex(r"[^\W\d_]+ing\b")  # "by using" says how, not who did it.
_WHOSE = r"^\W*(?:whose|whom|dessen|deren|dont|cuy[oa]s?|cuj[oa]s?|котор(?:ого|ой|ых|ому)|wiens|vars)\b[^,]*$"
_SUBJECT = regex(_WHOSE)
_EXCEPTION = regex(r"^\W*but\s(?!also\b|rather\b)(?:\S+\s?){1,3}$")
_ALL = regex(r"\b(?:all|every|everyone|everything|each|any|anyone|no|none|nobody|nothing)\b")


def _next_to(left: LeftOut) -> Iterator[re.Match[str] | None]:
    """Yield what conditions, weakens or judges the words next to those left out, or exchanges who did it."""
    yield left.search(r"^(?:\W*only\s|,\s?){}", "conditions")
    if "English" in left.spoken or "German" in left.spoken:  # needs no comma, and is no pronoun
        yield left.search(r"^\W*{}", "conditions")
    yield left.search(r"^\W*,\s?{}", "sources")
    yield left.search(r"{}\W*$", "judges")
    yield _CONDITION.search(left.text)
    yield _SEEMS.search(left.text)
    yield _SUBJECT.search(left.text)
    if _IS.search(left.before) and not _NO_AGENT.match(left.after):
        yield left.search(r"^[^,;:]*{}$", "by")
    if _ALL.search(left.before):
        yield _EXCEPTION.search(left.text)
    if _IS.search(left.before):
        yield _IS.search(left.text)  # of another subject: "is safe because the dose is" low
    if FIRST_NUMBER.match(left.after):
        yield left.search(r"{}\W*$", "bounds")


_BOUND = regex(r"(?:[^\W\d_]+er|more|less|other|better|worse)\s$")
_NUMBER = regex(r"\s+(?:\d|an?\b|one\b|two\b|three\b|half\b)")
"""What stands around the "than" of a bound, which compares nothing: "for more than a century"."""

_THAT = regex(r"\b(?:de|para|por|con|com|en|em|sin|sem|hasta|até|desde|afin|\w+ndo)\s$")
"""What makes "that" of a Romance word for "than", before it: "con el fin de que"."""

_NEAR_AFTER = 5  # Words that are left out, at most, between a "than" and what it compares with.
_NEAR_BEFORE = 1  # The same between the quoted words and a "than" whose other side is left out.
_SHORT_WORDS = (
    r"(?:\s[^\W\d_]{1,3})*\s?$"  # A comparison or pair at the end of a piece, without an object yet.
)
_JOINED_BEFORE = r"\d[\d.,]*(?:\s[^\W\d_]{1,3})?\s?(?:{}|-)\s?$"
_JOINED_AFTER = r"^(?:{}|-)\s?\d"
_QUANTITY = regex(r"\d(?:\s?(?:%|[^\W\d_]{1,3}))?$")
"""A number that is joined to what follows, and to what stands before: of "21 to 25" each is one end."""

_BOTH_OF = regex(
    r"(?:[^\W\d_]{1,3}\s)?(?:two|three|both|2|3|zwei|drei|beiden|deux|trois|dos|tres|ambos|dois|due|två|twee)\b"
)
"""What begins both sides of a pair: "between the" two groups, and in the third of them."""

_PREFERS = regex(r"\b(?:prefer|préfér|favou?r|chose|choos|bevorzug|предпоч|предпочит)\w*\b")
_OVER = regex(r"\b(?:to|over|instead\sof|rather\sthan|à|aux?|a|al|alla|ai|agli)(?:\s(?:the|an?))?$")
"""A preference, and what stands before what is liked less."""


def _parted(left: LeftOut) -> Iterator[Difference]:
    """Yield what words left out part from those quoted: a side of a comparison, a number of several."""
    for language in left.spoken:
        yield from _compared(left._replace(spoken=(language,)))
    match = sense_words(left.spoken, "{}" + _SHORT_WORDS, "compares").search(left.before)
    if match and not left.after.startswith(","):
        yield Difference("comparison", match.group(), left.text)
    pair = sense_words(left.spoken, "{}" + _SHORT_WORDS, "between").search(left.before)
    if pair and left.search("{}", "also") and not _BOTH_OF.match(left.text):
        yield Difference("comparison", pair.group(), left.text)
    if _PREFERS.search(left.before) and (over := _OVER.search(left.text)):
        yield Difference("comparison", "", over.group())
    joined = left.search(_JOINED_BEFORE, "also", "until") if left.after[:1].isdigit() else None
    if not joined and _QUANTITY.search(left.before):
        joined = left.search(_JOINED_AFTER, "also", "until")
    if joined:
        yield Difference("number", "", joined.group().strip())


def _compared(left: LeftOut) -> Iterator[Difference]:
    """Yield what joins a side of a comparison, in the one language spoken, to words left out.

    It does so in few words, or near the quoted ones; a bound compares nothing ("more than a century").
    """
    matches = list(sense_words(left.spoken, "{}", "compares").finditer(left.text)) if left.after else []
    degrees = sense_words(left.spoken, r"{}[^,;:]*$", "degrees")
    for than in sense_words(left.spoken, "{}", "than").finditer(left.text) if left.after else ():
        before = f"{left.before} {left.text[: than.start()]}"
        if degrees.search(before) and not _THAT.search(before):
            matches.append(than)
    for match in matches:
        before, after = left.text[: match.start()], left.text[match.end() :].removeprefix(" that")
        bound = _BOUND.search(before) and _NUMBER.match(after)
        most = 1 if match.group() in ("versus", "vs") else _NEAR_AFTER
        near = len(after.split()) <= most or len(before.split()) <= _NEAR_BEFORE
        if not bound and (near or (left.few and most > 1)) and not _CLAUSE_END.search(after):
            yield Difference("comparison", "", match.group())


_NEGATIVE = regex(
    r"(?:un(?!der|til|ion|i[tqvfc]|c[lt]|gef|ter|mit)|non-?|in|im|il|ir|dis|des|o|a|не)([^\W\d_]{4,})"
)
_ENGLISH_ADJECTIVE = regex(
    r"\w*(?:[ai]ble|[ae]nt|i[vf]e|ous|al|ate|ar|ful|ic|ed|pure|plete|exact|rect|cure|ature|est|ive|ite|ly)"
)
_ADJECTIVE = regex(
    r"\w*(?:[ai]ble|[ae]nt|i[vf]e|ous|a[tl]e?|ar|ful|ic|[ct]ed|pure|plete|exact|rect|[ao]s?|es?|ый|ая|ое|ые|ых|ой|bar"
    r"|lich|ig|sam)e?[nrms]?"
)
_NO_NEGATIVE = regex(
    r"im(?:pro|pr|pl|pa)\w*|in(?:form|ten|v|st|sp|hal|deed|puts?|comes?|side)\w*|dis(?:c|t|p)\w*"
)
_NEGATIVE_STEMS = regex(rf"(?:in|im|il|ir)(?:{'|'.join(words_of('stems'))})\w*|nicht\w+")


def negative(word: str, is_word: Callable[[str], bool], spoken: Spoken) -> bool:
    """Return whether a folded word is another one with a prefix that turns it into its opposite."""
    if _NEGATIVE_STEMS.fullmatch(word):
        return True
    found = _NEGATIVE.fullmatch(word)
    if found is None or _NO_NEGATIVE.fullmatch(word):
        return False
    alone = word.startswith(("un", "не")) and word.endswith(("ed", "able", *_PARTICIPLES))
    english = spoken == ("English",) and not word.startswith(("un", "non"))
    adjective = _ENGLISH_ADJECTIVE if english else _ADJECTIVE
    return alone or (adjective.fullmatch(found[1]) is not None and is_word(found[1]))


_PARTICIPLES = ("te", "ten", "ter", "tem", "ные", "ный", "ная", "ное", "ных", "ной", "ны")
