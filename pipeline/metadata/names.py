"""Names of authors, from a line below a title or the PDF's own list, in the form of a .bib."""

import re
import unicodedata
from collections.abc import Iterable

_PARTICLES = frozenset(
    """
    af al bin da das de del della den der di do dos du el ibn la las le los ten ter van vom von zu zum zur
    """.split()
)
"""What belongs to a family name and stands before it, in lower case; a capital is a particle in the middle
only."""

_SUFFIXES = frozenset({"jr", "sr", "ii", "iii", "iv", "júnior", "junior", "filho", "neto"})

_DEGREES = frozenset(
    "md phd ph.d mph msc ma ba bsc bs ms mba mbbs mbchb mbbch bds mds dds dmd rn frcp mrcp facp facc dphil "
    "dsc drph pharmd do dvm vmd mpharm msn mhs mhsc meng bpharm frcs mrcs esq prof dr drmed profdr dring "
    "mtech btech mres scd edd psyd llm jd".split()
)
"""Degrees and titles without stops."""

_NOT_NAMES = re.compile(
    r"universi|department|institut|hospital|college|school|cent(?:er|re|ro)\b|facult|laborator|academ|division|clinic|foundation|"
    r"research|journal|abstract|summary|article|review|received|accepted|published|correspond|copyright|licen[cs]e|keywords?|"
    r"background|introduction|methods?\b|results?\b|conclusion|edited|editor|open access|volume|issue|author|"
    r"members?\b|"
    r"consortium|collaborat|on behalf|group\b|committee|network|society|proceedings|street|road|avenue|"
    r"\b(?:the|for|with|from|to|in|of|by|on|an|using|are|is|was|were|invited|design|"
    r"products?|read online|referees?|status|access|metrics)\b",
    re.IGNORECASE,
)
"""Words that no name has: a line with one of them is not one of authors."""

_MOST_WORDS, _LONGEST = 6, 60  # Words and characters of a name, at most.

_LONGEST_ABBREVIATION = 4
"""Characters of an abbreviated given name with its stop ('Chr.'), at most; longer ones are words."""

_MARK = r"[*†‡§¶‖∗⁎✉✝★☆#^�\ue000-\uf8ff\u00b9\u00b2\u00b3\u2070-\u209f⊥∥◦°&]"
_ORCID = re.compile(r"(?:https?://orcid\.org/)?\d{4}-\d{4}-\d{4}-\d{3}[\dX]")
_ICON = re.compile(r"(?<=[\s\d,*†‡])i?[Ii]D\b|(?<=[a-zà-ÿ])ID(?=\W|$)|\bORCID\b|\bOrcid\b")
_GROUP = re.compile(
    r"[\s,;*†‡]+(?:on behalf of the\b|for the\b.*\b(?:groups?|investigators|consorti|collaborat|teams?"
    r"|networks?|committee|initiative|study|trial|society|registry|project)).*$",
    re.IGNORECASE,
)
"""The group for which authors write; "Deep Learning for the Detection of Tides" is a title."""

_NUMBERS = re.compile(rf"(?:\d{{1,2}}|{_MARK})(?:\s*+[,–\-]?\s*+(?:\d{{1,2}}|{_MARK}))*(?=\W|$|[A-Z])")
_LETTERS = "abcdefghijklm"
_LONE_LETTER = re.compile(r"(?<=\s)[a-m](?=\s*(?:[,;|\0]|\band\b|$))")
_SEPARATORS = re.compile(r"\s*(?:[,;|•·∙●\0]|\s[-–]\s|(?<=\s)(?:and|und|et|y|e)(?=\s))\s*")
_NO_LETTER = re.compile(r"[\W_]+")  # combining accents too
_NAME = re.compile(r"[^\W\d_][\w'’‘`´.\-‐‑¨¸˘ˇ˜]*")


