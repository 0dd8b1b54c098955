"""Logical order: characters as they are read, whatever order a PDF draws them in, with spaces between words.

Producers draw Hebrew and Arabic from left to right or from right to left, by the word or by the line, and
some print the spaces of Korean without spaces in the text. The places of the characters say the same in all.
It is the reverse of the Unicode Bidirectional Algorithm (UAX #9, rules W1 to N2), which set the line.
"""

import re
import unicodedata
from bisect import bisect
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby, pairwise
from math import inf
from operator import itemgetter

import numpy as np

from lookup.text.scripts import HANGUL, RIGHT_TO_LEFT, UNSPACED, runs_leftwards, unspaced
from pipeline.pdf.drawn_letters import NO_WIDTH, UNDRAWN, DrawnLetters, Raw, place, place_all, text_of

_SPACE = 0.1
"""Em: more white than this between two characters is a space. Korean by TeX has .26 em between its words,
less in tight lines, and none within them."""

_MARK_SPACE = 0.3
"""Em: more white than this behind the mark of a list is a space; MuPDF sees none behind signs."""

_SAME_BASELINE = 0.15  # Em by which the baselines of the parts of a line may differ.
_BESIDE = 0.3  # Em between the parts of a line, less than which they are one: stops in another font.

_SIGNS = r"\u2192\u25a0-\u27bf\u2b00-\u2bff\ue000-\uf8ff"
"""Arrows, shapes, dingbats and what fonts of signs have, for a character class."""

_VOWELS = (
    r"\u0d81-\u0d83\u0dca-\u0ddf"
    + "".join(
        f"{chr(at)}-{chr(at + 3)}{chr(at + 0x3C)}{chr(at + 0x3E)}-{chr(at + 0x4D)}"
        for at in range(0x900, 0xD80, 0x80)
    )
    + r"\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ece\u102b-\u103e\u17b4-\u17d3"
)
"""Vowel signs and marks of Indic scripts, Thai, Lao, Burmese and Khmer, for a character class."""

_VOWEL = re.compile(f"[{_VOWELS}]")
_MAY_NEED = re.compile(f"[{RIGHT_TO_LEFT}{HANGUL}{UNSPACED}{_SIGNS}{_VOWELS}]")

_MARKED = re.compile(rf"^[{_SIGNS}](?=[^\s{_SIGNS}])", re.MULTILINE)
"""The mark of a list, with the text right behind it."""

_NEEDED = re.compile(
    f"[{RIGHT_TO_LEFT}{HANGUL}]|[{UNSPACED}][A-Za-z0-9]|[A-Za-z0-9][{UNSPACED}]"
    f"|{_MARKED.pattern}|{_VOWEL.pattern}",
    re.MULTILINE,
)
_RIGHT_TO_LEFT = re.compile(f"[{RIGHT_TO_LEFT}]")
_DENSE = re.compile(f"[{HANGUL}{UNSPACED}]")

_BRACKETS = dict(zip("()[]{}«»‹›<>", ")(][}{»«›‹><", strict=True))
_BEGUN = re.compile(r"(?<!\S)[(\[]\w|\w[)\]](?!\w)")
_ENDED = re.compile(r"(?<!\S)[)\]]\w|\w[(\[](?!\w)")
"""Brackets that begin and end with words, and those that are drawn so: ")so("."""


@dataclass(slots=True)
class _Cluster:
    """Characters in one place: a letter with its marks, or a ligature; `begin` and `end` along the line."""

    begin: float
    end: float
    chars: list[Raw]
    span: Raw
    forwards: bool = False
    """Whether it is read from left to right among what is read from right to left: Latin words, numbers."""
    direction: str = field(init=False)
    """The bidirectional class of its first character."""

    def __post_init__(self) -> None:
        self.direction = unicodedata.bidirectional(self.chars[0]["c"][:1])


def needs_order(text: str) -> bool:
    """Whether a page with this text, by lines, may have its characters in another order, or lack spaces."""
    if text.isascii() or not _MAY_NEED.search(text):
        return False
    return _NEEDED.search(text) is not None


