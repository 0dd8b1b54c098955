r"""Pages as writers give them: `6`, `p.~6`, `1650--3`, `iv`, `3, 5 and 9`, `12f.`, `2:299`, `299n3`."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from lookup.text.words import words_of


class Locator(NamedTuple):
    """The pages of a citation; without `ranges` its note has a number that was not understood.

    `start` and `end` are where the numbers stand in the source, `text` is how; `prefix` is where the "p" or
    "pp" before them stands. Each of `ranges` is a first and a last page; the last is None for "and the
    following ones". `linked` is the page of the PDF, counted from 1, that a link beside them opens. `part` is
    the supplement that they are pages of: "S1" of "S1:3".
    """

    text: str
    start: int
    end: int
    ranges: tuple[tuple[str, str | None], ...]
    prefix: tuple[int, int] | None = None
    linked: int | None = None
    part: str = ""

    def moved(self, by: int) -> "Locator":
        """Return the locator as it is in a source that has so many characters more before it."""
        prefix = self.prefix and (self.prefix[0] + by, self.prefix[1] + by)
        return self._replace(start=self.start + by, end=self.end + by, prefix=prefix)

    @property
    def understood(self) -> bool:
        """Return whether it gives pages."""
        return bool(self.ranges) or self.linked is not None


Labels = Sequence[tuple[int, str | None]]  # A paper's pages in order: number and printed label.


def parse_locator(source: str, start: int, end: int) -> Locator | None:
    """Return the pages in `source[start:end]`, the note of a citation.

    None if it gives none ("chap. 3", "emphasis mine"); a locator without ranges if it has a number, and no
    form that is known says what it counts.
    """
    return _read(source[start:end], start, _BARE, last=False)


def last_pages(source: str, start: int, end: int) -> Locator | None:
    """Return the pages that a typed note ends with, as `parse_locator` does.

    A year in brackets at its end is none: "(London, 1931)".
    """
    return _read(source[start:end], start, _AT_END, last=True)


def _read(note: str, start: int, bare: re.Pattern[str], *, last: bool) -> Locator | None:
    """Return the pages that a word or sign of the note names, its first or last; else those of the form."""
    if len(note) > _LONGEST_NOTE:
        start += (len(note) - _LONGEST_NOTE) * last
        note = note[-_LONGEST_NOTE:] if last else note[:_LONGEST_NOTE]
    part = _PART.search(note)
    if part is not None:
        note = f"{note[: part.start()]}{' ' * len(part[0])}{note[part.end() :]}"
        found = _read(note, start, bare, last=last)
        return found and found._replace(part=part["part"])
    named = [*_NAMED.finditer(note), *_EAST_ASIAN.finditer(note)]
    plain = _OTHER_PLACES.sub(lambda other: " " * len(other[0]), note)
    match = named[-last] if named else bare.search(plain)
    if match is not None:
        return _pages(match).moved(start)
    unread = _UNREAD.search(plain)
    if unread is None or (last and _BRACKETED.search(plain)):
        return None
    prefix = _PREFIX.match(unread[0])
    begin = prefix.end() if prefix else 0
    return Locator(unread[0][begin:], unread.start() + begin, unread.end(), ()).moved(start)


def _pages(match: re.Match[str]) -> Locator:
    groups = match.groupdict()
    ranges = tuple(_range(one) for one in _RANGE.finditer(match["list"]))
    if _VOLUME.match(match["list"]):
        ranges = ranges[1:]
    volume, first = groups.get("volume") or "", ranges[0][0]
    if volume.isdecimal() and first.isdecimal() and int(volume) > int(first):
        ranges = ((volume, volume),)  # "299:12" is a page and a line, "2:299" a volume and a page
    prefix = match.span("prefix") if groups.get("prefix") else None
    return Locator(match["list"], *match.span("list"), ranges, prefix)


def pages_of(name: str, labels: Labels) -> list[int] | None:
    """Return the pages that a name may mean, those of the PDF first; None where it is not understood.

    A name is what a page prints ("iv", "A-3", "216-217"), or a locator ("p. 1650", "pp. 1650-51", "S. 3").
    """
    name = name.strip()
    label = _PREFIX.sub("", name)
    if not label.isdecimal() and (printed := _labelled(name, labels) or _labelled(label, labels)):
        return printed
    locator = parse_locator(name, 0, len(name))
    if locator is None or not locator.ranges:
        return None
    return list(dict.fromkeys([*sorted(as_physical(locator, labels)), *sorted(as_printed(locator, labels))]))


def supplement_of(name: str) -> str:
    """Return the supplement that a locator names pages of: "S1" of "p. S1:3"; "" for none."""
    part = _PART.search(name)
    return part["part"] if part else ""


def as_physical(locator: Locator, labels: Labels) -> frozenset[int]:
    """Return the pages of the locator, if it counts from the first page of the PDF."""
    found: set[int] = set()
    for first, last in locator.ranges:
        low, high = _number(first, labels), len(labels) if last is None else _number(last, labels)
        found |= {page for page, _ in labels if 0 < low <= page <= high}
    return frozenset(found)


def as_printed(locator: Locator, labels: Labels) -> frozenset[int]:
    """Return the pages that print what the locator gives, as it is written or as numbers.

    Also where its number was not understood: "A-3", of a page that prints so.
    """
    if whole := _labelled(locator.text, labels):
        return frozenset(whole)
    return frozenset(page for one in locator.ranges for page in _printed(*one, labels))


def _number(given: str, labels: Labels) -> int:
    """Return the number of "299", "299a" (a column), "S299" (where no label has an S); 0 if there is none."""
    match = _LETTERED.fullmatch(given)
    if match is None or (match["before"] and any(label and label[0] in "sS" for _, label in labels)):
        return 0
    return int(match["number"])


def _printed(first: str, last: str | None, labels: Labels) -> list[int]:
    begins = _labelled(first, labels)
    low, high = _number(first, labels), _number(last or "0", labels)
    if last is not None and low and high and not (begins and not first.isdecimal()):
        return [page for page, (start, end) in _numbers(labels).items() if low <= end and start <= high]
    begins = begins or _labelled(str(low), labels)
    if not begins:
        return []
    if last is None:
        return [page for page, _ in labels if page >= begins[0]]
    ends = [page for page in _labelled(last, labels) if page >= begins[0]]
    return [page for page, _ in labels if begins[0] <= page <= ends[0]] if ends else begins[:1]


def _labelled(label: str, labels: Labels) -> list[int]:
    return [page for page, one in labels if one and one.casefold() == label.casefold()]


def _numbers(labels: Labels) -> dict[int, tuple[int, int]]:
    """Return the first and last number that a page prints, of those that print numbers alone.

    They differ on a sheet that prints two pages, "216-217", "216/17". Where a paper has other labels of that
    form, such as "3-1" of a chapter, none is a sheet.
    """
    read = [(page, _SPREAD.fullmatch(label or "")) for page, label in labels]
    numbers = {page: _range(label) for page, spread in read if spread and (label := _RANGE.match(spread[0]))}
    found = {page: (int(first), int(last or first)) for page, (first, last) in numbers.items()}
    chapters = any(end - start not in {0, 1} for start, end in found.values())
    return {page: span for page, span in found.items() if span[0] == span[1] or not chapters}


def _range(match: re.Match[str]) -> tuple[str, str | None]:
    first, last = match["first"], match["last"]
    if match["passim"]:
        return first, None
    if following := match["following"]:
        return (first, str(int(first) + 1)) if following in _ONE_MORE and first.isdecimal() else (first, None)
    if last is None:
        return first, first
    if first.isdecimal() and last.isdecimal() and len(last) < len(first):
        last = first[: len(first) - len(last)] + last  # 1650--3
    return first, last


_PAGE_TERMS, _OTHER_TERMS = ("|".join(words_of(kind)) for kind in ("pages", "other_places"))

_LONGEST_NOTE = 1000
"""Characters of a note that are looked at for its pages, from its beginning or its end."""

_SPACE = r"(?>(?:[\s~\xa0]|\\[ ,;])*)"
_NUMBER = r"(?:[A-Za-z]?\d{1,9}+(?:[a-drv](?!\w)|\.e\d{1,3}(?!\w))?|[ivxlcIVXLC]++)"
_SPREAD = re.compile(r"\d{1,9}(?:[-–/]\d{1,9})?")
_LETTERED = re.compile(r"(?P<before>[pPsS]?)(?P<number>\d{1,9})[a-drv]?")
_DASH = rf"{_SPACE}(?:-{{1,3}}|[‐‑–—/]|\\textendash(?:\{{\}})?){_SPACE}"
_ONE_MORE = frozenset({"f", "sq", "sg", "s"})
_FOLLOWING = rf"{_SPACE}(?P<following>ff?|sqq?|sgg?)\b"
_PASSIM = rf"{_SPACE}(?P<passim>(?:et{_SPACE})?passim)\b"
_RANGE = re.compile(rf"(?P<first>{_NUMBER})(?:{_DASH}(?P<last>{_NUMBER})|{_FOLLOWING}|{_PASSIM})?")
_ONE = re.sub(r"\?P<\w+>", "?:", _RANGE.pattern)
_NO_MORE = rf"(?!\w|°|[.:]\d)(?!{_SPACE}(?:n|nn|fn)\.?[^\W\d])"
_REMARK = (
    rf"(?:{_SPACE}(?:fn|nn?)\.?{_SPACE}\d{{1,4}}+|\\textsuperscript\{{[^{{}}]{{1,6}}\}}|:\d{{1,3}}(?!\w))"
)
_AND = rf"{_SPACE}(?:,|;|&|\\&|\b(?:and|und|et|y|e|en|i|och|og)\b){_SPACE}"
_LIST = (
    rf"(?:(?P<volume>\d{{1,5}}|[IVXLC]{{1,6}}):{_SPACE})?\[?"
    rf"(?P<list>{_ONE}(?>(?:(?!\w){_AND}{_ONE}(?!\w))*))\]?{_REMARK}?{_NO_MORE}"
)
_VOLUME = re.compile(rf"[IVXLC]+,{_SPACE}\d")
_PART = re.compile(r"(?<!\w)(?P<part>S\d{1,2}):(?=\d)")
"""A supplement, before its pages: further PDFs of an entry have the keys KEY-S1, KEY-S2."""

_NAMED = re.compile(
    rf"(?<![\w.])(?:(?P<prefix>(?i:{_PAGE_TERMS}))(?=\W)|\\pp?no\b|(?i:{_PAGE_TERMS})(?=\d)(?<![Ss]))\.?"
    rf"{_SPACE}(?:\{{\}})?{_SPACE}{_LIST}"
)
_PREFIX = re.compile(rf"(?i:{_PAGE_TERMS})\.{_SPACE}|(?i:{_PAGE_TERMS})(?:[\s~])+")
_EAST_ASIAN = re.compile(rf"第?\s?(?P<list>{_ONE})\s?[页頁ペ쪽면]")
_LEAD = rf"(?:{_SPACE}(?i:see|at|here|hier|cf|vgl|siehe|voir|esp|bes|bei|also|auch)\b\.?)*"
_BARE = re.compile(rf"\A{_LEAD}{_SPACE}{_LIST}(?={_SPACE}(?:$|[,;.)\]}}(]))")
_AT_END = re.compile(rf"(?<![\w.–-]){_LIST}(?={_SPACE}(?:\([^()]*\))?[\s.)\]]*$)")
_BRACKETED = re.compile(r"\([^()]*\d[^()]*\)[\s.]*$")
"""A place and a year at the end of a note."""

_OTHER_PLACES = re.compile(
    rf"(?<!\w)(?:(?i:{_OTHER_TERMS})\b\.?|§{{1,2}}){_SPACE}(?:\d[\w.]*|[IVXLCivxlc]+\b)"
    rf"(?:(?:{_DASH}|{_AND})(?:\d[\w.]*))*"
)
_UNREAD = re.compile(r"[^\s,;()\[\]]*\d[^\s,;()\[\]]*")
