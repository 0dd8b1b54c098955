"""Vertical writing: pages of Chinese and Japanese whose lines run downwards, as their producers draw them.

Some producers draw each character by itself, others all of a line, which then is not upright. MuPDF gives the
characters of a vertical font each by itself, none of them upright.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from lookup.text.scripts import count_unspaced, parts_no_words
from pipeline.pdf.lines import Line, Word, bounds, joined

_BELOW = (-0.5, 1.3)
"""Em of white between two characters of one line: a full stop takes half, a full-width space is drawn as
nothing."""

_SPACE = (0.12, 0.5)
"""Em: more white between two characters is a space; more between two of a script without spaces."""

_SAME_AXIS = 0.25  # Em by which the middles of the characters of one line may differ.


def is_vertical(lines: Sequence[Line], text: str) -> bool:
    """Whether most of the characters of Chinese or Japanese in the page's `text` stand below one another."""
    ideographs = count_unspaced(text)
    if not ideographs:
        return False
    below = [
        line
        for place, line in enumerate(lines)
        if (not line.upright and line.height > line.width)
        or (place and len(line.text) == 1 and _goes_on(lines[place - 1], line))
    ]
    return 2 * sum(count_unspaced(line.text) for line in below) > ideographs


def vertical_lines(lines: Sequence[Line]) -> Iterator[Line]:
    """Return the lines of a page of vertical writing, each whole and upright.

    Those set from left to right above or below all of them are not: heads, and numbers of pages.
    """
    joined = [_joined(run) for run in _runs(lines)]
    downwards = [line for line in joined if not line.upright] or joined
    top, foot = min(line.y0 for line in downwards), max(line.y1 for line in downwards)
    for line in joined:
        yield replace(line, upright=not line.upright or (line.y1 > top and line.y0 < foot))


def _runs(lines: Iterable[Line]) -> Iterator[list[Line]]:
    """Return the lines in runs of those that go on below one another."""
    run: list[Line] = []
    for line in lines:
        if run and not _goes_on(run[-1], line):
            yield run
            run = []
        run.append(line)
    if run:
        yield run


def _goes_on(before: Line, line: Line) -> bool:
    least, most = _BELOW
    size = max(before.size, line.size)
    return (
        abs(before.x0 + before.x1 - line.x0 - line.x1) <= 2 * _SAME_AXIS * size
        and least * size < line.y0 - before.y1 < most * size
    )


def _joined(run: Sequence[Line]) -> Line:
    """Return the line of a run, its words parted at spaces, not upright if there was more than one."""
    if len(run) == 1:
        return run[0]
    words: list[Word] = []
    for word in (word for line in run for word in line.words):
        last = words[-1] if words else None
        if (
            last is None
            or word.y0 - last.y1 > _SPACE[parts_no_words(last.text[-1], word.text[0])] * word.size
        ):
            words.append(word)
        else:
            words[-1] = joined(last, word)
    x0, y0, x1, y1 = bounds(words)
    main = max(run, key=lambda line: line.size)
    return replace(main, x0=x0, y0=y0, x1=x1, y1=y1, words=tuple(words), upright=False)
