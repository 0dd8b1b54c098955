"""What words between quotation marks may be, if they are no quotation: a title, speech, a term."""

import re

from pagequote.check.quotation import Looks

_PRONOUNS = r"I|he|she|we|they|you|er|sie|ich|wir|man|il|elle|on|je|nous|ils|elles|lui|lei|él|ella"
_SAYS = (
    r"said|says|say|asked|asks|replied|cried|answered|added|whispered|shouted|told|muttered|laughed|smiled|"
    r"sagte|sagt|fragte|fragt|antwortete|rief|flüsterte|meinte|erwiderte|"
    r"dit|dis|disait|demanda|répondit|répondis|murmura|cria|ajouta|dijo|preguntó|respondió|disse|"
    r"chiese|rispose"
)
_SPOKEN = re.compile(
    rf"[\s,.!?]*(?:(?:{_PRONOUNS})\s(?:{_SAYS})\b|(?:{_SAYS})[- ](?:t-)?(?:{_PRONOUNS})\b)", re.IGNORECASE
)
_SPEAKS = re.compile(rf"\b(?:{_PRONOUNS})\s(?:{_SAYS})(?:\s(?:me|us|him|her|them))?[,:]?\s*$", re.IGNORECASE)
_NAMED = re.compile(
    r"\b(?:called|titled|entitled|named|headed|article|essay|chapter|section|paper|book|poem|song|"
    r"novel|lecture|talk|"
    r"film|report|intitulée?s?|titre|chapitre|article|livre|Titel|Kapitel|Aufsatz|Artikel|Buch|"
    r"Beitrag|namens|"
    r"genannt|betitelt|Überschrift|titulado|título|capítulo|intitolato|titolo)[\s,:(]*$",
    re.IGNORECASE,
)
_TERM = re.compile(
    r"\b(?:so-called|term|word|phrase|motto|slogan|sogenannten?|Begriff|Ausdruck|terme|mot)\s*$",
    re.IGNORECASE,
)
_AUTHOR = re.compile(r"[^\W\d_a-z][\w'’.-]+[,:]\s*$")
_IN_JOURNAL = re.compile(r"\s*(?:,|in\b|In\b|\(\d{4}|\.\s+[^\W\d_a-z])")
_LONGEST_TITLE = 14
"""Words of a title."""

_LONGEST_TERM = 6
"""Words of a term or motto."""

_TITLE_WORD = 4
_TITLE_SHARE = 0.75
"""Share of the words of four letters or more with a capital, from which English words are a title."""


def looks_like(words: str, before: str, after: str) -> Looks:
    """Return what words between marks look like, by their length and what the sentence says around them."""
    count = len(words.split())
    if _SPOKEN.match(after) or _SPEAKS.search(before):
        return "speech"
    if count <= _LONGEST_TITLE:
        listed = _AUTHOR.search(before) is not None and _IN_JOURNAL.match(after) is not None
        if _NAMED.search(before) or listed or _capitals(words):
            return "a title"
    if count <= _LONGEST_TERM and _TERM.search(before):
        return "a term"
    return ""


def _capitals(words: str) -> bool:
    long = [one for one in re.findall(r"[^\W\d_]+", words) if len(one) >= _TITLE_WORD]
    capitals = sum(one[0].isupper() for one in long)
    lower = words.rsplit(maxsplit=1)[-1][:1].islower() if words.split() else True
    return len(long) > 1 and capitals >= _TITLE_SHARE * len(long) and not lower
