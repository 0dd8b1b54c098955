"""Features of a line alone, whatever stands around it: each is found once, kept with it, read by all steps.

The patterns stand in the modules of what they tell; `of_line` makes features of them. `line_features` has
them as columns of numbers, next to those that compare a line with others.
"""

import re
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

from lookup.text.hyphenation import BREAKS
from lookup.text.scripts import FULL_STOPS, begins_small
from pipeline.pdf.reading import Line

Known = TypeVar("Known")

OF_LINE: dict[str, Callable[[Line], Any]] = {}
"""What finds the features, by their names."""

QED = "□∎■"  # Signs at the end of a proof.

_FINISHED = re.compile(rf"[{re.escape(FULL_STOPS)}:;：；؛)\]”\"’」』）】»][\d,–—\-*†‡\s{QED}]*$")
"""How the last line of a paragraph ends; citation marks, or the end of a proof, may follow the stop."""


def of_line(name: str) -> Callable[[Callable[[Line], Known]], Callable[[Line], Known]]:
    """Return what makes a function of a line a feature with this name."""

    def feature(find: Callable[[Line], Known]) -> Callable[[Line], Known]:
        @wraps(find)
        def known(line: Line) -> Known:
            if name not in line.known:
                line.known[name] = find(line)
            value: Known = line.known[name]
            return value

        OF_LINE[name] = find
        return known

    return feature


@of_line("finished")
def is_finished(line: Line) -> bool:
    """Whether a line ends as a paragraph does."""
    return _FINISHED.search(line.text) is not None


@of_line("small")
def is_small(line: Line) -> bool:
    """Whether a line begins in lower case, where sentences of its script begin with a capital."""
    return begins_small(line.text)


@of_line("stop")
def ends_with_stop(line: Line) -> bool:
    """Whether a line ends with a full stop."""
    return line.text[-1] in FULL_STOPS


@of_line("broken")
def is_broken(line: Line) -> bool:
    """Whether a line ends with the hyphen of a broken word."""
    return line.text[-1] in BREAKS