def in_logical_order(blocks: Sequence[Raw], trace: Callable[[], Sequence[Raw]] = list) -> list[Raw]:
    """Return the blocks of a page with the characters of each line in logical order, all of them.

    `trace` gives the spans of `get_texttrace` for the page.
    """
    lines = [line for block in blocks for line in block.get("lines", ())]
    texts = list(map(text_of, lines))
    leftwards = runs_leftwards("".join(texts))
    letters = DrawnLetters(trace, lines)
    unsaid = _Unsaid(trace, lines)
    ordered: dict[int, list[_Cluster]] = {}
    done: dict[int, Raw] = {}
    for places in _together(lines, texts):
        text, first = "".join([texts[place] for place in places]), lines[places[0]]
        if leftwards or _RIGHT_TO_LEFT.search(text):
            together = [lines[place] for place in places]
            ordered[id(first)] = _ordered(together, letters, text, leftwards=leftwards)
        else:
            done[id(first)] = _with_spaces(first, text, unsaid)
    if leftwards:
        _turn_brackets(list(ordered.values()))
    for line in lines:
        if clusters := ordered.get(id(line)):
            done[id(line)] = line_of(line, [(char, one.span) for one in clusters for char in one.chars])
    return [
        block | {"lines": [done[id(line)] for line in block["lines"] if id(line) in done]}
        if "lines" in block
        else block
        for block in blocks
    ]


def _with_spaces(line: Raw, text: str, unsaid: "_Unsaid") -> Raw:
    """Return a line that is read rightwards, with spaces where white alone parts its characters."""
    dense, signs = _DENSE.search(text), _VOWEL.search(text)
    if not (dense or signs or _MARKED.match(text)):
        return line
    chars = [(char, span) for span in line["spans"] for char in span["chars"]]
    chars = _once(chars, unsaid) if signs else chars
    boxes = [char["bbox"] for char, _ in chars]
    if line["dir"] != (1, 0):
        boxes = [(begin, 0, end, 0) for begin, end in (_along(box, line["dir"]) for box in boxes)]
    white = [after[0] - box[2] for box, after in pairwise(boxes)]
    wide = {at for at, gap in enumerate(white) if gap > _SPACE * chars[at + 1][1]["size"]}
    if not wide and not signs:
        return line
    if not dense:
        marked = _MARKED.match(text) and white[0] > _MARK_SPACE * chars[1][1]["size"]
        wide = {0} if marked else set()
    spaced: list[tuple[Raw, Raw]] = []
    for at, (char, span) in enumerate(chars):
        spaced.append((char, span))
        if at in wide and (space := _space(char, chars[at + 1][0])):
            spaced.append((space, span))
    return line_of(line, spaced)


class _Unsaid:
    """The glyphs of a page at which its `lines` have no character, where it is drawn as `trace` says."""

    def __init__(self, trace: Callable[[], Sequence[Raw]], lines: Sequence[Raw]) -> None:
        self._trace = trace
        self._lines = lines
        self._at: dict[float, list[tuple[float, float]]] = {}

    @cached_property
    def _boxes(self) -> dict[float, list[tuple[float, float]]]:
        """Where they begin and end, in ascending order, by the heights of their baselines."""
        chars = (char for line in self._lines for span in line["spans"] for char in span["chars"])
        said = [c["origin"] for c in chars if c["bbox"][2] > c["bbox"][0] and not c.get("synthetic")]
        drawn = [(origin, box[2]) for span in self._trace() for _, _, origin, box in span["chars"]]
        known, places = place_all(said), place_all([origin for origin, _ in drawn])
        left = np.flatnonzero(~np.isin(places.view(complex), known.view(complex)))
        found: dict[float, list[tuple[float, float]]] = defaultdict(list)
        for (x, y), end in sorted(zip(places[left].tolist(), [drawn[at][1] for at in left], strict=True)):
            found[y].append((x, end))
        return found

    def along(self, y: float) -> list[tuple[float, float]]:
        """Return where those begin and end that are drawn at a baseline, in ascending order."""
        if y not in self._at:
            self._at[y] = self._boxes.get(place((0.0, y))[1], [])
        return self._at[y]


def _end(unsaid: Sequence[tuple[float, float]], x: float, size: float) -> float:
    """Return where those end that are drawn from `x` on, one next to the other; `x` if none is."""
    for begin, end in unsaid[bisect(unsaid, (x - _SPACE * size, 0.0)) :] if unsaid else ():
        if begin > x + _SPACE * size:
            break
        x = max(x, end)
    return x


