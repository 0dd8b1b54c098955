"""Words that turn a statement into its opposite, and when leaving them out does so."""

import re

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

_CLAUSE_END = re.compile(
    r"[.;:!?,()](?!\d)|\b(?:and|but|or|so|because|which|that|who|whom|whose|while|whereas|although|though"
    r"|when|where|if|since|as|than|unless|until)\b"
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


def dropped_negations(left_out: str) -> list[str]:
    """Return the negations in folded words under an ellipsis that govern what is quoted on either side.

    A negation governs them if it stands next to them, if little else is left out, or if no clause ends
    between it and the words on both sides. A clause that is left out as a whole does not change the rest.
    """
    few = len(left_out.split()) <= _FEW_WORDS
    found = []
    for match in NEGATION.finditer(left_out):
        before, after = left_out[: match.start()], left_out[match.end() :]
        near = min(len(before.split()), len(after.split())) <= _NEXT_TO
        within = not _CLAUSE_END.search(before) and not _CLAUSE_END.search(after)
        if few or near or within:
            found.append(match.group())
    return found