def authors_of_line(text: str) -> tuple[str, ...]:
    """Return the authors in a printed line, 'Family, Given'; () if it is not surely a list of names only.

    Affiliation marks, degrees and ORCIDs are left out.
    """
    if text[:1].isdigit():
        return ()  # an affiliation
    text = _ICON.sub(" ", _ORCID.sub(" ", _GROUP.sub("", text)))
    text = _NUMBERS.sub("\0", text.replace(" & ", " and "))
    text = _LONE_LETTER.sub("\0", text)
    names = [name for chunk in _SEPARATORS.split(f" {text} ") if (name := _stripped(chunk)) and len(name) > 1]
    if not names or not all(_is_name(name) for name in names):
        return ()
    if len(names) == 1 and names[0].isupper():
        return ()  # a heading as likely
    return tuple(map(family_first, names))


def authors_of_list(items: Iterable[str]) -> tuple[str, ...]:
    """Return the authors in a PDF's own list, 'Family, Given'; () if one of them is not a name.

    A single item may be a list itself ("A. Author, B. Author and C. Author").
    """
    items = [item.strip() for item in items if item.strip()]
    if len(items) == 1 and items[0].count(",") != 1:
        return authors_of_line(items[0])
    names: list[str] = []
    for item in items:
        family, comma, given = (part.strip() for part in item.partition(","))
        if comma and _is_word(family) and _is_word(given):
            names.append(f"{family}, {given}")
        else:
            found = authors_of_line(item)
            if len(found) != 1:
                return ()
            names += found
    return tuple(names)


def family_first(name: str) -> str:
    """Return a name with the family name first.

    'Anna van der Berg' is 'van der Berg, Anna'; 'William B. Driggers III' is 'Driggers, William B., III';
    'Rao T. K.' is 'Rao, T. K.'.
    """
    words = name.split()
    suffix = words.pop() if len(words) > 2 and words[-1].lower().rstrip(".") in _SUFFIXES else ""
    if len(words) > 1 and all(map(_is_initials, words[1:])) and not _is_initials(words[0]):
        parts = [words[0], " ".join(words[1:])]  # as Indian names are written, with the initials last
    else:
        start = len(words) - 1
        while start > 1 and words[start - 1].lower() in _PARTICLES:
            start -= 1
        parts = [" ".join(words[start:]), " ".join(words[:start])]
    return ", ".join(filter(None, [*parts, suffix]))


def surname(author: str) -> str:
    """Return the last word of the family name, plain, as it is found where the author is printed."""
    words = author.split(",", maxsplit=1)[0].split()
    return plain(words[-1]) if words else ""


def plain(text: str) -> str:
    """Return the letters and digits alone, without accents, in lower case."""
    return _NO_LETTER.sub("", unicodedata.normalize("NFKD", text.casefold()))


def _stripped(chunk: str) -> str:
    """Return a piece between separators without degrees and marks; '' if nothing is left."""
    words = re.sub(_MARK, " ", chunk).strip(" .,-–()[]*").split()
    while words and _is_degree(words[-1]):
        words.pop()
    while words and _is_degree(words[0]):
        words.pop(0)
    return " ".join(words)


def _is_degree(word: str) -> bool:
    """Whether a word is a degree, perhaps with a small letter as its mark ('MDa')."""
    letters = re.sub(r"[.\-]", "", word)
    return letters.lower() in _DEGREES or (
        letters[-2:-1].isupper() and letters[-1:] in _LETTERS and letters[:-1].lower() in _DEGREES
    )


def _is_name(text: str) -> bool:
    words = text.split()
    if not 2 <= len(words) <= _MOST_WORDS or len(text) > _LONGEST or _NOT_NAMES.search(text):
        return False
    if not all(_is_word(word) for word in words):
        return False
    solid = [word for word in words if word.lower() not in _PARTICLES]
    return len(solid) > 1 and not all(map(_is_initials, solid))


def _is_word(text: str) -> bool:
    """Whether each word is one of a name: letters, a capital first unless it is a particle."""
    return bool(text) and all(
        _NAME.fullmatch(word) is not None
        and (word[0].isupper() or word.lower() in _PARTICLES or word[1:2].isupper() or "-" in word)
        and (not word.endswith(".") or len(word) <= _LONGEST_ABBREVIATION or word.count(".") > 1)
        for word in text.split()
    )


def _is_initials(word: str) -> bool:
    return re.fullmatch(r"(?:[^\W\d_]\.?-?){1,3}", word) is not None and word.upper() == word
