r"""What is printed where a writer typed marks for it: `\emph{mud}`, `*mud*` and `<i>mud</i>` are mud.

The marks of LaTeX, Markdown, HTML, JSON and keyboards (typed.toml). One that is not known stays: no paper
prints it, so the quote is near. What they hold is compared with the print like any other words.
"""

import re
import tomllib
from collections.abc import Callable, Mapping
from html import unescape
from pathlib import Path
from unicodedata import normalize

from lookup.text.folding import UNKNOWN
from lookup.text.regex import regex
from lookup.text.scripts import without_turns

_TABLE = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
_MOVED = {
    "^": str.maketrans("0123456789+-−–()n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻⁽⁾ⁿ"),
    "_": str.maketrans("0123456789+-−–()", "₀₁₂₃₄₅₆₇₈₉₊₋₋₋₍₎"),
}
_ACCENTS = dict(zip("'`^\"~", "\u0301\u0300\u0302\u0308\u0303", strict=True))
_LINE = regex(r"(?m:^[ \t]*+(?>(?:>[ \t]?)+)(?=\S))")
_ANSWERED = regex(r"[ \t>]*(?:[^\W\d_]|[\"“‘«(\[])")

_PRINTED: Mapping[str, Callable[..., str]] = {
    "held": lambda held: held,
    "raised": lambda number: moved(number, "^"),
    "lowered": lambda number: moved(number, "_"),
    "named": lambda name: unescape(f"&{name};"),
    "character": lambda code: chr(int(code, 16)),
    "composed": lambda sign: normalize("NFKC", sign),
    "accented": lambda accent, letter: normalize("NFC", letter + _ACCENTS[accent]),
    "parted": lambda number: ",".join(number.split()),
}
"""What is printed, by the name that the table has for it, for what a mark holds."""

_Mark = tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]]


def _mark(pattern: str, printed: str) -> _Mark:
    for name in ("NAMED", "FORMS", "DIGITS", "MOVED"):
        pattern = pattern.replace(name, _TABLE[name])
    if not printed.startswith("="):
        return re.compile(pattern), printed
    return re.compile(pattern), lambda found: _PRINTED[printed[1:]](*filter(None, found.groups()))


_MARKS, _OTHERWISE = ([_mark(*row) for row in _TABLE[name]] for name in ("marks", "otherwise"))


def moved(text: str, where: str) -> str:
    """Return a number raised ("^") or lowered ("_"): "⁻⁵" for "-5". Other text ("th") stays as it is."""
    changed = text.translate(_MOVED[where])
    still = any(char.isalnum() and same == char for char, same in zip(text, changed, strict=True))
    return text if still else changed


def as_printed(asked: str) -> list[str]:
    """Return the texts that may be printed where a writer typed `asked`, the likeliest first."""
    typed = asked
    if len(_LINE.findall(asked)) == asked.count("\n") + 1 and _ANSWERED.match(asked):
        typed = _LINE.sub("", asked)  # all lines begin with "> ", as in e-mail
    for pattern, printed in _MARKS:
        typed = pattern.sub(printed, typed)
    texts = [without_turns(typed, UNKNOWN)]
    for pattern, printed in _OTHERWISE:
        other = pattern.sub(printed, texts[-1])
        texts += [other] if other != texts[-1] else []
    return texts
