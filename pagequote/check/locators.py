r"""Pages as writers give them: `6`, `p.~6`, `pp. 6--7`, `1650--3`, `iv`, `3, 5 and 9`, `12f.`."""

import re
from collections.abc import Sequence
from typing import NamedTuple


class Locator(NamedTuple):
    """The pages of a citation.

    `start` and `end` are where the numbers stand in the source, `text` is how; `prefix` is where the "p" or
    "pp" before them stands. Each of `ranges` is a first and a last page; the last is None for "and the
    following ones".
    """

    text: str
    start: int
    end: int
    ranges: tuple[tuple[str, str | None], ...]
    prefix: tuple[int, int] | None = None

    def moved(self, by: int) -> "Locator":
        """Return the locator as it is in a source that has so many characters more before it."""
        prefix = self.prefix and (self.prefix[0] + by, self.prefix[1] + by)
        return self._replace(start=self.start + by, end=self.end + by, prefix=prefix)


Labels = Sequence[tuple[int, str | None]]  # A paper's pages in order: number and printed label.


def parse_locator(source: str, start: int, end: int) -> Locator | None:
    """Return the pages in `source[start:end]`, the note of a citation, None if it has none ("chap. 3")."""
    match = _NAMED.search(source, start, end) or _BARE.match(source, start, end)
    if match is None:
        return None
    ranges = tuple(_range(one) for one in _RANGE.finditer(match["list"]))
    prefix = match.span("prefix") if match.groupdict().get("prefix") else None
    return Locator(match["list"], *match.span("list"), ranges, prefix)


def as_physical(locator: Locator, labels: Labels) -> frozenset[int]:
    """Return the pages of the locator, if it counts from the first page of the PDF."""
    found: set[int] = set()
    for first, last in locator.ranges:
        if first.isdecimal() and (last is None or last.isdecimal()):
            low, high = int(first), len(labels) if last is None else int(last)
            found |= {page for page, _ in labels if low <= page <= high}
    return frozenset(found)


def as_printed(locator: Locator, labels: Labels) -> frozenset[int]:
    """Return the pages of the locator, if it gives printed numbers."""
    return frozenset(page for one in locator.ranges for page in _printed(*one, labels))


def _printed(first: str, last: str | None, labels: Labels) -> list[int]:
    if first.isdecimal() and last is not None and last.isdecimal():
        low, high = int(first), int(last)
        return [page for page, label in labels if label and label.isdecimal() and low <= int(label) <= high]
    begins = [page for page, label in labels if label and label.casefold() == first.casefold()]
    if not begins:
        return []
    if last is None:
        return [page for page, _ in labels if page >= begins[0]]
    ends = [p for p, label in labels if p >= begins[0] and label and label.casefold() == last.casefold()]
    return [page for page, _ in labels if begins[0] <= page <= ends[0]] if ends else begins[:1]


def _range(match: re.Match[str]) -> tuple[str, str | None]:
    first, last = match["first"], match["last"]
    if match["following"]:
        if match["following"].startswith("ff") or not first.isdecimal():
            return first, None
        return first, str(int(first) + 1)
    if last is None:
        return first, first
    if first.isdecimal() and last.isdecimal() and len(last) < len(first):
        last = first[: len(first) - len(last)] + last  # 1650--3
    return first, last


_SPACE = r"(?>(?:[\s~\xa0]|\\[ ,;])*)"
_NUMBER = r"(?:[A-Za-z]?\d{1,9}+|[ivxlcIVXLC]++)"
_DASH = rf"{_SPACE}(?:-{{1,3}}|[‐‑–—]|\\textendash(?:\{{\}})?){_SPACE}"
_PAGES = rf"{_NUMBER}(?:{_DASH}{_NUMBER}|{_SPACE}ff?\b)?(?![\w])"
_RANGE = re.compile(
    rf"(?P<first>{_NUMBER})(?:{_DASH}(?P<last>{_NUMBER})|{_SPACE}(?P<following>ff?)\b)?(?!\w)"
)
_AND = rf"{_SPACE}(?:,|;|&|\\&|\band\b|\bund\b|\bet\b){_SPACE}"
_LIST = rf"(?P<list>{_PAGES}(?:{_AND}{_PAGES})*)"
_NAMED = re.compile(
    rf"(?<!\w)(?P<prefix>pp?|pages?|Seiten?|S|p[áa]gs?|\\pp?no)\b\.?{_SPACE}(?:\{{\}})?{_SPACE}{_LIST}"
)
_BARE = re.compile(rf"{_SPACE}{_LIST}(?={_SPACE}(?:$|[,;.)\]}}]))")