def _once(chars: Sequence[tuple[Raw, Raw]], unsaid: _Unsaid) -> list[tuple[Raw, Raw]]:
    """Return characters without what MuPDF adds where a PDF says what several glyphs print together.

    It gives all of that at one glyph, then the letters of others again, and spaces at those that have none.
    """
    text = "".join([char["c"] for char, _ in chars])
    out: list[tuple[Raw, Raw]] = []
    run, at, end = "", 0, -inf  # what is given at one glyph, and where all that print it end
    while at < len(chars):
        char, span = chars[at]
        x0, top, x1, foot = char["bbox"]
        again = (n for n in range(len(run) - 1 or 1, 0, -1) if text.startswith(run[-n:], at))
        if twice := next((n for n in again if _VOWEL.search(run[-n:])), 0):
            at += twice
            end = max(end, chars[at - 1][0]["bbox"][2])
            out[-1] = out[-1][0] | {"bbox": (*out[-1][0]["bbox"][:2], end, foot)}, out[-1][1]
            continue
        at += 1
        if char.get("synthetic") and x1 <= end + NO_WIDTH * span["size"]:
            continue
        run = char["c"] if x1 - x0 > NO_WIDTH * span["size"] else run + char["c"]
        end = _end(unsaid.along(char["origin"][1]), x1, span["size"])
        out.append((char | {"bbox": (x0, top, end, foot)} if end > x1 else char, span))
    return out


def with_texts(blocks: Sequence[Raw]) -> list[Raw]:
    """Return the blocks with the text of each span, as `extractDICT` gives it."""
    for block in blocks:
        for line in block.get("lines", ()):
            for span in line["spans"]:
                span["text"] = "".join([char["c"] for char in span["chars"]])
    return list(blocks)


def _together(lines: Sequence[Raw], texts: Sequence[str]) -> Iterator[list[int]]:
    """Return the places of lines with text; of those drawn among the letters of another, together.

    A line that says the same as another is drawn twice, to look bold.
    """
    left = dict.fromkeys(at for at, text in enumerate(texts) if text)
    levels = sorted((*lines[at]["dir"], _baseline(lines[at]), at) for at in left)
    for at, line in enumerate(lines):
        if at in left and _RIGHT_TO_LEFT.search(texts[at]):
            del left[at]
            direction, level, size = line["dir"], _baseline(line), line["spans"][0]["size"]
            reach = [bisect(levels, (*direction, level + far)) for far in (-size, size)]
            among = [
                other
                for *_, other in sorted(levels[slice(*reach)], key=itemgetter(3))
                if other in left and texts[at] != texts[other] and _is_among(line, lines[other], texts[other])
            ]
            for other in among:
                del left[other]
            yield [at, *among]
    yield from ([at] for at in left)


def _is_among(line: Raw, other: Raw, text: str) -> bool:
    """Whether a line is drawn among the letters of another with this text."""
    direction = line["dir"]
    if direction != other["dir"]:
        return False
    size = line["spans"][0]["size"]
    if abs(_baseline(line) - _baseline(other)) >= _SAME_BASELINE * size:
        return False
    (begin, end), (first, last) = _along(line["bbox"], direction), _along(other["bbox"], direction)
    beside = 0.0 if _RIGHT_TO_LEFT.search(text) else _BESIDE * size
    return begin < last + beside and first < end + beside


def _baseline(line: Raw) -> float:
    (x, y), (run, rise) = line["spans"][0]["origin"], line["dir"]
    return float(run * y - rise * x)


def _along(box: Sequence[float], direction: Sequence[float]) -> tuple[float, float]:
    """Return where a box begins and ends along a line in this direction."""
    run, rise = direction
    if run == 1 and not rise:
        return box[0], box[2]
    at = [run * x + rise * y for x in (box[0], box[2]) for y in (box[1], box[3])]
    return min(at), max(at)


def _ordered(parts: Sequence[Raw], letters: DrawnLetters, text: str, *, leftwards: bool) -> list[_Cluster]:
    """Return the characters of a line in logical order; `leftwards` is how the page is read."""
    if not _RIGHT_TO_LEFT.search(text):
        return list(_single(_with_spaces(parts[0], text, _Unsaid(list, ()))))
    clusters: list[_Cluster] = []
    for part in parts:
        drawn = [
            _Cluster(*_along(chars[0]["bbox"], part["dir"]), chars, span)
            for chars, span in letters.clusters(part)
        ]
        clusters += [one for one in _single(part) if not drawn or _is_said(one.chars[0])] + drawn
    # White at the place of a stop ends the line, which is read leftwards.
    drawn = _spaced(sorted(clusters, key=lambda one: (one.begin, one.direction != "WS", one.end)))
    if leftwards or not any(cluster.direction == "L" for cluster in drawn):
        return list(_leftwards(drawn))
    runs = [(begin, end) for begin, end in _runs_of(drawn, ("R", "AL"), against=("L",))]
    out: list[_Cluster] = []
    at = 0
    for begin, end in runs:
        out += [*drawn[at:begin], *_leftwards(drawn[begin:end])]
        at = end
    return out + drawn[at:]


def _single(line: Raw) -> Iterator[_Cluster]:
    """Return the characters of a line, each by itself."""
    for span in line["spans"]:
        for char in span["chars"]:
            yield _Cluster(*_along(char["bbox"], line["dir"]), [char], span)


