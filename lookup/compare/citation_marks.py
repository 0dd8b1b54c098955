"""Citation marks in running text, which a writer who quotes it leaves out.

They are [12], (3, 4), (Smith et al., 2010) and superscript numbers.

`candidates` finds what may be a mark by its form in folded text: enough to look for words without them.
`is_mark` then judges the printed characters: what may be a value or part of a name is not a mark.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence

from lookup.compare.letters import is_superscript
from lookup.text.folding import Span
from lookup.text.regex import regex
from lookup.text.words import words_of

_NUMBER = r"\d{1,4}[a-z]?"
_NUMBERS = rf"{_NUMBER}(?:\s*+[,;-]\s*+{_NUMBER})*"
_YEAR = r"(?:1[6-9]|20)\d\d[a-z]?"
_BRACKET = regex(
    rf"\[\s*+{_NUMBERS}\s*+\]|\((?:refs?\.?)?\s*+{_NUMBERS}\s*+\)"
    rf"|\((?=[^\W\d_])(?:[^()\[\]]|\[[^()\[\]]*\]){{2,400}}?\b{_YEAR}\b[^()\[\]]{{0,200}}\)"
    rf"|\[(?=[^\W\d_])[^()\[\]]{{2,400}}?\b{_YEAR}\b[^()\[\]]{{0,200}}\]"
)
_SUPERSCRIPT = regex(
    # A number after two letters, after a stop, or after a year; or apart, after a stop or a word.
    r"\d(?:(?<=[^\W\d_]{2}\d)|(?<=[^\s\d][.,;:)\]\"'%]\d)|(?<=\w[.,;:)]\d)|(?<=%\d)"
    r"|(?<=[\w.,;:)%]\s\d)|(?<=\b(?:19|20)\d\d\d))"
    r"\d{0,2}(?:\s?[,-]\s?\d{1,3})*(?![\w%‰°])(?!\.\d)"
)
_OPENING = regex(r"[\[(]|\d+")
_NUMBER_OF_MARK = regex(r"[\s,-]*\d+")


def candidates(folded: str) -> list[Span]:
    """Return what may be a citation mark in folded text, with the space before it, from left to right.

    The numbers of a superscript mark are apart, "12" and ",13": the first may belong to the word before it.
    """
    found: list[Span] = []
    for opening in _OPENING.finditer(folded):
        at = opening.start()
        if found and at < found[-1].end:
            continue
        if opening.group() in "([":
            if match := _BRACKET.match(folded, at):
                found.append(Span(_with_space(folded, at), match.end()))
        elif match := _SUPERSCRIPT.match(folded, at) or _SUPERSCRIPT.match(folded, at + 4):
            at = _with_space(folded, match.start())
            found += [Span(*one.span()) for one in _NUMBER_OF_MARK.finditer(folded, at, match.end())]
    return found


def _with_space(text: str, at: int) -> int:
    return at - 1 if at and text[at - 1] == " " else at


Listed = Callable[[str, str], bool]
"""Whether the references of a paper have a work by an author of this name and year."""


def is_mark(text: str, mark: Span, superscripts: Sequence[int], listed: Listed) -> bool:
    """Return whether the span `mark` of a printed text is a citation mark.

    `superscripts` are the spans of `text` in superscript, flat: start, end, start, end.
    """
    shown = text[slice(*mark)].strip()
    before = text[: mark.start].rstrip()
    if shown[:1] in "([":
        inside = shown[1:-1].strip()
        if re.match(r"(?:[Rr]efs?\.?\s*)?\d", inside):
            named = _OF_NAME.match(text, mark.end) or _TOUCHING.search(text, 0, mark.start + 1)
            return not named and _are_references(inside, before, square=shown[0] == "[")
        return are_works(inside, listed)
    start = mark.end - len(text[slice(*mark)].lstrip(" ,-–−\n"))
    return _is_superscript_reference(text, Span(start, mark.end), superscripts)


_OF_NAME = regex(r"[-‐]?[^\W\d_]")
_TOUCHING = regex(r"[^\W\d_]\($")
"""What makes a bracket part of a name: the word that it touches, as in [3H]thymidine, f(2) and iron(3)."""

_VALUED = frozenset(words_of("valued"))
"""Words after which a number in brackets is a value."""
_LABELLED = frozenset(words_of("labelled"))
"""Words after which a number in round brackets is a label; no label stands in square ones."""


def _are_references(inside: str, before: str, *, square: bool) -> bool:
    numbers = re.findall(r"\d+", inside)
    word = re.search(r"[^\W\d_]+\.?$", before)
    valued = _VALUED if square else _VALUED | _LABELLED
    lettered = re.search(r"\d[g-zA-Z]" if square or inside[:1] in "Rr" else r"\d[^\W\d_]", inside)  # 5g, 14C
    years = len(numbers) > 1 and all(re.fullmatch(_YEAR, number) for number in numbers)
    if (
        years
        or lettered
        or any(number[0] == "0" for number in numbers)
        or (word and word.group().rstrip(".").casefold() in valued)
    ):
        return False
    # "12 (4) patients" may be a count and its share, "p = [1, 2]" a range.
    return not before or not (before[-1] in "=<>≤≥≈±%×∈~+" or (before[-1].isdigit() and not square))


_PARTICLES = frozenset(words_of("particles"))
_OF_BODIES = frozenset(words_of("of_bodies"))
"""Words in the names of organisations, as in "Council of Europe, 1997": before a comma and the year."""
_NO_NAMES = frozenset(words_of("no_names"))
_WORKS = regex(r";|(?<=\d),\s+(?=[^\W\d_]{2})|(?<=\d[a-z]),\s+(?=[^\W\d_]{2})")
"""What stands between two works in one bracket."""
_AUTHORS = regex(
    rf"(?P<names>[^\d<>=%±]*?)(?P<comma>,?)\s*{_YEAR}(?:\s*[,&-]\s*(?:{_YEAR}|[a-z]\b))*"
    r"(?:\s*[:,]\s*(?:pp?\.\s*)?\d+(?:\s*-\s*\d+)?)?$"
)


def are_works(text: str, listed: Listed) -> bool:
    """Return whether each work is names and years: "see Smith et al., 2010", "de Vries & Wu 2011a, b".

    A name alone, "(Berg, 2010)", is a work where it is `listed`: "(Retracted, 2010)" has the same form.
    """
    works = [work.strip() for work in _WORKS.split(text.replace("–", "-")) if work.strip()]
    named = [_AUTHORS.match(work) for work in _with_their_years(works)]
    return all(
        one is not None
        and _are_names(one["names"], listed=bool(one["comma"]))
        and (
            # Several names, or those of a body ("Council of Europe"), have the form of authors.
            _JOINED.search(one["names"])
            or not _OF_BODIES.isdisjoint(one["names"].split())
            or any(listed(*pair) for pair in _works_of(one))
        )
        for one in named
    )


def _works_of(work: re.Match[str]) -> Iterator[tuple[str, str]]:
    """Yield the first name of a work with each of its years."""
    names = (name for name in _NAME.findall(work["names"]) if name[0].isupper())
    first = next((name for name in names if name.casefold() not in _PARTICLES), "")
    yield from ((first, year[:4]) for year in re.findall(_YEAR, work[0]) if first)


_JOINED = regex(r"\bet al\b|[&,;]|\b(?:and|und|et|y|e|och|en)\b")

_NAME = regex(r"[^\W\d_]+(?:[.'’-][^\W\d_]+)*")


def _with_their_years(works: Sequence[str]) -> list[str]:
    """Return the works, each with all its names: "Breitbarth; Harris; Aitken, 2009" is one work."""
    joined, names = [], ""
    for work in works:
        names += work
        if any(map(str.isdigit, work)):
            joined.append(names)
            names = ""
        else:
            names += ", "
    return [*joined, names] if names else joined


def _are_names(names: str, *, listed: bool) -> bool:
    words = [word.strip(".") for word in _NAME.findall(names)]
    proper = [word for word in words if word.casefold() not in _PARTICLES]
    if not proper or any(word.casefold() in _NO_NAMES for word in words):
        return False
    if proper[0] in _OF_BODIES:
        return False
    if len(words) == 1 and proper[0].isupper() and not listed:
        return False  # "MTCC 1809" is a strain, "WHO, 2010" a work
    return all(word[0].isupper() or (listed and word in _OF_BODIES) for word in proper)


_TAKING_POWERS = frozenset(words_of("powers"))
"""Words of three letters and more after which superscripts are powers: units, functions and symbols."""
_LENGTHS = regex(
    r"\d\s?(?:pixel|voxel|micron|inch|mile|yard|(?:centi|milli|kilo|micro|nano)?met(?:er|re))(?:s|es)?$"
)
_RUN = regex(r"[\s,]*+\d{1,3}(?>(?:\s*[,;–-]\s*\d{1,3})*)[\s,;.*†‡§¶]*")
"""Superscripts that cite works, all that stand together: a sign makes a power or a charge of them."""
_OF_SYMBOL = regex(r"(?<![^\W_])[^\W\d_]{1,3}[(\[][^()\[\]]*[)\]]$")  # E[X]², Var(X)²
_TWO_LETTERS = frozenset(words_of("two_letters"))
"""Words of two letters; others may be symbols, and then the number is a square and not a mark."""


def _is_superscript_reference(text: str, mark: Span, superscripts: Sequence[int]) -> bool:
    """Return whether superscripts cite a work; after a digit, a unit or a symbol they may be exponents."""
    if not is_superscript(mark.start, mark.end, superscripts):
        return False
    run = bisect_right(superscripts, mark.start)
    if not _RUN.fullmatch(text, superscripts[run - 1], superscripts[run]):
        return False
    before = text[: superscripts[run - 1]].rstrip()
    word = re.search(r"[^\W\d_]*$", before)
    assert word is not None
    if not word.group():
        if _OF_SYMBOL.search(before):
            return False
        # A stop, or a year: neither takes an exponent.
        return before[-1:] in tuple(".,;:)]\"'”’»%") or bool(re.search(r"\b(?:19|20)\d\d$", before))
    if len(word.group()) < 3:
        return word.group() in _TWO_LETTERS and before[: word.start()][-1:].isspace()
    return word.group().casefold() not in _TAKING_POWERS and not _LENGTHS.search(before)


_MAY_BE_POWER = regex(r"\s*[23]")
_CITES = regex(r"(?:[^\W\d_]{3}|[.,;)])\s?$")


def may_be_power(text: str, mark: Span) -> bool:
    """Return whether a raised mark is a 2 or 3 after a word, which is a power where nothing is cited so."""
    return bool(_MAY_BE_POWER.fullmatch(text, *mark)) and text[: mark.start].rstrip()[-1:].isalpha()


def cites_by_superscripts(text: str, superscripts: Sequence[int]) -> bool:
    """Return whether a text has a raised number, beside 2 and 3, that cites a work."""
    spans = zip(superscripts[::2], superscripts[1::2], strict=True)
    return any(
        text[start:end].strip(" ,") not in ("2", "3")
        and _RUN.fullmatch(text, start, end)
        and _CITES.search(text[max(0, start - 4) : start])
        for start, end in spans
    )
