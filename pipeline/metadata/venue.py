"""The journal of a paper, as its first pages print it beside the volume."""

import re
from collections import Counter
from collections.abc import Collection, Sequence

from pipeline.metadata.blocks import ParagraphText
from pipeline.metadata.names import plain
from pipeline.pdf.reading import PdfPage

_WORDS, _LETTERS = 12, 4  # Words of a journal's name, at most, and letters, at least.

_ABBREVIATED = 2, 6
"""Letters of an abbreviation within a name; a stop after fewer or more ends the sentence before the name."""

_NOTICE = 600  # Characters: a longer paragraph is text, if it does not say how to cite the paper.
_READ = 1500  # Characters of a line or citation in which a volume is looked for.

_KINDS = frozenset({"title", "front", "furniture", "footnote"})
"""Kinds of paragraphs that say something of the paper."""

_MONTHS = (
    "(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|"
    r"oct(?:ober)?|nov(?:ember)?|dec(?:ember)?|spring|summer|autumn|winter)\b"
)
_MONTH = rf"(?:{_MONTHS}\.?(?:[-–/]{_MONTHS}\.?)?,? )?"
_YEAR = rf"\(?(?:19|20)\d\d\)?(?: {_MONTHS})?"
_ISSUE = r"(?: ?\([^()]{1,24}\))?"
_PAGE = r"[a-z]{0,2}\d+"
_VOLUME = re.compile(
    rf"(?:[.,]? |,? \| )(?:"
    rf"{_MONTH}{_YEAR}(?: ?[;,:] ?| )(?:vol(?:ume)?\.? ?)?\(?\d+"  # 2018, 25(6); September 2017, 11
    rf"|\d+{_ISSUE} ?: ?{_PAGE}"  # 13(3): e0193451
    rf"|vol(?:ume)?\.? \d+\b"
    rf")| \| ?(?:https?:|www\.|doi\b)",
    re.IGNORECASE,
)
"""What is printed after a journal's name."""

_SMALL = frozenset("of and in the for on de des du da do e et la und für &".split())
"""Words within a name without a capital."""

_WORD = re.compile(r"[\w&/’'‐-]+[.,:]?")
_CITED = re.compile(r"\b(?:cite|citation|citar|citer)\b", re.IGNORECASE)
_NO_NAME = re.compile(
    r"\b(?:vol|volume|issue|no|page|pages|received|accepted|published|publishing|copyright|fig|figure|table|"
    r"appeared|submitted|article|university|department|et|al|doi|issn|isbn|version|section|chapter|corporation|licen[cs]e|"
    rf"{_MONTHS})\b",
    re.IGNORECASE,
)


def venue(pages: Sequence[PdfPage], near: Sequence[ParagraphText]) -> str | None:
    """Return the journal that most lines of the first `pages` name before a volume; None without such lines.

    `near` are the paragraphs of these pages.
    """
    heads = [line.text for page in pages for line in page.in_margins]
    notices = [
        one.text
        for one in near
        if one.kind in _KINDS and (len(one.text) < _NOTICE or _CITED.search(one.text))
    ]
    alone = frozenset(map(plain, heads))
    found = [name for text in (*heads, *notices) if (name := _name(text, alone))]
    if not found:
        return None
    ((most, _),) = Counter(map(plain, found)).most_common(1)
    return next(name for name in found if plain(name) == most)


def _name(text: str, alone: Collection[str]) -> str | None:
    """Return the name at the beginning of a line, or after the names of authors, or within a citation.

    `alone` are the letters of running heads: a name that is one has no publisher before it.
    """
    cited = _CITED.search(text)
    first = cited.start() if cited else 0
    text = text[first : first + _READ]
    for match in _VOLUME.finditer(text):
        words = text[: match.start()].split()
        first = _first_word(words)
        name = words[first:]
        apart = cited is not None or not first or words[first - 1].strip(".,") == "al"
        if not apart or len(name) > 2 * _WORDS:
            continue
        ends = (at for at, word in enumerate(name[:-1], 1) if word.endswith(":"))
        name = name[: next(ends, None)]  # what follows is a subtitle
        shorter = (name[at:] for at in range(1, len(name)))
        name = next((some for some in shorter if plain(" ".join(some)) in alone), name)
        printed = " ".join(name).rstrip(",;:")
        if len(plain(printed)) >= _LETTERS and len(name) <= _WORDS and not _NO_NAME.search(printed):
            return printed if printed.count(".") > 1 else printed.rstrip(".")
    return None


def _first_word(words: Sequence[str]) -> int:
    """Return the number of the word with which the name begins that ends with the last of `words`."""
    first = len(words)
    for number in range(len(words) - 1, -1, -1):
        word = words[number]
        bare = word.rstrip(".,:")
        short = _ABBREVIATED[0] <= len(bare) <= _ABBREVIATED[1]
        ends = number < len(words) - 1 and word.endswith(".") and not short
        small = bare.lower() in _SMALL
        if ends or not _WORD.fullmatch(word) or not (bare[:1].isupper() or small):
            break
        if not small or bare[:1].isupper():
            first = number
    return first