def _is_said(char: Raw) -> bool:
    """Whether a character is a space or a joiner of the PDF's, which MuPDF did not add."""
    return UNDRAWN.match(char["c"]) is not None and not char.get("synthetic")


def _spaced(drawn: Sequence[_Cluster]) -> list[_Cluster]:
    """Return the characters of a line from left to right, with spaces where white alone parts them."""
    out = list(drawn[:1])
    for before, one in pairwise(drawn):
        white = one.begin - before.end > _SPACE * one.span["size"]
        if white and (space := _space(before.chars[0], one.chars[0])):
            out.append(_Cluster(before.end, one.begin, [space], before.span))
        out.append(one)
    return out


def _space(before: Raw, one: Raw) -> Raw | None:
    """Return the space in the white between two characters; None if there is one.

    White beside a character of Chinese or Japanese fills its line, and parts it from no word.
    """
    beside = before["c"], one["c"]
    if "WS" in map(unicodedata.bidirectional, [char[:1] for char in beside]):
        return None
    if any(map(unspaced, beside)) and not any(char.isascii() and char.isalnum() for char in beside):
        return None
    return before | {"c": " ", "origin": (before["bbox"][2], before["origin"][1])}


def _leftwards(drawn: Sequence[_Cluster]) -> Iterator[_Cluster]:
    """Return characters, given from left to right, as they are read from right to left."""
    for number in _numbers(drawn):
        number.forwards = True
    for begin, end in _runs_of(drawn, ("L", "EN", "AN"), against=("R", "AL")):
        if any(one.direction == "L" for one in drawn[begin:end]):
            for one in drawn[begin:end]:
                one.forwards = True
    for forwards, run in groupby(reversed(drawn), key=lambda one: one.forwards):
        together = list(run)
        yield from (reversed(together) if forwards else together)


def _numbers(drawn: Sequence[_Cluster]) -> Iterator[_Cluster]:
    """Return the digits, and the signs that are read with them (rules W4 and W5).

    Beside Arabic, no hyphen or percent sign is.
    """
    arabic = any(one.direction == "AL" for one in drawn)
    kinds = [one.direction for one in drawn]
    joining = ("CS",) if arabic else ("CS", "ES")
    for at, one in enumerate(drawn):
        beside = [kinds[other] for other in (at - 1, at + 1) if 0 <= other < len(kinds)]
        if (
            kinds[at] in ("EN", "AN")
            or (kinds[at] in joining and beside in (["EN", "EN"], ["AN", "AN"]))
            or (kinds[at] == "ET" and not arabic and "EN" in beside)
        ):
            yield one


def _runs_of(
    drawn: Sequence[_Cluster], kinds: Sequence[str], *, against: Sequence[str]
) -> Iterator[tuple[int, int]]:
    """Return begin and end of each run from one of `kinds` to another with none of `against` between."""
    begin = end = None
    for at, one in enumerate(drawn):
        if one.direction in kinds:
            begin, end = (at if begin is None else begin), at + 1
        elif one.direction in against and begin is not None and end is not None:
            yield begin, end
            begin = end = None
    if begin is not None and end is not None:
        yield begin, end


def _turn_brackets(lines: Sequence[Sequence[_Cluster]]) -> None:
    """Make brackets those that are read, where a PDF gives those that are drawn: ")so("."""
    texts = ["".join(["a" if one.forwards else one.chars[0]["c"] for one in line]) for line in lines]
    if sum(len(_ENDED.findall(text)) - len(_BEGUN.findall(text)) for text in texts) <= 0:
        return
    for line in lines:
        for one in line:
            if not one.forwards:
                one.chars = [char | {"c": _BRACKETS.get(char["c"], char["c"])} for char in one.chars]


def line_of(line: Raw, drawn: Iterable[tuple[Raw, Raw]]) -> Raw:
    """Return a line of these characters, given with their spans, in spans of one style each."""
    spans = []
    for _, run in groupby(drawn, key=lambda one: id(one[1])):
        (*_, span), *_ = of_span = list(run)
        chars = [char for char, _ in of_span]
        box = _around([char["bbox"] for char in chars])
        spans.append(span | {"chars": chars, "bbox": box, "origin": chars[0]["origin"]})
    return line | {"spans": spans, "bbox": _around([span["bbox"] for span in spans])}


def _around(boxes: Sequence[Sequence[float]]) -> tuple[float, ...]:
    x0, y0, x1, y1 = zip(*boxes, strict=True)
    return min(x0), min(y0), max(x1), max(y1)
