"""The quotation marks of a running text: which of them open and close a quotation."""

import re
from bisect import bisect_right
from collections.abc import Iterator

from pagequote.check.running_text import Quoted, RunningText

BLANK_LINE = re.compile(r"\n[ \t\r]*+\n")

_CLOSING = {"“": "”", "„": "“”", "«": "»", "‹": "›", "»": "«", "「": "」", "『": "』", "‚": "‘’"}
_MARK_OR_BLANK_LINE = re.compile(
    rf"[{''.join(_CLOSING)}{''.join(set(''.join(_CLOSING.values())) - {'‘', '’'})}]|(?<=[\w.,;!?…])[‘’](?!\w)"
    rf"|{BLANK_LINE.pattern}"
)
_OPENS_SINGLE = re.compile(r"(?<![\w.,;:!?”’\"'])(?:‘(?=\S)|['`](?=[^\W_]))")
_CLOSES_SINGLE = re.compile(r"(?<=\S)['’](?!\w)")
_POSSESSIVE = re.compile(r"(?<=s)['’](?= [a-z])")
_LEAST_WORDS = 4
"""Words between marks from which they are a quotation also where none is cited."""


def single_marks(text: str) -> bool:
    """Return whether a text quotes between single marks: more, of four words or more, than between others."""
    single = sum(1 for start, end in _single(text, "‘'`") if long_enough(text[start + 1 : end]))
    double = sum(1 for one in _DOUBLE.finditer(text) if long_enough(one[0]))
    return single > 2 * double


_DOUBLE = re.compile(r"[“„«][^“”„«»\n]{1,2000}[”“»]|\"[^\"\n]{1,2000}\"|``[^`\n]{1,2000}''")


def long_enough(words: str) -> bool:
    """Return whether words between marks are as many as those of a quotation."""
    return len(words.split(None, _LEAST_WORDS - 1)) >= _LEAST_WORDS or _many_letters(words)


def _many_letters(words: str) -> bool:
    """Return whether words of a script without spaces are as many as those of a quotation."""
    return len(_UNSPACED.findall(words)) >= _LEAST_LETTERS


_UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u9fff]")
_LEAST_LETTERS = 8  # Of kana and characters: some four words.


def marked(flow: RunningText, text: str, *, straight: bool, single: bool) -> list[Quoted]:
    """Return the text between the outermost quotation marks, within a paragraph, not in a block quote.

    With `straight` also that between marks of the form ". Single marks count as others do if `single`; else
    those that are curly, and hold four words or more.
    """
    covered = sorted((one.start, one.end) for one in flow.quoted)
    found = [*_outermost(text, covered, straight=straight)]
    covered = sorted([*covered, *((one.start, one.end) for one in found)])
    for start, end in _single(text, "‘'`" if single else "‘"):
        before = bisect_right(covered, (start, len(text))) - 1
        inside = before >= 0 and covered[before][1] > start
        if not inside and (single or long_enough(text[start + 1 : end])):
            found = [one for one in found if not start < one.start < end]
            found.append(Quoted(start, end + 1, "‘...’" if text[start] == "‘" else "'...'"))
    return found


def _outermost(text: str, covered: list[tuple[int, int]], *, straight: bool) -> Iterator[Quoted]:
    closings = _closings(text)
    blanks = [match.start() for match in BLANK_LINE.finditer(text)]
    at = region = 0
    marks = re.compile('[“„«‹»「『‚"]' if straight else "[“„«‹»「『‚]")
    while (opening := marks.search(text, at)) is not None:
        start, at = opening.start(), opening.end()
        while region < len(covered) and covered[region][1] <= start:
            region += 1
        if region < len(covered) and covered[region][0] <= start:
            at = max(at, covered[region][1])
            continue
        if opening[0] == '"':
            blank = bisect_right(blanks, start)
            closing = _straight_end(text, start, blanks[blank] if blank < len(blanks) else len(text))
        else:
            closing = closings.get(start)
        if closing is not None:
            yield Quoted(start, closing + 1, "“...”" if opening[0] != '"' else '"..."')
            at = closing + 1


def _straight_end(text: str, start: int, stop: int) -> int | None:
    """Return the mark that closes the one at `start`, if that one opens a quotation: 5" is inches."""
    if text[start - 1 : start].isalnum() or text[start + 1 : start + 2].isspace():
        return None
    end = text.find('"', start + 1, stop)
    return end if end >= 0 else None


def _closings(text: str) -> dict[int, int]:
    """Return for each curly or angled mark that opens the one that closes it in the same paragraph.

    Each kind is counted for itself, since “ closes „ and opens, too. » opens where a word follows it.
    """
    found: dict[int, int] = {}
    opened: dict[str, list[int]] = {opening: [] for opening in _CLOSING}
    for mark in _MARK_OR_BLANK_LINE.finditer(text):
        at = mark.start()
        for opening, waiting in opened.items():
            if mark[0][0] == "\n":
                waiting.clear()
            elif mark[0] == opening and (opening != "»" or _turned(text, at)):
                waiting.append(at)
            elif mark[0] in _CLOSING[opening] and waiting:
                found[waiting.pop()] = at
    return found


def _turned(text: str, at: int) -> bool:
    """Return whether the » at this place opens, as in German books: before a word, not after one."""
    return text[at + 1 : at + 2].isalnum() and not text[at - 1 : at].strip()


def _single(text: str, marks: str) -> Iterator[tuple[int, int]]:
    """Yield where single marks open and close a quotation. An apostrophe does neither."""
    opens = [one.start() for one in _OPENS_SINGLE.finditer(text) if one[0] in marks]
    if not opens:
        return
    stops = sorted([*opens, *(one.start() for one in BLANK_LINE.finditer(text)), len(text)])
    done = 0
    for start in opens:
        if start < done:
            continue
        stop = stops[bisect_right(stops, start)]
        closing = [one.start() for one in _CLOSES_SINGLE.finditer(text, start + 1, stop)]
        sure = [one for one in closing if not _POSSESSIVE.match(text, one)]
        if closing:
            end = (sure or closing)[0]
            yield start, end
            done = end + 1
