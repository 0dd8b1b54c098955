"""Words that deny, weaken or turn round a statement, and when leaving them out does so."""

import re
from collections.abc import Iterable

from lookup.results.quote_answer import Difference

NEGATION = re.compile(
    r"\b(?:not(?!\s+only\b)|no(?!\.|\s+(?:less|more)\s+than\b)|never|none|nor|neither|cannot|without|hardly"
    r"|scarcely|barely|rarely|seldom|nothing|nobody|nowhere|nicht|kein\w{0,2}|nie|niemals|ohne|não|nunca"
    r"|jamais|nenhuma?|ningun[oa]?|[^\W\d_]+n't)\b"
)
"""A negation in folded text; "not only", "no more than" and "no. 5" are not negations."""

NEGATIVE_PREFIXES = ("un", "in", "im", "il", "ir", "non", "dis", "anti", "a")
"""Prefixes that turn a word into its opposite: "significant", "insignificant"."""

_BEFORE = re.compile(r"\b(?:not|never|cannot)\s$")
_AFTER = re.compile(r"\s(?:not|never)\b(?!\s+only\b)")
"""Negations right before and after a quote that turn its meaning round."""
_HEDGES = {
    "English": r"may might could perhaps possibly probably presumably only (?<!\ba\s)little less fewer"
    r" (?<!\ba\s)(?<!\bfirst\s)(?<!\blast\s)few",
    "German": r"könnten? möglicherweise vielleicht vermutlich wahrscheinlich nur",
    "French": r"peut-être pourrai\w+ probablement éventuellement seulement",
    "Spanish": r"quizás? podrían? probablemente posiblemente solo sólo",
    "Portuguese": r"talvez poderiam? provavelmente possivelmente apenas",
}
"""Words that weaken what they stand beside, in folded text."""

_REVERSALS = {
    "English": r"fail(?:s|ed|ing)? unable inability unlikely unlike prevent(?:s|ed|ing)? inhibit(?:s|ed|ing)?"
    r" suppress(?:es|ed|ing)? abolish(?:es|ed)? absent absence lack(?:s|ed|ing)? rather\s+than instead\s+of"
    r" other\s+than except no\s+longer contrary (?:(?<=\bthe\s)|(?<=\ban\s)|^)(?:opposite|reverse)"
    r" (?:opposite|reverse)(?=\s+(?:of|to)\b|$) falsely wrongly incorrectly erroneously"
    r" untrue false refut\w+ reject(?:s|ed) disprov\w+ contradict\w* den(?:y|ies|ied) avoid(?:s|ed)"
    r" whether hypothesi[sz]e[sd]? speculat\w+ supposed(?:ly)? suppos(?:es?|ing) alleg\w+ purport\w*"
    r" claim(?:s|ed)? seemingly apparently unclear unknown uncertain unproven doubt\w* questionable",
    "German": r"statt anstelle außer verhinder\w+ hemmt\w* fehl(?:t|en|te|ten) unmöglich gegenteil falsch ob"
    r" angeblich hypothese fraglich",
    "French": r"pas sans aucune? sauf empêch\w+ absence contraire faux hypothèse prétendu\w*",
    "Spanish": r"sin ningún tampoco salvo excepto impid\w+ ausencia falta contrario falso hipótesis"
    r" supuest\w+",
    "Portuguese": r"sem nem exceto impede\w* ausência falta contrário falso hipótese supost\w+",
}
"""Words that turn round what they govern, or say it only of what somebody holds, in folded text."""


def _any_of(words: Iterable[str]) -> str:
    return "|".join(" ".join(words).split())


TURNING = re.compile(rf"\b(?:(?P<hedge>{_any_of(_HEDGES.values())})|{_any_of(_REVERSALS.values())})\b")
"""A word in folded text that weakens what is said or turns it round without a negation."""

_TURNING_IN_ENGLISH = re.compile(_any_of([_HEDGES["English"], _REVERSALS["English"]]))

_ENGLISH = re.compile(r"\b(?:the|of|and|were|with|that|is|are|by)\b")
"""Words by which a text is English: in it "sem" is a microscope, and not the Portuguese "without"."""

_DIRECTIONS = re.compile(
    r"\b(?:increas\w+|decreas\w+|reduc\w+|enhanc\w+|rais\w+|lower\w*|higher|greater|smaller|more|worse\w*|better"
    r"|improv\w+|declin\w+|elevat\w+|diminish\w+|attenuat\w+|loss|gain|before|after|above|below|positive\w*"
    r"|negative\w*)\b"
)
"""A word in folded text that says in which direction something goes."""

_BARE = 3
"""Words under an ellipsis that are left out for what one of them says: a direction counts there. Honest ones
leave out more: of 646 ends and beginnings of sentences the shortest had 6 words between them (0022)."""

_CLAUSE_END = re.compile(
    r"[.;:!?,()](?!\d)|\b(?:and|but|or|so|because|which|that|who|whom|whose|while|whereas|although|though"
    r"|when|where|if|since|as|than|unless|until|und|oder|aber|dass|weil|et|mais|qui|que|y|e|ou|mas|pero)\b"
)
_LONGEST_NEGATION = 10
"""Characters before a quote that are looked at for a negation: "cannot " has 7."""

_FEW_WORDS = 8
"""Words under an ellipsis that are one clause, whatever commas they hold:
"is, under no circumstances, permitted"."""

_NEXT_TO = 2
"""Words that may stand between a negation and the quoted words that it governs: "not yet fully" effective.
The rule was set on ends and beginnings of sentences (docs/decisions/0011)."""


def cut_negations(before: str, after: str) -> list[str]:
    """Return the negations that a quote cuts off, by the folded print before and after it.

    "was" ends right before the "not" of "was not seen"; "seen" begins right after it.
    """
    found = [_BEFORE.search(before[-_LONGEST_NEGATION:]), _AFTER.match(after)]
    return [match.group().strip() for match in found if match]


def dropped_denials(left_out: str, quoted: str) -> list[Difference]:
    """Return what denies, weakens or turns round the folded words `quoted` on either side of those left out.

    A word does so if it stands next to them, if little else is left out, or if no clause ends between it and
    the words on both sides. A clause that is left out as a whole does not change the rest. A hedge weakens
    only what it stands beside, and a direction counts where hardly another word is left out.
    """
    words = len(left_out.split())
    few = words <= _FEW_WORDS
    bare = _DIRECTIONS.finditer(left_out) if words <= _BARE else ()
    found = [Difference("comparison", "", match.group()) for match in bare]
    english = _ENGLISH.search(f"{quoted} {left_out}")
    for kind, pattern in (("negation", NEGATION), ("hedge", TURNING)):
        for match in pattern.finditer(left_out):
            if english and kind == "hedge" and not _TURNING_IN_ENGLISH.fullmatch(match.group()):
                continue
            before, after = left_out[: match.start()], left_out[match.end() :]
            away = min(len(before.split()), len(after.split()))
            if kind == "hedge" and match["hedge"]:
                governs = away == 0
            else:
                within = not _CLAUSE_END.search(before) and not _CLAUSE_END.search(after)
                governs = away <= _NEXT_TO or within
            if few or governs:
                found.append(Difference(kind, "", match.group()))
    return found
